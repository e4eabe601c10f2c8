"""Lists that each worker fills for itself: how long they are is each worker's own.

`len(x)` is taken for the same on all workers, since the rules of the data see to that. They do not
see to what a program puts into a list while it plays with an environment, or by a draw: an episode
that ends sooner leaves a shorter memory behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import Callable

from ...library.agreement import LENGTHS
from ...library.draws import is_environment, size_argument
from ..facts import Facts, recorded
from ..roles import Role
from ..walks import reached
from .chance import draws
from .control import Decision, callers, conditions, disagreements
from .reasons import test_of

GROWS = ("append", "appendleft", "extend", "add", "insert", "pop", "popleft", "remove", "discard")
CONTAINERS = ("collections.deque", "builtins.list", "builtins.set")


@recorded
def grown_apart(facts: Facts) -> dict[ast.AST, Decision]:
    """What makes each list whose length is one worker's own, and the decision that makes it so."""
    found: dict[ast.AST, Decision] = {}
    for call in facts.calls(*GROWS):
        own = next(_own_decisions(facts, call), None)
        if own is not None and isinstance(call.func, ast.Attribute):
            found = {**dict.fromkeys(_made(facts, call.func.value), own), **found}
    return found


def _own_decisions(facts: Facts, place: ast.AST) -> Iterator[Decision]:
    """Decisions on the way to a place that hang on chance: clocks and files have other rules."""
    for decision in disagreements(facts, place):
        test = test_of(facts, decision)
        if test is not None and _made_from_own(facts)(test):
            yield decision


@recorded
def _made_from_own(facts: Facts) -> Callable[[ast.AST], bool]:
    return facts.program.sought(partial(_is_own, facts))


def _is_own(facts: Facts, call: ast.AST) -> bool:
    """A draw, an environment to play with, what a model says of what this worker has seen."""
    if not isinstance(call, ast.Call):
        return False
    name = facts.name(call.func) or ""
    if draws(facts, call) or is_environment(name):
        return True
    func = call.func
    model = func.value if isinstance(func, ast.Attribute) and func.attr == "predict" else func
    return facts.role(model) is Role.MODEL


def _made(facts: Facts, expr: ast.AST) -> Iterator[ast.AST]:
    """The displays and calls that make the list: nothing else grows so for certain."""
    for node in facts.origins(expr).nodes:
        is_call = isinstance(node, ast.Call) and facts.name(node.func) in CONTAINERS
        if is_call or isinstance(node, (ast.List, ast.Set)):
            yield node


def lengths_apart(facts: Facts, place: ast.AST) -> Iterator[tuple[ast.expr, Decision]]:
    """Tests around a training step that ask for such a length, and what makes it differ."""
    grown = grown_apart(facts)
    for each in reached([place], partial(callers, facts)) if grown else ():
        for condition in conditions(facts, each):
            tests = condition.tests if condition.kind in ("branch", "loop") else ()
            for test in (test for test in tests if isinstance(test, ast.expr)):
                own = next(_grown_behind(facts, test, grown), None)
                if own is not None:
                    yield test, own


def _grown_behind(
    facts: Facts, test: ast.expr, grown: dict[ast.AST, Decision]
) -> Iterator[Decision]:
    """Lists that decide how often a test holds: those gone through, and those asked how long."""
    rounds = [test] if test in facts.order.iterables else []
    seen = [*rounds, *_lengths(facts, test)]
    for expr in seen:
        yield from (grown[made] for made in _made(facts, expr) if made in grown)


def _lengths(facts: Facts, expr: ast.AST) -> Iterator[ast.AST]:
    """What is asked for its length on the way to a value; of a draw, its size alone counts."""
    for each in reached([expr], partial(_sizes, facts)):
        for node in _on_the_way(facts, each):
            if isinstance(node, ast.Call) and facts.name(node.func) in LENGTHS:
                yield from node.args


def _sizes(facts: Facts, expr: ast.AST) -> Iterator[ast.AST]:
    """The sizes of the draws on the way to a value."""
    for node in (expr, *_on_the_way(facts, expr)):
        yield from _size(facts, node) or ()


def _on_the_way(facts: Facts, expr: ast.AST) -> Iterator[ast.AST]:
    """The ingredients of a value, with the draws, and nothing of what these draw from."""
    if _size(facts, expr) is None:
        yield from facts.program.ingredients(expr, lambda node: _size(facts, node) is not None)


def _size(facts: Facts, node: ast.AST) -> list[ast.expr] | None:
    """What says how many numbers a call draws; None for what draws none."""
    name = facts.name(node.func) if isinstance(node, ast.Call) else None
    given = size_argument(name or "")
    if given is None or not isinstance(node, ast.Call):
        return None
    value = facts.argument(node, *given)
    return [] if value is None else [value]
