"""Edits make the result, whatever ends its lines; a finding ends where its code ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.report.edits import Edit, edits, lines
from distify.assistant.report.extents import Extents

ROOT = Path(__file__).resolve().parents[3]


def made(before: str, found: list[Edit]) -> str:
    """As a program makes them that knows nothing but lines and columns."""
    starts = [0]
    for line in lines(before):
        starts.append(starts[-1] + len(line))
    text = before
    for edit in reversed(found):
        begin = starts[edit.line - 1] + edit.column - 1
        end = starts[edit.end_line - 1] + edit.end_column - 1
        text = text[:begin] + edit.text + text[end:]
    return text


TEXTS = [
    ("", ""),
    ("", "a\n"),
    ("a\n", ""),
    ("a\nb\n", "a\nb\n"),
    ("a\nb\nc\n", "a\nx\nc\nd\n"),
    ("a\nb", "a\nx"),
    ("a\nb", "a\nb\nc"),
    ("a\nb", "b"),
    ("a\r\nb\r\n", "a\r\nx\r\nb\r\n"),
    ("a\fb\nc\u2028d\n", "a\fb\nx\n"),
    ("é = 1\n", "é = 2\n"),
]


@pytest.mark.parametrize(("before", "after"), TEXTS)
def test_edits_make_the_result(before: str, after: str) -> None:
    found = edits(before, after)
    assert made(before, found) == after
    assert bool(found) == (before != after)


def test_what_no_line_end_closes_ends_where_it_ends() -> None:
    assert edits("a\nb", "a\nx") == [Edit(2, 1, 2, 2, "x")]
    assert edits("a\nb\n", "a\nx\n") == [Edit(2, 1, 3, 1, "x\n")]


def test_they_make_what_every_example_becomes() -> None:
    from distify.codemods.migrate import migrate

    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("tape_c*.py")]
    assert len(texts) == 3
    for text in texts:
        after = migrate(text).after
        assert after != text
        assert made(text, edits(text, after)) == after


CODE = """import tensorflow as tf  # as it is
model.fit(
    x,
)
with strategy.scope():  # a comment
    é = f("é", g(1)); y = 2
@d
def f(): pass
"""
ENDS = {
    (1, 1): (1, 24),  # a statement, without its comment
    (2, 1): (4, 2),  # the call, and not the name that it begins with
    (3, 5): (3, 6),
    (5, 1): (5, 36),  # of a statement with a body the first line
    (5, 6): (5, 22),
    (6, 5): (6, 21),
    (6, 16): (6, 20),  # columns are characters
    (6, 23): (6, 28),
    (8, 1): (8, 14),
    (1, 3): (1, 36),  # nothing begins there: the line
    (40, 7): (40, 7),
}


@pytest.mark.parametrize("place", ENDS)
def test_what_begins_at_a_place_ends(place: tuple[int, int]) -> None:
    assert Extents(CODE).end(*place) == ENDS[place]


@pytest.mark.parametrize("text", ["print 1\n", "x = (\n", "a\0b\n", "x = " + "-" * 10000 + "1\n"])
def test_what_this_python_cannot_read_ends_with_its_line(text: str) -> None:
    assert Extents(text).end(1, 1) == (1, len(text.splitlines()[0].rstrip()) + 1)
