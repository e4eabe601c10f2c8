"""One generated program, and what distify has to make of it."""

from __future__ import annotations

from dataclasses import dataclass

from distify.codemods.model import Options

TRAINS = "trains"  # is to be migrated, or blocked with a finding
NOTHING = "nothing"  # is none of distify's business
BLOCKED = "blocked"  # has something that stops it
BROKEN = "broken"  # can't be parsed

PLAIN = Options()


@dataclass(frozen=True)
class Program:
    """A text; `code` is the finding that has to stop it, `family` what it was made from."""

    text: str
    family: str
    kind: str = TRAINS
    code: str = ""
    options: Options = PLAIN
