"""`distify verify` of programs of Keras 3: `--training-python=PATH`, as for `test_keras_3`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from proof import BIN, TIMEOUT, verify
from test_keras_3 import EXAMPLES, KERAS_3, migrated, python

from distify.codemods import repairs
from distify.codemods.migrate import migrate

__all__ = ["python"]

PROJECT = Path(__file__).parents[2] / "examples" / "keras3" / "two_phases"

HEAD = """\
import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras
import keras
import numpy as np
import tensorflow as tf

hvd.init()
x = np.random.default_rng(0).normal(size=(128, 4)).astype("float32")[hvd.rank() :: hvd.size()]
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.1 * hvd.size())
"""
TAPE = """\
for batch in tf.data.Dataset.from_tensor_slices(x).batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply(gradients, model.trainable_variables)
"""
FIT = "model.compile(optimizer, 'mse')\nmodel.fit(x, x[:, :1], verbose=0, callbacks=callbacks)\n"
WRAPPED = "optimizer = hvd_keras.DistributedOptimizer(optimizer)\n"
CALLBACKS = "callbacks = [hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0)]\n"
# What convicts each of them, and a word that its verdicts must have.
PUBLISHED = {
    "nobody averages": ("callbacks = []\n" + FIT, "D100", "averaged by nobody"),
    "an optimizer of Horovod's": (
        WRAPPED + "callbacks = []\n" + FIT, "D100", "DistributedOptimizer"),
    "callbacks of Horovod's": (CALLBACKS + FIT, "D100", "BroadcastGlobalVariablesCallback"),
    "a tape of Horovod's": (
        TAPE.replace("tape.gradient", "hvd.DistributedGradientTape(tape).gradient"), "D100", "ref"),
    "a tape that nobody averages": (TAPE, "D201", "never averaged"),
}  # fmt: skip
ORDER = "            self.order[:] = hvd.broadcast_object(self.order, root_rank=0)\n"
# Our own forms with one part taken out: (example, what is taken out, what is left, code).
BROKEN = {
    "not averaged": ("keras_sequential", "\naverage_gradients(model)\n", "\n", "D105"),
    "not broadcast": ("keras_sequential", "BroadcastState(), ", "", "D302"),
    "not scaled": ("keras_sequential", " * hvd.size())", ")", "D104"),
    "not shared": ("keras_sequential", "[shard]", "", "D107"),
    "batches that are not shared": ("keras_py_dataset", "Share(train)", "train", "D107"),
    "batches in an order of each worker's own": ("keras_py_dataset", ORDER, "", "D107"),
    "a backup that every worker keeps": (
        "keras_backup", "= SharedBackup(", "= keras.callbacks.BackupAndRestore(", "D203"),
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_acquitted(example: Path, python: str, tmp_path: Path) -> None:
    proof = verify(migrated(example, tmp_path), tmp_path, "--no-reference", python=python)
    assert not proof.convicted, str(proof)
    assert {"drift", "averaging", "broadcast", "keras3"} <= proof.fine, str(proof)
    assert min(proof.steps) > 0, str(proof)


def test_a_project_with_one_copy_of_each_form_is_acquitted(python: str, tmp_path: Path) -> None:
    folder = shutil.copytree(PROJECT, tmp_path / PROJECT.name)
    command = [str(BIN / "distify"), "migrate", "--no-cache", "--tensorflow", "2.20", "."]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=TIMEOUT)
    texts = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}
    assert [name for name, text in texts.items() if "def average_" in text] == ["tuning.py"]
    proof = verify(folder / "train.py", folder, "--no-reference", python=python)
    assert not proof.convicted, str(proof)
    assert {"drift", "averaging", "broadcast", "shards"} <= proof.fine, str(proof)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_forms_are_convicted(name: str, python: str, tmp_path: Path) -> None:
    text, code, word = PUBLISHED[name]
    program = tmp_path / "program.py"
    program.write_text(HEAD + text, encoding="utf-8")
    proof = verify(program, tmp_path, "--no-reference", python=python)
    assert code in proof.convicted, str(proof)
    assert word in json.dumps(proof.report)


@pytest.mark.parametrize("name", BROKEN)
def test_a_part_that_is_left_out_is_convicted(name: str, python: str, tmp_path: Path) -> None:
    stem, part, left, code = BROKEN[name]
    program = migrated(next(path for path in EXAMPLES if path.stem == stem), tmp_path)
    text = program.read_text("utf-8")
    assert part in text
    if stem == "keras_py_dataset":  # later epochs have other batches, which any worker may see
        text = text.replace("epochs=2", "epochs=1")
    if stem == "keras_backup":  # or one of them fails: the folder is there in the meantime
        text = "import os\n\nos.makedirs('keras_backup', exist_ok=True)\n" + text
    program.write_text(text.replace(part, left), encoding="utf-8")
    alone = [] if code == "D104" else ["--no-reference"]
    assert verify(program, tmp_path, *alone, python=python).convicted == {code}


@pytest.mark.parametrize("stem", ["keras_train_step", "tape_function"])
def test_a_step_is_proved_from_its_graph(stem: str, python: str, tmp_path: Path) -> None:
    program = migrated(next(path for path in EXAMPLES if path.stem == stem), tmp_path)
    proof = verify(program, tmp_path, "--model", "--no-reference", python=python)
    assert proof.report["model"]["verdict"] == "safe", json.dumps(proof.report["model"], indent=1)
    assert proof.report["model"]["proved"]["trained"] > 4


def test_a_model_whose_gradients_nobody_averages_is_not_safe(python: str, tmp_path: Path) -> None:
    program = migrated(next(path for path in EXAMPLES if path.stem == "keras_sequential"), tmp_path)
    text = program.read_text("utf-8")
    program.write_text(text.replace("\naverage_gradients(model)\n", "\n"), encoding="utf-8")
    proof = verify(program, tmp_path, "--model", "--no-reference", python=python)
    (fault,) = proof.report["model"]["faults"]
    assert (fault["code"], fault["grade"]) == ("M01", "convicted")


def test_a_program_of_another_backend_is_in_step_once_it_is_repaired(
    python: str, tmp_path: Path
) -> None:
    """A23; `chosen` are the versions that the repair is for."""
    (repair,) = (each for each in repairs.all() if each.rule.code == "A23")
    program = tmp_path / "train.py"
    after = migrate(repair.rule.before, repair.chosen._replace(repair=frozenset({"A23"})))
    assert after.steps[0].code == "A23"
    program.write_text(after.after, encoding="utf-8")
    proof = verify(program, tmp_path, "--no-reference", python=python)
    assert not proof.convicted, str(proof)
    assert min(proof.steps) > 0, str(proof)


WARM = """\
import json

import keras
import numpy as np
import tensorflow as tf

x = np.random.default_rng(1).normal(size=(96, 4)).astype("float32")
y = x[:, :1]
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
opt = keras.optimizers.SGD(0.01, momentum=0.9)
rates = []


"""
RATES = """\
class Rates(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        rates.append(float(self.model.optimizer.learning_rate))


model.compile(opt, loss="mse")
model.fit(x, y, batch_size=8, epochs=4, callbacks=[Rates()])
"""
LOOP = """\
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
for epoch in range(4):
    for a, b in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(a) - b) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
    rates.append(float(opt.learning_rate))
"""
WRITTEN = 'with open("rates.json", "w") as f:\n    json.dump(rates, f)\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "line", "rates"),
    [(RATES, "WarmUpRate(2)", [0.015, 0.02]), (LOOP, "* warm_up", [0.01, 0.015])],
    ids=["fit", "tape"],
)
def test_rates_grow_where_that_is_asked_for(
    text: str, line: str, rates: list[float], python: str, tmp_path: Path
) -> None:
    program = tmp_path / "warm.py"
    options = KERAS_3._replace(warmup=2)
    program.write_text(migrate(WARM + text + WRITTEN, options).after, encoding="utf-8")
    assert line in program.read_text(encoding="utf-8")
    proof = verify(program, tmp_path, python=python)
    assert proof.code == 0, str(proof)
    assert {"averaging", "broadcast", "drift", "steps", "rates"} <= proof.fine, str(proof)
    seen = json.loads((tmp_path / "rates.json").read_text(encoding="utf-8"))
    assert seen == pytest.approx([*rates, 0.02, 0.02])
