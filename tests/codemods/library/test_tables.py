"""What stands in the tables that others look into; each name as its documentation has it."""

from __future__ import annotations

import pytest

from distify.codemods.library import agreement, call_results, datasets, downloads, draws, sessions
from distify.codemods.library.names import normal


def test_what_reads_a_file_and_what_counts() -> None:
    names = (
        "builtins.open json.load json.loads pickle.load pickle.loads yaml.load yaml.safe_load "
        "numpy.load numpy.loadtxt numpy.genfromtxt pandas.read_csv pandas.read_json "
        "tensorflow.io.gfile.GFile tensorflow.io.read_file"
    )
    assert set(names.split()) == agreement.READS
    ranges = "builtins.range tqdm.trange tqdm.auto.trange tqdm.notebook.trange tqdm.std.trange"
    assert set(ranges.split()) == agreement.RANGES
    assert {*ranges.split(), "tensorflow.range", "numpy.arange"} == agreement.COUNTERS
    members = "shape get_shape dtype ndim iterations learning_rate lr"
    assert set(members.split()) == agreement.SHARED_MEMBERS


METHODS = {
    "window group_by_window scan take_while concatenate bucket_by_sequence_length": datasets.REGROUPING,
    "filter flat_map interleave unbatch ignore_errors apply rejection_resample": datasets.SIFTING,
    "batch padded_batch ragged_batch": datasets.BATCHING,
    "take skip": datasets.COUNTING,
    "map prefetch with_options cache enumerate": datasets.PLAIN,
    "zip sample_from_datasets choose_from_datasets": frozenset(datasets.JOINING),
}


@pytest.mark.parametrize("names", METHODS)
def test_what_a_method_of_a_dataset_does_to_its_elements(names: str) -> None:
    assert set(names.split()) == METHODS[names]


def test_datasets_that_come_in_batches_say_of_which_size() -> None:
    sizes = {
        "image_dataset_from_directory": 32,
        "text_dataset_from_directory": 32,
        "audio_dataset_from_directory": 32,
        "timeseries_dataset_from_array": 128,
    }
    assert sizes == datasets.READY_BATCHED
    assert {"audio_dataset_from_directory"} == datasets.SEVERAL_SHAPES


def test_methods_that_are_known_by_their_name_alone() -> None:
    assert (downloads.BUILDS, downloads.UNPACKS) == ("download_and_prepare", "extractall")
    hooks = "LoggingTensorHook CheckpointSaverHook SummarySaverHook StepCounterHook ProfilerHook"
    assert hooks.split() == [*sessions.WRITING_HOOKS]
    sorting = "builtins.sorted numpy.sort numpy.unique tensorflow.sort"
    assert sorting.split() == [*draws.SORTING]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("tensorflow.keras.utils.to_categorical", "array"),
        ("tensorflow.keras.utils.normalize", "array"),
        ("tensorflow.keras.preprocessing.sequence.pad_sequences", "array"),
        ("tensorflow.keras.utils.plot_model", None),
        ("tensorflow.data.make_one_shot_iterator", None),
        ("tensorflow.data.make_csv_dataset", "dataset"),
        ("tensorflow.data.experimental.make_csv_dataset", "dataset"),
        ("tensorflow.data.TextLineDataset", "dataset"),
        ("tensorflow.keras.optimizers.schedules.CosineDecay", "schedule"),
        ("tensorflow.keras.optimizers.legacy.Adam", "optimizer"),
        ("tensorflow.keras.mixed_precision.LossScaleOptimizer", "loss scale"),
        ("tensorflow.keras.applications.vgg16.VGG16", "model"),
        ("tensorflow.keras.applications.vgg16.preprocess_input", None),
        ("horovod.tensorflow.keras.load_model", "model"),
        ("horovod.tensorflow.PartialDistributedGradientTape", "tape"),
        ("tensorflow.keras.callbacks.experimental.BackupAndRestore", "callback"),
        ("transformers.TFTrainer", None),
        ("transformers.TFBertModel", "model"),
        ("keras_nlp.models.BertTokenizer", None),
        ("keras_nlp.models.BertClassifier", "model"),
    ],
)
def test_what_a_library_thing_gives(name: str, found: str | None) -> None:
    assert call_results.gives(name) == found


@pytest.mark.parametrize(
    ("role", "method", "found"),
    [
        ("dataset", "map", "dataset"),
        ("dataset", "as_numpy_iterator", None),
        ("dataset", "__iter__", None),
        ("array", "reshape", "array"),
        ("array", "tolist", None),
        ("table", "to_numpy", "array"),
        ("table", "sample", "table"),
        ("table", "groupby", None),
        ("random generator", "normal", "array"),
        ("dense transformer", "fit_transform", "array"),
        ("dense transformer", "fit", None),
        ("supervisor", "managed_session", "session"),
        ("supervisor", "prepare_or_wait_for_session", "session"),
        ("supervisor", "stop", None),
        ("nothing", "map", None),
    ],
)
def test_what_a_method_gives(role: str, method: str, found: str | None) -> None:
    assert call_results.method_gives(role, method) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("six.moves.range", "builtins.range"),
        ("six.moves.xrange", "builtins.range"),
        *((f"six.moves.{name}", f"builtins.{name}") for name in ("zip", "map", "filter", "input")),
        ("six.moves.reduce", "six.moves.reduce"),
        ("tensorflow.compat.v2.constant", "tensorflow.constant"),
        ("tensorflow.compat.v1.data.Dataset", "tensorflow.data.Dataset"),
        ("tensorflow.compat.v1.keras.utils.get_file", "tensorflow.keras.utils.get_file"),
        ("tensorflow.compat.v1.Session", "tensorflow.compat.v1.Session"),
        ("keras.src.layers.Dense", "tensorflow.keras.layers.Dense"),
        ("tf_keras.layers.Dense", "tensorflow.keras.layers.Dense"),
        ("tensorflow.python.keras.layers.Dense", "tensorflow.keras.layers.Dense"),
        ("tensorflow.optimizers.Adam", "tensorflow.keras.optimizers.Adam"),
        ("tensorflow.losses.mse", "tensorflow.keras.losses.mse"),
        ("tensorflow.keras.models.Model", "tensorflow.keras.Model"),
        ("tensorflow.keras.engine.training.Model", "tensorflow.keras.Model"),
        ("tensorflow.keras.optimizers.adam.Adam", "tensorflow.keras.optimizers.Adam"),
        ("tensorflow.keras.optimizers.legacy.Adam", "tensorflow.keras.optimizers.legacy.Adam"),
        ("tensorflow.keras.callbacks.core.History", "tensorflow.keras.callbacks.History"),
        ("tensorflow.keras.utils.data_utils.get_file", "tensorflow.keras.utils.get_file"),
        (
            "tensorflow.keras.mixed_precision.experimental.Policy",
            "tensorflow.keras.mixed_precision.Policy",
        ),
        ("numpy.keras.models.Model", "numpy.keras.models.Model"),
    ],
)
def test_each_thing_has_one_name(name: str, found: str) -> None:
    assert normal(name) == found
