"""Loaders, generators and loops in files of their own come out on the same rung as in one file."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

HEAD = "import numpy as np\nimport tensorflow as tf\n"
LOAD = """\
def load():
    x = np.random.RandomState(0).rand(256, 4).astype("float32")
    return x, x.sum(1, keepdims=True)
"""
DATA_SET = """\
def batches(size):
    return tf.data.Dataset.from_tensor_slices(load()).shuffle(256).batch(size)
"""
SLICES = """\
def batches(size):
    x, y = load()
    for i in range(0, len(x) - size + 1, size):
        yield x[i : i + size], y[i : i + size]
"""
ENDLESS = """\
def batches(size):
    x, y = load()
    while True:
        pick = np.random.randint(0, len(x), size)
        yield x[pick], y[pick]
"""
SEQUENCE = """\
class Batches(tf.keras.utils.Sequence):
    def __init__(self, size):
        self.x, self.y = load()
        self.size = size

    def __len__(self):
        return len(self.x) // self.size

    def __getitem__(self, i):
        part = slice(i * self.size, (i + 1) * self.size)
        return self.x[part], self.y[part]
"""
STEP = """\
def train_step(model, optimizer, a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    g = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(g, model.trainable_variables))
"""
LOOP = """\
def train(model, optimizer, data):
    for epoch in range(3):
        for a, b in data:
            train_step(model, optimizer, a, b)
"""
LIMITED = """\
def train(model, optimizer, data):
    for step, (a, b) in enumerate(data.repeat()):
        optimizer.learning_rate = 0.1 * 0.9 ** (step / 600)
        train_step(model, optimizer, a, b)
        if step >= 200:
            break
"""
INDICES = """\
def train(model, optimizer, data):
    x, y = data
    for epoch in range(3):
        for i in range(len(x) // 32):
            a, b = x[i * 32 : (i + 1) * 32], y[i * 32 : (i + 1) * 32]
            train_step(model, optimizer, a, b)
"""
MODEL = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
"""
FIT = f'{MODEL}model.compile(optimizer, "mse")\nmodel.fit({{}})\n'
TRAIN = f"{MODEL}train(model, optimizer, {{}})\n"
STEPS = {"steps": STEP, "loop": LOOP}
FILES: dict[str, dict[str, str]] = {
    "arrays": {"data": LOAD, "main": FIT.format("*load(), epochs=3")},
    "a data set": {"data": LOAD, "sets": DATA_SET, "main": FIT.format("batches(32), epochs=3")},
    "a generator": {
        "data": LOAD,
        "sets": ENDLESS,
        "main": FIT.format("batches(32), steps_per_epoch=8, epochs=3"),
    },
    "a sequence": {"data": LOAD, "sets": SEQUENCE, "main": FIT.format("Batches(32), epochs=3")},
    "a loop": {"data": LOAD, "sets": DATA_SET, **STEPS, "main": TRAIN.format("batches(32)")},
    "a loop over slices": {
        "data": LOAD,
        "sets": SLICES,
        "steps": STEP,
        "loop": LOOP.replace("in data:", "in batches(32):"),
        "main": TRAIN.format("None"),
    },
    "a loop of so many steps": {
        "data": LOAD,
        "sets": DATA_SET,
        "steps": STEP,
        "loop": LIMITED,
        "main": TRAIN.format("batches(32)"),
    },
    "a loop of indices": {
        "data": LOAD,
        "steps": STEP,
        "loop": INDICES,
        "main": TRAIN.format("load()"),
    },
}
IMPORTS = {
    "load": "data", "batches": "sets", "Batches": "sets", "train_step": "steps", "train": "loop"
}  # fmt: skip


def texts(files: dict[str, str]) -> dict[str, str]:
    """Each file with what it imports from the others."""
    found = {}
    for name, text in files.items():
        used = [(n, m) for n, m in IMPORTS.items() if f"{n}(" in text and m != name and m in files]
        imports = "".join(f"from {module} import {thing}\n" for thing, module in used)
        found[f"{name}.py"] = f"{HEAD}{imports}\n\n{text}"
    return found


def outcome(found: Migration | None) -> tuple[set[str], list[object]]:
    """The rules that change something, in whatever file, and the rungs on which shares are cut."""
    assert found is not None
    assert not found.blocked, found.blocked
    made = [found, *(other.migration for other in found.others)]
    rules = {step.code for each in made for step in each.steps}
    return rules, [proof.rungs for proof in found.proofs if proof.obligation == "size"]


@pytest.mark.parametrize("name", FILES)
def test_files_of_their_own_make_no_difference(name: str) -> None:
    files = FILES[name]
    together = migrate(HEAD + "\n\n".join(files.values()))
    apart = migrate_project(Project("main.py", texts(files)), None, "main.py")
    assert outcome(apart) == outcome(together)
