"""Which layers may be run twice in a step, which lists of them are known, and how long those are."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.layers.layer_calls import problems
from distify.codemods.facts.layers.layer_lists import depth, elements
from distify.codemods.facts.layers.layer_loops import StepLoop
from distify.codemods.facts.layers.recomputed_layers import around
from distify.codemods.library.layers import ACCEPTED
from last_value import last_value

HEAD = """\
import tensorflow as tf
from tensorflow.keras import layers

options = {}
"""


@pytest.mark.parametrize(
    ("layer", "codes"),
    [
        ("layers.Dense(4)", []),
        ("layers.Dense(4, 'relu')", []),
        ("layers.Dense(4, activation=unknown)", ["C05"]),
        ("layers.Activation('relu')", []),
        ("layers.Dropout(0.1)", ["C01"]),
        ("layers.BatchNormalization()", ["C02"]),
        ("layers.GRUCell(4)", []),
        ("layers.GRUCell(4, dropout=0.5)", ["C01"]),
        ("layers.GRUCell(4, dropout=0)", []),
        ("layers.GRUCell(4, dropout=0.0)", []),
        ("layers.GRUCell(4, dropout=rate)", ["C01"]),
        ("layers.Dense(4, dtype='float16')", ["C08"]),
        ("layers.Dense(4, activity_regularizer='l2')", ["C02"]),
        ("layers.Dense(4, activity_regularizer=None)", []),
        ("layers.Dense(4, another=1)", ["C05"]),
        ("layers.Dense(**options)", ["C05"]),
        ("layers.Flatten(1, 2, 3)", ["C05"]),
        ("layers.Masking()", ["C05"]),
        ("tf.keras.Sequential([layers.Dense(4), layers.Dropout(0.1)])", ["C01"]),
        ("tf.keras.Sequential(known)", ["C05"]),
    ],
)
def test_a_layer_that_may_not_be_run_twice_says_why(layer: str, codes: list[str]) -> None:
    found = problems(*last_value(HEAD + layer))
    assert [each.code for each in found] == codes


def test_layers_that_only_compute_are_accepted() -> None:
    names = (
        "Dense Conv1D Conv2D Conv3D Conv2DTranspose DepthwiseConv2D SeparableConv1D "
        "LayerNormalization GroupNormalization UnitNormalization Activation ReLU LeakyReLU ELU "
        "PReLU ThresholdedReLU Softmax MaxPooling1D AveragePooling2D Reshape Permute Flatten"
    )
    assert [name for name in names.split() if name not in ACCEPTED] == []
    assert not {"Dropout", "BatchNormalization", "GaussianNoise", "Masking"} & set(ACCEPTED)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a = [layers.Dense(4), layers.Dense(4)]\na", 2),
        ("a = (layers.Dense(4),)\na", 1),
        ("a = [layers.Dense(4) for _ in range(12)]\na", 12),
        ("n = 9\na = [layers.Dense(4) for _ in range(n)]\na", 9),
        ("a = [layers.Dense(4) for _ in range(3) for _ in range(4)]\na", None),
        ("a = [layers.Dense(4) for i in range(3) if i]\na", None),
        ("a = [layers.Dense(4) for _ in range(1, 3)]\na", None),
        ("a = [layers.Dense(4) for _ in range(True)]\na", None),
        ("a = [layers.Dense(4) for _ in sizes]\na", None),
        ("a = [layers.Dense(4) for _ in range(3)]\na.append(layers.Dense(1))\na", None),
        ("a = [layers.Dense(4)]\na.append(layers.Dense(1))\na", None),
    ],
)
def test_how_many_layers_a_list_has(text: str, count: int | None) -> None:
    facts, layers = last_value(HEAD + f"def run():\n    pass\n{text}[0]")
    assert isinstance(layers, ast.Subscript)
    assert depth(facts, layers.value) == count


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a = [f(1), f(2)]", ["f(1)", "f(2)"]),
        ("a = [f(1)]\na.append(f(2))", ["f(1)", "f(2)"]),
        ("a = [f(1)]\na.append(f(2), f(3))", None),
        ("a = [f(1)]\na.insert(0, f(2))", None),
        ("a = [f(1)]\nb = a.append", None),
        ("a = [f(1), *more]", None),
        ("a = []", None),
        ("a = [f(1)]\nb = a", None),
        ("a = [f(1)]\nb = a[:1]", None),
        ("a = [f(1)]\nb = a[0]", ["f(1)"]),
        ("a = [f(1)]\na[0] = f(2)", None),
        ("a = [f(1)]\nfor b in a:\n    pass", ["f(1)"]),
        ("a = [f(1)]\nn = len(a)", ["f(1)"]),
        ("a = [f(1)]\nkeep(a)", None),
        ("a = f(1)", None),
        ("a = [f(1)]\na = [f(2)]", None),
    ],
)
def test_which_layers_a_list_holds(text: str, found: list[str] | None) -> None:
    facts, layers = last_value(HEAD + text + "\na[0]")
    assert isinstance(layers, ast.Subscript)
    held = elements(facts, layers.value)
    assert (None if held is None else [ast.unparse(each) for each in held]) == found


SELF = """\
class Model(tf.keras.Model):
    def __init__(self):
        self.blocks = [layers.Dense(4), layers.Dense(4)]

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return x


"""


@pytest.mark.parametrize(
    ("line", "is_known"),
    [
        ("print(1)", True),
        ("setattr(model, name, [])", False),
        ("vars(model)[name] = []", False),
        ("exec(code)", False),
        ("eval(code)", False),
        ("model.blocks = []", False),
    ],
)
def test_a_list_that_code_out_of_sight_may_change_is_unknown(line: str, is_known: bool) -> None:
    facts = Facts.of(HEAD + SELF + line + "\n")
    (loop,) = facts.index.nodes(ast.For)
    assert isinstance(loop, ast.For)
    assert (elements(facts, loop.iter) is not None) is is_known


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("layers.Embedding(9, 4, mask_zero=True)", "C03"),
        ("layers.Embedding(9, 4, mask_zero=False)", None),
        ("Own(supports_masking=True)", "C03"),
        ("Own(compute_mask=f)", "C03"),
        ("layers.Masking()", "C03"),
        ("tf.function(f, jit_compile=True)", "C07"),
        ("tf.function(f, jit_compile=False)", None),
        ("tf.config.optimizer.set_jit(True)", "C07"),
        ("tf.custom_gradient(f)", "C08"),
        ("tf.keras.mixed_precision.set_global_policy('mixed_float16')", "C08"),
        ("tf.compat.v1.disable_eager_execution()", "C09"),
        ("tf.gradients(a, b)", "C09"),
    ],
)
def test_what_around_the_layers_is_in_the_way(line: str, code: str | None) -> None:
    found = {each.code for each in around(Facts.of(HEAD + line + "\n"))}
    assert found == ({code} if code else set())


def test_a_loop_over_time_of_a_plain_cell_is_not_nested() -> None:
    loop = ast.For(target=ast.Name("i"), iter=ast.Name("n"), body=[], orelse=[])
    made = StepLoop(loop, ast.Name("cell"), "state")
    assert (made.given, made.axis, made.times, made.is_nested, made.wrong) == (
        "",
        0,
        None,
        False,
        "",
    )
