"""What is said of data that gives batches itself and is not shared out: its kind, and a way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.data.numbered_batches import (
    is_made_by_generator,
    is_numbered,
    is_own_order,
    shortened,
)
from ..facts.training import fits
from ..model import Finding
from ._finding import SIZE, note

ALL = "in each epoch every worker goes through all of these batches"
STEPS = (
    "`batches = {}` before, and here `batches, steps_per_epoch=max(1, len(batches) // hvd.size())`"
)
ALIKE = (
    "every worker takes the same of these batches, so that the scaled rate is too large for them"
)
UNSHUFFLED = "leave `shuffle=False` out: then each worker takes them in an order of its own"
SEEDED = "seed Python's numbers otherwise on each worker: `random.seed(… + hvd.rank())`"
SAME = (
    "every worker gets the same batches from this generator, unless it draws them by chance, and "
    "the scaled rate is too large for them"
)
EVERY = (
    "`itertools.islice({}, hvd.rank(), None, hvd.size())`, with `import itertools`: each worker "
    "then gets batches of its own"
)


def is_of_batches(facts: Facts, value: ast.expr) -> bool:
    """Whether it is a generator, or Keras asks it for batches by number."""
    return _fit(facts, value) is not None and (
        is_numbered(facts, value) or is_made_by_generator(facts, value)
    )


def of_batches(facts: Facts, value: ast.expr) -> Iterator[Finding]:
    """The notes on such data; none where each worker takes a share of the steps."""
    fit = _fit(facts, value)
    if fit is None or fit in shortened(facts):
        return
    if not is_numbered(facts, value):
        yield note(facts, value, "D107", SAME, EVERY.format(spelled(value)), kind=SIZE)
    elif not is_own_order(facts, fit):
        is_off = fits.argument(facts, fit, "shuffle") is not None
        yield note(facts, value, "D107", ALIKE, UNSHUFFLED if is_off else SEEDED, kind=SIZE)
    elif not fits.is_given(facts, fit, "steps_per_epoch"):
        yield note(facts, value, "D107", ALL, STEPS.format(spelled(value)), kind=SIZE)


def _fit(facts: Facts, value: ast.expr) -> ast.Call | None:
    found = (call for call in fits.fits(facts) if value in fits.examples(facts, call))
    return next(found, None)
