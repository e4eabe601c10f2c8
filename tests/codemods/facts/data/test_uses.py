"""What a dataset is used for in the end."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.pipeline_shares import shares_of
from distify.codemods.facts.data.uses import Use

HEAD = """\
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow import keras
import tqdm.auto, tqdm.notebook

model = keras.Sequential([])
opt = keras.optimizers.SGD(0.1)


def step(x):
    opt.apply_gradients(zip(tape.gradient(x, v), v))


def look(x):
    pass


compiled = tf.function(step)
ds = tf.data.Dataset.range(9)
endless = ds.repeat()
"""
TRAINING, VALIDATION, LENGTH, PEEK, OTHER = (
    Use.TRAINING,
    Use.VALIDATION,
    Use.LENGTH,
    Use.PEEK,
    Use.OTHER,
)

USES = {
    "model.fit(ds)": TRAINING,
    "model.fit(x=ds)": TRAINING,
    "model.fit_generator(ds)": TRAINING,
    "model.fit(x, validation_data=ds)": VALIDATION,
    "model.fit(x, y, 1, 2, 3, c, 0.1, ds)": VALIDATION,
    "model.fit(x, sample_weight=ds)": OTHER,
    "for x in ds:\n    step(x)": TRAINING,
    "for x in ds:\n    compiled(x)": TRAINING,
    "for x in ds:\n    if x:\n        step(x)": TRAINING,
    "for x in ds:\n    look(x)": OTHER,
    "for x in ds:\n    x = x\n    break": PEEK,
    "for x in ds.take(1):\n    look(x)": PEEK,
    "for x in ds.take(10):\n    look(x)": PEEK,
    "for x in ds.take(11):\n    look(x)": OTHER,
    "for _ in ds:\n    pass": PEEK,
    "for _ in ds:\n    pass\nelse:\n    pass": PEEK,
    "n = 0\nfor _ in ds:\n    n += 1": OTHER,
    "for x in ds.take(n):\n    look(x)": OTHER,
    "for x in ds.skip(1):\n    look(x)": OTHER,
    "for x in ds.take(1):\n    step(x)": TRAINING,
    "for i, x in enumerate(ds):\n    step(x)": TRAINING,
    "for x, y in zip(ds, a):\n    step(x)": TRAINING,
    "for x in tqdm.auto.tqdm(ds):\n    step(x)": TRAINING,
    "for x in tqdm.notebook.tqdm(ds):\n    step(x)": TRAINING,
    "for x in tfds.as_numpy(ds):\n    step(x)": TRAINING,
    "for x in ds.as_numpy_iterator():\n    step(x)": TRAINING,
    "for x in ds.as_numpy_iterator():\n    look(x)": OTHER,
    "bar = enumerate(ds)\nfor i, x in bar:\n    step(x)": TRAINING,
    "bar = enumerate(ds)\nfor i, x in bar:\n    look(x)": OTHER,
    "with tqdm.auto.tqdm(ds) as bar:\n    for x in bar:\n        step(x)": TRAINING,
    "for x in sorted(ds):\n    step(x)": OTHER,
    "len(ds)": LENGTH,
    "n = len(ds)": LENGTH,
    "ds.cardinality()": LENGTH,
    "ds.__len__()": LENGTH,
    "tf.data.experimental.cardinality(ds)": LENGTH,
    "ds.cardinality": OTHER,
    **{f"print(ds.{name})": PEEK for name in ("element_spec", "class_names", "file_paths", "options")},
    "ds.__class__": PEEK,
    **{f"{name}(ds)": PEEK for name in ("print", "next", "type", "repr")},
    "isinstance(ds, object)": PEEK,
    "next(iter(ds))": PEEK,
    "ds": PEEK,
    "it = iter(ds)\nx = next(it)": PEEK,
    "it = iter(ds)\nx = next(it)\nlook(it)": PEEK,
    "it = iter(ds)\nx = next(it)\nelsewhere(it)": OTHER,
    "it = iter(ds)\nfor n in range(9):\n    step(next(it))": TRAINING,
    "it = iter(ds)\nfor n in range(9):\n    step(next(it))\nstep(next(it))": OTHER,
    "it = iter(ds)\nfor n in range(9):\n    step(next(it))\nfor n in range(2):\n    look(next(it))": OTHER,
    "it = iter(ds)\nwhile a:\n    step(next(it))": OTHER,
    "for e in range(3):\n    it = iter(ds)\n    for n in range(9):\n        look(next(it))\n    step(1)": OTHER,
    "it = iter(ds)\nfor n in range(9):\n    for m in range(4):\n        step(next(it))": OTHER,
    "for n in range(9):\n    it = iter(ds)\n    for m in range(4):\n        step(next(it))": TRAINING,
    "def f(given):\n    for m in range(4):\n        step(next(given))\n\n\nit = iter(ds)\nfor n in range(9):\n    f(it)": OTHER,
    "def f(given):\n    for m in range(4):\n        step(next(given))\n\n\nfor n in range(9):\n    f(iter(ds))": TRAINING,
    "def f(given):\n    for m in range(4):\n        step(next(given))\n\n\nf(iter(ds))": TRAINING,
    "def f(given):\n    step(next(given))\n\n\nit = iter(ds)\nfor n in range(9):\n    f(it)": TRAINING,
    "def f(given):\n    step(next(given))\n\n\nit = iter(ds)\nfor n in range(9):\n    f(given=it)": TRAINING,
    "def f(given):\n    step(next(given))\n\n\nit = iter(ds)\nf(it)": OTHER,
    "it = iter(endless)\nfor n in range(9):\n    step(next(it))": TRAINING,
    "it = iter(endless)\nwhile a:\n    step(next(it))": TRAINING,
    "it = iter(endless)\nfor n in range(9):\n    look(next(it))": OTHER,
    "it = iter(endless)\nfor n in range(9):\n    step(next(it, None))": OTHER,
    "it = iter(ds)\n\n\ndef f():\n    next(it)": OTHER,
    "look(ds)": None,
    "print(look(ds))": None,
    "other = ds": None,
    "other = ds.map(f)": None,
    "(other := ds)": None,
    "a, b = ds, 1": None,
    "[ds, 1]": OTHER,
    "f(ds)": OTHER,
    "a.b(ds)": OTHER,
    "ds.reduce(0, f)": OTHER,
    "ds + a": OTHER,
    "def f():\n    return ds": None,
    "list(ds)": OTHER,
    "model.evaluate(ds)": OTHER,
    "model.predict(ds)": OTHER,
}  # fmt: skip


@pytest.mark.parametrize("text", USES)
def test_what_a_dataset_is_for(text: str) -> None:
    facts = Facts.of(HEAD + text)
    ends = [end for end in shares_of(facts).uses.ends if end.expr.lineno > HEAD.count("\n")]
    expected = USES[text]
    assert {end.use for end in ends} == (set() if expected is None else {expected})


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("for n in range(9):\n    step(next(it))", ["9"]),
        ("for n in range(a, 9):\n    step(next(it))", []),
        ("for n in count():\n    step(next(it))", []),
        ("while a:\n    step(next(it))", []),
        ("for n in range(9):\n    step(1)\n    for m in range(5):\n        step(next(it))", ["9"]),
        ("for n in range(9):\n    look(1)\n    for m in range(5):\n        step(next(it))", ["5"]),
        ("def f():\n    step(next(it))\n\n\nfor n in range(9):\n    f()", ["9"]),
        ("def f(n):\n    for m in tf.range(n):\n        step(next(it))\n\n\nf(9)", ["n"]),
    ],
)
def test_the_rounds_of_a_loop_that_draws(text: str, rounds: list[str]) -> None:
    facts = Facts.of(HEAD + "it = iter(endless)\n" + text)
    assert [ast.unparse(n) for n in shares_of(facts).rounds()] == rounds


def test_a_module_without_a_dataset_has_no_ends() -> None:
    assert shares_of(Facts.of("import tensorflow as tf\nlen(ds)\n")).uses.ends == ()
