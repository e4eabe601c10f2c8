"""Batches that are dealt out in turns: every worker trains on its own, as many steps as the others.

Sixteen batches on two workers, and on three, which leave one of them out.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from proof import verify

from dealt import DEALT, HEAD, PICKS
from distify.codemods.migrate import migrate

DATA = 'np.random.default_rng(1).random((256, 4)).astype("float32")'
QUICK = {("in a loop", 3), ("of a fit", 2), ("asked for one by one", 2)}
SHOWN = "shown"  # its bar isn't installed here
RUNS = [(name, workers) for name in DEALT if name != SHOWN for workers in (2, 3)]
TURNS = {2: 8, 3: 5}
FITTED = ("of a fit", "of a fit, by a name", "of an object that turns")


def marked(run: tuple[str, int]) -> object:
    """The gate runs one of each kind."""
    return pytest.param(*run, marks=() if run in QUICK else pytest.mark.slow)


def program(name: str) -> str:
    text = HEAD.replace("from tqdm import tqdm\n", "").replace('np.load("x.npy")', DATA)
    done = migrate(text + {**DEALT, **PICKS}[name][0])
    assert done.steps
    return done.after


@pytest.mark.parametrize(("name", "workers"), list(map(marked, RUNS)))
def test_each_worker_trains_on_its_own(name: str, workers: int, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(program(name), "utf-8")
    proof = verify(tmp_path / "train.py", tmp_path, "--no-reference", workers=workers)
    assert proof.code == 0, str(proof)
    assert len(set(proof.steps)) == 1
    turns = 8 // workers if name in FITTED else TURNS[workers]  # of `steps_per_epoch=8`
    assert proof.steps[0] % turns == 0
    (seen,) = (each for each in proof.report["verdicts"] if each["question"] == "shards")
    is_alike = "an order that rank 0 tells" not in name  # whose epochs meet by chance
    assert not is_alike or "none of" in seen["text"], str(proof)


@pytest.mark.parametrize(
    ("name", "workers"),
    [marked((name, workers)) for name in PICKS for workers in (2, 3)],
)
def test_each_worker_trains_on_its_own_picks(name: str, workers: int, tmp_path: Path) -> None:
    """As many steps as before: whoever counts them doesn't count the examples."""
    (tmp_path / "train.py").write_text(program(name), "utf-8")
    proof = verify(tmp_path / "train.py", tmp_path, "--no-reference", workers=workers)
    assert proof.code == 0, str(proof)
    assert proof.steps == [16] * workers


LOADERS = f"""\
import numpy as np


def load():
    x = {DATA}
    return x, x.sum(axis=1, keepdims=True)
"""
FITTED_ARRAYS = """\
import tensorflow as tf
from loaders import load

x, y = load()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.01), "mse")
model.fit(x, y, batch_size=16)
"""


@pytest.mark.parametrize("workers", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_arrays_that_nobody_sees_the_making_of(workers: int, tmp_path: Path) -> None:
    (tmp_path / "loaders.py").write_text(LOADERS, "utf-8")
    (tmp_path / "train.py").write_text(migrate(FITTED_ARRAYS).after, "utf-8")
    proof = verify(tmp_path / "train.py", tmp_path, "--no-reference", workers=workers)
    assert proof.code == 0, str(proof)
    assert proof.steps == [-(-(256 // workers) // 16)] * workers
    (seen,) = (each for each in proof.report["verdicts"] if each["question"] == "shards")
    assert "none of" in seen["text"], str(proof)
