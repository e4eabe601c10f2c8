"""Averaged gradients that each worker changes by a value of its own: the weights drift apart."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

LOOP = """\
import numpy as np
import tensorflow as tf

{before}
x = np.load("x.npy")
ds = tf.data.Dataset.from_tensor_slices((x, x)).batch(8)
inputs = tf.keras.Input((4,))
inner = tf.keras.Sequential([tf.keras.layers.Dense(4)])
model = tf.keras.Model(inputs, tf.keras.layers.Dense(4)(inner(inputs)))
optimizer = tf.keras.optimizers.SGD(0.1)
kept = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
weights, said = [1.0], []


def noisy(gradients):
    return [g + tf.random.normal(g.shape) for g in gradients]


for epoch in range(3):
    for a, b in ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(a) - b) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        {change}
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
"""
APART = {
    "by the loss": "grads = [g * loss for g in grads]",
    "by the batch": "grads = [g / tf.reduce_sum(b) for g in grads]",
    "by a draw": "grads = [g * tf.cast(tf.random.uniform(g.shape) < 0.5, g.dtype) for g in grads]",
    "by a draw of NumPy": "grads = [g * np.random.rand() for g in grads]",
    "in a function": "grads = noisy(grads)",
    "by what was kept": "said.append(loss); grads = [g * np.mean(said) for g in grads]",
    "by a list's element": "grads = [g * weights[0] for g in grads]; weights[0] = float(loss)",
    "by the model's losses": "grads = [g * sum(model.losses) for g in grads]",
}
ALIKE = {
    "not at all": "pass",
    "clipped": "grads, _ = tf.clip_by_global_norm(grads, 1.0)",
    "by their norm": "norm = tf.linalg.global_norm(grads); grads = [g / norm for g in grads]",
    "by a count": "grads = [g * 0.9 ** epoch for g in grads]",
    "by the form of a batch": "grads = [g / len(b) * tf.cast(tf.shape(a)[0], g.dtype) for g in grads]",
    "by its attribute": "grads = [g / a.shape[0] for g in grads]",
    "by weights": ("grads = [g + 1e-4 * v for g, v in zip(grads, model.trainable_variables)]"),
    "where there are none": (
        "grads = [tf.zeros_like(v) if g is None else g for g, v in zip(grads, model.variables)]"
    ),
    "kept for a while": (
        "[k.assign_add(g) for k, g in zip(kept, grads)]; grads = [k / 2 for k in kept]"
    ),
    "by a seeded generator": "grads = [g * np.random.default_rng(0).random() for g in grads]",
    "by a stateless draw": (
        "grads = [g + tf.random.stateless_normal(g.shape, (1, epoch)) for g in grads]"
    ),
    "by a draw with a seed": "grads = [g + tf.random.normal(g.shape, seed=1) for g in grads]",
}
SEEDS = {"by a draw": "tf.random.set_seed(0)", "by a draw of NumPy": "np.random.seed(0)"}


def blocked(change: str, before: str = "") -> list[str]:
    return [each.code for each in migrate(LOOP.format(before=before, change=change)).blocked]


@pytest.mark.parametrize("change", APART.values(), ids=APART)
def test_a_value_of_one_workers_own_changes_averages(change: str) -> None:
    assert blocked(change) == ["T07"]


@pytest.mark.parametrize("change", ALIKE.values(), ids=ALIKE)
def test_all_workers_change_averages_alike(change: str) -> None:
    assert blocked(change) == []


@pytest.mark.parametrize("name", SEEDS)
def test_one_seed_for_all_workers(name: str) -> None:
    assert blocked(APART[name], SEEDS[name]) == []


def test_what_is_in_the_loss_is_averaged() -> None:
    text = LOOP.format(before="", change="pass").replace("- b) ** 2)", "- b) ** 2) * float(b[0])")
    assert not migrate(text).blocked


def test_the_draw_is_named_with_its_seed() -> None:
    [found] = migrate(LOOP.format(before="", change=APART["in a function"])).blocked
    assert found.line == 16
    assert "tf.random.set_seed(0)" in found.fix


def test_the_model_is_blamed_before_the_data() -> None:
    [found] = migrate(LOOP.format(before="", change=APART["by the loss"])).blocked
    assert "`model(a)` in line 22 is each worker's own" in found.message
