"""What says how a model looks and learns: the makers of its parts, arguments of `fit`, `compile`.

https://keras.io/api/models/model_training_apis/, https://keras.io/api/layers/.
"""

from __future__ import annotations

import re

from . import callbacks
from .names import KERAS, normal
from .words import words

_PARTS = re.compile(
    KERAS + r"\.(?:layers\.(?:experimental\.(?:preprocessing\.)?)?|losses\.(?![A-Z]+$)"
    r"|regularizers\.|constraints\.)(?:[A-Z]\w*|l1|l2|l1_l2)$"
)
_TIME_STOPPING = "tensorflow_addons.callbacks.TimeStopping"
# Arguments of a part that make no difference: what is called how, first weights, own numbers.
_NO_HARM = words("name seed weights dtype")
RATES = words("learning_rate lr")
# Arguments of `fit` that say how many steps there are (where it begins, worker 0 tells all), and
# how its loss is made of its examples'.
AMOUNTS = words(
    """
    epochs batch_size steps_per_epoch validation_split validation_freq validation_steps
    """
)
WEIGHTS = words("class_weight")
TARGETS = words("y")
LOSS_WEIGHTS = words("loss_weights")
COMPILED = words("optimizer loss")
RUNNING = words("run eval")  # methods that are fed what stands for placeholders


def is_part(canonical: str) -> bool:
    """Whether it makes a part of a model, or of its loss."""
    return _PARTS.match(normal(canonical)) is not None


def steers(canonical: str) -> bool:
    """Whether it makes a callback that ends training, or sets its rate."""
    return callbacks.steers(canonical) or canonical == _TIME_STOPPING


def gives_rates(canonical: str) -> bool:
    """Whether it makes a callback that asks a function for the rate."""
    return normal(canonical) == callbacks.SCHEDULER


def is_of_no_harm(argument: str) -> bool:
    """Whether the workers may differ in an argument of a part."""
    return argument in _NO_HARM or argument.endswith("_initializer")
