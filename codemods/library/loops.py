"""What loops under a gradient run over and call, by what it means for running their steps again."""

from __future__ import annotations

TRAINS = ("apply", "apply_gradients", "minimize", "fit", "train_on_batch")  # methods: no step
KNOWN = ("tensorflow", "keras", "numpy", "builtins", "math")  # modules that hold no tensors
RANGES = ("tensorflow.range",)  # how many is known only to the graph
LISTED = ("builtins.zip", "builtins.enumerate", "builtins.reversed")
TAKEN_APART = ("tensorflow.unstack", "tensorflow.split")  # one tensor for each step
# They run steps by themselves: there is no loop to rewrite.
FOLDS = (
    "functools.reduce",
    "itertools.accumulate",
    "tensorflow.foldl",
    "tensorflow.foldr",
    "tensorflow.scan",
    "tensorflow.while_loop",
)
