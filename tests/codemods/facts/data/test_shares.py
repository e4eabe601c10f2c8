"""Where a pipeline is cut into shares, in which form, and why it is left whole."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.divided import shrinks
from distify.codemods.facts.data.divided import taken_counts as counts_that_shrink
from distify.codemods.facts.data.pipeline_shares import shares_of
from distify.codemods.model import Options
from distify.codemods.rewrites._share_edits import batching, length

HEAD = """\
import glob, os
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow import keras

Dataset = tf.data.Dataset
model = keras.Sequential([])
x, y = np.ones([9, 2]), np.ones(9)
"""


def decided(text: str, **options: object) -> tuple[list[str], list[str]]:
    """The cuts (place, form, length) and the reasons for what is left whole."""
    facts = Facts.of(HEAD + text, Options(**options))  # type: ignore[arg-type]
    data = shares_of(facts)
    cuts = [
        " ".join(
            filter(
                None,
                (
                    ast.unparse(c.expr),
                    c.form.name.lower(),
                    c.length and length(facts, c.length),
                    c.batch and batching(facts, c.batch),
                ),
            )
        )
        for c in data.cuts.values()
    ]
    return cuts, [whole.reason for whole in data.whole]


SLICES = "Dataset.from_tensor_slices({})"
FILES = "tf.data.TFRecordDataset(a)"
CUTS = {
    f"model.fit({SLICES.format('x')})": f"{SLICES.format('x')} counted len(x)",
    f"model.fit({SLICES.format('(x, y)')}.batch(2))": f"{SLICES.format('(x, y)')} counted len(x)",
    f"model.fit({SLICES.format('(x / 2, y)')})": f"{SLICES.format('(x / 2, y)')} counted len(y)",
    f"model.fit({SLICES.format('(f(x), y)')})": f"{SLICES.format('(f(x), y)')} counted len(y)",
    "model.fit(Dataset.from_tensor_slices({'a': x, 'b': y}))":
        "Dataset.from_tensor_slices({'a': x, 'b': y}) counted len(x)",
    "model.fit(Dataset.from_tensor_slices(x[1:]))": "Dataset.from_tensor_slices(x[1:]) counted_named",
    **{
        f"n = {maker}\nmodel.fit(Dataset.from_tensor_slices(n))":
            "Dataset.from_tensor_slices(n) counted len(n)"
        for maker in ("[1, 2]", "[f(i) for i in a]", "sorted(a)", "list(a)", "glob.glob(a)",
                      "os.listdir(a)", "tf.io.gfile.glob(a)")
    },
    "model.fit(Dataset.range(9))": "Dataset.range(9) counted 9",
    "model.fit(Dataset.range(n))": "Dataset.range(n) counted n",
    "model.fit(Dataset.range(n + 1))": "Dataset.range(n + 1) counted_named",
    "model.fit(Dataset.range(1, 9))": "Dataset.range(1, 9) counted_named",
    "ds = Dataset.range(1, 9)\nmodel.fit(ds.batch(2))": "ds counted len(ds)",
    "ds = Dataset.from_tensor_slices(a)\nmodel.fit(ds)": "ds counted len(ds)",
    f"model.fit({FILES})": f"{FILES} grouped",
    f"model.fit({FILES}.map(f).batch(2))": f"{FILES} grouped",
    f"model.fit({FILES}.map(f).shuffle(9).batch(2))": f"{FILES} grouped",
    "model.fit(Dataset.from_generator(g).map(f).padded_batch(2))": "Dataset.from_generator(g) paired",
    "model.fit(Dataset.from_generator(g).batch(2))": "Dataset.from_generator(g) grouped",
    "model.fit(Dataset.range(9).repeat().batch(2))": "Dataset.range(9) endless",
    "model.fit(Dataset.range(9).repeat(2).batch(2))": "Dataset.range(9) counted 9",
    "model.fit(Dataset.range(9).take(4).batch(2))": "Dataset.range(9).take(4) counted_named",
    "ds = Dataset.range(9)\nf(ds)\nmodel.fit(ds)": "ds counted 9",
    "model.fit(Dataset.range(9).filter(f).batch(2))": "Dataset.range(9).filter(f) grouped",
    "model.fit(Dataset.range(9).window(2).flat_map(f))": "Dataset.range(9).window(2).flat_map(f) paired",
    "n = 9\nds = Dataset.range(n)\nmodel.fit(ds)": "Dataset.range(n) counted n",
    "n = 9\nds = Dataset.range(n)\nn = 3\nmodel.fit(ds)": "Dataset.range(n) counted n",
    "ds = tfds.load(a)\nmodel.fit(ds.batch(2))": "ds counted len(ds)",
    "ds = keras.utils.image_dataset_from_directory(a, seed=1)\nmodel.fit(ds)": "ds batches 32",
    "model.fit(keras.utils.image_dataset_from_directory(a, seed=1))":
        "keras.utils.image_dataset_from_directory(a, seed=1) batches 32",
    "model.fit(x, validation_data=Dataset.range(9))": "Dataset.range(9) counted 9",
    "ds = Dataset.range(9)\nprint(next(iter(ds)))\nmodel.fit(ds.batch(2))": "Dataset.range(9) counted 9",
}  # fmt: skip


CROP = "def crop():\n    global x\n    x = x[:3]\n\n\n"
BOTH = "model.evaluate(ds)\nmodel.fit(ds)"
CUTS.update({
    f"ds = {SLICES.format('x')}\n{BOTH}": "ds counted len(x)",
    "model.fit(tfds.load(a).map(f).batch(9))": "tfds.load(a) counted_named",
    "ds = tfds.load(a)\nmodel.fit(ds.map(f).batch(9))": "ds counted len(ds)",
    f"{CROP}ds = {SLICES.format('x')}\ncrop()\n{BOTH}": "ds counted len(ds)",
    "for e in a:\n    n = f(e)\n    if e:\n        ds = Dataset.range(n)\n"
    "    model.evaluate(ds)\n    model.fit(ds)": "ds counted len(ds)",
    "for e in a:\n    n = f(e)\n    ds = Dataset.range(n)\n    model.evaluate(ds)\n    model.fit(ds)":
        "ds counted n",
    f"ds = {SLICES.format('x')}\nif a:\n    x = x[1:]\n{BOTH}": "ds counted len(ds)",
    f"ds = {SLICES.format('x')}\nfor x in a:\n    pass\n{BOTH}": "ds counted len(ds)",
    f"ds = {SLICES.format('x')}\nif a:\n    x = 1\n    raise E\n{BOTH}": "ds counted len(x)",
    f"ds = {SLICES.format('[x[i] for i in a]')}\n{BOTH}": "ds counted len(ds)",
    f"ds = {SLICES.format('x')}\nwhile model.evaluate(ds) or model.fit(ds):\n    pass": "ds counted len(ds)",
    f"ds = {SLICES.format('x')}\nmodel.evaluate(ds)\nmodel.fit(x := a, validation_data=ds)": "ds counted len(ds)",
})  # fmt: skip


IMAGES = "ds = keras.utils.image_dataset_from_directory(a, seed=1{})\n"
MADE = "def make(n=4):\n    return Dataset.range(9).batch({})\n\n\nds = make()\nmodel.evaluate(make())\n"
BATCHES = {
    IMAGES.format(", batch_size=8") + "model.fit(ds)": "ds batches 8",
    "n = 8\n" + IMAGES.format(", batch_size=n") + "model.fit(ds)": "ds batches n",
    "n = int(a)\n" + IMAGES.format(", batch_size=n") + "model.fit(ds)": "ds batches n",
    IMAGES.format(", batch_size=None") + "model.fit(ds.batch(3))":
        "ds counted len(ds)",
    "model.fit(Dataset.range(99).batch(9).shuffle(9, seed=1).batch(2))": "Dataset.range(99).batch(9) counted_named",
    IMAGES.format("") + "print(ds.class_names)\nds = ds.map(f).prefetch(2)\nmodel.fit(ds)":
        "ds batches 32",
    IMAGES.format("") + "ds = ds.cache().shuffle(9, seed=1)\nmodel.fit(ds)": "ds batches 32",
    IMAGES.format("") + "model.fit(ds.repeat(), steps_per_epoch=3)": "ds endless_batches 32",
    IMAGES.format("") + "ds = ds.unbatch().batch(5)\nmodel.fit(ds)": "ds.unbatch() grouped",
    IMAGES.format("") + "model.fit(x, validation_data=ds)": "",
    "model.fit(keras.utils.timeseries_dataset_from_array(x, y, 2))":
        "keras.utils.timeseries_dataset_from_array(x, y, 2) batches 128",
    MADE.format(4) + "model.fit(ds)": "make() batches 4",
    MADE.format("n") + "model.fit(ds)": "make() batches 4",
    "size = 4\n" + MADE.format("size") + "model.fit(ds)": "make() batches size",
    "class C:\n    size = 4\n\n\n" + MADE.format("C.size") + "model.fit(ds)": "make() batches C.size",
    "size = 4\n" + MADE.format("n").replace("make()", "make(size)") + "model.fit(ds)": "make(size) batches size",
    MADE.format("n").replace("n=4", "a, n=4").replace("make()", "make(1)").replace("(9)", "(a)") + "model.fit(ds)":
        "make(1) batches 4",
    MADE.format("4, drop_remainder=True") + "model.fit(ds)": "make() batches 4, drop_remainder=True",
    "ds = Dataset.range(9).batch(4)\nmodel.evaluate(ds)\nmodel.fit(ds)": "ds batches 4",
}  # fmt: skip


@pytest.mark.parametrize("text", BATCHES)
def test_batches_are_taken_apart(text: str) -> None:
    assert decided(text) == ([BATCHES[text]] if BATCHES[text] else [], [])


@pytest.mark.parametrize("text", CUTS)
def test_where_a_dataset_is_cut(text: str) -> None:
    assert decided(text) == ([CUTS[text]], [])


SHUFFLED = "it is shuffled differently on every worker"
AFTER = "`{}` comes after the elements were shuffled, repeated or batched"
WHOLES = {
    "model.fit(Dataset.random())": "what `random` gives can't be told apart",
    "for i in a:\n    model.fit(Dataset.list_files(a))":
        "`list_files` shuffles the names differently on every worker",
    "for i in a:\n    model.fit(Dataset.range(9).shuffle(9).filter(f))": AFTER.format("filter"),
    "for i in a:\n    ds = Dataset.range(9).shuffle(9).filter(f)\n    model.fit(one := ds)\n"
    "    print(len(one))": AFTER.format("filter"),
    "for i in a:\n    model.fit(keras.utils.image_dataset_from_directory(a))":
        "`image_dataset_from_directory` shuffles differently on every worker",
    "def rows():\n    order = np.random.permutation(9)\n    yield from order\n\n\n"
    "model.fit(Dataset.from_generator(rows, int))":
        "its generator draws an order differently on every worker",
    "keras.layers.LSTM(1, stateful=True)\nmodel.fit(Dataset.range(9))":
        "the model keeps its state from batch to batch",
}  # fmt: skip


# Rung 3: no example can be cut, and whole batches are dealt out behind all that makes them.
DEALT_OUT = {
    "model.fit(Dataset.range(9).shuffle(9).filter(f))":
        "Dataset.range(9).shuffle(9).filter(f) paired",
    "model.fit(Dataset.range(9).repeat().filter(f))":
        "Dataset.range(9).repeat().filter(f) endless",
    "model.fit(tfds.load(a).filter(f))": "tfds.load(a).filter(f) paired",
    IMAGES.format(", batch_size=n") + "n = 3\nmodel.fit(ds)":
        "keras.utils.image_dataset_from_directory(a, seed=1, batch_size=n) counted_named",
    MADE.format("int(a)") + "model.fit(ds)": "make() counted_named",
    MADE.format("4, drop_remainder=b") + "model.fit(ds)": "make() counted_named",
    MADE.replace("batch", "padded_batch").format(4) + "model.fit(ds)": "make() counted_named",
    "ds = keras.utils.audio_dataset_from_directory(a, seed=1)\nmodel.fit(ds)":
        "keras.utils.audio_dataset_from_directory(a, seed=1) counted_named",
    MADE.format("4).map(f") + "model.fit(ds)": "make() counted_named",
}  # fmt: skip


@pytest.mark.parametrize("text", DEALT_OUT)
def test_batches_are_dealt_out_where_no_example_can_be_cut(text: str) -> None:
    assert decided(text) == ([DEALT_OUT[text]], [])


@pytest.mark.parametrize("text", WHOLES)
def test_why_a_dataset_is_left_whole(text: str) -> None:
    assert decided(text) == ([], [WHOLES[text]])


BUILDER = """
def build(x, training):
    ds = Dataset.from_tensor_slices(x)
    if training:
        ds = ds.shuffle(9{})
    return ds.batch(3)
train, val = build(x, True), build(y, False)
model.fit(train)
model.evaluate(val)
"""


def test_what_is_cut_behind_the_function_that_builds_it_is_not_called_whole() -> None:
    builder = BUILDER.replace("(x)", "(list(x))").format(", seed=1")  # who knows what x is
    cuts, whole = decided(builder)
    assert cuts == ["build(x, True) batches 3"]
    assert not whole


@pytest.mark.parametrize("seed", ["", ", seed=1"])
def test_the_function_that_builds_it_is_given_a_share_of_the_arrays(seed: str) -> None:
    data = shares_of(Facts.of(HEAD + BUILDER.format(seed)))
    assert not data.cuts
    assert not data.whole
    (arrays,) = data.handed.values()
    assert [ast.unparse(held) for held in arrays.held] == ["x"]


def test_each_branch_may_be_cut_in_its_own_place() -> None:
    text = (
        "if a:\n    ds = Dataset.range(9)\nelse:\n    ds = Dataset.range(8)\nmodel.fit(ds.batch(2))"
    )
    cuts, whole = decided(text)
    assert cuts == ["ds counted len(ds)"]
    assert not whole


@pytest.mark.parametrize(
    "options",
    [{"shard": False}, {"ignore": frozenset({"D107"})}, {"select": frozenset({"D104"})}],
)
def test_nothing_is_cut_where_that_is_not_wanted(options: dict) -> None:
    assert decided("model.fit(Dataset.range(9))", **options) == ([], [])


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("model.fit(Dataset.range(9).batch(2).take(3))", ["3"]),
        ("model.fit(Dataset.range(9).batch(2).skip(3))", ["3"]),
        ("model.fit(Dataset.range(9).batch(2).take(count=3))", ["3"]),
        ("model.fit(Dataset.range(9).take(3).batch(2))", []),
        ("model.fit(Dataset.range(9).repeat().take(3))", ["3"]),
        ("model.fit(Dataset.random().repeat().take(3))", ["3"]),
        ("model.fit(Dataset.random().take(3))", []),
        ("ds = Dataset.range(9).map(f)\nmodel.fit(ds.batch(2).take(len(ds)))", []),  # it did
        ("model.evaluate(Dataset.range(9).take(3))", []),
    ],
)
def test_counts_that_shrink_with_the_shares(text: str, counts: list[str]) -> None:
    assert [ast.unparse(n) for n in counts_that_shrink(Facts.of(HEAD + text))] == counts


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("len(ds)", True), ("n", True), ("n // 2", True), ("len(other)", False), ("9", False)],
)
def test_a_number_that_is_computed_from_a_share(asked: str, expected: bool) -> None:
    text = "ds, other = Dataset.range(9), Dataset.range(8)\nn = len(ds)\nm = len(other)\n"
    facts = Facts.of(HEAD + text + f"model.fit(ds.batch(2))\nf({asked})\n")
    argument = facts.module.body[-1].value.args[0]  # type: ignore[attr-defined]
    assert shrinks(facts, argument) is expected


ASKING = """\
class Trainer:
    def __init__(self, data):
        self.data, self.steps = data, {asked}

    def train(self):
        model.fit(self.data)

ds = {made}
model.evaluate(ds)
Trainer(ds).train()
"""
BATCHED = SLICES.format("x") + ".batch(2)"


@pytest.mark.parametrize(
    ("made", "asked", "cut"),
    [
        (BATCHED, "len(data)", "data"),  # where it is kept, behind which nothing asks
        (BATCHED, "data.cardinality()", "data"),
        (BATCHED, "9", "ds"),
    ],
)
def test_of_what_is_asked_for_its_length_no_part_loses_it(made: str, asked: str, cut: str) -> None:
    cuts, whole = decided(ASKING.format(made=made, asked=asked))
    assert [each.split()[0] for each in cuts] == [cut]
    assert whole == []


def test_where_the_length_is_asked_behind_every_place_it_stays_whole() -> None:
    text = ASKING.replace(
        "model.fit(self.data)", "model.fit(self.data, steps_per_epoch=len(self.data))"
    )
    cuts, _ = decided(text.format(made=BATCHED, asked="len(data)"))
    assert cuts == ["self.data batches 2"]
    asked = ASKING.replace("fit(self.data)", "fit(one := self.data)\n        print(len(one))")
    cuts, _ = decided(asked.format(made=BATCHED, asked="9"))
    assert cuts == ["ds counted len(ds)"]  # a share that has a length, too


@pytest.mark.parametrize(
    "made", [FILES, "Dataset.from_generator(f, int)", "Dataset.range(9).filter(f)"]
)
def test_of_what_has_no_length_none_is_lost(made: str) -> None:
    cuts, _ = decided(f"ds = {made}\nprint(ds.cardinality())\nmodel.fit(ds.batch(2))")
    assert cuts[0].split(")")[0] == made.split(")")[0]
