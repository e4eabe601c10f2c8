"""Files that can't be changed together: nothing of them is, and the entry says why."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from distify.codemods.applying import apply_rules as chains
from distify.codemods.applying.places_to_edit import Found
from distify.codemods.facts import facts
from distify.codemods.facts.facts import Facts
from distify.codemods.migrate import migrate
from distify.codemods.model import Finding, Migration, Options, Step, UnsoundResult
from distify.codemods.project.joined import join
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

BUILD = """\
import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
TRAINER = """\
import tensorflow as tf


def run(model, x, y):
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(x, y)
"""
MAIN = """\
import numpy as np

from model import build
from trainer import run

run(build(), np.ones((8, 4)), np.ones((8, 1)))
"""
OWN = """\
import numpy as np
import tensorflow as tf

from model import build
from trainer import run

model = build()
run(model, np.ones((8, 4)), np.ones((8, 1)))
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""
KERAS_3 = Options(keras="3", tensorflow=(2, 20))


def looked_at(entry: str, options: Options | None = None, **others: str) -> Migration | None:
    """The migration of an entry with modules beside it."""
    texts = {"train.py": entry, **{f"{name}.py": text for name, text in others.items()}}
    return migrate_project(Project("train.py", texts), options, "train.py")


def refusal(found: Migration | None) -> Finding:
    """The only finding of an entry that is not changed, and nothing with it."""
    assert found is not None
    assert [found.steps, found.unmade, found.others, found.skipped] == [(), (), (), None]
    (finding,) = found.blocked
    return finding


def break_texts(monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """Let the check of a file's new text fail in its fifth line."""
    plain = chains.steps

    def broken(own: Facts, found: Sequence[Found], name: str) -> tuple[Step, ...]:
        if name == file:
            raise UnsoundResult("D104", 5, "not what was meant")
        return plain(own, found, name)

    monkeypatch.setattr(chains, "steps", broken)


@pytest.mark.parametrize(
    ("file", "line", "where"), [("trainer.py", 4, " (trainer.py:5)"), ("train.py", 5, "")]
)
def test_a_text_that_fails_a_check_is_named(
    file: str, line: int, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file alone trains nothing: without a word, nobody would change what trains for it."""
    break_texts(monkeypatch, file)
    assert migrate(MAIN).skipped
    finding = refusal(looked_at(MAIN, model=BUILD, trainer=TRAINER))
    assert (finding.code, finding.line) == ("P04", line)
    assert finding.message == f"what D104 does here can't be written: not what was meant{where}"
    assert "please report" in finding.fix


def test_a_name_that_only_another_file_has_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = chains.steps

    def unbound(own: Facts, found: Sequence[Found], name: str) -> tuple[Step, ...]:
        made = plain(own, found, name)
        return (*made[:-1], made[-1]._replace(text=made[-1].text + "build()\n"))

    monkeypatch.setattr(chains, "steps", unbound)
    finding = refusal(looked_at(MAIN, model=BUILD, trainer=TRAINER))
    assert "nothing binds build in trainer.py" in finding.message


def test_a_failed_check_is_told_whatever_blocks_the_file_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing else is in the way of all files together: the file's own findings would mislead."""
    break_texts(monkeypatch, "trainer.py")
    assert migrate(OWN).blocked
    finding = refusal(looked_at(OWN, model=BUILD, trainer=TRAINER))
    assert "what D104 does here can't be written" in finding.message


def too_few(entry: str, **others: str) -> int:
    """A budget that is enough for the entry, and too small for the program."""
    texts = {"train.py": entry, **{f"{name}.py": text for name, text in others.items()}}
    joined = join(Project("train.py", texts))
    assert joined is not None
    return Facts(joined.source, Options(), joined).program._graph.steps - 1


@pytest.mark.parametrize("look", [False, True])
def test_a_program_over_the_budget_is_named(look: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = too_few(MAIN, model=BUILD, trainer=TRAINER)
    monkeypatch.setattr(facts, "MOST_STEPS", budget)
    assert migrate(MAIN).skipped
    options = Options(only_look=look)
    finding = refusal(looked_at(MAIN, options, model=BUILD, trainer=TRAINER))
    assert (finding.code, finding.line) == ("N04", 1)
    assert "the modules that it imports (2)" in finding.message
    assert "skip-file" in finding.fix


def test_what_is_too_large_can_be_left_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fix that is said: what trains is found then, and its table stays unknown."""
    table = "".join(f"A{n} = [{n}, {n}]\n" for n in range(300)) + "SIZE = A1[0]\n"
    main = MAIN.replace("import numpy as np\n", "import numpy as np\n\nfrom table import SIZE\n")
    main += "print(SIZE)\n"
    monkeypatch.setattr(
        facts, "MOST_STEPS", too_few(main, model=BUILD, trainer=TRAINER, table=table)
    )
    assert refusal(looked_at(main, model=BUILD, trainer=TRAINER, table=table)).code == "N04"
    marked = "# distify: skip-file\n" + table
    found = looked_at(main, model=BUILD, trainer=TRAINER, table=marked)
    assert found is not None
    assert not found.blocked
    assert [other.path for other in found.others] == ["trainer.py"]


@pytest.mark.parametrize("look", [False, True])
def test_what_two_files_of_keras_3_need_and_neither_can_import_is_named(look: bool) -> None:
    """Each imports the other: whichever had the definition would be imported before it is there."""
    options = KERAS_3._replace(only_look=look)
    build = BUILD.replace("    return ", "    from trainer import run\n\n    model = ")
    build += '    model.compile(tf.keras.optimizers.SGD(0.1), "mse")\n    return model\n'
    trainer = TRAINER.replace("def run", "from model import build\n\n\ndef run")
    finding = refusal(looked_at(MAIN, options, model=build, trainer=trainer))
    assert (finding.code, finding.line) == ("T01", 3)
    assert finding.message == (
        "`trainer.py` needs `average_gradients` here, which distify can write into `train.py` only"
        " (trainer.py:8)"
    )


def test_keras_3_is_trained_by_a_step_of_another_file() -> None:
    """What its own step needs is written beside it."""
    net = BUILD.replace("def build():", "def unused():") + (
        "\n\nclass Net(tf.keras.Model):\n    def train_step(self, data):\n        x, y = data\n"
        "        with tf.GradientTape() as tape:\n            loss = tf.reduce_mean(self(x) - y)\n"
        "        grads = tape.gradient(loss, self.trainable_variables)\n"
        "        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))\n"
        '        return {"loss": loss}\n'
    )
    text = "import numpy as np\nimport tensorflow as tf\n\nfrom net import Net\n\nmodel = Net()\n"
    text += 'model.compile(tf.keras.optimizers.SGD(0.1), "mse")\nmodel.fit(np.ones((8, 4)), np.ones((8, 1)))\n'
    found = looked_at(text, KERAS_3, net=net)
    assert found is not None
    assert not found.blocked
    assert [other.path for other in found.others] == ["net.py"]


TWO_WAYS = """\
import numpy as np
import tensorflow as tf

from model import build


def by_hand(model, x):
    optimizer = tf.keras.optimizers.SGD(0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


with tf.compat.v1.Session() as session:
    session.run(step)
by_hand(build(), np.ones((8, 4)))
"""


def test_lines_of_advice_are_those_of_the_file() -> None:
    found = looked_at(TWO_WAYS, model=BUILD)
    assert found is not None
    (finding,) = [f for f in found.blocked if f.code == "T02"]
    assert finding.line == 15
    assert "move lines 15 to 16 to another file" in finding.fix


def test_a_method_is_started_by_an_object() -> None:
    trainer = """\
import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model

    def train(self, epochs=2):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.model.compile(tf.keras.optimizers.SGD(0.1), "mse")
        self.model.fit(load(), epochs=epochs)
"""
    (finding,) = migrate(trainer).blocked
    assert finding.code == "T01"
    assert finding.message.startswith("nothing in sight starts this training")
    assert "`Trainer(…).train()`" in finding.fix
    (finding,) = migrate(trainer.replace("(self, model)", "(self, model=None)")).blocked
    assert "`Trainer().train()`" in finding.fix
