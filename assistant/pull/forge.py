"""What every forge can do for a pull request, whatever it calls it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Callable, NamedTuple, Protocol

from .signed import Objects
from .wire import TRIES, Access, Existing, ForgeProblem, Unanswered, Wire

__all__ = ["Access", "Forge", "ForgeProblem", "Pull"]
PAGES = 100  # of a hundred entries each; a server may never come to an end
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


class Forge(Protocol):
    """The calls, each one thing. All of them raise ForgeProblem.

    `objects` makes commits there; None where the forge signs nothing that it is asked to make.
    """

    objects: Objects | None

    def default_branch(self) -> str:
        """The branch that pull requests go to where nothing else is said."""

    def open_pulls(self, branch: str) -> list[Pull]:
        """The open pull requests from `branch` of the repository that it is pushed to."""

    def create(self, branch: str, base: str, title: str, body: str, draft: bool) -> Pull:
        """Opens a pull request, or finds the one that an unanswered attempt opened."""

    def update(self, pull: Pull, title: str, body: str) -> Pull:
        """Gives an open pull request its new texts; a draft stays one."""

    def close(self, number: int) -> None:
        """Closes a pull request; its branch stays."""

    def comment(self, number: int, text: str) -> bool:
        """Says something once: False where a comment of ours says it already."""

    def label(self, number: int, labels: Sequence[str]) -> None:
        """Adds labels; those that are there stay."""

    def assign(self, number: int, people: Sequence[str]) -> None:
        """Adds assignees."""

    def request_reviews(self, number: int, people: Sequence[str], teams: Sequence[str]) -> None:
        """Asks people and teams (without the organisation's name) for a review."""

    def set_milestone(self, number: int, milestone: str) -> None:
        """Puts it under a milestone, by the number in its address or by its title."""


def created(wire: Wire, attempt: Callable[[], Pull], look: Callable[[], Pull | None]) -> Pull:
    """What an attempt opens, or what `look` finds: no pull request is ever made twice.

    Raises ForgeProblem: the last answer, or that none came.
    """
    for number in range(TRIES):
        try:
            return attempt()
        except (Unanswered, Existing) as problem:
            last: ForgeProblem = problem
        wire.wait(2.0**number)
        found = look()
        if found is not None:
            return found
    raise last


def commented(
    wire: Wire, text: str, texts: Callable[[], Iterator[str]], post: Callable[[str], object]
) -> bool:
    """Says something once: False where one of the `texts` says it already.

    Raises Unanswered where none of the attempts was answered.
    """
    body = f"{text}\n\n{MARK}"
    for number in range(TRIES):
        if any(each == body for each in texts()):
            return number > 0
        try:
            post(body)
            return True
        except Unanswered as unanswered:
            last = unanswered
        wire.wait(2.0**number)
    raise last


def pages(wire: Wire, path: str, read: Callable[[Any], list[Any]], **wanted: str) -> Iterator[Any]:
    """What `read` makes of each page, one entry after the other."""
    for page in range(1, PAGES + 1):
        params = {**wanted, "per_page": "100", "page": str(page)}
        found = wire.ask("GET", path, read=read, params=params)
        yield from found
        if len(found) < 100:
            return


def number_of(found: Any) -> int:
    """A number as forges count. Raises ValueError for anything else."""
    if not isinstance(found, int) or isinstance(found, bool) or not 0 < found <= LARGEST:
        raise ValueError("no number of a pull request")
    return found


def named(wanted: str, titles: Sequence[tuple[int, str]]) -> int:
    """The number of the milestone with this title. Raises ForgeProblem where there is none."""
    for number, title in titles:
        if title == wanted:
            return number
    known = ", ".join(repr(title) for _, title in titles[:10])
    raise ForgeProblem(
        f"there is no open milestone {wanted!r}"
        + (f": open ones are {known}" if known else ": there is no open one at all")
    )
