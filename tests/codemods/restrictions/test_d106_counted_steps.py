"""Notes on decisions by the number of a step, where each worker takes only its share of them."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

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


def noted(body: str, repeat: str = "", data: str = "ds") -> list[int]:
    text = HEAD.format(repeat=repeat, data=data, body=body)
    found = migrate(text)
    assert found.steps
    assert not found.blocked
    return [note.line for note in found.notes if "gets to this number" in note.message]


@pytest.mark.parametrize("data", [FEWER, {}])
@pytest.mark.parametrize(
    "test", ["step == 20000", "20000 < step", "step + 1 >= drop", "(step + 1) % 5000 == 0", "n > 9"]
)
def test_a_number_of_a_step_that_decides_is_named(test: str, data: dict[str, str]) -> None:
    head = "train(x)\n    drop = 3\n    "
    assert noted(f"{head}if {test}:\n        opt.learning_rate.assign(0.01)", **data) == [13]


@pytest.mark.parametrize("data", ["ds.enumerate()", "ds.enumerate().prefetch(1)"])
def test_a_dataset_numbers_its_batches_itself(data: str) -> None:
    text = HEAD.format(
        repeat="", data="ds", body="train(x)\n    if step == 9: ds = opt.lr.assign(1)"
    )
    found = migrate(text.replace("enumerate(ds)", data))
    assert [n.line for n in found.notes if "gets to this number" in n.message] == [12]


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
def test_what_means_the_same_for_fewer_steps_is_not(body: str) -> None:
    assert noted(body, **FEWER) == []


def test_a_loop_that_keeps_its_steps_keeps_its_numbers() -> None:
    body = "train(x)\n    if step == 9000:\n        opt.learning_rate.assign(0.01)"
    assert noted(body, ".repeat()") == []
    assert noted(body.replace("9000", "9000 // 2"), ".repeat()") == []


def test_a_number_that_is_divided_already_is_not_named() -> None:
    horovod = "import horovod.tensorflow as hvd\nhvd.init()\n"
    body = "train(x)\n    if step == 20000 // hvd.size():\n        opt.learning_rate.assign(0.01)"
    found = migrate(horovod + HEAD.format(repeat="", data="ds", body=body))
    assert ".shard(hvd.size(), hvd.rank())" in found.after
    assert not [note for note in found.notes if "gets to this number" in note.message]


SAVING = "train(x)\n    if (step + 1) % 5000 == 0:\n        {}"


@pytest.mark.parametrize(
    ("saving", "is_divided"),
    [
        ("ckpt.save('c')", True),
        ("print(tf.keras.Sequential()(x))", True),  # a model is tried
        ("print(tf.keras.Sequential().predict(x))", True),
        ("print(step)", False),
        ("tf.keras.Sequential().summary()", False),
    ],
)
def test_a_rhythm_that_saves_or_evaluates_is_divided(saving: str, is_divided: bool) -> None:
    body = SAVING.format(saving)
    text = HEAD.format(body=body, **FEWER).replace(
        "n = 0\n", "n = 0\nckpt = tf.train.Checkpoint(w=w)\n"
    )
    found = migrate(text)
    assert ("(step + 1) % max(1, 5000 // hvd.size()) == 0" in found.after) is is_divided
    assert not [n for n in found.notes if "saves less often" in n.message]


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
LOOKS = {
    "function": "score = evaluate(); print(score)",
    "best": "score = evaluate()\n        if score > best:\n            best = score",
    "summary": (
        "with writer.as_default():\n            tf.summary.scalar('s', evaluate(), step=step)"
    ),
    "model": "print(model.evaluate(test))",
    "predict": "print(model.predict(y))",
}
SETS = {
    "name": ("beta = beta + 0.1", " * beta"),
    "score": ("beta = evaluate()", " * beta"),
    "rate": ("opt.learning_rate = evaluate()", ""),
    "unknown": ("adapt(model)", ""),
}


def told(body: str, use: str = "") -> list[str]:
    seen = migrate(EVALUATED.format(body=body, use=use))
    assert seen.steps
    return [note.message for note in seen.notes if "gets to this number" in note.message]


@pytest.mark.parametrize("body", LOOKS.values(), ids=LOOKS)
def test_to_look_at_the_model_less_often_is_no_matter(body: str) -> None:
    assert not told(body)


@pytest.mark.parametrize(("body", "use"), SETS.values(), ids=SETS)
def test_what_the_training_hangs_on_is_named(body: str, use: str) -> None:
    assert len(told(body, use)) == 1


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
        ("if now % 500 == 0: saver.save(sess, 'a')", "divided"),
        ("if now == 500: saver.save(sess, 'a')", "named"),
        ("if tf.train.global_step(sess, step) % 500 == 0: saver.save(sess, 'a')", "divided"),
        ("if now % 500 == 0: print(now)", ""),
        ("if epoch % 5 == 0: saver.save(sess, 'a')", ""),
    ],
)
def test_a_save_by_the_step_of_a_session_is_divided(body: str, outcome: str) -> None:
    found = migrate(SESSION.format(data="data", body=body))
    assert "data = data[shard]" in found.after, found.blocked
    named = [n.line for n in found.notes if "saves less often" in n.message]
    assert named == [12] * (outcome == "named")
    joined = "".join(found.after.split())
    assert ("%max(1,500//hvd.size())==0" in joined) is (outcome == "divided")


def test_a_session_that_takes_all_steps_saves_as_often() -> None:
    text = SESSION.format(data="other", body="if now % 500 == 0: saver.save(sess, 'a')")
    text = text.replace("data[i : i + 10]", "data[i:]")
    found = migrate("from mine import other\n" + text)
    assert found.steps
    assert not [n for n in found.notes if "saves less often" in n.message]
