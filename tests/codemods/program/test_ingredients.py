"""The ways back from a value are found once, and again where the graph has grown."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.program import ingredients
from distify.codemods.program.core import NO_LIBRARY, Core
from distify.codemods.program.edges import Edge
from distify.codemods.program.ingredients import Ingredients
from distify.codemods.program.program import Program


def test_ways_that_come_later_are_gone() -> None:
    core = Core(NO_LIBRARY)
    first, last = ast.parse("a").body[0], ast.parse("b").body[0]
    ways, target = Ingredients(core), core.node(last)
    assert list(ways.of([target])) == [last]
    core.edge(core.node(first), target, Edge.ALIAS)
    assert list(ways.of([target])) == [last, first]


def test_what_somebody_has_had_is_told_again_without_a_step() -> None:
    tree = ast.parse("a = f(1)\nb = g(a)\nb")
    last = tree.body[-1].value  # type: ignore[attr-defined]
    program = Program({"m": tree})
    first = list(program.ingredients(last))
    steps = program.steps
    assert list(program.ingredients(last)) == first
    assert program.steps == steps
    assert next(program.ingredients(last, lambda node: True)) is last
    assert program.steps > steps


def test_what_was_told_is_forgotten_where_the_graph_has_grown() -> None:
    core = Core(NO_LIBRARY)
    first, last = ast.parse("a").body[0], ast.parse("b").body[0]
    ways, target = Ingredients(core), core.node(last)
    assert list(ways.told(target, None)) == [last]
    core.edge(core.node(first), target, Edge.ALIAS)
    assert list(ways.told(target, None)) == [last, first]


def test_no_more_is_kept_than_that_takes_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingredients, "MOST_KEPT", 2)
    core = Core(NO_LIBRARY)
    ways = Ingredients(core)
    nodes = [core.node(statement) for statement in ast.parse("a\nb\nc").body]
    for n in nodes:
        assert len(list(ways.told(n, None))) == 1
    steps = core.steps
    for n in reversed(nodes):
        assert len(list(ways.told(n, None))) == 1
    assert core.steps == steps + 2


HOLDS = """\
class A:
    def __init__(self, given, other):
        self.given = given
        self.other = other


class B(A):
    pass


a = A(one, two)
"""


@pytest.mark.parametrize(
    ("value", "is_behind"),
    [
        ("a.given", False),
        ("B(one, two).given", False),
        ("a.other", True),
        ("(a if two else A(three, two)).given", True),
        ("[a, A(three, three)][two].given", True),
        ("a.unknown", True),
        ("a", True),
    ],
)
def test_what_one_object_holds_is_not_made_of_what_else_it_was_given(
    value: str, is_behind: bool
) -> None:
    tree = ast.parse(f"from lib import one, two, three\n{HOLDS}{value}")
    asked = tree.body[-1].value  # type: ignore[attr-defined]
    found = Program({"m": tree}).ingredients(asked)
    assert is_behind is any(getattr(node, "id", "") == "two" for node in found)


KEYED = {
    "a = {}\na[one] = 0\nfor key in a:\n    SINK = key": True,
    "a = {}\na['b'] = one\nfor key in a:\n    SINK = key": False,
    "a = {}\na[one] = 0\nSINK = list(a)[0]": True,
    "a = {one: 0}\nfor key in a:\n    SINK = key": True,
    "a = {one: 0}\nSINK = [*a.keys()]": True,
    "a = {one: 0}\nfor key, value in a.items():\n    SINK = value": False,
    "a = {one: 0}\nfor key, value in a.items():\n    SINK = key": True,
    "a = {b: 0 for b in one}\nfor key in a:\n    SINK = key": True,
    "a = {one: 0}\nb = {**a}\nfor key in b:\n    SINK = key": True,
    "a = {one: 0}\nb = dict(a)\nfor key in b:\n    SINK = key": True,
    "a = {one: 0}\nb = {}\nb.update(a)\nfor key in b:\n    SINK = key": True,
    "a = {}\na.setdefault(one, []).append(1)\nfor key in a:\n    SINK = key": True,
    "a = {one: 0}\nSINK = a.popitem()[0]": True,
    "a = dict(zip([one], [0]))\nfor key in a:\n    SINK = key": True,
    "from collections import defaultdict\na = defaultdict(list)\na[one].append(0)\n"
    "for key in a:\n    SINK = key": True,
}


@pytest.mark.parametrize("text", KEYED)
def test_a_key_is_made_of_what_was_stored_at(text: str) -> None:
    tree = ast.parse(f"one = make()\n{text}")
    made = next(n for n in ast.walk(tree) if isinstance(n, ast.Call))
    sinks = [n for n in ast.walk(tree) if isinstance(n, ast.Assign)]
    value = next(n.value for n in sinks if getattr(n.targets[0], "id", "") == "SINK")
    program = Program({"m": tree})
    assert (made in program.ingredients_of([value])) is KEYED[text]
