"""Programs as D501 rewrites them, and as a person would without its restrictions."""

from __future__ import annotations

import linecache
from types import SimpleNamespace
from typing import Any

from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE, Options
from distify.codemods.rewrites._recomputation import HALVES, written

LOOP = "    for layer in layers:\n        x = layer(x{})\n"
CALL = "    x = {}(layers, x{})\n"
ALONE = Options(select=frozenset({RECOMPUTE}))

# `layers` are made by the lines that a test gives; `step` returns what training would apply.
PROGRAM = """\
import tensorflow as tf

L = tf.keras.layers
tf.keras.utils.set_random_seed(1)
{layers}

def network(x):
{loop}    return x


def step(x):
    tf.random.set_seed(2)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(x)))
    variables = [v for layer in layers for v in layer.trainable_variables]
    return loss, tape.gradient(loss, variables)


optimizer = tf.keras.optimizers.SGD(0.1)


def train(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(network(x))
    variables = [v for layer in layers for v in layer.trainable_variables]
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
"""
COMPILED = "\n\ncompiled = tf.function(step)\n"


def program(layers: str, flag: str = "") -> str:
    """The program as somebody writes it; `flag` is what its layers get as `training`."""
    return PROGRAM.format(layers=layers, loop=LOOP.format(flag and f", training={flag}"))


def by_hand(layers: str, flag: str = "") -> str:
    """The same with the loop rewritten, whatever the layers are."""
    call = CALL.format("run_halves", flag and f", {flag}")
    form = written(HALVES, "run_halves", training=bool(flag))
    return form + PROGRAM.format(layers=layers, loop=call)


def refused(layers: str, flag: str = "") -> list[str]:
    """The codes that keep D501 from doing it."""
    return sorted({finding.code for finding in migrate(program(layers, flag), ALONE).blocked})


def rewritten(layers: str, compiled: bool = False, recompute: str = "halves") -> str:
    """What D501 makes of it; of a program with a compiled step, something else."""
    text = program(layers) + (COMPILED if compiled else "")
    found = migrate(text, ALONE._replace(recompute=recompute))
    assert not found.blocked, found.blocked
    assert CALL.format("run_segments" if recompute == "sqrt" else "run_halves", "") in found.after
    assert ("def run_layer(" in found.after) == compiled
    return found.after


def run(text: str) -> Any:
    """The names of a program."""
    names: dict[str, Any] = {"__name__": "program"}
    file = f"<program {len(linecache.cache)}>"  # AutoGraph reads the lines of what it compiles
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), names)
    return SimpleNamespace(**names)
