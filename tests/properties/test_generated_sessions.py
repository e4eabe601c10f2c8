"""Programs of TensorFlow 1 that Hypothesis writes: what D401 to D404 promise holds of them all."""

from __future__ import annotations

import ast

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from distify.codemods.migrate import Migration, migrate

HEAD = """\
import numpy as np
import tensorflow.compat.v1 as tf

data = np.random.RandomState(0).rand(320, 3).astype("float32")
"""
GRAPH = """\
x = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_mean((tf.layers.dense(x, 1) - 1) ** 2)
counted = tf.train.get_or_create_global_step()
"""
RATES = ("0.01", "tf.train.exponential_decay(0.1, counted, 500, 0.9)")
CLASSES = ("AdamOptimizer", "GradientDescentOptimizer", "RMSPropOptimizer")
STEPS = (
    "train = tf.train.{cls}({rate}).minimize(loss, global_step=counted)\n",
    "optimizer = tf.train.{cls}({rate})\ntrain = optimizer.minimize(loss, counted)\n",
    "made = tf.train.{cls}(learning_rate={rate})\npairs = made.compute_gradients(loss)\n"
    "train = made.apply_gradients([(tf.clip_by_norm(g, 1.0), v) for g, v in pairs], counted)\n",
)
CONFIGS = ("", "config=tf.ConfigProto()", "config=settings")
STARTS = ("sess.run(tf.global_variables_initializer())", "tf.global_variables_initializer().run()")
SESSIONS = (
    "with tf.Session({config}) as sess:\n    {start}\n{loop}",
    "sess = tf.InteractiveSession({config})\n{start}\nif True:\n{loop}",
    "with tf.train.MonitoredTrainingSession({hooks}{config}) as sess:\n{loop}",
)
HOOKS = (
    "",
    "hooks=[tf.train.StopAtStepHook(last_step=500)], ",
    "hooks=[tf.train.LoggingTensorHook([loss], 9)], checkpoint_dir='model', ",
)
LOOPS = (
    "    for step in range(500):\n        sess.run(train, {x: np.random.rand(8, 3)})\n",
    "    for at in range(0, len(data), 8):\n        sess.run(train, {x: data[at : at + 8]})\n",
    "    for step in range(500):\n        start = step * 8 % (len(data) - 8)\n"
    "        _, value = sess.run([train, loss], feed_dict={x: data[start : start + 8]})\n"
    "        if step % 9 == 0:\n            print(step, value)\n",
)
MODEL = """\
def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"p": data}, data[:, :1])).repeat().batch(8)


columns = [tf.feature_column.numeric_column("p", shape=[3])]
"""
READY = (
    "tf.estimator.DNNRegressor([8], columns{more})",
    "tf.estimator.LinearRegressor(columns{more})",
)
MORE = (
    "",
    ", optimizer='Adam'",
    ", optimizer=tf.train.AdamOptimizer(0.01)",
    ", optimizer=lambda: tf.train.AdamOptimizer(0.01)",
    ", model_dir='model'",
    ", config=tf.estimator.RunConfig(save_summary_steps=9)",
)
TRAINS = (
    "model.train(input_fn, steps=500)\n",
    "model.train(input_fn, hooks=[tf.train.StopAtStepHook(500)])\n",
    "model.train(input_fn=input_fn, max_steps=500)\n",
)


@st.composite
def sessions(draw: st.DrawFn) -> str:
    """A program with a session."""
    step = draw(st.sampled_from(STEPS))
    made = step.format(cls=draw(st.sampled_from(CLASSES)), rate=draw(st.sampled_from(RATES)))
    session = draw(st.sampled_from(SESSIONS)).format(
        config=draw(st.sampled_from(CONFIGS)),
        start=draw(st.sampled_from(STARTS)),
        hooks=draw(st.sampled_from(HOOKS)),
        loop=draw(st.sampled_from(LOOPS)),
    )
    return f"{HEAD}{GRAPH}{made}settings = tf.ConfigProto()\n{session}"


@st.composite
def estimators(draw: st.DrawFn) -> str:
    """A program with a ready-made Estimator."""
    made = draw(st.sampled_from(READY)).format(more=draw(st.sampled_from(MORE)))
    return f"{HEAD}{MODEL}model = {made}\n{draw(st.sampled_from(TRAINS))}"


def calls(found: Migration, name: str) -> list[ast.Call]:
    """The calls of that name in what was written."""
    nodes = [node for node in ast.walk(ast.parse(found.after)) if isinstance(node, ast.Call)]
    return [node for node in nodes if ast.unparse(node.func).rpartition(".")[2] == name]


def check(text: str) -> Migration:
    """Averaged by one optimizer, its own GPU, nothing lost, and nothing to do a second time."""
    found = migrate(text)
    assert found.blocked == (), [each.message for each in found.blocked]
    assert len(calls(found, "DistributedOptimizer")) == 1
    assert found.after.count(".gpu_options.visible_device_list = str(hvd.local_rank())") == 1
    assert migrate(found.after).after == found.after
    return found


def hooks_of(call: ast.Call, found: Migration) -> str:
    """The hooks that a call is given, there or by the name of a list above."""
    given = next(k.value for k in call.keywords if k.arg == "hooks")
    if isinstance(given, ast.Name):
        return found.after.partition(f"{given.id} = ")[2]
    return ast.unparse(given)


@seed(1)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(sessions())
def test_sessions_are_broadcast_to_behind_their_start(text: str) -> None:
    found = check(text)
    if "Monitored" in text:
        (session,) = calls(found, "MonitoredTrainingSession")
        assert hooks_of(session, found).startswith("[hvd.BroadcastGlobalVariablesHook(0)")
        assert "checkpoint_dir='model'," not in found.after
    else:
        start = found.after.index("global_variables_initializer()")
        broadcast = found.after.index("broadcast_global_variables(0)")
        assert (
            start
            < broadcast
            < found.after.index(
                "sess.run(train" if "sess.run(train" in found.after else "sess.run([train"
            )
        )
    assert "500)" not in found.after.partition("sess")[2]


@seed(1)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(estimators())
def test_ready_made_estimators_start_alike_and_share_their_steps(text: str) -> None:
    found = check(text)
    (train,) = calls(found, "train")
    assert hooks_of(train, found).startswith("[hvd.BroadcastGlobalVariablesHook(0)")
    assert "500 // hvd.size()" in found.after
    assert "model_dir='model'," not in found.after
    assert "max_steps" not in found.after
