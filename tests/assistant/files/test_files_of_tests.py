"""Tests of a project are no programs of it: they refuse nothing, and stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.files.choice import Choice
from distify.assistant.files.result import look
from distify.assistant.report.terminal import Terminal

TRAINER = """\
import tensorflow as tf


def fit(rate, x, y):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(rate), "mse")
    model.fit(x, y)
"""
TRAIN = """\
import numpy as np

from lib.trainer import fit

if __name__ == "__main__":
    fit(0.1, np.load("x.npy"), np.load("y.npy"))
"""
PYTEST = """\
import numpy as np
import pytest

from lib.trainer import fit


@pytest.mark.parametrize("rate", [0.1, 0.2])
def test_fit(rate):
    fit(rate, np.ones((8, 4)), np.ones((8, 1)))


if __name__ == "__main__":
    test_fit(pytest.rate)
"""
UNITTEST = """\
import unittest

import numpy as np

from lib.trainer import fit


class TrainerTest(unittest.TestCase):
    def test_fit(self):
        fit(0.1, np.ones((8, 4)), np.ones((8, 1)))


if __name__ == "__main__":
    unittest.main()
"""


def changed(project: Path, name: str, text: str) -> list[str]:
    """The files that would change where a project has that file, too."""
    files = {"lib/trainer.py": TRAINER, "train.py": TRAIN, "pyproject.toml": "", name: text}
    for path, content in files.items():
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(content, encoding="utf-8")
    result = look((".",), Choice((), ()), Terminal("never"))
    return [each.name for each in result.outcomes if each.changed]


@pytest.mark.parametrize("name", ["tests/test_trainer.py", "lib/trainer_test.py"])
@pytest.mark.parametrize("text", [PYTEST, UNITTEST])
def test_they_are_left_alone(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert changed(tmp_path, name, text) == ["lib/trainer.py", "train.py"]


def test_a_program_that_only_sounds_like_one_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`test_model.py` evaluates what was trained, or trains: Horovod starts there as well."""
    monkeypatch.chdir(tmp_path)
    found = changed(tmp_path, "test_model.py", TRAIN)
    assert found == ["lib/trainer.py", "test_model.py", "train.py"]


ALONE = """\
import unittest

import tensorflow as tf


class ModelTest(unittest.TestCase):
    def test_fit(self):
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))


if __name__ == "__main__":
    unittest.main()
"""


SKIPPED = "tests, which run on one worker"


def told(folder: Path, name: str, text: str) -> str:
    """Why a file alone is left as it is."""
    (folder / name).write_text(text, encoding="utf-8")
    (outcome,) = look((".",), Choice((), ()), Terminal("never")).outcomes
    return outcome.skipped


@pytest.mark.parametrize(
    "text",
    [
        ALONE,
        ALONE.replace("import unittest", "import pytest"),
        ALONE.replace("import unittest", "from absl.testing import absltest as unittest"),
        ALONE.replace("import unittest", "import base").replace("unittest.", "tf.test."),
        ALONE.replace("unittest.TestCase", "base.Test").replace("unittest", "tf.compat.v1.test"),
        ALONE.replace("unittest", "mine.test_utils").replace(
            "import mine.test_utils", "import mine"
        ),
        ALONE.replace("(unittest", "(\n    base.Mixed,\n    test_utils").replace(
            "unittest", "mine"
        ),
    ],
)
def test_what_they_train_themselves_is_not_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in sight starts it but pytest (T01), and no one wants it on many workers."""
    monkeypatch.chdir(tmp_path)
    assert told(tmp_path, "model_test.py", text) == SKIPPED


def test_a_library_that_only_uses_unittest_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told(tmp_path, "model.py", ALONE) == ""


def test_tests_of_horovod_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may run on many workers: what can hang there is told."""
    monkeypatch.chdir(tmp_path)
    imports = "import horovod.tensorflow.keras as hvd\nimport tensorflow"
    text = ALONE.replace("import tensorflow", imports)
    assert told(tmp_path, "test_model.py", text) != SKIPPED
