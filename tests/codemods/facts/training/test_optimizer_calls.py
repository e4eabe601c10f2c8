"""Calls that take a step of training: who makes them, and for which variables."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts, Pattern, training_of
from distify.codemods.facts.training.optimizer_calls import Sources, sources_of
from distify.codemods.migrate import migrate

# -- graph ops -----------------------------------------------------------------------------------
# Operations of a TensorFlow 1 graph are no loop; what computes gradients when it is called is
# one.

HEAD = "import tensorflow as tf\nfrom tensorflow import keras\nw = tf.Variable(1.0)\n"
V1 = "opt = tf.compat.v1.train.AdamOptimizer(0.1)\n"
OLD = "opt = tf.train.GradientDescentOptimizer(0.1)\n"
KERAS = "opt = keras.optimizers.SGD(0.1)\n"
TAPE = "with tf.GradientTape() as tape:\n    loss = w * w\n"
COMPUTED = "pairs = opt.compute_gradients(loss)\nop = opt.apply_gradients(pairs)\n"
SESSION = "with tf.compat.v1.Session() as session:\n    session.run(op)\n"
MONITORED = "with tf.compat.v1.train.MonitoredTrainingSession() as session:\n    session.run(op)\n"


@pytest.mark.parametrize("optimizer", [V1, OLD])
@pytest.mark.parametrize(
    "op", ["op = opt.minimize(loss)\n", "op = opt.minimize(loss, step)\n", COMPUTED]
)
@pytest.mark.parametrize(
    ("loop", "pattern"),
    [
        (SESSION, Pattern.SESSION),
        (MONITORED, Pattern.MONITORED_SESSION),
        ("tf.estimator.Estimator(model_fn).train(data)\n", Pattern.ESTIMATOR),
    ],
)  # fmt: skip
def test_what_a_session_runs_is_no_loop(
    optimizer: str, op: str, loop: str, pattern: Pattern
) -> None:
    assert training_of(Facts.of(HEAD + optimizer + op + loop)).pattern is pattern
    assert (
        training_of(Facts.of(HEAD + "from mine import opt\n" + COMPUTED + loop)).pattern is pattern
    )


def test_an_operation_that_nothing_here_runs_belongs_to_a_session_elsewhere() -> None:
    facts = Facts.of(HEAD + "def model_fn(loss):\n    " + V1 + "    return opt.minimize(loss)\n")
    assert training_of(facts).pattern is Pattern.SESSION
    assert [e.what for e in training_of(facts).evidence] == ["opt.minimize"]


@pytest.mark.parametrize(
    "text",
    [
        V1 + "opt.minimize(lambda: w * w)\n",
        OLD + "def loss():\n    return w * w\nopt.minimize(loss, var_list=[w])\n",
        V1 + TAPE + "opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n",
        KERAS + "opt.minimize(lambda: w * w, [w])\n",
        KERAS + TAPE + "opt.minimize(loss, [w], tape=tape)\n",
        KERAS + "opt.minimize(loss, [w])\n",
        KERAS + "opt.apply_gradients(pairs)\n",
    ],
)
def test_what_trains_when_it_is_called_is_a_loop(text: str) -> None:
    assert training_of(Facts.of(HEAD + text)).pattern is Pattern.GRADIENT_TAPE


def test_a_session_beside_a_tape_is_a_second_loop() -> None:
    tape = KERAS + TAPE + "opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n"
    assert training_of(Facts.of(HEAD + tape + SESSION)).pattern is Pattern.MULTIPLE
    assert (
        training_of(
            Facts.of(HEAD + KERAS + TAPE + "opt.minimize(loss, [w], tape=tape)\n" + SESSION)
        ).pattern
        is Pattern.MULTIPLE
    )


@pytest.mark.parametrize(
    "call",
    [
        "opt.minimize(lambda: w * w, [w])",
        "opt.minimize(lambda: w * w, model.trainable_variables)",
        "opt.minimize(lambda: w * w, var_list=variables)",
        TAPE + "opt.minimize(loss, [w], tape=tape)",
    ],
)
def test_an_optimizer_from_elsewhere_is_known_by_the_variables_it_is_given(call: str) -> None:
    for made in ("from mine import opt\n", "from mine import make\nopt = make()\n"):
        assert training_of(Facts.of(HEAD + made + call)).pattern is Pattern.GRADIENT_TAPE


@pytest.mark.parametrize(
    "text",
    [
        "from mine import problem\nproblem.minimize(lambda x: x, [0.0])",
        "from mine import problem\nproblem.minimize(loss, [w])",
        "from mine import problem\nproblem.minimize(lambda x: x)",
        "from scipy import optimize\noptimize.minimize(lambda x: x, model.weights)",
        "class T:\n    def minimize(self, f, x):\n        pass\n\n\nT().minimize(lambda: w, [w])",
    ],
)
def test_other_things_are_minimized_too(text: str) -> None:
    assert training_of(Facts.of(HEAD + text)).pattern is Pattern.UNKNOWN


# -- own optimizers ------------------------------------------------------------------------------
# An optimizer class that clips what it hands on to Keras' own takes no step of its own.

OWN = """\
import tensorflow as tf


class Clipped(tf.keras.optimizers.Adam):
    def apply_gradients(self, grads_and_vars, **kwargs):
        pairs = [(tf.clip_by_norm(g, 1.0), v) for g, v in grads_and_vars]
        return super({}).apply_gradients(pairs, **kwargs)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = Clipped(0.01)
x, y = tf.ones((8, 4)), tf.ones((8, 1))
"""
FIT = "model.compile(opt, loss='mse')\nmodel.fit(x, y)\n"
LOOP = """\
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(tf.random.normal((8, 4))) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
"""


@pytest.mark.parametrize("base", ["", "Clipped, self"])
@pytest.mark.parametrize(("text", "pattern"), [(FIT, "Keras"), (LOOP, "GradientTape")])
def test_only_who_has_the_optimizer_trains(base: str, text: str, pattern: str) -> None:
    found = migrate(OWN.format(base) + text)
    assert (found.pattern, found.blocked) == (pattern, ())
    assert "opt = Clipped(0.01 * hvd.size())" in found.after


def test_the_class_stays_as_it_is_and_the_loop_averages() -> None:
    after = migrate(OWN.format("") + LOOP).after
    assert OWN.format("").partition("\n\n\n")[2].partition("\n\n\n")[0] in after
    assert "    tape = hvd.DistributedGradientTape(tape)\n    grads = tape.gradient" in after
    assert after.index("hvd.broadcast_variables(opt.variables") > after.index("opt.apply_gradients")


def test_what_is_no_optimizer_may_train_by_that_method() -> None:
    text = OWN.format("").replace("tf.keras.optimizers.Adam", "Base") + LOOP
    assert [finding.code for finding in migrate("from mine import Base\n" + text).blocked]


# -- sources -------------------------------------------------------------------------------------
# What a tape is asked to differentiate by.

HEAD_OF_SOURCES = """\
import tensorflow as tf

w = tf.Variable(1.0)
c = tf.constant(1.0)
t = tf.convert_to_tensor(1.0)
listed = [w]
nested = [[w]]
both = a.variables + b.variables
mine = a.trainable_variables
"""
VARIABLES, LIST, SINGLE, NESTED = Sources.VARIABLES, Sources.LIST, Sources.SINGLE, Sources.NESTED
SHAPES = {
    **{
        f"a.{name}": VARIABLES
        for name in (
            "trainable_variables",
            "trainable_weights",
            "variables",
            "weights",
            "non_trainable_variables",
        )
    },
    "a.variables + b.variables": VARIABLES,
    "a.variables + [w]": LIST,
    "both": VARIABLES,
    "mine": VARIABLES,
    "[w]": LIST,
    "(w, c)": LIST,
    "listed": LIST,
    "[*mine, w]": LIST,
    "[a.variables, b.variables]": NESTED,
    "[mine, w]": NESTED,
    "[listed]": NESTED,
    "[nested, w]": NESTED,
    "[[w], w]": NESTED,
    "[(w,)]": NESTED,
    "[{'a': w}]": NESTED,
    "nested": NESTED,
    "{'a': w}": NESTED,
    "{k: v for k, v in a}": NESTED,
    "w": SINGLE,
    "c": SINGLE,
    "t": SINGLE,
    "tf.Variable(1.0)": SINGLE,
    "tf.ones(3)": LIST,
    "f()": LIST,
    "unknown": LIST,
    "a.b": LIST,
    "a[0]": LIST,
    "[f()]": LIST,
    "w if a else [w]": LIST,
}


@pytest.mark.parametrize("text", SHAPES)
def test_the_shape_of_the_sources(text: str) -> None:
    for call in (f"tape.gradient(loss, {text})", f"tape.gradient(loss, sources={text})"):
        facts = Facts.of(HEAD_OF_SOURCES + call)
        assert sources_of(facts, facts.module.body[-1].value) is SHAPES[text]  # type: ignore[attr-defined]


def test_sources_that_are_not_given() -> None:
    facts = Facts.of("tape.gradient(loss)")
    assert sources_of(facts, facts.module.body[-1].value) is LIST  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("w = tf.Variable(1)\nif a:\n    w = [b]\n", LIST),
        ("w = tf.Variable(1)\nif a:\n    w = tf.Variable(2)\n", SINGLE),
        ("a, w = f()\n", LIST),
        ("def f(w):\n    ", LIST),
    ],
)
def test_sources_that_may_be_several_things(text: str, shape: Sources) -> None:
    facts = Facts.of("import tensorflow as tf\n" + text + "tape.gradient(loss, w)")
    assert sources_of(facts, next(iter(facts.calls("gradient")))) is shape
