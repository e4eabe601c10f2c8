"""A pipeline whose length chance decides is refused however its way to `fit` is spelled."""

from __future__ import annotations

import sys

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """import sys
import tensorflow as tf
flag = len(sys.argv)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
CHOSEN = "tf.data.Dataset.range(64).shuffle(64{}).take(32).filter(lambda e: e % 3 == 0).batch(4)"
FIT = "model.fit({})"
SPELLINGS = {
    "name": "ds = DATA\nuse(ds)",
    "tuple": "ds, other = DATA, 1\nuse(ds)",
    "list": "held = [DATA, 1]\nuse(held[0])",
    "self": "class T:\n    def __init__(self):\n        self.ds = DATA\n    def run(self):\n        use(self.ds)\nT().run()",
    "function": "def make():\n    return DATA\nuse(make())",
    "pair returned": "def make():\n    return DATA, 1\nds, n = make()\nuse(ds)",
    "if": "if flag:\n    ds = DATA\nelse:\n    ds = DATA\nuse(ds)",
    "walrus": "use(ds := DATA)",
    "default": "def run(ds=DATA):\n    use(ds)\nrun()",
    "dictionary": "d = {'a': DATA}\nuse(d['a'])",
    "append": "d = []\nd.append(DATA)\nuse(d[0])",
    "setitem": "d = {}\nd['a'] = DATA\nuse(d['a'])",
    "namespace": "import types\nn = types.SimpleNamespace(ds=DATA)\nuse(n.ds)",
    "class attribute": "class C:\n    ds = DATA\nuse(C.ds)",
    "or": "ds = None or DATA\nuse(ds)",
    "for": "for ds in [DATA]:\n    use(ds)",
    "lambda": "make = lambda: DATA\nuse(make())",
    "partial": "import functools\ndef make(n):\n    return DATA\nuse(functools.partial(make, 3)())",
    "try else": "try:\n    ds = DATA\nexcept ValueError:\n    raise\nelse:\n    use(ds)",
    "dict of dict": "d = {'a': {'b': DATA}}\nuse(d['a']['b'])",
    "dataclass": "import dataclasses\n@dataclasses.dataclass\nclass C:\n    ds: object\nc = C(DATA)\nuse(c.ds)",
    "property": "class C:\n    @property\n    def ds(self):\n        return DATA\nuse(C().ds)",
    "classmethod": "class C:\n    @classmethod\n    def make(cls):\n        return DATA\nuse(C.make())",
    "generator": "def gen():\n    yield DATA\nfor ds in gen():\n    use(ds)",
    "starred": "ds, *rest = [DATA, 1, 2]\nuse(ds)",
    "nonlocal": "def f():\n    ds = None\n    def g():\n        nonlocal ds\n        ds = DATA\n    g()\n    use(ds)\nf()",
    "with": "import contextlib\n@contextlib.contextmanager\ndef c():\n    yield DATA\nwith c() as ds:\n    use(ds)",
    "zip": "for ds, n in zip([DATA], [1]):\n    use(ds)",
    "enumerate": "for n, ds in enumerate([DATA]):\n    use(ds)",
    "finally": "ds = None\ntry:\n    ds = DATA\nfinally:\n    use(ds)",
    "next iter": "use(next(iter([DATA])))",
    "own dataset wrapper": "def prep(d):\n    return d.batch(4)\nuse(prep(DATA))",
    "decorated": "def deco(f):\n    return f\n@deco\ndef make():\n    return DATA\nuse(make())",
    "unknown": "from elsewhere import wrap\nuse(wrap(DATA))",
    "json": "use(pick(DATA, 3))",
}

if sys.version_info >= (3, 10):
    SPELLINGS["match"] = (
        "match flag:\n    case 1:\n        ds = DATA\n    case _:\n        ds = DATA\nuse(ds)"
    )


def trained(spelling: str, seed: str = "") -> Migration:
    """What becomes of a program that trains on such a pipeline."""
    body = spelling.replace("DATA", CHOSEN.format(seed)).replace("use(", "model.fit(")
    return migrate(HEAD + body + "\n")


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_what_chance_decides_is_refused(spelling: str) -> None:
    assert [finding.code for finding in trained(spelling).blocked] == ["K04"]


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_with_a_seed_all_workers_choose_alike(spelling: str) -> None:
    assert not trained(spelling, ", seed=1").blocked


OTHER = "from elsewhere import load\nseen = tf.data.Dataset.range(64){}\n{}\nmodel.fit(load())\n"


@pytest.mark.parametrize(
    "text",
    [
        "Data.filter(Data.take(Data.shuffle(ds, 64{}), 32), len)",
        "sift(ds.shuffle(64{}).take(32), len)",
    ],
)
def test_methods_that_the_class_is_asked_for_are_those_of_datasets(text: str) -> None:
    head = f"{HEAD}Data = tf.data.Dataset\nsift = Data.filter\nds = Data.range(64)\n"
    (found,) = migrate(f"{head}model.fit({text.format('')})\n").blocked
    assert (found.code, found.message.split()[0]) == ("K04", "`filter`")
    assert not migrate(f"{head}model.fit({text.format(', seed=1')})\n").blocked
    (note,) = migrate(f"{head}model.fit(Data.take(ds, 3))\n").notes
    assert note.code == "D107"


def test_pieces_of_a_pipeline_may_belong_together() -> None:
    text = OTHER.format(".shuffle(64)", "d = [seen.take(4)]\nmodel.fit(d[0].filter(bool))")
    assert [finding.code for finding in migrate(HEAD + text).blocked] == ["K04"]


@pytest.mark.parametrize(
    ("pipeline", "use"),
    [
        (".shuffle(64).take(4).filter(bool)", "for x in seen:\n    print(x)"),  # not to train
        (".shuffle(64).take(4)", "held = [seen]"),  # as many on every worker
        (".take(4).filter(bool)", "held = [seen]"),  # the same on every worker
        ("", "import random\nrandom.shuffle(flags)\nd = [seen.take(4)]\ne = d[0].filter(bool)"),
    ],
)
def test_data_that_is_unknown_is_only_named(pipeline: str, use: str) -> None:
    text = HEAD + OTHER.format(pipeline, use)
    migration = migrate(text)
    assert not migration.blocked
    assert "D107" in [note.code for note in migration.notes]  # which says the same: by hand, alike
    unshared = migrate(text, Options(shard=False))
    assert "K04" in [note.code for note in unshared.notes]


@pytest.mark.parametrize("data", ["tf.data.Dataset.range(64).batch(4)", "tf.ones([8, 2])"])
def test_data_that_is_followed_needs_no_word(data: str) -> None:
    assert "K04" not in [note.code for note in migrate(HEAD + FIT.format(data) + "\n").notes]
