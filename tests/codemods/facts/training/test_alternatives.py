"""A file whose run trains one model by `fit`, or by a tape, is migrated for both."""

from __future__ import annotations

from textwrap import indent

import pytest

from distify.codemods.migrate import migrate

HEAD = """import sys
import tensorflow as tf

mode = sys.argv[1]
x = tf.random.normal((64, 4), seed=1)
y = tf.reduce_sum(x, axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
"""
COMPILE = 'model.compile(optimizer, "mse")\n'
FIT = "model.fit(dataset, epochs=2)\n"
TAPE = """for a, b in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
MINIMIZE = """for a, b in dataset:
    optimizer.minimize(lambda: tf.reduce_mean((model(a) - b) ** 2), model.trainable_variables)
"""
WRAPPED = "model.compile(hvd.DistributedOptimizer(optimizer), "


def inside(text: str) -> str:
    return indent(text, "    ")


def either(one: str, other: str) -> str:
    return f"if mode == 'a':\n{inside(one)}else:\n{inside(other)}"


def functions(tape: str = TAPE) -> str:
    return f"\n\ndef by_tape():\n{inside(tape)}\n\ndef by_fit():\n{inside(COMPILE + FIT)}\n\n"


RUN = f"\n\ndef run(mode):\n{inside(either(TAPE, COMPILE + FIT))}\n\n"
ONE_OF_THEM = {
    "branches": either(TAPE, COMPILE + FIT),
    "compiled before": COMPILE + either(TAPE, FIT),
    "the other way round": either(COMPILE + FIT, TAPE),
    "functions": functions() + either("by_tape()\n", "by_fit()\n"),
    "chain": either(TAPE, either("pass\n", COMPILE + FIT)),
    "in a function": RUN + "run('a')\n",
}
BOTH = {
    "one behind the other": TAPE + COMPILE + FIT,
    "each in a branch of its own": either(TAPE, "pass\n") + either("pass\n", COMPILE + FIT),
    "one in a branch": f"if mode == 'a':\n{inside(TAPE)}" + COMPILE + FIT,
    "another branch each time": f"for mode in 'ab':\n{inside(either(TAPE, COMPILE + FIT))}",
    "both functions": functions() + "by_tape()\nby_fit()\n",
    "a function twice": RUN + "run('a')\nrun('b')\n",
    "a function in a loop": RUN + "for mode in 'ab':\n    run(mode)\n",
    "the wrapped one": COMPILE
    + either(TAPE.replace("optimizer.apply", "model.optimizer.apply"), FIT),
    "an optimizer that takes gradients": either(MINIMIZE, COMPILE + FIT),
}


@pytest.mark.parametrize("text", ONE_OF_THEM.values(), ids=ONE_OF_THEM)
def test_where_a_run_does_one_of_them_both_are_migrated(text: str) -> None:
    done = migrate(HEAD + text)
    assert not done.blocked
    after = done.after
    assert after.count(WRAPPED) == 1, after
    assert after.count("DistributedOptimizer(") == after.count("DistributedGradientTape(") == 1
    assert after.count("BroadcastGlobalVariablesCallback(0)") == 1
    assert after.count("broadcast_variables(optimizer.variables") == 1
    assert "optimizer = tf.keras.optimizers.Adam(0.01 * hvd.size())\n" in after
    assert migrate(after).after == after


@pytest.mark.parametrize("text", BOTH.values(), ids=BOTH)
def test_where_a_run_may_do_both_it_is_refused(text: str) -> None:
    done = migrate(HEAD + text)
    assert "T02" in {finding.code for finding in done.blocked}
    assert done.after == done.before


@pytest.mark.parametrize(
    ("classes", "optimizer"),
    [
        (
            "class Rate(tf.keras.optimizers.schedules.LearningRateSchedule):\n"
            "    def __call__(self, step):\n        return 0.01\n",
            "tf.keras.optimizers.Adam(Rate())",
        ),
        (
            "class Own(tf.keras.optimizers.SGD):\n"
            "    def __init__(self, factor):\n        super().__init__(0.01 * factor)\n",
            "Own(2)",
        ),
    ],
    ids=["schedule", "class"],
)
def test_what_horovod_cannot_rebuild_is_refused(classes: str, optimizer: str) -> None:
    head = HEAD.replace("tf.keras.optimizers.Adam(0.01)", optimizer)
    head = head.replace("mode = ", f"{classes}\nmode = ")
    done = migrate(head + either(TAPE, COMPILE + FIT))
    assert "R05" in {finding.code for finding in done.blocked}, done.after
