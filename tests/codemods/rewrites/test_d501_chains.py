"""Models whose layers Keras runs by itself: `Sequential`, and functional ones without branches.

That they train alike is shown where TensorFlow is: tests/distributed/test_recomputed_models.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from distify import codemods
from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE, Migration, Options

ALONE = Options(select=frozenset({RECOMPUTE}))
PROGRAM = """\
import numpy as np
import tensorflow as tf
from elsewhere import make

L = tf.keras.layers


{model}
model.compile(tf.keras.optimizers.SGD(0.01), "mse")
model.fit(np.load("x.npy"), np.load("y.npy"), batch_size=32, epochs=3)
"""
SEQUENTIAL = "model = tf.keras.Sequential({})"
MANY = "L.Dense(64, activation='relu') for _ in range(32)"
FUNCTIONAL = """\
x = inputs = tf.keras.Input([64])
for _ in range(32):
    x = L.Dense(64)(x)
{more}
model = tf.keras.Model({arguments})"""


def functional(more: str = "", arguments: str = "inputs, x") -> str:
    return FUNCTIONAL.format(more=more, arguments=arguments)


def migrated(model: str, options: Options = ALONE) -> Migration:
    found = migrate(PROGRAM.format(model=model), options)
    assert not found.blocked, found.blocked
    assert migrate(found.after, options).after == found.after
    return found


def on_one_line(text: str) -> str:
    """A text without the lines into which a call, or a list in it, was broken."""
    joined = re.sub(r"(?<=[\[(])\n\s+|\n\s*(?=\)\n)|,?\n\s*(?=\])", "", text)
    return re.sub(r",\n\s+", ", ", joined)


def left(model: str) -> str:
    """Why a model is left."""
    found = migrated(model)
    assert found.after == found.before
    (told,) = (n.message for n in found.notes if n.message.startswith("this model keeps"))
    return told.partition("taken: ")[2]


@pytest.mark.parametrize(
    "layers",
    [
        f"[{MANY}]",
        f"layers=[{MANY}], name='deep'",
        f"[tf.keras.Input([64]), *[{MANY}]]",
        f"[L.InputLayer([64])] + [{MANY}] + [L.Dense(1)]",
        "[L.Dense(64), L.ReLU(), L.Dense(64), L.LayerNormalization()]",
    ],
)
def test_a_sequential_model_gets_another_class(layers: str) -> None:
    found = migrated(SEQUENTIAL.format(layers))
    assert f"model = RecomputedSequential({layers})" in on_one_line(found.after)
    assert (
        "    def call(self, inputs, training=None, mask=None):\n"
        "        return run_halves_training(self.layers, inputs, training)\n" in found.after
    )


ADDED = {
    "line by line": "\n".join(
        ("model = tf.keras.Sequential()", *["model.add(L.Dense(64))"] * 4)
    ),
    "in a loop": "model = tf.keras.Sequential([L.Dense(4)])\nfor _ in range(9):\n    model.add(L.Dense(64))",
    "in a function": "def built():\n    net = tf.keras.Sequential()\n    for _ in range(9):\n"
    "        net.add(L.Dense(64))\n    return net\n\n\nmodel = built()",
    "a list by its name": f"layers = [{MANY}]\nmodel = tf.keras.Sequential(layers)",
}  # fmt: skip


@pytest.mark.parametrize("name", ADDED)
def test_layers_may_be_put_in_one_by_one(name: str) -> None:
    after = migrated(ADDED[name]).after
    assert "= RecomputedSequential(" in after
    assert after.index("class RecomputedSequential") < after.index("= RecomputedSequential(")


def test_what_may_not_be_run_again_at_the_ends_is_run_as_it_is() -> None:
    listed = f"[L.Embedding(100, 8), L.LSTM(64), *[{MANY}], L.Dense(9), L.SpatialDropout1D(0.1)]"
    after = migrated(SEQUENTIAL.format(listed)).after
    assert "= RecomputedSequential_2_1([" in on_one_line(after)
    assert (
        """\
        x = inputs
        for layer in self.layers[:2]:
            x = layer(x, training=training)
        x = run_halves_training(self.layers[2:-1], x, training)
        for layer in self.layers[-1:]:
            x = layer(x, training=training)
        return x
"""
        in after
    )


def test_two_models_of_one_kind_share_a_class_and_two_schedules_have_their_own() -> None:
    two = (
        SEQUENTIAL.format(f"[{MANY}]") + "\n" + SEQUENTIAL.format(f"[{MANY}]").replace("mo", "m", 1)
    )
    after = migrated(two).after
    assert after.count("class RecomputedSequential(") == 1
    assert on_one_line(after).count("= RecomputedSequential([") == 2
    segments = migrated(two, ALONE._replace(recompute="sqrt")).after
    assert "return run_segments_training(self.layers, inputs, training)" in segments


@pytest.mark.parametrize(
    "model",
    [
        functional(),
        functional(arguments="inputs=inputs, outputs=x"),
        functional("outputs = L.Dense(1)(x)", "inputs, outputs"),
        functional("y = L.Dense(1, activation='softmax', name='out')(L.Flatten()(x))", "inputs, y"),
    ],
)
def test_a_functional_model_that_is_a_chain(model: str) -> None:
    after = migrated(model).after
    assert "class RecomputedModel(tf.keras.Model):" in after
    assert "return run_halves_training(self.layers[1:], inputs, training)" in after
    assert "model = RecomputedModel(" in after


def test_ends_of_a_functional_model_are_counted_where_all_is_in_sight() -> None:
    lines = "x = inputs = tf.keras.Input([8])\nx = L.Embedding(9, 4)(x)\n"
    lines += "x = L.Dense(4)(x)\n" * 5 + "model = tf.keras.Model(inputs, L.LSTM(4)(x))"
    after = migrated(lines).after
    assert (
        """\
        x = inputs
        for layer in self.layers[1:2]:
            x = layer(x, training=training)
        x = run_halves_training(self.layers[2:-1], x, training)
        for layer in self.layers[-1:]:
"""
        in after
    )


def test_random_layers_and_averages_are_repaired() -> None:
    listed = f"[*[{MANY}], L.BatchNormalization(), L.Dropout(0.1)]"
    after = migrated(SEQUENTIAL.format(listed)).after
    assert "OnceBatchNormalization(), SameDropout(0.1)]" in on_one_line(after)
    assert "run_again(lambda x: run_halves_training(" in after


LEFT = {
    "another layer": (SEQUENTIAL.format(f"[{MANY}, L.LSTM(4), L.Dense(4)]").replace("for _ in range(32)", ""),
                      "nobody can see what `LSTM` does"),
    "few": (SEQUENTIAL.format("[L.Dense(4), L.Dense(4), L.Dense(4)]"), "so few layers"),
    "out of sight": (SEQUENTIAL.format("make()"), "nobody can see what `make` does"),
    "one behind many": (SEQUENTIAL.format(f"[{MANY.replace('Dense', 'LSTM', 1)}]"), "nobody can see what `LSTM`"),
    "taken out": (SEQUENTIAL.format(f"[{MANY}]") + "\nmodel.pop()", "nobody can see all"),
    "the same one twice": (SEQUENTIAL.format("[L.Dense(4)] * 9"), "nobody can see all"),
    "kept as it is": (SEQUENTIAL.format(f"[{MANY}]") + "\nmodel.save('m.keras')",
                      "`save` keeps the class of the model"),
    "kept by a callback": (SEQUENTIAL.format(f"[{MANY}]") + "\nc = tf.keras.callbacks.ModelCheckpoint('m')",
                           "`ModelCheckpoint` keeps the class of the model"),
    "two inputs": (functional("x = L.Add()([x, inputs])"), "its layers are no chain: `L.Add()([x, inputs])`"),
    "an operation": (functional("x = tf.nn.relu(x)"), "its layers are no chain: `tf.nn.relu(x)`"),
    "a layer by its name": (functional("d = L.Dense(64)\nx = d(x)"), "its layers are no chain: `d(x)`"),
    "many outputs": (functional(arguments="inputs, [x, x]"), "its layers are no chain: `[x, x]`"),
    "a mask": (functional("x = L.Dense(4)(x, training=True)"), "its layers are no chain"),
    "a layer that can't be run again": (functional("x = L.LSTM(4)(x)"), "nobody can see what `LSTM` does"),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT)
def test_others_are_left_with_the_reason(name: str) -> None:
    model, words = LEFT[name]
    assert words in left(model)


def test_weights_alone_are_kept_as_before() -> None:
    model = SEQUENTIAL.format(f"[{MANY}]") + "\nmodel.save_weights('w.h5')"
    model += "\nc = tf.keras.callbacks.ModelCheckpoint('w', save_weights_only=True)"
    assert "RecomputedSequential" in migrated(model).after


def test_a_model_that_is_a_layer_of_another_one_is_a_part_of_it() -> None:
    inner = f"tf.keras.Sequential([{MANY}])"
    after = migrated(SEQUENTIAL.format(f"[{inner}, L.Dense(4), L.Dense(4), L.Dense(4)]")).after
    assert f"RecomputedSequential([{inner}, " in on_one_line(after)


def test_it_goes_together_with_the_rules_for_many_workers() -> None:
    for model in (
        SEQUENTIAL.format(f"[{MANY}, L.Dropout(0.1)]".replace("for _ in range(32)", "")),
        functional(),
    ):
        if "Dropout" in model:
            model = SEQUENTIAL.format(f"[*[{MANY}], L.Dropout(0.1)]")
        both = migrated(model, Options(recompute="halves")).after
        assert "hvd.init()" in both
        assert migrate(migrated(model).after).after == both


def test_nothing_is_done_or_said_unless_somebody_asks() -> None:
    found = migrate(PROGRAM.format(model=functional()))
    assert "Recomputed" not in found.after
    assert RECOMPUTE not in {note.code for note in found.notes}


def test_what_it_is_worth_is_told() -> None:
    layers = ", ".join(["L.Dense(4)"] * 8)
    (note,) = migrated(SEQUENTIAL.format(f"[{layers}]")).notes
    assert note.message.startswith("of 8 outputs of layers about 4 are kept, and each layer is run")


def test_the_advice_for_a_model_that_is_left_is_one_that_can_be_followed() -> None:
    page = (Path(codemods.__file__).parent / "pages" / "C09.md").read_text(encoding="utf-8")
    residual, network = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    head = "import tensorflow as tf\n\n"
    train = 'model.compile("sgd", "mse")\nmodel.fit(tf.ones((8, 64)), tf.ones((8, 64)))\n'
    found = migrate(head + residual + train, ALONE)
    (told,) = found.notes
    assert "its layers are no chain" in told.message
    assert "explain C09" in told.fix
    found = migrate(head + network + train, ALONE)
    assert not found.blocked
    assert "x = run_halves(self.blocks, x)\n" in found.after
