"""Data that each worker invents for itself: batches of random numbers, and nothing that is read.

No worker trains on all of it, as there is no whole; unseeded, each of them has examples of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from ...library.draws import TENSORFLOW
from ..agreement.chance import draws, seeded
from ..facts import Facts
from ..ingredients import ingredients
from ..roles import Role

_PICKS = r"\.(?:choices?|sample|shuffle|permut\w+|categorical)$"  # of what is there
_TENSORS = "tensorflow.random."
_COMPUTES = r"^(?:tensorflow|numpy|math|builtins)\."
_READS = r"load|read|open|file|data|input|memmap|iter|next"
_OPAQUE = frozenset({Role.MODEL, Role.OPTIMIZER, Role.TAPE})


def is_invented(facts: Facts, values: Iterable[ast.expr]) -> bool:
    """Whether the values are made of unseeded random numbers and constants only."""
    nodes = [node for value in values for node in ingredients(facts, value, _OPAQUE)]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    if any(isinstance(node, ast.Subscript) for node in nodes):
        return False
    return any(_draws(facts, call) for call in calls) and all(
        _draws(facts, call) or _computes(facts, call) for call in calls
    )


def _draws(facts: Facts, call: ast.Call) -> bool:
    """Whether it gives numbers, other ones on every worker."""
    name = facts.name(call.func) or f".{getattr(call.func, 'attr', '')}"
    if re.search(_PICKS, name):
        return False
    return draws(facts, call) or (name.startswith(_TENSORS) and TENSORFLOW not in seeded(facts))


def _computes(facts: Facts, call: ast.Call) -> bool:
    """Whether nothing comes in by a call but what it is given."""
    name = facts.name(call.func)
    if name is not None:
        return re.match(_COMPUTES, name) is not None and not re.search(_READS, name, re.IGNORECASE)
    if facts.callee(call) is not None or facts.role(call.func) in _OPAQUE:
        return True
    return isinstance(call.func, ast.Attribute)  # of a value that is looked at by itself
