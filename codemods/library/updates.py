"""What changes a model, or the way in which it is trained, beside its steps; in which calls.

https://keras.io/api/callbacks/, https://keras.io/api/models/model_saving_apis/,
https://docs.python.org/3/using/cmdline.html#envvar-PYTHONHASHSEED.
"""

from __future__ import annotations

import re

from .names import KERAS, normal
from .words import table, words

# Methods of a variable, of a model or layer, which get the value that it is set to.
OF_VARIABLES = words("assign assign_add assign_sub")
OF_CHANGES = words("assign_add assign_sub")  # of what it was before
OF_MODELS = words("set_weights load_weights restore")
_SETS = re.compile(
    KERAS + r"\.backend\.(?:set_value|batch_set_value|update(?:_add|_sub)?)$"
    r"|tensorflow\.(?:compat\.v1\.)?assign(?:_add|_sub)?$"
)
# What a model or a layer calls its weights.
WEIGHTS = words(
    """
    trainable_weights trainable_variables weights variables kernel bias embeddings gamma beta
    recurrent_kernel depthwise_kernel pointwise_kernel
    """
)
# By which Keras trains, and words that no other library's methods of that name have.
FITS = words("fit fit_generator")
FIT_WORDS = words("epochs batch_size validation_data validation_split callbacks steps_per_epoch")
# Attributes of an optimizer that say how its steps are taken.
NUMBERS = words(
    """
    momentum beta_1 beta_2 rho epsilon decay weight_decay clipnorm clipvalue global_clipnorm
    ema_momentum learning_rate lr nesterov
    """
)
RATES = words("learning_rate lr _lr")
READING = words("get_value numpy value read_value array asarray float float32 convert_to_numpy")
OPTIMIZERS = words("optimizer optimizer_ opt _optimizer")  # attributes that hold one
OF_GRADIENTS = words("gradient compute_gradients get_gradients")
OF_APPLYING = words("apply_gradients apply")
OF_WEIGHTS = words("get_weights numpy")  # methods that give what weights are just now
OF_ALL_WEIGHTS = words(
    "trainable_weights trainable_variables weights variables non_trainable_weights"
)
# Methods of a model that are a step, and what Keras applies to weights behind each.
OF_STEPS = words("train_step")
# What a step asks of an optimizer, of which a program may have a class of its own.
OF_OPTIMIZERS = words(
    "update_step apply_gradients get_updates _resource_apply_dense _resource_apply_sparse"
)
CONSTRAINT = re.compile(KERAS + r"\.constraints\.Constraint$")
# What makes one number of many examples.
STATISTICS = words(
    "reduce_mean reduce_sum reduce_max reduce_min mean sum max min std var float item"
)
TARGETS = words("y sample_weight")  # what `fit` is given beside the inputs
# A text's number is drawn anew in every process.
HASHES = frozenset({"builtins.hash"})


def is_variable(canonical: str) -> bool:
    """Whether it makes a variable of TensorFlow."""
    return normal(canonical) == "tensorflow.Variable"


def sets_value(canonical: str) -> bool:
    """Whether a function gives its first argument, a variable, the value of its second."""
    return _SETS.match(normal(canonical)) is not None


def is_constraint(canonical: str) -> bool:
    """Whether a class of that name says what weights become behind each step."""
    return CONSTRAINT.match(normal(canonical)) is not None


# What no sum is: of a mean of gradients it gives another thing than the mean of what it gives.
CURVED = table("""
tensorflow: clip_by_norm clip_by_global_norm clip_by_value clip_by_average_norm sign math.sign
tensorflow.math: sign l2_normalize
tensorflow.linalg: l2_normalize normalize
tensorflow.nn: l2_normalize
numpy: clip sign
""")
