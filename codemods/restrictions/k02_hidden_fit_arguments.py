"""`fit(**options)`: callbacks that can't be seen can't be completed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.output.callback_lists import is_followed
from ..facts.output.fit_callbacks import missing_callbacks
from ..facts.training import fits
from ..facts.training.fits import holder, is_alike
from ..model import Finding
from . import restriction
from ._finding import finding

HIDDEN = "what this `fit` is given can't be seen: Horovod's callbacks may clash with it"
WRITE = (
    "write what they hold in the call: `epochs=10, callbacks=[]`; or make the dictionary in this "
    "file: `options = {'epochs': 10}`"
)
OURS = {
    "callbacks": "Horovod's callbacks can't be put before those that a dictionary holds",
    "initial_epoch": "each worker may have another `initial_epoch`, and a dictionary holds it",
}


@restriction(code="K02", name="hidden-fit-arguments")
def hidden_fit_arguments(facts: Facts) -> Iterator[Finding]:
    """Every `fit` whose `*args` or `**options` may hold what D302 has to change."""
    for call in fits.fits(facts):
        names = fits.hidden(facts, call)
        if "*" in names:
            yield finding(facts, call, "K02", HIDDEN, WRITE)
            continue
        for name, message in OURS.items():
            if name in names and must_change(facts, call, name):
                value = fits.arguments(facts, call, name)[0]
                fix = f"write `{name}=` in the call: the rest may stay in the dictionary"
                yield finding(facts, value, "K02", message, fix)


def must_change(facts: Facts, call: ast.Call, name: str) -> bool:
    """Whether it can't stay as it is where it is."""
    if name == "callbacks":
        is_completed = holder(call) is not None and is_followed(facts, call)
        return not is_completed and bool(missing_callbacks(facts, call))
    return not all(is_alike(facts, value) for value in fits.arguments(facts, call, name))
