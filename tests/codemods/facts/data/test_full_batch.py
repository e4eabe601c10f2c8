"""Every step takes all of the data: nothing is shared out, no rate is scaled, and a note says so."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf
import pylib
x, y = tf.constant(pylib.x), tf.constant(pylib.y)
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(0.1)
"""
STEP = """\
def step(a):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(a) - y))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    return loss
"""
FULL = [
    "for epoch in range(9):\n    print(epoch, float(step(x)))\n",
    "for epoch in tf.range(9):\n    loss = step(x)\n    if epoch % 10 == 0:\n        print(loss.numpy())\n",
    "n = 0\nwhile n < 9:\n    n += 1\n    step(x)\n",
    "parts = {'a': x}\nfor k in range(9):\n    step(sum(parts[k] for k in parts))\n",
    "losses = []\nfor epoch in range(9):\n    losses.append(step(x).numpy())\n",
]
CHANGING = [
    "for i in range(9):\n    step(x[i * 4 : i * 4 + 4])\n",
    "for i in range(9):\n    k = i * 4 % 8\n    end = k + 4\n    step(x[k:end])\n",
    "for i in range(9):\n    step(pylib.batch())\n",
    "def part(k):\n    return x[k * 4 : k * 4 + 4]\n\n\nfor i in range(9):\n    step(part(i))\n",
    "for i in range(9):\n    step(x[np.random.randint(9)])\n",
    "for i in range(9):\n    step(tf.random.normal([4, 4]))\n",
    "it = iter(pylib.data)\nfor i in range(9):\n    step(next(it))\n",
    "for a in pylib.data:\n    step(a)\n",
    "for i in range(9):\n    step(tf.stack([x[k] for k in range(i, i + 4)]))\n",
    "for i in range(9):\n    step(tf.stack([x[i + k] for k in range(4)]))\n",
    "i = 0\nwhile i < 9:\n    i += 1\n    step(x[i])\n",
    "for i in range(9):\n    step(tf.constant(np.load(f'{i}.npy')))\n",
]


@pytest.mark.parametrize("loop", FULL)
def test_a_full_batch_is_said_to_be_one_and_its_rate_stays(loop: str) -> None:
    found = migrate(HEAD + STEP + loop)
    notes = [note.message for note in found.notes if note.code == "D107"]
    assert len(notes) == 1
    assert "nothing to share out" in notes[0]
    assert "Adam(0.1)" in found.after
    assert "DistributedGradientTape" in found.after


@pytest.mark.parametrize("loop", CHANGING)
def test_where_a_step_may_take_other_data_the_rate_is_scaled(loop: str) -> None:
    found = migrate(HEAD + STEP + loop)
    assert not [note for note in found.notes if "nothing to share out" in note.message]
    assert "Adam(0.1 * hvd.size())" in found.after


# ------------------------------------------------------------------------- in `fit`

FIT = """\
import numpy as np
import tensorflow as tf
import pylib
x, y = np.array(pylib.x), np.array(pylib.y)
few = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
COMPILE = "net.compile(tf.keras.optimizers.SGD(0.1), 'mse')\n"
FULL_FITS = [
    "net.fit(x, y, batch_size=len(x))\n",
    "n = x.shape[0]\nnet.fit(x, y, batch_size=n, epochs=9)\n",
    "options = dict(batch_size=len(x))\nnet.fit(x, y, **options)\n",
    "net.fit(few, np.array([0, 1, 1, 0]), epochs=500)\n",
    "net.fit(few, np.array([0, 1, 1, 0]), batch_size=4)\n",
    "net.fit(x, y, batch_size=len(x))\nnet.fit(few, np.array([0, 1, 1, 0]))\n",
]
SMALLER = [
    "net.fit(x, y)\n",
    "net.fit(x, y, batch_size=len(x) // 2)\n",
    "net.fit(x, y, batch_size=len(few))\n",
    "net.fit(x, y, batch_size=x.shape[1])\n",
    "n = len(x)\nx = np.array(pylib.more)\nnet.fit(x, y, batch_size=n)\n",
    "net.fit(few, np.array([0, 1, 1, 0]), batch_size=2)\n",
    "net.fit(np.array([*pylib.x, 1]), y)\n",
    "net.fit(x, y, batch_size=len(x))\nnet.fit(x, y)\n",
    "net.fit(x, y, batch_size=len(x), steps_per_epoch=9)\n",
    "net.fit(x, y, **pylib.options(len(x)))\n",
    "for k in range(3):\n    x = np.array(pylib.x[k])\n    net.fit(x, y, batch_size=n if k else 8)\n    n = len(x)\n",
]


def told(after: str, notes: object) -> list[str]:
    return [note.message for note in notes if note.code == "D104"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("fit", SMALLER)
def test_the_rate_of_fits_that_take_several_steps_is_scaled(fit: str) -> None:
    found = migrate(FIT + COMPILE + fit)
    text = found.after or ""
    assert "SGD(0.1 * hvd.size())" in text or found.blocked
    assert not told(text, found.notes)


@pytest.mark.parametrize("fit", FULL_FITS)
def test_a_fit_that_takes_all_in_one_step_keeps_its_rate_and_shares_its_batch(fit: str) -> None:
    found = migrate(FIT + COMPILE + fit)
    assert "SGD(0.1)" in found.after
    assert "[shard]" in found.after
    assert all("every step takes all" in message for message in told(found.after, found.notes))
    assert told(found.after, found.notes)


def test_an_optimizer_by_name_keeps_the_rate_of_its_class() -> None:
    found = migrate(FIT + "net.compile('adam', 'mse')\nnet.fit(x, y, batch_size=len(x))\n")
    assert "optimizer = tf.keras.optimizers.Adam()\n" in found.after


def test_weights_that_are_set_back_change_no_data() -> None:
    loop = (
        "start = net.get_weights()\nfor k in range(3):\n    net.set_weights(start)\n    step(x)\n"
    )
    found = migrate(HEAD + STEP + loop)
    assert "nothing to share out" in found.notes[0].message
    assert "Adam(0.1)" in found.after


# ------------------------------------------------------------------------- in a session

SESSION = """\
import numpy as np
import tensorflow.compat.v1 as tf
import pylib
data = np.array(pylib.x)
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.random_normal([3, 1]))
loss = tf.reduce_mean(tf.matmul(x, w) ** 2)
train = tf.train.AdamOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(9):
"""
NOISE = ("loss = tf.reduce_mean(", "loss = tf.random_normal([]) * tf.reduce_mean(")
FED = [
    "    sess.run(train, {x: data})\n",
    "    _, value = sess.run([train, loss], feed_dict={x: data})\n    print(i, value)\n",
    "    train.run({x: data}, sess)\n",
]
FED_OTHERWISE = [
    "    sess.run(train, {x: data[i : i + 4]})\n",
    "    sess.run(train, {x: pylib.batch(i)})\n",
    "    for part in pylib.parts:\n        sess.run(train, {x: part})\n",
    "    np.random.shuffle(data)\n    sess.run(train, {x: data[:4]})\n",
]


def fed(text: str) -> tuple[bool, bool]:
    """Whether all of the data is shared out, and whether the rate is scaled."""
    found = migrate(text)
    assert found.blocked == ()
    notes = [note.message for note in found.notes if note.code == "D107"]
    assert len(notes) == ("share(" not in found.after and "[shard]" not in found.after)
    return "data[shard]" in found.after, "Optimizer(0.1 * hvd.size())" in found.after


@pytest.mark.parametrize("run", FED)
def test_a_session_that_is_fed_all_of_it_keeps_its_rate(run: str) -> None:
    assert fed(SESSION + run) == (True, False)


@pytest.mark.parametrize("run", FED_OTHERWISE)
def test_a_session_that_may_be_fed_other_data_is_scaled(run: str) -> None:
    assert fed(SESSION + run) == (False, True)


def test_a_graph_that_draws_in_each_step_is_another_one_on_each_worker() -> None:
    assert fed(SESSION.replace(*NOISE) + FED[0]) == (False, True)
