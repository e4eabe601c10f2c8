"""Whether every worker comes to a place: the judge's search answers, as if all met there.

Asked before anything is known of how a program trains, and without the judge's assumption that
code out of sight gives all the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ...judge.meetings import Meetings
from ...judge.own import Owners
from ...judge.splits import Search, Split
from ...program.node_fields import within
from ...program.versions import Condition
from ..facts import Facts, recorded
from ..input_files import new_files, opens
from ..own_values import owners_if
from ..should_stop_tests import asks_for_stop, is_until_stop
from ..training.pattern import runs_sessions
from ..training.session_runs import is_global_step
from ..training.training_loops import counts_rounds
from ..walks import reached

Decision = Union[ast.expr, ast.stmt]  # a test, an iterable, or a jump: `break`, `return` …


def splits(facts: Facts, place: ast.AST) -> list[Split] | None:
    """What leads some workers past a place; None where no way to it is seen."""
    search = Search(
        *(facts.program, [facts.module], facts.index.parents, _meetings(facts).only_at(place)),
        owners=lambda: _deciders(facts),
    )
    found = search.splits()
    return found if search.is_on_way(place) else None


def is_left_out(facts: Facts, place: ast.AST) -> bool:
    """Whether some workers may not come to a place, or not as often as others."""
    return splits(facts, place) != []


@recorded
def _meetings(facts: Facts) -> Meetings:
    return Meetings(facts.program, [facts.module])


@recorded
def _deciders(facts: Facts) -> Owners:
    """Whose own values are that decide whether a place is reached, as far as that is seen.

    All have what stands in files that are there before the run, what a session counts, and whether
    it says that it is over.
    """
    new, calls = frozenset(new_files(facts)), facts.index.calls
    told: set[ast.AST] = {call for call in calls if opens(facts, call) and call not in new}
    told.update(call for call in calls if asks_for_stop(facts, call))
    if runs_sessions(facts):
        nodes = (n for n in within(facts.module) if isinstance(n, (ast.Name, ast.Call)))
        told.update(n for n in nodes if is_global_step(facts, n) or _is_count(facts, n))
    return owners_if(facts, frozenset(told), lambda name: False)


def callers(facts: Facts, node: ast.AST) -> list[ast.Call]:
    """The calls of the function around a node, from where its way goes on."""
    function = facts.function(node)
    return [] if function is None else facts.call_sites(function)


def conditions(facts: Facts, node: ast.AST) -> Iterator[Condition]:
    """The conditions under which a node is reached in its function, innermost first."""
    condition = _innermost(facts, node)
    while condition is not None:
        yield condition
        condition = condition.outer


def _innermost(facts: Facts, node: ast.AST) -> Condition | None:
    known, inner = facts.order.conditions, node
    while node not in known and not isinstance(node, (ast.stmt, ast.Lambda)):
        node = facts.index.parents[node]
    if isinstance(node, ast.While) and node is not inner:
        return known.get(node.body[0])  # what stands in the test runs again while it holds
    return known.get(node)


def _is_count(facts: Facts, value: ast.AST) -> bool:
    """Whether it is the number of rounds that a session's loop has made, or a multiple of it."""
    if not isinstance(value, ast.Name):
        return False
    statement = facts.statement(value)
    loops = (p for p in (statement, *facts.parents(statement)) if isinstance(p, ast.While))
    own = (loop for loop in loops if is_until_stop(facts, loop.test))
    return any(counts_rounds(facts, loop, value) for loop in own)


def tests_around(facts: Facts, node: ast.AST) -> Iterator[ast.expr]:
    """The tests that decide, in its function, whether a node is reached."""
    for condition in conditions(facts, node):
        for test in condition.tests if condition.kind != "raise" else ():
            if isinstance(test, ast.expr) and test not in facts.order.iterables:
                yield test


def runs_alike(facts: Facts, place: ast.AST) -> bool:
    """Whether every worker comes to a place equally often: a collective may stand there."""
    for each in reached([place], lambda node: callers(facts, node)):
        home = facts.function(each)
        if home is not None and not _is_plainly_called(facts, home, bool(facts.call_sites(home))):
            return False
    return not is_left_out(facts, place)


def _is_plainly_called(facts: Facts, function: ast.AST, has_sites: bool) -> bool:
    """Not by a dataset, a thread or Keras; `app.run(main)` is a call."""
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in within(function)):
        return False
    if not facts.escapes(function):
        return has_sites
    uses = facts.index.loads.get(function.name, [])  # type: ignore[attr-defined]
    return all(_is_started(facts, facts.parent(use), use) for use in uses)


def _is_started(facts: Facts, call: ast.AST | None, use: ast.AST) -> bool:
    if not isinstance(call, ast.Call):
        return False
    return call.func is use or (facts.name(call.func) or "").endswith("app.run")
