"""Scripts that need of a library nothing that trains: no engine follows their values."""

from __future__ import annotations

import pytest

from distify.codemods.facts import facts as room
from distify.codemods.model import NO_TRAINING
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

LIBRARY = """\
import tensorflow as tf


def read(path):
    return open(path).read()


def train(x, y):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(x, y)
"""


@pytest.mark.parametrize(("name", "is_followed"), [("read", False), ("train", True)])
def test_only_what_may_train_is_followed(
    monkeypatch: pytest.MonkeyPatch, name: str, is_followed: bool
) -> None:
    made: list[object] = []
    of = room.Index.__init__
    monkeypatch.setattr(
        room.Index, "__init__", lambda self, tree: (made.append(tree), of(self, tree))[1]
    )
    entry = f"from lib import {name}\n\n{name}('a.txt', 3)\n"
    found = migrate_project(Project("main.py", {"main.py": entry, "lib.py": LIBRARY}))
    assert found is not None
    assert bool(made) == is_followed
    assert (found.skipped == NO_TRAINING) != is_followed
    assert found.modules == ("lib.py",)
    assert found.before == entry


def test_a_script_that_speaks_of_horovod_is_looked_at() -> None:
    entry = "import horovod.tensorflow as hvd\nfrom lib import read\n\nhvd.init()\nread('a')\n"
    found = migrate_project(Project("main.py", {"main.py": entry, "lib.py": LIBRARY}))
    assert found is not None
    assert found.skipped != NO_TRAINING or found.notes
