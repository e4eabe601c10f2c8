"""The forms of D105 and D201 that look odd are the ones that work; run in one process."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")
hvd = pytest.importorskip("horovod.tensorflow.keras")
hvd_tf = pytest.importorskip("horovod.tensorflow")


@pytest.fixture(autouse=True, scope="module")
def _horovod() -> None:
    hvd.init()


class Falling(tf.keras.optimizers.schedules.LearningRateSchedule):  # type: ignore[misc]
    """A schedule as people write them: without get_config."""

    def __call__(self, step: Any) -> Any:
        return 0.1 / (1.0 + tf.cast(step, tf.float32))


def trained(optimizer: Any) -> Any:
    """The weights after a few steps."""
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
    model.compile(optimizer, "mse")
    data = np.random.RandomState(0)
    model.fit(data.randn(16, 3), data.randn(16, 1), batch_size=4, shuffle=False, verbose=0)
    return model.get_weights()[0]


CLASSES = [
    tf.keras.optimizers.SGD,
    tf.keras.optimizers.Adam,
    tf.keras.optimizers.legacy.SGD,
    tf.keras.optimizers.legacy.Adam,
]


@pytest.mark.parametrize("cls", CLASSES)
def test_a_schedule_of_one_s_own_works_if_it_is_set_after_wrapping(cls: Any) -> None:
    optimizer = hvd.DistributedOptimizer(cls(0.001))
    optimizer.learning_rate = Falling()
    np.testing.assert_array_equal(trained(optimizer), trained(cls(Falling())))
    assert not np.array_equal(trained(cls(0.001)), trained(cls(Falling())))


@pytest.mark.parametrize("cls", CLASSES)
def test_wrapping_an_optimizer_that_has_it_fails(cls: Any) -> None:
    with pytest.raises(NotImplementedError, match="get_config"):
        hvd.DistributedOptimizer(cls(Falling()))


def test_an_optimizer_of_one_s_own_without_get_config_loses_its_parameters() -> None:
    class Mine(tf.keras.optimizers.SGD):  # type: ignore[misc]
        def __init__(self, learning_rate: float = 0.01, extra: float = 1.0, **kwargs: Any) -> None:
            super().__init__(learning_rate, **kwargs)
            self.extra = extra

    assert hvd.DistributedOptimizer(Mine(0.1, extra=3.0)).extra == 1.0


@pytest.mark.parametrize("base", CLASSES)
def test_an_optimizer_that_clips_what_it_applies_still_does(base: Any) -> None:
    class Clipped(base):  # type: ignore[misc]
        def apply_gradients(self, grads_and_vars: Any, **kwargs: Any) -> Any:
            pairs = [(tf.clip_by_norm(g, 1e-3), v) for g, v in grads_and_vars]
            return super().apply_gradients(pairs, **kwargs)

    alone = trained(Clipped(0.1))
    np.testing.assert_array_equal(trained(hvd.DistributedOptimizer(Clipped(0.1))), alone)
    assert not np.array_equal(alone, trained(base(0.1)))


def test_a_gradient_while_the_tape_records_fails_with_the_wrapper_only() -> None:
    variable = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        plain = tape.gradient(variable * variable, [variable])
    assert float(plain[0]) == 4.0
    with tf.GradientTape() as tape:
        loss = variable * variable
        wrapped = hvd_tf.DistributedGradientTape(tape)
        with pytest.raises(RuntimeError, match="context"):
            wrapped.gradient(loss, [variable])


def test_the_wrapper_takes_lists_only() -> None:
    variable = tf.Variable([2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(variable * variable)
    tape = hvd_tf.DistributedGradientTape(tape)
    np.testing.assert_array_equal(tape.gradient(loss, [variable])[0], [4.0, 6.0])
    with pytest.raises((KeyError, TypeError)):
        tape.gradient(loss, variable)
    with pytest.raises(TypeError, match="unconnected_gradients"):
        tape.gradient(loss, [variable], unconnected_gradients="zero")


def test_a_loss_scale_goes_around_the_wrapper() -> None:
    scale = tf.keras.mixed_precision.LossScaleOptimizer
    with pytest.raises(TypeError):
        hvd.DistributedOptimizer(scale(tf.keras.optimizers.SGD(0.1)))
    assert trained(scale(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1)))) is not None
