"""What settings ask for, proved on two workers: rates by the root, warm-up, halves, sums."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from proof import verify

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SETTINGS = '[tool.distify]\nlearning-rate = "{}"\ncompression = "fp16"\n'
HALVES, ROOT = "compression=hvd.Compression.fp16", "hvd.size() ** 0.5"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "rate"),
    [("keras_sequential", "sqrt"), ("tape_function", "sqrt"), ("tape_function", "none")],
)
def test_workers_train_in_step(example: str, rate: str, tmp_path: Path, distify: Any) -> None:
    (tmp_path / "pyproject.toml").write_text(SETTINGS.format(rate), encoding="utf-8")
    program = tmp_path / f"{example}.py"
    shutil.copy(EXAMPLES / program.name, program)
    done = distify("migrate", str(program))
    assert done.returncode == 0, done.stdout + done.stderr
    text = program.read_text(encoding="utf-8")
    assert HALVES in text
    assert (ROOT in text) == (rate == "sqrt")
    proof = verify(program, tmp_path, "--no-reference")
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
    assert {"averaging", "broadcast", "drift", "steps"} <= proof.fine, str(proof)


WARM = """\
import json

import numpy as np
import tensorflow as tf

x = np.random.default_rng(1).normal(size=(96, 4)).astype("float32")
y = x[:, :1]
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(0.01)
rates = []


"""
SEEN = """\
class Rates(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        rates.append(float(self.model.optimizer.learning_rate))


model.compile(opt, loss="mse")
"""
TOLD = """\
with open("rates.json", "w") as f:
    json.dump(rates, f)
"""
DATA = "tf.data.Dataset.from_tensor_slices((x, y))"
FITTED = f"{WARM}{SEEN}model.fit({{}}, epochs=4, callbacks=[Rates()])\n{TOLD}"
LOOPED = f"""{WARM}for epoch in range(4):
    rates.append(0.0)
    for a, b in {DATA}.batch(8):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(a) - b) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
    rates[-1] = float(opt.learning_rate)
{TOLD}"""
UNCOUNTED = f"{DATA}.filter(lambda a, b: True).batch(8, drop_remainder=True)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "line", "rates"),
    [
        (FITTED.format("x, y, batch_size=8"), "LearningRateWarmupCallback(", [0.015, 0.02]),
        (FITTED.format(UNCOUNTED), "WarmUpRate(2)", [0.01, 0.02]),
        (LOOPED, "* warm_up", [0.01, 0.015]),
    ],
    ids=["arrays", "steps that nobody knows", "tape"],
)
def test_rates_grow_to_those_of_all_workers(
    text: str, line: str, rates: list[float], tmp_path: Path, distify: Any
) -> None:
    """0.01 on one worker, 0.02 on two; what the first two epochs end with."""
    (tmp_path / "pyproject.toml").write_text("[tool.distify]\nwarmup = 2\n", encoding="utf-8")
    program = tmp_path / "warm.py"
    program.write_text(text, encoding="utf-8")
    done = distify("migrate", str(program))
    assert done.returncode == 0, done.stdout + done.stderr
    assert line in program.read_text(encoding="utf-8")
    proof = verify(program, tmp_path)
    assert not proof.convicted, str(proof)
    assert {"averaging", "broadcast", "drift", "steps", "rates"} <= proof.fine, str(proof)
    seen = json.loads((tmp_path / "rates.json").read_text(encoding="utf-8"))
    assert seen == pytest.approx([*rates, 0.02, 0.02])


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["SGD", "legacy.Adam"])
def test_gradients_of_four_batches_make_a_step(
    optimizer: str, tmp_path: Path, distify: Any
) -> None:
    """96 examples, two workers and batches of four: 24 steps of two epochs, 6 of them averaged."""
    layers = "tf.keras.layers.Embedding(9, 4), tf.keras.layers.GlobalAveragePooling1D(), "
    text = WARM.replace("Adam", optimizer).replace(
        "[tf.keras.layers.D", f"[{layers}tf.keras.layers.D"
    )
    text = text.replace("y = x", "x = np.abs(x) // 1 % 9\ny = x")
    settings = "[tool.distify]\nbackward_passes_per_step = 4\n"
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    program = tmp_path / "added.py"
    fit = "model.fit(x, y, batch_size=4, epochs=2)\n"
    program.write_text(f'{text}model.compile(opt, loss="mse")\n{fit}', encoding="utf-8")
    done = distify("migrate", str(program))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "backward_passes_per_step=4" in program.read_text(encoding="utf-8")
    proof = verify(program, tmp_path)
    assert not proof.convicted, str(proof)
    assert {"averaging", "broadcast", "drift", "steps", "rates"} <= proof.fine, str(proof)
    assert proof.steps == [6, 6]
