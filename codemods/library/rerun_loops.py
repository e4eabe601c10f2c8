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

RUNS_CELLS = tuple(
    f"tensorflow.keras.layers.{name}" for name in ("RNN", "LSTM", "GRU", "SimpleRNN")
)
# Models with these as their layers begin with tensors of nobody.
INPUTS = (
    "tensorflow.keras.Input",
    "tensorflow.keras.layers.Input",
    "tensorflow.keras.layers.InputLayer",
)
CHECKPOINT = "ModelCheckpoint"  # it does where it isn't told to save weights alone
# Names that write a model down by its class, or make one of what was written.
HOLDS_CLASSES = (
    "save", "save_model", "to_json", "get_config", "from_config", "clone_model", CHECKPOINT,
)  # fmt: skip
# Draws, with as many arguments as both have before the seed, by what draws the same for a seed.
SEEDED = {
    "tensorflow.nn.dropout": ("tensorflow.nn.experimental.stateless_dropout", 2),
    "tensorflow.random.normal": ("tensorflow.random.stateless_normal", 1),
    "tensorflow.random.truncated_normal": ("tensorflow.random.stateless_truncated_normal", 1),
    "tensorflow.random.uniform": ("tensorflow.random.stateless_uniform", 1),
}
