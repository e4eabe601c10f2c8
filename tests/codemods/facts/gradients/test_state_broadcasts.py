"""Where state is broadcast, by which flag, and which models come along."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.state_broadcasts import broadcasts
from distify.codemods.migrate import migrate
from distify.codemods.model import Options
from distify.codemods.rewrites._broadcasts import flag, flag_names, spelled, state
from distify.codemods.rewrites._flag_lines import FlagLines

HEAD = """\
import tensorflow as tf
from tensorflow import keras

opt = keras.optimizers.SGD(0.1)
other = keras.optimizers.Adam(0.1)
old = keras.optimizers.legacy.SGD(0.1)
model = keras.Sequential([])
target = keras.Sequential([])
"""
START = HEAD.count("\n")
APPLY = "{}.apply_gradients(zip(g, {}.trainable_variables))\n"
BATCH = "for x in a:\n    model.train_on_batch(x)\n"


def planned(text: str, tensorflow: tuple[int, int] = (2, 15)) -> list[str]:
    """Each broadcast: its flag, the variables, those of the optimizer, and the rest."""
    facts = Facts.of(HEAD + text, Options(tensorflow=tensorflow))
    found = broadcasts(facts)
    names, flags = flag_names(facts, found), FlagLines(facts, found)
    shown = []
    for one in (*found.batches, *found.applications):
        asked = f" and {' '.join(map(ast.unparse, one.asked))}" if one.asked else ""
        result = " as applied" if one.is_nested else ""
        code = spelled(facts, one.applied.variables)
        shown.append(f"{flag(facts, one, names)}: {code}, {state(one.optimizer)}{asked}{result}")
    for lines, where in ((flags.after, "after"), (flags.before, "before")):
        for statement, made in lines.items():
            shown += [f"{where} {statement.lineno - START}: {line.strip()}" for line in made]
    return shown + [problem.why for problem in found.problems]


MADE = "broadcast_done = tf.Variable(False, trainable=False)"
ONE = APPLY.format("opt", "model")
STEP = "def step(x):\n    y = {}(x)\n    " + ONE
PLANS = {
    ONE: ["broadcast_done: model.variables, opt.variables", f"after -4: {MADE}"],
    ONE + ONE: [
        "broadcast_done: model.variables, opt.variables",
        "broadcast_done: model.variables, opt.variables",
        f"after -4: {MADE}",
    ],
    ONE + "f(x)\n" + APPLY.format("opt", "target"): [
        "opt_broadcast_done_1: model.variables, opt.variables",
        "opt_broadcast_done_2: target.variables, opt.variables",
        f"after -4: opt_{MADE}".replace("done =", "done_1 ="),
        f"after -4: opt_{MADE}".replace("done =", "done_2 ="),
    ],
    ONE + "f(x)\n" + APPLY.format("other", "target"): [
        "opt_broadcast_done: model.variables, opt.variables",
        "other_broadcast_done: target.variables, other.variables",
        f"after -4: opt_{MADE}",
        f"after -3: other_{MADE}",
    ],
    ONE + APPLY.format("other", "target"): [
        "broadcast_done: target.variables, other.variables",
        f"after -3: {MADE}",
    ],
    APPLY.format("old", "model"): [
        "broadcast_done: model.variables, old.variables()",
        f"after -2: {MADE}",
    ],
    "a = opt.apply_gradients(zip(g, vs))\n": [
        "broadcast_done: vs, opt.variables",
        f"after -4: {MADE}",
    ],
    "f(opt.apply_gradients(zip(g, vs)))\n": [
        "broadcast_done: vs, opt.variables as applied",
        f"after -4: {MADE}",
    ],
    "a if b else opt.apply_gradients(zip(g, vs))\n": ["this call is part of a larger expression"],
    "opt.minimize(loss, [w])\n": ["broadcast_done: [w], opt.variables", f"after -4: {MADE}"],
    "thing.minimize(loss, [w])\n": [],
    "thing.apply_gradients(zip(g, vs))\n": ["nobody can tell where this optimizer is made"],
    STEP.format("target"): [
        "broadcast_done: model.variables, opt.variables and target",
        f"after -4: {MADE}",
    ],
    STEP.format("model"): ["broadcast_done: model.variables, opt.variables", f"after -4: {MADE}"],
    STEP.format("unknown"): ["broadcast_done: model.variables, opt.variables", f"after -4: {MADE}"],
    STEP.format("target") + "    " + ONE: [
        "broadcast_done: model.variables, opt.variables and target",
        "broadcast_done: model.variables, opt.variables",
        f"after -4: {MADE}",
    ],
    BATCH: [
        "broadcast_done: model.variables, model.optimizer.variables",
        f"before 1: {MADE}",
    ],
    "for x in a:\n    f(model.train_on_batch(x))\n": [
        "broadcast_done: model.variables, model.optimizer.variables as applied",
        f"before 1: {MADE}",
    ],
    "for x in a:\n    b = model.train_on_batch(x)\n": [
        "broadcast_done: model.variables, model.optimizer.variables",
        f"before 1: {MADE}",
    ],
    BATCH + BATCH.replace("model", "target"): [
        "model_broadcast_done: model.variables, model.optimizer.variables",
        "target_broadcast_done: target.variables, target.optimizer.variables",
        f"before 1: model_{MADE}",
        f"before 3: target_{MADE}",
    ],
    "model.train_on_batch(x)\n": [],
}


@pytest.mark.parametrize("text", PLANS)
def test_what_is_broadcast(text: str) -> None:
    assert planned(text) == PLANS[text]


def test_variables_is_a_method_until_tensorflow_2_11() -> None:
    for version, call in (((2, 11), "()"), ((2, 12), "")):
        assert f"opt.variables{call}" in planned(ONE, version)[0]
        assert planned(BATCH, version)[0].endswith(f"model.optimizer.variables{call}")
        assert "old.variables()" in planned(APPLY.format("old", "model"), version)[0]


def test_a_train_step_of_keras_broadcasts_by_its_callback() -> None:
    step = "class M(keras.Model):\n    def train_step(self, data):\n        "
    step += "self.optimizer.apply_gradients(zip(g, self.trainable_variables))\n\n\nM().fit(x)\n"
    assert planned(step) == []


@pytest.mark.parametrize(
    "made",
    ["keras.models.load_model('a')", "keras.applications.VGG16()"],
)
def test_a_model_that_comes_from_a_file_is_the_same_everywhere(made: str) -> None:
    text = f"frozen = {made}\n\n\n" + STEP.format("frozen")
    assert not any(" and frozen" in line for line in planned(text))


def test_a_model_behind_the_step_is_none_of_its() -> None:
    text = "def step(x):\n    " + ONE + "    y = target(x)\n"
    assert not any("target" in line for line in planned(text))


def test_flags_of_one_place_are_made_once() -> None:
    facts = Facts.of(HEAD + ONE + ONE)
    flags = FlagLines(facts, broadcasts(facts))
    assert [ast.unparse(s) for s in flags.after] == ["opt = keras.optimizers.SGD(0.1)"]
    assert [len(lines) for lines in flags.after.values()] == [1]


def test_variables_that_a_comprehension_gathers_are_followed() -> None:
    text = """\
import tensorflow as tf

layers = [tf.keras.layers.Dense(4) for _ in range(8)]
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(layers[0](x))
    variables = [v for layer in layers for v in layer.trainable_variables]
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


for _ in range(3):
    step(tf.ones((8, 4)))
"""
    found = migrate(text)
    assert not found.blocked
    assert "hvd.DistributedGradientTape(" in found.after


@pytest.mark.parametrize(
    "pairs",
    [
        "zip(g, model.heads)",
        "[(g1, model.one), (g2, model.two)]",
        "zip(g, heads_of(model))",
        "clipped(g, model)",
        "list(clipped(g, model))",
    ],
)
def test_what_nobody_can_follow_is_broadcast_once(pairs: str) -> None:
    text = f"""\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
for x in range(9):
    with tf.GradientTape() as tape:
        y = model(x)
    g = tape.gradient(y, model.trainable_variables)
    g1, g2 = g
    opt.apply_gradients({pairs})
"""
    after = migrate(text).after
    assert after.count("hvd.broadcast_variables(") >= 2
    assert migrate(after).after == after
