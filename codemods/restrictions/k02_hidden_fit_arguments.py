"""`fit(**options)`: callbacks that can't be seen can't be completed."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.training import fits
from ..model import Finding
from . import restriction
from ._finding import finding

OURS = frozenset(("*", "callbacks", "verbose"))


@restriction(code="K02", name="hidden-fit-arguments")
def hidden_fit_arguments(facts: Facts) -> Iterator[Finding]:
    """Every `fit` whose `*args` or `**options` may hold what D302 has to change."""
    for call in fits.fits(facts):
        if fits.hidden(facts, call) & OURS:
            yield finding(
                facts,
                call,
                "K02",
                "what this `fit` is given can't be seen: Horovod's callbacks may clash with it",
                "write `callbacks=` and `verbose=` in the call, the rest may stay in `**options`",
            )
