"""Notes are left out where they don't hold: the axis of a plot is no mean, a SavedModel no .keras."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf
import matplotlib.pyplot as plt

steps, total = 100, 1.0
data = tf.data.Dataset.from_tensor_slices(np.load("x.npy")).shuffle(9, seed=1).batch(4).repeat()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(), "mse")
model.fit(data, steps_per_epoch=steps)
"""


def notes(line: str) -> list[str]:
    migration = migrate(HEAD + line + "\n")
    assert not migration.blocked
    return [note.code for note in migration.notes]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("mean = total / steps", ["D106"]),
        ("axis = np.arange(400) / steps", []),
        ("points = np.linspace(0, 1) / steps", []),
        ("plt.plot(total / steps, 1.0)", []),
    ],
)
def test_where_points_of_a_plot_stand_is_no_mean(line: str, expected: list[str]) -> None:
    assert notes(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("model.save('m.keras')", ["D206"]),
        ("model.save(input())", ["D206"]),
        ("model.save(input(), save_format='keras')", ["D206"]),
        ("model.save(input(), save_format='tf')", []),
        ("model.save('folder/model')", []),
        ("model.save('/'.join(['folder', 'm.hdf5']))", []),
        ("model.save('/'.join(['folder', 'm.keras']))", ["D206"]),
    ],
)
def test_what_no_file_of_keras_names_needs_no_word(line: str, expected: list[str]) -> None:
    assert notes(line) == expected


UNKNOWN = """\
import tensorflow as tf
from elsewhere import watched

w, opt = tf.Variable(1.0), tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.range(100).shuffle(10).batch(2)
bar = watched(data)
for {target} in {loop}:
    with tf.GradientTape() as tape:
        loss = w * tf.reduce_sum(x)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
"""


@pytest.mark.parametrize(
    ("target", "loop"),
    [("x", "bar"), ("x, y", "bar"), ("i, (x, y)", "enumerate(bar)"), ("(x, y), i", "zip(bar, r)")],
)
def test_the_head_of_a_loop_that_is_advised_is_code(target: str, loop: str) -> None:
    found = migrate(UNKNOWN.format(target=target, loop=loop))
    fix = next(note.fix for note in found.notes if note.code == "D107")
    code = fix.split("`")[1]
    assert code == f"for {target} in itertools.islice({loop}, hvd.rank(), None, hvd.size()):"
    compile(code + " pass", "advice", "exec")


def test_no_seed_is_advised_where_no_share_can_overlap() -> None:
    found = migrate(UNKNOWN.format(target="x", loop="bar"))
    assert "H01" not in {note.code for note in found.notes}


PLAYED = """\
import gym
import numpy as np
import tensorflow as tf
{seed}
env, policy = gym.make("CartPole-v1"), tf.keras.Sequential([tf.keras.layers.Dense(2)])
opt = tf.keras.optimizers.Adam(0.01)
for episode in range(500):
    state, states = env.reset(), []
    for _ in range(200):
        action = {action}
        state, reward, done, _ = env.step(action)
        states.append(state)
        if done:
            break
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(policy(np.array(states)))
    opt.apply_gradients(zip(tape.gradient(loss, policy.weights), policy.weights))
"""
DRAWN = "np.random.choice(2, p=policy(state[None]).numpy()[0])"


@pytest.mark.parametrize(
    ("seed", "action", "expected"),
    [
        ("", DRAWN, []),
        ("np.random.seed(0)", DRAWN, ["D107"]),  # all of them play the same
        ("", "int(state[0] > 0)", ["D107"]),
    ],
)
def test_what_a_worker_has_played_is_its_own(seed: str, action: str, expected: list[str]) -> None:
    found = migrate(PLAYED.format(seed=seed, action=action))
    assert found.steps
    assert [note.code for note in found.notes if note.code == "D107"] == expected


ORDERED = """\
import sys
import numpy as np
import tensorflow as tf

model, opt = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.SGD(0.1)
def load():
    global x
    x = np.load(sys.argv[1])["x"]
def step(a):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(a))
    opt.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
load()
for epoch in range(9):
    order = np.random.permutation(len(x))
    for i in range(0, len(x), 8):
        step(x[{index}])
"""


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("order[i:]", ["D107"]),  # all of it, on every worker
        ("order[:8]", []),
        ("np.random.permutation(len(x))[:8]", []),
        ("np.random.randint(0, len(x), 8)", []),
    ],
)
def test_a_whole_order_is_no_pick(index: str, expected: list[str]) -> None:
    found = migrate(ORDERED.format(index=index))
    assert found.steps
    assert [note.code for note in found.notes if note.code == "D107"] == expected
