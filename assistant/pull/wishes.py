"""What a person asked for about a pull request."""

from __future__ import annotations

from dataclasses import dataclass

from ..git import refusals
from ..git.command import Refused
from ..git.repository import Repository

# https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository
QUEUE = "gh-readonly-queue/"


@dataclass(frozen=True)
class Wishes:
    """What a person asked for, apart from files and rules."""

    branch: str
    onto: str
    title: str
    words: str = ""
    prefix: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    milestone: str = ""
    fork: str = ""  # that the branch is pushed to
    sign: bool = False  # the commits are made by the forge
    draft: bool = False
    delete: bool = True
    verify: bool = True

    @property
    def asked(self) -> str:
        """What the pull request gets apart from its text, in one string."""
        people = (self.assignees, self.reviewers, self.teams)
        return repr((self.title, self.labels, *people, self.milestone))

    @property
    def plain(self) -> bool:
        """Whether nothing is asked for beside its texts."""
        people = self.assignees or self.reviewers or self.teams
        return not (self.labels or people or self.milestone)


def check_names(repository: Repository, wishes: Wishes, token: str = "") -> None:
    """Raises Refused for what can't be a branch or a text, and for a pull request onto itself."""
    _check_text(wishes)
    if token and any(token in text for text in (wishes.words, wishes.title, wishes.prefix)):
        raise Refused("the token stands in a text of the pull request: everybody could read it")
    if not wishes.onto:
        raise Refused("no branch is checked out: name the base with --base")
    for name in (wishes.branch, wishes.onto):
        if name.startswith("-") or not refusals.well_formed(repository, name):
            raise Refused(f"{name!r} can't be the name of a branch")
    if wishes.onto.startswith(QUEUE):
        raise Refused(
            f"{wishes.onto!r} is there for a moment only, for a merge queue: let the action run on "
            "`push`, `schedule` or `workflow_dispatch`"
        )
    if wishes.branch == wishes.onto and not wishes.fork:
        raise Refused(
            f"{wishes.onto!r} is the pull request's own branch: name the one that it goes to with "
            "--base, and let no workflow run for this one"
        )


def _check_text(wishes: Wishes) -> None:
    """Raises Refused for bytes of the command line that are no text, which no request can hold."""
    given = (wishes.title, wishes.words, wishes.prefix, wishes.milestone, *wishes.labels,
             *wishes.assignees, *wishes.reviewers, *wishes.teams)  # fmt: skip
    for text in given:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Refused(f"{text.strip()[:80]!r} is no text: write it in UTF-8") from None
