"""Modules of a project run before `hvd.init()`: what they do with TensorFlow would take any GPU."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.setup.horovod_start import early_place, works_early
from ..model import Finding
from . import restriction
from ._finding import finding

WORK = "this runs when the module is imported, before `hvd.init()` and the choice of a GPU"
FIX = "make it in a function, and call that where the training begins"


@restriction(code="T01", name="early-work")
def early_work(facts: Facts) -> Iterator[Finding]:
    """Where Horovod can't be started before the modules are imported."""
    if early_place(facts) is None:
        for expr in works_early(facts):
            yield finding(facts, expr, "T01", WORK, FIX)
