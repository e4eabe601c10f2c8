"""Lists that are filled, and generators that give elements, only where chance says so.

A loop that goes on until there are enough (`while`) isn't looked at: its own test counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.parts import COMPREHENSIONS
from ...program.things import Thing
from ...program.versions import Condition
from ..agreement.control import conditions
from ..facts import Facts, recorded

_FILLING = ("append", "appendleft", "add", "extend", "insert")
_DISPLAYS = (ast.List, ast.Set)


def deciding_tests(facts: Facts, node: ast.expr) -> Iterator[ast.AST]:
    """The tests that decide how many elements a list gets, or a generator gives."""
    places = _fillings_of(facts, node)
    for way in _ways(facts, places):
        if way.kind in ("branch", "exit"):
            yield from (t for t in way.tests if not _is_balanced(facts, t, places))


def filled_from(facts: Facts, node: ast.expr) -> Iterator[ast.AST]:
    """What is gone through for the elements: as many as that has are put in."""
    if isinstance(node, COMPREHENSIONS):
        yield from (each.iter for each in node.generators)
    for way in _ways(facts, _fillings_of(facts, node)):
        yield from way.tests if way.kind == "loop" else ()


def _ways(facts: Facts, places: list[ast.AST]) -> Iterator[Condition]:
    """The conditions under which elements are put in, each once."""
    seen: set[Condition] = set()
    for place in places:
        for way in conditions(facts, place):
            if way in seen or _goes_on(facts, way):
                break
            seen.add(way)
            yield way


def _goes_on(facts: Facts, way: Condition | None) -> bool:
    """Whether a `while` stands around."""
    known, inside = _in_while(facts), []
    while way is not None and way not in known:
        inside.append(way)
        way = way.outer
    found = way is not None and known[way]
    for each in reversed(inside):
        found = known[each] = found or (each.kind == "loop" and not _is_for(facts, each))
    return found


@recorded
def _in_while(facts: Facts) -> dict[Condition, bool]:
    """What is known already: conditions share their outer ones."""
    return {}


def _fillings_of(facts: Facts, node: ast.expr) -> list[ast.AST]:
    if isinstance(node, _DISPLAYS):
        known = _fillings(facts)
        return [place for thing in facts.program.things(node) for place in known.get(thing, ())]
    if not isinstance(node, ast.Call):
        return []
    is_made = getattr(node.func, "attr", "") == "from_generator"
    functions = (f for e in [node.func, *node.args[:is_made]] for f in _functions(facts, e))
    return [place for function in functions for place in _yields(facts).get(function, ())]


def _functions(facts: Facts, expr: ast.expr) -> tuple[ast.AST, ...]:
    return facts.program.functions(expr).nodes


@recorded
def _yields(facts: Facts) -> dict[ast.AST | None, list[ast.AST]]:
    """Where each generator of the program gives an element."""
    found: dict[ast.AST | None, list[ast.AST]] = {}
    for node in (*facts.index.nodes(ast.Yield), *facts.index.nodes(ast.YieldFrom)):
        found.setdefault(facts.function(node), []).append(node)
    return found


@recorded
def _fillings(facts: Facts) -> dict[Thing, list[ast.AST]]:
    """Where elements are put into each container, in the order of the text."""
    found: dict[Thing, list[ast.AST]] = {}
    calls = [(call, call.func.value) for call in facts.calls(*_FILLING)]  # type: ignore[attr-defined]
    sums = [(node, node.target) for node in facts.index.nodes(ast.AugAssign)]
    for place, holder in (*calls, *sums):
        for thing in facts.program.things(holder):
            found.setdefault(thing, []).append(place)
    return found


def _is_for(facts: Facts, way: Condition) -> bool:
    return all(test in facts.order.iterables for test in way.tests)


def _is_balanced(facts: Facts, test: ast.AST, places: list[ast.AST]) -> bool:
    """Whether as much is put in on either side: `if …: x.append(a)`, `else: x.append(b)`."""
    branch = facts.parent(test)
    if not isinstance(branch, ast.If) or not branch.orelse:
        return False
    counts = [
        sum(place in inside for place in places)
        for inside in ({n for s in block for n in within(s)} for block in _arms(branch))
    ]
    return len(set(counts)) == 1


def _arms(branch: ast.If) -> tuple[list[ast.stmt], list[ast.stmt]]:
    return branch.body, branch.orelse
