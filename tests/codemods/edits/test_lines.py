"""Lines read from a place outwards are the lines of the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.edits.layout import BLOCKS
from distify.codemods.edits.lines import is_broken, line_at
from distify.codemods.syntax import LN, Leaf, parse

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").rglob("*.py"))


def line_of_all(leaf: Leaf) -> str:
    """The same from the whole text of the statement."""
    statement: LN = leaf
    while statement.parent is not None and statement.parent.type not in BLOCKS:
        statement = statement.parent
    text, start = "", 0
    for each in statement.leaves():
        if each is leaf:
            start = len(text) + len(each.prefix)
        text += str(each)
    begin = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    return text[begin:].splitlines()[0]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_line_of_every_token_is_that_of_its_statement(path: Path) -> None:
    for leaf in parse(path.read_text(encoding="utf-8")).leaves():
        if leaf.value.strip():
            assert line_at(leaf) == line_of_all(leaf)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_ends_as_the_file_ends_them(end: str) -> None:
    text = f"if a:{end}    f([{end}        b,  # c{end}        d(e), g],{end}      h){end}"
    for leaf in parse(text).leaves():
        if leaf.value.strip():
            assert line_at(leaf) == line_of_all(leaf)


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ([], False),
        (["", " \n", "a"], False),
        (["a", "\n", " "], False),
        (["a", " \nb"], True),
        (["a", "\n", "", "  b"], True),
        (["\n  # c\n  a"], True),
        (["'''a\nb'''"], True),
        (["a", " b", "\n"], False),
    ],
)
def test_white_space_at_either_end_breaks_nothing(texts: list[str], wanted: bool) -> None:
    assert is_broken(texts) is wanted
    assert ("\n" in "".join(texts).strip()) is wanted


def test_no_more_is_read_than_tells() -> None:
    texts = iter(["a", "\n b", "c"])
    assert is_broken(texts)
    assert list(texts) == ["c"]
