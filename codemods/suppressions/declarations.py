"""What a person says of a line that nobody can tell from the text: `# distify: rows=own`.

`rows=own`: each worker has examples of its own there; `rate=kept`: that learning rate doesn't grow
with the number of workers; `race=meant`: what `distify race` finds there may come in any order.
They speak of the statement at whose first or last line they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..program.records import NamedTuple

OWN_ROWS, KEPT_RATE = "rows=own", "rate=kept"
KNOWN = (OWN_ROWS, KEPT_RATE)
MEANT_RACE = "race=meant"  # asked for by `distify race` alone
_MARK = "distify:"
_SAYS = re.compile(r"(?P<name>rows|rate|race)\s*=\s*(?P<value>\w*)(?P<reason>.*)")


class Declaration(NamedTuple):
    """One comment: what it says, one of `KNOWN` or words that nobody knows; why; of which lines."""

    line: int
    column: int
    says: str
    reason: str
    lines: range


class Declarations:
    """All that a text says so, and which of it was asked for."""

    def __init__(self, text: str) -> None:
        said = _read(text) if _MARK in text else ()
        self.all = tuple(each for each in said if each.says != MEANT_RACE)
        self.used: set[Declaration] = set()

    def says(self, what: str, line: int) -> bool:
        """Whether a comment says this of a line; it is of use then."""
        found = [each for each in self.all if each.says == what and line in each.lines]
        self.used.update(found)
        return bool(found)


def meant_races(text: str) -> tuple[Declaration, ...]:
    """Where a person says that a race is meant, in a text that Python parses."""
    said = _read(text) if _MARK in text else ()
    return tuple(each for each in said if each.says == MEANT_RACE)


def _read(text: str) -> Iterator[Declaration]:
    from .comments import addressed, reason_of  # few texts need a tokenizer

    for address in addressed(text):
        found = _SAYS.match(address.says)
        if found is not None:
            says, why = f"{found['name']}={found['value']}", reason_of(found["reason"])
            yield Declaration(address.line, address.column, says, why, address.lines)
