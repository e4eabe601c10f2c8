"""What would be silently wrong, or fail, if layers were run again is refused by its code."""

from __future__ import annotations

import re

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE, Migration, Options

ALONE = Options(select=frozenset({RECOMPUTE}))
RUNS = {"run_halves", "loop_halves"}
HEAD = (
    "import tensorflow as tf\nfrom elsewhere import make, scale\nL = tf.keras.layers\nRATE = 2.0\n"
)
BLOCK = """
class Block(L.Layer):
    def __init__(self, width=4, given=None):
        super().__init__()
        self.norm = L.LayerNormalization()
        self.dense = L.Dense(width, "gelu")
        self.drop = L.Dropout(0.1)
        self.batch = L.BatchNormalization()
        self.given = given
        self.factor = 0.5
        self.act = tf.nn.relu
        self.scale = self.add_weight(shape=(), initializer="ones")
        self.count = tf.Variable(0.0, trainable=False)

    def call(self, x, training=None):
        {body}
"""
NETWORK = """
class Network({base}):
    def __init__(self):
        super().__init__()
        {made}

    def call(self, x, training=None, mask=None, given=None):
        {loop}
        return x
"""
TRAIN = (
    "model = Network()\nmodel.compile('sgd', 'mse')\nmodel.fit(tf.ones((8, 4)), tf.ones((8, 4)))\n"
)

MADE = "self.blocks = [Block() for _ in range(8)]"
LOOP = "for block in self.blocks:\n            x = block(x)"
BODY = "return x + self.dense(self.norm(x))"


def codes(
    body: str = BODY,
    made: str = MADE,
    loop: str = LOOP,
    more: str = "",
    base: str = "tf.keras.Model",
) -> list[str]:
    """The codes that refuse a program, each once; without any it must be rewritten."""
    network = NETWORK.format(made=made, loop=loop, base=base)
    text = HEAD + BLOCK.format(body=body) + network + TRAIN + more
    found = migrate(text, ALONE)
    assert found.blocked or RUNS & set(re.findall(r"\b(run_halves|loop_halves)\(", found.after))
    return sorted({finding.code for finding in found.blocked})


@pytest.mark.parametrize(
    "body",
    [
        BODY,
        "return x",
        "h = self.norm(x)\n        h = self.dense(h)\n        return x + h",
        "return x + tf.nn.gelu(self.dense(x))",
        "return self.act(self.dense(x)) * self.factor",
        "return tf.reshape(self.dense(x), tf.shape(x)) * self.scale",
        "return tf.reshape(self.dense(x), (-1, x.shape[1])) * RATE",
        "'A block.'\n        a, b = tf.split(x, 2, axis=-1)\n        return tf.concat([b, a], -1)",
        "return self.dense(x, training=training)",
    ],
)
def test_layers_of_one_s_own_that_are_the_same_each_time_are_accepted(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize(
    "made",
    [
        "self.blocks = [L.Dense(4), L.LayerNormalization(), L.Dense(4, activation='tanh')]",
        "self.blocks = (L.Dense(4), L.ReLU())",
        "self.blocks = []\n        for _ in range(4):\n            self.blocks.append(Block())",
        "self.blocks = [tf.keras.Sequential([L.Dense(4), L.ReLU()]) for _ in range(3)]",
        "self.blocks = [L.Dense(4, kernel_regularizer='l2', name=f'd{i}') for i in range(3)]",
        "self.first = L.Dense(4)\n        self.blocks = [self.first, Block(8)]",
        "self.blocks = [L.Dense(4, tf.nn.relu, activity_regularizer=None) for _ in range(3)]",
    ],
)
def test_lists_in_sight_are_accepted(made: str) -> None:
    assert codes(made=made) == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return x + tf.random.gamma(tf.shape(x), 1.0)", "C01"),
        ("return tf.nn.dropout(x, 0.1, seed=3)", "C01"),
        ("return tf.nn.dropout(x, 0.1, None)", "C01"),
        ("self.count.assign_add(1.0)\n        return x", "C02"),
        ("self.add_loss(tf.reduce_sum(x))\n        return x", "C02"),
        ("self.add_metric(tf.reduce_sum(x), 'sum')\n        return x", "C02"),
        ("return x + self.given", "C03"),
        ("return x * scale", "C03"),
        ("return x if training else self.dense(x)", "C05"),
        ("if training:\n            x = self.dense(x)\n        return x", "C05"),
        ("for _ in range(2):\n            x = self.dense(x)\n        return x", "C05"),
        ("return scale(x)", "C05"),
        ("return self.given(x)", "C05"),
        ("print(x)\n        return x", "C05"),
        ("self.last = x\n        return x", "C05"),
        ("return self.norm.gamma * x", "C05"),
        ("return self.missing(x)", "C05"),
        ("return (lambda y: y)(x)", "C05"),
    ],
)
def test_what_a_layer_of_one_s_own_may_not_do(body: str, code: str) -> None:
    assert codes(body) == [code]


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ("self.blocks = [L.Dense(4), L.SpatialDropout1D(0.5)]", "C01"),
        ("self.blocks = [L.Dropout(0.5, seed=i) for i in range(4)]", "C01"),
        ("self.blocks = [L.GaussianDropout(0.5)]", "C01"),
        ("self.blocks = [L.MultiHeadAttention(2, 4, dropout=0.1)]", "C01"),
        ("self.blocks = [L.Dense(4), L.BatchNormalization(synchronized=True)]", "C02"),
        ("self.blocks = [tf.keras.Sequential([L.SyncBatchNormalization()])]", "C02"),
        ("self.blocks = [L.Dense(4, activity_regularizer='l2')]", "C02"),
        ("self.blocks = [L.LSTM(4)]", "C05"),
        ("self.blocks = make()", "C05"),
        ("self.blocks = [make() for _ in range(3)]", "C05"),
        ("self.blocks = [L.Dense(4), *make()]", "C05"),
        ("self.blocks = [L.Dense(4)] * 3", "C05"),
        ("self.blocks = [L.Dense(**RATE)]", "C05"),
        ("self.blocks = [L.Dense(4, activation=scale)]", "C05"),
        ("self.blocks = [L.Dense(4)]\n        self.blocks.insert(0, make())", "C05"),
        ("self.blocks = [L.Dense(4)]\n        self.blocks += make()", "C05"),
        ("self.blocks = [L.Dense(4)]\n        self.blocks[0] = make()", "C05"),
        ("self.blocks = [L.Dense(4)]\n        make(self.blocks)", "C05"),
        ("self.blocks = [L.Dense(4)]\n        setattr(self, 'blocks', make())", "C05"),
        ("self.blocks = [L.Dense(4, dtype='float16')]", "C08"),
    ],
)
def test_which_lists_are_refused(made: str, code: str) -> None:
    assert codes(made=made) == [code]


@pytest.mark.parametrize(
    ("loop", "code"),
    [
        (LOOP.replace("block(x)", "block(x, given)"), "C03"),
        (LOOP.replace("block(x)", "block(x, mask=given)"), "C03"),
        (LOOP + "\n            if mask: break", "C04"),
        (LOOP + "\n            print(x)", "C04"),
        (LOOP + "\n        else:\n            x = tf.nn.relu(x)", "C04"),
        (LOOP + "\n        x = block(x)", "C04"),
        (LOOP.replace("in self.blocks", "in make()"), "C04"),
        (LOOP + "\n            self.last = x", "C04"),
    ],
)
def test_which_loops_are_refused(loop: str, code: str) -> None:
    assert codes(loop=loop) in ([code], ["C04"])


@pytest.mark.parametrize(
    "loop",
    [
        LOOP.replace("block(x)", "x + block(x)"),
        LOOP.replace("block(x)", "tf.nn.relu(block(x))"),
        LOOP.replace("block(x)", "block(x, mask=mask)"),
        LOOP.replace("in self.blocks", "in self.blocks[1:]"),
    ],
)
def test_loops_that_do_more_become_steps(loop: str) -> None:
    assert codes(loop=loop) == []


NESTED = """
def penalty(model, x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = model(x)
        g = inner.gradient(y, x)
    return outer.gradient(g, x)
"""
NESTED_BY_CALL = """
def inner(model, x):
    with tf.GradientTape() as tape:
        y = model(x)
    return tape.gradient(y, x)


def outer(model, x):
    with tf.GradientTape() as tape:
        g = inner(model, x)
    return tape.gradient(g, x)
"""

STEP = """
def step(x, a, b):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    {}


def update(tape, y, v):
    model.optimizer.apply_gradients(zip(tape.gradient(y, v), v))


def gradient(tape, y, v):
    return tape.gradient(y, v)
"""
APPLY = "model.optimizer.apply_gradients(zip({}, v))"


def in_step(*lines: str) -> str:
    return STEP.format("\n    ".join(lines))


LATE = (
    in_step("g = tape.gradient(y, a)", APPLY.format("g"), "h = tape.gradient(y, b)"),
    in_step(APPLY.format("tape.gradient(y, a)"), APPLY.format("tape.gradient(y, b)")),
    in_step("update(tape, y, a)", "update(tape, y, b)"),
    in_step("update(tape, y, a)", "g = gradient(tape, y, b)"),
    in_step("a[0].assign_sub(tape.gradient(y, a[0]))", "g = tape.gradient(y, b)"),
    in_step(
        "model.optimizer.minimize(y, a, tape=tape)", "model.optimizer.minimize(y, b, tape=tape)"
    ),
)
IN_TIME = (
    in_step("g, h = tape.gradient(y, a), tape.gradient(y, b)", APPLY.format("g"), APPLY.format("h")),
    in_step(APPLY.format("tape.gradient(y, a)")),
    in_step("update(tape, y, a)", "with tf.GradientTape() as tape:", "    y = model(x)",
            "update(tape, y, b)"),
    in_step("update(tape, y, a)", "with tf.GradientTape() as other:", "    y = model(x)",
            "g = other.gradient(y, b)"),
    in_step("for v in (a, b):", "    with tf.GradientTape() as tape:", "        y = model(x)",
            "    update(tape, y, v)"),
)  # fmt: skip


@pytest.mark.parametrize("more", LATE)
def test_a_gradient_behind_an_update_is_refused(more: str) -> None:
    assert codes(more=more) == ["C10"]


@pytest.mark.parametrize("more", IN_TIME)
def test_a_gradient_before_the_update_is_not(more: str) -> None:
    assert codes(more=more) == []


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (NESTED, "C06"),
        (NESTED_BY_CALL, "C06"),
        (NESTED.replace("as inner", "as inner, tf.GradientTape() as third"), "C06"),
        ("model.compile('sgd', 'mse', jit_compile=True)\n", "C07"),
        ("step = tf.function(model, jit_compile=RATE)\n", "C07"),
        ("tf.config.optimizer.set_jit(True)\n", "C07"),
        ("tf.keras.mixed_precision.set_global_policy('mixed_float16')\n", "C08"),
        ("@tf.custom_gradient\ndef f(x):\n    return x, scale\n", "C08"),
        ("strategy = tf.distribute.MirroredStrategy()\n", "C09"),
        ("tf.compat.v1.disable_eager_execution()\n", "C09"),
        ("e = L.Embedding(8, 4, mask_zero=True)\n", "C03"),
    ],
)
def test_what_else_in_the_program_is_refused(more: str, code: str) -> None:
    assert codes(more=more) == [code]


@pytest.mark.parametrize(
    "more",
    [
        "model.compile('sgd', 'mse', jit_compile=False)\n",
        "tf.compat.v1.logging.set_verbosity(0)\n",
        "e = L.Embedding(8, 4, mask_zero=False)\n",
        NESTED_BY_CALL.replace("g = inner(", "g = scale("),
        "i = tf.keras.Input([4])\nother = tf.keras.Model(i, L.Dense(1)(i))\n",
        "for layer in make():\n    layer.trainable = False\n",
        "class Other(L.Layer):\n    def __init__(self):\n        self.blocks = make()\n",
    ],
)
def test_what_else_in_the_program_is_no_matter(more: str) -> None:
    assert codes(more=more) == []


def test_a_model_of_an_unknown_class_may_call_its_layers_on_anything() -> None:
    more = "i = tf.keras.Input([4])\n"
    assert codes(base="make()", more=more) == ["C09"]


def test_keras_3_is_refused_unless_the_rules_for_horovod_ask_for_keras_2() -> None:
    text = HEAD + BLOCK.format(body=BODY)
    text += NETWORK.format(made=MADE, loop=LOOP, base="tf.keras.Model") + TRAIN
    alone = migrate(text, ALONE._replace(tensorflow=(2, 18), keras="legacy"))
    assert [finding.code for finding in alone.blocked] == ["C08"]
    both = migrate(text, Options(recompute="halves", tensorflow=(2, 18), keras="legacy"))
    assert not both.blocked
    assert "run_halves(self.blocks, x)" in both.after
    keras_3 = migrate(text, Options(recompute="halves", tensorflow=(2, 18)))
    assert [finding.code for finding in keras_3.blocked] == ["C08"]


def test_without_a_name_for_tensorflow_there_is_none_to_call() -> None:
    text = HEAD.replace("import tensorflow as tf", "from tensorflow import keras")
    text += "blocks = [keras.layers.Dense(4)]\nx = 1\nfor block in blocks:\n    x = block(x)\n"
    text = text.replace("tf.keras", "keras") + "keras.Sequential([]).fit(x)\n"
    assert "C09" in [finding.code for finding in migrate(text, ALONE).blocked]


CELL = """import tensorflow as tf

cell = tf.keras.layers.{cell}
COUNT = {number}


def network(x, n):
    h = tf.zeros([16, 8])
    {loop}
    return h


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(network(tf.ones([16, 128, 8]), 128))
tf.keras.optimizers.SGD(0.1).apply_gradients(
    zip(tape.gradient(loss, cell.trainable_variables), cell.trainable_variables)
)
"""
TIMES, EACH = "for t in range(x.shape[1]):", "h, _ = cell(x[:, t], [h])"


def in_time(loop: str, cell: str = "GRUCell(8)", number: str = "9") -> Migration:
    return migrate(CELL.format(loop=loop, cell=cell, number=number), ALONE)


@pytest.mark.parametrize(
    "loop",
    [
        f"{TIMES} {EACH}",
        "for t in range(12): h, _ = cell(x[:, t], [h])",
        "for t in range(COUNT): h, rest = cell(x[:, t, :], [h])",
        "for t in range(x.shape[0]): h, _ = cell(x[t], [h])",
        f"{TIMES} {EACH}\n    for t in range(2): h, _ = cell(x[:, t], [h])\n    t = h",
    ],
)
def test_steps_of_time_that_do_nothing_else_are_rewritten(loop: str) -> None:
    found = in_time(loop)
    assert not found.blocked
    assert "h = run_steps(lambda x, h: cell(x, [h])[0], tf.unstack(x" in found.after
    assert "for t" not in found.after
    assert migrate(found.after, ALONE).after == found.after


@pytest.mark.parametrize(
    "loop",
    [
        f"{TIMES}\n        {EACH}\n        print(t)",  # more than that
        f"{TIMES} h, rest = cell(x[:, t], [h])\n    h = h + rest[0]",
        f"{TIMES} {EACH}\n    else: h = -h",
        f"{TIMES} {EACH}\n    h = h * t",
    ],
)
def test_steps_of_time_that_leave_their_loop_are_refused(loop: str) -> None:
    found = in_time(loop)
    assert {each.code for each in found.blocked} == {"C04"}
    assert found.after == found.before


@pytest.mark.parametrize(
    "loop",
    [
        f"{TIMES} h, _ = cell(x[:, t] * t, [h])",
        f"{TIMES} h, _ = cell(x[:, t + 1], [h])",
        f"{TIMES} h, _ = cell(x[:, :, t], [h])",
        f"{TIMES} h, _ = cell(x[:, t], [h], training=True)",
        f"{TIMES.replace('x.shape[1]', 'n')} {EACH}",
        f"{TIMES.replace('x.shape[1]', '1, 9')} {EACH}",
        f"{TIMES.replace('x.shape[1]', 'x.shape[0]')} {EACH}",
    ],
)
def test_steps_of_time_in_another_form_are_steps_of_a_loop(loop: str) -> None:
    found = in_time(loop)
    assert not found.blocked
    assert "def one_step(t, h):\n" in found.after
    assert "h = loop_halves(one_step, range(" in found.after


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("GRUCell(8, dropout=0.1)", "C01"),
        ("GRUCell(8, recurrent_dropout=0.1)", "C01"),
        ("SimpleRNNCell(8, activation=print)", "C05"),
    ],
)
def test_a_cell_that_may_not_be_run_again_is_refused(cell: str, code: str) -> None:
    found = in_time(f"{TIMES} {EACH}", cell)
    assert {each.code for each in found.blocked} == {code}


def test_a_loop_that_trains_is_none_over_time() -> None:
    loop = "for t in range(9): loss = network(x[t], n)"
    assert not in_time(loop).blocked


def test_it_is_said_what_the_sigmoid_of_keras_keeps() -> None:
    (told,) = in_time(f"{TIMES} {EACH}").notes
    assert "of t outputs of steps about 1 + log2 t are kept" in told.message
    assert "never frees" in told.message
    assert told.fix.startswith("recurrent_activation=tf.sigmoid")
    (told,) = in_time("pass").notes
    assert "no loop runs this cell" in told.message
    assert not [told for told in migrate(in_time("pass").before).notes if "cell" in told.message]


def test_a_stateless_mask_is_refused_too() -> None:
    drop = "return tf.nn.experimental.stateless_dropout(x, 0.5, seed=(1, 2))"
    assert codes(drop) == ["C01"]
