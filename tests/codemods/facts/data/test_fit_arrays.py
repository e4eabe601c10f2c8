"""The arrays that a fit takes, and the loops and steps that go with them."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.data.data_lengths import Container
from distify.codemods.facts.data.divided import Share, divided, repeated
from distify.codemods.facts.data.fit_arrays import arrays_of_fits
from distify.codemods.facts.timing.schedule_steps import divided_decays
from distify.codemods.migrate import migrate
from distify.codemods.model import Options
from distify.codemods.rewrites._share_edits import length

HEAD = """\
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator

model = keras.Sequential([])
x, y, w = np.ones([9, 2]), np.ones(9), np.ones(9)
a, b = np.ones([9, 2]), np.ones(9)
flow = ImageDataGenerator().flow(x, y, sample_weight=w)
pair = (a, b)
named = {"one": x, "two": a}
listed = [x, a]
"""
ONE, LIST, TUPLE, DICT = Container.ITSELF, Container.LIST, Container.TUPLE, Container.DICT


def cut(text: str, **options: object) -> list[tuple[str, str, dict[str, Container]]]:
    """What is cut for which purpose: the length, and how each array is held."""
    facts = Facts.of(HEAD + text, Options(**options))  # type: ignore[arg-type]
    return [
        (
            found.purpose,
            length(facts, found.length),
            {ast.unparse(e): h for e, h in found.held.items()},
        )
        for found in arrays_of_fits(facts)
        if found.length is not None
    ]


XY = ("training", "len(x)", {"x": ONE, "y": ONE})
CUTS = {
    "model.fit(x)": [("training", "len(x)", {"x": ONE})],
    "model.fit(x, y)": [XY],
    "model.fit(y=y, x=x)": [XY],
    "model.fit(x, y, sample_weight=w)": [("training", "len(x)", {"x": ONE, "y": ONE, "w": ONE})],
    "model.fit(x, None)": [("training", "len(x)", {"x": ONE})],
    "model.fit([x, a], y)": [("training", "len(x)", {"x": ONE, "a": ONE, "y": ONE})],
    "model.fit({'k': x}, y)": [XY],
    "model.fit(x / 255, y)": [("training", "len(x)", {"x / 255": ONE, "y": ONE})],
    "model.fit(np.array(x)[:, 0], y)": [
        ("training", "len(y)", {"np.array(x)[:, 0]": ONE, "y": ONE})
    ],
    "model.fit(named, y)": [("training", 'len(named["one"])', {"named": DICT, "y": ONE})],
    "model.fit(listed, y)": [("training", "len(listed[0])", {"listed": LIST, "y": ONE})],
    "model.fit(pair, y)": [("training", "len(pair[0])", {"pair": TUPLE, "y": ONE})],
    "model.fit(*pair, epochs=3)": [("training", "len(pair[0])", {"pair": TUPLE})],
    "model.fit(*unknown, epochs=3)": [],
    "model.fit(x, *[y], epochs=3)": [],
    "model.fit(x, **{'y': y})": [],
    "model.fit(x, **{'sample_weight': y})": [],
    "model.fit(x, **{'epochs': 3})": [("training", "len(x)", {"x": ONE})],
    "model.fit(x, y, validation_data=(a, b))": [
        XY,
        ("validation", "len(a)", {"a": ONE, "b": ONE}),
    ],
    "model.fit(x, y, validation_data=[a, b])": [
        XY,
        ("validation", "len(a)", {"a": ONE, "b": ONE}),
    ],
    "model.fit(x, y, validation_data=pair)": [XY, ("validation", "len(pair[0])", {"pair": TUPLE})],
    "model.fit(x, y, validation_data=make())": [XY],
    "model.fit(x, y, validation_data=(a, make()))": [XY],
    "model.fit(flow)": [("training", "len(x)", {"x": ONE, "y": ONE, "w": ONE})],
    "model.fit(ImageDataGenerator().flow(x, y))": [XY],
    "model.fit_generator(ImageDataGenerator().flow(x, y))": [XY],
    "model.fit(ImageDataGenerator().flow_from_directory(x))": [],
    "model.fit(thing.flow(x, y))": [],
    "model.fit(unknown, y)": [],
    "model.fit(x, unknown)": [],
    "model.fit([x, unknown], y)": [],
    "model.fit([], y)": [],
    "model.fit({1: x}, y)": [XY],
    "model.fit(x[: 2 * 4], y[: 2 * 4])": [
        ("training", "len(x[: 2 * 4])", {"x[:2 * 4]": ONE, "y[:2 * 4]": ONE})
    ],
    "one = {1: x}\nmodel.fit(one, y)": [],
    "model.fit(tf.data.Dataset.range(9))": [],
    "lambda: model.fit(x)": [],
    "[model.fit(x) for i in z]": [],
    "for i in z:\n    model.fit(x)": [("training", "len(x)", {"x": ONE})],
    "keras.layers.LSTM(1, stateful=True)\nmodel.fit(x)": [],
    "keras.Input(1, batch_size=3)\nmodel.fit(x)": [],
}


@pytest.mark.parametrize("text", CUTS)
def test_the_arrays_that_are_cut(text: str) -> None:
    assert cut(text) == CUTS[text]


LOADED = "from elsewhere import load, made\nu, v = load()\n"
UV = ("training", "len(u)", {"u": ONE, "v": ONE})
LOADS = {  # what nobody sees the making of: where Keras takes nothing but arrays
    "model.fit(u, v)": [UV],
    "model.fit(u, y=v)": [UV],
    "model.fit(u, y)": [("training", "len(u)", {"u": ONE, "y": ONE})],
    "model.fit(u, v, sample_weight=w)": [("training", "len(u)", {"u": ONE, "v": ONE, "w": ONE})],
    "model.fit(u, batch_size=8)": [("training", "len(u)", {"u": ONE})],
    "model.fit(u, validation_split=0.1)": [("training", "len(u)", {"u": ONE})],
    "model.fit([u, x], v)": [("training", "len(u)", {"u": ONE, "x": ONE, "v": ONE})],
    "def train(u, v):\n    model.fit(u, v)\ntrain(*load())": [UV],
    "import pickle\nu, v = pickle.load(open('f', 'rb'))\nmodel.fit(u, v)": [UV],
    # a data set, a generator, who knows
    "model.fit(u)": [],
    "model.fit(u, None)": [],
    "model.fit(u, steps_per_epoch=9)": [],
    "model.fit(load(), v)": [],  # has no name: it would be made twice
    "model.fit(made, v)": [],  # a module, or what it holds
    "def u():\n    yield x\nmodel.fit(u, v)": [],
    "class Own: pass\nu = Own()\nmodel.fit(u, v)": [],
    "u = {}\nmodel.fit(u, v)": [],
    "u = tf.data.Dataset.range(9)\nmodel.fit(u, v)": [],
    # a batch, of which each worker would take a part
    "for u, v in load():\n    model.fit(u, v)": [],
    "for k in range(9):\n    u = load(k)\n    model.fit(u, v)": [],
    "import horovod.tensorflow as hvd\nu, v = load(hvd.rank())\nmodel.fit(u, v)": [],
}


@pytest.mark.parametrize("text", LOADS)
def test_what_nobody_sees_the_making_of(text: str) -> None:
    assert cut(LOADED + text) == LOADS[text]


@pytest.mark.parametrize(
    "options",
    [{"shard": False}, {"ignore": frozenset({"D107"})}, {"select": frozenset({"D104"})}],
)
def test_nothing_is_cut_where_that_is_not_wanted(options: dict) -> None:
    assert cut("model.fit(x, y)", **options) == []
    assert cut("model.fit(x, y)", select=frozenset({"D107"})) == [XY]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("model.fit(x)\nmodel.fit(x)", [True, False]),
        ("model.fit(x)\nx = x / 2\nmodel.fit(x)", [True, True]),
        ("model.fit(x)\nmodel.fit(a)", [True, True]),
        ("if z:\n    model.fit(x)\nmodel.fit(x)", [True, True]),
        ("if z:\n    model.fit(x)\nelse:\n    model.fit(x)", [True, True]),
        ("model.fit(x)\nfor i in z:\n    model.fit(x)", [True, True]),
        ("model.fit(x)\n\n\ndef f():\n    model.fit(x)", [True, True]),
        (
            "def crop():\n    global x\n    x = x[:3]\n\n\nmodel.fit(x)\ncrop()\nmodel.fit(x)",
            [True, True],
        ),
        ("model.fit(x)\nif z:\n    x = x / 2\nmodel.fit(x)", [True, True]),
        ("model.fit(x)\nfor i in z:\n    x = x[i:]\nmodel.fit(x)", [True, True]),
        ("for i in z:\n    model.fit(x)\n    model.fit(x)\n    x = x[i:]", [True, False]),
        ("model.fit(x)\nf = lambda x: x\nmodel.fit(x)", [True, False]),
    ],
)
def test_a_slice_that_was_made_before_holds_while_its_length_does(text: str, first: list) -> None:
    assert [found.is_first for found in arrays_of_fits(Facts.of(HEAD + text))] == first


DS = "ds = tf.data.Dataset.range(99).repeat()\nfinite = tf.data.Dataset.range(99)\n"
S = "keras.optimizers.schedules."
STEPS = {
    "model.fit(ds, steps_per_epoch=30)": ["30"],
    "model.fit(ds, steps_per_epoch=n)": ["n"],
    "model.fit(ds, steps_per_epoch=None)": [],
    "model.fit(ds, steps_per_epoch=1)": [],
    "n = 1\nmodel.fit(ds, steps_per_epoch=n)": [],
    "model.fit_generator(ds, 30)": ["30"],
    "model.fit(ds, steps_per_epoch=30, validation_data=ds, validation_steps=5)": ["30", "5"],
    "model.fit(ds, steps_per_epoch=30, validation_data=make(), validation_steps=5)": ["30"],
    "model.fit(x, y, steps_per_epoch=30, validation_data=(a, b), validation_steps=5)": ["30", "5"],
    "model.fit(make(), steps_per_epoch=30)": ["30"],
    "model.fit(ds.take(30))": ["30"],
    "model.fit(finite.take(30).batch(2))": [],
    "model.fit(finite.batch(2).take(30))": ["30"],
    **{
        f"model.fit(x, y)\n{S}{name}({arguments})": divided
        for name, arguments, divided in (
            ("ExponentialDecay", "0.1, 100, 0.9", ["100"]),
            ("InverseTimeDecay", "0.1, 100, 0.9", ["100"]),
            ("PolynomialDecay", "0.1, decay_steps=100", ["100"]),
            ("CosineDecay", "0.1, 100", ["100"]),
            ("CosineDecay", "0.1, 100, 0.0, None, 0.5, 20", ["100", "20"]),
            ("CosineDecay", "0.1, 100, warmup_steps=20", ["100", "20"]),
            ("CosineDecayRestarts", "0.1, 100", ["100"]),
            ("CosineDecayRestarts", "0.1, first_decay_steps=100", ["100"]),
            ("PiecewiseConstantDecay", "[10, 20], [1, 2, 3]", ["10", "20"]),
            ("PiecewiseConstantDecay", "boundaries, [1, 2, 3]", ["*boundaries"]),
            ("ExponentialDecay", "0.1, 1, 0.9", []),
            ("Other", "0.1, 100", []),
        )
    },
    f"model.fit(x, y)\n{'keras.experimental.'}LinearCosineDecay(0.1, 100)": ["100"],
    f"model.fit(x, y)\n{'keras.experimental.'}NoisyLinearCosineDecay(0.1, 100)": ["100"],
    f"class Mine({S}CosineDecay):\n    pass\n\n\nmodel.fit(x, y)\nMine(0.1, 100)": [],
    f"class Mine({S}CosineDecay):\n    pass\n\n\nmodel.fit(x, y)\nMine(0.1, 9)\n{S}CosineDecay(0.1, 100)":
        ["100"],
    f"model.fit(make())\n{S}CosineDecay(0.1, 100)": [],
    f"model.fit(x, y)\n{S}CosineDecay(0.1, len(finite))": ["len(finite)"],
}  # fmt: skip


@pytest.mark.parametrize("text", STEPS)
def test_the_numbers_of_steps_that_are_divided(text: str) -> None:
    facts = Facts.of(HEAD + DS + text)
    found = (*divided(facts), *divided_decays(facts))
    assert ["*" * (share is Share.EACH) + ast.unparse(expr) for expr, share in found] == STEPS[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model.fit(finite.batch(2), steps_per_epoch=30)", ["finite.batch(2)"]),
        ("model.fit(finite.batch(2))", []),
        ("model.fit(finite.batch(2), steps_per_epoch=1)", []),
        ("model.fit(ds.batch(2), steps_per_epoch=30)", []),
        ("model.fit(x, steps_per_epoch=30)", []),
    ],
)
def test_a_share_that_is_counted_in_steps_begins_anew(text: str, expected: list[str]) -> None:
    assert [ast.unparse(e) for e in repeated(Facts.of(HEAD + DS + text))] == expected


def test_validation_data_that_is_shared_out_is_not_shared_out_again() -> None:
    """Beside training data that can't be followed, which says nothing of it."""
    text = (
        "import numpy as np\nimport tensorflow as tf\n\nxv, yv = np.ones((8, 4)), np.ones(8)\n"
        'model = tf.keras.Sequential([])\nmodel.compile("sgd", "mse")\n'
        "model.fit(unknown, validation_data=(xv, yv))\n"
    )
    once = migrate(text).after
    assert once.count("[val_shard]") == 2
    assert migrate(once).after == once
