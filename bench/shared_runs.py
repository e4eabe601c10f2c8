"""What a worker does in an epoch, on each rung of the ladder: its steps and examples in a run.

Of each rung three programs or more: migrated, then run by `distify verify` on 2 and on 4 workers,
beside one process. On N of them an epoch takes an Nth of the steps, and all workers together the
examples of one process, but for an incomplete last turn.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.page import put  # noqa: E402  (run as a script, not as a module)
from distify.codemods.judge.proof import WORDS  # noqa: E402
from distify.codemods.migrate import migrate  # noqa: E402

PAGE = ROOT / "docs" / "benchmarks.md"
HEAD = "| shared by | program | workers | steps of each | of one | examples of all | of one |"
_TAKEN = re.compile(
    r"([\d,]+) examples on \d+ workers, ([\d,]+) in one process \((\d+) steps each, and (\d+)\)"
)
DATA = """\
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
x = rng.rand(512, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
"""
MODEL = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(1)])
"""
FIT = MODEL + 'model.compile(tf.keras.optimizers.SGD(0.01), "mse")\n'
TAPE = (
    MODEL
    + """\
optimizer = tf.keras.optimizers.SGD(0.01)


def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


"""
)
GENERATOR = """\
def batches(size=16):
    for i in range(0, len(x), size):
        yield x[i : i + size], y[i : i + size]


"""
MAKE = """\
def make(x, y, shuffled):
    data = tf.data.Dataset.from_tensor_slices((x - x.mean(), y))
    return (data.shuffle(64) if shuffled else data).batch(16)


"""
GRAPH = DATA.replace(
    "import tensorflow as tf", "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()"
)
STEP = """\
weights = tf.get_variable("weights", [4, 1])
loss = tf.reduce_mean((tf.matmul(a, weights) - b) ** 2)
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
"""
SLICES = "tf.data.Dataset.from_tensor_slices((x, y))"
FILES = (
    DATA
    + """\
import os

os.makedirs("files", exist_ok=True)
names = [f"files/{n:04d}" for n in range(512)]
for name, a, b in zip(names, x, y):
    with tf.io.TFRecordWriter(name) as file:
        file.write(tf.io.serialize_tensor(tf.constant([*a, *b])).numpy())


def parse(record):
    row = tf.ensure_shape(tf.io.parse_tensor(record, tf.float32), [5])
    return row[:4], row[4:]


def read(name):
    return tf.data.TFRecordDataset(name)


names = [f"files/{n:04d}" for n in range(512)]
data = tf.data.Dataset.from_tensor_slices(names).shuffle(512)
"""
)
ENDLESS = "steps_per_epoch=32, epochs=2, verbose=0)\n"
PROGRAMS = {
    "files": {
        "interleaved": FILES + FIT + "data = data.interleave(tf.data.TFRecordDataset).repeat()\n"
        "model.fit(data.shuffle(64).map(parse).batch(16), " + ENDLESS,
        "one after the other": FILES + FIT + "data = data.flat_map(read).map(parse)\n"
        "model.fit(data.repeat().batch(16), " + ENDLESS,
        "a loop": FILES + TAPE + "data = data.repeat().flat_map(read).map(parse).batch(16)\n"
        "for a, b in data.take(64):\n    step(a, b)\n",
    },
    "arrays": {
        "fit": DATA + FIT + "model.fit(x, y, batch_size=16, epochs=2, verbose=0)\n",
        "a loop of slices": DATA + TAPE
        + "for i in range(0, len(x), 16):\n    step(x[i : i + 16], y[i : i + 16])\n",
        "a full batch": DATA + TAPE + "for n in range(32):\n    step(x, y)\n",
        "a function of both": DATA + MAKE.replace("x - x.mean()", "x") + FIT
        + "train, test = make(x[:448], y[:448], True), make(x[448:], y[448:], False)\n"
        "model.fit(train, epochs=2, verbose=0)\nmodel.evaluate(test, verbose=0)\n",
    },
    "pipeline": {
        "fit": DATA + FIT + f"model.fit({SLICES}.shuffle(512).batch(16), epochs=2, verbose=0)\n",
        "a loop": DATA + TAPE + f"for a, b in {SLICES}.shuffle(512).batch(16):\n    step(a, b)\n",
        "of unknown length": DATA + FIT + f"data = {SLICES}.filter(lambda a, b: b[0] > 1.5)\n"
        "model.fit(data.shuffle(64).batch(16), epochs=2, verbose=0)\n",
    },
    "turns": {
        "a generator": DATA + TAPE + GENERATOR + "for a, b in batches():\n    step(a, b)\n",
        "a generator of fit": DATA + FIT + GENERATOR
        + "model.fit(batches(), steps_per_epoch=32, verbose=0)\n",
        "a function of both": DATA + MAKE + FIT
        + "train, test = make(x[:448], y[:448], True), make(x[448:], y[448:], False)\n"
        "model.fit(train, epochs=2, verbose=0)\nmodel.evaluate(test, verbose=0)\n",
    },
    "TensorFlow 1": {
        "feed_dict": GRAPH
        + "a, b = (tf.placeholder(tf.float32, [None, n]) for n in (4, 1))\n"
        + STEP
        + "    for i in range(0, len(x), 16):\n"
        "        session.run(train, {a: x[i : i + 16], b: y[i : i + 16]})\n",
        "an iterator": GRAPH + f"data = {SLICES}.shuffle(512).repeat().batch(16)\n"
        "a, b = tf.data.make_one_shot_iterator(data).get_next()\n" + STEP
        + "    for i in range(32):\n        session.run(train)\n",
        "a handle": GRAPH + f"data = {SLICES}.shuffle(512).repeat().batch(16)\n"
        "handle = tf.placeholder(tf.string, shape=[])\n"
        "types, shapes = tf.data.get_output_types(data), tf.data.get_output_shapes(data)\n"
        "iterator = tf.data.Iterator.from_string_handle(handle, types, shapes)\n"
        "a, b = iterator.get_next()\n"
        "training = tf.data.make_one_shot_iterator(data)\n" + STEP
        + "    own = session.run(training.string_handle())\n"
        "    for i in range(32):\n        session.run(train, {handle: own})\n",
    },
}  # fmt: skip


class Ran(NamedTuple):
    """What was seen of one program on so many workers."""

    rung: str
    name: str
    workers: int
    steps: int
    steps_of_one: int
    examples: str
    examples_of_one: str

    @property
    def is_an_nth(self) -> bool:
        """Whether an epoch takes an Nth of the steps, but for a short batch in each of two."""
        return self.steps <= self.steps_of_one / self.workers + 2

    @property
    def row(self) -> str:
        """A line of the table."""
        of_one = f"{self.steps_of_one} | {self.examples} | {self.examples_of_one}"
        return f"| {self.rung} | {self.name} | {self.workers} | {self.steps} | {of_one} |"


def run(rung: str, name: str, text: str, workers: int) -> Ran:
    """Migrates one program and runs it. Raises SystemExit where either fails."""
    done = migrate(text)
    if done.blocked or not done.steps:
        raise SystemExit(f"{rung}, {name}: not migrated: {done.blocked or done.skipped}")
    shared = ", ".join(WORDS[each] for proof in done.proofs for each in proof.rungs)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "train.py").write_text(done.after, encoding="utf-8")
        command = [str(Path(sys.executable).parent / "distify"), "verify", "train.py"]
        command += ["-np", str(workers), "--format", "json", "--python", sys.executable]
        environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
        ended = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    if ended.returncode:
        raise SystemExit(f"{rung}, {name}: {ended.stdout[-3000:]}{ended.stderr[-2000:]}")
    texts = [verdict["text"] for verdict in json.loads(ended.stdout)["verdicts"]]
    found = next(filter(None, map(_TAKEN.search, texts)), None)
    if found is None:
        raise SystemExit(f"{rung}, {name}: nothing was said of examples: {texts}")
    every, of_one, steps, steps_of_one = found.groups()
    return Ran(shared or rung, name, workers, int(steps), int(steps_of_one), every, of_one)


def runs(workers: list[int], only: str) -> Iterator[Ran]:
    """Each program on each number of workers."""
    for rung, programs in PROGRAMS.items():
        for name, text in programs.items():
            for number in workers if only in rung else ():
                yield run(rung, name, text, number)


def main() -> int:
    """Prints the table; exit code 1 if an epoch takes more than an Nth of the steps somewhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="rungs with this in their name")
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md")
    options = parser.parse_args()
    print(f"{HEAD}\n|---|---|---|---|---|---|---|")
    found = []
    for ran in runs([2, 4], options.only):
        found.append(ran)
        print(ran.row, flush=True)
    if options.write:
        put(
            PAGE,
            "shares",
            "\n".join([HEAD, "|---|---|---|---|---|---|---|", *(r.row for r in found)]),
        )
    return int(not all(ran.is_an_nth for ran in found))


if __name__ == "__main__":
    sys.exit(main())
