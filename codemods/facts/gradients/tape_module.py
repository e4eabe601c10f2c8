"""Which of Horovod's two modules for TensorFlow a program needs beside Keras' own."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ..data.batch_givers import batch_datasets
from ..data.dealt import turns_of
from ..facts import Facts
from ..training.fits import fits
from ..training.pattern import Pattern, training_of
from .state_broadcasts import is_applied_state_broadcast, is_broadcast_by_hand
from .tapes import applications, wrapped_tapes
from .trained_models import batches, holds_words


def needs_tape_module(facts: Facts) -> bool:
    """Whether a program that Keras trains needs `horovod.tensorflow` beside Keras' own module."""
    needs_it = training_of(facts).pattern is Pattern.KERAS or facts.has_horovod
    is_needed = bool(wrapped_tapes(facts)) or _needs_broadcasts(facts) or _fits_words(facts)
    return needs_it and (is_needed or _tells_orders(facts))


def needs_tape_module_here(facts: Facts) -> bool:
    """Whether that is so of the entry's own file: other modules import it themselves."""
    if not needs_tape_module(facts):
        return False
    if _fits_words(facts) or _tells_orders(facts):
        return True  # for a callback of the file's own, or what rank 0 tells
    calls: list[ast.Call] = [*wrapped_tapes(facts).training, *(b.call for b in batches(facts))]
    return not facts.is_joined or facts.has_horovod or _stand_in(facts, calls)


def _fits_words(facts: Facts) -> bool:
    """Whether a `fit` trains a model with a table of words, which its callback leaves out."""
    return any(holds_words(facts, call.func.value) for call in fits(facts))  # type: ignore[attr-defined]


def _tells_orders(facts: Facts) -> bool:
    """Whether rank 0 tells the others in which order batches are made (D107)."""
    told = any(dataset.draws for dataset in batch_datasets(facts).values())
    return told or any(turns.orders for turns in turns_of(facts).values())


def _stand_in(facts: Facts, calls: Iterable[ast.Call]) -> bool:
    own = set(facts.body)
    return any(facts.top(facts.statement(call)) in own for call in calls)


def _needs_broadcasts(facts: Facts) -> bool:
    """Whether state is broadcast beside a call that trains, which Keras' module can't."""
    methods = (batch.call for batch in batches(facts))
    if any(not is_broadcast_by_hand(facts, call) for call in methods):
        return True
    return facts.has_horovod and any(
        not is_applied_state_broadcast(facts, call)
        for call in applications(facts)
        if not training_of(facts).in_train_step(call)
    )
