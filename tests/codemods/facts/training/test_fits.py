"""Calls that train or test a compiled model, and what their arguments say."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.training import fits
from distify.codemods.facts.training.fits import are_means
from distify.codemods.migrate import migrate

# -- fits ----------------------------------------------------------------------------------------
# Which calls train or test a Keras model, and where their arguments stand.

HEAD = "import tensorflow as tf\nfrom tensorflow import keras\nmodel = keras.Sequential([])\n"

SIGNATURES = {
    "fit": "x y batch_size epochs verbose callbacks validation_split validation_data shuffle"
    " class_weight sample_weight initial_epoch steps_per_epoch validation_steps"
    " validation_batch_size validation_freq",
    "fit_generator": "generator steps_per_epoch epochs verbose callbacks validation_data"
    " validation_steps validation_freq class_weight",
    "evaluate": "x y batch_size verbose sample_weight steps callbacks",
    "evaluate_generator": "generator steps callbacks",
    "predict": "x batch_size verbose steps callbacks",
    "predict_generator": "generator steps callbacks",
}


def call(text: str) -> tuple[Facts, ast.Call]:
    """The facts of a text and the call in its last line."""
    facts = Facts.of(HEAD + text)
    found = facts.module.body[-1].value  # type: ignore[attr-defined]
    assert isinstance(found, ast.Call)
    return facts, found


@pytest.mark.parametrize("method", SIGNATURES)
def test_arguments_by_position(method: str) -> None:
    names = SIGNATURES[method].split()
    facts, found = call(f"model.{method}({', '.join(f'a{n}' for n in range(len(names)))})")
    for number, name in enumerate(names):
        assert ast.unparse(fits.argument(facts, found, name) or found) == f"a{number}"
    assert fits.argument(facts, found, "whatever") is None
    assert ast.unparse(fits.data(facts, found) or found) == "a0"


@pytest.mark.parametrize("method", SIGNATURES)
def test_calls_of_a_model_are_known_by_their_names(method: str) -> None:
    facts, found = call(f"model.{method}(a)")
    is_fit = method in ("fit", "fit_generator")
    assert list(fits.fits(facts)) == ([found] if is_fit else [])
    assert list(fits.tests(facts)) == ([] if is_fit else [found])


@pytest.mark.parametrize(
    "text",
    [
        "thing.fit(a)",
        "thing.predict(a)",
        "fit(a)",
        "model.train_on_batch(a)",
        "class M(keras.Model):\n    def predict(self, a):\n        pass\n\n\nM().predict(a)",
    ],
)
def test_other_calls_are_not_taken_for_them(text: str) -> None:
    facts, _ = call(text)
    assert list(fits.fits(facts)) == []
    assert list(fits.tests(facts)) == []


@pytest.mark.parametrize(
    ("text", "loud"),
    [
        ("model.fit(a)", True),
        ("model.fit_generator(a)", True),
        ("model.evaluate(a)", True),
        ("model.predict(a)", True),
        ("model.evaluate_generator(a)", False),
        ("model.predict_generator(a)", False),
        ("model.predict_generator(a, verbose=1)", True),
        ("model.fit(a, verbose=2)", True),
        ("model.fit(a, verbose=v)", True),
        ("model.fit(a, verbose=0)", False),
        ("model.fit(a, verbose=False)", False),
        ("model.fit(a, b, 32, 3, 0)", False),
        ("model.fit(a, **options)", False),
        ("model.fit(*a)", False),
    ],
)
def test_whether_a_progress_bar_may_be_drawn(text: str, loud: bool) -> None:
    assert fits.is_loud(*call(text)) is loud


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("model.fit(a, epochs=1)", set()),
        ("model.fit(*a)", {"*"}),
        ("model.fit(a, **options)", {"*"}),
        ("model.fit(a, **{'epochs': 1, 'verbose': 2})", {"epochs", "verbose"}),
        ("model.fit(a, **{'epochs': 1, name: 2})", {"epochs", "*"}),
        ("model.fit(a, **{'epochs': 1, **more})", {"epochs", "*"}),
        ("model.fit(a, **{1: 2})", {"*"}),
        ("model.fit(a, **dict(epochs=1))", {"epochs"}),
        ("model.fit(a, **dict(epochs=1, **more))", {"epochs", "*"}),
        ("model.fit(a, **dict([('epochs', 1)]))", {"*"}),
        ("model.fit(a, **make())", {"*"}),
        ("options = {'epochs': 1}\nmodel.fit(a, **options)", {"epochs"}),
        ("options = {'epochs': 1}\noptions['a'] = 2\nmodel.fit(a, **options)", {"epochs", "a"}),
        ("options = {'epochs': 1}\noptions[k] = 2\nmodel.fit(a, **options)", {"epochs", "*"}),
        ("options = {'epochs': 1}\nprint('a' in options)\nmodel.fit(a, **options)", {"epochs"}),
        ("options = {'epochs': 1}\noptions.update(b=2)\nmodel.fit(a, **options)", {"epochs", "b"}),
        ("options = {'epochs': 1}\noptions.update(b)\nmodel.fit(a, **options)", {"epochs", "*"}),
        ("base = {'epochs': 1}\nmodel.fit(a, **{**base, 'b': 2})", {"epochs", "b"}),
        ("import json\n\noptions = json.load(file)\nmodel.fit(a, **options)", {"*"}),
        ("options = {'epochs': 1}\nchange(options)\nmodel.fit(a, **options)", {"epochs", "*"}),
        ("options = {'epochs': 1}\nif a:\n    options = {'verbose': 1}\nmodel.fit(a, **options)",
         {"epochs", "verbose"}),
        ("a, options = make()\nmodel.fit(a, **options)", {"*"}),
    ],
)  # fmt: skip
def test_what_options_may_hide(text: str, names: set[str]) -> None:
    assert fits.hidden(*call(text)) == names


TWO = "def train(own=1, **kw):\n    model.fit(a, **kw)\n\n\ndef run(**kw):\n    train(**kw)\n\n\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("for kw in [dict(a=1), {'b': 2}]:\n    model.fit(a, **kw)", {"a", "b"}),
        ("def train(**kw):\n    model.fit(a, **kw)\n\n\ntrain(b=1)", {"b"}),
        ("def train(**kw):\n    model.fit(a, **kw)\n\n\ntrain(**b)", {"*"}),
        ("def train(**kw):\n    model.fit(a, **kw)\n", {"*"}),
        ("def train(kw=None):\n    model.fit(a, **(kw or {}))\n\n\ntrain()\ntrain({'b': 1})", {"b"}),
        ("train = lambda **kw: model.fit(a, **kw)\ntrain(b=1)", {"b"}),
        (f"{TWO}run(b=1, own=2)", {"b"}),
        (f"{TWO}run(b=1)\nrun(c=1, **{{'d': 1}})", {"b", "c", "d"}),
        (f"{TWO}run(b=1, **more)", {"b", "*"}),
        (f"{TWO}run(b=1)\ntrain(a=1)", {"a", "b"}),
        (f"{TWO}run(b=1)\nprint(run)", {"b", "*"}),
        (f"{TWO}{{}}".format("run(b=1)").replace("train(**kw)\n", "kw['c'] = 1\n    train(**kw)\n"),
         {"b", "c"}),
        ("class A:\n    def __init__(self, own=1, **kw):\n        model.fit(a, **kw)\n\n\n"
         "class B(A):\n    def __init__(self, *args, **kw):\n"
         "        super().__init__(*args, **kw)\n\n\nB(b=1, own=2)", {"b"}),
    ],
)  # fmt: skip
def test_which_dictionaries_get_to_a_fit(text: str, names: set[str]) -> None:
    facts = Facts.of(HEAD + text)
    fit = next(c for c in facts.index.calls if ast.unparse(c.func) == "model.fit")
    assert fits.hidden(facts, fit) == names


CERTAIN = {
    "model.fit(a, steps_per_epoch=3)": True,
    "model.fit(a, **{'steps_per_epoch': 3})": True,
    "options = dict(steps_per_epoch=3)\nmodel.fit(a, **options)": True,
    "options = {}\noptions['steps_per_epoch'] = 3\nmodel.fit(a, **options)": False,  # if only later
    "options = {'steps_per_epoch': 3} if b else {}\nmodel.fit(a, **options)": False,
    "model.fit(a, **options)": False,
}


@pytest.mark.parametrize(("text", "given"), CERTAIN.items())
def test_whether_an_argument_is_given_whatever_happens(text: str, given: bool) -> None:
    assert fits.is_given(*call(text), "steps_per_epoch") is given


# -- metrics -------------------------------------------------------------------------------------
# Which metrics may be averaged over shares of the validation data, and what is left whole.

HEAD_OF_METRICS = """\
import re
import numpy as np
import tensorflow as tf
from elsewhere import score
x, y, xv, yv = (np.load(name) for name in "abcd")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
MEANS = [
    "",
    "metrics=None",
    "metrics=['accuracy', 'mse']",
    "metrics=['acc', tf.keras.metrics.BinaryAccuracy(), tf.keras.metrics.mae]",
    "metrics={'a': 'mae', 'b': [tf.keras.metrics.MeanAbsoluteError('x')]}",
    "metrics=found",
    "metrics=['accuracy', *found]",
]
OTHERS = [
    "metrics=['AUC']",
    "metrics=['accuracy', tf.keras.metrics.AUC(name='prc')]",
    "metrics=[tf.keras.metrics.Precision(), tf.keras.metrics.Recall()]",
    "metrics=[tf.keras.metrics.TruePositives()]",
    "metrics=[tf.keras.metrics.RootMeanSquaredError()]",
    "metrics=[score]",
    "metrics=[score(1)]",
    "metrics=[f1]",
    "metrics=score",
    "metrics=others",
    "weighted_metrics=['AUC']",
]
DEFINED = "found = [tf.keras.metrics.MeanSquaredError()]\nothers = ['mse']\nothers.append(tf.keras.metrics.AUC())\n"
DEFINED += "def f1(y, p):\n    return tf.reduce_mean(y * p)\n"


def compiled(given: str) -> str:
    return (
        f"{HEAD_OF_METRICS}{DEFINED}re.compile('a', 0, [])\nmodel.compile('sgd', 'mse', {given})\n"
    )


@pytest.mark.parametrize("given", MEANS)
def test_means_over_examples(given: str) -> None:
    assert are_means(Facts.of(compiled(given)))


@pytest.mark.parametrize("given", OTHERS)
def test_what_is_none_or_may_be_none(given: str) -> None:
    assert not are_means(Facts.of(compiled(given)))


VALIDATIONS = [
    ("(xv, yv)", ""),
    ("tf.data.Dataset.from_tensor_slices((xv, yv)).batch(4)", ""),
    ("tf.data.Dataset.range(9).repeat().batch(4)", "validation_steps=9"),
]


@pytest.mark.parametrize(("data", "steps"), VALIDATIONS)
def test_such_a_metric_keeps_its_validation_whole(data: str, steps: str) -> None:
    fit = f"model.fit(x, y, validation_data={data}, {steps})\n"
    shared = migrate(compiled("metrics=['mse']") + fit).after
    whole = migrate(compiled("metrics=['AUC']") + fit).after
    assert "x[shard]" in whole
    assert f"validation_data={data},\n" in whole
    assert f"validation_data={data},\n" not in shared
    assert not steps or f"{steps},\n" in whole


BATCHES = """\
import tensorflow as tf
make = tf.keras.utils.image_dataset_from_directory
train, val = make("a", seed=1), make("b", seed=1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""


@pytest.mark.parametrize(
    ("validation", "is_whole"),
    [
        ("val", True),
        ("val.map(f).prefetch(1)", True),
        ("tf.data.TFRecordDataset('a').shuffle(9, seed=1).batch(2)", False),
        ("tf.data.Dataset.range(9).batch(3).cache()", False),
    ],
)
def test_validation_is_not_shared_out_by_whole_batches(validation: str, is_whole: bool) -> None:
    fit = f"model.fit(train, validation_data={validation})\n"
    after = migrate(BATCHES + fit).after
    assert "train.unbatch()" in after  # and batched again, in shares
    assert (f"validation_data={validation},\n" in after) is is_whole
