"""Arguments of calls: which is meant, and where a new one goes."""

from __future__ import annotations

import pytest

from distify.codemods.edits.argument_edits import add_argument, argument, keyword, required
from distify.codemods.edits.argument_edits import arguments as items
from distify.codemods.edits.limit import set_limit
from distify.codemods.syntax import LN, Node, parse


def call(text: str) -> tuple[Node, LN]:
    """The tree of a text whose last statement is a call, and that call."""
    tree = parse(text)
    set_limit(tree, 40, text)
    return tree, tree.children[-2].children[0]


GIVEN: dict[str, tuple[str, str | None]] = {
    "f(1)": ("1", "1"),
    "f()": ("", None),
    "f(b=2)": ("b=2", "2"),
    "f(a=2)": ("a=2", None),
    "f(1, b=2)": ("1|b=2", "2"),
    "f(*a)": ("*a", None),
    "f(**a)": ("**a", None),
    "f(*a, 1)": ("*a|1", None),
    "f(**a, b=2)": ("**a|b=2", "2"),
    "f(x for x in y)": ("x for x in y", "x for x in y"),
    "f((x := 1))": ("(x := 1)", "(x := 1)"),
    "f(x := 1)": ("x := 1", "x := 1"),
    "f(x := 1, 2)": ("x := 1|2", "x := 1"),
    "f(1, 2,)": ("1|2", "1"),
    "g(3)(1)": ("1", "1"),
    "g.h(3).f(1)": ("1", "1"),
    "g[0](1)": ("1", "1"),
}


@pytest.mark.parametrize("text", GIVEN)
def test_which_argument_is_meant(text: str) -> None:
    _, node = call(text + "\n")
    every, first = GIVEN[text]
    assert "|".join(str(item).strip() for item in items(node)) == every
    found = argument(node, "b", 0)
    assert (found if found is None else str(found).strip()) == first


@pytest.mark.parametrize(
    ("text", "position", "found"),
    [
        ("f(1, 2)", 0, "1"),
        ("f(1, 2)", 1, "2"),
        ("f(1, 2)", 2, None),
        ("f(1, *a, 3)", 0, "1"),
        ("f(1, *a, 3)", 1, None),
        ("f(1, *a, 3)", 2, None),
        ("f(1, c=2)", 1, None),
        ("f(1)", None, None),
    ],
)
def test_no_position_counts_behind_a_star(
    text: str, position: int | None, found: str | None
) -> None:
    _, node = call(text + "\n")
    given = argument(node, "b", position)
    assert (given if given is None else str(given).strip()) == found


def test_names_of_keywords() -> None:
    _, node = call("f(1, *a, b=2, **c)\n")
    assert [keyword(item) for item in items(node)] == [None, None, "b", None]


def test_an_argument_that_must_be_there() -> None:
    _, node = call("f(b=1)\n")
    assert str(required(node, "b")) == "1"
    with pytest.raises(ValueError, match=r"f\(b=1\) has no argument c"):
        required(node, "c")


ADDED = {
    "f()": "f(n=1)",
    "f(a)": "f(a, n=1)",
    "f(a, b)": "f(a, b, n=1)",
    "f(a,)": "f(a, n=1,)",
    "f(**o)": "f(n=1, **o)",
    "f(a, **o)": "f(a, n=1, **o)",
    "f(a, *b)": "f(a, *b, n=1)",
    "f(a, **o, **p)": "f(a, n=1, **o, **p)",
    "f(x for x in y)": "f((x for x in y), n=1)",
    "f(b=1)": "f(b=1, n=1)",
    "f(g(b))": "f(g(b), n=1)",
    "f(\n    a)": "f(\n    a,\n    n=1)",
    "f(\n    a,\n)": "f(\n    a,\n    n=1,\n)",
    "f(\n    a,  # why\n)": "f(\n    a,  # why\n    n=1,\n)",
    "f(\n    a  # why\n)": "f(\n    a,  # why\n    n=1\n)",
    "f(a,\n  b)": "f(a,\n  b,\n  n=1)",
    "f(\n    a, b\n)": "f(\n    a, b, n=1\n)",
    "f(\n    a,\n    **o\n)": "f(\n    a,\n    n=1,\n    **o\n)",
    "f(\n    a,  # why\n    **o\n)": "f(\n    a,  # why\n    n=1,\n    **o\n)",
    "f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbb)": "f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbb, n=1)",
    "f(aaaaaaaaaaaaaaa,\n  bbbbbbbbbbbbbbbbbb, ccccccccccccccc)": (
        "f(aaaaaaaaaaaaaaa,\n  bbbbbbbbbbbbbbbbbb, ccccccccccccccc,\n  n=1)"
    ),
    "f(aaaaaaaaaaaaaaa,\n  bbbbbbbbb, ccccc)": "f(aaaaaaaaaaaaaaa,\n  bbbbbbbbb, ccccc, n=1)",
}


@pytest.mark.parametrize("text", ADDED)
def test_where_a_new_argument_goes(text: str) -> None:
    tree, node = call(text + "\n")
    add_argument(node, "n", "1")
    assert str(tree) == ADDED[text] + "\n"


def test_a_new_argument_has_the_quotes_of_the_file() -> None:
    tree, node = call("a = 'b'\nf(a)\n")
    add_argument(node, "n", '"x"')
    assert str(tree) == "a = 'b'\nf(a, n='x')\n"
