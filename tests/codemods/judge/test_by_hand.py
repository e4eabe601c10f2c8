"""Horovod that a person has written: what is wrong is named, its sound twin is left alone."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

{start}
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.RandomState(0).rand(64, 4).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, x.sum(axis=1))).shard(hvd.size(), hvd.rank()).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD({rate})
"""
LOOP = """\
for number, (inputs, targets) in enumerate(data):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(inputs){factor} - targets) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    optimizer.apply_gradients(zip(tape.gradient(loss, {trained}), {trained}))
    if number == 0:
        hvd.broadcast_variables({broadcast}, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
"""
OWN = "hvd.broadcast_variables(model.variables, root_rank=0)\n"


def tape(
    start: str = "hvd.init()",
    between: str = "",
    factor: str = "",
    trained: str = "model.trainable_variables",
    broadcast: str = "model.variables",
    rate: str = "0.01 * hvd.size()",
) -> str:
    head = HEAD.format(start=start, rate=rate)
    return head + between + LOOP.format(factor=factor, trained=trained, broadcast=broadcast)


def found(text: str) -> list[tuple[str, str]]:
    """The code and the line of the text of each error."""
    lines = text.splitlines()
    return [(each.code, lines[each.line - 1].strip()) for each in migrate(text).blocked]


EARLY = [
    ("RATE = 0.01 * hvd.size()\nhvd.init()", "RATE = 0.01 * hvd.size()"),
    ("print(hvd.rank())\nhvd.init()", "print(hvd.rank())"),
    ("RATE: float = 0.1 * hvd.size()\ndef begin():\n    hvd.init()\nbegin()", "RATE: float"),
]


@pytest.mark.parametrize(("start", "line"), EARLY)
def test_horovod_is_asked_before_it_is_started(start: str, line: str) -> None:
    ((code, at),) = found(tape(start))
    assert code == "J02"
    assert at.startswith(line)


@pytest.mark.parametrize(
    "start",
    [
        "hvd.init()\nRATE = 0.01 * hvd.size()",
        "def rate():\n    return 0.01 * hvd.size()\nhvd.init()\nRATE = rate()",
        "RATE = 0.01 * hvd.size() if hvd.is_initialized() else 0.01\nhvd.init()",
        "def begin():\n    hvd.init()\nbegin()\nRATE = 0.01 * hvd.size()",
        "Wrapped = hvd.DistributedOptimizer\nhvd.init()",
    ],
)
def test_horovod_is_started_in_time(start: str) -> None:
    assert [code for code, _ in found(tape(start)) if code == "J02"] == []


DRAWN = "temperature = tf.Variable(tf.random.uniform(()))\n"
TRAINED = [
    "model.trainable_variables + [temperature]",
    "[*model.trainable_variables, temperature]",
    "[temperature] + model.trainable_variables",
]


@pytest.mark.parametrize("trained", TRAINED)
def test_a_variable_beside_the_models_is_broadcast_by_nobody(trained: str) -> None:
    text = tape(between=DRAWN + f"both = {trained}\n", factor=" * temperature", trained="both")
    assert ("J04", f"both = {trained}") in found(text)


@pytest.mark.parametrize(
    ("between", "broadcast"),
    [
        (DRAWN + f"both = {TRAINED[0]}\n", "both"),
        (DRAWN + f"both = {TRAINED[0]}\n", "model.variables + [temperature]"),
        (DRAWN + f"both = {TRAINED[0]}\nhvd.broadcast_variables([temperature], 0)\n", "both"),
        (f"temperature = tf.Variable(1.0)\nboth = {TRAINED[0]}\n", "model.variables"),
        (
            f"temperature = tf.Variable(tf.zeros(()))\nboth = {TRAINED[1]}\n",
            "model.variables",
        ),
    ],
)
def test_a_variable_beside_the_models_that_is_the_same(between: str, broadcast: str) -> None:
    text = tape(between=between, factor=" * temperature", trained="both", broadcast=broadcast)
    assert [each for each in found(text) if each[0] == "J04"] == []


def test_a_graphs_broadcast_without_a_graph() -> None:
    text = tape(between="hvd.broadcast_global_variables(0)\n").replace(
        "    if number == 0:\n        hvd.broadcast_variables(model.variables, root_rank=0)\n"
        "        hvd.broadcast_variables(optimizer.variables, root_rank=0)\n",
        "",
    )
    assert ("J04", "hvd.broadcast_global_variables(0)") in found(text)
    assert found(text.replace("global_variables(0)", "variables(model.variables, 0)")) == []


FIT = """\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.RandomState(0).rand(64, 4).astype("float32")[hvd.rank() :: hvd.size()]
steady = tf.keras.callbacks.ReduceLROnPlateau("loss", patience=0)
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
{growing}
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size())), "mse")
model.fit(x, x, batch_size=4, epochs=2, callbacks=callbacks, verbose=0)
"""
AVERAGE = "callbacks.append(hvd.callbacks.MetricAverageCallback())"


@pytest.mark.parametrize(
    ("growing", "is_early"),
    [
        (f"{AVERAGE}\ncallbacks.insert(1, steady)", True),
        (f"{AVERAGE}\ncallbacks.insert(0, steady)", True),
        (f"{AVERAGE}\ncallbacks.insert(-1, steady)", True),
        (f"callbacks.append(steady)\n{AVERAGE}", True),
        ("callbacks.append(steady)\ncallbacks.insert(1, hvd.callbacks.MetricAverageCallback())", 0),
        (f"{AVERAGE}\ncallbacks.insert(2, steady)", False),
        (f"{AVERAGE}\ncallbacks.append(steady)", False),
    ],
)
def test_metrics_are_read_before_they_are_averaged(growing: str, is_early: bool) -> None:
    codes = [code for code, _ in found(FIT.format(growing=growing))]
    assert codes == (["H09"] if is_early else [])


def test_a_model_that_horovod_has_loaded_is_wrapped() -> None:
    text = FIT.format(growing=AVERAGE)
    made, compiled = text.index("model ="), text.index("model.fit")
    loaded = text[:made] + 'model = {}.load_model("model.h5")\n' + text[compiled:]
    assert found(loaded.format("hvd")) == []
    assert [code for code, _ in found(loaded.format("tf.keras.models"))] == ["R05"]


SESSION = """\
import os

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(hvd.local_rank())
data = tf.data.Dataset.from_tensor_slices({array}).shard(hvd.size(), hvd.rank()).batch(5)
rows = tf.data.make_one_shot_iterator(data).get_next()
w = tf.get_variable("w", [4, 1])
loss = tf.reduce_mean(tf.matmul(rows, w) ** 2)
step = tf.train.get_or_create_global_step()
optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size()))
train = optimizer.minimize(loss, global_step=step)
saver = tf.train.Saver()
"""
RESTORE = """\
class Restore(tf.train.SessionRunHook):
    def after_create_session(self, session, coord):
        if {test}:
            saver.restore(session, "ckpt/model")


"""
MONITORED = """\
hooks = [{hooks}]
with tf.train.MonitoredTrainingSession(hooks=hooks, config=config) as session:
    while not session.should_stop():
        session.run(train)
"""
TO_ITS_END = """\
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    while True:
        try:
            session.run(train)
        except tf.errors.OutOfRangeError:
            break
"""
BROADCAST = "hvd.BroadcastGlobalVariablesHook(0)"


@pytest.mark.parametrize(
    ("hooks", "test", "is_late"),
    [
        (f"{BROADCAST}, Restore()", "hvd.rank() == 0", True),
        (f"{BROADCAST}, tf.train.StopAtStepHook(num_steps=9), Restore()", "not hvd.rank()", True),
        (f"Restore(), {BROADCAST}", "hvd.rank() == 0", False),
        (f"{BROADCAST}, Restore()", "os.path.exists('ckpt')", False),
    ],
)
def test_a_hook_restores_behind_the_broadcast(hooks: str, test: str, is_late: bool) -> None:
    text = SESSION.format(array="np.ones((64, 4))")
    text += RESTORE.format(test=test) + MONITORED.format(hooks=hooks)
    late = [line for code, line in found(text) if code == "J04"]
    assert late == ([f"hooks = [{hooks}]"] if is_late else [])


@pytest.mark.parametrize(
    ("array", "is_uneven"),
    [
        ("np.random.rand(49, 4)", True),
        ("np.random.RandomState(0).rand(49, 4).astype('float32')", True),
        ("np.zeros((51, 4))", True),
        ("np.random.rand(64, 4)", False),
        ("np.load('x.npy')", False),
    ],
)
def test_a_session_goes_to_the_end_of_uneven_shares(array: str, is_uneven: bool) -> None:
    notes = [note.code for note in migrate(SESSION.format(array=array) + TO_ITS_END).notes]
    assert ("H19" in notes) is is_uneven


COUNTED = """\
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    number = 0
    while True:
        session.run(train)
        number += 1
        if number > 3:
            break
"""


@pytest.mark.parametrize(
    "tail",
    [COUNTED, MONITORED.format(hooks=f"{BROADCAST}, tf.train.StopAtStepHook(last_step=4)")],
)
def test_a_session_counts_its_steps_on_uneven_shares(tail: str) -> None:
    text = SESSION.format(array="np.random.rand(49, 4)") + tail
    assert "H19" not in [note.code for note in migrate(text).notes]


def test_the_second_import_of_horovod_is_bound_too_late_for_the_start() -> None:
    text = tape(between="import horovod.tensorflow.keras as hvdk\n").replace(
        "for gpu in gpus:\n    tf.config.experimental.set_memory_growth(gpu, True)\n"
        'if gpus:\n    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")\n',
        "",
    )
    made = migrate(text)
    assert not made.blocked
    assert "gpus[hvd.local_rank()]" in made.after


STREAM = """\
import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
np.random.seed(0)
x = np.random.normal(size=(64, 4)).astype("float32")
{look}
order = np.random.permutation(64)[hvd.rank() :: hvd.size()]
print(len(set(np.concatenate(hvd.allgather_object(order)))))
"""
LOOK = 'print("a look at", {}.choice(64, 3))'
ON_RANK_0 = "if hvd.rank() == 0:\n    "


@pytest.mark.parametrize(
    ("look", "is_moved"),
    [
        (ON_RANK_0 + LOOK.format("np.random"), True),
        (LOOK.format("np.random") + " if hvd.rank() == 0 else None", True),
        ("if hvd.rank():\n    pass\nelse:\n    " + LOOK.format("np.random"), True),
        (LOOK.format("np.random"), False),
        (ON_RANK_0 + LOOK.format("np.random.default_rng(1)"), False),
        (ON_RANK_0 + LOOK.format("np.random") + "\nnp.random.seed(1)", False),
        (ON_RANK_0 + "import random; print(random.random())", False),
    ],
)
def test_rank_0_draws_once_more_before_the_shares_are_cut(look: str, is_moved: bool) -> None:
    codes = [code for code, _ in found(STREAM.format(look=look))]
    assert codes == (["J09"] if is_moved else [])


def test_a_share_is_cut_before_rank_0_draws_once_more() -> None:
    text = STREAM.format(look="")
    assert found(text + ON_RANK_0 + LOOK.format("np.random")) == []


OWN_STEPS = """\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.RandomState(0).rand({size}, 4).astype("float32")
{cut}
data = tf.data.Dataset.from_tensor_slices((x, x)).repeat().batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size())), "mse")
calls = [hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()]
model.fit(data, steps_per_epoch=steps, epochs=2, callbacks=calls, verbose=0)
"""
CUT = "x = x[hvd.rank() :: hvd.size()]"
STEPS = "steps = int(np.ceil(len(x) / 4))"


@pytest.mark.parametrize(
    ("size", "cut", "is_uneven"),
    [
        (249, f"{CUT}\n{STEPS}", True),
        (249, f"x = np.array_split(x[:249], hvd.size())[hvd.rank()]\n{STEPS}", True),
        (256, f"{CUT}\n{STEPS}", False),
        (249, f"steps = len(x) // 4 // hvd.size()\n{CUT}", False),
        (249, f"x = x[: len(x) // hvd.size() * hvd.size()]\n{CUT}\n{STEPS}", False),
    ],
)
def test_steps_are_counted_by_a_share_that_may_be_longer(
    size: int, cut: str, is_uneven: bool
) -> None:
    notes = [each.code for each in migrate(OWN_STEPS.format(size=size, cut=cut)).notes]
    assert ("H19" in notes) is is_uneven


@pytest.mark.parametrize(
    ("cut", "is_uneven"),
    [("x = x[:53]\n", True), ("x = x[:48]\n", False), ("x = x[: len(x) // 8 * 8]\n", False)],
)
def test_a_loop_that_leaves_short_batches_out(cut: str, is_uneven: bool) -> None:
    text = tape().replace("data = ", cut + "data = ")
    text = text.replace("    with tf.G", "    if len(inputs) < 4:\n        continue\n    with tf.G")
    assert ("H19" in [each.code for each in migrate(text).notes]) is is_uneven


WARM = "hvd.callbacks.LearningRateWarmupCallback(initial_lr=0.01 * hvd.size(), warmup_epochs=2)"
DECAY = "tf.keras.optimizers.schedules.ExponentialDecay(0.01 * hvd.size(), 9, 0.9)"


@pytest.mark.parametrize(("rate", "is_idle"), [(DECAY, True), ("0.01 * hvd.size()", False)])
def test_a_warm_up_beside_a_schedule_does_nothing(rate: str, is_idle: bool) -> None:
    text = FIT.format(growing=f"{AVERAGE}\ncallbacks.append({WARM})")
    codes = [code for code, _ in found(text.replace("SGD(0.01 * hvd.size())", f"SGD({rate})"))]
    assert codes == (["H17"] if is_idle else [])
