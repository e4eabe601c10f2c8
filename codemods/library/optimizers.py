"""The optimizers and schedules of TensorFlow 2.4 to 2.15, and where their rate stands.

Plain data: the signatures were read from the installed classes, and
tests/distributed/test_keras_classes.py compares them with whatever Keras is installed.
"""

from __future__ import annotations

from typing import NamedTuple

from .words import words

OPTIMIZERS = "tensorflow.keras.optimizers"
ADDONS = "tensorflow_addons.optimizers"
# They make an optimizer of what a text, or a configuration, names.
LOOKUPS = (f"{OPTIMIZERS}.get", f"{OPTIMIZERS}.deserialize")
V1 = ("tensorflow.compat.v1.train.", "tensorflow.train.")


class RateArgument(NamedTuple):
    """One argument that carries a rate: its name, its position, the value if it is left out.

    A default of None means that the argument has to be given or that leaving it out is no rate.
    """

    name: str
    position: int
    default: str | None = None
    each: bool = False  # a sequence of rates


def _rate(default: str | None, position: int = 0) -> RateArgument:
    return RateArgument("learning_rate", position, default)


# A gradient that is longer makes their steps longer; the others divide by its size.
PLAIN_OPTIMIZERS = frozenset(
    {"SGD", "GradientDescentOptimizer", "MomentumOptimizer", "GradientDescent", "Momentum"}
)
# The same defaults hold for `optimizers.X`, `optimizers.legacy.X` and `optimizers.experimental.X`.
OPTIMIZER_RATES: dict[str, RateArgument] = {
    "Adadelta": _rate("0.001"),
    "Adafactor": _rate("0.001"),
    "Adagrad": _rate("0.001"),
    "Adam": _rate("0.001"),
    "AdamW": _rate("0.001"),
    "Adamax": _rate("0.001"),
    "Ftrl": _rate("0.001"),
    "Lion": _rate("0.0001"),
    "Nadam": _rate("0.001"),
    "RMSprop": _rate("0.001"),
    "SGD": _rate("0.01"),
}

# Keras 3 has other defaults, and classes that Keras 2 doesn't know (3.15; Muon and MultiOptimizer
# have several rates).
KERAS_3_RATES: dict[str, RateArgument] = {"Lamb": _rate("0.001"), "Lion": _rate("0.001")}

# tensorflow_addons 0.23, the last release; those that wrap another optimizer are left out.
ADDON_RATES: dict[str, RateArgument] = {
    "AdaBelief": _rate("0.001"),
    "AdamW": _rate("0.001", 1),
    "ConditionalGradient": _rate(None),
    "LAMB": _rate("0.001"),
    "LazyAdam": _rate("0.001"),
    "NovoGrad": _rate("0.001"),
    "ProximalAdagrad": _rate("0.001"),
    "RectifiedAdam": _rate("0.001"),
    "SGDW": _rate("0.001", 1),
    "Yogi": _rate("0.01"),
}

# tensorflow.compat.v1.train, which works with a tape in eager code.
V1_RATES: dict[str, RateArgument] = {
    "AdadeltaOptimizer": _rate("0.001"),
    "AdagradOptimizer": _rate(None),
    "AdamOptimizer": _rate("0.001"),
    "FtrlOptimizer": _rate(None),
    "GradientDescentOptimizer": _rate(None),
    "MomentumOptimizer": _rate(None),
    "ProximalAdagradOptimizer": _rate(None),
    "ProximalGradientDescentOptimizer": _rate(None),
    "RMSPropOptimizer": _rate(None),
}

# `compile("adam")` and `optimizers.get("adam")` look the lower-case string up in this table.
STRINGS: dict[str, str] = {
    "adadelta": "Adadelta",
    "adagrad": "Adagrad",
    "adam": "Adam",
    "adamax": "Adamax",
    "ftrl": "Ftrl",
    "nadam": "Nadam",
    "rmsprop": "RMSprop",
    "sgd": "SGD",
}
# Strings of Keras 3 alone; all but the last name classes that Keras 2.11 and later have as well.
KERAS_3_STRINGS: dict[str, str] = {
    "adafactor": "Adafactor",
    "adamw": "AdamW",
    "lion": "Lion",
    "lamb": "Lamb",
}

# What gives a number as it was given, and what keeps one in an optimizer, by a name.
KEEPING = words(
    """
    float int bool str get constant Variable cast convert_to_tensor variable epsilon
    _build_learning_rate
    """
)
SETTERS = ("_set_hyper", "setattr", "__setattr__")

# Classes, and an argument of others, whose state is made of the weights, not of gradients alone.
HOLDING_WEIGHTS = words("Ftrl FtrlOptimizer Lookahead MovingAverage SWA")
AVERAGING_WEIGHTS = ("use_ema",)

COMPILE_DEFAULT = "RMSprop"  # of `model.compile(optimizer="rmsprop", …)`

_INITIAL = RateArgument("initial_learning_rate", 0)

# Every argument whose multiple makes the schedule that multiple at every step. Arguments that are
# fractions of another one (alpha, m_mul, decay_rate, beta) are not rates.
SCHEDULE_RATES: dict[str, tuple[RateArgument, ...]] = {
    "CosineDecay": (_INITIAL, RateArgument("warmup_target", 4)),
    "CosineDecayRestarts": (_INITIAL,),
    "ExponentialDecay": (_INITIAL,),
    "InverseTimeDecay": (_INITIAL,),
    "LinearCosineDecay": (_INITIAL,),  # tensorflow.keras.experimental, until TensorFlow 2.8
    "NoisyLinearCosineDecay": (_INITIAL,),
    "PiecewiseConstantDecay": (RateArgument("values", 1, each=True),),
    "PolynomialDecay": (_INITIAL, RateArgument("end_learning_rate", 2, "0.0001")),
}


def is_lookup(name: str) -> bool:
    """Whether it makes an optimizer of a text or a configuration: a class by itself does, too."""
    return name in LOOKUPS or (name.startswith(f"{OPTIMIZERS}.") and name.endswith(".from_config"))


def _in_keras(name: str, part: str) -> bool:
    return name.startswith("tensorflow.keras.") and part in name


def optimizer_rate(name: str, is_keras_3: bool = False) -> RateArgument | None:
    """Where the optimizer class of that canonical name takes its rate, if it is a known one."""
    last = name.rpartition(".")[2]
    if is_keras_3 and _in_keras(name, "optimizer") and last in KERAS_3_RATES:
        return KERAS_3_RATES[last]
    if name.startswith(ADDONS):
        return ADDON_RATES.get(last)
    if name.startswith(V1):
        return V1_RATES.get(last)
    return OPTIMIZER_RATES.get(last) if _in_keras(name, "optimizer") else None


def schedule_rates(name: str) -> tuple[RateArgument, ...]:
    """The rate arguments of a library schedule; empty if the name is none."""
    known = _in_keras(name, "optimizer") or _in_keras(name, "experimental")
    return SCHEDULE_RATES.get(name.rpartition(".")[2], ()) if known else ()


def every_class(module: str) -> tuple[str, ...]:
    """The classes of a module of optimizers, of which a text names one: `getattr(module, name)`."""
    if module not in (OPTIMIZERS, f"{OPTIMIZERS}.legacy"):
        return ()
    return tuple(f"{module}.{name}" for name in OPTIMIZER_RATES)


def any_member(module: str) -> str | None:
    """What stands for one of the classes of a module, whatever text names it."""
    found = every_class(module)
    return found[0] if found else None


def is_legacy(name: str) -> bool:
    """Whether `optimizer.variables` is a method of the class in every version."""
    return ".legacy." in name or not name.startswith(f"{OPTIMIZERS}.")


def of_string(text: str, is_keras_3: bool = False) -> str | None:
    """The class name that Keras finds for an optimizer given as a string, in any case.

    A string that Keras 3 alone knows names the class in a program for Keras 2, too, if it is there.
    """
    word = text.lower()
    newer = KERAS_3_STRINGS.get(word)
    is_there = is_keras_3 or newer in OPTIMIZER_RATES
    return STRINGS.get(word) or (newer if is_there else None)


def rate_of(name: str) -> str:
    """The default rate of an optimizer class of Keras that a string names, as it is written."""
    is_new = name in KERAS_3_STRINGS.values() and name in KERAS_3_RATES
    return (KERAS_3_RATES if is_new else OPTIMIZER_RATES)[name].default or ""
