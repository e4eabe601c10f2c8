"""Optimizers of TensorFlow 1 that a program defines itself, as BERT does: Horovod keeps them."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import numpy as np
import tensorflow.compat.v1 as tf


class Decayed(tf.train.Optimizer):
    def __init__(self, learning_rate, decay=0.0, name="Decayed"):
        super(Decayed, self).__init__(False, name)
        self.learning_rate = learning_rate
        self.decay = decay

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        steps = []
        for grad, var in grads_and_vars:
            steps.append(self._step(grad, var))
        return tf.group(*steps, name=name)

    def _step(self, grad, var):
        return var.assign(var - self.learning_rate * (grad + self.decay * var))


x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
optimizer = Decayed(0.01)
tvars = tf.trainable_variables()
grads, _ = tf.clip_by_global_norm(tf.gradients(loss, tvars), 1.0)
counted = tf.train.get_or_create_global_step()
train = optimizer.apply_gradients(zip(grads, tvars), global_step=counted)
train = tf.group(train, [counted.assign(counted + 1)])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(500):
        sess.run(train, {x: np.random.rand(4, 4)})
"""


def test_it_is_wrapped_as_it_is_and_its_rate_scaled_once() -> None:
    found = migrate(TEXT)
    assert found.blocked == ()
    assert "optimizer = Decayed(0.01 * hvd.size())\n" in found.after
    assert "optimizer = hvd.DistributedOptimizer(optimizer)\n" in found.after
    assert "in optimizer.compute_gradients(loss, tvars)], 1.0\n" in found.after
    assert "        self.learning_rate = learning_rate\n" in found.after
    assert "range(max(1, 500 // hvd.size()))" in found.after


def test_a_rate_that_the_class_knows_alone_is_named() -> None:
    text = TEXT.replace("learning_rate, decay", "decay").replace("Decayed(0.01)", "Decayed()")
    found = migrate(text.replace("self.learning_rate = learning_rate", "self.learning_rate = 0.01"))
    assert [each.code for each in found.blocked] == ["L01"]


@pytest.mark.parametrize(
    "used",
    [
        "print(optimizer.learning_rate)\n",
        "import other\n\nother.use(optimizer)\n",
        "def use(opt):\n    return opt.decay\n\n\nprint(use(optimizer))\n",
    ],
)
def test_what_others_do_with_it_is_named(used: str) -> None:
    found = migrate(TEXT.replace("tvars = ", f"{used}tvars = ", 1))
    assert any("what is done with this optimizer" in each.message for each in found.blocked)


def test_what_it_hands_itself_to_is_named() -> None:
    text = TEXT.replace("        steps = []\n", "        steps = [other.use(self)]\n")
    found = migrate(text.replace("import numpy", "import other\nimport numpy"))
    assert any("what is done with this optimizer" in each.message for each in found.blocked)
