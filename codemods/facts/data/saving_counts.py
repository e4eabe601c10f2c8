"""After how many batches callbacks and hooks save, `ModelCheckpoint(path, save_freq=500)`: steps.

A worker that takes a share of the steps of an epoch gets to that number later, or never.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...library.callbacks import SAVING
from ...library.names import in_v1
from ..facts import Facts
from .counts import shrinks
from .steps import is_many

# The argument that counts steps, and its place: in Keras 2 and 3, and in TensorFlow 1.
_SAVERS: Mapping[str, tuple[str, int]] = {
    **{name: ("save_freq", at) for name, at in SAVING.items()},
    **dict.fromkeys(
        in_v1("train.CheckpointSaverHook", "estimator.CheckpointSaverHook"), ("save_steps", 2)
    ),
    **dict.fromkeys(in_v1("train.MonitoredTrainingSession"), ("save_checkpoint_steps", 13)),
    **dict.fromkeys(in_v1("estimator.RunConfig"), ("save_checkpoints_steps", 3)),
}


def saving_counts(facts: Facts) -> Iterator[ast.expr]:
    """Each such number that can be seen to be one: `"epoch"` is none."""
    for name, where in _SAVERS.items():
        for call in facts.calls_of(name):
            value = facts.argument(call, *where)
            if value is not None and _is_number(facts, value):
                yield from [value] if is_many(facts, value) and not shrinks(facts, value) else []


def _is_number(facts: Facts, value: ast.expr) -> bool:
    made = facts.origins(value)
    return made.complete and all(_counts(node) for node in made.nodes)


def _counts(node: ast.AST) -> bool:
    """A number that is written out, or computed: texts are not computed with."""
    is_computed = isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.Add, ast.Mod))
    return is_computed or type(getattr(node, "value", None)) is int
