"""One training step of a network, and the most memory that TensorFlow's allocator held in it.

A process of its own for each figure, started by `bench/memory.py`. It prints one JSON object:
bytes above what lay there before the step, seconds of the step, how often layers were run forwards.
It needs TensorFlow and nothing else, so that a machine with a GPU need have no more.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import math
import os
import runpy
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# The allocator that counts every tensor; without it a processor's memory is counted from 256 KB on,
# and only where oneDNN is used.
os.environ.setdefault("TF_CPU_ALLOCATOR_USE_BFC", "true")
if importlib.util.find_spec("tf_keras"):
    os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")

tf: Any = importlib.import_module("tensorflow")
FORMS = Path(__file__).resolve().parent.parent / "codemods" / "rewrites" / "_recomputation.py"
D501 = runpy.run_path(str(FORMS))
WIDTH = 32
Schedule = Callable[[Sequence[Any], Any], Any]


def none(layers: Sequence[Any], x: Any) -> Any:
    for layer in layers:
        x = layer(x)
    return x


def form(kind: str) -> Schedule:
    """What the rule writes into a file: the one for compiled steps, or the other one."""
    names: dict[str, Any] = {"tf": tf}
    exec(D501["written"](D501[kind], "run_eagerly"), names)
    exec(D501["written"](D501[kind], "run_compiled", layer="run_layer"), names)

    def run(layers: Sequence[Any], x: Any) -> Any:
        is_plain = tf.executing_eagerly() or "--by-hand" in sys.argv
        return names["run_eagerly" if is_plain else "run_compiled"](layers, x)

    return run


@functools.cache
def split(layers: int, checkpoints: int) -> tuple[int, int]:
    """The fewest layers that must be run again, and after how many layers to keep a tensor."""
    if layers <= 1:
        return 0, 0
    if checkpoints == 0:
        return layers * (layers - 1) // 2, layers - 1
    return min(
        (first + split(layers - first, checkpoints - 1)[0] + split(first, checkpoints)[0], first)
        for first in range(1, layers)
    )


def binomial(layers: Sequence[Any], x: Any, checkpoints: int | None = None) -> Any:
    """Griewank's schedule, the best there is for equal layers and so many checkpoints."""
    if checkpoints is None:
        checkpoints = max(1, math.ceil(math.log2(len(layers))))
    if len(layers) < 2:
        return SCHEDULES["halves"](layers, x)
    first = split(len(layers), checkpoints)[1]
    x = tf.recompute_grad(lambda x: binomial(layers[:first], x, checkpoints))(x)
    return binomial(layers[first:], x, max(0, checkpoints - 1))


SCHEDULES: dict[str, Schedule] = {
    "none": none,
    "sqrt": form("SEGMENTS"),
    "halves": form("HALVES"),
    "binomial": binomial,
}


class Block(tf.Module):  # type: ignore[misc]
    """x + tanh(xW + b); counts its runs in Python, which is each one in eager mode."""

    runs = 0

    def __init__(self, seed: int) -> None:
        super().__init__()
        weights = tf.random.Generator.from_seed(seed).normal([WIDTH, WIDTH]) / WIDTH
        self.w, self.b = tf.Variable(weights), tf.Variable(tf.zeros([WIDTH]))

    def __call__(self, x: Any) -> Any:
        Block.runs += 1
        return x + tf.nn.tanh(tf.matmul(x, self.w) + self.b)


def by_hand(options: argparse.Namespace) -> Callable[[], Any]:
    """A step of a tape: loss and gradients."""
    layers = [Block(seed) for seed in range(options.depth)]
    variables = [variable for layer in layers for variable in (layer.w, layer.b)]
    x = tf.random.Generator.from_seed(7).normal([options.batch, WIDTH])

    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = SCHEDULES[options.schedule](layers, x)
            loss = tf.reduce_mean(y * y)
        return loss, tape.gradient(loss, variables)

    run = step if options.mode == "eager" else tf.function(step)

    def result() -> Any:
        loss, gradients = run(x)
        return float(loss), gradients

    return result


def by_fit(options: argparse.Namespace) -> Callable[[], Any]:
    """An epoch of one batch of `fit`, for a model with pre-norm blocks."""
    keras = tf.keras

    class Mixer(keras.layers.Layer):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.normalise = keras.layers.LayerNormalization()
            self.dense = keras.layers.Dense(WIDTH, activation="tanh")

        def call(self, x: Any) -> Any:
            return x + self.dense(self.normalise(x))

    class Network(keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.blocks = [Mixer() for _ in range(options.depth)]
            self.head = keras.layers.Dense(1)

        def call(self, x: Any) -> Any:
            return self.head(SCHEDULES[options.schedule](self.blocks, x))

    keras.utils.set_random_seed(1)
    model = Network()
    model.compile(keras.optimizers.SGD(1e-4), "mse")
    x = tf.random.Generator.from_seed(7).normal([options.batch, WIDTH])
    return lambda: model.fit(x, x[:, :1], batch_size=options.batch, verbose=0).history["loss"]


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The figures of the cheapest of the steps after the first one, which traces."""
    step = (by_fit if options.mode == "fit" else by_hand)(options)
    clock = time.perf_counter if "GPU" in options.device else time.process_time
    began = clock()
    step()
    traced, runs = clock() - began, Block.runs
    memory = tf.config.experimental
    base = memory.get_memory_info(options.device)["current"]
    memory.reset_memory_stats(options.device)
    seconds = []
    for _ in range(options.steps):
        began = clock()
        step()
        seconds.append(clock() - began)
    peak = memory.get_memory_info(options.device)["peak"] - base
    return {"bytes": peak, "seconds": min(seconds), "first": traced, "runs": runs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("schedule", choices=SCHEDULES)
    parser.add_argument("mode", choices=("eager", "function", "fit"))
    parser.add_argument("depth", type=int)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--device", default="CPU:0")
    parser.add_argument("--by-hand", action="store_true", help="without run_layer, in any order")
    parser.add_argument("--setting", action="store_true", help="dependency_optimization off")
    options = parser.parse_args()
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    if options.setting:
        tf.config.optimizer.set_experimental_options({"dependency_optimization": False})
    with tf.device(options.device):
        print(json.dumps(measure(options)))


if __name__ == "__main__":
    main()
