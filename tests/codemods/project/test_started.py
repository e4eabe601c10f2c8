"""Programs that a command starts, methods that a class below gives, files without imports."""

from __future__ import annotations

import pytest

from distify.codemods.model import Migration
from distify.codemods.project.entries import uses
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

CLI = """\
import numpy as np
import tensorflow as tf

from .net import build


def main():
    model = build()
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(np.ones((8, 4)), np.ones((8, 1)))
    print("done")


def describe():
    print(build())
"""
NET = """\
import tensorflow as tf


def build():
    print("building")
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
BASE = """\
class Base:
    def run(self):
        for epoch in range(3):
            self.epoch()
        print("done")

    def epoch(self):
        raise NotImplementedError
"""
BELOW = """\
import tensorflow as tf

from base import Base


class Trainer(Base):
    def __init__(self, data):
        self.data = data
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def epoch(self):
        for x, y in self.data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.model(x) - y) ** 2)
            gradients = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
"""
SCRIPT = """\
import os

from trainer import Trainer
import helpers

Trainer([]).run()
"""


def looked_at(entry: str, texts: dict[str, str], *started: str) -> Migration:
    found = migrate_project(Project(entry, texts, started), name=entry)
    assert found is not None
    return found


def blocked(found: Migration) -> list[str]:
    return [each.code for each in found.blocked]


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_function_that_a_command_calls_is_run(end: str) -> None:
    texts = {"p/cli.py": CLI.rstrip() + end, "p/net.py": NET, "p/__init__.py": ""}
    found = looked_at("p/cli.py", texts, "main")
    assert blocked(found) == []
    assert "hvd.init()" in found.after
    assert 'if hvd.rank() == 0:\n        print("done")' in found.after
    assert "\nmain()" not in found.after  # nothing of the call is written
    assert [other.path for other in found.others] == ["p/net.py"]
    assert blocked(looked_at("p/cli.py", texts)) == ["T01"]
    assert blocked(looked_at("p/cli.py", texts, "describe")) == ["T01"]


def test_a_command_may_start_what_a_package_takes_from_its_modules() -> None:
    texts = {"p/cli.py": CLI, "p/net.py": NET, "p/__init__.py": "from .cli import main\n"}
    found = looked_at("p/__init__.py", texts, "main")
    assert blocked(found) == []
    assert "hvd.init()" in found.after
    assert {other.path for other in found.others} == {"p/cli.py", "p/net.py"}


def test_a_command_needs_no_other_module() -> None:
    text = CLI.replace("from .net import build\n", "").replace(
        "build()", "tf.keras.Sequential([tf.keras.layers.Dense(1)])"
    )
    assert blocked(looked_at("cli.py", {"cli.py": text}, "main")) == []


def test_a_main_part_starts_the_same_once() -> None:
    main = '\n\nif __name__ == "__main__":\n    main()\n'
    texts = {"p/cli.py": CLI + main, "p/net.py": NET, "p/__init__.py": ""}
    project = Project("p/cli.py", texts, ("main",))
    assert project.text == CLI + main
    assert looked_at("p/cli.py", texts, "main").after == looked_at("p/cli.py", texts).after


def test_what_a_command_calls_counts_as_started() -> None:
    texts = {"p/cli.py": CLI, "p/net.py": NET, "p/__init__.py": ""}
    assert uses(Project("p/cli.py", texts, ("main",)), "p/cli.py", [10])
    assert not uses(Project("p/cli.py", texts, ("main",)), "p/cli.py", [15])
    assert not uses(Project("p/cli.py", texts), "p/cli.py", [10])
    assert uses(Project("p/cli.py", texts, ("main",)), "p/net.py", [5])


def test_a_loop_of_a_base_class_runs_what_the_class_below_it_gives() -> None:
    """And the base class, which imports nothing, gets Horovod's import above all."""
    texts = {"train.py": SCRIPT, "trainer.py": BELOW, "base.py": BASE, "helpers.py": ""}
    found = looked_at("train.py", texts)
    assert blocked(found) == []
    after = {other.path: other.migration.after for other in found.others}
    assert "hvd.DistributedGradientTape(tape)" in after["trainer.py"]
    assert after["base.py"].startswith("import horovod.tensorflow as hvd\n\n\nclass Base:\n")
    assert "hvd.rank() == 0" in after["base.py"]


def test_only_classes_below_are_asked() -> None:
    other = BELOW.replace("(Base)", "").replace("from base import Base\n", "")
    script = "from base import Base\nfrom trainer import Trainer\n\nTrainer([])\nBase().run()\n"
    texts = {"train.py": script, "trainer.py": other, "base.py": BASE}
    assert looked_at("train.py", texts).skipped == "no training loop"


@pytest.mark.parametrize(
    ("head", "is_refused"),
    [
        ('"""All loops."""\n\n', False),
        ("# The loop of all trainers.\n", True),  # it would be torn from its class
        ("# -*- coding: utf-8 -*-\n\n", False),
    ],
)
def test_the_first_import_of_a_file_tears_nothing_apart(head: str, is_refused: bool) -> None:
    texts = {"train.py": SCRIPT, "trainer.py": BELOW, "base.py": head + BASE, "helpers.py": ""}
    found = looked_at("train.py", texts)
    if is_refused:
        assert "`base.py` has no import beside which Horovod's could go" in found.blocked[0].message
        return
    (base,) = (other.migration.after for other in found.others if other.path == "base.py")
    assert base.startswith(f"{head}import horovod.tensorflow as hvd\n\n\nclass Base:\n")


def test_imports_of_libraries_stand_apart_from_those_of_the_project() -> None:
    texts = {"train.py": SCRIPT, "trainer.py": BELOW, "base.py": BASE, "helpers.py": ""}
    beginning = (
        "import os\n\nimport horovod.tensorflow as hvd\nimport tensorflow as tf\n\n"
        "from trainer import Trainer\nimport helpers\n\nhvd.init()\n"
    )
    assert looked_at("train.py", texts).after.startswith(beginning)


STEP = """\
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}
"""
FITTING = """\
import numpy as np
import tensorflow as tf

{start}
model.compile(tf.keras.optimizers.SGD(0.1))
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""


def test_an_entry_imports_only_what_its_own_lines_name() -> None:
    """The tape's Horovod goes to the module that has the tape."""
    text = FITTING.format(start="from net import Net\n\nmodel = Net()")
    found = looked_at("train.py", {"train.py": text, "net.py": STEP})
    assert "import horovod.tensorflow.keras as hvd\n" in found.after
    assert "hvd_tf" not in found.after
    (other,) = found.others
    assert "import horovod.tensorflow as hvd_tf\n" in other.migration.after
    own = STEP.partition("tf\n")[2] + "\n\nmodel = Net()"
    texts = {"train.py": FITTING.format(start="import names\n" + own), "names.py": "A = 1\n"}
    assert "import horovod.tensorflow as hvd_tf\n" in looked_at("train.py", texts).after
