"""Loops over layers become calls of a function that runs layers again for their gradients."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE, Migration, Options

ALONE = Options(select=frozenset({RECOMPUTE}))
LAYER = "def run_layer(layer, x):"

KERAS = """\
import tensorflow as tf


class Network(tf.keras.Model):
    def __init__(self, depth):
        super().__init__()
{made}
    def call(self, x, training=None):
{loop}        return x


model = Network(8)
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 4)))
"""
MADE = "        self.blocks = [tf.keras.layers.Dense(4) for _ in range(depth)]\n"
LOOP = "        for block in self.blocks:\n            x = block(x)\n"
CALL = "        x = run_halves(self.blocks, x)\n"

TAPE = """\
import tensorflow as tf

layers = [tf.keras.layers.Dense(4, activation="relu") for _ in range(8)]
optimizer = tf.keras.optimizers.SGD(0.1)

{decorator}
def step(x):
    with tf.GradientTape() as tape:
        y = x
        for layer in layers:
            y = layer(y)
        loss = tf.reduce_mean(y)
    variables = [v for layer in layers for v in layer.trainable_variables]
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


for _ in range(3):
    step(tf.ones((8, 4)))
"""


def keras(made: str = MADE, loop: str = LOOP) -> str:
    return KERAS.format(made=made, loop=loop)


def recomputed(text: str, options: Options = ALONE) -> Migration:
    found = migrate(text, options)
    assert not found.blocked, found.blocked
    return found


def test_the_loop_of_a_model_becomes_a_call() -> None:
    after = recomputed(keras()).after
    assert after.endswith(keras(loop=CALL).partition("class")[2])
    assert LAYER in after


def test_the_result_is_left_alone() -> None:
    once = recomputed(keras()).after
    assert recomputed(once).after == once
    assert recomputed(once, Options(recompute="sqrt")).after == migrate(once).after


def test_a_training_flag_is_passed_on() -> None:
    loop = LOOP.replace("block(x)", "block(x, training=training)")
    after = recomputed(keras(loop=loop)).after
    assert "def run_halves_training(layers, x, training):" in after
    assert "run_layer_training(layers[0], x, training) if layers else x" in after
    assert "y = layer(x, training=training)" in after
    assert "x = run_halves_training(self.blocks, x, training)" in after


def test_two_loops_share_one_function() -> None:
    after = recomputed(keras(loop=LOOP + LOOP)).after
    assert after.count("def run_halves(") == 1
    assert after.count("x = run_halves(self.blocks, x)\n") == 2


def test_what_stands_in_comments_stays() -> None:
    loop = LOOP.replace(":\n", ":  # deep\n            # one after another\n", 1)
    after = recomputed(keras(loop=loop)).after
    assert after.index("# deep") < after.index("# one after another") < after.index(CALL.strip())


def test_a_name_that_is_taken_is_not_used() -> None:
    after = recomputed(keras() + "run_halves = 1\n").after
    assert "def run_halves_1(layers, x):" in after
    assert "x = run_halves_1(self.blocks, x)" in after
    assert "return run_halves_1(layers[half:], x)" in after


def test_segments_are_written_where_they_are_asked_for() -> None:
    after = recomputed(keras(), ALONE._replace(recompute="sqrt")).after
    assert "x = run_segments(self.blocks, x)" in after
    assert "            x = run_layer(layer, x)\n" in after
    assert "run_halves" not in after


def test_the_name_of_tensorflow_is_that_of_the_file() -> None:
    text = keras().replace("tf.", "t.").replace("as tf", "as t")
    after = recomputed(text).after
    assert "t.recompute_grad(" in after
    assert "tf." not in after


def test_a_compiled_step_runs_layers_in_order_and_an_eager_one_does_anyway() -> None:
    compiled = recomputed(TAPE.format(decorator="@tf.function")).after
    assert LAYER in compiled
    assert "return run_layer(layers[0], x) if layers else x" in compiled
    eager = recomputed(TAPE.format(decorator="# eager")).after
    assert "custom_gradient" not in eager
    assert "return layers[0](x) if layers else x" in eager
    assert "y = run_halves(layers, y)" in eager


def test_a_decorated_function_keeps_its_decorators() -> None:
    after = recomputed(TAPE.format(decorator="@tf.function")).after
    assert "return run_halves(layers[half:], x)\n\n\n@tf.function\ndef step(x):" in after


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_ends_are_kept(end: str) -> None:
    after = recomputed(keras().replace("\n", end)).after
    assert after == recomputed(keras()).after.replace("\n", end)


def test_it_goes_together_with_the_rules_for_many_workers() -> None:
    both = recomputed(keras(), Options(recompute="halves"))
    assert both.steps[-1].code == RECOMPUTE
    assert both.after != migrate(keras()).after
    assert CALL in both.after
    assert "hvd.init()" in both.after
    # the same in two steps, in either order
    assert recomputed(migrate(keras()).after).after == both.after


def test_a_plain_migration_never_does_it() -> None:
    assert "run_halves" not in migrate(keras()).after
    assert "run_halves" not in migrate(keras(), Options(select=frozenset({"D101"}))).after


def test_alone_it_asks_nothing_that_is_about_many_workers() -> None:
    text = keras().replace('model.compile("sgd", "mse")', "model.compile(given(), 'mse')")
    assert migrate(text).blocked
    assert CALL in recomputed(text).after


@pytest.mark.parametrize(
    "loop",
    [
        "        x = [block(x) for block in self.blocks]\n",
        "        for block in self.blocks:\n            block.trainable = False\n",
        "        for block in self.blocks:\n            outputs.append(block(x))\n",
        "        for block in self.blocks:\n            y = block(x)\n",
        "        x = tf.recompute_grad(self.blocks[0])(x)\n" + LOOP,
        "        x = self.blocks[0](x)\n",
    ],
)
def test_where_nothing_is_handed_on_nothing_happens(loop: str) -> None:
    assert recomputed(keras(loop=loop)).after == keras(loop=loop)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (MADE.replace("range(depth)", "range(64)"), "of 64 outputs of layers about 7 are kept, and "
         "each layer is run 4.0 times forwards instead of once"),
        (MADE, "of t outputs of layers about 1 + log2 t are kept, and "
         "each layer is run 1 + ½ log2 t times forwards instead of once"),
    ],
)  # fmt: skip
def test_what_it_is_worth_is_told(made: str, message: str) -> None:
    (note,) = recomputed(keras(made)).notes
    assert (note.code, note.message) == (RECOMPUTE, message)


def test_what_segments_are_worth_is_told() -> None:
    options = ALONE._replace(recompute="sqrt")
    (note,) = recomputed(keras(MADE.replace("range(depth)", "range(16)")), options).notes
    assert note.message.startswith("of 16 outputs of layers about 7 are kept, and each layer is ru")


def test_few_layers_are_said_to_be_few() -> None:
    (note,) = recomputed(keras(MADE.replace("range(depth)", "range(3)"))).notes
    assert note.fix == "so few layers are hardly worth it"
    (note,) = recomputed(keras(MADE.replace("range(depth)", "range(16)"))).notes
    assert '"sqrt"' in note.fix


MODULE = """\
import tensorflow as tf

layers = [tf.keras.layers.Dense(4), tf.keras.layers.Dense(4)]
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.ones((8, 4))
{above}{indent}for layer in layers:
{indent}    x = layer(x)
optimizer.apply_gradients([])
"""


@pytest.mark.parametrize(
    ("above", "indent"),
    [
        ("", ""),
        ("if True:\n", "    "),
        ("with tf.GradientTape() as tape:\n", "    "),
        ("for _ in range(3):\n    with tf.GradientTape() as tape:\n", "        "),
        ("try:\n    pass\nfinally:\n", "    "),
        ("while True:\n", "    "),
    ],
)
def test_a_loop_of_the_module_itself(above: str, indent: str) -> None:
    found = recomputed(MODULE.format(above=above, indent=indent))
    assert f"\n{indent}x = run_halves(layers, x)\noptimizer" in found.after
    assert found.after.index("def run_halves") < found.after.index(above or "x = run_halves(l")
    assert "for layer in" not in found.after
    assert recomputed(found.after).after == found.after


def test_a_class_with_decorators_keeps_them_below_the_function() -> None:
    text = keras().replace(
        "class Network", "@tf.keras.utils.register_keras_serializable()\nclass Net"
    )
    text = text.replace("Network(8)", "Net(8)").replace("class Netwo", "class Net")
    after = recomputed(text).after
    assert after.index("def run_halves") < after.index("@tf.keras.utils.register")


def test_the_tape_of_a_layer_is_not_one_of_training() -> None:
    """Horovod averages the gradients that the optimizer applies, once."""
    text = TAPE.format(decorator="@tf.function")
    both, one_by_one = migrate(text, Options(recompute="halves")), migrate(recomputed(text).after)
    for found in (both, one_by_one):
        assert not found.blocked
        assert found.after.count("hvd.DistributedGradientTape(") == 1
        assert found.after.index("def step") < found.after.index("hvd.DistributedGradientTape(")
