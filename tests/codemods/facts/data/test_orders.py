"""Whether every worker sees the elements of a dataset in one order, how many, and of which shape."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.orders import Orders
from distify.codemods.facts.data.pipelines import Pipelines, Way

HEAD = """\
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow import keras

Dataset = tf.data.Dataset
source = Dataset.range(9)
"""


def last(text: str) -> tuple[Orders, Way]:
    """What is known of the dataset in the last line."""
    facts = Facts.of(HEAD + text)
    pipelines = Pipelines(facts)
    (way,) = pipelines.ways(facts.module.body[-1].value)  # type: ignore[attr-defined]
    return Orders(facts, pipelines), way


SHUFFLED = "it is shuffled differently on every worker"
FILES = "`list_files` shuffles the names differently on every worker"
IMAGES = "`{}` shuffles differently on every worker"
LOADED = "the files are shuffled differently on every worker"
ZIPPED = "`zip` joins datasets that can't be followed, or were mixed before"
FOLDERS = [f"{kind}_dataset_from_directory" for kind in ("image", "text", "audio")]
ORDERS = {
    "source": None,
    "Dataset.from_tensor_slices(x).map(f)": None,
    "Dataset.from_generator(g)": None,
    "tf.data.TFRecordDataset(a)": None,
    "tf.data.TextLineDataset(a)": None,
    "tf.data.FixedLengthRecordDataset(a, 9)": None,
    "tf.data.experimental.CsvDataset(a, b)": None,
    "Dataset.random()": "what `random` gives can't be told apart",
    "source.shuffle(9)": SHUFFLED,
    "source.shuffle(9, None)": SHUFFLED,
    "source.shuffle(9, 1)": None,
    "source.shuffle(9, seed=1).batch(2)": None,
    "tf.random.set_seed(1)\nsource.shuffle(9)": None,
    "keras.utils.set_random_seed(1)\nsource.shuffle(9)": None,
    "source.map(f, deterministic=False)": "`map` gives the elements in no fixed order",
    "source.interleave(f, deterministic=False)": "`interleave` gives the elements in no fixed order",
    "source.map(f, deterministic=True)": None,
    "source.map(f, name=False)": None,
    "Dataset.list_files(a)": FILES,
    "Dataset.list_files(a, shuffle=True)": FILES,
    "Dataset.list_files(a, False)": None,
    "Dataset.list_files(a, None, 1)": None,
    "Dataset.list_files(a, seed=1)": None,
    "tf.random.set_seed(1)\nDataset.list_files(a)": None,
    **{f"keras.utils.{name}(a)": IMAGES.format(name) for name in FOLDERS},
    **{f"keras.utils.{name}(a, shuffle=True)": IMAGES.format(name) for name in FOLDERS},
    **{f"keras.utils.{name}(a, shuffle=False)": None for name in FOLDERS},
    **{f"keras.utils.{name}(a, seed=1)": None for name in FOLDERS},
    "keras.utils.set_random_seed(1)\nkeras.utils.image_dataset_from_directory(a)": None,
    "tf.random.set_seed(1)\nkeras.utils.image_dataset_from_directory(a)":
        IMAGES.format("image_dataset_from_directory"),
    "keras.utils.timeseries_dataset_from_array(a)": None,
    "keras.utils.timeseries_dataset_from_array(a, shuffle=True)":
        IMAGES.format("timeseries_dataset_from_array"),
    "tfds.load(a)": None,
    "tfds.load(a, shuffle_files=False)": None,
    "tfds.load(a, shuffle_files=True)": LOADED,
    "tf.random.set_seed(1)\ntfds.load(a, shuffle_files=True)": LOADED,
    "tfds.load(a, shuffle_files=True, read_config=tfds.ReadConfig())": LOADED,
    "tfds.load(a, shuffle_files=True, read_config=tfds.ReadConfig(shuffle_seed=None))": LOADED,
    "tfds.load(a, shuffle_files=True, read_config=tfds.ReadConfig(shuffle_seed=0))": None,
    "c = tfds.ReadConfig(shuffle_seed=0)\ntfds.load(a, shuffle_files=True, read_config=c)": None,
    "tfds.load(a, shuffle_files=True, read_config=own(shuffle_seed=0))": LOADED,
    "Dataset.zip((source, source.map(f)))": None,
    "Dataset.zip((source, source.take(2)))": None,
    "Dataset.zip((source, a))": ZIPPED,
    "Dataset.zip((source, source.batch(2)))": ZIPPED,
    "Dataset.zip((source, Dataset.list_files(a)))": FILES,
    "Dataset.zip((source.batch(2),))": ZIPPED,
}  # fmt: skip


@pytest.mark.parametrize("text", ORDERS)
def test_what_makes_the_order_differ(text: str) -> None:
    orders, way = last(text)
    assert orders.why_differs(way, as_written=True) == ORDERS[text]


COUNTED = [
    "source",
    "Dataset.from_tensor_slices(x)",
    "tfds.load(a)",
    *(f"keras.utils.{name}(a)" for name in FOLDERS),
    "source.map(f).prefetch(1).with_options(o).cache().enumerate()",
    "source.take(2).skip(1).batch(2).shuffle(9)",
    "source.padded_batch(2)",
    "Dataset.zip((source, source.map(f)))",
]
UNCOUNTED = [
    "tf.data.TFRecordDataset(a)",
    "Dataset.list_files(a)",
    "source.filter(f)",
    "source.repeat()",
    "source.flat_map(f).batch(2)",
    "Dataset.zip((source, source.filter(f)))",
    "Dataset.zip((source, a))",
    "Dataset.zip()",
]


@pytest.mark.parametrize(
    ("text", "expected"), [*((t, True) for t in COUNTED), *((t, False) for t in UNCOUNTED)]
)
def test_whether_tensorflow_knows_the_number_of_elements(text: str, expected: bool) -> None:
    orders, way = last(text)
    assert orders.is_counted(way) is expected


UNIFORM = [
    "source",
    "tf.data.TFRecordDataset(a)",
    "Dataset.list_files(a)",
    "source.filter(f).take(1).skip(1).prefetch(1).with_options(o).cache().concatenate(a).shuffle(1)",
    "source.window(3, drop_remainder=True)",
    "source.window(3, 1, 1, True)",
    "source.window(3, drop_remainder=True).flat_map(lambda w: w.batch(3))",
    "Dataset.list_files(a).interleave(tf.data.TFRecordDataset)",
    "Dataset.list_files(a).flat_map(lambda n: tf.data.TextLineDataset(n))",
]
NOT_UNIFORM = [
    "source.map(f)",
    "source.window(3)",
    "source.window(3, drop_remainder=False)",
    "source.flat_map(f)",
    "source.interleave(lambda n: tf.io.read_file(n))",
    "Dataset.from_generator(g)",
    "source.batch(2)",
    "source.repeat()",
]


@pytest.mark.parametrize(
    ("text", "expected"), [*((t, True) for t in UNIFORM), *((t, False) for t in NOT_UNIFORM)]
)
def test_whether_all_elements_have_one_shape(text: str, expected: bool) -> None:
    orders, way = last(text)
    assert orders.is_uniform(way, ()) is expected


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("batch(2)", True),
        *((f"{name}(2).batch(2)", True) for name in ("shuffle", "repeat", "prefetch", "cache")),
        *((f"{name}(2).batch(2)", True) for name in ("take", "skip")),
        ("batch(2).map(f)", True),
        ("shuffle(9)", False),
        ("map(f).batch(2)", False),
        ("padded_batch(2)", False),
        ("padded_batch(2).batch(2)", False),
    ],
)
def test_elements_that_are_put_in_one_batch_later_have_one_shape(rest: str, expected: bool) -> None:
    orders, way = last(f"source.map(f).{rest}")
    assert orders.is_uniform(way[:3], way[3:]) is expected
