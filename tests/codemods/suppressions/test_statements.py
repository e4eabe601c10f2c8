"""What a finding is known by: the statement of its line, whatever the layout."""

from __future__ import annotations

import pytest

from distify.codemods.suppressions.statement_text import by_line


@pytest.mark.parametrize(
    "text",
    [
        "f(1, x)\n",
        "f(1,x)",
        "f(\n    1,\n    x\n)\n",
        "f(  # why\n    1, x)  # that\n",
        "f(1, \\\n  x)\n",
        "f(1, x)\r\n",
        "\ufefff(1, x)\n",
    ],
)
def test_layout_and_comments_are_no_part_of_it(text: str) -> None:
    assert set(by_line(text).values()) == {"f ( 1 , x )"}


def test_each_line_of_a_statement_and_of_a_head_has_it() -> None:
    found = by_line('# x\nif (a and\n    b):\n    s = """1\n2"""; t = 3\n\nz\n')
    head, body = "if ( a and b ) :", 's = """1\n2""" ; t = 3'
    assert found == {2: head, 3: head, 4: body, 5: body, 7: "z"}


@pytest.mark.parametrize(("one", "other"), [("f(1)", "f(2)"), ("'a b'", "'a  b'"), ("ab", "a - b")])
def test_other_tokens_make_another_statement(one: str, other: str) -> None:
    assert by_line(one)[1] != by_line(other)[1]
