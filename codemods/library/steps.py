"""Where the arrays stand that meet in one step: arguments of Keras' loops, by position and name.

https://keras.io/api/models/model_training_apis/
"""

from __future__ import annotations

from .words import words

ARRAYS_OF: dict[str, tuple[str, ...]] = {
    "fit": ("x", "y"),
    "train_on_batch": ("x", "y", "sample_weight"),
}
# Makers of data sets whose elements take one of each of the arrays that they are given.
DATASETS_OF = words("from_tensor_slices zip")
