"""A tape whose gradients are applied averages them over the workers.

Seed 001, `trans_S` on `with tf.GradientTape()`; https://horovod.readthedocs.io (TensorFlow).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import (
    At,
    Insert,
    LeaveBlock,
    Places,
    Wrap,
    WrapArgument,
    insert,
    leave_block,
    wrap,
    wrap_argument,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT, WITH
from ..facts import Facts
from ..facts.gradients.tapes import wrapped_tapes
from . import _tape_example as example
from ._new_code import tape_module
from ._rewrite import Query, rewrite


def tapes(facts: Facts) -> Iterator[At]:
    """`with` blocks after which tapes are wrapped, and uses that are changed on the spot."""
    found, wrapper = wrapped_tapes(facts), f"{tape_module(facts)}.DistributedGradientTape"
    for block, names in found.after.items():
        if block in found.moved:
            yield At(block, LeaveBlock(), tuple(block.body[found.moved[block] :]))
        yield At(block, Insert(after="".join(f"{name} = {wrapper}({name})\n" for name in names)))
    for receiver in dict.fromkeys(found.in_place):
        yield At(receiver, Wrap(f"{wrapper}(_)"))
    for call in dict.fromkeys(found.listed):
        yield At(call, WrapArgument("sources", "[_]", 1))
        yield At(call, Wrap("_[0]"))


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
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(WrapArgument))
        .modify(wrap_argument)
        .select(EXPRESSION)
        .filter(at.each(Wrap))
        .modify(wrap)
    )
