"""The learning rate of a Keras optimizer, and whether it does plain gradient descent."""

from __future__ import annotations

from typing import Any

CLIPPING = ("clipnorm", "clipvalue", "global_clipnorm")
MORE = ("weight_decay", "use_ema", "decay", "gradient_accumulation_steps")
PLAIN = ("momentum", "nesterov", *CLIPPING, *MORE)  # without these


def number(value: Any) -> float | None:
    """A Python float of whatever stands for a number; None for what can't be read here."""
    if callable(value):
        value = value()
    if hasattr(value, "numpy"):
        value = value.numpy()
    is_empty = getattr(value, "size", 1) == 0  # a variable before it has its first value
    return None if is_empty else float(value)


def is_schedule(value: Any) -> bool:
    """Whether it is a LearningRateSchedule of any Keras."""
    return any(base.__name__ == "LearningRateSchedule" for base in type(value).__mro__)


def schedule(optimizer: Any) -> str | None:
    """The class of the optimizer's schedule, if it has one."""
    value = source(optimizer)
    return type(value).__name__ if is_schedule(value) else None


def source(optimizer: Any) -> Any:
    """What the optimizer was given as its rate."""
    if hasattr(optimizer, "_hyper"):  # legacy
        return optimizer._hyper.get("learning_rate")
    for name in ("_learning_rate", "_lr"):  # the second is that of TF 1's Adam
        if hasattr(optimizer, name):
            return getattr(optimizer, name)
    return None


def current(optimizer: Any) -> float | None:
    """The rate of the next step; of a schedule of the new optimizers, that of the last one.

    Those keep the rate that a schedule gave in a variable: no code of the user's is run again. The
    variable of a schedule that took a number's place has no value yet before the first step.
    """
    value = source(optimizer)
    if value is None:
        return None
    if not is_schedule(value):
        return _decayed(optimizer, number(value))
    kept = getattr(optimizer, "_current_learning_rate", None)
    rate = None if kept is None else number(kept)
    return number(value(optimizer.iterations)) if rate is None else rate


def _decayed(optimizer: Any, rate: float | None) -> float | None:
    """The legacy `decay=` argument: rate / (1 + decay * iterations)."""
    decay = getattr(optimizer, "_initial_decay", 0) or 0
    if not decay or rate is None:
        return rate
    made = int(optimizer.iterations.numpy())
    return rate / (1.0 + float(optimizer._get_hyper("decay").numpy()) * made)


def is_plain_sgd(optimizer: Any) -> bool:
    """SGD and nothing else: the mean gradient of 2 × B is that of one batch of 2B."""
    bases = {base.__name__ for base in type(optimizer).__mro__}
    if "SGD" not in bases:
        return type(optimizer).__name__ == "GradientDescentOptimizer"
    return not any(_is_on(_settings(optimizer).get(name)) for name in PLAIN)


def _settings(optimizer: Any) -> dict[str, Any]:
    """What it was made with; of one without a configuration (or a schedule without), its own."""
    try:
        return dict(optimizer.get_config())
    except Exception:  # it is the program's code
        return dict(vars(optimizer))


def _is_on(value: Any) -> bool:
    return bool(value) and value != 0.0
