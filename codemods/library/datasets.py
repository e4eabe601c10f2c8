"""The methods of `tf.data.Dataset`, by what they do to the elements.

https://www.tensorflow.org/api_docs/python/tf/data/Dataset
"""

from __future__ import annotations

from .words import table, words

# What a method does to the elements decides where workers can take their shares.
BUCKETING = frozenset(["bucket_by_sequence_length"])  # how many batches hangs on the examples
REGROUPING = BUCKETING | {"window", "group_by_window", "scan", "take_while", "concatenate"}
SIFTING = frozenset(
    ["filter", "flat_map", "interleave", "unbatch", "ignore_errors", "apply", "rejection_resample"]
)
BATCHING = frozenset(["batch", "padded_batch", "ragged_batch"])
COUNTING = frozenset(("take", "skip"))
PLAIN = frozenset(["map", "prefetch", "with_options", "cache", "enumerate"])
# How many elements these give hangs on the elements themselves.
CHOOSING = BUCKETING | {"filter", "take_while", "group_by_window", "ignore_errors"}
# Sources of which TensorFlow can't tell the length.
LENGTHLESS = frozenset(
    (
        *("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset", "CsvDataset"),
        *("from_generator", "make_csv_dataset", "make_batched_features_dataset"),
    )
)
# And which call what they are given for the elements.
CALLED = frozenset(["from_generator"])
JOINING = ("zip", "sample_from_datasets", "choose_from_datasets")
METHODS = REGROUPING | SIFTING | BATCHING | COUNTING | PLAIN | {"shuffle", "repeat", "shard"}
DRAWN_BY = frozenset(["get_next"])  # from an iterator
# What makes datasets whose elements are batches, with the sizes that these have by default.
READY_BATCHED = {
    "image_dataset_from_directory": 32,
    "text_dataset_from_directory": 32,
    "audio_dataset_from_directory": 32,
    "timeseries_dataset_from_array": 128,
}
SEVERAL_SHAPES = frozenset(["audio_dataset_from_directory"])  # each batch is padded to its longest

# What gives a row for each row of its first argument, or of what it is called of: part of the
# examples gives the same part of them.
ROW_BY_ROW = table("""
builtins: dict tuple
numpy: array asarray expand_dims float32 log1p sqrt
tensorflow: cast constant convert_to_tensor expand_dims one_hot
tensorflow.keras.utils: to_categorical
""")
ROW_BY_ROW_METHODS = words("astype copy drop numpy pop reshape to_numpy")
