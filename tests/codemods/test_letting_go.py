"""An analysis leaves nothing for Python's collector to find, and lets it be as it was."""

from __future__ import annotations

import gc

import pytest

from distify.codemods.facts import Facts
from distify.codemods.migrate import migrate
from distify.codemods.program.origins import Origin
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

TRAIN = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, y)
"""
MODEL = "import tensorflow as tf\n\n\ndef build():\n    return tf.keras.Sequential([])\n"
ENTRY = "from model import build\n\nmodel = build()\nmodel.compile('sgd', 'mse')\nmodel.fit(x, y)\n"
LEFT = 4  # emptied ones may hang on what was found out by them
BLOCKED = TRAIN + "model.fit(z, y)\nfit = getattr(model, name)\n"


def of_an_analysis() -> int:
    """How much of what only an analysis makes is alive."""
    return sum(isinstance(each, (Facts, Origin)) for each in gc.get_objects())


@pytest.fixture
def uncollected():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("text", [TRAIN, BLOCKED, "import tensorflow\nx.fit_generator\n"])
def test_nothing_of_a_file_waits_for_the_collector(uncollected, text):
    before = of_an_analysis()
    migrate(text)
    assert of_an_analysis() - before <= LEFT


def test_nothing_of_a_project_waits_either(uncollected):
    before = of_an_analysis()
    project = Project("train.py", {"train.py": ENTRY, "model.py": MODEL})
    assert migrate_project(project).steps
    assert of_an_analysis() - before <= LEFT


def test_the_collector_is_on_or_off_as_before(uncollected):
    migrate(TRAIN)
    assert not gc.isenabled()
    gc.enable()
    migrate(TRAIN)
    assert gc.isenabled()
