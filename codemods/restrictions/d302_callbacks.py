"""What a person should know about callbacks that run on every worker."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.output.callback_lists import ListForm, lists_of_fits
from ..facts.training import fits
from ..model import Finding
from . import restriction
from ._finding import note


@restriction(code="D302", name="callbacks")
def callbacks(facts: Facts) -> Iterator[Finding]:
    """Notes on single callbacks, on lists that can't be seen, and on where training starts."""
    for call, given in lists_of_fits(facts):
        for element, verdict in given.judged:
            if verdict.note:
                yield note(facts, element, "D302", verdict.note)
        if given.form is ListForm.FILTERED:
            message = "these callbacks can't be seen: known writers among them only run on rank 0"
            yield note(
                facts, call, "D302", message, "guard your own loggers with `if hvd.rank() == 0`"
            )
        epoch = fits.argument(facts, call, "initial_epoch")
        if epoch is not None and not isinstance(epoch, ast.Constant):
            message = "every worker has to start at the same epoch"
            fix = "if it is read from files that only rank 0 has, use hvd.broadcast(epoch, 0)"
            yield note(facts, epoch, "D302", message, fix)
