"""What TensorFlow does with no steps at all, so that no worker's share of them may be none."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def fit(data: Any, **options: Any) -> dict[str, list[float]]:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(options.pop("rate", 0.1)), loss="mse")
    return model.fit(data, epochs=1, verbose=0, **options).history  # type: ignore[no-any-return]


def data() -> Any:
    return tf.data.Dataset.from_tensor_slices((tf.ones([8, 4]), tf.ones([8, 1]))).batch(4)


@pytest.mark.parametrize("steps", [0, 1])
def test_validation_needs_a_step(steps: int) -> None:
    options = {"validation_data": data().repeat(), "validation_steps": steps}
    if steps:
        assert "val_loss" in fit(data(), **options)
    else:
        with pytest.raises(ValueError, match="Received value is 0"):
            fit(data(), **options)


@pytest.mark.parametrize("steps", [0, 1])
def test_a_rate_needs_a_step_to_decay_in(steps: int) -> None:
    rate = tf.keras.optimizers.schedules.ExponentialDecay(0.1, steps, 0.9)
    assert bool(tf.math.is_finite(rate(0))) is bool(steps)
