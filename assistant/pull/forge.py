"""GitHub's REST API as far as pull requests need it: thin, typed, on `requests`.

https://docs.github.com/rest/pulls; the tests hold every request and response against GitHub's own
OpenAPI description. A request that may have been carried out although no answer came is not sent
again before it was looked whether it was: no pull request and no comment is ever made twice.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Callable, NamedTuple

from .wire import TRIES, Access, Existing, ForgeProblem, Unanswered, Wire

__all__ = ["Access", "Forge", "ForgeProblem", "Pull"]
PAGES = 100  # of a hundred comments each; a server may never come to an end
LARGEST = 2**53  # number of a pull request that every reader of JSON takes for the same
MARK = "<!-- distify -->"  # in every comment of ours


class Pull(NamedTuple):
    """An open pull request; `head` is the commit that its branch points to."""

    number: int
    url: str
    title: str
    body: str
    head: str
    draft: bool
    base: str = ""


class Forge:
    """The calls, each one thing; `wait` sleeps for so many seconds."""

    def __init__(self, access: Access, wait: Callable[[float], None] = time.sleep) -> None:
        self._access = access
        self._wire = Wire(access, wait)

    # -- questions -----------------------------------------------------------------------------

    def default_branch(self) -> str:
        """The branch that pull requests go to where nothing else is said."""
        return self._wire.ask("GET", "", read=_default_branch)

    def open_pulls(self, branch: str) -> list[Pull]:
        """The open pull requests from `branch` of this very repository."""
        owner = self._access.repository.partition("/")[0]
        wanted = {"head": f"{owner}:{branch}", "state": "open", "per_page": "100"}
        return self._wire.ask("GET", "/pulls", read=partial(_pulls, branch), params=wanted)

    def open_pull(self, branch: str, base: str) -> Pull | None:
        """The one of them that goes to `base`."""
        return next((pull for pull in self.open_pulls(branch) if pull.base == base), None)

    def comments(self, number: int) -> Iterator[str]:
        """The texts of all comments on a pull request, oldest first."""
        for page in range(1, PAGES + 1):
            params = {"per_page": "100", "page": str(page)}
            path = f"/issues/{number}/comments"
            found = self._wire.ask("GET", path, read=_comments, params=params)
            yield from found
            if len(found) < 100:
                return

    # -- changes -------------------------------------------------------------------------------

    def create(self, branch: str, base: str, title: str, body: str, draft: bool) -> Pull:
        """Opens a pull request, or finds the one that an unanswered attempt opened.

        Raises ForgeProblem: the last answer, or that none came.
        """
        wanted = {"head": branch, "base": base, "title": title, "body": body, "draft": draft}
        for attempt in range(TRIES):
            try:
                return self._wire.once("POST", "/pulls", wanted, read=_pull)
            except (Unanswered, Existing) as problem:
                last: ForgeProblem = problem
            self._wire.wait(2.0**attempt)
            found = self.open_pull(branch, base)
            if found is not None:
                return found
        raise last

    def update(self, number: int, title: str, body: str) -> Pull:
        """Gives an open pull request its new texts."""
        texts = {"title": title, "body": body}
        return self._wire.ask("PATCH", f"/pulls/{number}", texts, read=_pull)

    def close(self, number: int) -> None:
        """Closes a pull request; its branch stays."""
        self._wire.ask("PATCH", f"/pulls/{number}", {"state": "closed"})

    def comment(self, number: int, text: str) -> bool:
        """Says something once: False where a comment of ours says it already.

        Raises Unanswered where none of the attempts was answered.
        """
        body = f"{text}\n\n{MARK}"
        for attempt in range(TRIES):
            if any(each == body for each in self.comments(number)):
                return attempt > 0
            try:
                self._wire.once("POST", f"/issues/{number}/comments", {"body": body})
                return True
            except Unanswered as unanswered:
                last = unanswered
            self._wire.wait(2.0**attempt)
        raise last

    def label(self, number: int, labels: Sequence[str]) -> None:
        """Adds labels; those that are there stay."""
        self._wire.ask("POST", f"/issues/{number}/labels", {"labels": list(labels)})

    def assign(self, number: int, people: Sequence[str]) -> None:
        """Adds assignees."""
        self._wire.ask("POST", f"/issues/{number}/assignees", {"assignees": list(people)})

    def request_reviews(self, number: int, people: Sequence[str], teams: Sequence[str]) -> None:
        """Asks people and teams (without the organisation's name) for a review."""
        wanted = {"reviewers": list(people), "team_reviewers": list(teams)}
        self._wire.ask("POST", f"/pulls/{number}/requested_reviewers", wanted)


def _default_branch(found: Mapping[str, Any]) -> str:
    return str(found["default_branch"])


def _comments(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(each.get("body") or "") for each in found]


def _pulls(branch: str, found: Sequence[Mapping[str, Any]]) -> list[Pull]:
    return [_pull(each) for each in found if _is_from_here(each, branch)]


def _is_from_here(found: Mapping[str, Any], branch: str) -> bool:
    """A fork of the same owner has the same label, and maybe a branch of the same name."""
    head, base = found["head"], found["base"]
    here = (head.get("repo") or {}).get("id") == base["repo"]["id"]  # none: the fork is gone
    return bool(here and head["ref"] == branch)


def _number(found: Any) -> int:
    if not isinstance(found, int) or not 0 < found <= LARGEST:
        raise ValueError("no number of a pull request")
    return found


def _pull(found: Mapping[str, Any]) -> Pull:
    return Pull(
        _number(found["number"]),
        str(found["html_url"]),
        str(found["title"]),
        str(found.get("body") or ""),
        str(found["head"]["sha"]),
        bool(found.get("draft")),
        str(found["base"]["ref"]),
    )
