"""How the callbacks of a migrated `fit` are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..edits import At, Edit, Fold, FoldCall, Insert, Prepend, SetArgument, Wrap, WrapArgument
from ..facts.gradients.trained_models import holds_words
from ..facts.horovod import BROADCAST, METRICS, WARM_UP
from ..facts.keras_target import brings_keras_3
from ..facts.keras_version import is_keras_3
from ..facts.output.callback_lists import CallbackList, ListForm, lists_of_fits, may_have_a_name
from ..facts.output.fit_callbacks import json_of_metrics, missing_callbacks
from ..facts.output.warm_ups import has_counted_steps
from ..facts.training import fits
from ..facts.training.fits import epochs_to_send, start_to_send
from ..library.callbacks import PREFIX, WRITERS, callback
from ._kept_elements import KEPT, KeptByRankZero, kept_elements
from ._keras_3_forms import (
    AVERAGE_METRICS,
    BROADCAST_STATE,
    WARM_UP_RATE,
    callback_classes,
    definitions,
)
from ._new_code import callback_module, fresh, fresh_for, hvd, spell
from ._verbose import FITS, binding, on_rank_zero, quiet, quiet_callbacks

if TYPE_CHECKING:
    from ..facts import Facts

OWN = {BROADCAST: BROADCAST_STATE, METRICS: AVERAGE_METRICS, WARM_UP: WARM_UP_RATE}
# Keras 2 keeps momentum in a number, which the correction of Horovod's callback can't set.
_WARMED = "(initial_lr=float({model}.optimizer.learning_rate), warmup_epochs={epochs}, "
MADE = {
    BROADCAST: f"{BROADCAST}(0)",
    METRICS: f"{METRICS}()",
    WARM_UP: f"{WARM_UP}{_WARMED}momentum_correction=False)",
}
# What a callback is called that is too long for its list.
NAMES = {name: callback(PREFIX + name).name for name in WRITERS}
# A name that may hold None, or a list that nobody can see: decided when the program runs.
FILTER = (
    "[{ours}*(callback for callback in _ or [] "
    "if {hvd}.rank() == 0 or not isinstance(callback, {writers}))]"
)
WRITING = "WRITING_CALLBACKS"
WRITING_TYPES = """\
# Rank 0 alone has these: they write files, or draw.
{name} = (
{types})
"""
TOLD = "int({hvd}.broadcast(_, root_rank=0))"
HOLE = re.compile(r"\b_\b")
REWRITTEN = (ListForm.FILTERED, ListForm.WRITER)  # also where nothing is lacking
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
    return FORMS[form].format(ours=first, hvd=hvd(facts), writers=fresh(facts, WRITING))


def told_fits(facts: Facts) -> Iterator[At]:
    """What each `fit` is told: the callbacks of all, those of rank 0 alone, and its levels."""
    lists = [*lists_of_fits(facts)]
    for call, given in lists:
        yield from (At(call, edit) for edit in completed(facts, call, given.form))
        yield from (At(place, edit) for place, edit in in_dictionary(facts, call, given.form))
        yield from told_start(facts, call)
    quieted = quiet_callbacks(facts)
    yield from (At(each, FoldCall()) for each in quieted)
    levels = dict.fromkeys(level for call, _ in lists for level in told_levels(facts, call))
    changed = (binding(facts, FITS), dict.fromkeys(levels, Wrap(on_rank_zero(facts))), quieted)
    yield from (At(place, edit) for each in changed for place, edit in each.items())
    yield from kept_elements(facts, kept_by_rank_zero(facts, lists))
    yield from (At(place, Fold()) for place in levels)
    yield from (At(call, SetArgument("default", "float")) for call in json_of_metrics(facts))


def kept_by_rank_zero(
    facts: Facts, lists: Iterable[tuple[ast.Call, CallbackList]]
) -> KeptByRankZero:
    """The elements of all lists for rank 0 alone, each once, and the calls of `append`."""
    elements = dict.fromkeys(each for _, given in lists for each in given.rank_zero)
    guarded = [each for _, given in lists for each in given.guarded]
    values = [fits.argument(facts, call, "callbacks") for call, _ in lists]
    begun = [each for each in values if each is not None]
    return KeptByRankZero(elements, guarded, "callbacks", begun, partial(name_of, facts))


def name_of(facts: Facts, element: ast.expr) -> str:
    """What a callback is called that is too long for its list, if it may stand in front of it."""
    if not isinstance(element, ast.Call) or not may_have_a_name(facts, element):
        return ""
    kind = (facts.name(element.func) or "").rpartition(".")[2]
    return fresh_for(facts, NAMES[kind], element)


def lacking(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """What makes the callbacks of Horovod that a `fit` lacks."""
    module, epochs = callback_module(facts), facts.options.warmup
    model = ast.unparse(call.func.value)  # type: ignore[attr-defined]
    own = own_forms(facts, call)
    return tuple(
        f"{fresh(facts, OWN[name])}({epochs if name == WARM_UP else ''})"
        if name in own
        else f"{module}.{MADE[name].format(model=model, epochs=epochs)}"
        for name in missing_callbacks(facts, call)
    )


def own_forms(facts: Facts, call: ast.Call) -> frozenset[str]:
    """The callbacks that a `fit` lacks and Horovod has none for: Keras 3 knows none of its own.

    Beside Keras 3 those of Horovod that take `keras.backend` fail for Keras 2, too: that has no
    `constant` and no `set_value` there.
    """
    lacked = missing_callbacks(facts, call)
    if is_keras_3(facts):
        return frozenset(lacked)
    own = {METRICS, WARM_UP} if brings_keras_3(facts.options) else {WARM_UP}
    if holds_words(facts, call.func.value):  # type: ignore[attr-defined]
        own.add(BROADCAST)
    is_counted = has_counted_steps(facts, call) and not brings_keras_3(facts.options)
    return frozenset((own - {WARM_UP} if is_counted else own) & set(lacked))


def own_callbacks(facts: Facts) -> Iterator[At]:
    """The classes of those callbacks, and the types that lists are filtered by."""
    lists = [*lists_of_fits(facts)]
    names = {OWN[name] for call, _ in lists for name in own_forms(facts, call)}
    classes = callback_classes(facts) if names else {}
    code = [text for name, text in classes.items() if name in names]
    filtered = (call for call, given in lists if given.form is ListForm.FILTERED)
    if any(is_changed_here(facts, call) or fits.holder(call) is not None for call in filtered):
        types = (spell(facts, PREFIX + name) for name in WRITERS)
        lines = "".join(f"    {each},\n" for each in types)
        code.insert(0, WRITING_TYPES.format(name=fresh(facts, WRITING), types=lines))
    if code:
        yield definitions(facts, "\n\n".join(code), is_last=True)


def told_epochs(facts: Facts, call: ast.Call) -> list[WrapArgument]:
    """The epochs that a `fit` starts and ends at, where rank 0 has to tell them."""
    told = TOLD.format(hvd=hvd(facts))
    names = () if start_to_send(facts, call) is not None else epochs_to_send(facts, call)
    return [WrapArgument(name, told, fits.position(call, name)) for name in names]


def told_start(facts: Facts, call: ast.Call) -> Iterator[At]:
    """Rank 0 tells the epoch that a `fit` starts at, where it gets its name."""
    bound = start_to_send(facts, call)
    if bound is not None:
        name = fits.argument(facts, call, "initial_epoch").id  # type: ignore[union-attr]
        told = HOLE.sub(name, TOLD.format(hvd=hvd(facts)))
        yield At(bound.node, Insert(after=f"{name} = {told}\n"))


def completed(facts: Facts, call: ast.Call, form: ListForm) -> Iterator[Edit]:
    """Horovod's callbacks first: the metrics are averaged before any of the others reads them."""
    position, is_loud = fits.position(call, "callbacks"), fits.is_loud(facts, call)
    ours = lacking(facts, call)
    is_changed = is_changed_here(facts, call) and (bool(ours) or form in REWRITTEN)
    if ours and form is ListForm.DISPLAY:
        yield Prepend("callbacks", ", ".join(ours), position)
    elif is_changed:
        kind = SetArgument if form is ListForm.MISSING else WrapArgument
        yield kind("callbacks", listed(facts, form, ours), position)
    yield from (told := told_epochs(facts, call))
    if is_loud:
        yield quiet(facts, call)
    if is_changed or is_loud or told:
        yield FoldCall()
    is_here = form is not ListForm.MISSING and is_changed_here(facts, call)
    if is_changed or (is_loud and is_here):
        yield FoldCall("callbacks", position)


def is_changed_here(facts: Facts, call: ast.Call) -> bool:
    """Whether the call itself holds its callbacks, and no dictionary does."""
    return fits.argument(facts, call, "callbacks") is not None or not fits.arguments(
        facts, call, "callbacks"
    )


def in_dictionary(facts: Facts, call: ast.Call, form: ListForm) -> Iterator[tuple[ast.expr, Edit]]:
    """A dictionary like the one of `**options`, with a list that begins with Horovod's callbacks.

    Each `fit` gets a list of its own: the callback of a broadcast works once.
    """
    ours, holder = lacking(facts, call), fits.holder(call)
    if holder is None or is_changed_here(facts, call) or not (ours or form in REWRITTEN):
        return
    name, is_there = ast.unparse(holder), fits.is_given(facts, call, "callbacks")
    held = f'{name}["callbacks"]' if is_there else f'{name}.get("callbacks", [])'
    made = HOLE.sub(lambda _: held, listed(facts, form, ours), count=1)
    yield holder, Wrap(f'{{**_, "callbacks": {made}}}')
    yield holder, Fold()


def told_levels(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """Where a dictionary says how much `fit` tells."""
    if fits.argument(facts, call, "verbose") is None:
        given = fits.arguments(facts, call, "verbose")
        yield from (each for each in given if fits.draws_bar(facts, each))
