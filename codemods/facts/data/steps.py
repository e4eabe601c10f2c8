"""Numbers that count training steps: each worker takes its share of them.

Rules D106; seeds 000 and 001, `take` and `steps_per_epoch`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ..by_rank import depends_on_size
from ..facts import Facts
from ..keras_classes import OPTIMIZERS
from ..roles import Role
from ..training import fits
from .array_loops import loops
from .counts import counts, shrinks
from .fit_arrays import TRAINING, VALIDATION, arrays_of_fits
from .hand_shares import any_shared_by_hand
from .shares import Shares, shares_of
from .stages import Way, is_endless
from .uses import End, Use

# Where schedules take a number of steps: TensorFlow 2.4 to 2.15.
_DECAYS: Mapping[str, tuple[tuple[str, int | None], ...]] = {
    "ExponentialDecay": (("decay_steps", 1),),
    "InverseTimeDecay": (("decay_steps", 1),),
    "PolynomialDecay": (("decay_steps", 1),),
    "CosineDecay": (("decay_steps", 1), ("warmup_steps", 5)),
    "CosineDecayRestarts": (("first_decay_steps", 1),),
    "LinearCosineDecay": (("decay_steps", 1),),
    "NoisyLinearCosineDecay": (("decay_steps", 1),),
    "PiecewiseConstantDecay": (("boundaries", 0),),
}


def divided(facts: Facts) -> Iterator[tuple[ast.expr, bool]]:
    """Every number of steps to divide; True where it is a sequence of such numbers."""
    found = [(expr, False) for expr in _counts(facts)]
    if is_shorter(facts):
        found += _decays(facts)
    yield from ((expr, each) for expr, each in found if not depends_on_size(facts, expr))


def _counts(facts: Facts) -> Iterator[ast.expr]:
    data = shares_of(facts)
    seen: dict[ast.expr, None] = {}
    for call in fits.fits(facts):
        for name, use in (("steps_per_epoch", Use.TRAINING), ("validation_steps", Use.VALIDATION)):
            steps = fits.argument(facts, call, name)
            if (
                steps is not None
                and _is_many(facts, steps)
                and _shares(facts, data, call, use)
                and not shrinks(facts, steps)
            ):
                seen[steps] = None
    numbers = [*counts(facts), *data.uses.rounds()]
    seen.update(dict.fromkeys(n for n in numbers if _is_many(facts, n) and not shrinks(facts, n)))
    yield from seen


def _is_many(facts: Facts, steps: ast.expr) -> bool:
    """Not `None`, and not a single step, of which no worker could take a share."""
    nodes = (steps, *facts.origins(steps).nodes)
    return not any(isinstance(n, ast.Constant) and n.value in (None, 1) for n in nodes)


def _ends(data: Shares, call: ast.Call, use: Use) -> list[End]:
    return [end for end in data.ends if end.by is call and end.use is use]


def _shares(facts: Facts, data: Shares, call: ast.Call, use: Use) -> bool:
    """Not where all of a finite dataset is seen by every worker: its steps would run out.

    Neither where validation data can't be followed: generators give it in order, so that fewer
    steps would only ever look at the beginning.
    """
    ends = _ends(data, call, use)
    if use is Use.VALIDATION and not ends:
        return any(a.fit is call and a.purpose == VALIDATION for a in arrays_of_fits(facts))
    return all(data.is_cut(way) or is_endless(way) for end in ends for way in end.ways)


def repeated(facts: Facts) -> Iterator[ast.expr]:
    """Finite datasets of a `fit` with explicit steps: a share may have one batch more than that.

    Keras only begins anew each epoch while the steps are exactly all there are.
    """
    data = shares_of(facts)
    for call in fits.fits(facts):
        steps = fits.argument(facts, call, "steps_per_epoch")
        if steps is None or not _is_many(facts, steps):
            continue
        for end in _ends(data, call, Use.TRAINING):
            if not all(map(is_endless, end.ways)) and all(map(data.is_cut, end.ways)):
                yield end.expr


def is_shorter(facts: Facts) -> bool:
    """Whether an epoch has fewer steps than before."""
    data = shares_of(facts)
    cut = any(_ends_sooner(facts, data, end) for end in data.ends if end.use is Use.TRAINING)
    arrays = (
        bool(loops(facts))
        or any_shared_by_hand(facts)
        or any(a.purpose == TRAINING for a in arrays_of_fits(facts))
    )
    return cut or arrays or any(True for _ in _counts(facts))


def _ends_sooner(facts: Facts, data: Shares, end: End) -> bool:
    """Whether less data makes fewer steps: not in a loop that a count of its own ends."""
    is_kept = end in kept_counts(facts) and keeps_count(facts)
    return any(map(data.is_cut, end.ways)) and not is_kept


def kept_counts(facts: Facts) -> list[End]:
    """Shares without an end that a loop runs over, until `if step >= n: break` ends it."""
    data = shares_of(facts)
    ends = (e for e in data.ends if e.use is Use.TRAINING and e.by not in set(fits.fits(facts)))
    return [e for e in ends if all(data.is_cut(way) and _never_ends(way) for way in e.ways)]


def _never_ends(way: Way) -> bool:
    """Whether it repeats for ever, and nothing is counted off after that."""
    methods = [stage.method for stage in way]
    repeats = [number for number, method in enumerate(methods) if method == "repeat"]
    return is_endless(way) and "take" not in methods[max(repeats, default=0) :]


def keeps_count(facts: Facts) -> bool:
    """Whether no loop is seen that draws a number of batches: that number would be divided."""
    return not any(True for _ in shares_of(facts).uses.rounds())


def _decays(facts: Facts) -> Iterator[tuple[ast.expr, bool]]:
    for call in facts.creations(Role.SCHEDULE):
        if facts.classes.local(call.func) is not None:
            continue
        kind = (facts.kind(call) or "").rpartition(".")[2]
        for name, position in _DECAYS.get(kind, ()):
            value = facts.argument(call, name, position)
            if value is not None and _is_many(facts, value) and not shrinks(facts, value):
                yield from _each(value) if name == "boundaries" else [(value, False)]


def hastened(facts: Facts) -> Iterator[ast.expr]:
    """`decay=` of the optimizers before TensorFlow 2.11: what each step takes from the rate.

    The rate after n steps is `rate / (1 + decay * n)`, so fewer steps need a larger decay.
    """
    if not is_shorter(facts):
        return
    for call in facts.creations(Role.OPTIMIZER):
        value = facts.argument(call, "decay")
        is_library = (facts.name(call.func) or "").startswith(OPTIMIZERS)
        if value is not None and is_library and _is_decay(facts, value):
            yield value


def _is_decay(facts: Facts, value: ast.expr) -> bool:
    """Neither zero, nor reckoned with a length that has become smaller by itself."""
    nodes = (value, *facts.origins(value).nodes)
    is_off = any(isinstance(n, ast.Constant) and not n.value for n in nodes)
    is_known = is_off or depends_on_size(facts, value)
    return not is_known and not shrinks(facts, value)


def _each(boundaries: ast.expr) -> Iterator[tuple[ast.expr, bool]]:
    if isinstance(boundaries, (ast.List, ast.Tuple)):
        yield from ((element, False) for element in boundaries.elts)
    else:
        yield boundaries, True
