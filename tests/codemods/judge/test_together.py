"""All workers come to the same collectives, with the same tensors: what is proved, what isn't."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.gate.judged_by_hand import judged_by_hand
from distify.codemods.judge import together
from distify.codemods.judge.case import Case
from distify.codemods.judge.meetings import Meetings
from distify.codemods.judge.obligations import named
from distify.codemods.judge.proof import NOT_PROVED, PROVED, VIOLATED, Proof
from distify.codemods.migrate import migrate
from distify.codemods.model import BLOCKED, NOTE, Finding, Options

EXAMPLES = Path(__file__).parents[3] / "examples"
HEAD = """\
import os
import random
import sys
import time
import contextlib
import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
x = np.load("x.npy")[hvd.rank() :: hvd.size()]
y = np.load("y.npy")[hvd.rank() :: hvd.size()]
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(rows, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(rows) - targets) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


"""
LINES = HEAD.count("\n")
FIT = """\
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
import time

hvd.init()
x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1)), loss="mse")
"""


def case(texts: str | Mapping[str, str]) -> Case:
    after = {"train.py": texts} if isinstance(texts, str) else texts
    return Case(after, {}, next(iter(after)), Options(), QUESTIONS)


def judged(texts: str | Mapping[str, str]) -> list[Proof]:
    return list(together.prove(case(texts)))


def lines(text: str, head: str = HEAD) -> list[tuple[str, int]]:
    """The verdicts on a program, with the lines behind its head."""
    return [(p.verdict, p.line - head.count("\n")) for p in judged(head + text) if not p.holds]


# -- sound ----------------------------------------------------------------------------------------

SOUND = {
    "all do all": "for a, b in zip(x, y):\n    train_step(a, b)\n",
    "rank 0 prints and saves": """\
for a, b in zip(x, y):
    loss = train_step(a, b)
    if hvd.rank() == 0:
        print(float(loss))
        model.save_weights("w.h5")
""",
    "what rank 0 calls holds no collective, however deep": """\
def name():
    return f"{time.time()}.h5"


class Keeper:
    def keep(self):
        self.write(name())

    def write(self, path):
        model.save_weights(path)


keeper = Keeper()
train_step(x, y)
if hvd.rank() == 0:
    keeper.keep()
""",
    "turns: one before, the others behind": """\
if hvd.local_rank() != 0:
    hvd.broadcast(0, root_rank=0)
for path in ("a", "b"):
    if not os.path.exists(path):
        open(path, "w").close()
if hvd.local_rank() == 0:
    hvd.broadcast(0, root_rank=0)
train_step(x, y)
""",
    "turns around a block": """\
@contextlib.contextmanager
def first():
    if hvd.rank() != 0:
        hvd.barrier()
    yield
    if hvd.rank() == 0:
        hvd.barrier()


with first():
    print("one after the other")
train_step(x, y)
""",
    "a collective in both arms": """\
if hvd.rank() == 0:
    print("rank 0")
    mean = hvd.allreduce(x)
else:
    mean = hvd.allreduce(x)
train_step(x, y)
""",
    "both arms lead to the same calls": """\
def loud(value):
    print("mean")
    return hvd.allreduce(value)


def quiet(value):
    return hvd.allreduce(value)


shown = loud(x) if hvd.rank() == 0 else quiet(x)
train_step(x, y)
""",
    "an early return by rank, and nothing behind it": """\
def log(loss):
    if hvd.rank() != 0:
        return
    print(float(loss))


for a, b in zip(x, y):
    log(train_step(a, b))
""",
    "all decide by an average": """\
for a, b in zip(x, y):
    loss = train_step(a, b)
    if hvd.allreduce(loss) < 0.1:
        break
hvd.barrier()
""",
    "rank 0 decides for all": """\
begun = time.time()
while not hvd.broadcast_object(time.time() - begun > 60, root_rank=0):
    train_step(x, y)
""",
    "an error ends the job on all workers": """\
for a, b in zip(x, y):
    loss = train_step(a, b)
    if not np.isfinite(loss):
        raise ValueError("no number")
""",
    "an error that goes on to be raised": """\
for a, b in zip(x, y):
    try:
        if a.max() > 1:
            raise ValueError("too large")
        train_step(a, b)
    except ValueError as error:
        raise SystemError("the end") from error
""",
    "a failure ends the job": """\
if x.max() > 1:
    sys.exit(1)
train_step(x, y)
""",
    "rank 0 alone goes on to plot": """\
train_step(x, y)
if hvd.rank() != 0:
    sys.exit(0)
print("plotted")
""",
    "a seed makes chance alike": """\
random.seed(1)
for a, b in zip(x, y):
    if random.random() < 0.5:
        train_step(a, b)
""",
    "a search by rank in a loop in which nobody waits": """\
def found(name):
    for number in range(9):
        if number == hvd.rank():
            return number
    return None


found("a")
train_step(x, y)
""",
    "options decide": """\
if len(sys.argv) > 1:
    train_step(x, y)
else:
    hvd.barrier()
""",
    "a process set is followed by nobody": """\
if hvd.rank() == 0:
    hvd.allreduce(x, process_set=some)
train_step(x, y)
""",
    "nothing behind an error of one worker alone": """\
rows = []
for row in x:
    try:
        rows.append(float(row))
    except ValueError:
        print("no number")
train_step(x, y)
""",
    "a number of its own in the loss": """\
with tf.GradientTape() as tape:
    scale = 2.0 if x.mean() > 0 else 1.0
    loss = scale * tf.reduce_mean((model(x) - y) ** 2)
tape = hvd.DistributedGradientTape(tape)
gradients = tape.gradient(loss, model.trainable_variables)
""",
    "in a graph rank 0 prints what is there": """\
@tf.function
def step(rows, targets):
    loss = train_step(rows, targets)
    if hvd.rank() == 0:
        tf.print("loss", loss)
    return loss


step(x, y)
""",
    "join, with gradients that are dense": "train_step(x, y)\nhvd.join()\n",
    "no collective at all": "model(x)\n",
}


@pytest.mark.parametrize("text", SOUND.values(), ids=list(SOUND))
def test_what_all_workers_do_together_is_proved(text: str) -> None:
    proofs = judged(HEAD + text)
    assert [p.verdict for p in proofs] == [PROVED], proofs


SOUND_FITS = {
    "a fit": "model.fit(x, y, epochs=3)\n",
    "rank 0 saves behind it": 'model.fit(x, y)\nif hvd.rank() == 0:\n    model.save("m.h5")\n',
    "all evaluate": "model.fit(x, y)\nfound = model.evaluate(x, y)\nif hvd.rank() == 0:\n    print(found)\n",
    "writers of rank 0 alone": """\
callbacks = [hvd.callbacks.MetricAverageCallback()]
if hvd.rank() == 0:
    callbacks.append(tf.keras.callbacks.ModelCheckpoint("m.h5"))
model.fit(x, y, callbacks=callbacks)
""",
    "averaged metrics steer": """\
class Stop(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if logs["loss"] < 0.1:
            self.model.stop_training = True


model.fit(x, y, callbacks=[hvd.callbacks.MetricAverageCallback(), Stop()])
""",
    "the history of an averaged fit decides": """\
while True:
    history = model.fit(
        x,
        y,
        callbacks=[hvd.callbacks.MetricAverageCallback()],
        verbose=1 if hvd.rank() == 0 else 0,
    )
    if history.history["loss"][-1] < 0.1:
        break
""",
    "going on where the last fit ended": """\
history = model.fit(x, y, epochs=2)
model.fit(x, y, epochs=4, initial_epoch=history.epoch[-1] + 1)
""",
}


@pytest.mark.parametrize("text", SOUND_FITS.values(), ids=list(SOUND_FITS))
def test_a_fit_of_all_workers_is_proved(text: str) -> None:
    proofs = judged(FIT + text)
    assert [p.verdict for p in proofs] == [PROVED], proofs


# -- some workers alone ---------------------------------------------------------------------------

BAD = {
    "by rank": ("if hvd.rank() == 0:\n    train_step(x, y)\n", [(VIOLATED, 1)]),
    "two calls away": (
        """\
def wait():
    hvd.broadcast(0, root_rank=0)


class Plot:
    def draw(self):
        wait()
        print("drawn")


plot = Plot()
train_step(x, y)
if hvd.rank() == 0:
    plot.draw()
""",
        [(VIOLATED, 13)],
    ),
    "the arms have another order": (
        """\
if hvd.rank() == 0:
    hvd.allreduce(x, name="a")
    hvd.broadcast(y, root_rank=0)
else:
    hvd.broadcast(y, root_rank=0)
    hvd.allreduce(x, name="a")
""",
        [(VIOLATED, 1)],
    ),
    "the arms have other names": (
        'mean = hvd.allreduce(x, name="a" if True else "b")\n'
        "if hvd.rank() == 0:\n"
        '    hvd.allreduce(x, name="a")\n'
        "else:\n"
        '    hvd.allreduce(x, name="b")\n',
        [(VIOLATED, 2)],
    ),
    "turns around a collective": (
        """\
@contextlib.contextmanager
def first():
    if hvd.rank() != 0:
        hvd.barrier()
    yield
    if hvd.rank() == 0:
        hvd.barrier()


with first():
    train_step(x, y)
""",
        [(VIOLATED, 6)],
    ),
    "an early return by own data, in a method": (
        """\
class Trainer:
    def step(self, rows, targets):
        if rows.mean() > 0:
            return None
        return train_step(rows, targets)


trainer = Trainer()
for a, b in zip(x, y):
    trainer.step(a, b)
""",
        [(VIOLATED, 3)],
    ),
    "a function says it": (
        """\
def is_good(rows):
    return float(rows.mean()) > 0


for a, b in zip(x, y):
    if not is_good(a):
        continue
    train_step(a, b)
""",
        [(VIOLATED, 6)],
    ),
    "a loss of its own leaves the loop": (
        "for a, b in zip(x, y):\n    loss = train_step(a, b)\n    if loss < 0.1:\n        break\nhvd.barrier()\n",
        [(VIOLATED, 3)],
    ),
    "a clock": (
        "begun = time.time()\nwhile time.time() - begun < 60:\n    train_step(x, y)\n",
        [(VIOLATED, 2)],
    ),
    "chance": ("if random.random() < 0.5:\n    train_step(x, y)\n", [(VIOLATED, 1)]),
    "a number of rounds by chance": (
        "for i in range(random.randint(1, 9)):\n    train_step(x, y)\n",
        [(VIOLATED, 1)],
    ),
    "an error that is swallowed": (
        """\
for a, b in zip(x, y):
    try:
        if a.max() > 1:
            raise ValueError("too large")
        train_step(a, b)
    except ValueError:
        continue
""",
        [(VIOLATED, 3)],
    ),
    "an error that the caller swallows": (
        """\
def checked(rows):
    if rows.max() > 1:
        raise ValueError("too large")
    return rows


for a, b in zip(x, y):
    with contextlib.suppress(ValueError):
        train_step(checked(a), b)
""",
        [(VIOLATED, 2)],
    ),
    "an error in what one worker reads": (
        """\
for number in range(9):
    try:
        rows = np.load(f"{number}-{hvd.rank()}.npy")
    except OSError:
        continue
    train_step(rows, y)
""",
        [(NOT_PROVED, 3)],
    ),
    "the end of one worker": (
        "if hvd.rank() != 0:\n    sys.exit()\ntrain_step(x, y)\n",
        [(VIOLATED, 1)],
    ),
    "a side of `and`": ("hvd.rank() == 0 and hvd.barrier()\n", [(VIOLATED, 1)]),
    "in a comprehension": (
        "means = [hvd.allreduce(v) for v in x if v.mean() > 0]\n",
        [(VIOLATED, 1)],
    ),
    "who has a writer": (
        """\
log = open("log", "w") if hvd.rank() == 0 else None
if log is not None:
    log.write(str(hvd.allreduce(x)))
""",
        [(VIOLATED, 2)],
    ),
    "mapped": (
        "if hvd.rank() == 0:\n    list(map(hvd.allreduce, x))\ntrain_step(x, y)\n",
        [(VIOLATED, 1)],
    ),
    "which function it is": (
        """\
def lead(value):
    return hvd.allreduce(value)


def follow(value):
    return value


run = lead if hvd.rank() == 0 else follow
run(x)
""",
        [(VIOLATED, 10)],
    ),
    "what nobody can follow": (
        """\
def train(trainer):
    if hvd.rank() == 0:
        trainer.fit(x, y)


train_step(x, y)
""",
        [(NOT_PROVED, 2)],
    ),
    "a session's step": (
        """\
step = hvd.DistributedOptimizer(tf.compat.v1.train.AdamOptimizer(0.1)).minimize(x)
with tf.compat.v1.Session() as session:
    if hvd.rank() == 0:
        session.run(step)
""",
        [(VIOLATED, 3)],
    ),
}


@pytest.mark.parametrize(("text", "wanted"), BAD.values(), ids=list(BAD))
def test_what_some_workers_do_alone_is_refused(text: str, wanted: list[tuple[str, int]]) -> None:
    assert lines(text) == wanted


BAD_FITS = {
    "a fit of rank 0": ("if hvd.rank() == 0:\n    model.fit(x, y)\n", [(VIOLATED, 1)]),
    "epochs by the clock": ("model.fit(x, y, epochs=int(time.time()) % 5)\n", [(VIOLATED, 1)]),
    "a number of its own batch ends it": (
        """\
class Stop(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if logs["loss"] > 9:
            self.model.stop_training = True


model.fit(x, y, callbacks=[Stop()])
""",
        [(VIOLATED, 3)],
    ),
    "a loss that is no number": (
        "model.fit(x, y, callbacks=[tf.keras.callbacks.TerminateOnNaN()])\n",
        [(VIOLATED, 1)],
    ),
    "a callback that waits, on some": (
        """\
class Mean(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(hvd.allreduce(logs["loss"]))


callbacks = []
if hvd.rank() == 0:
    callbacks.append(Mean())
model.fit(x, y, callbacks=callbacks)
""",
        [(VIOLATED, 7)],
    ),
    "an evaluation with a metric that waits": (
        """\
class JobMean(tf.keras.metrics.Mean):
    def result(self):
        return hvd.allreduce(super().result())


model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1)), "mse", metrics=[JobMean()])
model.fit(x, y)
if hvd.rank() == 0:
    print(model.evaluate(x, y))
""",
        [(VIOLATED, 8)],
    ),
}


BAD_FITS["the history of a fit that nothing averages decides"] = (
    """\
while True:
    history = model.fit(x, y, verbose=1 if hvd.rank() == 0 else 0)
    if history.history["loss"][-1] < 0.1:
        break
""",
    [(VIOLATED, 3)],
)


@pytest.mark.parametrize(("text", "wanted"), BAD_FITS.values(), ids=list(BAD_FITS))
def test_a_fit_of_some_workers_is_refused(text: str, wanted: list[tuple[str, int]]) -> None:
    assert lines(text, FIT) == wanted


def test_depth_and_length_are_no_matter() -> None:
    calls = "".join(f"def f{n}():\n    f{n + 1}()\n\n\n" for n in range(300))
    deep = calls + "def f300():\n    hvd.barrier()\n\n\n"
    assert lines(deep + "f0()\n") == []
    (found,) = lines(deep + "if hvd.rank() == 0:\n    f0()\n")
    assert found[0] == VIOLATED
    arms = "".join(f"elif len(sys.argv) == {n}:\n    hvd.barrier()\n" for n in range(2, 90))
    assert (
        lines(f"if len(sys.argv) == 1:\n    hvd.barrier()\n{arms}else:\n    hvd.barrier()\n") == []
    )


def test_what_calls_itself_is_followed_to_an_end() -> None:
    text = "def go(n):\n    if n:\n        train_step(x, y)\n        go(n - 1)\n\n\n"
    assert lines(text + "go(3)\n") == []
    assert lines(text + "if hvd.rank() == 0:\n    go(3)\n") == [(VIOLATED, 7)]


# -- other tensors --------------------------------------------------------------------------------

TAPED = """\
a, b = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)
with tf.GradientTape() as tape:
    {}
    loss = tf.reduce_mean((layer(rows) - y) ** 2)
tape = hvd.DistributedGradientTape(tape)
gradients = tape.gradient(loss, [*a.trainable_variables, *b.trainable_variables])
"""


@pytest.mark.parametrize(
    ("chosen", "wanted"),
    [
        ("layer, rows = a, x", []),
        ("layer, rows = a, 2 * x if x.mean() > 0 else x", []),
        ("layer, rows = (a if len(sys.argv) > 1 else b), x", []),
        ("layer, rows = (a if hvd.allreduce(x.mean()) > 0 else b), x", []),
        ("layer, rows = (a if x.mean() > 0 else b), x", [(VIOLATED, 3)]),
        ("layer, rows = (a if hvd.rank() == 0 else b), x", [(VIOLATED, 3)]),
        ("layer, rows = (a if random.random() < 0.5 else b), x", [(VIOLATED, 3)]),
    ],
)
def test_a_worker_chooses_no_variables_for_itself(
    chosen: str, wanted: list[tuple[str, int]]
) -> None:
    assert lines(TAPED.format(chosen)) == wanted


LAYER = """\
class Gated(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a, self.b = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)

    def call(self, rows):
        if {}:
            return self.a(rows)
        return self.b(rows)


gated = Gated()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((gated(x) - y) ** 2)
tape = hvd.DistributedGradientTape(tape)
gradients = tape.gradient(loss, gated.trainable_variables)
"""


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        ("rows.shape[1] > 3", []),
        ("len(sys.argv) > 1", []),
        ("float(tf.reduce_mean(rows)) > 0", [(VIOLATED, 7)]),
        ("time.time() % 2 > 1", [(VIOLATED, 7)]),
    ],
)
def test_nor_in_a_layer_of_its_own(test: str, wanted: list[tuple[str, int]]) -> None:
    assert lines(LAYER.format(test)) == wanted


TRACED = """\
@tf.function
def step(rows, targets):
    {}
    return train_step(rows, targets)


step(x, y)
"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("if hvd.rank() == 0:\n        tf.print(rows)", []),
        ("if hvd.rank() == 0:\n        print('traced', hvd.size())", []),
        ("if len(sys.argv) > 1:\n        tf.print(2 * rows)", []),
        ("if tf.reduce_mean(rows) > 0:\n        tf.print(2 * rows)", []),  # both ways are traced
        ("if hvd.rank() == 0:\n        tf.print(2 * rows)", [(VIOLATED, 3)]),
        ("if hvd.rank() == 0:\n        tf.print(tf.norm(rows))", [(VIOLATED, 3)]),
        ("rows = 2 * rows if hvd.rank() == 0 else rows", [(VIOLATED, 3)]),
        ("if random.random() < 0.5:\n        rows = 2 * rows", [(VIOLATED, 3)]),
    ],
)
def test_no_worker_traces_operations_alone(body: str, wanted: list[tuple[str, int]]) -> None:
    assert lines(TRACED.format(body)) == wanted


def test_what_no_graph_holds_is_anyones() -> None:
    """Run as it stands, an operation has no number."""
    assert (
        lines(
            TRACED.replace("@tf.function\n", "").format(
                "rows = 2 * rows if hvd.rank() == 0 else rows"
            )
        )
        == []
    )


def test_rows_are_gathered_and_join_stands_in_for_nobody() -> None:
    text = "tf.keras.layers.Embedding(9, 2)\ntrain_step(x, y)\nhvd.join()\n"
    assert lines(text) == [(VIOLATED, 3)]
    dense = HEAD.replace(
        "GradientTape(tape)\n    g", "GradientTape(tape, sparse_as_dense=True)\n    g"
    )
    assert lines(text, dense) == []


# -- projects, results, hand-written --------------------------------------------------------------


def test_modules_are_followed() -> None:
    helper = "import horovod.tensorflow as hvd\n\n\ndef wait():\n    hvd.barrier()\n"
    start = "import horovod.tensorflow as hvd\nfrom helper import wait\n\nhvd.init()\n"
    sound = {"train.py": start + "wait()\n", "helper.py": helper}
    assert [p.verdict for p in judged(sound)] == [PROVED]
    bad = {"train.py": start + "if hvd.rank() == 0:\n    wait()\n", "helper.py": helper}
    assert [(p.verdict, p.path, p.line) for p in judged(bad)] == [(VIOLATED, "train.py", 5)]


BARRIER = """\
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf
from glob import glob


def draw(history, name):
    plt.figure()
    plt.plot(history.history["loss"])
    plt.savefig(f"{name}.png")
    plt.close()


def read(path):
    return tf.ensure_shape(tf.io.decode_png(tf.io.read_file(path), channels=3), [4, 4, 3])


paths = sorted(glob("images/*.png"))
train = tf.data.Dataset.from_tensor_slices(paths).map(read)
train = train.map(lambda i: (tf.cast(i, tf.float32), 1.0)).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
model.compile("adam", loss="mse")
history = model.fit(train, epochs=2)
draw(history, "first")
model.compile("adam", loss="mse")
history = model.fit(train, epochs=2)
draw(history, "second")
"""


def test_a_wait_that_rank_0_alone_comes_to_is_not_written() -> None:
    """No barrier for rank 0's picture in a function that it alone calls."""
    seen = migrate(BARRIER)
    assert not seen.blocked
    assert '    plt.savefig(f"{name}.png")\n    plt.close()\n' in seen.after
    assert 'if hvd.rank() == 0:\n    draw(history, "second")\n' in seen.after


def test_a_loss_that_is_no_number_ends_the_training_of_all() -> None:
    text = (
        FIT.replace("import horovod.tensorflow.keras as hvd\n", "")
        .replace("hvd.init()\n", "")
        .replace("hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1))", '"sgd"')
    )
    result = migrate(text + "model.fit(x, y, callbacks=[tf.keras.callbacks.TerminateOnNaN()])\n")
    assert not result.blocked
    assert "TerminateTogether()" in result.after


def test_hand_written_horovod_is_asked_and_told_once() -> None:
    bad = HEAD + BAD["a function says it"][0]
    found = [f for f in migrate(bad).blocked if f.line > LINES]
    assert len(found) == 1
    assert found[0].proves
    assert "J03" not in {f.code for f in migrate(HEAD + SOUND["all do all"]).blocked}


def test_what_nobody_can_tell_is_a_note() -> None:
    text = HEAD + BAD["an error in what one worker reads"][0]
    found = judged_by_hand(Facts.of(text), ()).found
    assert [(f.code, f.severity, f.line - LINES) for f in found] == [("J03", NOTE, 3)]


def test_an_older_check_keeps_its_words_and_nothing_is_told_twice() -> None:
    text = HEAD + BAD["by rank"][0]
    older = Finding(LINES + 1, 0, "H05", "all workers must call it", "", BLOCKED)
    (found,) = judged_by_hand(Facts.of(text), [older]).found
    assert found == older._replace(proves=True)
    elsewhere = older._replace(line=LINES + 40)
    assert [f.code for f in judged_by_hand(Facts.of(text), [elsewhere]).found] == ["H05", "J03"]


def test_a_person_takes_it_on_them_where_it_stands() -> None:
    text = (
        HEAD
        + "if hvd.rank() == 0:  # distify: accept[together] rank 1 ends\n    train_step(x, y)\n"
    )
    judged = judged_by_hand(Facts.of(text), ())
    assert not judged.found
    assert [(each.obligation, each.reason) for each in judged.taken_on] == [
        ("together", "rank 1 ends")
    ]
    options = Options(taken_on=frozenset({"together"}))
    bad = HEAD + BAD["by rank"][0]
    assert not judged_by_hand(Facts.of(bad, options), ()).found
    assert len(judged_by_hand(Facts.of(bad), ()).found) == 1


def test_it_is_enforced_and_has_a_page() -> None:
    obligation = named(together.NAME)
    assert obligation.is_enforced
    assert obligation.code == "J03"


# -- mutants --------------------------------------------------------------------------------------

NAMES = sorted(path.name for path in EXAMPLES.glob("*.py"))[::5]  # 102 of 102 of all examples


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield block


def innermost(tree: ast.AST, line: int) -> tuple[list[ast.stmt], int]:
    """The innermost statement of a line, as a block and a number."""
    found = [
        (block, number)
        for block in blocks(tree)
        for number, s in enumerate(block)
        if s.lineno <= line <= (s.end_lineno or s.lineno)
    ]
    return min(found, key=lambda pair: (pair[0][pair[1]].end_lineno or 0) - pair[0][pair[1]].lineno)


@pytest.mark.parametrize("name", NAMES)
def test_each_collective_of_a_result_under_a_rank_test_is_refused(name: str) -> None:
    """And the result as it is isn't."""
    result = migrate((EXAMPLES / name).read_text("utf-8"))
    assert not any(f.code == "J03" for f in result.blocked)
    text = ast.unparse(ast.parse(result.after))
    whole = case(text)
    known = Meetings(whole.program, [s.module for s in whole.after.values()]).known
    assert bool(known) is bool(result.steps)
    for line in sorted({call.lineno for call in known}):
        tree = ast.parse(text)
        block, number = innermost(tree, line)
        test = ast.parse("hvd.rank() == 0", mode="eval").body
        block[number] = ast.If(test, [block[number]], [])
        mutant = judged(ast.unparse(ast.fix_missing_locations(tree)))
        assert any(p.verdict == VIOLATED for p in mutant), ast.unparse(block[number])
