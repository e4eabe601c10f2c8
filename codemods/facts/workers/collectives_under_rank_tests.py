"""Where the worker's number decides whether a collective is called: the others wait for ever.

Horovod's issue threads 367, 403, 600; https://horovod.readthedocs.io/en/stable/troubleshooting.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ...program.node_fields import within
from ...program.versions import Condition
from ..agreement.control import Decision, conditions
from ..facts import Facts, recorded
from ..scopes import FunctionNode
from ..training import fits
from ..walks import reached
from .calls_chosen_by_rank import picked_ways
from .collectives import STEP, Collective, collectives
from .program_ends import behind, program_ends
from .rank_tests import decides, ends_quietly, is_by_rank, rank_test_of
from .same_collective_in_both_branches import Way, meets

_FUNCTIONS = (*FunctionNode, ast.Lambda)
COUNTS = ("epochs", "initial_epoch", "steps_per_epoch")
_REPEAT = ("tensorflow.while_loop", "tensorflow.compat.v1.while_loop")
_CHOOSE = ("tensorflow.cond", "tensorflow.compat.v1.cond")


@recorded
def split_ways(facts: Facts) -> tuple[Way, ...]:
    """The collectives that a rank keeps from some workers, the first of each decision."""
    known = collectives(facts)
    ways = [way for each in known.values() for way in _ways_to(facts, each)]
    ways += (*_left_ways(facts), *picked_ways(facts)) if known else ()
    found: dict[ast.AST, Way] = {}
    for way in ways:
        if way.decision not in found and not meets(facts, way, ways):
            found[way.decision] = way
    return tuple(found.values())


def _ways_to(facts: Facts, each: Collective) -> Iterator[Way]:
    for place in reached([each.call], partial(_callers, facts)):
        chosen = (*_chosen(facts, each.kind, place), *_repeated(facts, place))
        yield from (Way(each, call, test, test) for call, test in chosen)
        if place is each.call and each.kind == STEP:
            yield from (Way(each, place, test, test) for test in _own_counts(facts, place))
        found = list(decisions_before(facts, place))
        for decision, test in found or _left_loops(facts, place):
            yield Way(each, place, decision, test)


def _chosen(facts: Facts, kind: str, place: ast.Call) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`tf.cond(hvd.rank() == 0, lambda: hvd.allreduce(x), …)`, with its test."""
    function = next((p for p in facts.parents(place) if isinstance(p, _FUNCTIONS)), None)
    for call in facts.calls_of(*_CHOOSE) if function is not None else ():
        test = facts.argument(call, "pred", 0)
        given = (*call.args, *(k.value for k in call.keywords))
        arms = [_held(facts, arm) for arm in given if arm is not test]
        others = [arm for arm in arms if function not in arm]
        if test is None or len(others) == len(arms) or not is_by_rank(facts, test):
            continue
        if not any(_calls(facts, kind, node) for arm in others for node in arm):
            yield call, test


def _repeated(facts: Facts, place: ast.Call) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`tf.while_loop(lambda i: i < hvd.rank(), lambda i: hvd.allreduce(i), [0])`, with its test."""
    function = next((p for p in facts.parents(place) if isinstance(p, _FUNCTIONS)), None)
    for call in facts.calls_of(*_REPEAT) if function is not None else ():
        given, body = facts.argument(call, "cond", 0), facts.argument(call, "body", 1)
        if given is None or body is None or function not in _held(facts, body):
            continue
        tests = (test for node in _held(facts, given) for test in _answers(node))
        yield from ((call, test) for test in tests if is_by_rank(facts, test))


def _answers(function: ast.AST) -> Iterator[ast.expr]:
    """What a function gives back."""
    if isinstance(function, ast.Lambda):
        yield function.body
    elif isinstance(function, FunctionNode):
        returns = (n for s in function.body for n in within(s) if isinstance(n, ast.Return))
        yield from (each.value for each in returns if each.value is not None)


def _own_counts(facts: Facts, fit: ast.Call) -> Iterator[ast.expr]:
    """How many epochs or steps a rank gives to a `fit`: `epochs=9 if hvd.rank() == 0 else 5`."""
    given = (fits.argument(facts, fit, name) for name in COUNTS) if _is_fit(fit) else ()
    yield from (value for value in given if value is not None and is_by_rank(facts, value))


def _is_fit(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("fit", "fit_generator")


def _left_loops(facts: Facts, place: ast.Call) -> Iterator[tuple[Decision, ast.expr]]:
    """What leaves the loop whose `else` a place stands in, with its test by rank."""
    around = [facts.statement(place), *facts.parents(facts.statement(place))]
    for inner, loop in zip(around, around[1:]):
        if isinstance(loop, (ast.For, ast.While)) and inner in loop.orelse:
            end = next(iter(conditions(facts, loop)), None)
            for jump in (n for s in loop.body for n in within(s) if isinstance(n, ast.Break)):
                left = next(p for p in facts.parents(jump) if isinstance(p, (ast.For, ast.While)))
                test = rank_test_of(facts, jump, end) if left is loop else None
                if test is not None:
                    yield jump, test


def _held(facts: Facts, arm: ast.expr) -> tuple[ast.AST, ...]:
    return (arm, *facts.program.functions(arm).nodes)


def _calls(facts: Facts, kind: str, function: ast.AST) -> bool:
    """Whether a collective of that kind stands in a function."""
    known = collectives(facts)
    calls = (known[n] for n in within(function) if isinstance(n, ast.Call) and n in known)
    return any(each.kind == kind for each in calls)


def _callers(facts: Facts, call: ast.Call) -> list[ast.Call]:
    """The calls that lead to this one, unless an argument decides whether they do."""
    function = next((p for p in facts.parents(call) if isinstance(p, _FUNCTIONS)), None)
    if function is None:
        return []
    names = {arg.arg for arg in within(function.args) if isinstance(arg, ast.arg)} - {"self"}
    tests = (test for condition in conditions(facts, call) for test in condition.tests)
    inside = (node for test in tests if isinstance(test, ast.expr) for node in within(test))
    is_told = any(isinstance(node, ast.Name) and node.id in names for node in inside)
    if is_told:
        return []
    behind = facts.program.call_sites(function).nodes  # of decorators
    calls = (node for node in behind if isinstance(node, ast.Call))
    known = () if isinstance(function, ast.Lambda) else facts.call_sites(function)
    return list(dict.fromkeys([*known, *calls]))


def decisions_before(facts: Facts, place: ast.AST) -> Iterator[tuple[Decision, ast.expr]]:
    """The tests by rank around a place, and the jumps before it, with the test of each."""
    for condition in conditions(facts, place):
        yield from _decisions(facts, condition)


def _decisions(facts: Facts, condition: Condition) -> Iterator[tuple[Decision, ast.expr]]:
    """What of a condition the worker's number decides: a test, or a jump and its test."""
    own = condition.tests[:1] if condition.kind == "loop" else condition.tests
    for test in own if condition.kind in ("branch", "loop") else ():
        if isinstance(test, ast.expr) and decides(facts, test):
            yield test, test
    end = condition if condition.kind == "loop" else condition.outer
    for jump in condition.jumps:
        found = rank_test_of(facts, jump, end) if ends_quietly(facts, jump) else None
        if found is not None and isinstance(jump, ast.stmt):
            yield jump, found


def _left_ways(facts: Facts) -> Iterator[Way]:
    """What comes behind a place where some workers end the program."""
    for end in program_ends(facts):
        test = rank_test_of(facts, end, None)
        found = None if test is None else next(behind(facts, end), None)
        if test is not None and found is not None:
            yield Way(found, found.call, end, test)
