"""Where the arrays stand that meet in one step: arguments of Keras' loops, by position and name.

https://keras.io/api/models/model_training_apis/
"""

from __future__ import annotations

from .words import table, words

ARRAYS_OF: dict[str, tuple[str, ...]] = {
    "fit": ("x", "y"),
    "train_on_batch": ("x", "y", "sample_weight"),
}
# Makers of data sets whose elements take one of each of the arrays that they are given.
DATASETS_OF = words("from_tensor_slices zip")
# The arguments of `fit`, in their places; those of its arrays that are given by name, if at all.
FIT_ARGUMENTS = (
    *("x", "y", "batch_size", "epochs", "verbose", "callbacks", "validation_split"),
    *("validation_data", "shuffle", "class_weight", "sample_weight"),
)
WEIGHTS_OF_ROWS = words("sample_weight")
# Functions that give the elements of their first argument, in its order, one by one or in parts.
PARTS_OF = table("""
numpy: split array_split asarray array
tensorflow: split convert_to_tensor
builtins: iter list tuple
tqdm: tqdm
""")
