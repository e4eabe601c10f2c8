"""Which optimizer a change by hand should become: G03 names it, with its rate and its variable."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import tensorflow as tf
{made}
w = tf.Variable(1.0)
x = tf.ones((4, 1))
for step in range(9):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x) ** 2)
    g = tape.gradient(loss, w)
    {change}
"""
PLAIN = "w.assign_sub(0.1 * g)"
SGD = "make `optimizer = tf.keras.optimizers.SGD(learning_rate={})` at the top"
ADAM = "make `optimizer = tf.keras.optimizers.Adam(learning_rate=0.001)` at the top"
STEP = ", and write `optimizer.apply_gradients([(g, w)])` here"
ANY = ", and write `optimizer.apply_gradients(zip(gradients, model.trainable_variables))` here"


def fixes(change: str, made: str = "") -> list[str]:
    return [
        f.fix for f in migrate(TEXT.format(change=change, made=made)).blocked if f.code == "G03"
    ]


@pytest.mark.parametrize(
    ("change", "rate"),
    [
        (PLAIN, "0.1"),
        ("w.assign(w - 0.1 * g)", "0.1"),
        ("w.assign_sub(g * rate)", "rate"),
        ("w.assign_sub(0.1 * g)\n    w.assign_sub(0.2 * g)", "0.1"),
    ],
)
def test_a_plain_step_is_one_of_sgd(change: str, rate: str) -> None:
    assert fixes(change) == [SGD.format(rate) + STEP]


@pytest.mark.parametrize(
    "change",
    [
        "w.assign_add(0.1 * g)",  # climbs
        "w.assign_add(-0.1 * g)",
        "w.assign(0.1 * g)",
        "w.assign(w + 0.1 * g)",
        "w.assign(x[0] - 0.1 * g)",
        "w.assign_sub(g)",
        "w.assign_sub(g / 10)",
        "w.assign_sub(g * g)",
        "w.assign_sub(other(g))",
        "tf.compat.v1.assign_sub(w, 0.1 * g)",
    ],
)
def test_what_is_no_plain_step_is_not_taken_for_one(change: str) -> None:
    assert fixes(change) == [ADAM + ANY]


ADAMS = "opt = tf.keras.optimizers.Adam()\n"
SPARE = {
    ADAMS: PLAIN,
    f"{ADAMS}print(opt.learning_rate)\n": PLAIN,
    f"{ADAMS}\n\ndef f(opt):\n    return opt.lr\n\n": PLAIN,
}


@pytest.mark.parametrize("made", SPARE)
def test_the_optimizer_that_nothing_uses_is_named(made: str) -> None:
    here = "`opt.apply_gradients([(g, w)])` here, with the optimizer of this file"
    assert fixes(PLAIN, made) == [f"write {here}"]


@pytest.mark.parametrize(
    "made",
    [
        "",
        "holder.opt = tf.keras.optimizers.Adam()\n",
        "opt, other = tf.keras.optimizers.Adam(), 2\n",
        "print(tf.keras.optimizers.Adam())\n",
        f"def make():\n    {ADAMS}\n",
        f"{ADAMS}other = tf.keras.optimizers.SGD()\n",
        f"{ADAMS}print(opt)\n",
        f"{ADAMS}use(optimizer=opt)\n",
        f"{ADAMS}opt.apply_gradients([])\n",
        f"{ADAMS}opt.minimize(loss, w)\n",
    ],
)
def test_an_optimizer_that_something_else_may_use_is_not(made: str) -> None:
    assert fixes(PLAIN, made) == [SGD.format("0.1") + STEP]


@pytest.mark.parametrize(
    ("change", "line", "what"),
    [
        (PLAIN, 9, "the gradients are applied without an optimizer"),
        ("w = w - 0.1 * g", 8, "nobody can tell what applies these gradients"),
    ],
)
def test_it_is_said_whether_the_change_is_seen(change: str, line: int, what: str) -> None:
    (found,) = migrate(TEXT.format(change=change, made="")).blocked
    assert (found.code, found.line, found.proves) == ("G03", line, True)
    assert found.message.startswith(what)
