"""Decisions by the number of a step, where each worker takes only its share of them."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import tensorflow as tf
w, opt = tf.Variable(1.0), tf.keras.optimizers.SGD(0.1)
ds = tf.data.Dataset.range(100).shuffle(10){repeat}.batch(2)
def train(x):
    with tf.GradientTape() as tape:
        loss = w * x
    opt.apply_gradients([(tape.gradient(loss, w), w)])
n = 0
for step, x in enumerate({data}):
    n += 1
    {body}
"""
FEWER = {"repeat": ".repeat()", "data": "ds.take(40000)"}


def asked_after(body: str, repeat: str = "", data: str = "ds") -> list[str]:
    """The tests of the loop as they are written afterwards, without line breaks."""
    found = migrate(HEAD.format(repeat=repeat, data=data, body=body))
    assert found.steps
    assert not found.blocked
    nodes = ast.walk(ast.parse(found.after))
    tests = [ast.unparse(node.test) for node in nodes if isinstance(node, ast.If)]
    return [each.replace(" and hvd.rank() == 0", "") for each in tests if "broadcast" not in each]


SHARE = "{} // hvd.size()"
DIVIDED = {
    "step == 20000": f"step == {SHARE.format(20000)}",
    "20000 < step": f"{SHARE.format(20000)} < step",
    "step + 1 >= drop": f"step + 1 >= {SHARE.format('drop')}",
    "(step + 1) % 5000 == 0": f"(step + 1) % ({SHARE.format(5000)}) == 0",
    "n > 9": f"n > {SHARE.format(9)}",
    "step in (7000, 9000)": f"step in ({SHARE.format(7000)}, {SHARE.format(9000)})",
    "5000 <= step < 9000": f"{SHARE.format(5000)} <= step < {SHARE.format(9000)}",
    "step / drop > 0.5": "step * hvd.size() / drop > 0.5",
}


@pytest.mark.parametrize("data", [FEWER, {}], ids=["taken", "all"])
@pytest.mark.parametrize("test", DIVIDED)
def test_a_number_of_a_step_that_decides_is_divided(test: str, data: dict[str, str]) -> None:
    head = "train(x)\n    drop = 3\n    "
    after = asked_after(f"{head}if {test}:\n        opt.learning_rate.assign(0.01)", **data)
    assert DIVIDED[test] in after


@pytest.mark.parametrize(
    "body",
    [
        "if {}:\n        opt.learning_rate.assign(0.01)",
        "if {}:\n        break",
        "if {}:\n        adapt(w)",
        "if {}:\n        w.assign(0.0)",
    ],
)
def test_whatever_the_training_hangs_on_comes_in_time(body: str) -> None:
    test = "step == 20000"
    assert DIVIDED[test] in asked_after("train(x)\n    " + body.format(test), **FEWER)


TABLES = {
    "a list": (
        "steps = [7000, 9000]",
        "step in steps",
        "step in [steps // hvd.size() for steps in steps]",
    ),
    "a table": (
        "rates = {7000: 0.01, 9000: 0.001}",
        "step in rates",
        "{7000 // hvd.size(): 0.01, 9000 // hvd.size(): 0.001}",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_numbers_of_steps_under_a_name_are_divided(name: str) -> None:
    made, test, expected = TABLES[name]
    rate = "rates[step]" if "rates" in made else "0.01"
    body = f"train(x)\n    if {test}:\n        opt.learning_rate.assign({rate})"
    text = HEAD.format(body=body, **FEWER).replace("n = 0\n", f"n = 0\n{made}\n")
    assert expected in "".join(migrate(text).after.split("\n"))


def test_the_last_of_what_is_taken_is_that_of_a_share() -> None:
    body = "train(x)\n    if step == 39999:\n        opt.learning_rate.assign(0.01)"
    assert "step == 40000 // hvd.size() - 1" in asked_after(body, **FEWER)[-1].replace(
        "max(1, 40000 // hvd.size())", "40000 // hvd.size()"
    )


def test_what_a_loss_is_weighted_by_goes_by_the_steps_of_all() -> None:
    text = HEAD.format(repeat="", data="ds", body="train(x, min(1.0, step / 5000))")
    found = migrate(text.replace("train(x):", "train(x, a):").replace("w * x", "a * w * x"))
    assert "min(1.0, step * hvd.size() / 5000)" in found.after


@pytest.mark.parametrize(
    "body",
    [
        "train(x)\n    if step % 100 == 0:\n        s = str(w)\n        print(s)",  # less often
        "train(x)\n    if step == 100:\n        print(w)",
        "train(x)\n    if step == 0:\n        opt.learning_rate.assign(0.01)",  # the first one
        "train(x)\n    if len(x) == 2:\n        opt.learning_rate.assign(0.01)",
        "if step % 5 == 0:\n        train(x)",  # a generator beside its critic
    ],
)
def test_what_means_the_same_for_fewer_steps_is_left_alone(body: str) -> None:
    assert not any("size()" in test for test in asked_after(body, **FEWER))


def test_a_loop_that_keeps_its_steps_keeps_its_numbers() -> None:
    body = "train(x)\n    if step == 9000:\n        opt.learning_rate.assign(0.01)"
    assert "step == 9000" in asked_after(body, ".repeat()")


def test_a_number_that_is_divided_already_stays() -> None:
    horovod = "import horovod.tensorflow as hvd\nhvd.init()\n"
    body = "train(x)\n    if step == 20000 // hvd.size():\n        opt.learning_rate.assign(0.01)"
    found = migrate(horovod + HEAD.format(repeat="", data="ds", body=body))
    assert ".shard(hvd.size(), hvd.rank())" in found.after
    assert "if step == 20000 // hvd.size():" in found.after


SAVING = "train(x)\n    if (step + 1) % 5000 == 0:\n        {}"


@pytest.mark.parametrize(
    ("saving", "is_divided"),
    [
        ("ckpt.save('c')", True),
        ("print(tf.keras.Sequential()(x))", True),  # a model is tried
        ("print(tf.keras.Sequential().predict(x))", True),
        ("print(step)", False),
    ],
)
def test_a_rhythm_that_saves_or_evaluates_is_divided(saving: str, is_divided: bool) -> None:
    body = SAVING.format(saving)
    text = HEAD.format(body=body, **FEWER).replace(
        "n = 0\n", "n = 0\nckpt = tf.train.Checkpoint(w=w)\n"
    )
    found = migrate(text)
    assert ("(step + 1) % (5000 // hvd.size()) == 0" in found.after) is is_divided


# -- evaluating now and then --------------------------------------------------------------------

EVALUATED = """\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt, mse = tf.keras.optimizers.SGD(0.1), tf.keras.losses.MeanSquaredError()
ds = tf.data.Dataset.from_tensor_slices((x, x)).batch(2)
test = tf.data.Dataset.from_tensor_slices((y, y)).batch(2)
mean, writer = tf.keras.metrics.Mean(), tf.summary.create_file_writer("logs")
beta = best = 0.0
@tf.function
def look(a, b):
    mean.update_state(mse(b, model(a, training=False)))
def evaluate():
    mean.reset_state()
    for a, b in test:
        look(a, b)
    return float(mean.result())
for step, (a, b) in enumerate(ds):
    with tf.GradientTape() as tape:
        loss = mse(b, model(a)){use}
    opt.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
    if step % 100 == 0:
        {body}
"""
SHOWN = {
    "text": "print(step)",
    "scalar": "with writer.as_default():\n            tf.summary.scalar('s', loss, step=step)",
}
TRIED = {
    "model": "print(model.evaluate(test))",
    "predict": "print(model.predict(y))",
    "called": "print(model(y))",
}
SETS = {
    "name": ("beta = beta + 0.1", " * beta"),
    "score": ("beta = evaluate()", " * beta"),
    "rate": ("opt.learning_rate = 0.01", ""),
    "unknown": ("adapt(model)", ""),
}
RHYTHM = "step % max(1, 100 // hvd.size()) == 0"


def after(body: str, use: str = "") -> str:
    return migrate(EVALUATED.format(body=body, use=use), Options(unsound=True)).after


@pytest.mark.parametrize("body", SHOWN.values(), ids=SHOWN)
def test_to_show_something_less_often_is_no_matter(body: str) -> None:
    assert RHYTHM not in after(body)


@pytest.mark.parametrize("body", TRIED.values(), ids=TRIED)
def test_a_model_is_tried_as_often(body: str) -> None:
    assert RHYTHM in after(body)


@pytest.mark.parametrize(("body", "use"), SETS.values(), ids=SETS)
def test_what_the_training_hangs_on_comes_as_often(body: str, use: str) -> None:
    assert RHYTHM in after(body, use)


# -- the step that a session counts --------------------------------------------------------------

SESSION = """\
import numpy as np
import tensorflow.compat.v1 as tf
x, w = tf.placeholder(tf.float32, [None]), tf.get_variable("w", [])
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(w * x), step)
data, saver = np.load("a.npy"), tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(9):
        for i in range(0, len({data}), 10):
            _, now = sess.run([train, step], {{x: data[i : i + 10]}})
            {body}
"""


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("if now % 500 == 0: saver.save(sess, 'a')", "%"),
        ("if now == 500: saver.save(sess, 'a')", "=="),
        ("if tf.train.global_step(sess, step) % 500 == 0: saver.save(sess, 'a')", "%"),
        ("if now % 500 == 0: print(now)", ""),
        ("if epoch % 5 == 0: saver.save(sess, 'a')", ""),
    ],
)
def test_a_save_by_the_step_of_a_session_is_divided(body: str, outcome: str) -> None:
    found = migrate(SESSION.format(data="data", body=body))
    assert "data = data[shard]" in found.after, found.blocked
    joined = "".join(found.after.split())
    assert (f"{outcome}max(1,500//hvd.size())" in joined) is bool(outcome)


def test_a_session_that_takes_all_steps_saves_as_often() -> None:
    text = SESSION.format(data="other", body="if now % 500 == 0: saver.save(sess, 'a')")
    text = text.replace("data[i : i + 10]", "data[i:]")
    found = migrate("from mine import other\n" + text)
    assert found.steps
    assert "now % 500 == 0" in found.after
