"""Data is shared out once however its way to `fit` is spelled, and never where all of it is needed."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Finding
from flows.spellings import EQUAL

HEAD = """import collections, contextlib, dataclasses, functools, sys, types, typing
import tensorflow as tf
x = sys.argv
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
DATA = "tf.data.Dataset.range(67).map(lambda e: (e, e)).batch(4)"
OTHER = "tf.data.Dataset.range(32).batch(4)"
SHARE = ".shard(hvd.size(), hvd.rank())"


def shared(text: str) -> tuple[int, str, list[Finding]]:
    """How often data is shared out, the program then, and what is said of data that is not."""
    migration = migrate(HEAD + text)
    assert not migration.blocked, text
    after = migration.steps[-1].text
    return (
        " ".join(after.split()).replace("( ", "(").replace(" )", ")").count(SHARE),
        after,
        [n for n in migration.notes if n.code in ("D107", "K04")],
    )


# Nobody looks for datasets among the results of operators and of functions that are handed over.
NAMED = {"own operator", "reduced", "reduced by functions"}


@pytest.mark.parametrize("spelling", sorted(EQUAL.keys() - NAMED))
def test_data_is_shared_out_however_it_gets_there(spelling: str) -> None:
    setup, use = EQUAL[spelling].text(DATA)
    shares, after, notes = shared(f"{setup}model.fit({use})\n")
    assert (shares, notes) == (1, []), after


STEPS = """
class Base:
    def __init__(self, opt):
        self.opt = opt

    def step(self, x):
        {}

    def run(self, data):
        for x in data:
            print(self.step(x))


class Trainer(Base):
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = model(x)
        gradients = tape.gradient(loss, model.trainable_variables)
        self.opt.apply_gradients(zip(gradients, model.trainable_variables))
        return loss


Trainer(tf.keras.optimizers.SGD(0.1)).run({})
"""


@pytest.mark.parametrize("body", ["raise NotImplementedError", "pass", "return x"])
def test_data_of_a_loop_is_shared_out_whose_step_stands_in_a_subclass(body: str) -> None:
    shares, after, notes = shared(STEPS.format(body, DATA))
    assert (shares, notes) == (1, []), after
    assert "result = self.step(x)\n            if hvd.rank() == 0:" in after


KEPT = {
    "name": "{v}\n",
    "list": "for d in [ds]:\n    model.evaluate(d)\n",
    "list given away": "held = [ds, 1]\nelsewhere(held)\n",
    "slice given away": "held = [ds, 1]\nelsewhere(held[0:])\n",
    "tuple given away": "elsewhere((ds, 1))\n",
    "options": "options = {{'x': ds}}\nmodel.evaluate(**options)\n",
    "attribute of something unknown": "elsewhere.ds = ds\n",
    "attribute of a model": "model.ds = ds\nmodel.evaluate(model.ds)\n",
    "partial": "elsewhere(functools.partial(print, ds))\n",
    "lambda": "elsewhere(lambda: ds)\n",
    "function": "def make():\n    return ds\nelsewhere(make)\n",
    "generator": "def make():\n    yield ds\nelsewhere(make)\n",
    "or unknown": "other = ds if x else elsewhere()\nmodel.evaluate(other)\n",
    "closure": "def outer(d):\n    def inner():\n        model.evaluate(d)\n    return inner\nouter(ds)()\n",
    "loop over a generator": "def gen(d):\n    yield d\nfor d in gen(ds):\n    model.evaluate(d)\n",
    "class with a base elsewhere": "class S(tf.keras.utils.Sequence):\n    pass\nS(ds)\n",
    "starred": "def ev(*d):\n    model.evaluate(*d)\nev(ds)\n",
    "keywords": "def ev(**d):\n    model.evaluate(**d)\nev(x=ds)\n",
}


@pytest.mark.parametrize("use", KEPT)
def test_what_needs_all_of_it_keeps_all_of_it(use: str) -> None:
    """The share is taken in the argument of `fit`, of which nothing else sees anything."""
    shares, after, _ = shared(f"ds = {DATA}\n" + KEPT[use].format(v="ds") + "model.fit(ds)\n")
    own = "model.fit(\n    ds.unbatch()\n    .batch(hvd.size(), drop_remainder=True)"
    bare = use == "name"  # a name by itself needs nothing
    assert shares == 1
    assert (own in after) is not bare, after


MANY = "if x:\n    e = e.map(len)\n" * 6
WHOLE = {
    "loop that changes it": f"e = ds = {DATA}\nfor i in x:\n    e = e.map(len)\nmodel.evaluate(e)\nmodel.fit(ds)\n",
    "more ways than anybody counts": f"e = ds = {DATA}\n{MANY}model.evaluate(e)\nmodel.fit(ds)\n",
    "operator of a class": f"class C:\n    def __or__(self, o):\n        return {DATA}\nmodel.fit(C() | 1)\n",
    "kept in a global variable": "def keep(d=None):\n    global g\n    if d is not None:\n        g = d\n"
    f"    return g\nmodel.fit(keep({DATA}))\nmodel.evaluate(keep())\n",
    "loop that feeds itself": f"ds = {DATA}\nfor i in range(3):\n    ds = ds.map(len)\nmodel.fit(ds)\n",
    "list that feeds itself": f"s = [{DATA}]\ns[0] = s[0].map(len)\nmodel.fit(s[0])\n",
    "more datasets than anybody counts": "s = ["
    + f"{OTHER}, " * 70
    + "]\nfor d in s:\n    model.evaluate(d)\n"
    f"elsewhere(s)\nds = {DATA}\nmodel.fit(ds)\n",
    "unknown": f"model.fit(elsewhere({DATA}))\n",
    "unknown beside it": f"model.fit({DATA} if x else elsewhere())\n",
    "number beside it": f"model.fit({DATA} if x else 3)\n",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_what_is_left_whole_is_named(text: str) -> None:
    shares, after, notes = shared(text)
    assert shares == 0, after
    assert "D107" in [note.code for note in notes]


BESIDE = {
    "no place of its own": f"def make():\n    return {DATA}\nmodel.fit(make())\nmodel.evaluate(make())\n",
    "property": f"class T:\n    @property\n    def ds(self):\n        return {DATA}\nt = T()\n"
    "model.fit(t.ds)\nmodel.evaluate(t.ds)\n",
}


@pytest.mark.parametrize("text", BESIDE.values(), ids=BESIDE)
def test_batches_are_shared_out_where_only_fit_gets_them(text: str) -> None:
    shares, after, notes = shared(text)
    assert (shares, notes) == (1, []), after
    assert SHARE not in after.partition("model.evaluate")[2]


ONCE = {
    "twice through a function": "def prep(d):\n    return d.map(lambda e: e)\n"
    "model.fit(prep(prep(tf.data.Dataset.range(67))).batch(4))\n",
    "under two names of one list": f"s = {{'a': {DATA}}}\ns['b'] = s['a']\nmodel.fit(s['b'])\nmodel.fit(s['a'])\n",
    "in a list twice": f"ds = {DATA}\nfor d in [ds, ds.map(lambda a, b: (a, b))]:\n    model.fit(d)\n",
    "trained and validated": f"ds = {DATA}\nmodel.fit(ds, validation_data=ds)\n",
    "two calls": f"def run(d={DATA}):\n    model.fit(d)\nrun()\nrun({OTHER})\n",
    "comprehension": "a = tf.data.Dataset.range(67)\nfor p in [a.skip(n).batch(4) for n in range(3)]:\n    model.fit(p)\n",
    "loop without an end": f"ds = {DATA}\nwhile x:\n    ds = ds\nmodel.fit(ds)\n",
}


@pytest.mark.parametrize("text", ONCE.values(), ids=ONCE)
def test_every_way_is_cut_once(text: str) -> None:
    shares, after, notes = shared(text)
    assert (shares, notes) == (1, []), after


TWO = {
    "two instances of a class": f"class L:\n    def __init__(self, d):\n        self.d = d\na, b = L({DATA}), L({OTHER})\n"
    "model.fit(a.d)\nmodel.evaluate(b.d)\n",
    "two calls of a function": f"def prep(d):\n    return d, 1\na, n = prep({DATA})\nb, n = prep({OTHER})\n"
    "model.fit(a)\nmodel.evaluate(b)\n",
    "two parts of a list": f"s = []\ns.append({DATA})\ns.append({OTHER})\nmodel.fit(s[0])\nmodel.evaluate(s[1])\n",
    "one of two kept": "def keep(d, new):\n    global g\n    if new:\n        g = d\n    return g\n"
    f"a = keep({DATA}, True)\nb = keep({OTHER}, False)\nmodel.fit(b)\nmodel.evaluate(a)\n",
}


@pytest.mark.parametrize("text", TWO.values(), ids=TWO)
def test_the_other_dataset_stays_whole(text: str) -> None:
    """Nobody may cut what `evaluate` may see."""
    shares, after, _ = shared(text)
    before, _, behind = after.partition("model.evaluate")
    assert shares == 1
    assert SHARE not in behind
    assert OTHER in before


def test_batches_of_a_folder_of_images_stay_whole_in_validation() -> None:
    """Most workers would have none of a few batches."""
    images = "tf.keras.utils.image_dataset_from_directory"
    text = f"train = {images}('a', seed=1)\nval = {images}('b', shuffle=False)\n"
    _, after, _ = shared(text + "model.fit(train, validation_data=val)\n")
    assert after.count(SHARE) == 1
    assert "validation_data=val," in after


def test_none_is_never_shared_out() -> None:
    _, after, _ = shared(
        f"val = None\nif x:\n    val = {DATA}\nmodel.fit({OTHER}, validation_data=val)\n"
    )
    assert after.count(SHARE) == 2
    assert "validation_data=val," in after
