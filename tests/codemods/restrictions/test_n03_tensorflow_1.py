"""N03: a project that asks for TensorFlow 1 is told, and nothing is written."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

TEXT = """\
import os
{}

model = keras.Sequential([])
model.compile("sgd")
model.fit([1.0], [2.0])
"""


@pytest.mark.parametrize("version", [(1, 15), (1, 4), (1, 99)])
@pytest.mark.parametrize(
    "line", ["from tensorflow import keras", "import keras", "import tensorflow.keras as keras"]
)
def test_what_is_written_for_tensorflow_1(line: str, version: tuple[int, int]) -> None:
    found = migrate(TEXT.format(line), Options(tensorflow=version))
    assert [(finding.code, finding.line) for finding in found.blocked] == [("N03", 2)]
    assert found.after == found.before


@pytest.mark.parametrize("version", [(2, 0), (2, 4), (2, 15)])
def test_what_is_written_for_tensorflow_2(version: tuple[int, int]) -> None:
    found = migrate(TEXT.format("from tensorflow import keras"), Options(tensorflow=version))
    assert not found.blocked
    assert found.steps


def test_who_trains_nothing_may_ask_for_any_version() -> None:
    text = "import tensorflow as tf\nprint(tf.ones(3))\n"
    assert not migrate(text, Options(tensorflow=(1, 15))).blocked


def test_a_session_is_told_of_its_own_reason_only() -> None:
    text = "import tensorflow as tf\nwith tf.Session() as session:\n    session.run(op)\n"
    found = migrate(text, Options(tensorflow=(1, 15)))
    assert [finding.code for finding in found.blocked] == ["T06"]


def test_a_program_without_imports_is_told_at_its_beginning() -> None:
    text = "# a cell of a notebook on tensorflow\nmodel.fit(x)\nopt.apply_gradients(pairs)\n"
    found = migrate(text, Options(tensorflow=(1, 15)))
    assert ("N03", 2) in [(finding.code, finding.line) for finding in found.blocked]


HEAD = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = {}(0.1)
"""
KERAS = 'model.compile(opt, "mse")\nmodel.fit(x, y)\n'
MINIMIZE = "for x in data:\n    opt.minimize(lambda: model(x), tf.Variable(0))\n"
TAPE = """\
for x in data:
    with tf.GradientTape() as tape:
        loss = model(x)
    w = model.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, w), w))
"""
GONE, OLD, NEW = "tf.train.AdamOptimizer", "tf.compat.v1.train.AdamOptimizer", "tf.optimizers.Adam"


def codes(text: str) -> set[str]:
    return {finding.code for finding in migrate(text).blocked}


@pytest.mark.parametrize("use", [KERAS, MINIMIZE, TAPE])
def test_an_optimizer_that_is_gone_is_named(use: str) -> None:
    assert "N03" in codes(HEAD.format(GONE) + use)


@pytest.mark.parametrize("use", [KERAS, MINIMIZE])
def test_an_old_optimizer_that_works_otherwise_is_named(use: str) -> None:
    assert "N03" in codes(HEAD.format(OLD) + use)


@pytest.mark.parametrize("use", [KERAS, TAPE])
def test_an_optimizer_of_keras_is_not_named(use: str) -> None:
    assert "N03" not in codes(HEAD.format(NEW) + use)


def test_a_tape_takes_an_old_optimizer() -> None:
    assert "N03" not in codes(HEAD.format(OLD) + TAPE)


SESSION = """\
import tensorflow as tf

weight = tf.get_variable("weight", [])
train = tf.train.AdamOptimizer(0.1).minimize(weight**2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
"""


def test_what_only_tensorflow_1_runs_says_what_is_assumed() -> None:
    found = migrate(SESSION)
    assert found.steps
    assert [(note.code, note.line) for note in found.notes if note.code == "N03"] == [("N03", 5)]
    through = SESSION.replace("tensorflow as", "tensorflow.compat.v1 as")
    assert [note.code for note in migrate(through).notes] == ["D107"]


def test_where_the_project_asks_for_tensorflow_1_nothing_is_assumed() -> None:
    found = migrate(SESSION, Options(tensorflow=(1, 15)))
    assert found.steps
    assert "N03" not in [note.code for note in found.notes]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("import tensorflow.contrib.slim as slim", "tensorflow.contrib.slim"),
        ("from tensorflow.contrib import rnn", "tensorflow.contrib.rnn"),
        (
            "from tensorflow.examples.tutorials.mnist import input_data",
            "tensorflow.examples.tutorials",
        ),
        ("cell = tf.contrib.rnn.BasicLSTMCell(8)", "tensorflow.contrib.rnn"),
    ],
)
def test_parts_that_tensorflow_2_lacks_are_named(line: str, part: str) -> None:
    text = SESSION.replace("\n\n", f"\n{line}\n\n", 1)
    assert line in text
    found = migrate(text)
    assert found.steps
    named = [note for note in found.notes if part in note.message]
    assert [note.code for note in named] == ["N03"]
    assert not any("A18" in note.fix for note in found.notes), "which can't be made here"
    old = migrate(text, Options(tensorflow=(1, 15)))
    assert "N03" not in [note.code for note in old.notes]


def test_a_part_is_named_once_where_it_comes_first() -> None:
    uses = "a = tf.contrib.layers.l2_regularizer(0.1)\nb = tf.contrib.layers.l1_regularizer(0.1)"
    found = migrate(SESSION.replace("\n\n", f"\n{uses}\n\n", 1))
    named = [note.line for note in found.notes if "contrib" in note.message]
    assert len(named) == 1
    assert "l2_regularizer" in found.before.splitlines()[named[0] - 1]


SUCCESSORS = {
    "GradientDescentOptimizer(0.1)": "SGD(learning_rate=0.1)",
    "GradientDescentOptimizer(learning_rate=0.1)": "SGD(learning_rate=0.1)",
    "MomentumOptimizer(0.1, 0.9)": "SGD(learning_rate=0.1, momentum=0.9)",
    "MomentumOptimizer(0.1, momentum=0.9)": "SGD(learning_rate=0.1, momentum=0.9)",
    "RMSPropOptimizer(0.1, 0.9)": "RMSprop(learning_rate=0.1)",
    "AdamOptimizer()": "Adam()",
    "AdagradOptimizer(0.1)": "Adagrad(learning_rate=0.1)",
    "AdadeltaOptimizer(0.1)": "Adadelta(learning_rate=0.1)",
    "FtrlOptimizer(0.1)": "Ftrl(learning_rate=0.1)",
    "ProximalAdagradOptimizer(0.1)": "SGD(learning_rate=0.1)",
}


@pytest.mark.parametrize("old", SUCCESSORS)
def test_the_optimizer_that_takes_its_place_keeps_its_rate(old: str) -> None:
    text = HEAD.replace("{}(0.1)", f"tf.train.{old}") + KERAS
    fixes = [each.fix for each in migrate(text).blocked if each.code == "N03"]
    assert fixes == [f"write `tf.keras.optimizers.{SUCCESSORS[old]}` in its place"]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("import tensorflow.contrib.rnn", {"contrib.rnn": "tf_slim"}),
        ("from tensorflow import contrib", {"contrib": "tf_slim"}),
        ("from tensorflow.examples import tutorials", {"examples.tutorials": "tf.keras.datasets"}),
        (
            "a = tf.contrib.rnn.Cell()\nb = tf.contrib.slim.x",
            {"contrib.rnn": "", "contrib.slim": ""},
        ),
        ("a = tf.compat.v1.contrib.rnn.Cell()", {"contrib.rnn": "tf.layers"}),
        ("a = other.contrib.rnn", {}),
        ("from . import contrib", {}),
        ("import mine.tensorflow.contrib", {}),
        ("a = tf.contribs.rnn", {}),
    ],
)
def test_a_part_is_named_with_what_takes_its_place(line: str, parts: dict[str, str]) -> None:
    notes = migrate(SESSION.replace("\n\n", f"\n{line}\n\n", 1)).notes
    found = {note.message.split("`")[1]: note.fix for note in notes if "has no `" in note.message}
    assert set(found) == {f"tensorflow.{part}" for part in parts}
    assert all(parts[part.partition(".")[2]] in fix for part, fix in found.items())
    assert any("A18" in note.fix for note in notes) is not bool(parts)
