"""What a worker does for itself in Horovod that people write: its rest, its tests, its callbacks."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.workers.collective_calls import program_ends, split_ways
from distify.codemods.facts.workers.horovod_parts import averaged_twice, is_whole, late_pins
from distify.codemods.facts.workers.lone_callbacks import early_readers, lone_callbacks
from distify.codemods.facts.workers.lost_broadcasts import is_unbuilt_at, overwritten
from distify.codemods.facts.workers.rank_tests import is_by_rank, is_rest_by_rank
from distify.codemods.restrictions.h12_decided_alone import decided_alone
from last_value import last_value

HEAD = """\
import os
import sys
import time
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
"""
MODEL = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"


@pytest.mark.parametrize(
    ("items", "is_rest"),
    [
        ("items[hvd.rank():]", True),
        ("items[:hvd.rank()]", True),
        ("list(items[hvd.rank():])", True),
        ("items[hvd.rank()::hvd.size()]", False),
        ("items[hvd.rank()::2]", False),
        ("items[hvd.rank():9]", False),
        ("items[hvd.rank() * hvd.size():]", False),
        ("items[3:]", False),
        ("items[hvd.rank()]", False),
        ("items", False),
    ],
)
def test_a_rest_from_the_workers_number_on_is_told_from_a_share(items: str, is_rest: bool) -> None:
    facts, iterable = last_value(HEAD + items)
    assert is_rest_by_rank(facts, iterable, is_by_rank) is is_rest


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("hvd.rank() == 0", True),
        ("env = dict(os.environ)\nenv['HOROVOD_RANK'] == '0'", True),
        ("env = load()\nenv.get('OMPI_COMM_WORLD_RANK') == '0'", True),
        ("env = load()\nenv.get('OMPI_COMM_WORLD_RANK', '0') != '0'", True),
        ("env = load()\nint(env.get('RANK', 0)) > 0", True),
        ("env = load()\nenv.pop('OMPI_COMM_WORLD_RANK') == '0'", False),
        ("env = load()\nenv.get('HOME') == '0'", False),
        ("env = load()\nenv.get('RANK') is None", False),
        ("args = load()\nargs.chief = hvd.rank() == 0\nargs.chief", True),
        ("args = load()\nargs.chief, args.n = hvd.rank() == 0, 1\nargs.other", False),
        ("args = load()\nargs.chief += hvd.rank()\nargs.chief", False),
        ("args = load()\nargs.chief = 1\nargs.chief", False),
        ("hvd.size() == 1", False),
    ],
)
def test_a_test_by_the_workers_number_is_seen_in_each_form(text: str, is_found: bool) -> None:
    assert is_by_rank(*last_value(HEAD + text)) is is_found


@pytest.mark.parametrize(
    ("end", "is_end"),
    [
        ("sys.exit()", True),
        ("exit(1)", True),
        ("raise SystemExit", True),
        ("raise SystemExit(0)", True),
        ("raise ValueError('no')", False),
        ("print(sys.exit)", False),
        ("code = sys.exit", False),
    ],
)
def test_ends_of_the_program_that_others_wait_behind(end: str, is_end: bool) -> None:
    text = f"{HEAD}if hvd.rank() == 1:\n    {end}\nhvd.allreduce(1.0)\n"
    facts = Facts.of(text)
    assert [ast.unparse(each) for each in program_ends(facts)] == ([end] if is_end else [])
    assert len(split_ways(facts)) == is_end


@pytest.mark.parametrize(
    ("test", "source"),
    [
        ("time.time() > 9", "time.time()"),
        ("late(time.time())", "time.time()"),
        ("hvd.allreduce(time.time()) > 9", None),
        ("hvd.broadcast_object(time.time(), 0) > 9", None),
        ("step > 9", None),
    ],
)
def test_a_clock_that_decides_on_a_collective_is_found_unless_told(
    test: str, source: str | None
) -> None:
    found = decided_alone(Facts.of(f"{HEAD}if {test}:\n    hvd.allgather(x)\n"))
    said = [each.message for each in found]
    assert [f"by `{source}`" in each for each in said] == ([True] if source else [])


TWICE = """\
opt = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1))
with tf.GradientTape() as tape:
    loss = model(x)
tape = hvd.DistributedGradientTape(tape)
grads = tape.gradient(loss, model.variables)
"""


@pytest.mark.parametrize("word", ["", "grads_and_vars="])
def test_gradients_that_two_average_are_found_however_they_are_given(word: str) -> None:
    text = f"{HEAD}{MODEL}{TWICE}opt.apply_gradients({word}zip(grads, model.variables))\n"
    ((application, first),) = averaged_twice(Facts.of(text))
    assert ast.unparse(application).startswith("opt.apply_gradients(")
    assert ast.unparse(first) == "tape.gradient(loss, model.variables)"
    once = text.replace("tape = hvd.DistributedGradientTape(tape)\n", "")
    assert list(averaged_twice(Facts.of(once))) == []


PIN = "tf.config.set_visible_devices(gpus[hvd.local_rank()], 'GPU')\n"
PINNING = f"def pin():\n    {PIN}\n\n"


@pytest.mark.parametrize(
    ("text", "taker"),
    [
        ("x = tf.constant(1)\n" + PIN, "tf.constant(1)"),
        (PINNING + "x = tf.zeros(3)\npin()\n", "tf.zeros(3)"),
        (PINNING + "pin()\nx = tf.zeros(3)\n", None),
        (PINNING + "pin()\nx = tf.zeros(3)\npin()\n", None),
        ("tf.random.set_seed(1)\n" + PIN, None),
        ("def make():\n    return tf.zeros(3)\n" + PIN, None),
        (PIN + "x = tf.constant(1)\n", None),
    ],
)
def test_a_gpu_that_is_taken_before_one_is_chosen(text: str, taker: str | None) -> None:
    found = late_pins(Facts.of(HEAD + text))
    assert [ast.unparse(call) for _, call in found] == ([taker] if taker else [])


OWN = """\
class Mean(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        hvd.allreduce(logs["loss"])


class Show(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(logs["loss"])


"""


@pytest.mark.parametrize(
    ("callback", "name"),
    [
        ("Mean()", "Mean"),
        ("Show()", None),
        ("tf.keras.callbacks.EarlyStopping()", "EarlyStopping"),
        ("tf.keras.callbacks.ModelCheckpoint('m')", None),
        ("hvd.callbacks.MetricAverageCallback()", "MetricAverageCallback"),
    ],
)
def test_callbacks_of_one_worker_that_all_need(callback: str, name: str | None) -> None:
    head = HEAD.replace("horovod.tensorflow", "horovod.tensorflow.keras") + OWN + "calls = []\n"
    text = f"if hvd.rank() == 0:\n    calls.append({callback})\n"
    found = lone_callbacks(Facts.of(head + text))
    assert [each.name for each in found] == ([name] if name else [])
    assert list(lone_callbacks(Facts.of(head + f"calls.append({callback})\n"))) == []


RUNS = """\
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

hvd.init()
opt = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1))
step = opt.minimize(loss)
send = hvd.broadcast_global_variables(0)
start = tf.global_variables_initializer()
sess = tf.Session()
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sess.run(start)\nsess.run(send)\nsess.run(step)\n", []),
        ("sess.run(send)\nsess.run(start)\nsess.run(step)\n", ["sess.run(start)"]),
        ("sess.run(send)\nsess.run(start)\nsess.run(step)\nsess.run(send)\n", []),
        ("sess.run(send)\nother.run(start)\n", []),
        (
            "sess.run(send)\nif hvd.rank() == 0:\n    saver.restore(sess, 'm')\n",
            ["saver.restore(sess, 'm')"],
        ),
        ("sess.run(send)\nsaver.restore(sess, 'm')\n", []),
    ],
)
def test_what_sets_variables_behind_the_last_broadcast(text: str, found: list[str]) -> None:
    assert [ast.unparse(call) for call, _ in overwritten(Facts.of(RUNS + text))] == found


@pytest.mark.parametrize(
    "made", ["minimize(loss)", "apply_gradients(g)", "compute_gradients(loss)"]
)
def test_a_run_of_what_averages_is_waited_for(made: str) -> None:
    text = f"{RUNS}op = opt.{made}\nif hvd.rank() == 0:\n    sess.run(op)\n"
    ((way),) = split_ways(Facts.of(text))
    assert way.place.lineno == 12
    plain = text.replace("hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1))", "unknown")
    assert split_ways(Facts.of(plain)) == ()


SEND = "hvd.broadcast_variables(model.variables, root_rank=0)"


@pytest.mark.parametrize(
    ("text", "is_unbuilt"),
    [
        (SEND + "\n", True),
        ("model(x)\n" + SEND + "\n", False),
        ("model.compile('sgd')\n" + SEND + "\n", True),
        (f"for x in data:\n    if first:\n        {SEND}\n    model(x)\n", True),
        (f"for x in data:\n    if not done:\n        {SEND}\n    model(x)\n", True),
        (f"for i, x in data:\n    if i == 0:\n        {SEND}\n    model(x)\n", True),
        (f"for i, x in data:\n    if i == 1:\n        {SEND}\n    model(x)\n", False),
        (f"for x in data:\n    {SEND}\n    model(x)\n", False),
        (f"for x in data:\n    model(x)\n    if first:\n        {SEND}\n", False),
    ],
)
def test_a_model_without_variables_at_its_broadcast(text: str, is_unbuilt: bool) -> None:
    facts = Facts.of(HEAD + MODEL + text)
    (call,) = facts.calls("broadcast_variables")
    model = call.args[0]
    assert isinstance(model, ast.Attribute)
    assert is_unbuilt_at(facts, model.value, call) is is_unbuilt


@pytest.mark.parametrize(
    "parts",
    [
        "hvd.DistributedGradientTape(t) hvd.broadcast_variables(v,0)",
        "hvd.DistributedOptimizer(o) hvd.broadcast_global_variables(0)",
        "hvd.DistributedOptimizer(o) hvd.BroadcastGlobalVariablesHook(0)",
        "hvd.allreduce(g) hvd.broadcast_variables(v,0)",
    ],
)
def test_a_program_is_whole_with_each_form_of_every_part(parts: str) -> None:
    lines = ["hvd.init()", *parts.split()]
    head = HEAD.replace("hvd.init()\n", "")
    assert is_whole(Facts.of(head + "\n".join(lines)))
    for left_out in lines:
        rest = "\n".join(line for line in lines if line != left_out)
        assert not is_whole(Facts.of(head + rest))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("calls = [tf.keras.callbacks.EarlyStopping(), mean]\n", ["EarlyStopping"]),
        ("calls = [mean, tf.keras.callbacks.EarlyStopping()]\n", []),
        ("calls = [tf.keras.callbacks.EarlyStopping()]\ncalls.append(mean)\n", ["EarlyStopping"]),
        ("calls = [tf.keras.callbacks.EarlyStopping()]\ncalls.insert(0, mean)\n", []),
    ],
)
def test_callbacks_that_read_metrics_too_early(text: str, found: list[str]) -> None:
    head = HEAD.replace("horovod.tensorflow", "horovod.tensorflow.keras") + MODEL
    head += "mean = hvd.callbacks.MetricAverageCallback()\n"
    seen = early_readers(Facts.of(head + text + "model.fit(x, callbacks=calls)\n"))
    assert [each.name for each in seen] == found
