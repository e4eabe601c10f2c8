"""Programs of Keras 3 on workers: `--training-python=PATH`, as `make test-tensorflows` gives it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HERE = Path(__file__).parent
EXAMPLES = sorted((HERE.parents[1] / "examples" / "keras3").glob("*.py"))
EXACT = [path for path in EXAMPLES if path.stem.endswith("_exact")]
KERAS_3 = Options(tensorflow=(2, 20))
HEAD = """\
import horovod.tensorflow as hvd
import keras
import numpy as np
import tensorflow as tf

hvd.init()
x = np.random.default_rng(hvd.rank()).normal(size=(64, 4)).astype("float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
"""
PUBLISHED = {
    "an optimizer of Horovod's under fit averages nothing": """\
import horovod.tensorflow.keras as hvd_keras

model.compile(hvd_keras.DistributedOptimizer(keras.optimizers.SGD(0.1)), "mse")
model.fit(x, x[:, :1], verbose=0)
""",
    "a tape of Horovod's knows no variables of Keras 3": """\
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
hvd.DistributedGradientTape(tape).gradient(loss, model.trainable_variables)
""",
    "XLA has no kernels for Horovod's operations": """\
@tf.function(jit_compile=True)
def mean(value):
    return hvd.allreduce(value)


mean(tf.constant(1.0))
""",
}

SAVING = """\
import keras
import numpy as np

x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(keras.optimizers.Adam(0.1), "mse")
model.fit(x, x[:, :1], verbose=0)
model.save("model.keras")
"""
SUBCLASS = """\
class DistributedAdam(keras.optimizers.Adam):
    def apply(self, grads, trainable_variables=None):
        super().apply([hvd.allreduce(grad) for grad in grads], trainable_variables)


model.compile(DistributedAdam(0.1), "mse", jit_compile=False)
model.fit(x, x[:, :1], verbose=0)
if hvd.rank() == 0:
    model.save("model.keras")
"""
LOADING = """\
import keras

print(type(keras.models.load_model("model.keras").optimizer) is keras.optimizers.Adam)
"""


@pytest.fixture(scope="session")
def python(request: pytest.FixtureRequest) -> str:
    """The Python that trains."""
    given = request.config.getoption("--training-python")
    if not given:
        pytest.skip("no --training-python: `make test-tensorflows` names them")
    return str(given)


def run(python: str, program: Path, workers: int, seeded: str = "no") -> list[dict[str, Any]]:
    """What each worker says at the end. Raises CalledProcessError where one fails."""
    folder = program.parent
    path = os.pathsep.join((str(Path(python).parent), os.environ["PATH"]))
    subprocess.run(
        ["horovodrun", "-np", str(workers), "--gloo", python, str(HERE / "keras_3_state.py"),
         program.name, seeded],
        cwd=folder, env={**os.environ, "PATH": path, "CUDA_VISIBLE_DEVICES": ""}, check=True,
        capture_output=True, timeout=300,
    )  # fmt: skip
    said = [json.loads((folder / f"state-{rank}.json").read_text()) for rank in range(workers)]
    assert [each["rank"] for each in said] == list(range(workers))
    return said


def migrated(example: Path, folder: Path) -> Path:
    program = folder / example.name
    program.write_text(migrate(example.read_text("utf-8"), KERAS_3).after, encoding="utf-8")
    return program


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_all_workers_end_with_the_same_bits(
    example: Path, workers: int, python: str, tmp_path: Path
) -> None:
    said = run(python, migrated(example, tmp_path), workers)
    assert said[0]["count"] > 1
    assert {each["digest"] for each in said} == {said[0]["digest"]}


@pytest.mark.parametrize("example", EXACT, ids=lambda path: path.stem)
def test_two_workers_do_what_one_does_with_twice_the_batch(
    example: Path, python: str, tmp_path: Path
) -> None:
    """Each takes every other example; the rate is scaled by two, so one process gets twice that."""
    two = run(python, migrated(example, tmp_path), 2, "yes")
    text = example.read_text("utf-8").replace("0.05)", "0.1)")
    whole = tmp_path / "whole.py"
    whole.write_text(
        text.replace("batch_size=16", "batch_size=32").replace("batch(16)", "batch(32)")
    )
    (one,) = run(python, whole, 1, "yes")
    for given, expected in zip(two[0]["weights"], one["weights"]):
        assert given == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("form", PUBLISHED)
def test_a_published_form_fails(form: str, python: str, tmp_path: Path) -> None:
    program = tmp_path / "published.py"
    program.write_text(HEAD + PUBLISHED[form], encoding="utf-8")
    try:
        said = run(python, program, 2)
    except subprocess.CalledProcessError:
        return
    assert said[0]["digest"] != said[1]["digest"]


def loaded(python: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a program that knows nothing of the training gets of its file."""
    return subprocess.run(
        [python, "-c", LOADING],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_published_subclass_of_an_optimizer_spoils_saved_files(
    python: str, tmp_path: Path
) -> None:
    """It averages as well as ours, but the file names a class that nobody else has."""
    program = tmp_path / "published.py"
    program.write_text(HEAD + SUBCLASS, encoding="utf-8")
    run(python, program, 2)
    done = loaded(python, tmp_path)
    assert done.returncode != 0
    assert "DistributedAdam" in done.stderr


def test_a_file_that_ours_saved_loads_elsewhere(python: str, tmp_path: Path) -> None:
    program = tmp_path / "saving.py"
    program.write_text(migrate(SAVING, KERAS_3).after, encoding="utf-8")
    run(python, program, 2)
    done = loaded(python, tmp_path)
    assert done.stdout.strip() == "True", done.stderr
