"""Peak and time of a training step of eight loops, as they are written and as D501 rewrites them.

python bench/memory_loops.py, in the Python of `make test-distributed`; each figure is a process of
its own. Exit code 1 where 64 compiled steps need more than a fifth of the memory with halves, or a
quarter in eager mode, or where a gradient differs by more than 1e-6 of its largest value. How often
steps are run is tested: tests/codemods/rewrites/test_schedules.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.page import put  # noqa: E402  (run as a script, not as a module)

PAGE = ROOT / "docs" / "memory.md"
STEPS, SNAPSHOTS, NEAR = 64, 5, 1e-6
MOST = {True: 0.2, False: 0.25}  # compiled, or eager: there each cut holds three tensors
SCHEDULES = {"none": None, "halves": "halves", "sqrt": "sqrt", "binomial, 5": "binomial"}

HEAD = """\
import tensorflow as tf

L = tf.keras.layers
tf.keras.utils.set_random_seed(1)
BATCH, STEPS = {batch}, {steps}
many = [tf.Variable(tf.random.normal([64, 64], stddev=0.1)) for _ in range({steps})]
w, v = many[0], many[1]
cell = L.LSTMCell(64, recurrent_activation=tf.sigmoid)
dense = [L.Dense(64, activation="tanh") for _ in range({steps})]
norm = L.LayerNormalization()


def f(x, t):
    return tf.tanh(tf.matmul(x, w)) * t


def network(x):{body}


data = tf.random.normal({shape})
cell(tf.zeros([1, 64]), [tf.zeros([1, 64]), tf.zeros([1, 64])])
norm(tf.zeros([1, 64])), [layer(tf.zeros([1, 64])) for layer in dense]
weights = [*many, *cell.trainable_variables, *norm.trainable_variables]
weights += [each for layer in dense for each in layer.trainable_variables]
optimizer = tf.keras.optimizers.SGD(0.0)


def gradients():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(data)))
    return tape.gradient(loss, weights, unconnected_gradients="zero")


def train():
    optimizer.apply_gradients(zip(gradients(), weights))
"""
COMPILED = "\n\nstep = tf.function(gradients)\n"
ROWS = "[BATCH, 64]"
LOOPS = {
    "residual blocks in a list": (ROWS, """
    for u in many:
        x = x + tf.tanh(tf.matmul(x, u))
    return x"""),
    "layers by their index": (ROWS, """
    for i in range(len(dense)):
        x = x + dense[i](norm(x))
    return x"""),
    "Euler's steps with a clock": (ROWS, """
    t, h = 0.0, 0.01
    for i in range(STEPS):
        x = x + h * f(x, t)
        t = t + h
    return x"""),
    "`while` with a counter": (ROWS, """
    i = 0
    while i < STEPS:
        x = x + tf.sin(tf.matmul(x, w))
        i += 1
    return x"""),
    "a state over time": ("[BATCH, STEPS, 64]", """
    h = tf.zeros([BATCH, 64])
    for t in range(x.shape[1]):
        h = tf.tanh(tf.matmul(x[:, t], w) + tf.matmul(h, v))
    return h"""),
    "LSTM, two states": ("[BATCH, STEPS, 64]", """
    h, c = tf.zeros([BATCH, 64]), tf.zeros([BATCH, 64])
    for t in range(x.shape[1]):
        _, [h, c] = cell(x[:, t], [h, c])
    return h"""),
    "a dictionary of states": (ROWS, """
    s = {"x": x, "y": x * 0.5}
    for i in range(STEPS):
        s["x"] = s["x"] + 0.1 * tf.tanh(tf.matmul(s["y"], w))
        s["y"] = s["y"] - 0.1 * tf.sin(tf.matmul(s["x"], v))
    return s["x"]"""),
    "a loop inside": (ROWS, """
    for u in many:
        y = x
        for k in range(3):
            y = tf.tanh(tf.matmul(y, u)) + y
        x = x + 0.1 * y
    return x"""),
}  # fmt: skip


class Figure(NamedTuple):
    """A step: bytes above what lay there before, seconds, and its gradients' sums and sizes."""

    bytes: int
    seconds: float
    gradients: list[list[float]]


MEASURED = """

import gc, json, time

run = globals().get("step", gradients)
found = run()
gc.collect()
flat = [tf.reshape(g, [-1]) for g in found]
sums = [[float(tf.reduce_max(tf.abs(g))), *map(float, g[::97])] for g in flat]
del found, flat
gc.collect()
memory = tf.config.experimental
memory.reset_memory_stats("CPU:0")
base = memory.get_memory_info("CPU:0")["current"]
began = time.process_time()
found = run()
seconds = time.process_time() - began
size = memory.get_memory_info("CPU:0")["peak"] - base
print(json.dumps([size, seconds, sums]))
"""


def program(name: str, batch: int, compiled: bool) -> str:
    """The program of a loop."""
    shape, body = LOOPS[name]
    text = HEAD.format(batch=batch, steps=STEPS, body=body, shape=shape)
    return text + (COMPILED if compiled else "")


def rewritten(text: str, schedule: str | None) -> str:
    """What D501 makes of it; without a schedule the program as it is."""
    from distify.codemods.migrate import migrate
    from distify.codemods.model import RECOMPUTE, Options

    if schedule is None:
        return text
    options = Options(select=frozenset({RECOMPUTE}), recompute=schedule, snapshots=SNAPSHOTS)
    found = migrate(text, options)
    assert found.after != text, found.blocked
    return found.after


def step(text: str) -> Figure:
    """What a process of its own measures."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_CPU_ALLOCATOR_USE_BFC": "true"}
    alone = "import tensorflow as _tf\n_tf.config.threading.set_inter_op_parallelism_threads(1)\n"
    done = subprocess.run(
        [sys.executable, "-c", alone + text + MEASURED],
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return Figure(*json.loads(done.stdout.splitlines()[-1]))


def difference(one: Figure, other: Figure) -> float:
    """The largest difference of gradients, as a part of the largest value of each."""
    found = [0.0]
    for (most, *a), (_, *b) in zip(one.gradients, other.gradients):
        found += [abs(x - y) / most for x, y in zip(a, b) if most]
    return max(found)


def measured(batch: int, compiled: bool) -> dict[tuple[str, str], Figure]:
    """Every figure of a mode."""
    result = {}
    for name in LOOPS:
        text = program(name, batch, compiled)
        for schedule, kind in SCHEDULES.items():
            one = result[name, schedule] = step(rewritten(text, kind))
            print(
                f"{name:28}{schedule:12}{one.bytes / 1e6:9.1f} MB {one.seconds:7.2f} s",
                file=sys.stderr,
            )
    return result


def table(found: dict[tuple[str, str], Figure], mode: str) -> list[str]:
    """Memory in MB, and in brackets time as a ratio."""
    rows = [f"| {mode} | {' | '.join(SCHEDULES)} | gradients differ by |"]
    rows.append("|---|" + "---:|" * (len(SCHEDULES) + 1))
    for name in LOOPS:
        plain = found[name, "none"]
        cells = [f"{plain.bytes / 1e6:.1f}"]
        for schedule in list(SCHEDULES)[1:]:
            one = found[name, schedule]
            ratio, time = one.bytes / plain.bytes, one.seconds / max(plain.seconds, 1e-9)
            cells.append(f"{one.bytes / 1e6:.1f}: {ratio:.2f} ({time:.1f} ×)")
        most = max(difference(plain, found[name, s]) for s in SCHEDULES)
        rows.append(f"| {name} | {' | '.join(cells)} | {most:.0e} |")
    return rows


def broken(found: dict[tuple[str, str], Figure], compiled: bool) -> list[str]:
    """The promises that do not hold."""
    wrong = []
    for name in LOOPS:
        plain, halves = found[name, "none"], found[name, "halves"]
        if halves.bytes > MOST[compiled] * plain.bytes:
            wrong.append(f"{name}: {halves.bytes / plain.bytes:.2f} of the memory as written")
        most = max(difference(plain, found[name, s]) for s in SCHEDULES)
        if most > NEAR:
            wrong.append(f"{name}: gradients differ by {most:.1e}")
    return wrong


def main() -> int:
    """Prints the tables; exit code 1 if a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--write", action="store_true", help="into docs/memory.md")
    options = parser.parse_args()
    tables, wrong = [], []
    for mode, compiled in (("`tf.function`, 64 steps", True), ("eager, 64 steps", False)):
        found = measured(options.batch, compiled)
        tables.append("\n".join(table(found, mode)))
        print(tables[-1], end="\n\n", flush=True)
        wrong += broken(found, compiled)
    text = "\n\n".join(tables)
    print(*wrong, sep="\n")
    if options.write:
        put(PAGE, "loops", text + "\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
