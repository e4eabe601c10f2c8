"""How tf.data pipelines are built, and what a graph takes of them."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.pipelines import Pipelines, is_endless
from distify.codemods.library.datasets import METHODS
from distify.codemods.migrate import migrate

# -- pipelines -----------------------------------------------------------------------------------
# The ways that the elements of a dataset come, source first.

HEAD = """\
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow import keras

source = tf.data.Dataset.range(9)
other = tf.data.TFRecordDataset(files)
"""


def ways(text: str) -> list[str]:
    """Each way to what the last call `ask(…)` is given: its methods, names left out."""
    facts = Facts.of(HEAD + text)
    asked = [call for call in facts.index.calls if getattr(call.func, "id", "") == "ask"]
    expr = max(asked, key=lambda call: call.lineno).args[0]
    found = Pipelines(facts).ways(expr)
    return sorted(".".join(stage.method for stage in way if stage.method) for way in found)


@pytest.mark.parametrize(
    "method",
    [
        "window",
        "group_by_window",
        "scan",
        "take_while",
        "concatenate",
        "filter",
        "flat_map",
        "interleave",
        "unbatch",
        "ignore_errors",
        "apply",
        "rejection_resample",
        "batch",
        "padded_batch",
        "ragged_batch",
        "bucket_by_sequence_length",
        "take",
        "skip",
        "map",
        "prefetch",
        "with_options",
        "cache",
        "enumerate",
        "shuffle",
        "repeat",
        "shard",
    ],
)
def test_a_method_is_a_stage(method: str) -> None:
    assert method in METHODS
    assert ways(f"ask(source.{method}(a))") == [f"range.{method}"]
    assert ways(f"source = source.{method}(a)\nask(source)") == [f"range.{method}"]


FOLLOWED = {
    "ask(source)": ["range"],
    "ask(tf.data.Dataset.from_tensor_slices(x).batch(2))": ["from_tensor_slices.batch"],
    "ask(keras.utils.image_dataset_from_directory(a))": ["image_dataset_from_directory"],
    "ask(tfds.load(a))": ["load"],
    "splits = tfds.load(a)\nask(splits['train'])": ["load"],
    "a, b = tfds.load(c)\nask(b.batch(2))": ["load.batch"],
    "parts = {'train': source.map(f), 'test': other}\nask(parts['train'])": ["range.map"],
    "a, b = source.batch(2), other.map(f)\nask(a)": ["range.batch"],
    "a, b = source.batch(2), other.map(f)\nask(b)": ["TFRecordDataset.map"],
    "ask(source if a else other)": ["TFRecordDataset", "range"],
    "if a:\n    source = other\nask(source)": ["TFRecordDataset", "range"],
    "ask((ds := source.map(f)))": ["range.map"],
    "def make():\n    return source.map(f)\n\n\nask(make().batch(2))": ["range.map.batch"],
    "def make():\n    if a:\n        return source\n    return other\n\n\nask(make())": [
        "TFRecordDataset",
        "range",
    ],
    "def make(ds):\n    return ds.batch(2)\n\n\nask(make(source))": ["range.batch"],
    "def make(ds):\n    return ds.batch(2)\n\n\nmake(other)\nask(make(source))": ["range.batch"],
    "def use(ds):\n    ask(ds)\n\n\nuse(source)\nuse(other)": ["TFRecordDataset", "range"],
    "class T:\n    def __init__(self):\n        self.ds = source.map(f)\n\n    def run(self):\n"
    "        ask(self.ds.batch(2))": ["range.map.batch"],
    "parts = {'train': source, 'train': other}\nask(parts['train'])": ["TFRecordDataset", "range"],
    "class T:\n    def __init__(self):\n        self.ds = source\n        self.ds = other\n\n"
    "    def run(self):\n        ask(self.ds)": ["TFRecordDataset", "range"],
    "class T:\n    def __init__(self):\n        self.ds = source\n\n\nthing.ds = other\nask(T().ds)": [
        "range"
    ],
    "tf.data.Dataset.zip((source, other))\nask(tf.data.Dataset.zip((source, other)))": ["zip"],
}


@pytest.mark.parametrize("text", FOLLOWED)
def test_what_can_be_followed(text: str) -> None:
    assert ways(text) == FOLLOWED[text]


@pytest.mark.parametrize(
    "text",
    [
        "ask(a)",
        "ask(load())",
        "ask(source.map)",
        "ask(source.numpy())",
        "ask(a.batch(2))",
        "ask(source if a else b)",
        "if a:\n    source = b\nask(source)",
        "for source in a:\n    ask(source)",
        "ds = ds.batch(2)\nask(ds)",
        "splits = tfds.load(a)\nask(splits[name])",
        "parts = {'train': source}\nask(parts['test'])",
        "def use(ds):\n    ask(ds)",
        "def use(ds):\n    ask(ds)\n\n\nuse(source)\nrun(use)",
        "def use(ds, more):\n    ask(more)\n\n\nuse(source)",
        "def make():\n    return source\n    return a\n\n\nask(make())",
        "ask([source][0].x)",
    ],
)
def test_what_can_not_be_followed(text: str) -> None:
    assert ways(text) == []


def test_more_than_32_ways_are_not_followed() -> None:
    half = "if a:\n    source = source.map(f)\n"
    assert len(ways(half * 5 + "ask(source)")) == 32
    assert ways(half * 6 + "ask(source)") == []


ENDLESS = [
    "source.repeat()",
    "source.repeat(None)",
    "source.repeat(-1)",
    "source.repeat(count=-1).batch(2)",
    "tf.data.experimental.make_csv_dataset(a, 9)",
    "tf.data.Dataset.zip((source.repeat(), other.repeat()))",
    "tf.data.Dataset.zip(source.repeat(), other.repeat())",
    "tf.data.Dataset.sample_from_datasets([source.repeat(), other.repeat()], weights)",
    "tf.data.Dataset.choose_from_datasets([source.repeat()], other)",
]
FINITE = [
    "source",
    "source.repeat(3)",
    "source.repeat(n)",
    "source.repeat(count=3)",
    "source.repeat(-2)",
    "source.batch(-1)",
    "tf.data.experimental.make_csv_dataset(a, 9, num_epochs=1)",
    "tf.data.Dataset.zip((source.repeat(), other))",
    "tf.data.Dataset.zip((source.repeat(), a))",
    "tf.data.Dataset.sample_from_datasets([source.repeat(), other], [0.5, 0.5])",
    "tf.data.Dataset.range(source.repeat())",
]


@pytest.mark.parametrize(
    ("text", "expected"), [*((t, True) for t in ENDLESS), *((t, False) for t in FINITE)]
)
def test_what_never_ends(text: str, expected: bool) -> None:
    facts = Facts.of(HEAD + text)
    found = Pipelines(facts).ways(facts.module.body[-1].value)  # type: ignore[attr-defined]
    assert [is_endless(way) for way in found] == [expected]


# -- graph iterators -----------------------------------------------------------------------------
# Iterators of TensorFlow 1 that begin with one data set after another: the trained one is shared.

HEAD_OF_GRAPH_ITERATORS = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = np.load("x.npy")
y = x.sum(axis=1, keepdims=True)
first = tf.data.Dataset.from_tensor_slices((x[:192], y[:192])).shuffle(192).batch(16)
second = tf.data.Dataset.from_tensor_slices((x[192:], y[192:])).batch(16)
iterator = tf.data.Iterator.from_structure({})
inputs, targets = iterator.get_next()
begin = iterator.make_initializer(first)
test = iterator.make_initializer(second)
w = tf.get_variable("w", [4, 1])
loss = tf.reduce_mean((tf.matmul(inputs, w) - targets) ** 2)
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(2):
"""
TYPES = "tf.data.get_output_types(first), tf.data.get_output_shapes(first)"
MEMBERS = "first.output_types, first.output_shapes"
TO_END = """\
        session.run({})
        while True:
            try:
                session.run({})
            except tf.errors.OutOfRangeError:
                break
"""
TRAINS, TESTS = TO_END.format("begin", "train"), TO_END.format("test", "loss")
CUT = ".shard(hvd.size(), hvd.rank())"


def after(loops: str, types: str = TYPES) -> str:
    return migrate(HEAD_OF_GRAPH_ITERATORS.format(types) + loops).after


@pytest.mark.parametrize("types", [TYPES, MEMBERS])
@pytest.mark.parametrize("loops", [TRAINS, TRAINS + TESTS, TESTS + TRAINS])
def test_what_is_trained_on_is_shared_out(loops: str, types: str) -> None:
    found = after(loops, types)
    assert found.count(CUT) == 1
    assert found.index(CUT) < found.index("second =")
    assert "0.01 * hvd.size()" in found


@pytest.mark.parametrize(
    "loops",
    [
        TESTS,
        TRAINS.replace("while True", "for step in range(12)"),  # a share would end before
        TRAINS + TO_END.format("begin", "loss"),  # all of it is tested
        "        session.run(begin)\n        session.run(train)\n",
    ],
)
def test_what_may_be_needed_whole_is_not(loops: str) -> None:
    assert CUT not in after(loops)


HANDLES = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = np.load("x.npy")
y = x.sum(axis=1, keepdims=True)
first = tf.data.Dataset.from_tensor_slices((x[:192], y[:192])).shuffle(192){}.batch(16)
second = tf.data.Dataset.from_tensor_slices((x[192:], y[192:])).batch(64)
handle = tf.placeholder(tf.string, shape=[])
iterator = tf.data.Iterator.from_string_handle(
    handle, tf.data.get_output_types(first), tf.data.get_output_shapes(first)
)
inputs, targets = iterator.get_next()
w = tf.get_variable("w", [4, 1])
loss = tf.reduce_mean((tf.matmul(inputs, w) - targets) ** 2)
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
training = tf.data.make_one_shot_iterator(first)
testing = tf.data.make_initializable_iterator(second)
with tf.Session() as session:
    own = session.run(training.string_handle())
    others = session.run(testing.string_handle())
    session.run(tf.global_variables_initializer())
    for step in range(400):
        session.run(train, {{handle: own}})
        if step % 100 == 0:
            session.run(testing.initializer)
            print(step, session.run(loss, {{handle: others}}))
"""


def test_the_data_behind_the_handle_that_steps_are_fed_is_shared_out() -> None:
    found = migrate(HANDLES.format(".repeat()")).after
    assert found.count(CUT) == 1
    assert found.index(CUT) < found.index("second =")
    assert "400 // hvd.size()" in found


def test_a_share_that_would_end_before_the_steps_do_is_none() -> None:
    assert CUT not in migrate(HANDLES.format(".repeat(100)")).after
