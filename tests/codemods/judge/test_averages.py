"""Gradients are averaged once, metrics at all, and shares of all workers go by the rank of all."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.obligations import named
from distify.codemods.judge.proof import VIOLATED
from distify.codemods.model import Options

HEAD = """\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
hvd.init()
x = np.load("x.npy")
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
FIT = """\
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, "mse")
model.fit(x[shard], x[shard], callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()])
"""
MEAN = ", hvd.callbacks.MetricAverageCallback()"


def told(obligation: str, text: str) -> list[str]:
    """The codes of what isn't proved; of an obligation's own words, the first word."""
    text = HEAD + text
    facts = Facts.of(text)
    case = Case({"a.py": text}, {"a.py": ""}, "a.py", Options(), QUESTIONS, lambda: facts)
    return [p.code or p.why.split()[0] for p in named(obligation).prove(case) if not p.holds]


@pytest.mark.parametrize("obligation", ["averaged", "reported", "size"])
def test_nothing_is_told_of_a_sound_fit(obligation: str) -> None:
    assert told(obligation, FIT) == []


def test_a_wrapper_around_a_wrapper_is_told() -> None:
    twice = FIT.replace(
        "hvd.DistributedOptimizer(optimizer)",
        "hvd.DistributedOptimizer(hvd.DistributedOptimizer(optimizer))",
    )
    assert "H06" in told("averaged", twice)
    again = FIT.replace(
        "model.compile", "optimizer = hvd.DistributedOptimizer(optimizer)\nmodel.compile"
    )
    assert "H06" in told("averaged", again)


def test_a_fit_that_averages_no_metrics_is_told() -> None:
    assert told("reported", FIT.replace(MEAN, "")) == ["nothing"]


def test_a_callback_of_ones_own_may_average_them() -> None:
    own = (
        "class Means(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n"
        "        for name in sorted(logs):\n            logs[name] = hvd.allreduce(logs[name])\n"
    )
    assert told("reported", own + FIT.replace(MEAN, ", Means()")) == []


ENDING = (
    "class Ending(tf.keras.callbacks.Callback):\n    def on_batch_end(self, batch, logs=None):\n"
    "        self.model.stop_training = bool(hvd.allreduce(logs['loss']) > 9)\n"
)


def test_a_callback_that_only_asks_for_a_mean_averages_no_metrics() -> None:
    assert told("reported", ENDING + FIT.replace(MEAN, ", Ending()")) == ["nothing"]
    assert told("reported", ENDING + FIT.replace(MEAN, f"{MEAN}, Ending()")) == []


@pytest.mark.parametrize("mean", ["", MEAN])
def test_callbacks_in_their_place_and_in_settings_are_seen(mean: str) -> None:
    begin = "[hvd.callbacks.BroadcastGlobalVariablesCallback(0)"
    fit = "model.fit(x[shard], x[shard], "
    head, _, _ = FIT.partition(fit)
    in_place = f"{head}{fit}8, 2, 0, {begin}{mean}])\n"
    in_settings = f"{head}settings = dict(callbacks={begin}{mean}])\n{fit}**settings)\n"
    expected = [] if mean else ["nothing"]
    assert told("reported", in_place) == expected
    assert told("reported", in_settings) == expected


@pytest.mark.parametrize(
    "share", ["slice(hvd.local_rank(), None, hvd.size())", "slice(hvd.rank(), None, hvd.size())"]
)
def test_a_share_by_the_number_on_a_machine_is_told(share: str) -> None:
    text = f"shard = {share}\n{FIT}"
    assert told("size", text) == (["this"] if "local" in share else [])
    sharded = f"d = tf.data.Dataset.from_tensor_slices(x).{share.replace('slice', 'shard').replace(', None', '')}\n"
    turned = sharded.replace(
        "(hvd.local_rank(), hvd.size())", "(hvd.size(), hvd.local_rank())"
    ).replace("(hvd.rank(), hvd.size())", "(hvd.size(), hvd.rank())")
    assert told("size", turned + FIT) == (["this"] if "local" in share else [])


def test_a_share_of_the_workers_of_a_machine_may_go_by_it() -> None:
    assert told("size", f"part = x[hvd.local_rank() :: hvd.local_size()]\n{FIT}") == []


OWN = """\
class Setting:
    def __init__(self):
        self.opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
        self.opt = hvd.DistributedOptimizer(self.opt)
setting = Setting()
model.compile(setting.opt, "mse")
model.fit(x[shard], x[shard], callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()])
"""


def test_an_attribute_that_holds_its_own_wrapper_is_wrapped_once() -> None:
    assert told("averaged", OWN) == []


def test_a_wrapper_that_runs_again_is_told() -> None:
    wrapped = "        self.opt = hvd.DistributedOptimizer(self.opt)\n"
    again = wrapped[4:].replace("self", "setting")
    text = OWN.replace(wrapped, "").replace(
        "model.compile", f"for _ in range(2):\n{again}model.compile"
    )
    assert "H06" in told("averaged", text)


STEP = """\
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
{}
    opt.apply_gradients(zip(gradients, model.trainable_variables))
for i in range(0, len(x), 8):
    step(x[shard][i : i + 8], x[shard][i : i + 8])
"""
TAKEN = "    gradients = tape.gradient(loss, model.trainable_variables)\n"
WRAPPED = f"    tape = hvd.DistributedGradientTape(tape)\n{TAKEN}"
CLIPPED = "    gradients, norm = tf.clip_by_global_norm(gradients, 1.0)\n"
MEANS = "    gradients = [hvd.allreduce(each) for each in gradients]\n"
SCALED = "    gradients = [tf.cast(each, tf.float32) / 2.0 for each in gradients]\n"


@pytest.mark.parametrize(
    "lines",
    [
        WRAPPED + CLIPPED,
        TAKEN + MEANS + CLIPPED,
        TAKEN + SCALED + MEANS,
        WRAPPED + "    print(hvd.allreduce(tf.clip_by_norm(gradients[0], 1.0)))\n",
        WRAPPED + "    weight = hvd.allreduce(tf.sign(loss))\n" + CLIPPED,
        TAKEN.replace("loss,", "tf.clip_by_value(loss, 0.0, 9.0),") + MEANS,
    ],
)
def test_means_that_are_clipped_are_averaged(lines: str) -> None:
    assert told("averaged", STEP.format(lines)) == []


@pytest.mark.parametrize(
    "clipped",
    [
        CLIPPED,
        "    gradients = [tf.clip_by_norm(each, 1.0) for each in gradients]\n",
        "    gradients = [tf.sign(each) for each in gradients]\n",
        "    gradients = list(map(lambda each: tf.clip_by_value(each, -1.0, 1.0), gradients))\n",
    ],
)
def test_what_is_clipped_before_its_mean_is_told(clipped: str) -> None:
    assert told("averaged", STEP.format(TAKEN + clipped + MEANS)) == ["each"]


USED = {
    "by a closure": "def ask(loss):\n    def inner():\n        return taken.gradient(loss, model.weights)\n    taken = hvd.DistributedGradientTape(tf.GradientTape())\n    return inner\n",
    "handed out": "def make(optimizer):\n    made = hvd.DistributedOptimizer(optimizer)\n    return made\n",
    "kept by an object": "def keep(setting, optimizer):\n    made = hvd.DistributedOptimizer(optimizer)\n    setting.optimizer = made\n",
    "on one way": "def make(optimizer, plain):\n    if not plain:\n        optimizer = hvd.DistributedOptimizer(optimizer)\n    model.compile(optimizer)\n",
    "by a global": "def make(optimizer):\n    global made\n    made = hvd.DistributedOptimizer(optimizer)\nmodel.compile(made)\n",
}  # fmt: skip


@pytest.mark.parametrize("name", USED)
def test_what_is_wrapped_may_be_used_elsewhere(name: str) -> None:
    assert told("averaged", USED[name]) == []


def test_what_is_wrapped_for_nothing_is_told() -> None:
    lines = WRAPPED.replace("    tape =", "    averaged =")
    assert told("averaged", STEP.format(lines)) == ["nothing"]
    plain = FIT.replace("optimizer = hvd", "averaging = hvd")
    assert told("averaged", plain) == ["nothing", "nobody"]  # where it is wrapped, and asked


# -- each optimizer is an object -------------------------------------------------------------------

SGD = "tf.keras.optimizers.SGD(0.1 * hvd.size())"
CALLBACKS = FIT[FIT.index("callbacks=") : FIT.rindex(")")]
TRAINED = f"model.fit(x[shard], x[shard], {CALLBACKS})\n"
IN_A_LOOP = f"""\
for name in ("a", "b"):
    model.compile(optimizers[name], "mse")
    model.fit(x[shard], x[shard], {CALLBACKS})
"""
MADE = f"optimizers = {{name: {SGD} for name in ('a', 'b')}}\n"
HOLDER = f"""\
class Holder:
    def __init__(self):
        self.optimizer = {SGD}
        self.optimizer = hvd.DistributedOptimizer(self.optimizer)

    def train(self):
        model.compile(self.optimizer, "mse")
        {TRAINED}
Holder().train()
"""
BUILT = f"""\
def train(optimizer):
    model.compile(optimizer, "mse")
    {TRAINED}

"""
ONE_WRAPPED = {
    "of a dictionary, by a key": MADE
    + "optimizers['a'] = hvd.DistributedOptimizer(optimizers['a'])\n"
    + IN_A_LOOP,
    "of those a function is given": BUILT
    + f"train({SGD})\ntrain(hvd.DistributedOptimizer({SGD}))\n",
    "of a pair": BUILT
    + f"for each in ({SGD}, hvd.DistributedOptimizer({SGD})):\n    train(each)\n",
    "that nobody trains with": f"hvd.DistributedOptimizer({SGD})\nmodel.compile({SGD}, 'mse')\n"
    + TRAINED,
    "in a loss scale": f"hvd.DistributedOptimizer({SGD})\n"
    + f"optimizer = tf.keras.mixed_precision.LossScaleOptimizer({SGD})\n"
    + f"model.compile(optimizer, 'mse')\n{TRAINED}",
    "too late": f"optimizer = {SGD}\nmodel.compile(optimizer, 'mse')\n"
    + f"optimizer = hvd.DistributedOptimizer(optimizer)\n{TRAINED}",
}
ALL_WRAPPED = {
    "of a dictionary, in a loop": MADE
    + "for name in optimizers:\n"
    + "    optimizers[name] = hvd.DistributedOptimizer(optimizers[name])\n"
    + f"model.compile(hvd.DistributedOptimizer({SGD}), 'mse')\n{TRAINED}",
    "put back into an attribute": HOLDER,
    "where there is more than one worker": f"optimizer = {SGD}\nif hvd.size() > 1:\n"
    + f"    optimizer = hvd.DistributedOptimizer(optimizer)\nmodel.compile(optimizer, 'mse')\n{TRAINED}",
    "but for one worker alone": f"if hvd.size() == 1:\n    model.compile({SGD}, 'mse')\n"
    + f"else:\n    model.compile(hvd.DistributedOptimizer({SGD}), 'mse')\n{TRAINED}",
    "but for a model that is only looked at": FIT
    + f"other = tf.keras.Sequential()\nother.compile({SGD}, 'mse')\nother.evaluate(x, x)\n",
    "behind a loss scale": f"optimizer = hvd.DistributedOptimizer({SGD})\n"
    + "optimizer = tf.keras.mixed_precision.LossScaleOptimizer(optimizer)\n"
    + f"model.compile(optimizer, 'mse')\n{TRAINED}",
}


def by_hand(text: str) -> list[str]:
    """What `check` tells of a hand-written program, as an error."""
    facts = Facts.of(HEAD + text)
    found = named("averaged").prove_by_hand(Case.written(facts))
    return [proof.why.split()[0] for proof in found if proof.verdict == VIOLATED]


@pytest.mark.parametrize("name", ONE_WRAPPED)
def test_an_optimizer_that_nobody_wraps_is_told_whatever_stands_beside_it(name: str) -> None:
    assert by_hand(ONE_WRAPPED[name]) in (["nobody"], ["this"])


@pytest.mark.parametrize("name", ALL_WRAPPED)
def test_what_is_wrapped_on_its_way_is_not_told(name: str) -> None:
    assert by_hand(ALL_WRAPPED[name]) == []


def test_what_an_attribute_held_before_is_not_what_it_holds_then() -> None:
    early = HOLDER.replace(
        "        self.optimizer = hvd",
        "        model.compile(self.optimizer, 'mse')\n        self.optimizer = hvd",
    ).replace('        model.compile(self.optimizer, "mse")\n', "")
    assert "this" not in told("averaged", HOLDER)
    assert "this" in told("averaged", early)


def test_a_choice_of_the_program_is_no_proof_of_harm() -> None:
    chosen = FIT.replace("optimizer = hvd", "if len(x) > 9:\n    optimizer = hvd")
    assert by_hand(chosen) == []
    assert "this" in told("averaged", chosen)


GRAPH = """\
import horovod.tensorflow as hvd
import tensorflow.compat.v1 as tf
hvd.init()
x = tf.placeholder(tf.float32, [None, 3])
one, two = tf.layers.dense(x, 4), tf.layers.dense(x, 1)
first = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1 * hvd.size()))
second = tf.train.AdamOptimizer(0.1 * hvd.size())
a = first.minimize(tf.reduce_mean(one ** 2))
b = {}
with tf.train.MonitoredTrainingSession(hooks=[hvd.BroadcastGlobalVariablesHook(0)]) as sess:
    sess.run([a, b])
"""
MINIMIZED = "second.minimize(tf.reduce_mean(two ** 2))"
BY_HAND = (
    "second.apply_gradients([(hvd.allreduce(g), v) for g, v in "
    "second.compute_gradients(tf.reduce_mean(two ** 2))])"
)


@pytest.mark.parametrize(("given", "found"), [(MINIMIZED, ["nobody"]), (BY_HAND, [])])
def test_a_graph_with_two_optimizers_averages_both(given: str, found: list[str]) -> None:
    case = Case.written(Facts.of(GRAPH.format(given)))
    assert [p.why.split()[0] for p in named("averaged").prove_by_hand(case)] == found
