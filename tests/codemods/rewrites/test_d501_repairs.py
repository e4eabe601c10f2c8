"""What draws numbers or moves averages is the same in every run of a part that is run again.

That gradients are those of one mask, and averages moved once, is shown where TensorFlow is:
tests/distributed/test_repaired_layers.py.
"""

from __future__ import annotations

import pytest
from looped import program

from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE, Migration, Options

ALONE = Options(select=frozenset({RECOMPUTE}))
MODEL = """\
import numpy as np
import tensorflow as tf

L = tf.keras.layers


class Block(L.Layer):
    def __init__(self):
        super().__init__()
        self.dense = L.Dense(64)
        self.norm = L.BatchNormalization(momentum=0.9)
        self.drop = L.Dropout(0.2)

    def call(self, x{block}):
        return x + self.drop(self.norm(self.dense(x)))


class Network(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block() for _ in range(12)]

    def call(self, x{training}):
        for block in self.blocks:
            x = block(x{given})
        return x


model = Network()
model.compile(tf.keras.optimizers.SGD(0.01), "mse")
model.fit(np.load("x.npy"), np.load("y.npy"), batch_size=32, epochs=3)
"""
TOLD = ", training=None"


def model(block: str = TOLD, training: str = TOLD, given: str = "") -> str:
    return MODEL.format(block=block, training=training, given=given)


def rewritten(text: str, options: Options = ALONE) -> Migration:
    found = migrate(text, options)
    assert not found.blocked, found.blocked
    assert found.after != text
    assert migrate(found.after, options).after == found.after
    return found


@pytest.mark.parametrize("given", ["", ", training=training"])
def test_layers_of_layers_are_replaced_and_told_whether_they_train(given: str) -> None:
    after = rewritten(model(given=given)).after
    assert "self.norm = OnceBatchNormalization(momentum=0.9)" in after
    assert "self.drop = SameDropout(0.2)" in after
    assert "        x = run_halves_training(self.blocks, x, training)\n" in after
    assert "x = run_again(lambda x: run_halves_training(layers[:half], x, training))(x)" in after
    assert after.count("tf.recompute_grad(") == 1


def test_what_is_not_needed_is_not_written() -> None:
    after = rewritten(model().replace("L.Dropout(0.2)", "L.ReLU()")).after
    assert "SameDropout" not in after
    assert "class OnceBatchNormalization(tf.keras.layers.BatchNormalization):" in after
    plain = model().replace("L.Dropout(0.2)", "L.ReLU()").replace("L.BatchN", "L.LayerN")
    assert "run_again" not in rewritten(plain.replace("momentum=0.9", "")).after


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (model(training=""), "C01"),  # nobody says whether it trains
        (model(block=""), "C01"),  # the block is told, and says it to nobody
        (model() + "tf.keras.backend.set_learning_phase(1)\n", "C01"),
        (model().replace("Dropout(0.2)", "Dropout(0.2, seed=1)"), "C01"),
        (model().replace("Dropout(0.2)", "Dropout(0.2, noise_shape=(1, 64))"), "C01"),
        (model().replace("momentum=0.9", "renorm=True"), "C02"),
        (model().replace("        for", "        training = True\n        for"), "C01"),
        (model().replace("(L.Layer)", "(tf.Module)").replace("call(self, x, t", "__call__(self, x, t", 1), "C01"),
    ],
)  # fmt: skip
def test_what_is_not_known_to_be_the_same_is_refused(text: str, code: str) -> None:
    found = migrate(text, ALONE)
    assert found.after == text
    assert code in {finding.code for finding in found.blocked}


def test_it_goes_together_with_the_rules_for_many_workers() -> None:
    both = rewritten(model(), Options(recompute="halves"))
    assert "SameDropout(0.2)" in both.after
    assert "hvd.init()" in both.after
    assert migrate(rewritten(model()).after).after == both.after


STEP = """
    drop = L.Dropout(0.2)
    for u in many:
        x = tf.nn.dropout(tf.matmul(x, u), 0.1, noise_shape=None)
        x = x + tf.random.normal(tf.shape(x), stddev=0.1)
        x = drop(x, training=True)
    return x"""


def test_draws_of_a_step_get_a_seed() -> None:
    after = rewritten(program(STEP)).after
    assert "        x = tf.nn.experimental.stateless_dropout(\n            tf.matmul(x, u)" in after
    assert "0.1, noise_shape=None, seed=next_seed()\n" in after
    assert "tf.random.stateless_normal(tf.shape(x), stddev=0.1, seed=next_seed())\n" in after
    assert "    drop = SameDropout(0.2)\n" in after
    assert "    again = run_again(lambda state: loop_halves(step, items[:half], state))\n" in after


def test_a_layer_of_a_step_must_be_told_whether_it_trains() -> None:
    text = program(STEP.replace(", training=True", ""))
    found = migrate(text, ALONE)
    assert found.after == text
    assert any("`Dropout` draws anew when it is run again" in n.message for n in found.notes)


def test_what_it_is_made_with_stands_above_what_makes_it() -> None:
    text = program(STEP.replace("    drop = L.Dropout(0.2)\n", ""))
    text = text.replace("many = [", "drop = L.Dropout(0.2)\nmany = [")
    after = rewritten(text).after
    assert after.index("class SameDropout") < after.index("drop = SameDropout(0.2)")
    assert after.index("def loop_halves") < after.index("drop = SameDropout(0.2)")


LINES = """
    x = dense[0](x, training=True)
    x = drop(x, training=True)
    x = dense[1](x, training=True)
    x = norm(x, training=True)
    return x"""


def test_lines_of_layers_are_told_alike() -> None:
    text = program(LINES).replace(
        "before = ", "drop, norm = L.Dropout(0.1), L.BatchNormalization()\nbefore = "
    )
    after = rewritten(text).after
    assert "    x = run_halves_training([dense[0], drop, dense[1], norm], x, True)\n" in after
    assert "drop, norm = SameDropout(0.1), OnceBatchNormalization()\n" in after
    for other in ("norm(x, training=False)", "norm(x)"):
        text = program(LINES.replace("norm(x, training=True)", other))
        assert migrate(text, ALONE).after == text


@pytest.mark.parametrize("flag", ["", ", training=training"])
def test_lines_of_a_call_need_not_all_say_whether_it_trains(flag: str) -> None:
    loop = "        for block in self.blocks:\n            x = block(x)\n"
    lines = "".join(f"        x = self.{each})\n" for each in ("d(x", f"n(x{flag}", "e(x", "f(x"))
    made = "        self.d, self.n = L.Dense(64), L.BatchNormalization()\n"
    made += "        self.e, self.f = L.Dense(64), L.Dropout(0.1)\n"
    head = "        self.blocks = [Block() for _ in range(12)]\n"
    text = model().replace(loop, lines).replace(head, made)
    after = rewritten(text).after
    assert "x = run_halves_training([self.d, self.n, self.e, self.f], x, training)\n" in after
    other = text.replace("f(x)", "f(x, training=True)")
    assert migrate(other, ALONE).after == other


@pytest.mark.parametrize("recompute", ["sqrt", "binomial"])
def test_every_schedule_runs_parts_that_know_it(recompute: str) -> None:
    after = rewritten(program(STEP), ALONE._replace(recompute=recompute)).after
    assert "    again = run_again(lambda state: loop_" in after
