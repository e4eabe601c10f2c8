"""Modules that are imported by their names, before the judge: each that may be meant counts."""

from __future__ import annotations

import pytest

from distify.codemods.model import Migration
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

NET = """\
import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense({})])
"""
TRAIN = """\
import importlib
import sys
import time

import numpy as np
import tensorflow as tf

module = importlib.import_module("nets." + {})
model = module.build()
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
x, y = np.load("x.npy"), np.load("y.npy")
model.fit(x, y, epochs=2)
"""


def migrated(name: str, others: dict[str, str]) -> Migration:
    """What becomes of a program that picks its network by a name."""
    texts = {f"{path}.py": text for path, text in others.items()}
    found = migrate_project(Project("train.py", {"train.py": TRAIN.format(name), **texts}))
    assert found is not None
    return found


def test_a_program_that_picks_its_network_is_migrated() -> None:
    found = migrated("sys.argv[1]", {"nets/a": NET.format(1), "nets/b": NET.format(2)})
    assert not found.blocked
    assert "hvd.DistributedOptimizer" in found.after


def test_what_one_of_the_networks_does_counts() -> None:
    drawn = NET.format("np.random.randint(3, 9)").replace(
        "import t", "import numpy as np\nimport t"
    )
    found = migrated("sys.argv[1]", {"nets/a": NET.format(1), "nets/b": drawn})
    assert [each.code for each in found.blocked] == ["T07"]


@pytest.mark.parametrize(
    "name",
    ["('a' if time.time() % 2 > 1 else 'b')", "np.random.choice(['a', 'b'])"],
)
def test_all_workers_have_to_pick_the_same_one(name: str) -> None:
    found = migrated(name, {"nets/a": NET.format(1), "nets/b": NET.format(2)})
    assert {each.code for each in found.blocked} == {"T07"}
