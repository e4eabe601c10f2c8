"""How the callbacks of a migrated `fit` are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..edits import Edit, FoldCall, Prepend, SetArgument, WrapArgument
from ..facts.horovod import BROADCAST, METRICS
from ..facts.output.callback_lists import ListForm
from ..facts.output.callbacks import WRITERS
from ..facts.output.missing_callbacks import missing_callbacks
from ..facts.training import fits
from ..facts.training.epochs import epochs_to_send
from ._new_code import callback_module, hvd, spell

if TYPE_CHECKING:
    from ..facts import Facts

MADE = {BROADCAST: f"{BROADCAST}(0)", METRICS: f"{METRICS}()"}
HERE = "{hvd}.rank() == 0"
KEPT = "*([_] if {hvd}.rank() == 0 else [])"
# A name that may hold None, or a list that nobody can see: decided when the program runs.
FILTER = (
    "[{ours}*(callback for callback in _ or [] "
    "if {hvd}.rank() == 0 or not isinstance(callback, ({writers})))]"
)
FORMS = {
    ListForm.MISSING: "[{ours}]",
    ListForm.SINGLE: "[{ours}_]",
    ListForm.WRITER: "[{ours}" + KEPT + "]",
    ListForm.NAMED: "[{ours}*_]",
    ListForm.FILTERED: FILTER,
}


def listed(facts: Facts, form: ListForm, ours: Sequence[str]) -> str:
    """The list with Horovod's callbacks first; `_` stands for what is given."""
    first = ", ".join(ours if form is ListForm.MISSING else (*ours, ""))
    types = (spell(facts, f"tensorflow.keras.callbacks.{name}") for name in WRITERS)
    return FORMS[form].format(ours=first, hvd=hvd(facts), writers=", ".join(types))


def lacking(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """What makes the callbacks of Horovod that a `fit` lacks."""
    module = callback_module(facts)
    return tuple(f"{module}.{MADE[name]}" for name in missing_callbacks(facts, call))


def told_epochs(facts: Facts, call: ast.Call) -> list[WrapArgument]:
    """The epochs that a `fit` starts and ends at, where rank 0 has to tell them."""
    told = f"int({hvd(facts)}.broadcast(_, root_rank=0))"
    names = epochs_to_send(facts, call)
    return [WrapArgument(name, told, fits.position(call, name)) for name in names]


def completed(facts: Facts, call: ast.Call, form: ListForm) -> Iterator[Edit]:
    """Horovod's callbacks first: the metrics are averaged before any of the others reads them."""
    position, is_loud = fits.position(call, "callbacks"), fits.is_loud(facts, call)
    is_changed = bool(ours := lacking(facts, call)) or form in (ListForm.FILTERED, ListForm.WRITER)
    if ours and form is ListForm.DISPLAY:
        yield Prepend("callbacks", ", ".join(ours), position)
    elif is_changed:
        kind = SetArgument if form is ListForm.MISSING else WrapArgument
        yield kind("callbacks", listed(facts, form, ours), position)
    yield from (told := told_epochs(facts, call))
    if is_loud:
        yield WrapArgument("verbose", level(facts), fits.position(call, "verbose"), fits.VERBOSE)
    if is_changed or is_loud or told:
        yield FoldCall()
    if is_changed or (is_loud and form is not ListForm.MISSING):
        yield FoldCall("callbacks", position)


def told_levels(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """Where a dictionary says how much `fit` tells."""
    if fits.argument(facts, call, "verbose") is None:
        given = fits.arguments(facts, call, "verbose")
        yield from (each for each in given if fits.draws_bar(facts, each))


def level(facts: Facts) -> str:
    """The level of `fit` for rank 0 alone; `_` stands for the user's."""
    return f"_ if {HERE.format(hvd=hvd(facts))} else 0"
