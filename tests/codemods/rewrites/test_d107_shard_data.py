"""Each worker gets an equal share of the data, or all of it where that can't be promised."""

from __future__ import annotations

import re
import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """\
import numpy as np
import tensorflow as tf
from tensorflow.keras.preprocessing.image import ImageDataGenerator

(x, y), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
# head
"""
SLICE = "shard = slice(hvd.rank(), len({0}) // hvd.size() * hvd.size(), hvd.size())"
VALIDATION = "val_shard = slice(hvd.rank(), len({0}) // hvd.size() * hvd.size(), hvd.size())"


def outcome(snippet: str, **options: object) -> Migration:
    """The migration of the snippet as a part of a Keras program."""
    text = HEAD + textwrap.dedent(snippet).strip("\n ") + "\n"
    return migrate(text, Options(unsound=True, width=88, select=frozenset({"D107"}), **options))  # type: ignore[arg-type]


def shared(snippet: str) -> str:
    """What becomes of the snippet."""
    found = outcome(snippet)
    assert not found.blocked
    return found.after.partition("# head\n")[2]


ARRAYS = {
    "two arrays": ("model.fit(x, y)", SLICE.format("x") + "\nmodel.fit(x[shard], y[shard])"),
    "an array computed in the call": (
        "model.fit(x / 255, y)",
        SLICE.format("x") + "\nmodel.fit(x[shard] / 255, y[shard])",
    ),
    "a slice": (
        "model.fit(x[:50], y[:50])",
        SLICE.format("x[:50]") + "\nmodel.fit(x[:50][shard], y[:50][shard])",
    ),
    "in an assignment, by keyword, with weights": (
        "h = model.fit(x=x, y=y, sample_weight=np.ones(9))",
        SLICE.format("x")
        + "\nh = model.fit(x=x[shard], y=y[shard], sample_weight=np.ones(9)[shard])",
    ),
    "the input is the target": (
        "model.fit(x, x)",
        SLICE.format("x") + "\nmodel.fit(x[shard], x[shard])",
    ),
    "several inputs": (
        "model.fit([x, x], {'a': y})",
        SLICE.format("x") + "\nmodel.fit([x[shard], x[shard]], {'a': y[shard]})",
    ),
    "a list with a name": (
        "inputs = [x, x]\nmodel.fit(inputs, y)",
        "inputs = [x, x]\n"
        + SLICE.format("inputs[0]")
        + "\nmodel.fit([array[shard] for array in inputs], y[shard])",
    ),
    "a dictionary with a name": (
        'inputs = {"a": x}\nmodel.fit(inputs, y)',
        'inputs = {"a": x}\n'
        + SLICE.format('inputs["a"]')
        + "\nmodel.fit({key: array[shard] for key, array in inputs.items()}, y[shard])",
    ),
    "validation data": (
        "model.fit(x, y, validation_data=(x_test, y_test))",
        SLICE.format("x")
        + "\n"
        + VALIDATION.format("x_test")
        + "\nmodel.fit("
        + "x[shard], y[shard], validation_data=(x_test[val_shard], y_test[val_shard]))",
    ),
    "validation data with a name": (
        "held = (x_test, y_test)\nmodel.fit(x, y, validation_data=held)",
        "held = (x_test, y_test)\n"
        + SLICE.format("x")
        + "\n"
        + VALIDATION.format("held[0]")
        + "\nmodel.fit(x[shard], y[shard], "
        + "validation_data=tuple(array[val_shard] for array in held))",
    ),
    "a pair that is spread over the call": (
        "pair = (x, y)\nmodel.fit(*pair, epochs=3)",
        "pair = (x, y)\n"
        + SLICE.format("pair[0]")
        + "\nmodel.fit(*(array[shard] for array in pair), epochs=3)",
    ),
    "two fits on the same arrays share a slice": (
        "model.fit(x, y)\nmodel.fit(x, y)",
        SLICE.format("x") + "\nmodel.fit(x[shard], y[shard])\nmodel.fit(x[shard], y[shard])",
    ),
    "but not if the array became another": (
        "model.fit(x, y)\nx = x[:9]\nmodel.fit(x, y)",
        SLICE.format("x")
        + "\nmodel.fit(x[shard], y[shard])\nx = x[:9]\n"
        + SLICE.format("x")
        + "\nmodel.fit(x[shard], y[shard])",
    ),
    "a generator of images": (
        "images = ImageDataGenerator().flow(x, y, batch_size=9)\nmodel.fit(images)",
        SLICE.format("x")
        + "\nimages = ImageDataGenerator().flow(x[shard], y[shard], batch_size=9)\nmodel.fit(images)",
    ),
    "parameters that are arrays in every call": (
        "def train(a, b):\n    model.fit(a, b)\n\n\ntrain(x, y)",
        "def train(a, b):\n    "
        + SLICE.format("a")
        + "\n    model.fit(a[shard], b[shard])\n\n\ntrain(x, y)",
    ),
    "in a loop over folds": (
        "for held in range(3):\n\tmodel.fit(x[held:], y[held:])",
        "for held in range(3):\n\t"
        + SLICE.format("x[held:]")
        + "\n\tmodel.fit(x[held:][shard], y[held:][shard])",
    ),
    "a one-line suite": (
        "if True: model.fit(x, y)",
        "if True:\n    " + SLICE.format("x") + "\n    model.fit(x[shard], y[shard])",
    ),
}


@pytest.mark.parametrize(("before", "after"), ARRAYS.values(), ids=list(ARRAYS))
def test_arrays_are_cut_alike(before: str, after: str) -> None:
    assert shared(before) == after + "\n"


COUNTED = """\
ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .take(len(x) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
"""
WHY = "# whole groups only, one element a worker: all take the same number of steps\n"
GROUPED = """\
    .batch(hvd.size(), drop_remainder=True)
    .unbatch()
    .shard(hvd.size(), hvd.rank())
"""
PIPELINES = {
    "in one line": (
        "ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(9).batch(3)\nmodel.fit(ds)",
        COUNTED + "    .shuffle(9)\n    .batch(3)\n)\nmodel.fit(ds)",
    ),
    "line by line": (
        """
        ds = tf.data.Dataset.from_tensor_slices((x, y))
        ds = ds.shuffle(9)
        ds = ds.batch(3)
        model.fit(ds)
        """,
        COUNTED + ")\nds = ds.shuffle(9)\nds = ds.batch(3)\nmodel.fit(ds)",
    ),
    "in a chain that has its own layout": (
        """
        ds = (
            tf.data.Dataset.from_tensor_slices((x, y))  # everything
            .shuffle(9)
            .batch(3)
        )
        model.fit(ds)
        """,
        """\
ds = (
    tf.data.Dataset.from_tensor_slices((x, y))  # everything
    .take(len(x) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .shuffle(9)
    .batch(3)
)
model.fit(ds)""",
    ),
    "an unknown number of records": (
        'ds = tf.data.TFRecordDataset("a").map(abs).batch(3)\nmodel.fit(ds)',
        WHY
        + 'ds = (\n    tf.data.TFRecordDataset("a")\n'
        + GROUPED
        + "    .map(abs)\n    .batch(3)\n)\nmodel.fit(ds)",
    ),
    "behind a filter": (
        'ds = tf.data.TextLineDataset("a").filter(len).shuffle(9).batch(3)\nmodel.fit(ds)',
        WHY
        + 'ds = (\n    tf.data.TextLineDataset("a")\n    .filter(len)\n'
        + GROUPED
        + "    .shuffle(9)\n    .batch(3)\n)\nmodel.fit(ds)",
    ),
    "sentences are made before they are shared": (
        "ds = tf.data.Dataset.from_tensor_slices(x).batch(11).map(abs).shuffle(9).batch(3)\n"
        "model.fit(ds)",
        """\
examples = tf.data.Dataset.from_tensor_slices(x).batch(11)
ds = (
    examples.take(len(examples) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .map(abs)
    .shuffle(9)
    .batch(3)
)
model.fit(ds)""",
    ),
    "without end": (
        "ds = tf.data.Dataset.range(9).repeat().batch(3)\nmodel.fit(ds, steps_per_epoch=2)",
        "ds = tf.data.Dataset.range(9).shard(hvd.size(), hvd.rank()).repeat().batch(3)\n"
        "model.fit(ds, steps_per_epoch=2)",
    ),
    "behind the split": (
        """
        every = tf.data.Dataset.range(9)
        test = every.take(3).batch(3)
        train = every.skip(3).batch(3)
        model.fit(train)
        model.evaluate(test)
        """,
        """\
every = tf.data.Dataset.range(9)
test = every.take(3).batch(3)
examples = every.skip(3)
train = (
    examples.take(len(examples) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .batch(3)
)
model.fit(train)
model.evaluate(test)""",
    ),
    "what a vocabulary is made of stays whole": (
        """
        raw = tf.data.Dataset.from_tensor_slices(x).batch(4)
        words = tf.keras.layers.TextVectorization()
        words.adapt(raw)
        train = raw.map(words)
        model.fit(train)
        """,
        """\
raw = tf.data.Dataset.from_tensor_slices(x).batch(4)
words = tf.keras.layers.TextVectorization()
words.adapt(raw)
# whole groups only, one element a worker: all take the same number of steps
train = (
    raw.unbatch()
    .batch(hvd.size(), drop_remainder=True)
    .unbatch()
    .shard(hvd.size(), hvd.rank())
    .batch(4)
    .map(words)
)
model.fit(train)""",
    ),
    "whole batches of a directory": (
        """
        ds = tf.keras.utils.image_dataset_from_directory("a", seed=1)
        ds = ds.prefetch(1)
        model.fit(ds)
        """,
        """\
ds = tf.keras.utils.image_dataset_from_directory("a", seed=1)
# whole groups only, one element a worker: all take the same number of steps
ds = (
    ds.unbatch()
    .batch(hvd.size(), drop_remainder=True)
    .unbatch()
    .shard(hvd.size(), hvd.rank())
    .batch(32)
    .prefetch(1)
)
model.fit(ds)""",
    ),
}


@pytest.mark.parametrize(("before", "after"), PIPELINES.values(), ids=list(PIPELINES))
def test_pipelines_are_cut_before_they_are_mixed(before: str, after: str) -> None:
    assert shared(before) == after + "\n"


def test_a_branch_that_changes_the_length_counts() -> None:
    text = """
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if x is y:
        ds = ds.take(100)
    ds = ds.shuffle(9).batch(3)
    model.fit(ds)
    """
    found = shared(text)
    assert found.count(".shard(hvd.size(), hvd.rank())") == 1
    assert "ds.take(100)" in found
    assert "take(len(ds) // hvd.size() * hvd.size())" in found  # as long as it is by then


def test_a_branch_that_shuffles_first_leaves_it_whole() -> None:
    text = """
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if x is y:
        ds = ds.shuffle(100)
    model.fit(ds.filter(bool).batch(3))
    """
    assert "shard" not in shared(text)


WHOLE = {
    "a generator": "def batches():\n    yield x, y\n\n\nmodel.fit(batches(), steps_per_epoch=9)",
    "something of another module": "from data import train\n\nmodel.fit(train)",
    "shuffled differently on every worker": (
        'for n in range(2):\n    ds = tf.data.Dataset.list_files("*").map(abs).batch(3)\n'
        "    model.fit(ds)"
    ),
    "a directory without a seed": (
        'for n in range(2):\n    ds = tf.keras.utils.image_dataset_from_directory("a")\n'
        "    model.fit(ds)"
    ),
    "filtered after it was shuffled": (
        "ds = tf.data.Dataset.range(9).shuffle(9).filter(bool).batch(3)\nmodel.fit(ds)"
    ),
    "state from batch to batch": (
        "model.add(tf.keras.layers.LSTM(3, stateful=True))\nmodel.fit(x, y)"
    ),
    "batches of one size": (
        "model.add(tf.keras.layers.Dense(3, batch_input_shape=(9, 2)))\nmodel.fit(x, y)"
    ),
    "predicted too": (
        "ds = tf.data.Dataset.range(9).shuffle(9).batch(3)\nmodel.fit(ds)\nmodel.predict(ds)"
    ),
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=list(WHOLE))
def test_what_cannot_be_shared_evenly_stays_whole_with_a_note(text: str) -> None:
    found = outcome(text)
    assert found.after == found.before or "D107" not in [step.code for step in found.steps]
    assert "D107" in [note.code for note in found.notes]


SPLIT = """
ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(90, {})
train = ds.take(80).shuffle(80).batch(8)
model.fit(train)
model.evaluate(ds.skip(80).batch(8))
"""


@pytest.mark.parametrize(
    "order",
    [
        "seed=3, reshuffle_each_iteration=False",
        "3, False",
        "reshuffle_each_iteration=False, seed=n",
    ],
)
def test_what_was_shuffled_once_for_all_workers_is_shared_out_behind_that(order: str) -> None:
    folded = "".join(shared(SPLIT.format(order)).split())
    share = ".take(len(examples)//hvd.size()*hvd.size()).shard(hvd.size(),hvd.rank())"
    assert f"examples=ds.take(80)train=(examples{share}.shuffle(80).batch(8)" in folded
    assert "model.evaluate(ds.skip(80).batch(8)" in folded


@pytest.mark.parametrize(
    ("order", "fix"),
    [
        ("reshuffle_each_iteration=False", "give it a seed"),
        ("seed=3", "shard it by hand"),
        ("seed=3, reshuffle_each_iteration=n", "shard it by hand"),
        ("seed=3, reshuffle_each_iteration=True", "shard it by hand"),
    ],
)
def test_what_is_shuffled_again_or_by_each_worker_stays_whole(order: str, fix: str) -> None:
    found = outcome(SPLIT.format(order))
    assert "shard" not in found.after.partition("# head")[2]
    (told,) = [note for note in found.notes if note.code == "D107"]
    assert told.fix.startswith(fix)


def test_the_advice_for_data_of_an_unknown_kind_takes_a_part_of_it_by_its_name() -> None:
    fixes = {n.fix for n in outcome("model.fit(given, b)\n").notes if n.code == "D107"}
    assert fixes == {
        "train on `given[hvd.rank()::hvd.size()]` if it is an array, on `given.shard(hvd.size(), "
        "hvd.rank())` if it is a dataset, with the same number of batches on every worker"
    }


@pytest.mark.parametrize("seed", ["seed=3", ""])
def test_who_trains_on_all_of_it_is_told_whether_the_batches_are_the_same(seed: str) -> None:
    text = f"ds = tf.data.Dataset.range(9).shuffle(9, {seed}).batch(3)\nmodel.fit(ds)\n"
    notes = outcome(text + "tf.keras.layers.LSTM(1, stateful=True)").notes
    (told,) = [note for note in notes if note.code == "D107"]
    assert ("they take the same batches" in told.message) is bool(seed)


UNTOUCHED = {
    "only evaluated": "model.fit(0)\nmodel.evaluate(x, y)",
    "a dataset that is only looked at": (
        "for a in tf.data.Dataset.range(9):\n    print(a)\nmodel.fit(0)"
    ),
    "the fit of something else": "from sklearn import svm\n\nsvm.SVC().fit(x, y)\nmodel.fit(0)",
}


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=list(UNTOUCHED))
def test_what_does_not_train_is_left_alone(text: str) -> None:
    assert "D107" not in [step.code for step in outcome(text).steps]


def test_validation_data_that_is_evaluated_too_stays_whole_without_a_note() -> None:
    text = "held = tf.data.Dataset.range(9).batch(3)\nmodel.fit(x, y, validation_data=held)\n"
    found = outcome(text + "model.evaluate(held)")
    assert "held = tf.data.Dataset.range(9).batch(3)\n" in found.after
    assert "D107" not in [note.code for note in found.notes]


def test_it_can_be_turned_off() -> None:
    found = outcome("model.fit(x, y)", shard=False)
    assert found.after.endswith("# head\nmodel.fit(x, y)\n")
    assert "D107" not in [note.code for note in found.notes]


ROUNDS = {
    "plain": "for batch in ds:",
    "numbered": "for step, batch in enumerate(ds):",
    "with a bar": "for batch in tqdm(ds, total=5):",
    "with a bar that has a name": "bar = tqdm(ds)\nfor batch in bar:",
}


@pytest.mark.parametrize("rounds", ROUNDS.values(), ids=list(ROUNDS))
def test_a_hand_written_loop_gets_its_share(rounds: str) -> None:
    text = textwrap.dedent(
        """
        from tqdm import tqdm
        import tensorflow as tf

        w = tf.Variable(1.0)
        opt = tf.keras.optimizers.SGD(0.1)
        ds = tf.data.Dataset.range(10).batch(2)
        ROUNDS
            with tf.GradientTape() as tape:
                loss = w * tf.reduce_sum(tf.cast(batch, tf.float32))
            opt.apply_gradients([(tape.gradient(loss, w), w)])
        """
    ).replace("ROUNDS", rounds)
    found = migrate(text, Options(unsound=True, select=frozenset({"D107"})))
    assert ".take(10 // hvd.size() * hvd.size())" in found.after


LOOP = """\
import numpy as np
import tensorflow as tf

x, y = np.random.rand(99, 3), np.random.rand(99)
w = tf.Variable([1.0, 2.0, 3.0])
opt = tf.keras.optimizers.SGD(0.1)


def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(a * w) - tf.reduce_sum(b)
    opt.apply_gradients([(tape.gradient(loss, w), w)])


# head
"""
CUT = SLICE.format("x") + "\nx, y = x[shard], y[shard]\n"
EPOCHS = """\
for epoch in range(3):
    for i in range(0, len(x), 9):
        step(x[i : i + 9], y[i : i + 9])
"""
COUNT = """\
rounds = len(x) // 9
for i in range(rounds):
    step(x[i * 9 : (i + 1) * 9], y[i * 9 : (i + 1) * 9])
"""
ENOUGH = 'assert hvd.size() == 1 or rounds, "a worker\'s share is less than a batch"\n'


@pytest.mark.parametrize("text", [EPOCHS, COUNT])
def test_arrays_are_cut_before_the_loop_that_takes_slices_of_them(text: str) -> None:
    found = migrate(LOOP + text, Options(unsound=True, select=frozenset({"D107"})))
    cut = text.replace("// 9\n", f"// 9\n{ENOUGH}")  # of whole batches there may be none
    assert found.after.partition("# head\n")[2] == CUT + cut
    assert "D107" not in [note.code for note in found.notes]


LOOPS_LEFT = {
    "read by a lambda": "show = lambda: x.mean()\n" + EPOCHS + "show()\n",
    "cut by a function": "def crop():\n    global x\n    x = x[:3]\n\n\n"
    + EPOCHS.replace("    for", "    crop()\n    for"),
    "read afterwards": EPOCHS + "print(x.mean())\n",
    "read by a function": "def show():\n    return x\n\n\n" + EPOCHS,
    "shuffled in the loop": EPOCHS.replace("    for", "    x = x[::-1]\n    for"),
    "rounds that don't follow the length": EPOCHS.replace("len(x)", "90"),
    "picked elsewhere": "for n in range(9):\n    i = other(n)\n    step(x[i], y[i])\n",
}


@pytest.mark.parametrize("text", LOOPS_LEFT.values(), ids=list(LOOPS_LEFT))
def test_other_loops_are_dealt_out_or_keep_all_of_the_data_with_a_note(text: str) -> None:
    found = migrate(LOOP + text, Options(unsound=True, select=frozenset({"D107"})))
    dealt = re.sub(r"(for i in )(range\(.*\)):", r"\1share(\2):", text)
    assert found.after.partition("# head\n")[2] == dealt
    assert ("D107" in [note.code for note in found.notes]) is (dealt == text)


@pytest.mark.parametrize(
    "loop",
    ["for a in ds.take(2):\n    b = f(a)\n", "for a in ds:\n    print(a)\n    break\n"],
    ids=["a few", "the first"],
)
def test_a_glance_does_not_keep_the_data_whole(loop: str) -> None:
    text = f"ds = tf.data.Dataset.range(9).shuffle(9)\n{loop}model.fit(ds)"
    assert "D107" in [step.code for step in outcome(text).steps]
    longer = text.replace("take(2)", "take(200)").replace("    break\n", "")
    assert "D107" not in [step.code for step in outcome(longer).steps]


def test_a_comment_in_a_chain_leaves_the_ends_of_lines_alone() -> None:
    text = HEAD + "ds = (\n    tf.data.Dataset.range(9)  # all\n    .batch(2)\n)\nmodel.fit(ds)\n"
    after = migrate(text).after
    assert "range(9)  # all\n    .take(" in after
    assert migrate(text.replace("\n", "\r\n")).after == after.replace("\n", "\r\n")


BUCKETS = "bucket_by_sequence_length(length, [8], [16, 8])"


def test_batches_whose_number_hangs_on_the_examples_are_shared_out_behind_that() -> None:
    """Shares of the examples would fill another number of buckets on each worker."""
    source = "ds = tf.data.Dataset.from_generator(pairs, tf.int64)\n"
    after = outcome(f"{source}ds = ds.{BUCKETS}\nmodel.fit(ds)").after
    assert f"ds.{BUCKETS}.apply(" in after.replace("\n", "").replace("    ", "")
    assert after.count(".shard(") == 2  # of what is known to have a last one of the turn
    shuffled = outcome(f"{source}ds = ds.shuffle(9).{BUCKETS}\nmodel.fit(ds)")
    assert "D107" not in [step.code for step in shuffled.steps]


def test_a_check_by_buckets_stays_whole() -> None:
    made = "tf.data.Dataset.from_generator(pairs, tf.int64)"
    text = f"ds = tf.data.Dataset.range(64).batch(8)\ncheck = {made}.{{}}\n"
    text += "model.fit(ds, validation_data=check)"
    assert ".shard(" in outcome(text.format("map(abs).batch(8)")).after.partition("check = ")[2]
    assert f"check = {made}.{BUCKETS}\n" in outcome(text.format(BUCKETS)).after


def test_the_reason_stands_once_above_two_shares_of_a_statement() -> None:
    text = (
        "def parts():\n"
        "    # what there is\n"
        "    return tf.data.TFRecordDataset('a').batch(2), tf.data.TFRecordDataset('b').batch(2)\n"
        "\n\none, two = parts()\nmodel.fit(one)\nmodel.fit(two)\n"
    )
    made = outcome(text).after
    assert made.count("whole groups only") == 1
    assert "    # what there is\n    # whole groups only" in made


BEFORE_LOOPS = {
    "parts of what stays": "for n in range(3):\n    model.fit(x[picks], y[picks])\n    model.fit(x[picks], y[picks])",
    "a loop": "for n in range(3):\n    model.fit(x, y)",
    "a `try` in a loop": "while n:\n    try:\n        model.fit(x, y)\n    except OSError:\n        pass",
}
INSIDE = {
    "data of each round": "for x, y in parts:\n    x, y = np.array(x), np.array(y)\n    model.fit(x, y)",
    "data that is made in the `try`": "try:\n    x = np.load('a')\n    model.fit(x, x)\nfinally:\n    pass",
    "data that grows": "for n in range(3):\n    x.resize(n)\n    model.fit(x, y)",
    "what a condition decides": "if n:\n    model.fit(x, y)",
    "another slice of that name": "for n in range(3):\n    model.fit(x, y)\n    model.fit(z, z)",
    "parts of each round": "for n in range(3):\n    model.fit(x[n:], y[n:])",
    "a mask that grows": "for n in range(3):\n    picks[n] = 1\n    model.fit(x[picks], y[picks])",
}


@pytest.mark.parametrize("text", BEFORE_LOOPS.values(), ids=BEFORE_LOOPS)
def test_a_slice_stands_once_before_a_loop(text: str) -> None:
    lines = shared("n, z, picks = 2, np.ones(9), np.arange(9)\n" + text).splitlines()
    (at,) = [number for number, line in enumerate(lines) if "shard = slice" in line]
    assert lines[at].startswith("shard")
    assert lines[at + 1] == text.splitlines()[0]


@pytest.mark.parametrize("text", INSIDE.values(), ids=INSIDE)
def test_a_slice_stays_where_its_data_is_made(text: str) -> None:
    made = shared("n, z, parts, picks = 2, np.ones(9), [(x, y)], np.arange(9)\n" + text)
    assert "    shard = slice" in made
    assert "\nshard = slice" not in made
