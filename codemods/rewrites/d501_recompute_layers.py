"""Layers are run again for their gradients, so that few of their outputs are kept.

Seed 004, "Algorithm for Divide-and-Conquer Checkpointing"; Siskind and Pearlmutter,
https://arxiv.org/abs/1708.06799.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ..edits import (
    At,
    Define,
    Insert,
    Places,
    Remove,
    Replace,
    SetArgument,
    define,
    insert,
    remove,
    replace,
    set_argument,
)
from ..edits.patterns import CALL, EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.layers.any_loops import AnyLoop
from ..facts.layers.layer_loops import LayerLines, LayerLoop, StepLoop
from ..facts.layers.recomputed_layers import Recomputation, recomputation
from . import _any_loop, _chains, _recomputing, _same_again
from ._new_code import code, fresh, tf
from ._rewrite import Query, rewrite

Loop = Union[LayerLoop, LayerLines, StepLoop, AnyLoop]


def recomputed(facts: Facts) -> Iterator[At]:
    """The loops, and the statement before which their functions go."""
    found = recomputation(facts)
    loops: list[Loop] = sorted((*found.loops, *found.lines, *found.steps, *found.others), key=_line)
    inserted: dict[ast.stmt, Insert] = {}
    for loop in loops:
        if isinstance(loop, AnyLoop):
            inserted[loop.node] = _any_loop.around(facts, loop)
            yield from _any_loop.inside(facts, loop)
        else:
            is_many = isinstance(loop, LayerLines)
            inserted[loop.node] = Insert(after=_call(facts, loop), fold=is_many)
            for each in loop.lines if isinstance(loop, LayerLines) else (loop.node,):
                yield At(each, Remove())
    yield from _chains.changed(facts, found.chains)
    yield from _same_again.repairs(facts, found.repaired)
    places = [*(x.node for x in (*loops, *found.repaired)), *(x.call for x in found.chains)]
    if places:
        first = _chains.first(facts, places)
        there = inserted.get(first, Insert())
        before = _definitions(facts, found, loops) + there.before
        inserted[first] = there._replace(before=before)
    for place, lines in inserted.items():
        yield At(place, lines)


def _line(loop: Loop) -> int:
    return loop.node.lineno


def _call(facts: Facts, loop: LayerLoop | LayerLines | StepLoop) -> str:
    if isinstance(loop, StepLoop):
        return _call_of_steps(facts, loop)
    flag = _flag(facts, loop)
    more, name = flag and f", {flag}", _recomputing.name(facts, flag != "")
    if isinstance(loop, LayerLines):
        layers = f"[{', '.join(code(facts, each) for each in loop.layers)}]"
    else:
        layers = code(facts, loop.layers)
    return f"{loop.carried} = {name}({layers}, {loop.carried}{more})\n"


def _flag(facts: Facts, loop: LayerLoop | LayerLines) -> str:
    """What all of its layers are told as `training`; nothing if they are told nothing."""
    if loop.is_told:
        return "training"
    return "" if loop.training is None else code(facts, loop.training)


def _call_of_steps(facts: Facts, loop: StepLoop) -> str:
    cell, dots = code(facts, loop.cell), ":, " * loop.axis
    if loop.is_nested:
        cell = f"lambda x, h: {cell}(x, [h])[0]"
    axis = f", axis={loop.axis}" if loop.axis else ""
    steps = f"{loop.given}{axis}"
    if loop.times is not None:
        count = code(facts, loop.times)
        steps = f"{loop.given}[{dots}:{count}], {count}{axis}"
    name = fresh(facts, "run_steps")
    return f"{loop.carried} = {name}({cell}, {tf(facts)}.unstack({steps}), {loop.carried})\n"


def _definitions(facts: Facts, found: Recomputation, loops: list[Loop]) -> str:
    kinds = {_flag(facts, each) != "" for each in found.loops}
    kinds |= {_flag(facts, each) != "" for each in found.lines} | {True for _ in found.chains}
    has_steps = any(isinstance(loop, StepLoop) for loop in loops)
    others = [each for each in loops if isinstance(each, AnyLoop)]
    texts = _recomputing.definitions(facts, sorted(kinds), has_steps, others)
    texts = [_same_again.told(facts, text, found.repaired) for text in texts]
    texts = [*_same_again.definitions(facts, found.repaired), *texts]
    texts += _chains.definitions(facts, found.chains)
    return "\n\n" + "\n\n".join(texts) + "\n\n"


def _example(body: str, above: str = "") -> str:
    return f"""\
import tensorflow as tf


class Mixer(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.norm = tf.keras.layers.LayerNormalization()
        self.dense = tf.keras.layers.Dense(64, activation="gelu")

    def call(self, x):
        return x + self.dense(self.norm(x))


{above}class Network(tf.keras.Model):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [Mixer() for _ in range(depth)]
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
{body}        return self.head(x)


model = Network(32)
model.compile("sgd", "mse")
model.fit(tf.ones((8, 64)), tf.ones((8, 1)))
"""


@rewrite(
    code="D501",
    name="recompute-layers",
    summary="Run layers again for their gradients instead of keeping what they gave.",
    find=recomputed,
    before=_example("        for block in self.blocks:\n            x = block(x)\n"),
    after=_example(
        "        x = run_halves(self.blocks, x)\n",
        """\
def run_layer(layer, x):
    \"\"\"Run a layer; going back, its weights get their gradients before any layer below.\"\"\"

    @tf.custom_gradient
    def run(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = layer(x)

        def gradient(dy, variables=()):
            dx, *own = tape.gradient(y, [x, *variables], dy, unconnected_gradients="zero")
            with tf.control_dependencies(own):
                dx = tf.identity(dx)
            return (dx, own) if variables else dx

        return y, gradient

    return run(x)


def run_halves(layers, x):
    \"\"\"Run the layers; for gradients, the first half is run again instead of kept.\"\"\"
    if len(layers) < 2:
        return run_layer(layers[0], x) if layers else x
    half = len(layers) // 2
    x = tf.recompute_grad(lambda x: run_halves(layers[:half], x))(x)
    return run_halves(layers[half:], x)


""",
    ),
    noop=(
        # somebody has decided already
        _example("        x = tf.recompute_grad(self.blocks[0])(x)\n"),
        # no output goes to the next layer
        _example("        x = [block(x) for block in self.blocks][-1]\n"),
    ),
)
def recompute_layers(at: Places) -> Query:
    """The loop becomes a call; the function that is called goes before what holds the loop."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(EXPRESSION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(STATEMENT)
        .filter(at.each(Define))
        .modify(define)
        .select(STATEMENT)
        .filter(at.each(Remove))
        .modify(remove)
    )
