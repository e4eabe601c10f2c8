"""A tape whose gradients are applied averages them over the workers.

Seed 001, `trans_S` on `with tf.GradientTape()`; https://horovod.readthedocs.io (TensorFlow).
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..facts import Facts
from ..facts.tapes import tape_module, wrapped_tapes
from . import _tape_example as example
from ._rewrite import LN, Capture, Places, Query, rewrite
from .edits import argument, insert_after, leave_block, wrap


class Tape(NamedTuple):
    """What happens at one place: a template around an expression, or lines after a `with`."""

    code: str = "_"
    moved: int | None = None  # the statements from this one on leave the block first
    is_block: bool = False
    is_single: bool = False


def tapes(facts: Facts) -> dict[ast.AST, Tape]:
    """`with` blocks after which tapes are wrapped, and uses that are changed on the spot."""
    found, hvd = wrapped_tapes(facts), tape_module(facts)
    places: dict[ast.AST, Tape] = {}
    for block, names in found.after.items():
        lines = "".join(f"{name} = {hvd}.DistributedGradientTape({name})\n" for name in names)
        start = found.moved.get(block)
        places[block] = Tape(lines, start, is_block=True)
        places.update((statement, Tape()) for statement in (block.body[start:] if start else ()))
    for receiver in found.in_place:
        places[receiver] = Tape(f"{hvd}.DistributedGradientTape(_)")
    for call in found.listed:
        places[call] = Tape("_[0]", is_single=True)
    return places


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
def distributed_tape(at: Places[Tape]) -> Query:
    """Wrap after the block that records, or where the tape is asked."""

    def put(node: LN, capture: Capture, filename: str) -> None:
        tape = at[node]
        if tape.is_single:
            wrap(argument(node, "sources", 1), "[_]")
        if tape.moved is not None:
            leave_block(node, tape.moved)
        if tape.is_block:
            insert_after(node, tape.code)
        elif tape.code != "_":
            wrap(node, tape.code)

    return Query().select("any").filter(at.here).modify(put)
