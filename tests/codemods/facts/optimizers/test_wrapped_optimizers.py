"""Which optimizers are wrapped where they are made, and what trains past them."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.optimizers.compiles import named_in_compile
from distify.codemods.facts.optimizers.learning_rates import Rate, constructor_rates, unknown_rates
from distify.codemods.facts.optimizers.wrapped_optimizers import (
    loads_to_distribute,
    minimizing_calls,
    optimizers_to_wrap,
    untraced_optimizers,
    users_schedule,
)
from distify.codemods.migrate import migrate
from distify.codemods.rewrites._optimizer_edits import with_default_rate

# -- wrapped optimizers --------------------------------------------------------------------------
# Which optimizers are wrapped where they are made, which get a name, and which can't be followed.

HEAD = """\
import tensorflow as tf
import tensorflow_addons as tfa
from tensorflow import keras
from tensorflow.keras.optimizers import SGD, Adam, schedules

Scaled = keras.mixed_precision.LossScaleOptimizer


class Own(keras.Model):
    def train_step(self, data):
        pass


class Other(keras.Model):
    def compile(self, optimizer):
        pass


class Plain(SGD):
    pass


class Rich(SGD):
    def __init__(self, learning_rate=0.5, extra=1):
        super().__init__(learning_rate)


class Known(SGD):
    def __init__(self, extra, *, lr=0.25):
        super().__init__(lr)

    def get_config(self):
        return {}


class Fixed(SGD):
    def __init__(self):
        super().__init__(0.125)


class Schedule(schedules.LearningRateSchedule):
    def __call__(self, step):
        return 0.1


model = keras.Sequential([])
own = Own()
other = Other()
"""
FIT = "\nmodel.fit(x)\n"
START = HEAD.count("\n")


def program(text: str) -> Facts:
    return Facts.of(HEAD + text + FIT)


def below(nodes: list) -> list[str]:
    """Those of the snippet, as they read."""
    return [ast.unparse(node) for node in nodes if node.lineno > START]


WRAPPED = {
    "opt = SGD(0.1)\nmodel.compile(opt)": ["SGD(0.1)"],
    "opt = SGD(0.1)\nmodel.compile(optimizer=opt)": ["SGD(0.1)"],
    "opt = SGD(0.1) if a else Adam(0.2)\nmodel.compile(opt)": ["SGD(0.1)", "Adam(0.2)"],
    "opt = SGD(0.1)\nmodel.compile(opt)\nkeras.Model(a, b).compile(opt)": ["SGD(0.1)"],
    "opt = Scaled(SGD(0.1))\nmodel.compile(opt)": ["SGD(0.1)"],
    "opt = Scaled(inner_optimizer=SGD(0.1))\nmodel.compile(opt)": ["SGD(0.1)"],
    "opt = SGD(0.1)\nown.compile(opt)": [],
    "opt = SGD(0.1)": [],
    "model.compile(SGD(0.1))": [],  # D301 names it
    "model.compile('sgd')": [],
    "opt = SGD(0.1)\nopt.minimize(loss, v)": ["SGD(0.1)"],
    "opt = Scaled(SGD(0.1))\nopt.minimize(loss, v)": ["SGD(0.1)"],
    "opt = SGD(0.1)\nwith tf.GradientTape() as tape:\n    pass\nopt.minimize(loss, v, tape=tape)": [],
    "opt = SGD(0.1)\nwith tf.GradientTape() as tape:\n    pass\nopt.minimize(loss, v, tape)": [],
    "thing.minimize(loss, v)": [],
}


@pytest.mark.parametrize("text", WRAPPED)
def test_what_is_wrapped_where_it_is_made(text: str) -> None:
    facts = program(text)
    assert below(optimizers_to_wrap(facts)) == WRAPPED[text]
    assert len(list(minimizing_calls(facts))) == ("minimize" in text and bool(WRAPPED[text]))


NAMED = {
    "model.compile('adam')": "Adam(learning_rate=0.001 * hvd.size())",
    "model.compile(optimizer='SGD')": "SGD(learning_rate=0.01 * hvd.size())",
    "name = 'adam'\nmodel.compile(name)": "Adam(learning_rate=0.001 * hvd.size())",
    "model.compile(loss='mse')": "keras.optimizers.RMSprop(learning_rate=0.001 * hvd.size())",
    "model.compile(SGD(0.1))": "as it is",
    "model.compile(SGD(0.1) if a else Adam(0.2))": "as it is",
    "own.compile('adam')": "Adam(learning_rate=0.001 * hvd.size()), unwrapped",
    "own.compile(loss='mse')": "keras.optimizers.RMSprop(learning_rate=0.001 * hvd.size()), unwrapped",
    "own.compile(SGD(0.1))": None,
    "other.compile('adam')": None,
    "opt = SGD(0.1)\nmodel.compile(opt)": None,
    "model.compile(f(1))": None,
    "model.compile('mine')": None,
    "model.compile(**options)": None,
}


@pytest.mark.parametrize("text", NAMED)
def test_what_gets_a_name_in_compile(text: str) -> None:
    facts = program(text)
    found = [n for n in named_in_compile(facts) if n.compiled.call.lineno > START]
    made = [
        with_default_rate(facts, n.cls, n.compiled.call) if n.cls else "as it is" for n in found
    ]
    shown = [code + ("" if n.wrap else ", unwrapped") for code, n in zip(made, found)]
    assert shown == ([] if NAMED[text] is None else [NAMED[text]])


UNTRACED = {
    "model.compile(**options)": "the optimizer may be among what `*` or `**` hands on here",
    "model.compile('mine')": 'Keras knows no optimizer "mine"',
    "model.compile(unknown)": "nobody can tell where this optimizer is made",
    "model.compile(a if b else SGD(0.1))": "nobody can tell where this optimizer is made",
    "model.compile(make())": "nobody can tell where this optimizer is made",
    "model.compile(SGD(0.1) if a else make())": "nobody can tell where this optimizer is made",
    "model.compile(schedules.CosineDecay(1, 2))": "nobody can tell where this optimizer is made",
    "def f(opt):\n    model.compile(opt)": "nobody can tell where this optimizer is made",
    "opt = Rich(0.1)\nmodel.compile(opt)": "`Rich` has parameters of its own and no get_config: Horovod can't rebuild it",
    "opt = Fixed()\nmodel.compile(opt)": "`Fixed` has parameters of its own and no get_config: Horovod can't rebuild it",
    "opt = Known(0.1)\nmodel.compile(opt)": None,
    "opt = Plain(0.1)\nmodel.compile(opt)": None,
    "opt = SGD(0.1)\nmodel.compile(opt)": None,
    "model.compile('sgd')": None,
    "model.compile(loss='mse')": None,
    "other.compile(unknown)": None,
    "opt = None\nopt = SGD(0.1)\nmodel.compile(opt)": None,
    "opt = Scaled(SGD(0.1))\nmodel.compile(opt)": None,
}


@pytest.mark.parametrize("text", UNTRACED)
def test_what_can_not_be_followed(text: str) -> None:
    found = [problem.why for problem in untraced_optimizers(program(text))]
    assert found == ([] if UNTRACED[text] is None else [UNTRACED[text]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SGD(Schedule())", True),
        ("SGD(learning_rate=Schedule())", True),
        ("rate = Schedule()\nSGD(rate)", True),
        ("SGD(schedules.CosineDecay(1, 2))", False),
        ("SGD(0.1)", False),
        ("SGD()", False),
    ],
)
def test_a_schedule_of_ones_own(text: str, expected: bool) -> None:
    facts = Facts.of(HEAD + text)
    assert users_schedule(facts, facts.module.body[-1].value) is expected  # type: ignore[attr-defined]


RATE = "_ * hvd.size()"
RATES = {
    "SGD(0.1)": {"0.1": RATE},
    "SGD(learning_rate=a / 2)": {"a / 2": RATE},
    "SGD(lr=0.1)": {"0.1": RATE},
    "SGD()": {"SGD()": "0.01 * hvd.size() as learning_rate"},
    "SGD(momentum=0.9)": {"SGD(momentum=0.9)": "0.01 * hvd.size() as learning_rate"},
    "Adam(**options)": {},
    "Adam(*options)": {},
    "SGD(None)": {},
    "SGD(tf.Variable(0.1))": {},
    "SGD(schedules.CosineDecay(0.2, 9))": {"0.2": RATE},
    "SGD(0.1 if a else 0.2)": {"0.1 if a else 0.2": RATE},
    "SGD(0.1 if a else schedules.CosineDecay(0.2, 9))": {"0.1": RATE, "0.2": RATE},
    "tfa.optimizers.AdamW(0.3, 0.1)": {"0.1": RATE},
    "tfa.optimizers.ConditionalGradient()": {},
    "tf.compat.v1.train.GradientDescentOptimizer(0.1)": {"0.1": RATE},
    "Plain()": {"Plain()": "0.01 * hvd.size() as learning_rate"},
    "Rich(0.1)": {"0.1": RATE},
    "Rich()": {"Rich()": "0.5 * hvd.size() as learning_rate"},
    "Rich(extra=2)": {"Rich(extra=2)": "0.5 * hvd.size() as learning_rate"},
    "Known(1, lr=0.1)": {"0.1": RATE},
    "Known(1)": {"Known(1)": "0.25 * hvd.size() as lr"},
    "schedules.PiecewiseConstantDecay([1], [0.1, 0.2])": {"0.1": RATE, "0.2": RATE},
    "schedules.PiecewiseConstantDecay([1], rates)": {"rates": "[value * hvd.size() for value in _]"},
    "schedules.PiecewiseConstantDecay([1], [*rates])": {"[*rates]": "[value * hvd.size() for value in _]"},
    "schedules.PiecewiseConstantDecay([1], [r / 2 for r in rates])": {"r / 2": RATE},
    "schedules.PolynomialDecay(0.1, 9)": {
        "0.1": RATE,
        "schedules.PolynomialDecay(0.1, 9)": "0.0001 * hvd.size() as end_learning_rate",
    },
    "schedules.PolynomialDecay(0.1, 9, 0.01)": {"0.1": RATE, "0.01": RATE},
    "SGD(model.optimizer.learning_rate)": {},
}  # fmt: skip


def shown_rate(rate: Rate) -> str:
    if rate.argument:
        return f"{rate.default} * hvd.size() as {rate.argument}"
    return "[value * hvd.size() for value in _]" if rate.is_sequence else RATE


@pytest.mark.parametrize("text", RATES)
def test_the_rates_that_are_scaled(text: str) -> None:
    found = constructor_rates(Facts.of(HEAD + text))
    shown = {
        ast.unparse(node): shown_rate(rate)
        for node, rate in found.items()
        if node.lineno > START  # type: ignore[attr-defined]
    }
    assert shown == RATES[text]


def test_a_class_that_fixes_its_rate_is_scaled_where_it_does() -> None:
    found = constructor_rates(Facts.of(HEAD + "Fixed()"))
    assert "0.125" in {ast.unparse(node) for node in found}
    assert "0.125" not in {ast.unparse(n) for n in constructor_rates(Facts.of(HEAD + "SGD(0.1)"))}


PROBLEMS = {
    "keras.optimizers.Mine()": "the learning rate of this optimizer can't be seen",
    "tfa.optimizers.Lookahead(opt)": "this optimizer averages the weights of another one: they begin as "
    "each worker's own, and the rate is the other one's",
    "keras.optimizers.get('adam')": "the learning rate of this optimizer can't be seen",
    "Adam(**options)": "its rate may be among what `*` or `**` hands on here",
    "SGD(0.1 if a else schedules.CosineDecay(0.2, 9))": None,
    "rate = 0.1\nif a:\n    rate = schedules.CosineDecay(0.2, 9)\nSGD(rate)": None,
    "rate = 0.1\nif a:\n    rate = schedules.CosineDecay(0.2, 9)\nSGD(rate)\nprint(rate)":
        "this rate is a number in some cases and a schedule in others",
    "SGD(make())": "nobody can tell whether this rate is a number or a schedule",
    "SGD(tf.Variable(0.1))": "this rate is a tf.Variable that may be changed later",
    "SGD(lambda: 0.1)": "this rate is a function, which Keras has dropped",
    "SGD(0.1)": None,
    "SGD()": None,
    "schedules.PiecewiseConstantDecay([1], make())": None,
    "tfa.optimizers.ConditionalGradient(**options)": "its rate may be among what `*` or `**` hands on here",
}  # fmt: skip


@pytest.mark.parametrize("text", PROBLEMS)
def test_rates_that_can_not_be_scaled(text: str) -> None:
    found = [p.why for p in unknown_rates(Facts.of(HEAD + text)) if p.node.lineno > START]
    assert found == ([] if PROBLEMS[text] is None else [PROBLEMS[text]])


def test_a_schedule_of_ones_own_is_scaled_outside_of_others() -> None:
    inside = "class Warm(schedules.LearningRateSchedule):\n    def __init__(self, after):\n"
    inside += "        self.after = after\n\n    def __call__(self, step):\n        return self.after(step)\n\n\n"
    found = {
        ast.unparse(n) for n in constructor_rates(Facts.of(HEAD + inside + "SGD(Warm(Schedule()))"))
    }
    assert found == {"self.after(step)"}
    both = Facts.of(HEAD + inside + "SGD(Warm(Schedule()))\nSGD(Schedule())")
    whys = [problem.why for problem in unknown_rates(both)]
    assert whys == ["this schedule class is used on its own and inside of another schedule"]


BASE = """\
import numpy as np
import tensorflow as tf


class Base:
    def __init__(self):
        self.optimizer = None

    def train(self, x, y):
        self.build()
        self.model.compile(self.optimizer, "mse")
        self.model.fit(x, y)


class Own(Base):
    def build(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.1)


Own().train(np.ones((64, 4)), np.ones((64, 1)))
"""


def test_a_base_class_trains_with_the_optimizer_of_a_derived_one() -> None:
    found = migrate(BASE)
    assert not found.blocked
    assert "        self.optimizer = hvd.DistributedOptimizer(self.optimizer)\n" in found.after
    assert migrate(found.after).after == found.after


@pytest.mark.parametrize(
    ("made", "use"),
    [
        ("tf.train.AdamOptimizer(1e-3).minimize(loss)", "minimize(loss)"),
        ("tf.train.AdamOptimizer(1e-3).minimize(\n    loss\n)", "minimize(loss)"),
    ],
)
def test_a_rate_that_is_kept_is_so_behind_a_name(made: str, use: str) -> None:
    head = "import numpy as np\nimport tensorflow as tf\n\nw = tf.get_variable('w', [4, 1])\n"
    data = "x = tf.placeholder(tf.float32, [None, 4])\nloss = tf.reduce_mean((x @ w) ** 2)\n"
    text = f"{head}{data}step = {made}  # distify: rate=kept\n"
    text += "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
    text += "    for i in range(9):\n        sess.run(step, {x: np.ones((8, 4))})\n"
    found = migrate(text)
    assert not found.blocked
    assert f"step = optimizer.{use}  # distify: rate=kept\n" in found.after
    assert "hvd.size()" not in found.after
    assert migrate(found.after).after == found.after


OPTIONS = """\
import json

import numpy as np
import tensorflow as tf


def make(options):
    return tf.keras.optimizers.Adam(**options)


x, y = np.ones((64, 4)), np.ones((64, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = make(json.load(open("options.json")))
"""
FITS = 'model.compile(opt, "mse")\nmodel.fit(x, y)\n'
TAPES = """\
for a, b in tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))
"""
SCALED = """\
    optimizer = tf.keras.optimizers.Adam(**options)
    optimizer.learning_rate = optimizer.learning_rate * hvd.size()
"""


def test_an_optimizer_that_is_given_back_gets_a_name_for_a_rate_that_nobody_sees() -> None:
    found = migrate(OPTIONS + FITS)
    assert not found.blocked
    wrapped = "    optimizer = hvd.DistributedOptimizer(optimizer)\n    return optimizer\n"
    assert SCALED + wrapped in found.after
    assert migrate(found.after).after == found.after


def test_one_of_a_tape_does_too() -> None:
    found = migrate(OPTIONS + TAPES)
    assert not found.blocked
    assert SCALED + "    return optimizer\n" in found.after
    kept = migrate((OPTIONS + TAPES).replace("(**options)", "(**options)  # distify: rate=kept"))
    assert "return tf.keras.optimizers.Adam(**options)  #" in kept.after


def test_a_schedule_anywhere_may_be_among_the_options() -> None:
    decay = "rate = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 9, 0.9)\n"
    found = migrate(OPTIONS + decay + FITS)
    assert [finding.code for finding in found.blocked] == ["L01"]


# -- loaded models -------------------------------------------------------------------------------
# Which models from files train on with the optimizer that the file holds.

HEAD_OF_LOADED_MODELS = """\
import os
import tensorflow as tf
from tensorflow.keras.models import load_model
import horovod.tensorflow.keras as hvd

def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
"""
FIT_OF_LOADED_MODELS = "model.fit(x, y)\n"
LOAD = "model = load_model('m.h5')\n"
FOUND = {
    "as it is": LOAD + FIT_OF_LOADED_MODELS,
    "if there is one": f"if os.path.exists('m.h5'):\n    {LOAD}else:\n    model = build()\n"
    + FIT_OF_LOADED_MODELS,
    "in an expression": "model = load_model('m') if os.path.exists('m') else build()\n"
    + FIT_OF_LOADED_MODELS,
    "in a function": "def get():\n    return load_model('m.h5')\nmodel = get()\n"
    + FIT_OF_LOADED_MODELS,
    "in an object": (
        "class Trainer:\n    def __init__(self):\n        self.model = load_model('m.h5')\n"
        "    def run(self):\n        self.model.fit(x, y)\nTrainer().run()\n"
    ),
    "batch by batch": LOAD + "for x, y in data:\n    model.train_on_batch(x, y)\n",
    "trained, saved, loaded, trained": "model = build()\n"
    + FIT_OF_LOADED_MODELS
    + LOAD
    + FIT_OF_LOADED_MODELS,
    "compiled under a condition": LOAD
    + "if new:\n    model.compile('adam', 'mse')\n"
    + FIT_OF_LOADED_MODELS,
    "compiled before": "model = build()\nmodel.compile('adam', 'mse')\n"
    + LOAD
    + FIT_OF_LOADED_MODELS,
    "compiled behind": LOAD + FIT_OF_LOADED_MODELS + "model.compile('adam', 'mse')\n",
    "another was compiled": LOAD
    + "other = build()\nother.compile('adam', 'mse')\n"
    + FIT_OF_LOADED_MODELS,
    "one of several": "for model in [load_model(p) for p in paths]:\n    " + FIT_OF_LOADED_MODELS,
}
LEFT = {
    "only asked": LOAD + "model.predict(x)\nmodel = build()\n" + FIT_OF_LOADED_MODELS,
    "loaded without": "model = load_model('m.h5', compile=False)\n" + FIT_OF_LOADED_MODELS,
    "compiled again": LOAD + "model.compile('adam', 'mse')\n" + FIT_OF_LOADED_MODELS,
    "compiled again, on any way": (
        f"if os.path.exists('m.h5'):\n    {LOAD}else:\n    model = build()\n"
        "model.compile('adam', 'mse')\nfor fold in folds:\n    " + FIT_OF_LOADED_MODELS
    ),
    "loaded by Horovod": "model = hvd.load_model('m.h5')\n" + FIT_OF_LOADED_MODELS,
    "with Horovod's optimizer": LOAD
    + "model.optimizer = hvd.DistributedOptimizer(model.optimizer)\n"
    + FIT_OF_LOADED_MODELS,
    "a step of one's own": (
        LOAD + "opt = tf.keras.optimizers.Adam()\nwith tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_sum(model(x))\n"
        "grads = tape.gradient(loss, model.trainable_variables)\n"
        "opt.apply_gradients(zip(grads, model.trainable_variables))\n"
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_trains_on_is_found(name: str) -> None:
    assert len(loads_to_distribute(Facts.of(HEAD_OF_LOADED_MODELS + FOUND[name]))) == 1


@pytest.mark.parametrize("name", LEFT)
def test_what_has_an_optimizer_that_averages_is_left(name: str) -> None:
    assert loads_to_distribute(Facts.of(HEAD_OF_LOADED_MODELS + LEFT[name])) == []
