"""Which numbers of steps are divided by the number of workers, and how far down they may go.

Rule D106; seeds 000 and 001, `take` and `steps_per_epoch`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from ...library.updates import READING
from ...program.node_fields import within
from ..by_rank import depends_on_size
from ..facts import Facts
from ..steps.counters import counts_steps
from .counts import shrinks
from .steps import is_many, is_shorter, step_counts

_NUMBERS = READING | {"int", "round", "cast", "max", "min"}
MANY = 1000  # more than the workers that ever train together


class Share(Enum):
    """What a worker's share of a number of steps must be."""

    ANY = "nothing goes wrong if it is none"
    SOME = "at least one: none would be an error, or train nothing"
    EACH = "any, of each number of a sequence"
    LAST = "the number of the last step of the share, counted from nought"


def divided(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """Every number of steps to divide."""
    totals = (_total(facts, expr) for expr in step_counts(facts))
    found = [(expr, share(facts, expr)) for expr in totals]
    if is_shorter(facts):
        found += _epochs_done(facts)
    yield from ((expr, part) for expr, part in found if not depends_on_size(facts, expr))


def _total(facts: Facts, steps: ast.expr) -> ast.expr:
    """`total` of `total - ckpt.step`: a checkpoint of the job holds what each worker has done."""
    made = facts.origins(steps)
    values = (steps, *made.nodes) if made.complete and len(made.nodes) == 1 else (steps,)
    sums = (n for each in values for n in within(each) if isinstance(n, ast.BinOp))
    rests = (n for n in sums if isinstance(n.op, ast.Sub) and counts_steps(facts, n.right))
    totals = dict.fromkeys(n.left for n in rests if not counts_steps(facts, n.left))
    return next(iter(totals)) if len(totals) == 1 else steps


def _epochs_done(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """`optimizer.iterations // steps`: the epoch that a run goes on with, in steps of this job."""
    for use in facts.index.loads.get("iterations", ()):
        for parent in facts.parents(use):
            if isinstance(parent, ast.BinOp) and _is_quotient(parent, use):
                is_whole = is_many(facts, parent.right) and not shrinks(facts, parent.right)
                yield from [(parent.right, Share.SOME)] if is_whole else []
            if isinstance(parent, ast.stmt) or not _is_number(parent, use):
                break


def _is_number(node: ast.AST, use: ast.AST) -> bool:
    """Whether what is reckoned from a count still is one: a schedule gives a rate for it."""
    if not isinstance(node, ast.Call) or use in within(node.func):  # `iterations.numpy()`
        return True
    return getattr(node.func, "attr", getattr(node.func, "id", "")) in _NUMBERS


def _is_quotient(operation: ast.BinOp, use: ast.AST) -> bool:
    """Whether it divides what stands in `use` by a number of steps; a rate is no such number."""
    is_ratio = isinstance(operation.op, ast.Div) and not isinstance(operation.right, ast.Constant)
    is_division = isinstance(operation.op, ast.FloorDiv) or is_ratio
    return is_division and use in within(operation.left)


def share(facts: Facts, steps: ast.expr) -> Share:
    """Whoever skips no elements just sees all; nobody has as many workers as a large number."""
    made = facts.origins(steps)
    values = [getattr(node, "value", None) for node in made.nodes]
    is_large = made.complete and all(isinstance(v, int) and v >= MANY for v in values)
    return Share.ANY if (values and is_large) or _is_skipped(facts, steps) else Share.SOME


def _is_skipped(facts: Facts, count: ast.expr) -> bool:
    call = facts.parent(count)
    return isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "skip"
