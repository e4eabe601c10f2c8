"""What another module of a project does with TensorFlow while it is imported."""

from __future__ import annotations

import pytest

from distify.codemods.model import Migration
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

ENTRY = """\
import numpy as np

from model import build

import tensorflow as tf

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


HEAD = """\
import numpy as np
import tensorflow as tf
from model import {}
"""
START = """\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

from model import {}
"""


def started(head: str, statement: str, name: str = "build, TABLE") -> Migration:
    text = head.format(name) + ENTRY.partition("import tensorflow as tf\n")[2]
    model = MODEL[MODEL.index("import tensorflow") :].partition("def table")[0]
    project = Project("train.py", {"train.py": text, "model.py": f"{model}{statement}"})
    found = migrate_project(project, None, "train.py")
    assert found is not None
    return found


def test_horovod_is_started_before_such_a_module_where_that_can_be() -> None:
    found = started(HEAD, "TABLE = tf.ones((4, 4))\n")
    assert found.blocked == ()
    assert found.after.startswith(START.format("build, TABLE"))
    assert found.others == ()


def test_what_makes_no_tensors_is_imported_as_it_was() -> None:
    found = started(HEAD, "TABLE = len([1])\n")
    head = "import horovod.tensorflow.keras as hvd\n" + HEAD.format("build, TABLE")
    assert found.after.startswith(f"{head}\nhvd.init()\n")


def test_a_module_may_ask_for_its_number_by_then() -> None:
    found = started(HEAD, "TABLE = tf.ones((4, 4))\nprint(TABLE)\n")
    assert found.blocked == ()
    (other,) = found.others
    assert "if hvd.rank() == 0:\n    print(TABLE)\n" in other.migration.after


def test_tensorflow_and_horovod_are_imported_before_the_start() -> None:
    """And before the first import that leads to such a module, among others of the project."""
    head = "import os\nfrom model import {}\nfrom tensorflow import keras\n"
    found = started(head, "TABLE = tf.ones((4, 4))\n")
    assert found.blocked == ()
    head, _, rest = START.partition("\nhvd.init()")
    lines = found.after.partition("\nhvd.init()")[0].splitlines()
    assert sorted(lines) == sorted(head.replace("numpy as np", "os").splitlines())
    assert rest.format("build, TABLE") in found.after


@pytest.mark.parametrize(
    "head",
    [
        "from model import {}\nimport numpy as np\nimport tensorflow as tf\n",
        "import numpy as np\nfrom model import {}\nimport tensorflow as tf\n",
        "import numpy as np\nimport tensorflow as tf; from model import {}\n",
        "import numpy as np\nimport tensorflow as tf\nif np:\n    from model import {}\n",
    ],
)
def test_where_it_cannot_be_the_module_is_named(head: str) -> None:
    found = started(head, "TABLE = tf.ones((4, 4))\n")
    assert {f.code for f in found.blocked} == {"T01"}
