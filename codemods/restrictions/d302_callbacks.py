"""What a person should know about callbacks that run on every worker."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.output.callback_lists import ListForm, lists_of_fits
from ..model import Finding
from . import restriction
from ._finding import LOOK, note


@restriction(code="D302", name="callbacks")
def callbacks(facts: Facts) -> Iterator[Finding]:
    """Notes on single callbacks, and on lists that can't be seen."""
    for call, given in lists_of_fits(facts):
        for element, verdict in given.judged:
            if verdict.note:
                yield note(facts, element, "D302", verdict.note, kind=LOOK)
        if given.form is ListForm.FILTERED:
            message = "these callbacks can't be seen: known writers among them only run on rank 0"
            yield note(
                facts,
                call,
                "D302",
                message,
                "guard your own loggers with `if hvd.rank() == 0`",
                kind=LOOK,
            )
