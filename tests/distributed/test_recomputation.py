"""Layers that are run again: what D501 accepts trains alike, what it refuses would not."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from proof import verify
from recomputed import by_hand, program, refused, rewritten, run

from distify.codemods.facts.layers.layer_lists import halves
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

tf = pytest.importorskip("tensorflow")

ROOT = Path(__file__).resolve().parents[2]
X = np.random.RandomState(0).normal(size=(16, 8)).astype("float32")


def step(text: str, compiled: bool = False) -> tuple[Any, list[Any], Any]:
    """Loss, gradients and the names of the program; all layers are built before."""
    names = run(text)
    names.network(tf.constant(X))
    chosen = tf.function(names.step) if compiled else names.step
    loss, gradients = chosen(tf.constant(X))
    return loss.numpy(), [None if g is None else g.numpy() for g in gradients], names


# -- what is accepted -------------------------------------------------------------------------

KINDS = (
    "L.Dense(8, activation='tanh')",
    "L.Dense(8, 'gelu', use_bias=False)",
    "L.Dense(8, activation=tf.nn.silu)",
    "L.LayerNormalization()",
    "L.GroupNormalization(groups=4)",
    "L.LeakyReLU(0.1)",
    "tf.keras.Sequential([L.Dense(12, activation='relu'), L.Dense(8)])",
    "Residual(16)",
)
RESIDUAL = """
class Residual(L.Layer):
    def __init__(self, width):
        super().__init__()
        self.norm = L.LayerNormalization()
        self.wide = L.Dense(width, activation="gelu")
        self.back = L.Dense(8)

    def call(self, x):
        return x + self.back(self.wide(self.norm(x)))


"""


def generated(depth: int, seed: int) -> str:
    """The lines that make a list of so many accepted layers."""
    chosen = random.Random(seed).choices(KINDS, k=depth)
    return RESIDUAL + f"layers = [{', '.join(chosen)}]\n"


@pytest.mark.parametrize("recompute", ["halves", "sqrt"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 7, 8, 11, 16, 23, 31, 40])
def test_eager_gradients_are_equal_to_the_last_bit(depth: int, recompute: str) -> None:
    layers = generated(depth, depth)
    loss, gradients, _ = step(program(layers))
    # also as it is written for programs with a compiled step, of which this one is run eagerly
    again, same, _ = step(rewritten(layers, compiled=depth % 2 == 1, recompute=recompute))
    assert loss == again
    assert len(gradients) == len(same) > 0
    for one, other in zip(gradients, same):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("depth", "recompute"),
    [(1, "halves"), (2, "halves"), (5, "halves"), (5, "sqrt"), (12, "halves")],
)
def test_compiled_gradients_are_equal_within_rounding(depth: int, recompute: str) -> None:
    layers = generated(depth, 100 + depth)
    _, gradients, _ = step(program(layers), compiled=True)
    _, same, _ = step(rewritten(layers, compiled=True, recompute=recompute), compiled=True)
    for one, other in zip(gradients, same):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5 * np.abs(one).max())


@pytest.mark.parametrize("depth", [1, 2, 3, 8, 13, 32])
def test_layers_are_run_as_often_as_is_said_before(
    depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = run(rewritten(f"layers = [L.Dense(8) for _ in range({depth})]\n"))
    names.network(tf.constant(X))
    runs, call = [0], tf.keras.layers.Dense.call

    def counted(self: Any, x: Any) -> Any:
        runs[0] += 1
        return call(self, x)

    monkeypatch.setattr(tf.keras.layers.Dense, "call", counted)
    names.step(tf.constant(X))
    assert runs[0] == halves(depth)[1]


# -- what is refused, as it would be without -----------------------------------------------------

COUNTER = """
class Counter(L.Layer):
    def build(self, shape):
        self.n = self.add_weight(name="n", shape=(), trainable=False, initializer="zeros")

    def call(self, x):
        self.n.assign_add(1.0)
        return x


"""
DENSE = "L.Dense(8, activation='tanh')"


def between(other: str) -> str:
    """Four dense layers, with another one behind each."""
    return f"layers = [{', '.join([DENSE, other] * 4)}]\n"


def states(names: Any) -> list[float]:
    """What the layers keep besides their weights."""
    kept = [v for layer in names.layers for v in layer.non_trainable_variables]
    return [float(tf.reduce_sum(v)) for v in kept if v.dtype.is_floating]


def differ(one: list[Any], other: list[Any]) -> bool:
    return any(not np.allclose(a, b, rtol=1e-3, atol=1e-6) for a, b in zip(one, other))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("layer", ["L.Dropout(0.5, seed=3)", "L.GaussianDropout(0.5)"])
def test_random_layers_would_get_the_gradient_of_another_mask(layer: str, compiled: bool) -> None:
    assert refused(between(layer), "True") == ["C01"]
    loss, gradients, _ = step(program(between(layer), "True"), compiled)
    again, wrong, _ = step(by_hand(between(layer), "True"), compiled)
    assert loss == pytest.approx(again, rel=1e-5)  # nothing to be seen
    assert differ(gradients, wrong)


def test_what_a_layer_keeps_would_be_changed_several_times() -> None:
    """A counter; BatchNormalization is repaired (test_repaired_layers.py)."""
    layers = COUNTER + between("Counter()")
    assert refused(layers, "True") == ["C02"]
    _, gradients, right = step(program(layers, "True"))
    _, same, wrong = step(by_hand(layers, "True"))
    assert not differ(gradients, same)  # nothing to be seen
    assert differ(states(right), states(wrong))


def test_a_tensor_from_elsewhere_would_get_no_gradient() -> None:
    h = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(h)
        inside = tf.recompute_grad(lambda x: x * tf.square(h))(tf.constant(X))
        outside = tf.constant(X) * tf.square(h)
    assert tape.gradient(inside, h) is None
    assert tape.gradient(outside, h) is not None


def test_changed_weights_would_give_the_gradient_of_another_step() -> None:
    def late(text: str) -> Any:
        names = run(text)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(names.network(tf.constant(X))))
        for layer in names.layers:
            layer.kernel.assign(2.0 * layer.kernel)
        return tape.gradient(loss, names.layers[0].kernel).numpy()

    layers = between(DENSE)
    kept, again = late(program(layers)), late(rewritten(layers))
    assert not np.allclose(kept, again, rtol=0.1)


def test_gradients_of_gradients_fail() -> None:
    names = run(rewritten(between(DENSE)))
    x = tf.constant(X)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = names.network(x)
        slope = inner.gradient(y, x)
    with pytest.raises(NotImplementedError):
        outer.gradient(slope, x)


def test_a_functional_model_fails() -> None:
    names = run(rewritten(between(DENSE)))
    with pytest.raises(TypeError):
        names.network(tf.keras.Input([8]))


def test_a_mask_that_travels_beside_the_tensor_would_be_lost() -> None:
    names = run(by_hand("layers = [L.Activation('linear') for _ in range(4)]\n"))
    masked = tf.keras.layers.Masking()(tf.zeros([2, 3, 4]))
    assert hasattr(masked, "_keras_mask")
    kept = masked
    for layer in names.layers:
        kept = layer(kept)
    assert hasattr(kept, "_keras_mask")
    with tf.GradientTape():
        assert not hasattr(names.network(masked), "_keras_mask")


# -- what it is good for -------------------------------------------------------------------------


def memory(schedule: str, depth: int, *more: str, mode: str = "function") -> float:
    """What a compiled step needs, in outputs of a layer.

    In a process with one thread for operations: there 40 steps one after another need the same to
    the last byte, beside any load. A process differs from another one by an output at most.
    """
    command = [sys.executable, str(ROOT / "bench" / "memory_step.py"), schedule, mode]
    options = [str(depth), "--batch", "2048", "--steps", "1", *more]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    found = int(json.loads(done.stdout.splitlines()[-1])["bytes"])
    assert found > 0
    return found / (2048 * 32 * 4)


def test_twice_the_layers_need_hardly_more_at_tensorflows_own_settings() -> None:
    # Two doublings, so that one output more or less decides nothing: 6.9 and 8.4 or 9.4.
    assert memory("halves", 32) <= 1.3**2 * memory("halves", 8)


def test_the_order_of_gradients_must_still_be_said() -> None:
    ordered, by_chance = (memory("halves", 16, *more, mode="fit") for more in ((), ("--by-hand",)))
    assert by_chance >= 1.5 * ordered, (
        f"`run_layer` is needless with TensorFlow {tf.__version__}: in the order that TensorFlow "
        f"takes itself, halves need {by_chance:.1f} outputs, with it {ordered:.1f}. "
        "D501 could leave it out."
    )


def test_a_compiled_step_of_64_layers_needs_a_fifth_at_most() -> None:
    assert memory("halves", 64) <= 0.2 * memory("none", 64)


# -- together with Horovod -----------------------------------------------------------------------

TRAINED = """import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)


class Network(tf.keras.Model):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [tf.keras.layers.Dense(64, activation="tanh") for _ in range(depth)]

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return x


x = np.random.RandomState(0).normal(size=(32768, 4)).astype("float32")
model = Network(24)
model.compile(tf.keras.optimizers.SGD(0.05), "mse")
model.fit(x, x[:, :1], batch_size=4096, shuffle=False, epochs=2)
"""
PEAK = re.compile(
    r"peak of a step \(CPU:0\), [\d.]+ MB in the program on one process: ([\d.]+) times"
)


@pytest.mark.slow
def test_two_workers_do_what_one_process_does_without_it(tmp_path: Path) -> None:
    plain, both = tmp_path / "plain.py", tmp_path / "both.py"
    plain.write_text(TRAINED)
    found = migrate(TRAINED, Options(recompute="halves"))
    assert "run_halves(self.blocks, x)" in found.after
    both.write_text(found.after)
    proof = verify(both, tmp_path, "--baseline", str(plain))
    assert proof.code == 0, str(proof)
    assert not proof.convicted, str(proof)
    assert {"drift", "baseline", "broadcast", "averaging"} <= proof.fine, str(proof)
    (told,) = (each for each in proof.of("note") if each["question"] == "memory")
    ratio = PEAK.search(told["text"])
    assert ratio, told
    # As written, each of the 24 outputs is kept until the gradients are begun. By halves it is
    # 1 + log2 24 and the work on one layer (of which threads may do two parts at a time), whatever
    # order they run in. `fit` reads as many batches ahead as threads find time for: here they are a
    # sixteenth of an output, and nothing else in a step is larger than the weights.
    assert float(ratio[1]) <= 0.5
