"""The tables of the grammar are those of its text; `make golden` writes them anew.

Reading the text with fissix's generator takes 17 ms, a tenth of what a hook may cost; reading the
tables takes less than one.
"""

from __future__ import annotations

import io
import textwrap
from pathlib import Path
from typing import Any

import pytest
from fissix.pgen2.pgen import ParserGenerator

from distify.codemods.syntax import tables

WRITTEN = Path(tables.__file__)
HEAD = '''"""The tables of Grammar.txt, written by `make golden`; don't change them by hand.

A rule is its states, each with arcs (label, next state), and the labels that it may begin with.
"""

from __future__ import annotations

# fmt: off
Rows = tuple[tuple[tuple[int, int], ...], ...]
'''
TYPES = {
    "START": "int",
    "KEYWORDS": "dict[str, int]",
    "TOKENS": "dict[int, int]",
    "LABELS": "tuple[int, ...]",
    "RULES": "dict[int, tuple[str, Rows, tuple[int, ...]]]",
}


def source() -> str:
    """The text of tables.py for the grammar as it is."""
    text = WRITTEN.with_name("Grammar.txt").read_text(encoding="ascii")
    found = ParserGenerator("Grammar.txt", io.StringIO(text)).make_grammar()
    rules = {
        number: (
            name,
            tuple(map(tuple, found.dfas[number][0])),
            tuple(sorted(found.dfas[number][1])),
        )
        for number, name in sorted(found.number2symbol.items())
    }
    values = {
        "START": found.start,
        "KEYWORDS": dict(sorted(found.keywords.items())),
        "TOKENS": dict(sorted(found.tokens.items())),
        "LABELS": tuple(kind for kind, _ in found.labels),
        "RULES": rules,
    }
    return HEAD + "".join(_constant(name, value) for name, value in values.items())


def _constant(name: str, value: Any) -> str:
    lines = textwrap.wrap(repr(value), 96, break_long_words=False, break_on_hyphens=False)
    indented = textwrap.indent("\n".join(lines), "    ")
    return f"{name}: {TYPES[name]} = (\n{indented}\n)\n"


def test_the_tables_are_up_to_date(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--golden"):
        WRITTEN.write_bytes(source().encode("ascii"))
    assert WRITTEN.read_text(encoding="ascii") == source()
