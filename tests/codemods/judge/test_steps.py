"""Shares that people have cut: equally long on all workers, or told that nobody can tell."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.judge.case import Case
from distify.codemods.judge.obligations import named
from distify.codemods.judge.proof import NOT_PROVED, PROVED
from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
rank, size = hvd.rank(), hvd.size()
n = len(x)
{before}
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * size)), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit({data}, epochs=3, callbacks=callbacks, verbose=int(rank == 0))
"""
ARRAYS = "x, y, batch_size=32"
BLOCK = "x, y = x[rank * per : (rank + 1) * per], y[rank * per : (rank + 1) * per]"
DATA = "ds = tf.data.Dataset.from_tensor_slices((x, y))"
SHARD = f"{DATA}.shard(size, rank)"
EVEN = {
    "what goes round": ("x, y = x[: n // size * size], y[: n // size * size]\n"
                        "x, y = x[rank::size], y[rank::size]", ARRAYS),
    "without the rest": ("m = n - n % size\nx, y = x[rank:m:size], y[rank:m:size]", ARRAYS),
    "a slice with a name": ("part = slice(rank, n // size * size, size)\nx, y = x[part], y[part]", ARRAYS),
    "blocks": (f"per = n // size\n{BLOCK}", ARRAYS),
    "parts of what goes round": (
        "m = n // size * size\nx, y = x[:m], y[:m]\n"
        "x, y = np.array_split(x, size)[rank], np.array_split(y, size)[rank]",
        ARRAYS,
    ),
    "a slice without an end": (
        "x, y = np.ones((64, 4)), np.ones((64, 1))\npart = slice(rank, None, size)\n"
        "x, y = x[part], y[part]",
        ARRAYS,
    ),
    "read by code of others": ("import loader\nx, y = loader.load(3)", ARRAYS),
    "shuffled by code of others": ("import loader\nx, y = loader.mix(x, y, seed=rank)", ARRAYS),
    "equal parts": ("x, y = np.split(x, size)[rank], np.split(y, size)[rank]", ARRAYS),
    "written": ("x, y = np.ones((64, 4)), np.ones((64, 1))\nx, y = x[rank::size], y[rank::size]", ARRAYS),
    "drawn": ("x = np.random.RandomState(0).rand(64, 4)\ny = x.sum(1)\n"
              "x, y = x[rank::size], y[rank::size]", ARRAYS),
    "counted steps": (f"{SHARD}.repeat().batch(32)", "ds, steps_per_epoch=n // 32 // size"),
    "agreed steps": (
        f"{SHARD}.repeat().batch(32)\nsteps = int(hvd.allreduce(n // size // 32, op=hvd.Min))",
        "ds, steps_per_epoch=steps",
    ),
    "taken": (f"{SHARD}.take(n // size).batch(32)", "ds"),
    "groups": (f"{DATA}.batch(size, drop_remainder=True).unbatch().shard(size, rank).batch(32)", "ds"),
    "all of it": (f"{DATA}.shuffle(100).batch(32)", "ds"),
}  # fmt: skip
UNEVEN = {
    "a stride": ("x, y = x[rank::size], y[rank::size]", ARRAYS),
    "parts": ("x, y = np.array_split(x, size)[rank], np.array_split(y, size)[rank]", ARRAYS),
    "rounded up": (f"per = int(np.ceil(n / size))\n{BLOCK}", ARRAYS),
    "rounded up by signs": (f"per = -(-n // size)\n{BLOCK}", ARRAYS),
    "the last takes the rest": (
        "per = n // size\nend = n if rank == size - 1 else (rank + 1) * per\n"
        "x, y = x[rank * per : end], y[rank * per : end]",
        ARRAYS,
    ),
    "shards": (f"{SHARD}.batch(32)", "ds"),
    "whole batches of shards": (f"{SHARD}.batch(32, drop_remainder=True)", "ds"),
    "files": ("ds = tf.data.TFRecordDataset(sorted(tf.io.gfile.glob('*'))[rank::size]).batch(32)", "ds"),
    "steps of a share": (
        "xs = x[rank::size]\nds = tf.data.Dataset.from_tensor_slices(xs).repeat().batch(32)",
        "ds, steps_per_epoch=len(xs) // 32",
    ),
    "cut by code of others": ("import loader\nx, y = loader.load(rank)", ARRAYS),
    "cut by code of others, by name": ("import loader\nx, y = loader.load(part=hvd.rank())", ARRAYS),
    "numbers in an order": (
        "pick = np.random.RandomState(0).permutation(n)[rank::size]\nx, y = x[pick], y[pick]",
        ARRAYS,
    ),
    "edges": (
        "ends = np.linspace(0, n, size + 1).astype(int)\n"
        "x, y = x[ends[rank] : ends[rank + 1]], y[ends[rank] : ends[rank + 1]]",
        ARRAYS,
    ),
    "one's own file": ("names = ['a', 'b']\nx = np.load(names[rank])\ny = x.sum(1)", ARRAYS),
    "the rest one by one": (
        "per, rest = divmod(n, size)\nlow = rank * per + min(rank, rest)\n"
        "high = low + per + (rank < rest)\nx, y = x[low:high], y[low:high]",
        ARRAYS,
    ),
}  # fmt: skip
EVEN |= {
    "rest of a name": (
        "rest = n % size\nm = n - rest\nx, y = x[:m], y[:m]\nx, y = x[rank::size], y[rank::size]",
        ARRAYS,
    ),
    "groups of batches": (
        f"{DATA}.batch(8 * size, drop_remainder=True).unbatch().shard(size, rank).batch(8)",
        "ds",
    ),
    "dealt by a test": (
        f"{DATA}.take(64).enumerate().filter(lambda i, _: i % size == rank)"
        ".map(lambda _, row: row).batch(8)",
        "ds",
    ),
    "a mask": ("x, y = x[:64], y[:64]\nmine = np.arange(64) % size == rank\nx, y = x[mine], y[mine]", ARRAYS),
    "blocks of a quotient": (f"per, rest = divmod(n, size)\n{BLOCK}", ARRAYS),
    "as the launcher says": (
        'import os\n\nrank = int(os.environ["OMPI_COMM_WORLD_RANK"])\n'
        'size = int(os.environ["OMPI_COMM_WORLD_SIZE"])\n'
        "x, y = x[:64], y[:64]\nx, y = x[rank::size], y[rank::size]",
        ARRAYS,
    ),
}  # fmt: skip
SLICED = "x, y = x[:241], y[:241]\n"
SEQUENCE = """\
class Batches(tf.keras.utils.Sequence):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x) // 8

    def __getitem__(self, i):
        return self.x[i * 8 : i * 8 + 8], self.x[i * 8 : i * 8 + 8, 0]


"""
ODD = {
    "written, and odd": (f"{SLICED}x, y = x[rank::size], y[rank::size]", ARRAYS),
    "a slice without an end": (
        f"{SLICED}part = slice(rank, None, size)\nx, y = x[part], y[part]", ARRAYS,
    ),
    "numbers": ("pick = np.arange(rank, 241, size)\nx, y = np.take(x, pick), np.take(y, pick)", ARRAYS),
    "a mask": (f"{SLICED}mine = np.arange(241) % size == rank\nx, y = x[mine], y[mine]", ARRAYS),
    "a setting": (
        "class Settings:\n    rows = 241\n\n\nx, y = x[: Settings.rows], y[: Settings.rows]\n"
        "x, y = x[rank::size], y[rank::size]",
        ARRAYS,
    ),
    "in a function": (
        "def part(rows):\n    return np.array_split(rows, size)[rank]\n\n\n"
        "x, y = part(x[:241]), part(y[:241])",
        ARRAYS,
    ),
    "as the launcher says": (
        'import os\n\nrank = int(os.environ["OMPI_COMM_WORLD_RANK"])\n'
        'size = int(os.environ["OMPI_COMM_WORLD_SIZE"])\n'
        f"{SLICED}x, y = x[rank::size], y[rank::size]",
        ARRAYS,
    ),
    "a class": (f"{SEQUENCE}{SLICED}ds = Batches(x[rank::size])", "ds"),
    "a generator": (
        "mine = np.arange(241)[rank::size]\n\n\ndef rows():\n    for i in mine:\n"
        "        yield x[i], y[i]\n\n\n"
        "ds = tf.data.Dataset.from_generator(rows, (tf.float32, tf.float32)).batch(8)",
        "ds",
    ),
    "dealt by a test": (
        f"{DATA}.take(241).enumerate().filter(lambda i, _: i % size == rank)"
        ".map(lambda _, row: row).batch(8)",
        "ds",
    ),
    "steps of a share": (
        "mine = np.array_split(np.arange(256 - 7), size)[rank]\n"
        "ds = tf.data.Dataset.from_tensor_slices(x[mine]).repeat().batch(4)",
        "ds, steps_per_epoch=int(np.ceil(len(mine) / 4))",
    ),
}  # fmt: skip
CHOSEN = {
    "sifted": (
        f"{DATA}.batch(size, drop_remainder=True).unbatch().shard(size, rank)"
        ".filter(lambda a, b: b > 0).batch(32)",
        "ds",
    ),
    "by a mask": ("x, y = x[rank::size], y[rank::size]\nx, y = x[y > 0], y[y > 0]", ARRAYS),
}
CASES = [
    *((name, *parts, PROVED) for name, parts in EVEN.items()),
    *((name, *parts, NOT_PROVED) for name, parts in UNEVEN.items()),
]


def verdicts(text: str) -> set[str]:
    case = Case.written(Facts.of(text))
    return {proof.verdict for proof in named("steps").prove(case)} - {"violated"}


@pytest.mark.parametrize(("name", "before", "data", "verdict"), CASES)
def test_shares_are_equally_long_or_nobody_can_tell(
    name: str, before: str, data: str, verdict: str
) -> None:
    assert verdicts(HEAD.format(before=before, data=data)) == {verdict}, name


@pytest.mark.parametrize(
    ("name", "code"), [*((name, "H19") for name in ODD), *((name, "K04") for name in CHOSEN)]
)
def test_what_certainly_is_uneven_is_told_where_it_is_cut(name: str, code: str) -> None:
    before, data = (ODD if code == "H19" else CHOSEN)[name]
    text = HEAD.format(before=before, data=data)
    seen = migrate(text)
    found = [each for each in (*seen.blocked, *seen.notes) if each.code == code]
    assert {each.obligation for each in (*seen.blocked, *seen.notes)} <= {""}
    cut = ("size", ".filter", "x[y > 0]", "[part]", "[mine]", "from_generator")
    assert found
    assert all(any(c in text.splitlines()[each.line - 1] for c in cut) for each in found)


@pytest.mark.parametrize(
    ("count", "told"),
    [("4 // size", 1), ("max(1, 4 // size)", 0), ("64 // size", 0), ("n // size", 0)],
)
def test_steps_that_many_workers_have_none_of_are_told(count: str, told: int) -> None:
    before, data = f"{SHARD}.repeat().batch(32)", f"ds, steps_per_epoch={count}"
    seen = migrate(HEAD.format(before=before, data=data))
    assert sum(each.code == "H19" for each in (*seen.blocked, *seen.notes)) == told


@pytest.mark.parametrize("name", ["parts of what goes round", "equal parts", "a stride"])
def test_of_a_share_that_is_followed_nobody_says_that_it_is_not(name: str) -> None:
    before, data = {**EVEN, **UNEVEN}[name]
    found = migrate(HEAD.format(before=before, data=data))
    assert "K04" not in {each.code for each in (*found.blocked, *found.notes)}


SHARED = {
    "a class": (f"{SEQUENCE}x = x[:64]\nds = Batches(x[rank::size])", "ds"),
    "a generator": ODD["a generator"],
    "files": (
        "import glob\n\nnames = sorted(glob.glob('*.npy'))\n"
        "x = np.concatenate([np.load(name) for name in names[rank::size]])\ny = x.sum(1)",
        ARRAYS,
    ),
    "as the launcher says": EVEN["as the launcher says"],
}


@pytest.mark.parametrize("name", SHARED)
def test_what_a_person_has_shared_out_is_not_cut_once_more(name: str) -> None:
    before, data = SHARED[name]
    text = HEAD.format(before=before, data=data)
    found = migrate(text)
    assert found.after == text
    assert not found.blocked
    assert "P02" not in {note.code for note in found.notes}


def test_who_joins_waits_for_the_others() -> None:
    before, data = UNEVEN["shards"]
    assert verdicts(HEAD.format(before=before, data=data) + "hvd.join()\n") == {PROVED}


def test_a_note_tells_of_it_in_a_program_that_is_left_alone() -> None:
    before, data = UNEVEN["a stride"]
    found = migrate(HEAD.format(before=before, data=data))
    assert not found.blocked
    assert [n.code for n in found.notes if n.obligation] == ["J07"]


WRONG = {
    "the number on the machine, by keywords": (
        f"{DATA}.repeat().shard(num_shards=size, index=hvd.local_rank()).batch(32)",
        "ds, steps_per_epoch=10",
    ),
    "numbers by that on the machine": (
        "m = n // size * size\npick = np.arange(hvd.local_rank(), m, size)\nx, y = x[pick], y[pick]",
        ARRAYS,
    ),
    "a mask by that on the machine": (
        "x, y = x[:64], y[:64]\nmine = np.arange(64) % size == hvd.local_rank()\n"
        "x, y = x[mine], y[mine]",
        ARRAYS,
    ),
    "a share of what a generator gives": (
        "mine = np.arange(n // size * size)[rank::size]\n\n\ndef rows():\n    for i in mine:\n"
        "        yield x[i], y[i]\n\n\n"
        "ds = tf.data.Dataset.from_generator(rows, (tf.float32, tf.float32))\n"
        "ds = ds.repeat().shard(size, rank).batch(8)",
        "ds, steps_per_epoch=10",
    ),
    "the number on the machine": (
        "r, per = hvd.local_rank(), n // size\nx, y = x[r * per : (r + 1) * per], y[r * per : (r + 1) * per]",
        ARRAYS,
    ),
    "the number on the machine, among equal parts": (
        "r = hvd.local_rank()\nx, y = np.split(x, size)[r], np.split(y, size)[r]",
        ARRAYS,
    ),
    "the number on the machine, in the environment": (
        'import os\n\nr = int(os.environ["OMPI_COMM_WORLD_LOCAL_RANK"])\n'
        f"{DATA}.repeat().shard(size, r).batch(32)",
        "ds, steps_per_epoch=10",
    ),
    "a share of a share": (
        f"per = n // size\n{BLOCK}\n{SHARD}.repeat().batch(32)",
        "ds, steps_per_epoch=10",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_shares_that_are_not_those_of_all_workers_are_refused(name: str) -> None:
    before, data = WRONG[name]
    found = migrate(HEAD.format(before=before, data=data))
    assert {finding.code for finding in found.blocked} == {"J08"}


def test_shares_among_the_workers_of_a_machine_get_a_note() -> None:
    before = f"{DATA}.repeat().shard(hvd.local_size(), hvd.local_rank()).batch(32)"
    found = migrate(HEAD.format(before=before, data="ds, steps_per_epoch=10"))
    assert not found.blocked
    assert "J08" in {note.code for note in found.notes if "one machine" in note.message}


@pytest.mark.parametrize(
    "line", ["gpu = hvd.local_rank() % 4", "for turn in range(hvd.local_size()):\n    print(turn)"]
)
def test_what_shares_nothing_out_may_go_by_the_number_on_the_machine(line: str) -> None:
    before = f"{SHARD}.repeat().batch(32)\n{line}"
    found = migrate(HEAD.format(before=before, data="ds, steps_per_epoch=10"))
    assert "J08" not in {each.code for each in (*found.blocked, *found.notes)}


@pytest.mark.parametrize(
    ("rate", "told"),
    [("hvd.local_size()", 1), ("size", 0), ("hvd.local_size() * hvd.cross_size()", 0)],
)
def test_a_rate_that_grows_with_the_workers_of_a_machine_is_told(rate: str, told: int) -> None:
    text = HEAD.format(
        before="x, y = x[:64], y[:64]\nx, y = x[rank::size], y[rank::size]", data=ARRAYS
    )
    found = migrate(text.replace("0.01 * size", f"0.01 * {rate}"))
    assert sum(each.code == "H17" for each in (*found.blocked, *found.notes)) == told


LOOP = """\
import numpy as np
import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
x, y = np.load("x.npy"), np.load("y.npy")
ds = tf.data.Dataset.from_tensor_slices((x, y)).shard(hvd.size(), hvd.rank()).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
best, step = 9.0, 0
for a, b in ds:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    tape = hvd.DistributedGradientTape(tape)
    g = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(g, model.trainable_variables))
    step += 1
    {leaves}
"""
LEAVING = [
    ("pass", NOT_PROVED),
    ("if step == 10:\n        break", PROVED),
    ("if hvd.allreduce(loss) < 0.1:\n        break", PROVED),
    ("if loss < 0.1:\n        break", NOT_PROVED),
    ("if hvd.rank() == 0:\n        break", NOT_PROVED),
    ("if step == 10:\n        break\n    if loss < best:\n        break", NOT_PROVED),
    ("for _ in a:\n        break", NOT_PROVED),
    ("try:\n        check(loss)\n    except ValueError:\n        break", NOT_PROVED),
]


@pytest.mark.parametrize(("leaves", "expected"), LEAVING)
def test_a_loop_that_all_leave_alike_counts_its_steps(leaves: str, expected: str) -> None:
    assert verdicts(LOOP.format(leaves=leaves)) == {expected}


STEPS = """\
import itertools
import numpy as np
import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
x, y = np.load("x.npy"), np.load("y.npy")
n, rank, size = len(x), hvd.rank(), hvd.size()
even = n // size * size
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1 * size)


def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    tape = hvd.DistributedGradientTape(tape)
    g = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(g, model.trainable_variables))


{before}
{head}
    step(x[i : i + 1], y[i : i + 1])
{behind}"""
MINE = "mine = x[rank::size]"
DRAWN = "it = iter(tf.data.Dataset.range({}).shard(size, rank))"
ROUNDS = {
    "rounds of a share": (MINE, "for i in range(len(mine) // 8):", "", NOT_PROVED),
    "rounds of a share, as some go": (MINE, "for i in range(0, len(mine), 8):", "", NOT_PROVED),
    "turns": ("", "for i in itertools.islice(range(n), rank, None, size):", "", NOT_PROVED),
    "turns of what goes round": (
        "", "for i in itertools.islice(range(even), rank, None, size):", "", PROVED,
    ),
    "numbers that are sifted": (
        "mine = [i for i in range(n) if i % size == rank]", "for i in mine:", "", NOT_PROVED,
    ),
    "the same of what goes round": (
        "mine = [i for i in range(even) if i % size == rank]", "for i in mine:", "", PROVED,
    ),
    "a list of them": (MINE, "for i, _ in enumerate(list(mine)):", "", NOT_PROVED),
    "the least of all": (
        f"{MINE}\nrounds = min(hvd.allgather_object(len(mine)))", "for i in range(rounds):", "", PROVED,
    ),
    "a bar that one worker shows": (
        "import tqdm", "for i in tqdm.trange(n, disable=rank != 0):", "", PROVED,
    ),
    "while there is more": (f"{MINE}\ni = 0", "while i < len(mine):", "    i += 8\n", NOT_PROVED),
    "while there is more of all": ("i = 0", "while i < n // size:", "    i += 1\n", PROVED),
    "until it ends": (
        DRAWN.format("n"), "while True:\n    i = next(it)", "", NOT_PROVED,
    ),
    "until what goes round ends": (
        DRAWN.format("even"), "while True:\n    i = next(it)", "", PROVED,
    ),
    "until it has no next one": (
        DRAWN.format("n"), "while True:\n    i = it.get_next()", "", NOT_PROVED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROUNDS)
def test_loops_go_on_as_long_on_all_workers_or_nobody_can_tell(name: str) -> None:
    before, head, behind, expected = ROUNDS[name]
    assert verdicts(STEPS.format(before=before, head=head, behind=behind)) == {expected}


GRAPH = """\
import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()
x = np.ones(({rows}, 4), "float32")
data = tf.data.Dataset.from_tensor_slices(x).shard(hvd.size(), hvd.rank()).batch(5)
batch = tf.data.make_one_shot_iterator(data).get_next()
w = tf.get_variable("w", [4, 1])
loss = tf.reduce_mean(tf.matmul(batch, w) ** 2)
step = tf.train.get_or_create_global_step()
optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size()))
train = optimizer.minimize(loss, global_step=step)
hooks = [hvd.BroadcastGlobalVariablesHook(0)]
{hook}
with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
    while not session.should_stop():
        session.run(train)
{leaves}"""
ESTIMATOR = """\
import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

hvd.init()


def data():
    x = np.ones(({rows}, 4), "float32")
    return tf.data.Dataset.from_tensor_slices((x, x)).shard(hvd.size(), hvd.rank()).batch(5)


def model_fn(features, labels, mode):
    w = tf.get_variable("w", [4, 4])
    loss = tf.reduce_mean((tf.matmul(features, w) - labels) ** 2)
    optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size()))
    train = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


estimator = tf.estimator.Estimator(model_fn)
estimator.train(data, hooks=[hvd.BroadcastGlobalVariablesHook(0)]{steps})
"""
COUNTED = "hooks.append(tf.train.StopAtStepHook(last_step=100 // hvd.size()))"
ENDS = [
    (GRAPH.format(rows=49, hook="", leaves=""), 1),
    (GRAPH.format(rows=48, hook="", leaves=""), 0),
    (GRAPH.format(rows=49, hook=COUNTED, leaves=""), 0),
    (GRAPH.format(rows=49, hook="n = 0", leaves="        n += 1\n        if n == 4:\n            break\n"), 0),
    (ESTIMATOR.format(rows=49, steps=""), 1),
    (ESTIMATOR.format(rows=48, steps=""), 0),
    (ESTIMATOR.format(rows=49, steps=", steps=4"), 0),
    (ESTIMATOR.format(rows=49, steps=", max_steps=4"), 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), ENDS)
def test_what_ends_with_its_data_alone_is_told_of_odd_shares(text: str, told: int) -> None:
    found = migrate(text)
    assert sum(each.code == "H19" for each in (*found.blocked, *found.notes)) == told
