"""Stock Bowler queries, compiled with fissix's own numbers, work on our trees."""

from __future__ import annotations

import copy
import sys

import pytest
from bowler import Query
from fissix import pygram, pytree

from distify.codemods.syntax import LN, Capture, Leaf, Node, parse
from distify.codemods.syntax.grammar import grammar

NEWER = sys.version_info >= (3, 10)


def apply(pattern: str, text: str, node_kept: str = "") -> tuple[Node, int]:
    """Appends `_new` to every name that the pattern captures as `name`."""
    tree, changed = parse(text), 0

    def is_kept(node: LN, capture: Capture, filename: str) -> bool:
        return capture["name"].value != node_kept

    def rename(node: LN, capture: Capture, filename: str) -> None:
        nonlocal changed
        changed += 1
        capture["name"].value += "_new"
        capture["name"].changed()

    for fixer_class in Query("none").select(pattern).filter(is_kept).modify(rename).compile():
        fixer = fixer_class({}, [])
        fixer.start_tree(tree, "a.py")
        for node in list(tree.pre_order()):
            capture = fixer.match(node)
            if capture:
                fixer.transform(node, capture)
        fixer.finish_tree(tree, "a.py")
    return tree, changed


PATTERNS = {
    "power< name=NAME any* >": ("x = a.b(c)\n", "x = a_new.b(c)\n"),
    "argument< name='lr' '=' any >": ("f(1, lr = 2)\n", "f(1, lr_new = 2)\n"),
    "funcdef< 'def' name=NAME any* >": ("def f(a, /): pass\n", "def f_new(a, /): pass\n"),
    "classdef< 'class' name=NAME any* >": ("class A(b): x\n", "class A_new(b): x\n"),
    "import_as_name< name=NAME 'as' any >": (
        "from a import (b as c,)\n",
        "from a import (b_new as c,)\n",
    ),
    "with_stmt< 'with' with_item< any 'as' name=NAME > ':' any >": (
        "with a as b: c\n",
        "with a as b_new: c\n",
    ),
    "for_stmt< 'for' name=NAME 'in' testlist< any* > ':' any >": (
        "for a in *b, c: d\n",
        "for a_new in *b, c: d\n",
    ),
    "file_input< simple_stmt< expr_stmt< name=NAME '=' any > any > any* >": (
        "a = 1\n",
        "a_new = 1\n",
    ),
    "trailer< '.' name='print' >": ("a.print(print)\n", "a.print_new(print)\n"),
    "typedargslist< name=NAME any* >": ("def f(a, b=1): c\n", "def f(a_new, b=1): c\n"),
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_stock_pattern_finds_and_edits(pattern: str) -> None:
    before, after = PATTERNS[pattern]
    tree, changed = apply(pattern, before)
    assert (str(tree), changed) == (after, 1)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_filter_keeps_a_node_from_being_edited(pattern: str) -> None:
    before, after = PATTERNS[pattern]
    name = after.split("_new")[0].replace("(", " ").replace(".", " ").split()[-1]
    assert apply(pattern, before, node_kept=name) == (parse(before), 0)


def test_a_pattern_reaches_into_new_constructs() -> None:
    if not NEWER:
        pytest.skip("this Python does not know match")
    tree, changed = apply("power< name='f' any* >", "match f(a):\n    case f(b): f(c)\n")
    assert str(tree) == "match f_new(a):\n    case f_new(b): f_new(c)\n"
    assert changed == 3


def test_symbols_have_fissix_numbers_and_new_ones_follow() -> None:
    known = pygram.python_grammar.symbol2number
    numbers = grammar().numbers
    assert len(set(numbers.values())) == len(numbers)
    for name, number in numbers.items():
        assert number == known.get(name, number)
        assert name in known or number > max(known.values())


def test_fissix_own_grammar_stays_as_it_was() -> None:
    before = copy.deepcopy(pygram.python_grammar.__dict__)
    grammar.cache_clear()
    parse("def f(a, /): pass\n")
    assert pygram.python_grammar.__dict__ == before
    assert "match_stmt" not in vars(pygram.python_symbols)


def test_nodes_are_fissix_own_and_print_their_names() -> None:
    tree = parse("with (a as b): pass\n")
    assert {type(node) for node in tree.pre_order()} == {pytree.Node, pytree.Leaf} == {Node, Leaf}
    assert repr(tree).startswith("Node(file_input, [Node(with_stmt, [Leaf(1, 'with')")
    assert "Node(as_test, " in repr(tree)


def test_the_tree_knows_the_names_in_use() -> None:
    assert parse("a = b.c(d)\n").used_names == {"a", "b", "c", "d"}
