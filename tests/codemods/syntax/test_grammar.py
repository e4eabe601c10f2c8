"""The tables of the grammar are those of its text."""

from __future__ import annotations

from pathlib import Path

from distify.codemods.syntax import generate, tables


def test_the_tables_are_up_to_date() -> None:
    """If not: `python -m distify.codemods.syntax.generate`."""
    assert Path(tables.__file__).read_text(encoding="ascii") == generate.source()
