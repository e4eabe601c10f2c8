"""What an Estimator needs, and how the end of its training is written (D404)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, DropArgument, Name, NameArgument, Rename
from ..facts import Facts, Pattern, training_of
from ..facts.sessions.monitored_sessions import counted_ends, folders
from ..facts.value_parts import can_be_named
from ..library.estimators import TRAIN
from ..library.tensorflow_names import STOP_AT_STEP
from ._hook_edits import edits_of_training
from ._new_code import fresh_for, spell
from ._ready_made import named_optimizers

END = "max_steps"


def estimators(facts: Facts) -> Iterator[At]:
    """The hooks of each `train`, the folders, and how many steps it takes."""
    if facts.has_horovod or training_of(facts).pattern is not Pattern.ESTIMATOR:
        return
    written = list(folders(facts))
    ends = {c: n for c, n in counted_ends(facts) if written and _is_movable(facts, c, n)}
    hook = spell(facts, STOP_AT_STEP)
    names = {call: fresh_for(facts, "last_step", last) for call, last in ends.items()}
    hooks = {call: f"{hook}(last_step={name})" for call, name in names.items()}
    yield from edits_of_training(facts, written, hooks)
    yield from named_optimizers(facts)
    for call, _ in counted_ends(facts):
        if call in ends:
            yield At(call, NameArgument(END, TRAIN[END], Name(names[call])))
        yield At(call, DropArgument(END) if call in ends else Rename("steps", END))


def _is_movable(facts: Facts, call: ast.Call, last: ast.expr) -> bool:
    """Whether a hook can end it at a step, which counts on from the first run of all.

    Horovod's hook has told all workers of worker 0's step before; `max_steps` asks the folder,
    which worker 0 alone has. No comment may belong to the argument that goes.
    """
    begin, end = facts.source.offsets(call)
    return "#" not in facts.source.text[begin:end] and can_be_named(facts, last)
