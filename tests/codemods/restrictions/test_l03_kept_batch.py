"""What nobody has proved for `batch = "global"` is refused: forms by which a prover was misled."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

ASKED = Options(batch="global")
HEAD = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 4), "float32"), np.ones((64, 1), "float32")
opt = tf.keras.optimizers.SGD(0.1)


def dice(t, p):
    return 1 - 2 * tf.reduce_sum(t * p) / (tf.reduce_sum(t) + tf.reduce_sum(p))


def centred(t):
    return t - tf.reduce_mean(t, axis=0)


"""
FIT = (
    HEAD
    + """\
class Base(tf.keras.layers.Layer):
    pass


class Middle(Base):
    pass


{0}
model = tf.keras.Sequential([{1}tf.keras.layers.Dense(1)])
{2}
model.compile(opt, {3})
model.fit({4})
"""
)
LOOP = (
    HEAD
    + """\
ds = tf.data.Dataset.from_tensor_slices((x, y))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
keras = tf.keras.losses.MeanSquaredError()
seen = 0
for epoch in range(3):
    for a, b in ds.batch({0}):
        {1}
        with tf.GradientTape() as tape:
            p = model(a)
            loss = {2}
        grads = tape.gradient(loss, model.trainable_variables{3})
        {4}
        opt.apply_gradients(zip(grads, model.trainable_variables))
"""
)


def fit(
    own: str = "", layer: str = "", line: str = "", loss: str = '"mse"', data: str = "x, y"
) -> str:
    return FIT.format(own, layer and f"{layer}, ", line, loss, data)


def loop(
    loss: str = "keras(b, p)",
    size: str = "16",
    first: str = "pass",
    weighed: str = "",
    last: str = "pass",
) -> str:
    return LOOP.format(size, first, loss, weighed, last)


LAYERS, LOSSES = "tf.keras.layers", "tf.keras.losses"
MAPPED = "tf.data.Dataset.from_tensor_slices((x, y)).batch(16).map({})"
GRANDCHILD = """\
class Pull(Middle):
    def call(self, inputs):
        return centred(inputs)


"""
SUM_BY = "tf.reduce_sum(tf.square(p - b)) / {}"
COUNT = "tf.cast(tf.shape(p)[0], tf.float32)"
REFUSED = {
    # positional arguments of losses, and a reduction that is set later
    "reduction at the first place": fit(loss=f"{LOSSES}.MeanSquaredError({LOSSES}.Reduction.SUM)"),
    "a word at the first place": fit(loss=f'{LOSSES}.MeanSquaredError("sum")'),
    "an axis at the third place": fit(loss=f"{LOSSES}.CategoricalCrossentropy(True, 0., 0)"),
    "a reduction set later": fit(
        line=f'loss = {LOSSES}.MeanSquaredError()\nloss.reduction = "sum"', loss="loss"
    ),
    "a reduction set by setattr": fit(
        line=f'loss = {LOSSES}.MeanSquaredError()\nsetattr(loss, "reduction", "sum")', loss="loss"
    ),
    # lists and dictionaries that something else fills
    "a list that grows": fit(line="losses = []\nlosses.append(dice)", loss="losses"),
    "a list of one that grows": fit(line='losses = ["mse"]\nlosses.append(dice)', loss="losses"),
    "a dictionary that grows": fit(line='losses = {}\nlosses["out"] = dice', loss="losses"),
    "a dictionary that is made": fit(loss="dict(out=dice)"),
    "a list that another one holds": fit(
        line="losses = ['mse']\nothers = losses\nothers[0] = dice", loss="losses"
    ),
    # how many rows there are, in sums
    "n * n": loop(SUM_BY.format(f"({COUNT} * {COUNT})")),
    "sqrt(n)": loop(SUM_BY.format(f"tf.sqrt({COUNT})")),
    "n - 1": loop(SUM_BY.format(f"({COUNT} - 1)")),
    "len(p) - 1": loop(SUM_BY.format("(len(p) - 1)")),
    "a mean times n": loop(f"keras(b, p) * {COUNT}"),
    "a mean by n": loop(f"keras(b, p) / {COUNT}"),
    "the rows from behind": loop("keras(b, p) * p.shape[-2]"),
    # behind the tape
    "gradients times rows": loop(last="grads = [g * len(a) for g in grads]"),
    "gradients times a shape": loop(last="grads = [g * a.shape[0] for g in grads]"),
    "gradients times a size": loop(last="grads = [g * float(tf.size(a)) for g in grads]"),
    "gradients by rows": loop(last="grads = [g / len(a) for g in grads]"),
    "gradients by a counted batch": loop(last="grads = [g * sum(1 for _ in a) for g in grads]"),
    "gradients by another's shape": loop(
        last="grads = [g * getattr(a, 'shape')[0] for g in grads]"
    ),
    "one of the terms": loop("tf.reduce_mean(tf.keras.losses.mse(b, p)[..., 0])"),
    "output gradients": loop(weighed=", output_gradients=tf.constant(2.0)"),
    "output gradients by position": loop(weighed=", tf.constant(2.0)"),
    "a rate by rows": loop(last="opt.learning_rate.assign(0.1 * len(a))"),
    "a rate by a shape": loop(last="opt.learning_rate.assign(0.1 * float(tf.shape(a)[0]))"),
    "rows that end a loop": loop(
        first="seen += len(a)\n        if seen > 1500:\n            break"
    ),
    "a rate by rows seen": loop(
        first="seen += len(a)\n        opt.learning_rate = 0.1 * 0.5 ** (seen // 1000)"
    ),
    # along which axis
    "l2_normalize of tf.math": loop("tf.reduce_mean(tf.math.l2_normalize(p) * b)"),
    "l2_normalize of tf.nn": loop("tf.reduce_mean(tf.nn.l2_normalize(p) * b)"),
    "softmax along -2": loop("tf.reduce_mean(tf.nn.softmax(p, axis=-2) * b)"),
    "a sum along -2": loop("tf.reduce_mean(tf.reduce_sum(p * b, axis=-2))"),
    "a loss along 0": fit(loss=f"{LOSSES}.CategoricalCrossentropy(axis=0)"),
    "a loss function along 0": loop(
        f"tf.reduce_mean({LOSSES}.categorical_crossentropy(b, p, axis=0))"
    ),
    "Softmax along 0": fit(layer=f"{LAYERS}.Softmax(axis=0)"),
    "Softmax along 0 by position": fit(layer=f"{LAYERS}.Softmax(0)"),
    "UnitNormalization along 0": fit(layer=f"{LAYERS}.UnitNormalization(axis=0)"),
    # weights
    "sample weights": loop("keras(b, p, sample_weight=a[:, 0])"),
    "sample weights by position": loop("keras(b, p, a[:, 0])"),
    "hidden sample weights": loop("keras(b, p, **{'sample_weight': a[:, 0]})"),
    # shapes
    "expand_dims": loop("tf.reduce_mean(tf.reduce_sum(tf.expand_dims(p, 0), axis=1))"),
    "reshape": loop("tf.reduce_mean(tf.reduce_sum(tf.reshape(p, (4, -1)), axis=1))"),
    "concat": loop("tf.reduce_mean(tf.concat([p, tf.ones((1, 1))], 0))"),
    "stack": loop("tf.reduce_mean(tf.stack([p, b]))"),
    # functions that layers and data sets are given
    "an activation": fit(layer=f"{LAYERS}.Dense(4, activation=lambda t: t / tf.reduce_sum(t))"),
    "an activation by position": fit(layer=f"{LAYERS}.Dense(4, centred)"),
    "an Activation": fit(layer=f"{LAYERS}.Activation(centred)"),
    "an activation nobody knows": fit(
        own="import elsewhere\n", layer=f"{LAYERS}.Dense(4, activation=elsewhere.pull)"
    ),
    "a Lambda": fit(layer=f"{LAYERS}.Lambda(function=centred)"),
    "a Lambda of NumPy's": fit(layer=f"{LAYERS}.Lambda(tf.math.cumsum)"),
    "a map": fit(data=MAPPED.format("map_func=lambda a, b: (centred(a), b)")),
    "a map of another's": fit(data=MAPPED.format("map_func=tf.math.cumsum")),
    # classes
    "a grandchild": fit(own=GRANDCHILD, layer="Pull()"),
    "a class of another's": fit(
        own="import elsewhere\n\n\n" + GRANDCHILD.replace("Middle", "elsewhere.Layer"),
        layer="Pull()",
    ),
    "a call set later": fit(
        own="class P(Middle):\n    pass\n\n\nP.call = lambda self, t: centred(t)\n", layer="P()"
    ),
    "an activation set later": fit(line="model.layers[0].activation = centred"),
    "hidden arguments": fit(own="o = {'axis': 0}\n", layer=f"{LAYERS}.Softmax(**o)"),
    # sizes that are computed
    "a batch by a cardinality": loop(size="int(ds.cardinality()) // 10"),
    "a batch that is counted": loop(size="sum(1 for _ in ds) // 10"),
    "a batch by a length": loop(size="len(ds) // 10"),
    "a batch by rows": fit(data="x, y, batch_size=x.shape[0] // 10"),
    "a batch by a name": loop(size="size").replace("seen = 0", "size = len(x) // 10\nseen = 0"),
}
PROVED = {
    "a mean of Keras": loop(),
    "a sum by its rows": loop(SUM_BY.format(COUNT)),
    "flat": loop("tf.reduce_mean(tf.square(tf.reshape(p, (-1,)) - tf.reshape(b, [-1])))"),
    "one more axis": loop("tf.reduce_mean(tf.expand_dims(p - b, -1))"),
    "a softmax": loop("tf.reduce_mean(tf.nn.softmax(p) * b)"),
    "losses in a list": fit(line='losses = ["mse"]', loss="losses"),
    "an activation of TensorFlow's": fit(layer=f"{LAYERS}.Dense(4, activation=tf.nn.relu)"),
    "an activation by name": fit(layer=f'{LAYERS}.Dense(4, "relu")'),
    "an activation of one's own": fit(layer=f"{LAYERS}.Dense(4, activation=lambda t: t * 2.0)"),
    "a Softmax": fit(layer=f"{LAYERS}.Softmax()"),
    "all of the data": loop(first="total = len(x)"),
    "what stands behind rows": loop(first="width = a.shape[1]"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_proved_is_refused(name: str) -> None:
    found = migrate(REFUSED[name], ASKED)
    assert found.after == REFUSED[name]
    assert "L03" in [each.code for each in found.blocked]


@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved_is_written(name: str) -> None:
    found = migrate(PROVED[name], ASKED)
    assert not found.blocked, found.blocked
    assert "own_rows" in found.after
