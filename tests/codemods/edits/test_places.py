"""Places: which edits are due at which node, and which of them were made."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from distify.codemods.edits import At, Fold, Guard, Insert, Places, Wrap
from distify.codemods.syntax import LN, Node, Source, Unmade, parse, resolve

TEXT = "f(1)\ng(2)\n\nh(3)\n"


def resolved(*edits: At, module: ast.Module) -> tuple[Places, Node]:
    source = Source(TEXT, module)
    tree = parse(TEXT, module)
    places = Places(edits)
    places.resolve(resolve(tree, source, places.nodes))
    return places, tree


@pytest.fixture
def module() -> ast.Module:
    return ast.parse(TEXT)


def made(places: Places, kind: Any, tree: Node) -> list[tuple[str, Any, list[str]]]:
    """The edits that a link for this kind makes, in the order of the tree."""
    found = []
    for node in tree.pre_order():
        capture: dict[str, Any] = {}
        if places.each(kind)(node, capture, "x.py"):
            found += [(str(node), edit, [*map(str, along)]) for edit, along in capture["edits"]]
        else:
            assert capture == {}
    return found


def test_a_filter_chooses_the_places_of_one_kind(module: ast.Module) -> None:
    f, g, h = module.body
    places, tree = resolved(At(f, Wrap("_")), At(g, Fold()), At(h, Wrap("-_")), module=module)
    assert made(places, Wrap, tree) == [("f(1)", Wrap("_"), []), ("\nh(3)", Wrap("-_"), [])]
    assert places.left() == [(2, node(tree, 1))]


def test_edits_of_one_kind_at_one_place_are_made_in_their_order(module: ast.Module) -> None:
    f = module.body[0]
    edits = [At(f, Wrap("b")), At(f, Fold()), At(f, Wrap("a"))]
    places, tree = resolved(*edits, module=module)
    assert [edit for _, edit, _ in made(places, Wrap, tree)] == [Wrap("b"), Wrap("a")]
    assert [line for line, _ in places.left()] == [1]


def test_an_edit_is_made_once(module: ast.Module) -> None:
    places, tree = resolved(At(module.body[0], Wrap("_")), module=module)
    assert len(made(places, Wrap, tree)) == 1
    assert made(places, Wrap, tree) == []
    assert places.left() == []


def test_what_a_filter_chose_and_nobody_made_is_left(module: ast.Module) -> None:
    places, tree = resolved(At(module.body[1], Wrap("_")), module=module)
    assert places.each(Wrap)(node(tree, 1), {}, "x.py")
    assert places.left() == [(2, node(tree, 1))]


def test_others_go_along(module: ast.Module) -> None:
    f, g, h = module.body
    places, tree = resolved(At(f, Guard("x"), (g, h)), module=module)
    assert places.nodes == (f, g, h)
    assert [line for line, _ in places] == [1, 2, 4]
    assert [str(at) for _, at in places] == ["f(1)", "g(2)", "\nh(3)"]
    assert made(places, Guard, tree) == [("f(1)", Guard("x"), ["g(2)", "\nh(3)"])]


def test_a_place_counts_once_and_its_edits_each(module: ast.Module) -> None:
    f = module.body[0]
    places = Places([At(f, Wrap("_")), At(f, Fold())])
    assert (places.nodes, len(places)) == ((f,), 2)
    assert not Places([])


def test_the_same_edit_twice_is_one(module: ast.Module) -> None:
    f, g, _ = module.body
    assert len(Places([At(f, Guard("_"), (g,)), At(f, Guard("_"), (g,))])) == 1
    places, tree = resolved(At(f, Wrap("-_")), At(f, Wrap("-_")), module=module)
    assert len(made(places, Wrap, tree)) == 1
    assert len(Places([At(f, Wrap("_")), At(g, Wrap("_")), At(f, Insert("_"))])) == 3


def test_the_same_edit_with_others_along_can_not_be_made(module: ast.Module) -> None:
    f, g, _ = module.body
    with pytest.raises(Unmade, match="two changes of one kind") as caught:
        Places([At(f, Guard("_")), At(f, Guard("_"), (g,))])
    assert caught.value.node is f


def test_the_line_is_that_of_the_edit_that_is_made(module: ast.Module) -> None:
    places, tree = resolved(
        At(module.body[1], Wrap("_")), At(module.body[2], Wrap("_")), module=module
    )
    assert places.line == 2
    capture: dict[str, Any] = {}
    assert places.each(Wrap)(node(tree, 2), capture, "x.py")
    list(capture["edits"])
    assert places.line == 4


def test_a_statement_and_its_expression_are_the_same_place(module: ast.Module) -> None:
    statement = module.body[0]
    assert isinstance(statement, ast.Expr)
    with pytest.raises(ValueError, match="same place"):
        resolved(At(statement, Fold()), At(statement.value, Wrap("_")), module=module)


def test_the_module_is_a_place_in_its_first_line(module: ast.Module) -> None:
    places, tree = resolved(At(module, Fold()), module=module)
    assert list(places) == [(1, tree)]


def node(tree: Node, number: int) -> LN:
    """The expression of a statement."""
    return tree.children[number].children[0]
