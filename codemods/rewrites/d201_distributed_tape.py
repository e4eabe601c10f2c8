"""A tape whose gradients are applied averages them over the workers.

Seed 001, `trans_S` on `with tf.GradientTape()`; https://horovod.readthedocs.io (TensorFlow).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    Fold,
    Insert,
    LeaveBlock,
    Nest,
    Places,
    SetArgument,
    Wrap,
    WrapArgument,
    fold,
    insert,
    leave_block,
    nest,
    set_argument,
    wrap,
    wrap_argument,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT, WITH
from ..facts import Facts
from ..facts.gradients.tapes import wrapped_tapes
from ..facts.keras_version import is_keras_3
from ..facts.value_parts import bound_to
from . import _tape_example as example
from ._keras_3_forms import means, means_of_nested
from ._new_code import compressed, hvd, tape_module
from ._rewrite import Query, rewrite


def tapes(facts: Facts) -> Iterator[At]:
    """`with` blocks after which tapes are wrapped, and uses that are changed on the spot."""
    if is_keras_3(facts):
        for call in wrapped_tapes(facts).plain:
            yield from _averaged(facts, call)
        return
    found, how = wrapped_tapes(facts), compressed(facts)
    wrapper = f"{tape_module(facts)}.DistributedGradientTape"
    for block, names in found.after.items():
        lines = "".join(f"{name} = {wrapper}({name}{how})\n" for name in names)
        if block in found.split:
            first = found.moved[block]
            yield At(block, Nest(found.split[block]), tuple(block.body[:first]))
            yield At(block.body[first], Insert(before=lines))
            continue
        if block in found.moved:
            yield At(block, LeaveBlock(), tuple(block.body[found.moved[block] :]))
        yield At(block, Insert(after=lines))
    for receiver in dict.fromkeys(found.in_place):
        yield At(receiver, Wrap(f"{wrapper}(_{how})"))
    for creation in found.made_persistent:
        yield At(creation, SetArgument("persistent", "True", 0))
    for call in dict.fromkeys(found.listed):
        yield At(call, WrapArgument("sources", "[_]", 1))
        yield At(call, Wrap("_[0]"))


def _averaged(facts: Facts, call: ast.Call) -> Iterator[At]:
    """Each gradient is averaged by itself, as Keras 3 needs it: None stays None."""
    name, found = bound_to(facts, call), wrapped_tapes(facts)
    written = means_of_nested if call in found.nested else means
    if call in found.listed:
        yield At(call, Wrap(f"{hvd(facts)}.allreduce(_{compressed(facts)})"))
    elif name is not None:
        yield At(call, Insert(after=f"{name} = {written(facts, name)}\n"))
    else:
        yield At(call, Wrap(written(facts, "_")))
        yield At(call, Fold())


@rewrite(
    code="D201",
    name="distributed-tape",
    summary="Average the gradients over the workers: wrap the tape they come from.",
    needs=("D101", "D102"),
    find=tapes,
    before=example.BEFORE,
    after=example.after(behind_tape="    tape = hvd.DistributedGradientTape(tape)\n"),
    noop=(
        # these gradients are looked at, not applied
        "import tensorflow as tf\n\nx = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n    y = x * x\nprint(tape.gradient(y, x))\n",
    ),
)
def distributed_tape(at: Places) -> Query:
    """Wrap after the block that records, or where the tape is asked."""
    return (
        Query()
        .select(WITH)
        .filter(at.each(LeaveBlock))
        .modify(leave_block)
        .select(WITH)
        .filter(at.each(Nest))
        .modify(nest)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(WrapArgument))
        .modify(wrap_argument)
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(EXPRESSION)
        .filter(at.each(Fold))
        .modify(fold)
    )
