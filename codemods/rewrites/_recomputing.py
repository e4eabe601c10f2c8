"""The functions that D501 writes above what holds the loops, in the schedule that is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..facts import Facts
from ..facts.layers.any_loops import AnyLoop
from ..facts.layers.layer_loops import is_compiled
from . import _any_loop, _recomputation, _time_steps
from ._new_code import fresh, tf
from ._schedules import BINOMIAL, FIRST_PART, HALVES, KINDS, SEGMENTS

LAYERS = {
    HALVES: _recomputation.HALVES,
    SEGMENTS: _recomputation.SEGMENTS,
    BINOMIAL: _recomputation.BINOMIAL,
}
STEPS = {
    HALVES: _time_steps.HALVES,
    SEGMENTS: _time_steps.SEGMENTS,
    BINOMIAL: _time_steps.BINOMIAL,
}
PART = "first_part"


def definitions(
    facts: Facts, kinds: Iterable[bool], has_steps: bool, others: Sequence[AnyLoop]
) -> list[str]:
    """The texts; `kinds`: whether layers get `training`, of those that there are."""
    texts = [FIRST_PART.format(name=fresh(facts, PART))] if schedule(facts) == BINOMIAL else []
    texts += [_of_layers(facts, kind) for kind in kinds]
    if has_steps:
        texts.append(_of_steps(facts))
    return [*texts, *_any_loop.definitions(facts, others)]


def schedule(facts: Facts) -> str:
    """The schedule that is chosen."""
    return facts.options.recompute or HALVES


def name(facts: Facts, training: bool) -> str:
    """The name of the function that runs layers."""
    kind = f"run_{KINDS[schedule(facts)]}"
    return fresh(facts, f"{kind}_training" if training else kind)


def _of_layers(facts: Facts, training: bool) -> str:
    layer = "run_layer_training" if training else "run_layer"
    layer = fresh(facts, layer) if is_compiled(facts) else ""
    form = LAYERS[schedule(facts)]
    own = name(facts, training)
    return _recomputation.written(form, own, tf(facts), training, layer, *_numbers(facts))


def _of_steps(facts: Facts) -> str:
    step = fresh(facts, "run_step") if is_compiled(facts) else ""
    form = STEPS[schedule(facts)]
    return _time_steps.written(form, fresh(facts, "run_steps"), tf(facts), step, *_numbers(facts))


def _numbers(facts: Facts) -> tuple[int, int, str]:
    return facts.options.base, facts.options.snapshots, fresh(facts, PART)
