"""Models that a loop goes through are those that stand in what it goes over."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import tensorflow as tf


def made():
    return tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])


class Agent:
    def __init__(self):
        self.a, self.b = made(), made()
        self.far_a, self.far_b = made(), made()
        self.opt = tf.keras.optimizers.SGD(0.1)

    def update(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.a(x) + self.b(x))
        found = self.a.trainable_variables + self.b.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, found), found))
        for {target} in {over}:
            for near, far in zip(net.weights, goal.weights):
                far.assign(0.9 * far + 0.1 * near)


agent = Agent()
for x in tf.data.Dataset.from_tensor_slices(tf.ones((8, 2))).batch(2):
    agent.update(x)
"""


@pytest.mark.parametrize(
    "over",
    [
        "((self.a, self.far_a), (self.b, self.far_b))",
        "[(self.a, self.far_a), (self.b, self.far_b)]",
        "zip((self.a, self.b), [self.far_a, self.far_b])",
    ],
)
def test_each_of_them_is_broadcast(over: str) -> None:
    found = migrate(TEXT.format(target="net, goal", over=over))
    assert found.blocked == ()
    for name in ("a", "b", "far_a", "far_b"):
        assert f"hvd.broadcast_variables(self.{name}." in found.after or name in ("a", "b")
    assert "goal" not in found.after.split("if not self.broadcast_done:")[1].split("for ")[0]


def test_so_are_those_of_a_list_that_the_object_keeps() -> None:
    text = TEXT.format(target="net, goal", over="self.pairs")
    kept = "        self.pairs = [(self.a, self.far_a), (self.b, self.far_b)]\n    def update"
    found = migrate(text.replace("    def update", kept))
    assert found.blocked == ()
    assert "hvd.broadcast_variables(self.far_a.variables" in found.after
    assert "hvd.broadcast_variables(self.far_b.variables" in found.after


def test_what_is_not_written_out_has_to_be_within_reach() -> None:
    text = TEXT.format(target="net, goal", over="((self.a, made()), (self.b, self.far_b))")
    assert [each.code for each in migrate(text).blocked] == ["R08"]
