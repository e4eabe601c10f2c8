"""What decides about steps is averaged where all workers come by; nothing is touched elsewhere."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """import time

import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.random.normal((64,), seed=1)).batch(4)
best, wait, stop = 9.0, 0, False
start = time.time()
for step, x in enumerate(data):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - 2.0) ** 2)
    grads = tape.gradient(loss, [w])
"""
STEP = "    opt.apply_gradients(zip(grads, [w]))\n"
LINE = "    {0} = hvd.allreduce(tf.convert_to_tensor({0}))\n"
AVERAGED: dict[str, tuple[str, str]] = {
    "it leaves the loop": (STEP + "    if loss < 0.1:\n        break\n", "loss"),
    "its value of NumPy does": (STEP + "    if loss.numpy() < 0.1:\n        break\n", "loss"),
    "it is part of a test": (STEP + "    if step > 3 and loss < 0.1:\n        break\n", "loss"),
    "it skips a step": ("    if loss > 0.1:\n    " + STEP, "loss"),
    "it skips the rest of a round": ("    if loss < 0.1:\n        continue\n" + STEP, "loss"),
    "it is the best so far": (
        STEP + "    if loss < best:\n        best = loss\n    else:\n        wait += 1\n"
        "    if wait > 3:\n        break\n",
        "loss",
    ),
    "it is what a metric says": (
        "    mean = tf.keras.metrics.Mean()\n    mean.update_state(loss)\n    elbo = -mean.result()\n"
        "    print(f'{elbo}')\n" + STEP + "    if elbo < 0.1:\n        break\n",
        "elbo",
    ),
    "another one has its name": (
        "    value = loss\n    box.value = [step]\n    box.value.append(step)\n"
        + STEP
        + "    if value < 0.1:\n        break\n",
        "value",
    ),
    "it sets the rate": (STEP + "    if loss < 0.1:\n        opt.learning_rate = 0.01\n", "loss"),
}
LEFT = {
    "a step count": STEP + "    if step > 3:\n        break\n",
    "a clock": STEP + "    if time.time() - start > 5:\n        break\n",
    "true or false": STEP + "    stop = loss < 0.1\n    if stop:\n        break\n",
    "one of several conditions": STEP + "    if loss < time.time():\n        break\n",
    "what code elsewhere measures": STEP + "    if measured(loss) < 0.1:\n        break\n",
    "what NumPy alone can do": STEP
    + "    value = loss.numpy()\n    if value < 0.1:\n        print(value.item())\n        break\n",
    "the last one of a list": "    losses = [loss]\n"
    + STEP
    + "    losses.append(loss)\n    if losses[-1] < 0.1:\n        break\n",
    "a value of an unknown kind that is rounded": "    value = measured(loss)\n"
    + STEP
    + "    if value < 0.1:\n        print(round(value))\n        break\n",
    "a value of an unknown kind in a text": "    value = measured(loss)\n"
    + STEP
    + "    if value < 0.1:\n        print(f'{value}')\n        break\n",
    "a tensor or a float": "    value = loss\n    if step > 3:\n        value = float(loss)\n"
    + STEP
    + "    if value < 0.1:\n        print(round(value))\n        break\n",
    "a whole number": "    value = int(loss)\n" + STEP + "    if value < 3:\n        break\n",
    "only prints": STEP + "    if loss < 0.1:\n        print(step)\n",
    "a call that nobody knows": STEP + "    if w.device.startswith(input()):\n        break\n",
}


def repaired(text: str) -> Migration:
    return migrate(text, Options(repair=frozenset({"A06"})))


@pytest.mark.parametrize("case", AVERAGED)
def test_it_is_averaged(case: str) -> None:
    lines, name = AVERAGED[case]
    assert [finding.code for finding in migrate(HEAD + lines).blocked] == ["T07"]
    found = repaired(HEAD + lines)
    assert found.steps[0].code == "A06"
    assert found.steps[0].text.count(LINE.format(name)) == 1
    assert found.steps[0].text.count("allreduce") == 1
    assert found.steps[0].text.index(LINE.format(name)) < found.steps[0].text.index(
        lines[lines.index("    if ") :]
    )
    assert not found.blocked
    assert found.after.count("hvd.init()") == 1
    assert found.after.count("import horovod") == 1
    assert not [note for note in found.notes if note.code == "P02"]


KINDS = {
    "float(loss)": "float(hvd.allreduce(tf.convert_to_tensor(value, tf.float64)))",
    "float(loss) / 2 + 1": "float(hvd.allreduce(tf.convert_to_tensor(value, tf.float64)))",
    "int(loss) / 2": "float(hvd.allreduce(tf.convert_to_tensor(value, tf.float64)))",
    "np.mean(loss)": "hvd.allreduce(tf.convert_to_tensor(value)).numpy()",
    "loss.numpy()": "hvd.allreduce(tf.convert_to_tensor(value)).numpy()",
    "2 * loss.numpy()": "hvd.allreduce(tf.convert_to_tensor(value)).numpy()",
    "loss": "hvd.allreduce(tf.convert_to_tensor(value))",
    "loss + 1": "hvd.allreduce(tf.convert_to_tensor(value))",
    "2.0 * loss": "hvd.allreduce(tf.convert_to_tensor(value))",
}


@pytest.mark.parametrize("value", KINDS)
def test_the_average_is_a_number_of_the_same_kind(value: str) -> None:
    lines = f"    value = {value}\n{STEP}    if value < 0.1:\n        print(round(value))\n"
    found = repaired(f"import numpy as np\n{HEAD}{lines}        break\n")
    assert not found.blocked
    assert f"    value = {KINDS[value]}\n    if value" in found.steps[0].text


@pytest.mark.parametrize("start", ["0", "0.0"])
@pytest.mark.parametrize("value", ["loss", "float(loss)"])
def test_a_sum_is_of_the_kind_that_is_added_to_its_start(value: str, start: str) -> None:
    body = f"    value += {value}\n{STEP}    if value > 9:\n        print(round(value))\n"
    found = repaired(
        HEAD.replace("for step", f"value = {start}\nfor step") + body + "        break\n"
    )
    assert not found.blocked
    assert f"    value = {KINDS[value]}\n" in found.steps[0].text


@pytest.mark.parametrize("use", ["value < 9", "print(float(value))"])
def test_a_value_of_an_unknown_kind_is_averaged_where_any_number_will_do(use: str) -> None:
    lines = f"    value = measured(loss)\n{STEP}    if value < 0.1:\n        {use}\n        break\n"
    found = repaired(HEAD + lines)
    assert not found.blocked
    assert LINE.format("value") + "    if value" in found.steps[0].text


@pytest.mark.parametrize("case", LEFT)
def test_it_is_left(case: str) -> None:
    text = HEAD + LEFT[case]
    assert "A06" not in [offer.code for offer in migrate(text).repairs]  # A24 asks a clock
    assert "allreduce" not in repaired(text).after or repaired(text).blocked


def test_the_end_of_a_while_is_averaged_in_it() -> None:
    text = (
        HEAD.split("for step")[0]
        + """loss = 9.0
while loss > 0.1:
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2 + tf.random.normal(())
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
"""
    )
    found = repaired(text)
    assert not found.blocked
    assert found.steps[0].text == found.steps[0].text.rstrip() + "\n"
    assert found.steps[0].text.endswith(LINE.format("loss"))


def test_an_elif_is_averaged_before_its_if() -> None:
    lines = STEP + "    if step > 3:\n        break\n    elif loss < 0.1:\n        break\n"
    text = repaired(HEAD + lines).steps[0].text
    assert LINE.format("loss") + "    if step > 3:" in text


def test_another_name_of_horovod_is_used_where_hvd_is_taken() -> None:
    lines = STEP + "    if loss < 0.1:\n        break\n"
    found = repaired("hvd = 1\n" + HEAD + lines)
    assert not found.blocked
    assert "loss = hvd_1.allreduce" in found.after


@pytest.mark.parametrize("line", ["tf = tf.compat.v2\n", "del tf\n"])
def test_it_writes_no_name_that_nothing_binds(line: str) -> None:
    text = LOOP_BOUND_AGAIN.replace("# here\n", line)
    found = migrate(text, Options(repair=frozenset({"A06"})))
    assert "A06" not in [step.code for step in found.steps]
    assert found.blocked


LOOP_BOUND_AGAIN = """import tensorflow as tf
# here
from tensorflow import GradientTape, Variable, keras

w = Variable(1.0)
optimizer = keras.optimizers.SGD(0.1)
for epoch in range(9):
    with GradientTape() as tape:
        loss = w**2
    optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    total = float(loss)
    if total < 0.1:
        break
"""


METRIC = "    mean = tf.keras.metrics.Mean()\n    mean.update_state(loss)\n" + STEP
ASKED = """\
    if mean.result() < best:
        best = mean.result()
    else:
        wait += 1
    if wait > 3:
        break
"""


def test_what_a_metric_says_gets_a_name_for_its_average() -> None:
    seen = migrate(HEAD + METRIC + ASKED, Options(repair=frozenset({"A06"})))
    assert not seen.blocked
    line = "    average_mean = hvd.allreduce(tf.convert_to_tensor(mean.result()))\n"
    assert line + ASKED.replace("mean.result()", "average_mean") in seen.after


TRAINER = """\
import glob

import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model, self.best = model, 9.0
        self.optimizer, self.error = tf.keras.optimizers.SGD(0.1), tf.keras.metrics.Mean()

    def fit(self, data, tests):
        for epoch in range(9):
            for x in data:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.model(x) ** 2)
                weights = self.model.trainable_variables
                self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            for x in tests:
                self.error(self.model(x) ** 2)
            if self.error.result() < self.best:
                self.best = self.error.result()
            else:
                break


names = glob.glob("data/*.npy")
x = np.stack([np.load(name) for name in names])
data = tf.data.Dataset.from_tensor_slices(x).batch(16)
Trainer(tf.keras.Sequential([tf.keras.layers.Dense(1)])).fit(data, data)
"""


def test_what_an_object_keeps_is_averaged_where_it_is_asked_for() -> None:
    seen = migrate(TRAINER, Options(repair=frozenset({"A06"})))
    assert seen.blocked == ()
    lines = [line.strip() for line in seen.after.splitlines()]
    number = lines.index("average_error = hvd.allreduce(tf.convert_to_tensor(self.error.result()))")
    assert lines[number + 1 : number + 3] == [
        "if average_error < self.best:",
        "self.best = average_error",
    ]


def test_the_rules_sort_names_also_behind_the_import_that_the_average_needs() -> None:
    seen = migrate(TRAINER, Options(repair=frozenset({"A06"})))
    assert 'names = sorted(glob.glob("data/*.npy"))' in seen.after
