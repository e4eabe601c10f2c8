"""GitLab's REST API as far as merge requests need it, by the same calls as GitHub's.

https://docs.gitlab.com/api/merge_requests; the tests hold every request and response against what
GitLab's own OpenAPI description says.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Callable
from urllib.parse import quote

from . import gitlab_answers as answers
from .forge import ForgeProblem, Pull, commented, created, named, pages
from .gitlab_answers import DRAFT
from .manner import Manner
from .refusal import Refusals
from .signed import Objects
from .wire import Access, Reader, T, Wire

REFUSALS = Refusals(
    obstacles=(
        (re.compile("insufficient_scope"), "the token needs the scope `api`"),
        (re.compile("archived"), "an archived project takes no branch and no merge request"),
        (re.compile("blocked|deactivated"), "use a token of another account"),
        (
            re.compile("IP address|ip restriction", re.IGNORECASE),
            "let the address of this machine into the list of those that may come",
        ),
    ),
    invalid="the token is not valid (or has expired), or is one of a job (CI_JOB_TOKEN)",
    asked=(400, 409, 422),
    inputs="options",
    forge="GitLab",
    repository="project",
    missing=lambda answer, path: "it needs the scope `api` and the role Developer",
)


LONGEST = 255  # letters of a title


def _home(project: str) -> str:
    """By its path, whose groups are no folders of the API."""
    return f"/projects/{quote(project, safe='')}" if project else ""


MANNER = Manner(
    name="GitLab",
    variable="CI_API_V4_URL",
    home=_home,
    advice=REFUSALS.advice,
    existing=(409, "already exists"),
)


class GitLab:
    """The calls, each one thing; `wait` sleeps for so many seconds.

    `fork` is the project that the branch is pushed to, where it is not the one of the merge
    request.
    """

    objects: Objects | None = None  # its API signs for no robot

    def __init__(
        self, access: Access, wait: Callable[[float], None] = time.sleep, fork: str = ""
    ) -> None:
        self._wire = Wire(MANNER, access, wait)
        self._fork = Wire(MANNER, replace(access, repository=fork), wait) if fork else None
        self._server = Wire(MANNER, replace(access, repository=""), wait)

    # -- questions -----------------------------------------------------------------------------

    def default_branch(self) -> str:
        """The branch that merge requests go to where nothing else is said."""
        return self._wire.ask("GET", "", read=answers.default_branch)

    def open_pulls(self, branch: str) -> list[Pull]:
        """The open merge requests from `branch` of this very project, or of the fork."""
        source = self._fork.ask("GET", "", read=answers.id_of) if self._fork else 0
        wanted = {"state": "opened", "source_branch": branch, "per_page": "100"}
        read = partial(answers.pulls, branch, source)
        return self._wire.ask("GET", "/merge_requests", read=read, params=wanted)

    def open_pull(self, branch: str, base: str) -> Pull | None:
        """The one of them that goes to `base`."""
        return next((pull for pull in self.open_pulls(branch) if pull.base == base), None)

    def comments(self, number: int) -> Iterator[str]:
        """The texts of all comments on a merge request, oldest first."""
        return pages(self._wire, f"/merge_requests/{number}/notes", answers.texts, sort="asc")

    # -- changes -------------------------------------------------------------------------------

    def create(self, branch: str, base: str, title: str, body: str, draft: bool) -> Pull:
        """Opens a merge request, or finds the one that an unanswered attempt opened.

        Raises ForgeProblem: the last answer, or that none came.
        """
        wanted: dict[str, Any] = {"source_branch": branch, "target_branch": base}
        wanted |= {"title": _with_draft_mark(title, draft), "description": body}
        if self._fork:  # there it is asked for, and here it is
            wanted["target_project_id"] = self._wire.ask("GET", "", read=answers.id_of)
        post = (self._fork or self._wire).once
        return created(
            self._wire,
            partial(post, "POST", "/merge_requests", wanted, read=answers.pull_of),
            partial(self.open_pull, branch, base),
        )

    def update(self, pull: Pull, title: str, body: str) -> Pull:
        """Gives an open merge request its new texts; a draft stays one."""
        texts = {"title": _with_draft_mark(title, pull.draft), "description": body}
        return self._change(pull.number, texts, answers.pull_of)

    def close(self, number: int) -> None:
        """Closes a merge request; its branch stays."""
        self._change(number, {"state_event": "close"}, answers.pull_of)

    def comment(self, number: int, text: str) -> bool:
        """Says something once: False where a comment of ours says it already.

        Raises Unanswered where none of the attempts was answered.
        """

        def post(body: str) -> None:
            self._wire.once("POST", f"/merge_requests/{number}/notes", {"body": body})

        return commented(self._wire, text, partial(self.comments, number), post)

    def label(self, number: int, labels: Sequence[str]) -> None:
        """Adds labels; those that are there stay."""
        self._change(number, {"add_labels": list(labels)}, answers.pull_of)

    def assign(self, number: int, people: Sequence[str]) -> None:
        """Adds assignees. Raises ForgeProblem where GitLab takes not all of them."""
        self._add(number, "assignee", people)

    def request_reviews(self, number: int, people: Sequence[str], teams: Sequence[str]) -> None:
        """Asks people for a review. Raises ForgeProblem for teams, which GitLab has none of."""
        if people:
            self._add(number, "reviewer", people)
        if teams:
            raise ForgeProblem(
                f"GitLab asks people for a review, no teams ({', '.join(teams)}): name people"
            )

    def set_milestone(self, number: int, milestone: str) -> None:
        """Puts it under a milestone, by the number in its address or by its title."""
        wanted = {"state": "active", "include_ancestors": "true"}
        found = list(pages(self._wire, "/milestones", answers.milestones, **wanted))
        numbered = [each.id for each in found if each.number == milestone]
        titles = [(each.id, each.title) for each in found]
        chosen = numbered[0] if numbered else named(milestone, titles)
        self._change(number, {"milestone_id": chosen}, answers.pull_of)

    def _change(self, number: int, what: Any, read: Reader[T]) -> T:
        return self._wire.ask("PUT", f"/merge_requests/{number}", what, read=read)

    def _add(self, number: int, role: str, people: Sequence[str]) -> None:
        """GitLab takes numbers, and the whole list: who is there already stays."""
        wanted = [self._person(name) for name in people]
        read = partial(answers.people_as, f"{role}s")
        there = self._wire.ask("GET", f"/merge_requests/{number}", read=read)
        if set(wanted) <= set(there):
            return
        everybody = list(dict.fromkeys([*there, *wanted]))
        if not set(everybody) <= set(self._change(number, {f"{role}_ids": everybody}, read)):
            raise ForgeProblem(
                f"GitLab takes one {role} alone ({', '.join(people)}): more need its Premium tier"
            )

    def _person(self, name: str) -> int:
        name = name.removeprefix("@")
        read = partial(answers.named_so, name)
        found = self._server.ask("GET", "/users", read=read, params={"username": name})
        if not found:
            raise ForgeProblem(f"GitLab knows nobody by the name {name!r}")
        return found[0]


def _with_draft_mark(title: str, draft: bool) -> str:
    before = DRAFT if draft and not title.startswith(DRAFT) else ""
    return f"{before}{title}"[:LONGEST]
