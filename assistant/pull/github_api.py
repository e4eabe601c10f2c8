"""GitHub's REST API as far as pull requests need it: thin, typed, on `requests`.

https://docs.github.com/rest/pulls; the tests hold every request and response against GitHub's own
OpenAPI description. A request that may have been carried out although no answer came is not sent
again before it was looked whether it was: no pull request and no comment is ever made twice.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Callable

from .answer import Answer
from .forge import Pull, commented, created, named, number_of, pages
from .manner import Manner
from .refusal import Refusals
from .signed import Made, Objects
from .wire import Access, Wire

PERMISSIONS = {"/pulls": "`pull-requests: write`", "/issues": "`pull-requests: write`"}


def _missing(answer: Answer, path: str) -> str:
    return f"it needs the permission {_permission(answer, path)}, which forks don't get"


def _permission(answer: Answer, path: str) -> str:
    """GitHub names it itself, as a rule: `pull_requests=write; issues=write`, any one will do."""
    named = answer.headers.get("X-Accepted-GitHub-Permissions", "")
    ways = [way.strip() for way in named.split(";") if "=" in way]
    if ways:
        # The documentation names that one.
        known = next((way for way in ways if way.startswith("pull_requests")), ways[0])
        both = known.replace("_", "-").replace("=", ": ").split(",")
        return " and ".join(f"`{one.strip()}`" for one in both)
    return next((k for start, k in PERMISSIONS.items() if path.startswith(start)), "write")


REFUSALS = Refusals(
    obstacles=(
        (
            re.compile("not permitted to create or approve pull requests"),
            "allow it in the repository's settings: Actions, General, "
            '"Allow GitHub Actions to create and approve pull requests"',
        ),
        (
            re.compile("SAML|single sign-on"),
            "authorize the token for it, on the page of your tokens",
        ),
        (re.compile("IP allow list"), "let the address of this machine into that list"),
        (re.compile("archived"), "an archived repository takes no branch and no pull request"),
        (re.compile("is locked"), "unlock the conversation"),
        (re.compile("suspended"), "use a token of another account"),
    ),
    invalid="the token is not valid (or has expired)",
    asked=(400, 422),
    inputs="inputs",
    forge="GitHub",
    repository="repository",
    missing=_missing,
)


MANNER = Manner(
    name="GitHub",
    variable="GITHUB_API_URL",
    home="/repos/{}".format,
    advice=REFUSALS.advice,
    existing=(422, "already exists"),
    headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
)


class GitHub:
    """The calls, each one thing; `wait` sleeps for so many seconds.

    `fork` is the repository that the branch is pushed to, where it is not the one of the pull
    request.
    """

    def __init__(
        self, access: Access, wait: Callable[[float], None] = time.sleep, fork: str = ""
    ) -> None:
        self._repository, self._fork = access.repository, fork
        self._wire = Wire(MANNER, access, wait)
        there = replace(access, repository=fork or access.repository)
        self.objects: Objects | None = GitHubObjects(Wire(MANNER, there, wait))

    # -- questions -----------------------------------------------------------------------------

    def default_branch(self) -> str:
        """The branch that pull requests go to where nothing else is said."""
        return self._wire.ask("GET", "", read=_default_branch)

    def open_pulls(self, branch: str) -> list[Pull]:
        """The open pull requests from `branch` of this very repository, or of the fork."""
        wanted = {"head": self._head(branch), "state": "open", "per_page": "100"}
        read = partial(_pulls, branch, self._fork)
        return self._wire.ask("GET", "/pulls", read=read, params=wanted)

    def open_pull(self, branch: str, base: str) -> Pull | None:
        """The one of them that goes to `base`."""
        return next((pull for pull in self.open_pulls(branch) if pull.base == base), None)

    def comments(self, number: int) -> Iterator[str]:
        """The texts of all comments on a pull request, oldest first."""
        return pages(self._wire, f"/issues/{number}/comments", _comments)

    # -- changes -------------------------------------------------------------------------------

    def create(self, branch: str, base: str, title: str, body: str, draft: bool) -> Pull:
        """Opens a pull request, or finds the one that an unanswered attempt opened.

        Raises ForgeProblem: the last answer, or that none came.
        """
        head = self._head(branch) if self._fork else branch
        wanted = {"head": head, "base": base, "title": title, "body": body, "draft": draft}
        owner, _, name = self._fork.partition("/")
        if name and owner.lower() == self._repository.partition("/")[0].lower():
            wanted["head_repo"] = name  # its owner alone does not tell which one is meant
        return created(
            self._wire,
            partial(self._wire.once, "POST", "/pulls", wanted, read=_pull),
            partial(self.open_pull, branch, base),
        )

    def update(self, pull: Pull, title: str, body: str) -> Pull:
        """Gives an open pull request its new texts."""
        texts = {"title": title, "body": body}
        return self._wire.ask("PATCH", f"/pulls/{pull.number}", texts, read=_pull)

    def close(self, number: int) -> None:
        """Closes a pull request; its branch stays."""
        self._wire.ask("PATCH", f"/pulls/{number}", {"state": "closed"})

    def comment(self, number: int, text: str) -> bool:
        """Says something once: False where a comment of ours says it already.

        Raises Unanswered where none of the attempts was answered.
        """

        def post(body: str) -> None:
            self._wire.once("POST", f"/issues/{number}/comments", {"body": body})

        return commented(self._wire, text, partial(self.comments, number), post)

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

    def set_milestone(self, number: int, milestone: str) -> None:
        """Puts it under a milestone, by the number in its address or by its title."""
        found = int(milestone) if milestone.isdecimal() else named(milestone, self._milestones())
        self._wire.ask("PATCH", f"/issues/{number}", {"milestone": found})

    def _milestones(self) -> list[tuple[int, str]]:
        return list(pages(self._wire, "/milestones", _titles, state="open"))

    def _head(self, branch: str) -> str:
        owner = (self._fork or self._repository).partition("/")[0]
        return f"{owner}:{branch}"


def _default_branch(found: Mapping[str, Any]) -> str:
    return str(found["default_branch"])


def _comments(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(each.get("body") or "") for each in found]


def _titles(found: Sequence[Mapping[str, Any]]) -> list[tuple[int, str]]:
    return [(number_of(each["number"]), str(each["title"])) for each in found]


def _pulls(branch: str, fork: str, found: Sequence[Mapping[str, Any]]) -> list[Pull]:
    return [_pull(each) for each in found if _is_from(each, branch, fork)]


def _is_from(found: Mapping[str, Any], branch: str, fork: str) -> bool:
    """A fork of the same owner has the same label, and maybe a branch of the same name."""
    head, base = found["head"], found["base"]
    there = head.get("repo") or {}  # none: the fork is gone
    if fork:
        right = str(there.get("full_name", "")).lower() == fork.lower()
    else:
        right = there.get("id") == base["repo"]["id"]
    return bool(right and head["ref"] == branch)


def _pull(found: Mapping[str, Any]) -> Pull:
    return Pull(
        number_of(found["number"]),
        str(found["html_url"]),
        str(found["title"]),
        str(found.get("body") or ""),
        str(found["head"]["sha"]),
        bool(found.get("draft")),
        str(found["base"]["ref"]),
    )


# -- git's objects, made by GitHub: https://docs.github.com/rest/git -----------------------------


class GitHubObjects:
    """The calls; what is made twice has the same name, or is found by nobody."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def make_blob(self, content: str) -> str:
        """The name of contents, which are given in base64."""
        wanted = {"content": content, "encoding": "base64"}
        return self._wire.ask("POST", "/git/blobs", wanted, read=_name)

    def make_tree(self, base: str, entries: Sequence[Mapping[str, Any]]) -> str:
        """The name of a tree: another one with these entries in it."""
        wanted = {"base_tree": base, "tree": list(entries)}
        return self._wire.ask("POST", "/git/trees", wanted, read=_name)

    def make_commit(self, message: str, tree: str, parent: str) -> Made:
        """A commit by whoever the token belongs to; GitHub signs none that names anybody."""
        wanted = {"message": message, "tree": tree, "parents": [parent]}
        return self._wire.ask("POST", "/git/commits", wanted, read=_made_of)


def _name(found: Mapping[str, Any]) -> str:
    return str(found["sha"])


def _made_of(found: Mapping[str, Any]) -> Made:
    proof = found["verification"]
    return Made(
        str(found["sha"]),
        str(proof["payload"] or ""),
        str(proof["signature"] or ""),
        bool(proof["verified"]),
        str(proof["reason"]),
    )
