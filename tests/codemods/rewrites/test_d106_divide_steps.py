"""Numbers of training steps are divided by the number of workers, each of them once."""

from __future__ import annotations

import re
import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import tensorflow as tf
from tensorflow.keras.optimizers import schedules

x = tf.ones((100, 3))
endless = tf.data.Dataset.from_tensor_slices((x, x)).repeat().batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("sgd", "mse")


def batches():
    yield x, x


# head
"""
DIVIDE = frozenset({"D106", "D107"})


def divided(snippet: str, select: frozenset[str] = DIVIDE) -> str:
    """What becomes of the snippet."""
    found = migrate(
        HEAD + textwrap.dedent(snippet).strip("\n ") + "\n", Options(unsound=True, select=select)
    )
    assert not found.blocked
    return found.after.partition("# head\n")[2].rstrip("\n")


CASES = {
    "by keyword": (
        "model.fit(endless, steps_per_epoch=50)",
        "model.fit(endless, steps_per_epoch=max(1, 50 // hvd.size()))",
    ),
    "by position": (
        "model.fit_generator(batches(), 50, 3)",
        "model.fit_generator(batches(), max(1, 50 // hvd.size()), 3)",
    ),
    "a sum": (
        "model.fit(endless, steps_per_epoch=50 + n)",
        "model.fit(endless, steps_per_epoch=max(1, (50 + n) // hvd.size()))",
    ),
    "a quotient": (
        "model.fit(endless, steps_per_epoch=len(x) // 4)",
        "model.fit(endless, steps_per_epoch=max(1, len(x) // 4 // hvd.size()))",
    ),
    "validation": (
        "model.fit(batches(), steps_per_epoch=9, validation_data=endless, validation_steps=7)",
        "model.fit(\n"
        "    batches(),\n"
        "    steps_per_epoch=max(1, 9 // hvd.size()),\n"
        "    validation_data=endless,\n"
        "    validation_steps=max(1, 7 // hvd.size()),\n)",
    ),
    "a schedule": (
        "schedules.ExponentialDecay(0.1, 50, 0.9)\nmodel.fit(endless, steps_per_epoch=5)",
        "schedules.ExponentialDecay(0.1, max(1, 50 // hvd.size()), 0.9)\n"
        "model.fit(endless, steps_per_epoch=max(1, 5 // hvd.size()))",
    ),
    "boundaries": (
        "schedules.PiecewiseConstantDecay([5, 9], [3, 2, 1])\nmodel.fit(endless, steps_per_epoch=5)",
        "schedules.PiecewiseConstantDecay([5 // hvd.size(), 9 // hvd.size()], [3, 2, 1])\n"
        "model.fit(endless, steps_per_epoch=max(1, 5 // hvd.size()))",
    ),
    "boundaries with a name": (
        "schedules.PiecewiseConstantDecay(some, [1])\nmodel.fit(endless, steps_per_epoch=5)",
        "schedules.PiecewiseConstantDecay([steps // hvd.size() for steps in some], [1])\n"
        "model.fit(endless, steps_per_epoch=max(1, 5 // hvd.size()))",
    ),
    "a schedule where only the data is shared out": (
        "schedules.CosineDecay(0.1, decay_steps=50)\nmodel.fit(x, x)",
        "schedules.CosineDecay(0.1, decay_steps=max(1, 50 // hvd.size()))\n"
        "shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())\n"
        "model.fit(x[shard], x[shard])",
    ),
    "batches taken behind the share": (
        "ds = tf.data.TFRecordDataset('a').shuffle(9).take(50).batch(2)\nmodel.fit(ds)",
        "# whole groups only, one element a worker: all take the same number of steps\n"
        "ds = (\n    tf.data.TFRecordDataset('a')\n"
        "    .batch(hvd.size(), drop_remainder=True)\n"
        "    .unbatch()\n"
        "    .shard(hvd.size(), hvd.rank())\n"
        "    .shuffle(9)\n"
        "    .take(max(1, 50 // hvd.size()))\n"
        "    .batch(2)\n)\nmodel.fit(ds)",
    ),
    "examples counted off before the share": (
        "ds = tf.data.TFRecordDataset('a').take(n).shuffle(9).batch(2)\nmodel.fit(ds)",
        "# whole groups only, one element a worker: all take the same number of steps\n"
        "ds = (\n    tf.data.TFRecordDataset('a')\n"
        "    .take(n)\n"
        "    .batch(hvd.size(), drop_remainder=True)\n"
        "    .unbatch()\n"
        "    .shard(hvd.size(), hvd.rank())\n"
        "    .shuffle(9)\n"
        "    .batch(2)\n)\nmodel.fit(ds)",
    ),
    "a finite share is repeated": (
        "ds = tf.data.Dataset.range(9).batch(2)\nmodel.fit(ds, steps_per_epoch=5)",
        "ds = (\n    tf.data.Dataset.range(9)\n"
        "    .take(9 // hvd.size() * hvd.size())\n"
        "    .shard(hvd.size(), hvd.rank())\n"
        "    .batch(2)\n)\n"
        "model.fit(ds.repeat(), steps_per_epoch=max(1, 5 // hvd.size()))",
    ),
    "in a dictionary": (
        "model.fit(endless, **{'steps_per_epoch': 5})",
        "model.fit(endless, **{'steps_per_epoch': max(1, 5 // hvd.size())})",
    ),
    "in a dictionary that is bound before": (
        "options = dict(epochs=2)\noptions['steps_per_epoch'] = 50\nmodel.fit(endless, **options)",
        "options = dict(epochs=2)\noptions['steps_per_epoch'] = max(1, 50 // hvd.size())\n"
        "model.fit(endless, **options)",
    ),
    "in one of several dictionaries": (
        "for kw in [dict(steps_per_epoch=5), {}]:\n    model.fit(endless, **kw)",
        "for kw in [dict(steps_per_epoch=max(1, 5 // hvd.size())), {}]:\n"
        "    model.fit(endless, **kw)",
    ),
    "passed on by a function": (
        "def train(**kw):\n    model.fit(endless, **kw)\n\n\ntrain(steps_per_epoch=5)",
        "def train(**kw):\n    model.fit(endless, **kw)\n\n\n"
        "train(steps_per_epoch=max(1, 5 // hvd.size()))",
    ),
    "a share is repeated where a dictionary certainly gives the steps": (
        "ds = tf.data.Dataset.range(9).batch(2)\nmodel.fit(ds, **dict(steps_per_epoch=5))",
        "ds = (\n    tf.data.Dataset.range(9)\n"
        "    .take(9 // hvd.size() * hvd.size())\n"
        "    .shard(hvd.size(), hvd.rank())\n"
        "    .batch(2)\n)\n"
        "model.fit(ds.repeat(), **dict(steps_per_epoch=max(1, 5 // hvd.size())))",
    ),
    "a share that may have no steps is not repeated": (
        "ds = tf.data.Dataset.range(9).batch(2)\n"
        "for kw in [{'steps_per_epoch': 5}, {}]:\n    model.fit(ds, **kw)",
        "ds = (\n    tf.data.Dataset.range(9)\n"
        "    .take(9 // hvd.size() * hvd.size())\n"
        "    .shard(hvd.size(), hvd.rank())\n"
        "    .batch(2)\n)\n"
        "for kw in [{'steps_per_epoch': max(1, 5 // hvd.size())}, {}]:\n    model.fit(ds, **kw)",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=list(CASES))
def test_steps_are_divided(before: str, after: str) -> None:
    assert divided(before) == after


UNTOUCHED = {
    "None": "model.fit(endless, steps_per_epoch=None)",
    "None by another name": (
        "def train(steps=None):\n    model.fit(endless, steps_per_epoch=steps)\n\n\ntrain()"
    ),
    "None for a finite dataset": (
        "model.fit(tf.data.Dataset.range(9).batch(2), steps_per_epoch=None)"
    ),
    "a single step": "model.fit(endless, steps_per_epoch=1)",
    "no step": "model.fit(endless, steps_per_epoch=0)",
    "all there are": "model.fit(endless.take(-1))",
    "None in a dictionary": "model.fit(endless, **dict(steps_per_epoch=None, epochs=50))",
    "a dictionary of something else": "o = dict(steps_per_epoch=5)\nmodel.fit(endless)\nlook(**o)",
    "epochs": "model.fit(batches(), epochs=50, initial_epoch=3)",
    "validation data of a generator: its beginning is not all of it": (
        "model.fit(batches(), validation_data=batches(), validation_steps=7)"
    ),
    "another library": "from sklearn import svm\n\nsvm.SVC().fit(x, x, steps_per_epoch=5)\nmodel.fit(0)",
    "counted off before the share": (
        "ds = tf.data.TFRecordDataset('a').take(50).batch(2)\nmodel.fit(ds)"
    ),
    "what is only looked at": "for a in endless.take(3):\n    print(a)\nmodel.fit(batches())",
    "a schedule while no epoch gets shorter": (
        "schedules.ExponentialDecay(0.1, 50, 0.9)\nmodel.fit(batches())"
    ),
    "a finite dataset that stays whole": (
        "for n in range(2):\n    ds = tf.data.Dataset.list_files('*').batch(2)\n"
        "    model.fit(ds, steps_per_epoch=5)"
    ),
}


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=list(UNTOUCHED))
def test_other_numbers_stay(text: str) -> None:
    found = divided(text)
    assert not re.search(r"steps\w*=[^,]*// hvd.size\(\)", found)
    assert ".repeat()" not in found


def test_without_shares_only_steps_are_divided() -> None:
    text = "ds = tf.data.Dataset.range(9).take(4)\nmodel.fit(ds, steps_per_epoch=5)"
    assert divided(text, frozenset({"D106"})) == text


def test_the_rounds_of_a_loop_that_draws_from_a_dataset() -> None:
    text = """\
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
batches = iter(tf.data.Dataset.range(9).repeat().batch(2))
for step in range(100):
    batch = next(batches)
    with tf.GradientTape() as tape:
        loss = w * tf.reduce_sum(tf.cast(batch, tf.float32))
    opt.apply_gradients([(tape.gradient(loss, w), w)])
"""
    found = migrate(text, Options(unsound=True, select=DIVIDE)).after
    assert "for step in range(max(1, 100 // hvd.size())):" in found
    assert "Dataset.range(9).shard(hvd.size(), hvd.rank()).repeat()" in found
    finite = migrate(text.replace(".repeat()", ""), Options(unsound=True, select=DIVIDE)).after
    assert "for step in range(max(1, 100 // hvd.size())):" in finite
    assert ".shard(" in finite  # so many batches as it asks for there are, or it fails as it did
    filtered = text.replace(".repeat()", ".filter(lambda x: x > 3)")
    found = migrate(filtered, Options(unsound=True, select=DIVIDE)).after
    assert "for step in range(max(1, 100 // hvd.size())):" in found
    assert found.index(".filter(") < found.index(".shard(")  # who fits is known behind it alone


def test_a_critic_keeps_its_steps_for_each_one_of_the_generator() -> None:
    text = """import tensorflow as tf

w, v = tf.Variable(1.0), tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
batches = iter(tf.data.Dataset.range(9).repeat().batch(2))
for step in range(100):
    for _ in range(5):
        batch = tf.cast(next(batches), tf.float32)
        with tf.GradientTape() as tape:
            loss = w * tf.reduce_sum(batch)
        opt.apply_gradients([(tape.gradient(loss, w), w)])
    with tf.GradientTape() as tape:
        loss = v * w
    opt.apply_gradients([(tape.gradient(loss, v), v)])
"""
    found = migrate(text, Options(unsound=True, select=DIVIDE)).after
    assert "for step in range(max(1, 100 // hvd.size())):" in found
    assert "for _ in range(5):" in found


def test_a_batch_that_is_only_shown_does_not_keep_the_data_whole() -> None:
    text = """import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
ds = tf.data.Dataset.range(9).batch(2)
shown = iter(ds)
print(next(shown).shape)
for batch in ds:
    with tf.GradientTape() as tape:
        loss = w * tf.reduce_sum(tf.cast(batch, tf.float32))
    opt.apply_gradients([(tape.gradient(loss, w), w)])
"""
    assert (
        ".shard(hvd.size(), hvd.rank())"
        in migrate(text, Options(unsound=True, select=DIVIDE)).after
    )
    drawn = text.replace("print(next", "for _ in range(3):\n    print(next")
    assert (
        "ds = tf.data.Dataset.range(9).batch(2)\n"
        in migrate(drawn, Options(unsound=True, select=DIVIDE)).after
    )


def test_a_length_that_shrinks_by_itself_is_not_divided_again() -> None:
    text = """
    ds = tf.data.TFRecordDataset("a").batch(2)
    steps = len(ds) * 3
    rate = schedules.CosineDecay(0.1, decay_steps=steps)
    model.fit(ds)
    """
    assert "decay_steps=steps)" in divided(text)


def test_a_loop_over_a_method_that_is_compiled_under_a_name_trains() -> None:
    text = """\
import tensorflow as tf


class Solver:
    def __init__(self):
        self.w = tf.Variable(1.0)
        self.opt = tf.keras.optimizers.SGD(0.1)

    def _step(self, x):
        with tf.GradientTape() as tape:
            loss = self.w * tf.reduce_sum(x)
        self.opt.apply_gradients([(tape.gradient(loss, self.w), self.w)])

    def train(self, ds):
        step = tf.function(self._step)
        for x in ds:
            step(x)


Solver().train(tf.data.Dataset.from_tensor_slices(tf.ones([9, 1])).batch(2))
"""
    found = migrate(text, Options(unsound=True, select=DIVIDE))
    assert not found.blocked
    assert ".shard(hvd.size(), hvd.rank())" in found.after


def test_a_comment_before_a_closing_bracket_stays_when_the_line_is_broken() -> None:
    before = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 4)), np.ones((64, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(
    learning_rate=tf.keras.optimizers.schedules.PolynomialDecay(0.1, 100, 0.01)  # slow
)
model.compile(opt, "mse")
model.fit(x, y)
"""
    after = migrate(before).after
    assert "100 // hvd.size()" in after
    assert "    )  # slow\n)\nopt = hvd" in after


KEPT_COUNT = """\
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.CosineDecay(0.1, 500))
ds = tf.data.Dataset.from_tensor_slices(tf.ones([9])).repeat().batch(2)
for step, x in enumerate(ds):
    with tf.GradientTape() as tape:
        loss = w * tf.reduce_sum(x)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
    if step >= 500:
        break
"""


def test_where_one_count_is_divided_the_schedule_is_too() -> None:
    step = KEPT_COUNT[KEPT_COUNT.index("    with") : KEPT_COUNT.index("    if")]
    more = f"more = iter(ds)\nfor _ in range(30):\n    x = next(more)\n{step}"
    found = migrate(KEPT_COUNT + more)
    assert "500 // hvd.size())" in found.after
    assert "range(max(1, 30 // hvd.size()))" in found.after
    assert not found.notes


def test_a_schedule_ends_with_the_loop_whose_count_is_not_divided() -> None:
    done = "def done(step):\n    return step > 500\n"
    text = KEPT_COUNT.replace("step >= 500", "done(step)")
    found = migrate(text.replace("w =", done + "w ="))
    assert "CosineDecay(0.1 * hvd.size(), 500)" in found.after
    assert [(note.code, note.line) for note in found.notes] == [("D106", 8)]


LEFT = {
    "endless data": {},
    "a generator's": {
        "from_tensor_slices(tf.ones([9])).repeat()": "from_generator(lambda: iter(range(9)), tf.int32)"
    },
    "data that ends": {".repeat()": ""},
    "by return": {
        "for step": "def train():\n  for step",
        "\n    ": "\n      ",
        "break\n": "return\ntrain()\n",
    },
    "by a name": {"if step >= 500": "n = 500\n    if step >= n"},
    "behind a bar": {"enumerate(ds)": "enumerate(tqdm.tqdm(ds))", "w =": "import tqdm\nw ="},
    "a counter of its own": {
        "step, x in enumerate(ds)": "x in ds",
        "w =": "step = 0\nw =",
        "    with": "    step += 1\n    with",
    },
}


@pytest.mark.parametrize("changes", LEFT.values(), ids=LEFT)
def test_the_count_that_ends_a_loop_over_a_share_is_divided(changes: dict[str, str]) -> None:
    text = KEPT_COUNT
    for old, new in changes.items():
        text = text.replace(old, new)
    found = migrate(text)
    number = "n" if " n:" in text else "500"
    assert f"step >= max(1, {number} // hvd.size()):" in found.after
    assert "0.1 * hvd.size(), max(1, 500 // hvd.size())" in found.after
    assert not found.blocked
    assert not found.notes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("step >= 500", "step >= 1"),
        ("step >= 500", "step % 500 == 0"),
        ("ds = tf.data", "from mine import ds  # "),
        ("break", "print(500)"),
        ("step >= 500", "step == len(ds) - 1"),
    ],
)
def test_another_number_stays(old: str, new: str) -> None:
    """One step, a rhythm, what ends nothing, what is short by itself, data that stays whole."""
    assert "if step >= max" not in migrate(KEPT_COUNT.replace(old, new)).after


def test_a_total_beside_a_count_that_is_divided_is_that_of_a_share() -> None:
    shows = "    if step >= n:\n        break\n    print(f'{step}/{n}')\n"
    text = KEPT_COUNT.replace("    if step >= 500:\n        break\n", shows)
    after = migrate(text.replace("w =", "n = 500\nw =")).after
    assert "n = max(1, 500 // hvd.size())\n" in after
    assert "{step}/{n}" in after
    used = migrate(text.replace("w =", "n = 500\nprint(n)\nw =")).after
    assert "{step}/{max(1, n // hvd.size())}" in used


def test_the_last_batch_of_a_share_is_its_last_one() -> None:
    text = KEPT_COUNT.replace(".repeat()", "").replace("step >= 500", "step == len(ds) - 1")
    text = text.replace("break", "opt.learning_rate.assign(0.01)")
    found = migrate(text)
    assert not found.notes
    assert "ds = (\n    examples.take(len(examples) // hvd.size() * hvd.size())" in found.after
    assert "if step == len(ds) - 1:" in found.after
    named = text.replace("w =", "many = tf.ones([9])\nw =").replace("(tf.ones([9]))", "(many)")
    assert not migrate(named).notes


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("enumerate(ds)", "enumerate(ds.take(500))"),
        (".repeat()", ""),
        ("ds).repeat()", "ds)"),
    ],
)
def test_a_schedule_ends_with_a_loop_that_ends_sooner(text: str, other: str) -> None:
    found = migrate(KEPT_COUNT.replace(text, other).replace("(ds):", "(ds.take(500)):"))
    assert "500 // hvd.size())" in found.after
    assert not found.notes


DECAYING = """\
import tensorflow as tf
from mine import batches
from tensorflow.keras.optimizers.legacy import SGD

rate = 0.1
x, y = tf.ones((8, 2)), tf.ones((8, 1))
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
model = tf.keras.Sequential([])
model.compile(SGD(rate, {}), "mse")
model.fit({})
"""


@pytest.mark.parametrize("decay", ["decay=1e-4", "momentum=0.9, decay=rate / 5", "decay=rate"])
def test_what_each_step_takes_from_the_rate_is_multiplied(decay: str) -> None:
    after = migrate(DECAYING.format(decay, "train")).after
    assert f"SGD(rate * hvd.size(), {decay} * hvd.size())" in after


@pytest.mark.parametrize(
    ("decay", "data"),
    [
        ("decay=0.0", "train"),
        ("decay=None", "train"),
        ("decay=1 / len(train)", "train"),
        ("decay=1e-4", "batches()"),
    ],
)
def test_what_needs_no_other_decay_keeps_it(decay: str, data: str) -> None:
    after = migrate(DECAYING.format(decay, data)).after
    assert f"SGD(rate * hvd.size(), {decay})" in after


def test_the_decay_of_an_optimizer_of_ones_own_means_what_it_likes() -> None:
    own = "class Mine(SGD):\n    pass\n\n\nmodel = "
    text = DECAYING.replace("model = ", own, 1).replace("(SGD(", "(Mine(")
    assert "decay=1e-4)" in migrate(text.format("decay=1e-4", "train")).after


OWN = """\
import tensorflow as tf
from mine import batches


class Falling({}):
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, step):
        return 0.1 * (1.0 - step / self.steps)


x, y = tf.ones((8, 2)), tf.ones((8, 1))
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
model = tf.keras.Sequential([])
model.compile(tf.keras.optimizers.SGD(Falling({})), "mse")
model.fit({})
"""
SCHEDULE = "tf.keras.optimizers.schedules.LearningRateSchedule"


def test_a_schedule_of_ones_own_is_told_the_steps_of_all_workers() -> None:
    found = migrate(OWN.format(SCHEDULE, "400", "train"))
    assert "Falling(400)" in found.after
    assert "step = step * hvd.size()  # those of all workers" in found.after
    assert not found.notes


@pytest.mark.parametrize(("steps", "data"), [("3 * len(train)", "train"), ("400", "batches()")])
def test_a_schedule_of_ones_own_may_fit_as_it_is(steps: str, data: str) -> None:
    notes = migrate(OWN.format(SCHEDULE, steps, data)).notes
    assert "D106" not in [note.code for note in notes]


MEAN = """\
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
ds = iter(tf.data.Dataset.from_tensor_slices(tf.ones([9])).repeat().batch(2))
steps = 500
total = 0.0
for step in range(steps):
    with tf.GradientTape() as tape:
        loss = w * tf.reduce_sum(next(ds))
    opt.apply_gradients([(tape.gradient(loss, w), w)])
    total += loss
{}
"""


def test_a_mean_over_the_steps_of_one_device_is_noted() -> None:
    found = migrate(MEAN.format("m = (1 + total) / steps"))
    assert "range(max(1, steps // hvd.size()))" in found.after
    assert [(n.code, n.line) for n in found.notes if "mean" in n.message] == [("D106", 13)]


@pytest.mark.parametrize(
    "mean", ["print(total / steps)", "total /= steps", "m = 2.0 * total / steps"]
)
def test_a_mean_over_the_steps_of_its_loop_is_over_those_that_are_left(mean: str) -> None:
    found = migrate(MEAN.format(mean))
    assert "steps = max(1, " in found.after
    assert "range(steps)" in found.after
    used = migrate(MEAN.format(f"{mean}\nprint(steps)"))
    assert "range(max(1, steps // hvd.size()))" in used.after
    assert "/= max(1," in used.after or "total / max(1, steps // hvd.size())" in used.after
    assert not [note for note in (*found.notes, *used.notes) if "mean" in note.message]
    twice = migrate(MEAN.format(f"steps = 7\n{mean}"))  # it is another number by then
    assert "total / max(1, steps" not in twice.after


@pytest.mark.parametrize(
    "use",
    [
        "epochs = 5000 // steps",
        "print(steps / 2)",
        "def mean(steps):\n    return total / steps",
        "print(total / (step + 1))",
    ],
)
def test_what_is_no_mean_over_them_is_not(use: str) -> None:
    assert not [n for n in migrate(MEAN.format(use)).notes if "mean" in n.message]


@pytest.mark.parametrize("steps", ["7", "len(x) // 4", "n"])
@pytest.mark.parametrize(
    "snippet",
    [
        "model.fit(endless, steps_per_epoch={})",
        "model.fit(endless, steps_per_epoch=9000, validation_data=endless, validation_steps={})",
        "model.fit(endless.take({}))",
        "model.fit(endless, steps_per_epoch=9000)\nschedules.CosineDecay(0.1, {})",
        "max = 3\nmodel.fit(endless, steps_per_epoch={})",
    ],
)
def test_no_share_of_steps_is_none_on_however_many_workers(snippet: str, steps: str) -> None:
    found = divided(snippet.format(steps), frozenset({"D106"}))
    written = re.search(r"(max\(1, )?(7|len\(x\) // 4|n) // hvd\.size\(\)(?(1)\)| or 1)", found)
    assert written is not None
    assert ("or 1" in written[0]) is ("max = 3" in snippet)
    number = written[0].replace("hvd.size()", "workers")
    shares = [eval(number, {"workers": n, "x": range(28), "n": 7}) for n in range(1, 20)]
    assert shares == [*(7 // n for n in range(1, 8)), *[1] * 12]


@pytest.mark.parametrize(
    "text",
    [
        "model.fit(endless, steps_per_epoch=1000 // hvd.size())",
        "model.fit(endless, steps_per_epoch=5000 // hvd.size())",
    ],
)
def test_more_steps_than_anyone_has_workers_are_just_divided(text: str) -> None:
    assert divided(text.replace(" // hvd.size()", ""), frozenset({"D106"})) == text


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        (
            "int(model.optimizer.iterations) // n",
            "int(model.optimizer.iterations) // max(1, n // hvd.size())",
        ),
        (
            "int(model.optimizer.iterations / n)",
            "int(model.optimizer.iterations / max(1, n // hvd.size()))",
        ),
        (
            "model.optimizer.iterations.numpy() // 40",
            "model.optimizer.iterations.numpy() // max(1, 40 // hvd.size())",
        ),
    ],
)
def test_the_epoch_that_a_run_goes_on_with_is_reckoned_in_the_steps_of_the_job(
    given: str, becomes: str
) -> None:
    fit = "model.fit(endless, steps_per_epoch=n, initial_epoch={})"
    found = divided("n = int(x[0, 0])\nprint(n)\n" + fit.format(given))
    assert re.sub(r"\s+", "", becomes) in re.sub(r"\s+", "", found)


@pytest.mark.parametrize(
    "text",
    [
        "model.fit(tf.data.Dataset.range(9), initial_epoch=int(model.optimizer.iterations) // n)",
        "model.fit(endless, steps_per_epoch=3)\nprint(model.optimizer.iterations % n)",
        "model.fit(endless, steps_per_epoch=3)\nprint(n // model.optimizer.iterations)",
        "model.fit(endless, steps_per_epoch=3)\nprint(model.optimizer.iterations / 2.0)",
        "model.fit(endless, steps_per_epoch=3)\nprint(count.iterations // 1)",
        "model.fit(endless, steps_per_epoch=3)\nprint(rate(model.optimizer.iterations) / rate(0))",
    ],
)
def test_other_reckonings_with_the_number_of_steps_stay(text: str) -> None:
    select = frozenset({"D106"}) if "range" in text else DIVIDE
    last = text.splitlines()[-1].replace("steps_per_epoch=3", "")
    assert last in divided("n = int(x[0, 0])\n" + text, select)


STEPS = {
    "a percent": ('print("%d/%d" % (step, n))', 'print("%d/%d" % (step, max(1, n // hvd.size())))'),
    "a format": (
        'print("{:3}/{} {}".format(step + 1, n, x))',
        'print("{:3}/{} {}".format(step + 1, max(1, n // hvd.size()), x))',
    ),
    "named fields": (
        'print("{s} of {n}".format(s=step, n=n))',
        'print("{s} of {n}".format(s=step, n=max(1, n // hvd.size())))',
    ),
    "an f-string": (
        'print(f"{step}/{n:4d} {{n}} {x}")',
        'print(f"{step}/{max(1, n // hvd.size()):4d} {{n}} {x}")',
    ),
    "an attribute in it": (
        'print(f"{step + 1} / {args.n}")',
        'print(f"{step + 1} / {max(1, args.n // hvd.size())}")',
    ),
    "a quotient in it": (
        'print(f"{step}/{n//args.n:4d} {n // args.n + 1}")',
        'print(f"{step}/{max(1, n // args.n // hvd.size()):4d} {n // args.n + 1}")',
    ),
    "a sum in it": (
        'print(f"{step} of { n + 1 }")',
        'print(f"{step} of { max(1, (n + 1) // hvd.size()) }")',
    ),
    "a length in it": (
        'print(f"{step}/{len(args.n)}")',
        'print(f"{step}/{max(1, len(args.n) // hvd.size())}")',
    ),
    "arguments": (
        'print("step", step, "of", n, x)',
        'print("step", step, "of", max(1, n // hvd.size()), x)',
    ),
    "arguments of TensorFlow's": (
        'tf.print("step", step, "/", n)',
        'tf.print("step", step, "/", max(1, n // hvd.size()))',
    ),
    "a log": (
        'logging.info("step %d/%d", step, n)',
        'logging.info("step %d/%d", step, max(1, n // hvd.size()))',
    ),
    "no total": ('print("%d-%d" % (step, n))', 'print("%d-%d" % (step, n))'),
    "of something else": ('print(f"{epoch}/{n} {step}")', 'print(f"{epoch}/{n} {step}")'),
    "a share": (
        'print(f"{step}/{n // hvd.size()}")',
        'print(f"{step}/{n // hvd.size()}")',
    ),
}
LOOP = """\
for step in range(n):
    x, y = next(it)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) - y)
    opt.apply_gradients([(tape.gradient(loss, model.trainable_variables[0]), w)])
    {shown}
"""


def shown(text: str) -> str:
    """The last line of a loop that makes a worker's share of `n` steps, as it is written then."""
    found = migrate(_alone() + LOOP.format(shown=text), Options(unsound=True, select=DIVIDE))
    assert not found.blocked
    assert "range(max(1, n // hvd.size()))" in found.after
    return found.after.rstrip("\n").rpartition("\n")[2].strip()


def _alone() -> str:
    """The head without a `fit`, with an iterator and an optimizer."""
    head = HEAD.replace(
        "import tensorflow", "import logging\nimport horovod.tensorflow as hvd\nimport tensorflow"
    )
    lines = (
        "from tqdm import tqdm, trange",
        "opt = tf.keras.optimizers.SGD(0.1)",
        "w = model.trainable_variables[0]",
        "it = iter(endless)",
    )
    return head.replace('model.compile("sgd", "mse")', "\n".join(lines))


@pytest.mark.parametrize("name", STEPS)
def test_a_total_beside_a_counter_is_that_of_a_share(name: str) -> None:
    text, expected = STEPS[name]
    assert shown(text) == expected


BARS = {
    "around range": (
        "for step in tqdm(range(n), total=n):",
        "for step in tqdm(range(max(1, n // hvd.size())), total=max(1, n // hvd.size())):",
    ),
    "trange": ("for step in trange(n):", "for step in trange(max(1, n // hvd.size())):"),
    "from one": (
        "for step in trange(1, 61):",
        "for step in trange(1, max(1, 60 // hvd.size()) + 1):",
    ),
    "by its name": (
        "bar = tqdm(range(n))\nfor step in bar:",
        "bar = tqdm(range(max(1, n // hvd.size())))",
    ),
    "by its step": (
        "bar = tqdm(total=n)\nfor step in range(n):\n    bar.update(1)",
        "bar = tqdm(total=max(1, n // hvd.size()))",
    ),
    "of Keras": (
        "bar = tf.keras.utils.Progbar(n)\nfor step in range(n):\n    bar.add(1)",
        "bar = tf.keras.utils.Progbar(max(1, n // hvd.size()))",
    ),
    "of epochs": (
        "bar = tqdm(total=n)\nbar.update(1)\nfor step in range(n):",
        "bar = tqdm(total=n)",
    ),
    "of other things": ("for each in tqdm(files, total=n):\n    pass", ""),
}


@pytest.mark.parametrize("name", BARS)
def test_bars_show_the_steps_of_a_share(name: str) -> None:
    head, expected = BARS[name]
    inside = LOOP.partition("\n")[2].format(shown="pass")
    others = "for step in range(n):\n" if "files" in head else ""
    text = migrate(f"{_alone()}{head}\n{others}{inside}", Options(unsound=True, select=DIVIDE))
    assert not text.blocked
    found = text.after.partition("# head\n")[2].splitlines()
    assert (expected or "for each in tqdm(files, total=n):") in found


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ('print(f"{step}/100")', ["never gets to the total"]),
        ('print("%d of 1000" % step)', ["never gets to the total"]),
        ('print(f"{step}/{(n + 1)}")', ["never gets to the total"]),
        ('print("trained", n, "steps")', ["whose number is shown here"]),
        ('print(f"step {step} of epoch {epoch}/10")', []),
        ("print(n // hvd.size(), x[:n])", []),
        ('print(f"{step}/{n}")', []),
    ],
)
def test_what_stays_a_total_of_one_device_is_named(text: str, notes: list[str]) -> None:
    options = Options(unsound=True, select=DIVIDE)
    found = migrate(_alone() + LOOP.format(shown=text), options)
    told = [note.message for note in found.notes if "shown here" in note.message]
    assert [part for part in notes for each in told if part in each] == notes
    assert len(told) == len(notes)


@pytest.mark.parametrize("number", ["None", "0", "1", "-1"])
def test_a_number_of_steps_that_has_no_share_stays_also_by_name(number: str) -> None:
    line = f"n = {number}\nmodel.fit(endless, steps_per_epoch=n)"
    assert divided(line) == line
    assert "max(1, n // hvd.size())" in divided(line.replace(number, "8"))


SAVING = "tf.keras.callbacks.ModelCheckpoint('m.h5', save_freq={})"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("500", "max(1, 500 // hvd.size())"),
        ("5 * 100", "max(1, 5 * 100 // hvd.size())"),
        ("every", "max(1, every // hvd.size())"),
        ("5000", "5000 // hvd.size()"),
        ("'epoch'", "'epoch'"),
        ("when", "when"),
        ("unknown", "unknown"),
    ],
)
def test_a_checkpoint_is_written_after_a_share_of_the_batches(before: str, after: str) -> None:
    names = "from mine import unknown\nevery, when = 300, 'epoch'\n"
    text = divided(
        f"{names}model.fit(endless, steps_per_epoch=60, callbacks=[{SAVING.format(before)}])"
    )
    assert SAVING.format(after) in text.replace("\n", ""), text


def test_it_keeps_its_number_where_an_epoch_keeps_its_steps() -> None:
    text = f"model.fit(batches(), epochs=9, callbacks=[{SAVING.format(500)}])"
    assert SAVING.format(500) in divided(text)


def test_an_optimizer_that_warms_up_by_itself_counts_the_steps_of_a_share() -> None:
    made = "import tensorflow_addons as tfa\nopt = tfa.optimizers.RectifiedAdam(1e-3, total_steps={})\n"
    fit = "model.fit(endless, steps_per_epoch=9000)"
    assert "total_steps=9000 // hvd.size())" in divided(made.format(9000) + fit)
    assert "total_steps=0)" in divided(made.format(0) + fit)


PICKED = """\
import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)


def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


for n in range(200):
    pick = np.random.randint(0, len(x), 16)
    step(x[pick], y[pick])
"""


@pytest.mark.parametrize("seed", ["", "np.random.seed(0)\n"], ids=["own picks", "dealt picks"])
def test_rounds_on_picks_of_each_worker_are_shared_out(seed: str) -> None:
    text = PICKED.replace("x = np.load", f"{seed}x = np.load")
    assert "for n in range(max(1, 200 // hvd.size())):" in migrate(text).after
    whole = text.replace("x[pick], y[pick]", "x, y")
    assert "for n in range(200):" in migrate(whole, Options(unsound=True)).after
