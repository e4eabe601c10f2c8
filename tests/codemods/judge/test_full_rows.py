"""Steps on all of the data: an Nth of the rows for each worker, or nothing to share out."""

from __future__ import annotations

from textwrap import indent

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(100, 3).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
"""
STEP = """\
    with tf.GradientTape() as tape:
        loss = LOSS
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
"""
MEAN = "tf.reduce_mean((model(x) - y) ** 2)"


def loop(loss: str = MEAN, head: str = HEAD) -> str:
    return f"{head}for n in range(9):\n{STEP.replace('LOSS', loss)}    print(n, float(loss))\n"


def shared(text: str) -> str:
    found = migrate(text)
    assert "shard = slice(hvd.rank(), len(" in found.after, found.blocked
    assert "workers can't share out {len(" in found.after
    assert "0.1 * hvd" not in found.after
    assert not [note for note in found.notes if note.code == "D107"]
    return found.after


def why(text: str) -> str:
    found = migrate(text)
    messages = [v.message for v in found.blocked if v.code == "J08"]
    assert len(messages) == 1, found
    return messages[0]


@pytest.mark.parametrize(
    ("loss", "cut"),
    [
        (MEAN, "tf.reduce_mean((model(x[shard]) - y[shard]) ** 2)"),
        ("tf.reduce_mean(tf.keras.losses.mse(y, model(x)))", "mse(y[shard], model(x[shard]))"),
        ("tf.keras.losses.MeanSquaredError()(y, model(x))", "(y[shard], model(x[shard]))"),
        ("tf.reduce_mean(tf.abs(model(x)))", "model(x[shard])"),
    ],
)
def test_each_worker_takes_its_rows_of_a_full_batch(loss: str, cut: str) -> None:
    assert cut in shared(loop(loss))


def test_rows_that_a_step_is_given_are_cut_at_the_call() -> None:
    step = "@tf.function\ndef step(a, b):\n" + STEP.replace(
        "LOSS", "tf.reduce_mean((model(a) - b) ** 2)"
    )
    text = f"{HEAD}\n\n{step}    return loss\n\n\nfor n in range(9):\n    step(x, y)\nprint(model(x))\n"
    after = shared(text)
    assert "    step(x[shard], y[shard])" in after
    assert "result = model(x)\n" in after  # what is shown is of all of them


def test_a_loss_that_minimize_calls_reads_its_rows() -> None:
    cost = f"\n\ndef cost():\n    return {MEAN}\n\n\n"
    steps = "for n in range(9):\n    optimizer.minimize(cost, model.trainable_variables)\n"
    build = "model.build((None, 3))\n"
    assert "(model(x[shard]) - y[shard])" in shared(HEAD + build + cost + steps)
    # Elsewhere it is asked for the loss of all.
    assert "nothing to share out" in why(HEAD + build + cost + steps + "print(cost())\n")


@pytest.mark.parametrize(
    ("loss", "reason"),
    [
        ("tf.reduce_sum((model(x) - y) ** 2)", "sum over the rows"),
        ("tf.reduce_sum((model(x) - y) ** 2) / 100", "divided by a number that stays"),
        ("tf.reduce_mean(tf.matmul(model(x), model(x), transpose_b=True))", "couples the rows"),
        ("tf.reduce_mean((model(x) - other) ** 2)", "have a row of each example"),
        ("elsewhere(model(x), y)", "nobody can tell"),
    ],
)
def test_where_a_share_is_none_it_is_said(loss: str, reason: str) -> None:
    head = HEAD.replace("model =", "other = np.ones((3, 1), 'float32')\nmodel =")
    found = why(loop(loss, "from lib import elsewhere\n" + head))
    assert "there is nothing to share out" in found or "elsewhere" in loss
    assert reason in found


def test_a_graph_is_refused() -> None:
    head = HEAD.replace("model =", "near = (np.random.rand(100, 100) > 0.9) * 1.0\nmodel =")
    assert "couples the rows" in why(loop("tf.reduce_mean((near @ model(x) - y) ** 2)", head))


def test_one_picture_is_refused() -> None:
    head = HEAD.replace(".rand(100, 3)", ".rand(1, 3)")
    assert "nothing to share out" in why(loop(MEAN, head))


def test_a_person_keeps_the_rate_and_all_rows() -> None:
    text = loop("tf.reduce_sum((model(x) - y) ** 2)")
    kept = text.replace("SGD(0.1)", "SGD(0.1)  # distify: rate=kept")
    found = migrate(kept)
    assert "shard" not in found.after
    assert [note.code for note in found.notes] == ["D107"]
    assert "as `# distify: rate=kept` says" in found.notes[0].message


def test_without_data_there_is_only_a_note() -> None:
    text = loop("(model(tf.ones((2, 3))) ** 2)[0, 0]")
    found = migrate(text)
    assert [note.code for note in found.notes] == ["D107"]


SESSION = """\
import numpy as np
import tensorflow.compat.v1 as tf

x = [[1.0, 2.0], [2.0, 3.0], [3.0, 1.0], [4.0, 3.0]]
y = [[0.0], [0.0], [1.0], [1.0]]
X = tf.placeholder(tf.float32, shape=[None, 2])
Y = tf.placeholder(tf.float32, shape=[None, 1])
keep = tf.placeholder(tf.float32)
W = tf.Variable(tf.zeros([2, 1]))
cost = LOSS
train = tf.train.GradientDescentOptimizer(0.01).minimize(cost)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for step in range(201):
    c, _ = sess.run([cost, train], {X: x, Y: y, keep: 0.5})
    print(step, c)
print(sess.run(cost, {X: x, Y: y, keep: 1.0}))
"""
ERRORS = "tf.square(tf.matmul(X, W) - Y)"


def test_what_a_session_is_fed_is_shared() -> None:
    after = shared(SESSION.replace("LOSS", f"tf.reduce_mean({ERRORS}) * keep"))
    assert "{X: x[shard], Y: y[shard], keep: 0.5}" in after
    assert "{X: x, Y: y, keep: 1.0}" in after


def test_a_sum_that_a_session_is_fed_is_not() -> None:
    assert "sum over the rows" in why(SESSION.replace("LOSS", f"tf.reduce_sum({ERRORS})"))


def test_one_number_of_each_row_meets_rows_with_an_axis_more_all_by_all() -> None:
    flat = HEAD.replace("axis=1, keepdims=True", "axis=1")
    assert "couples the rows" in why(loop(MEAN, flat))
    assert "couples the rows" in why(loop("tf.reduce_mean(tf.keras.losses.mse(y, model(x)))", flat))
    shared(loop("tf.reduce_mean((model(x)[:, 0] - y) ** 2)", flat))
    shared(loop("tf.keras.losses.MeanSquaredError()(y, model(x))", flat))  # Keras makes them alike
    feeds = SESSION.replace("LOSS", f"tf.reduce_mean({ERRORS})").replace(
        "shape=[None, 1]", "[None]"
    )
    assert "couples the rows" in why(feeds)


@pytest.mark.parametrize(
    ("made", "loss"),
    [
        ("z = tf.Variable(tf.zeros((100, 3)))", "tf.reduce_mean((model(z) - y) ** 2)"),
        ("z = tf.Variable(x)", "tf.reduce_mean((model(z) - y) ** 2)"),
        ("z = tf.Variable(tf.ones((len(x), 1)))", "tf.reduce_mean(z * (model(x) - y) ** 2)"),
        ("z = tf.Variable(start())", "tf.reduce_mean(z * (model(x) - y) ** 2)"),
    ],
)
def test_what_is_trained_may_have_a_row_of_each_example(made: str, loss: str) -> None:
    assert "nobody can tell" in why(loop(loss, f"from lib import start\n{HEAD}{made}\n"))


def test_data_that_is_written_into_a_step_is_no_constant_beside_a_share() -> None:
    step = "def cost():\n    given = tf.constant([[1.0, 2.0], [2.0, 3.0]])\n"
    step += "    return tf.reduce_mean((model(given) - y) ** 2)\n"
    head = HEAD.replace("x.sum(axis=1, keepdims=True)", "tf.constant([[1.0], [2.0]])")
    assert "nobody can tell" in why(loop("cost()", head + step))


def test_tensors_that_are_written_out_are_data() -> None:
    head = HEAD.split("x = ")[0] + (
        "x = tf.constant([[1.0], [2.0], [3.0]])\ny = tf.constant([[1.0], [2.0], [3.0]])\n"
        "w = tf.Variable(tf.zeros([1, 1]))\nb = tf.Variable(tf.zeros([1]))\n"
        "optimizer = tf.keras.optimizers.SGD(0.1)\n"
    )
    errors = "(tf.matmul(x, w) + b - y) ** 2"
    found = loop(f"tf.reduce_sum({errors})", head).replace("model.trainable_variables", "[w, b]")
    assert "sum over the rows" in why(found)
    shared(found.replace("reduce_sum", "reduce_mean"))


@pytest.mark.parametrize(
    "more",
    [
        "    print(np.mean(pred.numpy() - y))\n",
        "    right = pred.numpy() > 0.5\n    print(np.mean(right == y))\n",
        "    print(np.mean(pred.numpy() - truth))\n",
        "    print(np.mean(np.argmax(pred, 1) == labels))\n",
        '    np.save("predicted", pred)\n',
        "print(np.mean(pred - y))\n",
        'np.save("predicted", pred)\n',
    ],
)
def test_what_is_computed_of_a_share_does_not_meet_all_rows(more: str) -> None:
    text = loop().replace("        loss =", "        pred = model(x)\n        loss =")
    text = text.replace("(model(x)", "(pred")
    made = "truth = y\nlabels = np.argmax(y, axis=1)\nmodel ="
    text = text.replace("model =", made, 1)
    shared(text)
    assert "where it meets those of all" in why(text + more)


def test_what_an_object_keeps_of_a_share_does_not_meet_all_rows() -> None:
    taken = STEP.replace("LOSS", "tf.reduce_mean((pred - y) ** 2)")
    taken = taken.replace("        loss", "        pred = model(x)\n        loss", 1)
    step = "class Steps:\n    def step(self, x, y):\n" + indent(taken, "    ")
    rest = "\n\nsteps = Steps()\nfor n in range(9):\n    steps.step(x, y)\n"
    kept = step + "        self.pred = pred\n" + rest
    shared(HEAD + step + rest)
    assert "where it meets those of all" in why(HEAD + kept + "print(np.mean(steps.pred - y))\n")


def test_what_a_step_makes_of_so_many_rows_is_no_share() -> None:
    text = loop("tf.reduce_mean((model(x) - y) ** 2 * ones[:, :])")
    text = text.replace("    with", "    ones = tf.ones((100, 1))\n    with", 1)
    assert "nobody can tell" in why(text)


def test_what_a_session_fetches_of_a_share_does_not_meet_all_rows() -> None:
    text = SESSION.replace("LOSS", f"tf.reduce_mean({ERRORS})")
    text = text.replace("[cost, train]", "[tf.matmul(X, W), train]")
    assert "where it meets those of all" in why(text + "print(c - y)\n")


def test_a_metric_of_a_step_that_is_given_its_rows_is_of_these() -> None:
    step = "metric = tf.keras.metrics.Mean()\n\n\ndef step(x, y):\n" + STEP.replace("LOSS", MEAN)
    text = f"{HEAD}{step}    metric.update_state((model(x) - y) ** 2)\n\n\n"
    assert "step(x[shard], y[shard])" in shared(text + "for n in range(9):\n    step(x, y)\n")


@pytest.mark.parametrize("change", ["x[:] = x * 0.9", "x[0] = 0", "y[0] += 1"])
def test_an_array_that_steps_change_is_whole(change: str) -> None:
    assert "a step changes the array" in why(f"{loop()}    {change}\n")


def test_what_takes_a_number_of_rows_that_is_written_gets_them_all() -> None:
    step = "@tf.function(input_signature=[tf.TensorSpec((100, 3)), tf.TensorSpec((100, 1))])\n"
    step += "def step(x, y):\n" + STEP.replace("LOSS", MEAN)
    text = f"{HEAD}{step}\n\nfor n in range(9):\n    step(x, y)\n"
    assert "tensors of so many rows" in why(text)
    shared(text.replace("(100, ", "(None, "))
    fixed = SESSION.replace("LOSS", f"tf.reduce_mean({ERRORS})").replace("[None,", "[4,")
    assert "nobody can tell" in why(fixed)


def test_where_time_comes_first_there_is_no_share() -> None:
    head = HEAD.replace("layers.Dense(1)", "layers.GRU(1, return_sequences=True, time_major=True)")
    head = head.replace("rand(100, 3)", "rand(100, 5, 3)")
    assert "couples the rows" in why(loop(MEAN, head))
