"""A step that trains a part of a model: all of it is broadcast, the frozen rest as well."""

from __future__ import annotations

import re

import pytest

from distify.codemods.migrate import migrate

LOOP = """\
import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.body = tf.keras.layers.Dense(4)
        self.head = tf.keras.layers.Dense(1)
        self.inner = tf.keras.Sequential([tf.keras.layers.Dense(1)])

    def call(self, x):
        return self.head(self.body(x))


ds = tf.data.Dataset.from_tensor_slices(np.ones((64, 4), "float32")).batch(8)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(4, input_shape=(4,)), tf.keras.layers.Dense(1, name="head")]
)
other = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,))])
net = Net()
optimizer = tf.keras.optimizers.Adam(1e-3)
{outside}


for a in ds:
    {inside}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(a) ** 2) + tf.reduce_mean(net(other(a)) ** 2)
    grads = tape.gradient(loss, {given})
    optimizer.apply_gradients(zip(grads, {given}))
"""
HEAD = 'model.get_layer("head")'
SOME = "[v for v in model.trainable_variables if 'head' in v.name]"
# what stands before the loop, what stands in it, what is trained, and whose variables go around
PARTS = {
    "the last layer": ("pass", "pass", "model.layers[-1].trainable_variables", "model"),
    "a layer by its name": ("pass", "pass", f"{HEAD}.trainable_weights", "model"),
    "a layer under a name": (f"head = {HEAD}", "pass", "head.trainable_variables", "model"),
    "a slice": ("pass", "pass", "model.trainable_variables[-2:]", "model"),
    "a filter": (f"some = {SOME}", "pass", "some", "model"),
    "a filter in the loop": ("pass", f"some = {SOME}", "some", "model"),
    "variables under a name": (f"some = {HEAD}.trainable_variables", "pass", "some", "model"),
    "the same in the loop": ("pass", f"some = {HEAD}.trainable_variables", "some", "model"),
    "an attribute": ("pass", "pass", "net.head.trainable_variables", "net"),
}
WHOLE = {
    "a model": ("pass", "pass", "model.trainable_variables", "model"),
    "a model in a model": ("pass", "pass", "net.inner.trainable_variables", "net.inner"),
}


def broadcasts(outside: str, inside: str, given: str) -> list[str]:
    after = migrate(LOOP.format(outside=outside, inside=inside, given=given)).after
    assert ".assign(False)" not in after  # nothing changes what is trained
    return re.findall(r"broadcast_variables\(([\w.]+)\.(?:variables|weights), ", after)


@pytest.mark.parametrize(
    ("outside", "inside", "given", "model"), {**PARTS, **WHOLE}.values(), ids={**PARTS, **WHOLE}
)
def test_all_of_the_model_is_broadcast(outside: str, inside: str, given: str, model: str) -> None:
    found = broadcasts(outside, inside, given)
    assert found[0] == model
    assert found.count(model) == 1
    assert "optimizer" in found


def test_what_comes_from_two_models_stays_what_it_is() -> None:
    after = migrate(
        LOOP.format(outside="some = [net.body.kernel, other.layers]", inside="pass", given="some")
    ).after
    assert "broadcast_variables(some, root_rank=0)" in after


def test_a_name_that_means_another_model_later() -> None:
    some = "some = model.trainable_variables[-2:]\nmodel = other"
    after = migrate(LOOP.format(outside=some, inside="pass", given="some")).after
    assert "broadcast_variables(some, root_rank=0)" in after


def test_a_model_that_is_made_along_with_a_step_is_refused() -> None:
    text = LOOP.format(
        outside="def made():\n    return model\n", inside="pass", given="made().trainable_variables"
    )
    assert [each.code for each in migrate(text).blocked] == ["R08"]
