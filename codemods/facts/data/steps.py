"""Numbers that count training steps: each worker takes its share of them.

Rules D106; seeds 000 and 001, `take` and `steps_per_epoch`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, recorded
from ..training import fits
from ..training.fits import are_means
from .array_loops import loops
from .batch_givers import batch_datasets
from .batch_needs import keeps_batch
from .counts import counts, shrinks
from .data_lengths import TRAINING, VALIDATION
from .dealt import limits_of_turns, rounds_of_turns, turns_of
from .dealt_picks import rounds_of_picks
from .fit_arrays import arrays_of_fits
from .graph_rounds import graph_rounds
from .handed_batches import handed_batches
from .loop_ends import limits_of
from .numbered_batches import shortened
from .pipeline_shares import Shares, shares_of
from .pipelines import Way, is_endless
from .share_forms import any_shared_by_hand
from .uses import End, Use


def step_counts(facts: Facts) -> Iterator[ast.expr]:
    """The numbers of steps of every `fit`, of `take`, and of loops that draw batches."""
    if keeps_batch(facts):  # each worker takes all of the steps, an Nth of each
        return
    data = shares_of(facts)
    seen: dict[ast.expr, None] = {}
    for call in fits.fits(facts):
        for name, use in (("steps_per_epoch", Use.TRAINING), ("validation_steps", Use.VALIDATION)):
            if _shares(facts, data, call, use):
                given = fits.arguments(facts, call, name)
                seen.update(dict.fromkeys(n for n in given if _is_divided(facts, n)))
    slices = [loop.steps for loop in loops(facts) if loop.steps is not None]
    numbers = [*counts(facts), *data.rounds(), *graph_rounds(facts, data), *slices]
    numbers += [*loop_limits(facts), *rounds_of_turns(facts), *rounds_of_picks(facts)]
    seen.update(dict.fromkeys(n for n in numbers if _is_divided(facts, n)))
    yield from seen


@recorded
def loop_limits(facts: Facts) -> dict[ast.expr, ast.AST]:
    """The numbers at which loops over shares are left, each with its loop."""
    data = shares_of(facts)
    loops = (_loop(facts, end) for end in data.ends if _is_share(data, end))
    found = dict.fromkeys(loop for loop in loops if loop is not None)
    limits = {number: loop for loop in found for number in limits_of(facts, loop)}
    return limits | dict(limits_of_turns(facts))


def _is_share(data: Shares, end: End) -> bool:
    """Whether D107 shares it out: what a program has shared itself ends as it says."""
    is_cut = bool(end.ways) and all(data.cuts_in(way) == 1 for way in end.ways)
    return end.use is Use.TRAINING and is_cut


def _loop(facts: Facts, end: End) -> ast.AST | None:
    """The loop that runs over a dataset itself, or over a call around it: `enumerate(ds)`."""
    parent: ast.AST | None = end.by
    while isinstance(parent, ast.Call):
        parent = facts.parent(parent)
    return parent if isinstance(parent, (ast.For, ast.AsyncFor)) else None


def _is_divided(facts: Facts, steps: ast.expr) -> bool:
    return is_many(facts, steps) and not shrinks(facts, steps)


def is_many(facts: Facts, steps: ast.expr) -> bool:
    """Not `None`, no single step, of which no worker could take a share, none, and not -1: all."""
    nodes = (steps, *facts.origins(steps).nodes)
    if any(isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub) for n in nodes):
        return False
    return not any(isinstance(n, ast.Constant) and n.value in (None, 0, 1) for n in nodes)


def _ends(data: Shares, call: ast.Call, use: Use) -> list[End]:
    return [end for end in data.ends if end.by is call and end.use is use]


def _shares(facts: Facts, data: Shares, call: ast.Call, use: Use) -> bool:
    """Not where all of a finite dataset is seen by every worker: its steps would run out.

    Neither where validation data can't be followed: generators give it in order, so that fewer
    steps would only ever look at the beginning.
    """
    if use is Use.VALIDATION and not are_means(facts):
        return False
    ends = _ends(data, call, use)
    if use is Use.VALIDATION and not ends:
        return any(a.fit is call and a.purpose == VALIDATION for a in arrays_of_fits(facts))
    return all(data.is_cut(way) or is_endless(way) for end in ends for way in end.ways)


def repeated(facts: Facts) -> Iterator[ast.expr]:
    """Finite datasets of a `fit` with explicit steps: a share may have one batch more than that.

    Keras only begins anew each epoch while the steps are exactly all there are.
    """
    if keeps_batch(facts):  # its batches are as many as before
        return
    data = shares_of(facts)
    for call in fits.fits(facts):
        steps = fits.arguments(facts, call, "steps_per_epoch")
        is_counted = fits.is_given(facts, call, "steps_per_epoch")
        if not is_counted or not all(is_many(facts, each) for each in steps):
            continue
        for end in _ends(data, call, Use.TRAINING):
            if not all(map(is_endless, end.ways)) and all(map(data.is_cut, end.ways)):
                yield end.expr


def is_shorter(facts: Facts) -> bool:
    """Whether an epoch has fewer steps than before."""
    if keeps_batch(facts):
        return False
    data = shares_of(facts)
    cut = any(_ends_sooner(facts, data, end) for end in data.ends if end.use is Use.TRAINING)
    arrays = (
        bool(loops(facts) or batch_datasets(facts) or shortened(facts) or turns_of(facts))
        or bool(handed_batches(facts).arrays)
        or any_shared_by_hand(facts)
        or any(a.purpose == TRAINING for a in arrays_of_fits(facts))
    )
    return cut or arrays or any(True for _ in step_counts(facts))


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
    data = shares_of(facts)
    return not any(True for _ in (*data.rounds(), *graph_rounds(facts, data), *loop_limits(facts)))
