"""Loops that would train on nothing, without a word, where a worker's share is less than a batch.

`total = len(x) // batch`, `for i in range(total)`: of 64 workers' shares of 1,000 rows none has 32.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import RANGES
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..traced_code import is_traced
from ..training.pattern import runs_graph
from ..training.training_loops import trains, without_bar
from .array_loops import loops
from .divided import shrinks
from .pipeline_shares import Shares, shares_of
from .pipelines import is_endless
from .uses import End, Use


class Rounds(NamedTuple):
    """A number of rounds, and the statement behind which, or in front of which, it is known.

    `is_data`: it is a data set, whose batches count.
    """

    number: ast.expr
    statement: ast.stmt
    is_behind: bool
    is_data: bool = False


def rounds_of_shares(facts: Facts) -> Iterator[Rounds]:
    """The numbers of whole batches that loops train on, and that follow from a worker's share."""
    fewer = {number for loop in loops(facts) for number in loop.fewer}
    seen: set[ast.AST] = set()
    for loop in facts.index.nodes(ast.For):
        call = without_bar(facts, loop.iter)
        is_range = isinstance(call, ast.Call) and facts.name(call.func) in RANGES
        if is_range and len(call.args) == 1 and trains(facts, loop):  # type: ignore[attr-defined]
            number = call.args[0]  # type: ignore[attr-defined]
            if (number in fewer or shrinks(facts, number)) and _is_quotient(facts, number):
                found = _known(facts, number, loop)
                if found.statement not in seen:
                    seen.add(found.statement)
                    yield found


def data_of_shares(facts: Facts) -> Iterator[Rounds]:
    """The shares of which loops in eager code get nothing but whole batches, under a name."""
    data, seen = shares_of(facts), set()
    for end in data.ends if not runs_graph(facts) else ():
        is_loop = isinstance(end.by, ast.For) and end.use is Use.TRAINING
        if not is_loop or not isinstance(end.expr, ast.Name) or not _are_whole(facts, data, end):
            continue
        found = _known(facts, end.expr, end.by)  # type: ignore[arg-type]
        is_eager = not is_traced(facts, end.expr)
        if found.is_behind and is_eager and found.statement not in seen:
            seen.add(found.statement)
            yield found._replace(is_data=True)


def _are_whole(facts: Facts, data: Shares, end: End) -> bool:
    """Whether each way is cut, where how many there are is known, and drops a rest behind."""
    stages = [stage for way in end.ways for stage in way if stage.method == "batch"]
    rests = [facts.argument(stage.call, "drop_remainder", 1) for stage in stages]
    is_dropped = any(isinstance(r, ast.Constant) and r.value is True for r in rests)
    are_cut = all(map(data.cuts_in, end.ways))  # by distify, not by hand
    return is_dropped and are_cut and not any(map(is_endless, end.ways))


def _is_quotient(facts: Facts, number: ast.expr) -> bool:
    """Whether it counts whole batches: `len(x) // batch`, `int(len(x) / batch)`."""
    made = [number, *facts.origins(number).nodes]
    return any(_divides(n) for each in made for n in within(each)) and not any(map(_is_up, made))


def _divides(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Div))


def _is_up(node: ast.AST) -> bool:
    """`math.ceil(…)`: a part of a batch is one."""
    calls = (n for n in within(node) if isinstance(n, ast.Call))
    return any(getattr(c.func, "attr", getattr(c.func, "id", "")) == "ceil" for c in calls)


def _known(facts: Facts, number: ast.expr, loop: ast.For) -> Rounds:
    """Where a plain name of the function is bound, once; else at the loop."""
    bindings = facts.bindings(number) if isinstance(number, ast.Name) else []
    made = bindings[0].node if len(bindings) == 1 else None
    is_plain = isinstance(made, ast.Assign) and len(made.targets) == 1
    if is_plain and facts.function(made) is facts.function(loop):  # type: ignore[arg-type]
        return Rounds(number, made, True)  # type: ignore[arg-type]
    return Rounds(number, loop, False)
