"""Why workers would decide differently, and the code that makes them decide alike."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Finding

HEAD = """\
import time
import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(64, 2).astype("float32")
data = tf.data.Dataset.from_tensor_slices(x).batch(8)
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
mean = tf.keras.metrics.Mean()
best, wait, begun = 9.0, 0, time.time()
for epoch in range(9):
    for batch in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(batch) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        mean(loss)
    value, other = float(loss), float(mean.result())
"""
FIRST = "average it first: `import horovod.tensorflow as hvd` at the top, and "
AVERAGED = {
    "a number that is compared": ("    if value < 0.1:\n        break\n", "value"),
    "with the best one": (
        "    if value < best:\n        best = value\n    else:\n        break\n",
        "value",
    ),
    "computed with": ("    if best - abs(value) / 3 < 1:\n        break\n", "value"),
    "a rate": ("    if value > 3:\n        opt.learning_rate = 0.01\n", "value"),
    "time": ("    spent = time.time() - begun\n    if spent > 60:\n        break\n", "spent"),
}
OTHERWISE = {
    "two numbers": "    if value < 0.1 and other < 1:\n        break\n",
    "two metrics": "    if mean.result() < best and mean.count < 3:\n        break\n",
    "no comparison": "    if value:\n        break\n",
    "behind another question": (
        "    if epoch < 3:\n        pass\n    elif value < 0.1:\n        break\n"
    ),
    "while": "    while value < 0.1:\n        opt.learning_rate = 0.01\n",
}


def blocks(text: str) -> list[Finding]:
    found = migrate(HEAD + text).blocked
    assert {each.code for each in found} == {"T07"}
    return list(found)


@pytest.mark.parametrize("name", OTHERWISE)
def test_no_code_is_offered_where_it_would_not_do(name: str) -> None:
    fixes = [each.fix for each in blocks(OTHERWISE[name])]
    assert all(fix.startswith("decide by something") for fix in fixes)


@pytest.mark.parametrize("name", AVERAGED)
def test_the_number_that_decides_is_averaged(name: str) -> None:
    text, number = AVERAGED[name]
    (found,) = blocks(text)
    line = f"{number} = float(hvd.allreduce(tf.constant({number})))"
    assert found.fix == f"{FIRST}`{line}` before this line"
    before = f"    if {text.partition('    if ')[2].partition(':')[0]}:"
    mended = (HEAD + text).replace(before, f"    {line}\n{before}")
    mended = mended.replace("import time\n", "import time\nimport horovod.tensorflow as hvd\n")
    assert not migrate(mended).blocked


CALLS = {
    "a metric": ("    if mean.result() < best:\n        break\n", "mean.result()", "mean"),
    "with the best one": (
        "    if float(mean.result()) < best:\n        best = mean.result()\n    else:\n        break\n",
        "mean.result()",
        "mean",
    ),
    "no number": ("    if np.isnan(loss.numpy()):\n        break\n", "loss.numpy()", "loss"),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_call_that_decides_gets_a_name_for_its_average(name: str) -> None:
    text, call, base = CALLS[name]
    (found,) = blocks(text)
    line = f"average_{base} = float(hvd.allreduce(tf.constant({call})))"
    lines = [n for n, each in enumerate((HEAD + text).splitlines(), 1) if call in each][-2:]
    lines = lines if name == "with the best one" else lines[-1:]
    where = f"lines {lines[0]} and {lines[1]}" if lines[1:] else f"line {lines[0]}"
    instead = f"write `average_{base}` for `{call}` in {where}"
    assert found.fix == f"{FIRST}`{line}` before this line, and {instead}"
    assert not migrate(averaged(text, call, f"average_{base}", line)).blocked


def averaged(text: str, call: str, name: str, line: str) -> str:
    """The program in which a person has done what the advice says."""
    mended = f"{HEAD}    {line}\n{text.replace(call, name)}"
    return mended.replace("import time\n", "import time\nimport horovod.tensorflow as hvd\n")


WAITS = "    else:\n        wait += 1\n    if wait > 3:\n        break\n"


def test_what_depends_on_another_decision_names_its_line() -> None:
    text = f"    if epoch < 3 or value:\n        best, wait = value, 0\n{WAITS}"
    (found,) = blocks(text)
    line = HEAD.count("\n") + 1
    assert found.fix == f"let the workers agree in line {line} first: `wait` depends on it"


@pytest.mark.parametrize("call", ["value", "mean.result()"])
def test_the_decision_before_gets_the_average(call: str) -> None:
    text = f"    if {call} < best:\n        best, wait = {call}, 0\n{WAITS}"
    (found,) = blocks(text)
    line, name = HEAD.count("\n") + 1, "value" if call == "value" else "average_mean"
    code = f"{name} = float(hvd.allreduce(tf.constant({call})))"
    assert found.fix.startswith(f"{FIRST}`{code}` before line {line}")
    assert found.fix.endswith(": `wait` depends on it")
    assert not migrate(averaged(text, call, name, code)).blocked


def test_numbers_that_all_draw_alike_are_not_to_blame() -> None:
    (found,) = blocks("    if value < 0.1:\n        break\n")
    assert "`net(batch)` in line 14 is each worker's own" in found.message


def test_a_draw_that_nobody_seeds_is() -> None:
    (found,) = blocks("    if np.random.rand() < 0.1:\n        break\n")
    assert "nobody seeds `np.random.rand`" in found.message
    assert found.line == 18


FITTED = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
net.compile("sgd", "mse")
best = 9.0
"""
BY_HISTORY = {
    "the loss": "while True:\n    h = net.fit(x, y, epochs=1)\n"
    "    if h.history['loss'][-1] < 0.1:\n        break\n",
    "the best one": "for _ in range(9):\n    h = net.fit(x, y, epochs=1).history\n"
    "    if h['loss'][0] > best:\n        break\n    best = h['loss'][0]\n",
    "how many epochs": "h = net.fit(x, y, epochs=9)\nif len(h.history['loss']) > 3:\n"
    "    net.fit(x, y, epochs=2)\n",
}
BY_OTHERS = {
    "an estimator's": "from sklearn.svm import SVC\nwhile True:\n    s = SVC().fit(x, y)\n"
    "    net.fit(x, y, epochs=1)\n    if s.score(x, y) > net.predict(x)[0][0]:\n        break\n",
    "one batch's": "while True:\n    loss = net.train_on_batch(x[:8], y[:8])\n"
    "    if loss < 0.1:\n        break\n",
}


@pytest.mark.parametrize("loop", BY_HISTORY.values(), ids=BY_HISTORY)
def test_the_history_of_an_averaged_fit_is_the_same_for_all(loop: str) -> None:
    found = migrate(FITTED + loop)
    assert not found.blocked
    assert found.after.count("MetricAverageCallback()") == loop.count("fit(")


@pytest.mark.parametrize("loop", BY_OTHERS.values(), ids=BY_OTHERS)
def test_what_others_give_is_a_workers_own(loop: str) -> None:
    assert "T07" in [each.code for each in migrate(FITTED + loop).blocked]


ASKED = """\
import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
x = np.random.RandomState({seed}).rand(256, 4)
data = tf.data.Dataset.from_tensor_slices(x).shard(hvd.size(), hvd.rank()).batch(16)
class Own(tf.keras.layers.Layer): pass
net = tf.keras.Sequential([{layer}tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.01 * hvd.size())
for epoch in range(9):
    for batch in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(batch, training=True) ** 2)
        tape = hvd.DistributedGradientTape(tape)
        opt.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        if epoch == 0:
            hvd.broadcast_variables([*net.variables, *opt.variables], root_rank=0)
    if float(tf.reduce_mean(net({asked}) ** 2)) < 0.1:
        {then}
"""
SET = "opt.learning_rate.assign(opt.learning_rate * 0.5)"


def asked(seed: str = "0", layer: str = "", asked: str = "x", then: str = SET) -> list[Finding]:
    text = ASKED.format(seed=seed, layer=layer, asked=asked, then=then)
    return [found for found in migrate(text).blocked if found.code == "T07"]


def test_what_a_model_says_of_data_that_all_have_is_near_enough_for_a_rate() -> None:
    assert not asked()


@pytest.mark.parametrize(
    "other",
    [
        {"seed": ""},
        {"layer": "tf.keras.layers.BatchNormalization(), "},
        {"layer": "Own(), "},
        {"asked": "x, training=True"},
        {"asked": "batch"},
        {"then": "break"},
    ],
    ids=str,
)
def test_what_it_says_of_a_workers_own_is_not(other: dict[str, str]) -> None:
    assert asked(**other)
