"""Callbacks that every worker needs and only some have, and those that read metrics too early.

https://horovod.readthedocs.io/en/stable/keras.html; horovod/horovod#1095, #2740, #3140.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library import callbacks as table
from ...library.agreement import is_told
from ...library.horovod_names import member_of
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..horovod import METRICS
from ..output.callback_lists import BuiltList, built_list
from ..training import fits
from .collective_calls import collectives, decisions_before, names_of
from .rank_tests import rank_test_of

_GROWING = ("append", "insert", "extend")


class CallbackOnSomeWorkers(NamedTuple):
    """A callback that a list gets on some workers only: which one, and what decides that."""

    place: ast.expr
    name: str
    test: ast.expr


class ReadsUnaveragedMetric(NamedTuple):
    """A callback that reads metrics before `metrics` has averaged them."""

    place: ast.expr
    name: str
    metrics: ast.expr


def lone_callbacks(facts: Facts) -> Iterator[CallbackOnSomeWorkers]:
    """Those of every worker that a rank keeps from some."""
    for place in _elements(facts, facts.module):
        name = _needed(facts, place)
        test = rank_test_of(facts, place, None) if name else None
        if name and test is not None and name not in _beside(facts, place, test):
            yield CallbackOnSomeWorkers(place, name, test)


def lone_stops(facts: Facts) -> Iterator[tuple[ast.expr, ast.expr]]:
    """`self.model.stop_training = True` on some workers only, and the test; not if told later."""
    stores = facts.attribute_stores.get("stop_training", [])
    values = [binding.value for _, binding in stores if isinstance(binding.value, ast.expr)]
    parts = (n for value in values for n in facts.program.ingredients(value))
    if any(is_told(name) for n in parts if isinstance(n, ast.Call) for name in names_of(facts, n)):
        return
    for target, binding in stores if facts.has_horovod else ():
        before = () if binding.node is None else decisions_before(facts, binding.node)
        test = next((test for _, test in before), None)
        is_false = isinstance(binding.value, ast.Constant) and not binding.value.value
        if test is not None and isinstance(target, ast.expr) and not is_false:
            yield target, test


def _elements(facts: Facts, root: ast.AST) -> Iterator[ast.expr]:
    """What is written in lists, or put into one."""
    for node in within(root):
        if isinstance(node, (ast.List, ast.Tuple)) and isinstance(node.ctx, ast.Load):
            yield from node.elts
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_growing = node.func.attr in _GROWING and bool(node.args)
            yield from node.args[-1:] if is_growing else ()


def _needed(facts: Facts, element: ast.expr) -> str:
    """The class of a callback that every worker needs; empty for all else."""
    made = facts.origins(element).nodes if not isinstance(element, ast.Constant) else ()
    names = {_name(facts, each) for each in made}
    return names.pop() if len(names) == 1 else ""


def _name(facts: Facts, made: ast.AST) -> str:
    if not isinstance(made, ast.Call):
        return ""
    kind = facts.kind(made) or ""
    if kind.startswith("horovod.") and ".callbacks." in kind and "Checkpoint" not in kind:
        return kind.rpartition(".")[2]
    cls = facts.classes.local(made.func)
    name = table.member(kind)
    if cls is not None and name is not None:
        known = collectives(facts)
        return cls.name if any(n in known for n in within(cls) if isinstance(n, ast.Call)) else ""
    return name if name is not None and table.steers(kind) else ""


def _beside(facts: Facts, place: ast.expr, test: ast.expr) -> set[str]:
    """What the other branch puts into lists."""
    chain, inside = facts.parent(test), {place, *facts.parents(place)}
    arms: list[Iterable[ast.AST]] = []
    if isinstance(chain, ast.If):
        arms = [chain.body, chain.orelse]
    elif isinstance(chain, ast.IfExp):
        arms = [[chain.body], [chain.orelse]]
    others = (node for arm in arms if not inside & set(arm) for node in arm)
    return {_needed(facts, element) for node in others for element in _elements(facts, node)}


def early_readers(facts: Facts) -> Iterator[ReadsUnaveragedMetric]:
    """Those that stand in front of what averages the metrics, in a list of callbacks."""
    for call in fits.fits(facts):
        given = fits.argument(facts, call, "callbacks")
        elements = [] if given is None else list(_in_order(facts, given))
        kinds = [_kind(facts, element) for element in elements]
        average = next((i for i, k in enumerate(kinds) if member_of(k) == METRICS), 0)
        for element, kind in zip(elements[:average], kinds):
            if table.steers_by_logs(kind):
                yield ReadsUnaveragedMetric(element, kind.rpartition(".")[2], elements[average])


def _in_order(facts: Facts, given: ast.expr) -> Iterator[ast.expr]:
    """The callbacks as Keras calls them; none where the order can't be seen."""
    if isinstance(given, (ast.List, ast.Tuple)):
        for element in given.elts:
            is_list = isinstance(element, ast.Starred)
            yield from _in_order(facts, element.value) if is_list else [element]  # type: ignore[attr-defined]
        return
    if isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add):
        for part in (given.left, given.right):
            made = facts.origins(part).only
            yield from _in_order(facts, made if isinstance(made, ast.List) else part)
        return
    built = built_list(facts, given)
    if built is None:
        return
    displays = {facts.parent(element): None for element in built.elements}
    if len(displays) <= 1 or (not built.added and _is_lengthened(facts, list(displays))):
        yield from _grown(built) or ()


def _grown(built: BuiltList) -> list[ast.expr] | None:
    """The elements in order; None where one is put in who knows where."""
    found = list(built.elements)
    for statement, element in built.added:
        call = statement.value if isinstance(statement, ast.Expr) else None
        is_inserted = isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "insert"
        number = _number(call.args[0]) if isinstance(call, ast.Call) and is_inserted else None
        if is_inserted and number is None:
            return None
        found.insert(len(found) if number is None else number, element)
    return found


def _number(expr: ast.expr) -> int | None:
    """The place that is written down: `0`, `-1`."""
    is_negative = isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub)
    value = getattr(expr.operand if is_negative else expr, "value", None)  # type: ignore[attr-defined]
    sign = -1 if is_negative else 1
    return sign * value if isinstance(value, int) else None


def _is_lengthened(facts: Facts, displays: list[ast.AST | None]) -> bool:
    """Whether the first is assigned, and `+=` adds each other one in turn in the same block."""
    first, *others = [facts.statement(each) for each in displays if each is not None]
    block = facts.block(first)[0]
    places = [block.index(each) if each in block else -1 for each in (first, *others)]
    are_added = all(isinstance(each, ast.AugAssign) for each in others)
    is_first = isinstance(first, ast.Assign) and -1 not in places
    return is_first and are_added and places == sorted(places)


def _kind(facts: Facts, element: ast.expr) -> str:
    made = facts.origins(element).only
    return (facts.kind(made) or "") if isinstance(made, ast.Call) else ""
