"""Where a program ends its training itself, by a number of steps: `if step >= 1000: break`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...program.node_fields import within
from ..facts import Facts
from ..steps.each_step import counts_steps
from ..training.session_runs import hook_around
from ..training.training_loops import loop_around, whole_round, without_bar


def step_limits(facts: Facts, runs: Iterable[ast.Call]) -> Iterator[ast.expr]:
    """The numbers at which the loops around these runs are left, and at which hooks stop them."""
    loops = list(dict.fromkeys(loop for run in runs for loop in _loops(facts, run)))
    for branch in facts.index.nodes(ast.If):
        places = [loop for loop in loops if _is_in_training(facts, branch, loop)]
        if places or hook_around(facts, branch) is not None:
            yield from _limits(facts, branch, places[-1] if places else None)


def limits_of(facts: Facts, loop: ast.AST) -> Iterator[ast.expr]:
    """The numbers of its rounds at which a loop is left."""
    for branch in facts.index.nodes(ast.If):
        if _is_in_training(facts, branch, loop):
            yield from _limits(facts, branch, loop)


def limits_of_endless(facts: Facts, turns: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """The same of the loops around these draws that nothing else ends."""
    loops = dict.fromkeys(whole_round(facts, turn) for turn in turns)
    for loop in loops:
        if loop is not None and _is_endless(facts, loop):
            yield from limits_of(facts, loop)


def _is_endless(facts: Facts, loop: ast.AST) -> bool:
    """`while True`, `for step in itertools.count()`."""
    if isinstance(loop, ast.While):
        return isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    over = without_bar(facts, loop.iter) if isinstance(loop, ast.For) else None
    return isinstance(over, ast.Call) and facts.name(over.func) == "itertools.count"


def _limits(facts: Facts, branch: ast.If, loop: ast.AST | None) -> Iterator[ast.expr]:
    if any(_ends(part, is_in_hook=loop is None) for part in (branch.body, branch.orelse) if part):
        yield from _numbers(facts, branch.test)


def _loops(facts: Facts, run: ast.Call) -> Iterator[ast.AST]:
    """The loop of which each round takes the step, in the function of the run or of its calls."""
    function = facts.function(run)
    is_here = function is None or loop_around(facts, run) is not None
    for place in [run] if is_here else facts.call_sites(function):  # type: ignore[arg-type]
        loop = whole_round(facts, place)
        yield from [] if loop is None else [loop]


def _is_in_training(facts: Facts, branch: ast.If, loop: ast.AST) -> bool:
    """Whether it stands in a loop, or beside it in one around."""
    around = loop_around(facts, branch)
    return around is not None and around in (loop, *facts.parents(loop))


def _ends(statements: list[ast.stmt], is_in_hook: bool) -> bool:
    is_left = isinstance(statements[-1], (ast.Break, ast.Return)) and not is_in_hook
    return is_left or any(map(_asks_to_stop, statements))


def _asks_to_stop(statement: ast.stmt) -> bool:
    """`run_context.request_stop()`, also of a supervisor or a coordinator."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "request_stop"


def _numbers(facts: Facts, test: ast.expr) -> Iterator[ast.expr]:
    """`n` of `step >= n` and `n <= step`, also beside other tests."""
    for asked in (n for n in within(test) if isinstance(n, ast.Compare) and len(n.ops) == 1):
        sides = (asked.left, asked.comparators[0])
        for count, number in (sides, sides[::-1]):
            if counts_steps(facts, count) and not counts_steps(facts, number):
                yield number
