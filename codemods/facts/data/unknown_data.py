"""Data that training takes its examples from, where it can't be followed to what makes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import COUNTERS
from ..facts import Facts
from ..training import fits
from ..training.estimator_training import estimator_trainings, given, ready_input
from ..training.pattern import Pattern, runs_sessions, training_of
from ..training.session_runs import training_runs
from ..training.training_loops import trains
from .array_loops import loops
from .batch_givers import are_shared_by_class, batch_datasets
from .data_lengths import TRAINING
from .dealt import turns_of
from .dealt_picks import dealt_picks
from .fit_arrays import arrays_of_fits
from .pipeline_shares import shares_of
from .session_steps import ends_of, is_own
from .uses import Use


def unknown_data(facts: Facts) -> Iterator[ast.expr]:
    """What `fit` is given where it is neither a known pipeline nor known arrays."""
    known = known_data(facts)
    is_followed = bool(known or loops(facts) or dealt_picks(facts))
    if training_of(facts).pattern is Pattern.GRADIENT_TAPE and not is_followed:
        yield training_of(facts).places[0][0]
    if runs_sessions(facts) and not is_followed:
        runs = training_runs(facts).values()
        yield from [run.call for run in runs if not is_own(facts, shares_of(facts), run)][:1]
    for call in estimator_trainings(facts):
        if not ends_of(facts, shares_of(facts), call) and ready_input(facts, call) is None:
            yield given(facts, call, "input_fn") or call
    for call in fits.fits(facts):
        if call not in known:
            yield from fits.examples(facts, call)


def known_data(facts: Facts) -> set[ast.AST]:
    """The calls of `fit` and the loops whose data is followed."""
    known: set[ast.AST] = {end.by for end in shares_of(facts).ends if end.use is Use.TRAINING}
    known.update(
        a.fit for a in arrays_of_fits(facts) if a.purpose == TRAINING and a.fit is not None
    )
    known.update(batch_datasets(facts))
    known.update(turns_of(facts))
    known.update(call for call in fits.fits(facts) if are_shared_by_class(facts, call))
    return known


def unknown_loops(facts: Facts) -> Iterator[ast.expr]:
    """What loops run over that train, where it is neither a followed pipeline nor a count."""
    known = known_data(facts)
    sync: list[ast.For | ast.AsyncFor] = [*facts.index.nodes(ast.For)]
    for node in [*sync, *facts.index.nodes(ast.AsyncFor)]:
        if node not in known and trains(facts, node):
            is_count = isinstance(node.iter, ast.Call) and facts.name(node.iter.func) in COUNTERS
            if not is_count:
                yield node.iter
