"""Where schedules, and what saves, take numbers of steps; functions of TensorFlow 1 that decay.

These are `decay(rate, global_step, steps, …)`.

https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/exponential_decay and others.
"""

from __future__ import annotations

from typing import NamedTuple

from .names import in_v1
from .optimizers import RateArgument


class Decay(NamedTuple):
    """Where a function takes its steps, and each rate whose multiple makes what it gives one."""

    steps: str
    position: int
    rates: tuple[RateArgument, ...] = (RateArgument("learning_rate", 0),)


_BOUNDS = Decay("boundaries", 1, (RateArgument("values", 2, each=True),))
_END = RateArgument("end_learning_rate", 3, "0.0001")

OLD_DECAYS: dict[str, Decay] = {
    "exponential_decay": Decay("decay_steps", 2),
    "natural_exp_decay": Decay("decay_steps", 2),
    "inverse_time_decay": Decay("decay_steps", 2),
    "polynomial_decay": Decay("decay_steps", 2, (RateArgument("learning_rate", 0), _END)),
    "cosine_decay": Decay("decay_steps", 2),
    "linear_cosine_decay": Decay("decay_steps", 2),
    "noisy_linear_cosine_decay": Decay("decay_steps", 2),
    "cosine_decay_restarts": Decay("first_decay_steps", 2),
    "piecewise_constant": _BOUNDS,
    "piecewise_constant_decay": _BOUNDS,
}
# Where schedules take a number of steps: TensorFlow 2.4 to 2.15.
DECAYS: dict[str, tuple[tuple[str, int | None], ...]] = {
    "ExponentialDecay": (("decay_steps", 1),),
    "InverseTimeDecay": (("decay_steps", 1),),
    "PolynomialDecay": (("decay_steps", 1),),
    "CosineDecay": (("decay_steps", 1), ("warmup_steps", 5)),
    "CosineDecayRestarts": (("first_decay_steps", 1),),
    "LinearCosineDecay": (("decay_steps", 1),),
    "NoisyLinearCosineDecay": (("decay_steps", 1),),
    "PiecewiseConstantDecay": (("boundaries", 0),),
    "RectifiedAdam": (("total_steps", 7),),  # of the add-ons: it warms up, and decays, by itself
}
# After how many batches callbacks and hooks save: the argument, and its place.
SAVINGS: dict[str, tuple[str, int]] = {
    "tensorflow.keras.callbacks.ModelCheckpoint": ("save_freq", 6),
    "tensorflow.keras.callbacks.BackupAndRestore": ("save_freq", 1),
    **dict.fromkeys(
        in_v1("train.CheckpointSaverHook", "estimator.CheckpointSaverHook"), ("save_steps", 2)
    ),
    **dict.fromkeys(in_v1("train.MonitoredTrainingSession"), ("save_checkpoint_steps", 13)),
    **dict.fromkeys(in_v1("estimator.RunConfig"), ("save_checkpoints_steps", 3)),
}
_BY_NAME = {name: decay for f, decay in OLD_DECAYS.items() for name in in_v1(f"train.{f}")}


def old_decay(name: str | None) -> Decay | None:
    """The row of the function of that canonical name."""
    return _BY_NAME.get(name or "")
