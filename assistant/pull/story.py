"""What a pull request tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..git.plan import Change
    from ..report.next_steps import Next


@dataclass(frozen=True)
class Remark:
    """One thing left to a person: where (as git knows the file) and what; line 0: all of it."""

    path: str
    line: int
    code: str
    text: str
    column: int = 0


@dataclass(frozen=True)
class Story:
    """What a pull request is about; `web` is the repository's address, `words` the user's text."""

    web: str
    onto: str
    base: str
    changes: Sequence[Change]
    ids: Sequence[str]  # of the commits, one per change
    left: Sequence[Remark]
    notes: Sequence[Remark]
    words: str = ""
    asked: str = ""  # whatever else the user asked for
    pushed: bool = True  # whether the commits can be looked at
    noun: str = "pull request"
    proofs: Sequence[tuple[str, str]] = ()  # files, and what is proved of each
    why: Sequence[Remark] = ()  # the hunks of the changed files, each with its reason
    next: Sequence[Next] = ()  # commands that prove and train it, from the repository's root
    commits: str = ""  # the address of the repository that has them; `web` if empty
