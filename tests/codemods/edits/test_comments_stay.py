"""Edits beside comments, in chains and at the end of a file: nothing that the author wrote is lost."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.edits import Insert, Remove, modifiers
from distify.codemods.edits.chained_calls import put_behind
from distify.codemods.suppressions.comments import suppressions
from distify.codemods.syntax import Node, Source, parse, resolve


def placed(text: str, piece: str) -> tuple[Node, Node]:
    """The tree of a text, and the node that has this source text."""
    source = Source(text)
    tree = parse(text, source.module)
    nodes = (n for n in ast.walk(source.module) if isinstance(n, (ast.stmt, ast.expr)))
    for node in nodes:
        start, end = source.offsets(node)
        if source.text[start:end] == piece:
            return tree, resolve(tree, source, [node])[node]
    raise AssertionError(piece)


CHAINS = {
    "one line": (
        "ds = data.shuffle(9)\n",
        "data.shuffle(9)",
        "ds = data.shuffle(9).shard(2, 0)\n",
    ),
    "a line of its own": (
        "ds = (data\n      .shuffle(9))\n",
        "data\n      .shuffle(9)",
        "ds = (data\n      .shuffle(9)\n      .shard(2, 0))\n",
    ),
    "in the middle, behind a comment": (
        "ds = (\n    data\n    .shuffle(9)  # well\n    .batch(4)  # small\n)\n",
        "data\n    .shuffle(9)",
        "ds = (\n    data\n    .shuffle(9)  # well\n    .shard(2, 0)\n    .batch(4)  # small\n)\n",
    ),
    "behind a comment with a backslash": (
        "ds = (\n    data\n    .shuffle(9)  # a \\\n    .batch(4)\n)\n",
        "data\n    .shuffle(9)",
        "ds = (\n    data\n    .shuffle(9)  # a \\\n    .shard(2, 0)\n    .batch(4)\n)\n",
    ),
    "the only line end is behind one": (
        "ds = (\n    data.shuffle(9)  # a \\\n    .batch(4)\n)\n",
        "data.shuffle(9)",
        "ds = (\n    data.shuffle(9)  # a \\\n    .shard(2, 0)\n    .batch(4)\n)\n",
    ),
    "joined by a backslash": (
        "ds = data.shuffle(9) \\\n    .batch(4)\n",
        "data.shuffle(9)",
        "ds = data.shuffle(9) \\\n    .shard(2, 0) \\\n    .batch(4)\n",
    ),
    "a bare name": ("ds = data\n", "data", "ds = data.shard(2, 0)\n"),
    "what needs parentheses": ("ds = a or b\n", "a or b", "ds = (a or b).shard(2, 0)\n"),
    "other line ends": (
        "ds = (data\r\n      .shuffle(9))\r\n",
        "data\r\n      .shuffle(9)",
        "ds = (data\r\n      .shuffle(9)\r\n      .shard(2, 0))\r\n",
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_call_goes_behind_a_chain_in_its_layout(name: str) -> None:
    text, piece, expected = CHAINS[name]
    tree, node = placed(text, piece)
    put_behind(node, "_.shard(2, 0)")
    assert str(tree) == expected


REMOVED = {
    "above": ("a()\n# why\nb()\nc()\n", "a()\n# why\nc()\n"),
    "behind": ("a()\nb()  # why\nc()\n", "a()\n# why\nc()\n"),
    "inside": ("a()\nb(\n    # why\n)\nc()\n", "a()\n# why\nc()\n"),
    "in a block": ("if x:\n    a()\n    b()  # why\nc()\n", "if x:\n    a()\n    # why\nc()\n"),
    "at the end without a newline": ("a()\nb()  # why", "a()\n# why\n"),
    "other line ends": ("a()\r\nb()  # why\r\nc()\r\n", "a()\r\n# why\r\nc()\r\n"),
}


@pytest.mark.parametrize("name", REMOVED)
def test_comments_stay_where_a_statement_goes(name: str) -> None:
    text, expected = REMOVED[name]
    piece = "b(\n    # why\n)" if name == "inside" else "b()"
    tree, node = placed(text, piece)
    modifiers.remove(node, Remove())
    assert str(tree).rstrip("\r\n") == expected.rstrip("\r\n")


INSERTED = {
    "a file without a last newline": ("a()", "a()\nn = 1\n"),
    "one with other line ends": ("a()\r\nb()\r\n", "a()\r\nn = 1\r\nb()\r\n"),
    "one with a form feed": ("a()\n\x0c\nb()\n", "a()\nn = 1\n\x0c\nb()\n"),
}


@pytest.mark.parametrize("name", INSERTED)
def test_lines_go_behind_a_statement_in_the_layout_of_the_file(name: str) -> None:
    text, expected = INSERTED[name]
    tree, node = placed(text, "a()")
    modifiers.insert(node, Insert(after="n = 1\n"))
    assert str(tree).rstrip("\n") == expected.rstrip("\n")


def test_a_reason_for_an_exception_is_cut_and_speaks_of_its_whole_statement() -> None:
    (long,) = suppressions(f"x = 1  # distify: ignore[T07] {'a' * 400}\n")
    assert long.reason == "a" * 300
    (found,) = suppressions("\nf(\n    1)  # distify: ignore[T07, r05] why\nx\n")
    assert (found.line, found.codes, found.reason) == (3, ("T07", "R05"), "why")
    assert found.lines == range(2, 4)
    (first,) = suppressions("f(  # distify: ignore[T07]\n    1)\n")
    assert first.lines == range(1, 3)
