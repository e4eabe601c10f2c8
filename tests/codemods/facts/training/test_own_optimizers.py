"""An optimizer class that clips what it hands on to Keras' own takes no step of its own."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

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
