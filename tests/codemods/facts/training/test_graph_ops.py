"""Operations of a TensorFlow 1 graph are no loop; what computes gradients when it is called is one."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts, Pattern, training_of

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
