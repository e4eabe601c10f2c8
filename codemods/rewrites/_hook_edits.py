"""How the hooks of a monitored session, or of an Estimator, are written."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..edits import At, Choose, Edit, FoldCall, Prepend, SetArgument, WrapArgument
from ..facts.output.callback_lists import ListForm
from ..facts.sessions.monitored_sessions import hook_lists, watched_losses
from ..library.sessions import SUPERVISORS, WRITING_HOOKS
from ..library.tensorflow_names import V1
from ._kept_elements import KeptByRankZero, kept_elements
from ._new_code import hvd, spell

if TYPE_CHECKING:
    from ..facts import Facts
    from ..facts.sessions.monitored_sessions import HookList

BROADCAST = "{hvd}.BroadcastGlobalVariablesHook(0)"
ONLY_THERE = "_ if {hvd}.rank() == 0 else None"
AVERAGE = "{hvd}.allreduce(_)"
# A name that may hold None, or another list each time: decided when the program runs.
FILTER = (
    "[{ours}, *(hook for hook in _ or [] "
    "if {hvd}.rank() == 0 or not isinstance(hook, ({writers})))]"
)
FORMS = {ListForm.MISSING: "[{ours}]", ListForm.NAMED: "[{ours}, *_]"}


def edits_of_training(
    facts: Facts, written: Iterable[ast.expr], ends: Mapping[ast.Call, str] | None = None
) -> Iterator[At]:
    """All hooks, the places to write to, which worker 0 keeps, and losses that end a training.

    `ends` are the hooks that end a `train` beside those that it is given.
    """
    of = ends or {}
    edits = (e for one in hook_lists(facts) for e in edits_of_hooks(facts, one, of.get(one.call)))
    yield from dict.fromkeys(edits)  # several may be given one list
    only_there = Choose(ONLY_THERE.format(hvd=hvd(facts)))
    yield from (At(place, only_there) for place in written)
    yield from (At(each, FoldCall()) for each in facts.calls_of(*SUPERVISORS))
    average = WrapArgument("loss_tensor", AVERAGE.format(hvd=hvd(facts)), 0)
    yield from (At(call, average) for call in watched_losses(facts))


def edits_of_hooks(facts: Facts, one: HookList, end: str | None = None) -> Iterator[At]:
    """Horovod's hook goes first: those behind it ask for the step that it has told to all."""
    ours = ", ".join([BROADCAST.format(hvd=hvd(facts)), *([end] if end else [])])
    given = facts.argument(one.call, one.argument, one.position)
    begun = [given] if one.starts and given is not None else []
    kept = KeptByRankZero(one.given.rank_zero, one.given.guarded, one.argument, begun)
    yield from kept_elements(facts, kept)
    if one.starts:
        yield At(one.call, with_ours(facts, one, ours))
    yield At(one.call, FoldCall())
    if one.given.form is not ListForm.MISSING:
        yield At(one.call, FoldCall(one.argument, one.position))


def with_ours(facts: Facts, one: HookList, ours: str) -> Edit:
    """The edit that puts a hook of Horovod's in front of those that are there."""
    if one.given.form is ListForm.DISPLAY:
        return Prepend(one.argument, ours, one.position)
    if one.given.form is ListForm.MISSING:
        return SetArgument(one.argument, f"[{ours}]", one.position)
    return WrapArgument(one.argument, listed(facts, one.given.form, ours), one.position)


def listed(facts: Facts, form: ListForm, ours: str) -> str:
    """The list with Horovod's hook first; `_` stands for what is given."""
    prefix = spell(facts, f"{V1}.train")
    writers = ", ".join(f"{prefix}.{name}" for name in WRITING_HOOKS)
    return FORMS.get(form, FILTER).format(ours=ours, hvd=hvd(facts), writers=writers)
