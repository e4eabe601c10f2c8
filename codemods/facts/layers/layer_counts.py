"""How many layers a list has, and what the forms of D501 cost for so many."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from ...library.loops import RANGES
from .layer_lists import elements, made_once

if TYPE_CHECKING:
    from ..facts import Facts

RANGE, LENGTH = "builtins.range", "builtins.len"
SAME = ("builtins.enumerate", "builtins.reversed", "builtins.list", "builtins.tuple")


def turns(facts: Facts, over: ast.expr) -> int | None:
    """How often a loop over `range(n)`, or over a list in sight, runs its body; None if unknown."""
    if isinstance(over, ast.Call) and facts.name(over.func) in (RANGE, *RANGES):
        if over.keywords:
            return None
        found = [_number(facts, each) for each in over.args]
        known = [each for each in found if each is not None]
        return (
            len(range(*known))
            if found and len(known) == len(found) and 0 not in known[2:]
            else None
        )
    if isinstance(over, ast.Call) and facts.name(over.func) in SAME and len(over.args) == 1:
        return turns(facts, over.args[0])
    return depth(facts, over) if isinstance(over, (ast.Name, ast.Attribute)) else None


def _number(facts: Facts, expr: ast.expr) -> int | None:
    """The whole number that an expression is, wherever it is bound."""
    if isinstance(expr, ast.Call) and facts.name(expr.func) == LENGTH and len(expr.args) == 1:
        (of,) = expr.args
        return depth(facts, of) if isinstance(of, (ast.Name, ast.Attribute)) else None
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub):
        number = _number(facts, expr.operand)
        return None if number is None else -number
    found = expr if isinstance(expr, ast.Constant) else facts.origins(expr).only
    is_number = isinstance(found, ast.Constant) and type(found.value) is int
    return found.value if is_number else None  # type: ignore[union-attr]


def depth(facts: Facts, layers: ast.expr) -> int | None:
    """The number of elements of a list that is written out, or made over a `range` of a number."""
    value = made_once(facts, layers)
    made = elements(facts, layers)
    if isinstance(value, (ast.List, ast.Tuple)) and made is not None:
        return len(value.elts) if len(made) == len(value.elts) else None
    if not isinstance(value, ast.ListComp) or made is None or len(made) > 1:
        return None
    first = value.generators[0]
    is_plain = len(value.generators) == 1 and not first.ifs
    call = first.iter
    if not is_plain or not isinstance(call, ast.Call) or facts.name(call.func) != RANGE:
        return None
    count = call.args[0] if len(call.args) == 1 else None
    found = made_once(facts, count) if isinstance(count, ast.Name) else count
    return found.value if isinstance(found, ast.Constant) and type(found.value) is int else None


def cost(schedule: str, steps: int, base: int = 1, snapshots: int = 5) -> tuple[int, int]:
    """States kept at a time, and runs of steps forwards, of a schedule of D501."""
    if schedule == "sqrt":
        return segments(steps)
    return binomial(steps, snapshots) if schedule == "binomial" else halves(steps, base)


def halves(layers: int, base: int = 1) -> tuple[int, int]:
    """Outputs kept at a time, and runs of layers forwards, when the first half is run again."""
    if layers <= base:
        return layers, layers
    first, second = layers // 2, layers - layers // 2
    kept = 1 + max(halves(first, base)[0], halves(second, base)[0])
    return kept, halves(first, base)[1] + first + halves(second, base)[1]


def segments(layers: int) -> tuple[int, int]:
    """The same when all segments of √layers but the last are run again."""
    size = max(1, round(layers**0.5))
    last = (layers - 1) % size + 1 if layers else 0
    return math.ceil(layers / size) + size - 1, 2 * layers - last


def binomial(steps: int, snapshots: int) -> tuple[int, int]:
    """The same when so many are kept at a time, beside the step whose gradients are taken."""
    times = 0
    while math.comb(snapshots + times, snapshots) < steps:
        times += 1
    again = times * steps - math.comb(snapshots + times, snapshots + 1)
    return min(steps, snapshots + 1), steps + again
