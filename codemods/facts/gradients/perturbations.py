"""Gradients by which a step moves the weights, and back again before they are applied.

Sharpness-aware minimisation (https://arxiv.org/abs/2010.01412) takes its gradient at `w + e`, where
`e` comes from a first gradient. Averaged as well, that one moves the weights of all workers alike.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ..facts import Facts
from ..flow import flow_to

_ADDS = {"assign_add": True, "assign_sub": False}


def perturbing(facts: Facts, training: Collection[ast.Call]) -> Iterator[ast.Call]:
    """The calls of a tape whose gradients move what an optimizer trains to and fro."""
    there, back = _moving(facts)
    applied = {_sources(facts, call) for call in training}
    for call in there:
        if call in back and call not in training and _sources(facts, call) in applied:
            yield call


def _moving(facts: Facts) -> tuple[dict[ast.Call, None], dict[ast.Call, None]]:
    """The gradients that are added to variables, and those that are taken off them."""
    added: dict[ast.Call, None] = {}
    taken: dict[ast.Call, None] = {}
    for value, adds in _moves(facts):
        is_turned = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub)
        moved = added if adds is not is_turned else taken
        moved.update(dict.fromkeys(flow_to(facts, value).gradients))
    return added, taken


def _moves(facts: Facts) -> Iterator[tuple[ast.expr, bool]]:
    """What `w.assign_add(e)` and `w.assign(w + e)` add to variables, or their like take off."""
    for call in facts.calls(*_ADDS, "assign"):
        for value in call.args[:1]:
            name = call.func.attr  # type: ignore[attr-defined]
            if name in _ADDS:
                yield value, _ADDS[name]
            elif isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
                yield value.right, isinstance(value.op, ast.Add)


def _sources(facts: Facts, call: ast.Call) -> str:
    """What a tape is asked by, as the call spells it."""
    given = facts.argument(call, "sources", 1)
    return "" if given is None else ast.unparse(given)
