"""What a person says of a line that nobody can tell from the text: `# distify: rows=own`.

`rows=own`: each worker has examples of its own there; `rate=kept`: that learning rate doesn't grow
with the number of workers. They speak of the statement at whose first or last line they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .program.records import NamedTuple

OWN_ROWS, KEPT_RATE = "rows=own", "rate=kept"
KNOWN = (OWN_ROWS, KEPT_RATE)
_MARK = "distify:"
_SAYS = re.compile(r"(?P<name>rows|rate)\s*=\s*(?P<value>\w*)(?P<reason>.*)")


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
        self.all = tuple(_read(text)) if _MARK in text else ()
        self.used: set[Declaration] = set()

    def says(self, what: str, line: int) -> bool:
        """Whether a comment says this of a line; it is of use then."""
        found = [each for each in self.all if each.says == what and line in each.lines]
        self.used.update(found)
        return bool(found)


def _read(text: str) -> Iterator[Declaration]:
    from .comments import addressed, reason_of  # few texts need a tokenizer

    for address in addressed(text):
        found = _SAYS.match(address.says)
        if found is not None:
            says, why = f"{found['name']}={found['value']}", reason_of(found["reason"])
            yield Declaration(address.line, address.column, says, why, address.lines)
