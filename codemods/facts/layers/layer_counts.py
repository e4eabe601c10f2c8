"""How many layers a list has, and what the forms of D501 cost for so many."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from .layer_lists import elements, made_once

if TYPE_CHECKING:
    from ..facts import Facts

RANGE = "builtins.range"


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


def halves(layers: int) -> tuple[int, int]:
    """Outputs kept at a time, and runs of layers forwards, when the first half is run again."""
    if layers < 2:
        return layers, layers
    first, second = layers // 2, layers - layers // 2
    kept = 1 + max(halves(first)[0], halves(second)[0])
    return kept, halves(first)[1] + first + halves(second)[1]


def segments(layers: int) -> tuple[int, int]:
    """The same when all segments of √layers but the last are run again."""
    size = max(1, round(layers**0.5))
    last = (layers - 1) % size + 1 if layers else 0
    return math.ceil(layers / size) + size - 1, 2 * layers - last
