"""Which of Horovod's callbacks a `fit` still lacks."""

from __future__ import annotations

import ast
from itertools import chain
from typing import TYPE_CHECKING

from ...library.callbacks import callback
from ..gradients.broadcast_already import is_broadcast_by_hand, is_same_model
from ..horovod import BROADCAST, METRICS, WARM_UP, member, member_of
from ..own_forms import callbacks_of_class
from ..training import fits
from .callback_lists import callback_list
from .warm_ups import warmed_up

if TYPE_CHECKING:
    from ..facts import Facts


def missing_callbacks(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The broadcast and the average of metrics, as far as this `fit` is not given them.

    A warm-up of the rate, where somebody asks for it, is for a program that nobody has scaled yet.
    """
    wanted = [BROADCAST, METRICS]
    if not facts.has_horovod:
        return (*wanted, *([WARM_UP] if call in warmed_up(facts) else []))
    there = set(_given(facts, call))
    if is_broadcast_by_hand(facts, call) or _is_fitted_before(facts, call):
        there.add(BROADCAST)
    if BROADCAST in there and not _is_steered(facts, call):
        return ()
    return tuple(name for name in wanted if name not in there)


def _is_steered(facts: Facts, call: ast.Call) -> bool:
    """Whether a callback may decide by what is measured: early stopping, one of the user's own."""
    made = [n for e, _ in callback_list(facts, call).judged for n in facts.origins(e).nodes]
    return any(not _only_writes(facts, node) for node in made)


def _only_writes(facts: Facts, node: ast.AST) -> bool:
    kind = facts.kind(node) if isinstance(node, ast.Call) else None
    if kind is None or not isinstance(node, ast.Call) or facts.classes.local(node.func) is not None:
        return False
    is_best = facts.argument(node, "save_best_only") is not None
    return (callback(kind).ignores_metrics and not is_best) or member_of(kind) is not None


def _is_fitted_before(facts: Facts, call: ast.Call) -> bool:
    """Whether another `fit` of the same model in the same block has broadcast it before."""
    block, number = facts.block(facts.statement(call))
    for other in fits.fits(facts):
        is_above = facts.statement(other) in block[:number]
        if is_above and is_same_model(facts, other, call) and BROADCAST in _given(facts, other):
            return True
    return False


def _given(facts: Facts, call: ast.Call) -> list[str]:
    made = [n for e, _ in callback_list(facts, call).judged for n in facts.origins(e).nodes]
    calls = [node for node in made if isinstance(node, ast.Call)]
    own = [callbacks_of_class(facts, facts.classes.local(call.func)) for call in calls]
    names = (member(facts, call.func) for call in calls)
    return [*(name for name in names if name is not None), *chain.from_iterable(own)]


def needs_callbacks(facts: Facts) -> bool:
    """Whether some `fit` lacks one."""
    return any(missing_callbacks(facts, call) for call in fits.fits(facts))
