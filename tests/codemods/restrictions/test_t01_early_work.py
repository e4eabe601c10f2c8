"""What another module of a project does with TensorFlow while it is imported."""

from __future__ import annotations

import pytest

from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

ENTRY = """\
import numpy as np
import tensorflow as tf

from model import build

model = build()
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""
MODEL = """\
import dataclasses

import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])


def table():
    return tf.ones((4, 4))


def register(f):
    table()
    return f


def timed(f):
    def inner():
        tf.ones((4, 4))
        return f()

    return inner


class Plain:
    width = 4

    def table(self):
        return table()


class Table:
    def __init__(self):
        self.table = table()


class Checked(Table):
    pass


@dataclasses.dataclass
class Settings:
    width: int = 4


@dataclasses.dataclass
class Filled:
    width: int = 4

    def __post_init__(self):
        self.table = table()


class Net(tf.keras.Model):
    pass


class Deeper(Net):
    pass


class Layer(tf.keras.layers.Layer):
    pass


class Unknown(get_base()):
    pass


BUILDERS = {"table": table, "width": len}
"""


def lines(statement: str) -> list[str]:
    """Where the model's file is said to work too early, with a statement at its end."""
    texts = {"train.py": ENTRY, "model.py": f"{MODEL}\n\n{statement}"}
    found = migrate_project(Project("train.py", texts), None, "train.py")
    assert found is not None
    assert {f.code for f in found.blocked} <= {"T01"}
    return [f.message.rpartition(":")[2].rstrip(")") for f in found.blocked]


END = MODEL.count("\n") + 3


@pytest.mark.parametrize(
    "statement",
    [
        "",
        "SETTINGS = Settings()\n",
        "PLAIN = Plain()\n",
        "LAYER = Layer()\n",
        "WIDTH = len([1])\n",
        "@timed\ndef g():\n    return 1\n",
        "@tf.custom_gradient\ndef g(x):\n    return x, None\nG = g\n",
        "later = lambda: table()\n",
        "class Late:\n    def run(self):\n        return tf.ones(3)\n",
    ],
)
def test_what_uses_no_device_may_run(statement: str) -> None:
    assert lines(statement) == []


@pytest.mark.parametrize(
    "statement",
    [
        "TABLE = tf.ones((4, 4))\n",
        "TABLE = table()\n",
        "TABLE = [table() for _ in range(3)]\n",
        "TABLE = Table()\n",
        "TABLE = Checked()\n",
        "TABLE = Filled()\n",
        "TABLE = Plain().table()\n",
        "TABLE = BUILDERS['table']()\n",
        "NET = Net()\n",
        "NET = Deeper()\n",
        "NET = build()\n",
        "NET = Unknown()\n",
        "class Early: table = tf.ones(3)\nEARLY = Early\n",
        "def f(x=tf.ones(3)):\n    return x\nF = f\n",
        "TABLE = timed(build)()\n",
    ],
)
def test_what_makes_tensors_or_variables_is_named(statement: str) -> None:
    assert lines(statement) == [str(END)]


def test_a_decorator_runs_with_its_function() -> None:
    assert lines("@register\ndef g():\n    return 1\n")


def test_one_place_of_a_statement_is_enough() -> None:
    assert lines("TABLE = [table(), table()]\n") == [str(END)]
