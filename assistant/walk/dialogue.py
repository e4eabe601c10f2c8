"""What the walk says and asks, and what may be answered."""

from __future__ import annotations

import difflib
import hashlib
from typing import TYPE_CHECKING, NamedTuple, Union

from ..files.outcome import Outcome
from ..files.reader import Problem

if TYPE_CHECKING:
    from distify.codemods.model import Offer

YES, NO, ALL, DONE, BACK, QUIT = "y", "n", "a", "d", "b", "q"
EDIT, SPLIT, EVERYWHERE, SUPPRESS, TRY = "e", "s", "r", "t", "v"
CHOICES = "123456789"  # the repairs of what is in the way, in the order in which they are offered


class Change(NamedTuple):
    """What a rule changes in one of several files."""

    name: str
    before: str  # the text without the rule
    after: str

    @property
    def lines(self) -> list[str]:
        """What changes, in so many lines, wherever they stand."""
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), n=0)
        return [f"{line[0]}{line[1:].strip()}" for line in lines if line[:1] in ("+", "-")][2:]


class Question(NamedTuple):
    """Whether a rule is applied to a file: answered by a key, or by the text that a person made."""

    outcome: Outcome
    code: str
    before: str  # the text without the rule
    after: str
    number: int  # of this question, from 1
    left: int  # how many may come, this one included
    beside: tuple[Change, ...] = ()  # what the rule changes in the files that change with this one

    @property
    def changes(self) -> tuple[Change, ...]:
        """What the rule changes, file by file."""
        own = Change(self.outcome.name, self.before, self.after)
        return (*([own] if self.before != self.after else []), *self.beside)

    @property
    def content(self) -> str:
        """What changes, in so many lines, as a fingerprint: the same wherever the lines stand."""
        changed = [line for each in self.changes for line in each.lines]
        return hashlib.sha256("\n".join(changed).encode("utf-8", "replace")).hexdigest()[:16]


class Obstacle(NamedTuple):
    """What is in a file's way: answered by YES (go on), BACK or QUIT.

    Or by EDIT (somebody edited it), SUPPRESS (a comment is in it now), or by one of the CHOICES,
    as far as there are repairs.
    """

    outcome: Outcome
    at: int  # of the finding among those that block the file

    @property
    def repairs(self) -> tuple[Offer, ...]:
        """The repairs that take it out of the way."""
        migration = self.outcome.migration
        if migration is None:
            return ()
        finding = migration.blocked[self.at]
        return tuple(o for o in migration.repairs if finding in o.answers)[: len(CHOICES)]

    def offered(self, offer: Offer) -> Question:
        """What one of them changes, as the question that a person answers by choosing it."""
        assert self.outcome.migration is not None
        return Question(self.outcome, offer.code, self.outcome.migration.after, offer.text, 1, 1)


class Edited(NamedTuple):
    """The text that a person made of what a rule would have made.

    Where it `is_part`, it is some of the rule's hunks, and the rule is not asked about again.
    """

    text: str
    is_part: bool = False


class Refused(NamedTuple):
    """Why an edited text isn't taken: any answer goes back to the question."""

    outcome: Outcome
    reasons: tuple[str, ...]


class Loss(NamedTuple):
    """What leaving a rule out takes along: answered by YES (leave it out all the same) or NO."""

    outcome: Outcome
    code: str
    others: tuple[str, ...]  # the rules that fall away with it
    reasons: tuple[str, ...]  # why nothing of the file is left then; empty: the rest is right


class Write(NamedTuple):
    """A file whose questions are answered: answered by the problem, if there was one."""

    outcome: Outcome


class Restore(NamedTuple):
    """A file that is written already, and is asked about again: answered as Write is."""

    outcome: Outcome


class Uncomment(NamedTuple):
    """A file that a comment was put into, as it was before: answered as Write is."""

    outcome: Outcome


Asked = Union[Question, Obstacle, Loss]
Step = Union[Question, Obstacle, Refused, Loss, Write, Restore, Uncomment]
Answer = Union[str, Edited, Problem, None]
