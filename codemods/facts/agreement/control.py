"""Whether every worker takes the same path to the training step.

Each training step averages gradients, and waits for all workers. A worker that leaves its loop, or
skips a step, because of a value of its own (its loss, its clock, its random numbers) leaves the
others waiting for ever. A value is *shared* when every worker computes the same one: constants,
arguments of the command line, counters, lengths.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ...judge.own import Level
from ...program.node_fields import within
from ...program.versions import Condition
from ..facts import Facts
from ..input_files import is_input, is_shared
from ..own_values import own
from ..should_stop_tests import asks_for_stop, is_until_stop
from ..training.session_runs import is_global_step
from ..training.training_loops import counts_rounds
from ..walks import reached

Decision = Union[ast.expr, ast.stmt]  # a test, an iterable, or a jump: `break`, `return` …


def disagreements(facts: Facts, *places: ast.AST) -> Iterator[Decision]:
    """Conditions around places, and exits before them, that workers may decide differently."""
    seen: set[Condition] = set()
    for each in reached(places, lambda node: callers(facts, node)):
        for condition in conditions(facts, each):
            if condition in seen:
                break
            seen.add(condition)
            yield from _differing(facts, condition)


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


def _differing(facts: Facts, condition: Condition) -> Iterator[Decision]:
    """The tests of one condition, and the jumps, that each worker may decide for itself."""
    own = condition.tests[:1] if condition.kind == "loop" else condition.tests
    for test in own if condition.kind in ("branch", "loop") else ():
        if isinstance(test, ast.expr) and not _decides_alike(facts, test):
            yield test
    end = condition if condition.kind == "loop" else condition.outer
    for jump in condition.jumps:
        if isinstance(jump, ast.stmt) and not _is_reached_alike(facts, jump, end):
            yield jump


def _is_reached_alike(facts: Facts, jump: ast.stmt, end: Condition | None) -> bool:
    """Whether all tests that lead from `end` to a jump come out alike."""
    for condition in conditions(facts, jump):
        if condition is end:
            break
        tests = (test for test in condition.tests if isinstance(test, ast.expr))
        if condition.kind != "raise" and not all(_decides_alike(facts, test) for test in tests):
            return False
    return True


def _decides_alike(facts: Facts, test: ast.expr) -> bool:
    """Whether a test comes out alike; loops over data are of one length unless that is known."""
    if isinstance(test, ast.BoolOp):
        return all(_decides_alike(facts, value) for value in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _decides_alike(facts, test.operand)
    if test not in facts.order.iterables:
        return asks_for_stop(facts, test) or _is_alike(facts, test)
    rounds = own(facts, facts.program.rounds(test)).level
    return rounds < Level.OWN and (rounds < Level.READ or is_input(facts, test))


def _is_alike(facts: Facts, value: ast.expr) -> bool:
    """Whether every worker computes the same, the steps that a session counts included."""
    if is_shared(facts, value) or is_global_step(facts, value) or _is_count(facts, value):
        return True
    parts = [n for n in ast.iter_child_nodes(value) if isinstance(n, ast.expr)]
    is_plain = isinstance(value, (ast.Compare, ast.BinOp))
    return is_plain and all(_is_alike(facts, part) for part in parts)


def _is_count(facts: Facts, value: ast.expr) -> bool:
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
    return not any(True for _ in disagreements(facts, place))


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
