"""`batch = "global"`: the training of one process, on two workers; and what is refused, run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kept_losses import CAUTIOUS, CLIPPED, FORMS, MASKED, RIGHT
from proof import BIN, verify

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import json
import os

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
rng = np.random.default_rng(3)
x = rng.normal(size=(400, 6)).astype("float32")
y = (x[:, :1] * 0.5 + 0.1).astype("float32")
BATCH = 16
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
)
model.build((None, 6))
every, wanted = x.copy(), y.copy()
losses = []


def look():
    error = model(every) - wanted
    losses.append(float(tf.reduce_mean(error * error)))


"""
SEEN = """\
class Look(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        look()


"""
TOLD = """\
with open(os.environ["TOLD"], "w") as file:
    json.dump(losses, file)
"""
FIT = """\
model.compile(tf.keras.optimizers.SGD(0.05), loss="mse")
model.fit({}, epochs=2, callbacks=[Look()], verbose=0)
"""
DATA = "tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH)"
TAPE = f"""\
opt = tf.keras.optimizers.SGD(0.05)
data = {DATA}


@tf.function
def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b)) + 0.01 * tf.nn.l2_loss(model.weights[0])
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 0.5)
    opt.apply_gradients(zip(gradients, model.trainable_variables))


for epoch in range(2):
    for a, b in data:
        step(a, b)
        look()
"""
SLICES = (
    TAPE.partition("for epoch")[0]
    + """\
rounds = len(x) // BATCH
for epoch in range(2):
    for i in range(rounds):
        step(x[i * BATCH : (i + 1) * BATCH], y[i * BATCH : (i + 1) * BATCH])
        look()
"""
)
EXAMPLES = {
    "arrays": HEAD + SEEN + FIT.format("x, y, batch_size=BATCH, shuffle=False") + TOLD,
    "tape": HEAD + TAPE + TOLD,
    "slices": HEAD + SLICES + TOLD,
}


def run(program: Path, workers: int, told: Path) -> list[float]:
    """The losses that it tells on so many workers."""
    launcher = [str(BIN / "horovodrun"), "-np", str(workers), "--gloo"] if workers > 1 else []
    done = subprocess.run(
        [*launcher, sys.executable, str(program)], cwd=program.parent, capture_output=True,
        text=True, env={**os.environ, "TOLD": str(told)}, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [float(each) for each in json.loads(told.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("name", EXAMPLES)
def test_two_workers_train_as_one_process_does(name: str, tmp_path: Path, distify: Any) -> None:
    program = tmp_path / "train.py"
    program.write_text(EXAMPLES[name], encoding="utf-8")
    one = run(program, 1, tmp_path / "one.json")
    done = distify("migrate", "--batch", "global", str(program))
    assert done.returncode == 0, done.stdout + done.stderr
    two = run(program, 2, tmp_path / "two.json")
    assert len(one) == len(two) == 50  # as many steps
    assert max(abs(a - b) for a, b in zip(one, two)) < 1e-5
    assert one[-1] < one[0] / 2  # and they do train


def test_verify_compares_the_first_update_and_the_trained_values(
    tmp_path: Path, distify: Any
) -> None:
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    text = EXAMPLES["tape"].replace('os.environ["TOLD"]', '"told.json"')
    for path in (old, new):
        path.write_text(text, encoding="utf-8")
    assert distify("migrate", "--batch", "global", str(new)).returncode == 0
    proof = verify(new, tmp_path, "--baseline", str(old))
    assert not proof.convicted, str(proof)
    assert {"updates", "rates", "steps", "shards", "baseline"} <= proof.fine, str(proof)
    assert proof.steps == [50, 50]
    size = next(each["text"] for each in proof.of("fine") if each["question"] == "rates")
    assert "for 1 times the examples" in size  # an Nth of the rows on each worker


def test_a_batch_that_does_not_go_round_is_an_error_at_the_start(
    tmp_path: Path, distify: Any
) -> None:
    program = tmp_path / "train.py"
    program.write_text(EXAMPLES["tape"].replace("BATCH = 16", "BATCH = 15"), encoding="utf-8")
    assert distify("migrate", "--batch", "global", str(program)).returncode == 0
    with pytest.raises(AssertionError, match="2 workers can't share a batch of 15 rows alike"):
        run(program, 2, tmp_path / "told.json")
    assert not (tmp_path / "told.json").exists()


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """How far the averaged gradients are from those of the batch, form by form."""
    told = tmp_path_factory.mktemp("kept") / "apart.json"
    script = Path(__file__).parent / "kept_losses.py"
    command = [str(BIN / "horovodrun"), "-np", "2", "--gloo", sys.executable, str(script)]
    done = subprocess.run(
        [*command, str(told)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return dict(json.loads(told.read_text(encoding="utf-8")))


def step_with(form: str) -> str:
    """A program that trains with this loss."""
    begun = """\
import numpy as np
import tensorflow as tf

BATCH = 8
x, y = np.ones((64, 3), "float32"), np.ones((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
keras = tf.keras.losses.MeanSquaredError()
added = tf.keras.losses.MeanSquaredError(reduction="sum")
keras_each = tf.keras.losses.MeanSquaredError(reduction="none")
for a, b in tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH):
    with tf.GradientTape() as tape:
        p = model(a)
"""
    return f"""{begun}        loss = {form}
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))
"""


@pytest.mark.parametrize("name", FORMS)
def test_what_is_refused_has_other_gradients(name: str, apart: dict[str, float]) -> None:
    found = migrate(step_with(FORMS[name]), Options(batch="global"))
    codes = {each.code for each in found.blocked}
    if name in RIGHT:
        assert not codes
        assert apart[name] < 1e-6
    else:
        assert codes == {"L03"}
        assert apart[name] < 1e-6 if name in CAUTIOUS else apart[name] > 0.01


@pytest.mark.parametrize("name", [CLIPPED, MASKED])
def test_what_layers_and_clipping_do_has_other_gradients(
    name: str, apart: dict[str, float]
) -> None:
    assert apart[name] > 0.01
