"""All else that reaches an update is the same on all workers: what is proved, what isn't."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.judge import update
from distify.codemods.judge.case import Case
from distify.codemods.judge.proof import NOT_PROVED, VIOLATED, Proof
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

EXAMPLES = Path(__file__).parents[3] / "examples"
HEAD = """\
import random
import time

import numpy as np
import tensorflow as tf

"""
FIT = """
x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.01), loss="mse")
BEFORE
model.fit(x, y, batch_size=8, epochs=3, callbacks=[CALLBACKS])
"""
EACH = "for w in self.model.trainable_weights:\n    "
BATCH = "on_train_batch_end(self, batch, logs=None)"
STOP = 'Own(), tf.keras.callbacks.EarlyStopping(monitor="score")'


def callback(
    body: str,
    hook: str = "on_epoch_end(self, epoch, logs=None)",
    callbacks: str = "Own()",
    before: str = "",
    attributes: str = "",
) -> str:
    """A program with a callback of its own."""
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    cls = f"class Own(tf.keras.callbacks.Callback):\n{attributes}    def {hook}:\n{lines}"
    return HEAD + cls + FIT.replace("BEFORE", before).replace("CALLBACKS", callbacks)


def plain(text: str, data: str = "x, y") -> str:
    """A program whose data is made by a text."""
    made = text + FIT.replace("BEFORE", "").replace("CALLBACKS", "")
    return HEAD + made.replace("fit(x, y", f"fit({data}")


def blocked(text: str, options: Options | None = None) -> list[tuple[str, int]]:
    """The codes and lines with which a program is refused."""
    migration = migrate(text, options or Options())
    assert bool(migration.blocked) != bool(migration.steps)
    return [(found.code, found.line) for found in migration.blocked]


def line(text: str, part: str) -> int:
    """The line in which a part of a text stands."""
    return text[: text.index(part)].count("\n") + 1


# -- sound ----------------------------------------------------------------------------------------


def with_layer(layer: str, before: str = "") -> str:
    """A program whose model has one more layer."""
    made = plain(before)
    return made.replace("[tf.keras.layers.Dense(1, in", f"[{layer}, tf.keras.layers.Dense(1, in")


SOUND = {
    "a name by the clock": with_layer(
        "tf.keras.layers.Dense(4, name='dense' + str(int(time.time())), input_shape=(4,))"
    ),
    "a seed of its own": with_layer("tf.keras.layers.Dropout(0.5, seed=int(time.time()))"),
    "first weights": with_layer(
        "tf.keras.layers.Dense(4, kernel_initializer=tf.keras.initializers.Constant(time.time()))"
    ),
    "a matrix of first weights": with_layer(
        "tf.keras.layers.Embedding(9, 4, weights=[np.random.normal(size=(9, 4))])"
    ),
    "noise in a layer": with_layer(
        "tf.keras.layers.Lambda(lambda a: a + tf.random.normal(tf.shape(a)))"
    ),
    "as many as there are texts": with_layer(
        "tf.keras.layers.Dense(len(set(names)))", 'names = ["cat", "dog"] * 32\n'
    ),
    "as long as the longest file's name": with_layer(
        "tf.keras.layers.Dense(max(map(len, os.listdir('.'))))", "import os\n"
    ),
    "whether there is a file": plain("import os\n").replace(
        "model.fit", "if os.listdir('.'):\n    print('there are files')\nmodel.fit"
    ),
    "a person is asked for a remark": plain("remark = input()\nprint(remark)\n"),
    "a log by the hour": plain("folder = time.strftime('%H')\n").replace(
        "callbacks=[]", "callbacks=[tf.keras.callbacks.TensorBoard(folder)]"
    ),
    "as long as the data": plain("n = int(0.8 * 64)\nx0 = np.arange(64)[:n]\n"),
    "names in any order": plain(
        "import os\nparts = [np.load(name) for name in os.listdir('.') if name.endswith('.npy')]\n"
        "print(np.concatenate(parts).mean())\n"
    ),
    "seeds in a function that runs": with_layer(
        "tf.keras.layers.Dropout(random.random())",
        "def begin():\n    random.seed(3)\n\nbegin()\n",
    ),
    "seeds of code elsewhere": with_layer(
        "tf.keras.layers.Dropout(random.random())",
        "from helpers import set_seed\nset_seed(3)\n",
    ),
    "decay": callback(f"{EACH}w.assign(w * 0.99)"),
    "every other epoch": callback(f"if epoch % 2 == 0:\n    {EACH}    w.assign(w * 0.99)"),
    "before the broadcast": callback(
        f"{EACH}w.assign(tf.random.normal(w.shape))", hook="on_train_begin(self, logs=None)"
    ),
    "generator with a seed": callback(
        "rng = np.random.default_rng(epoch)\n"
        "self.model.set_weights([w + rng.normal(size=w.shape) for w in self.model.get_weights()])"
    ),
    "one seed": callback(f"{EACH}w.assign(w * np.random.rand())", before="np.random.seed(0)"),
    "momentum by the epoch": callback("self.model.optimizer.momentum = min(0.99, 0.1 * epoch)"),
    "relative rate": callback(
        "self.model.optimizer.learning_rate = self.model.optimizer.learning_rate * 0.5"
    ),
    "not watched": callback(
        'logs["score"] = random.random()',
        callbacks='Own(), tf.keras.callbacks.EarlyStopping(monitor="loss")',
    ),
    "of the mean": callback('logs["score"] = 2 * logs["loss"]', callbacks=STOP),
    "best weights by the mean": callback(
        'if logs["loss"] < self.best:\n    self.best, self.kept = logs["loss"], self.model.get_weights()\n'
        "self.model.set_weights(self.kept)",
        attributes="    best = 9.0\n",
    ),
    "a file that is there before": "import os\nquick = os.path.exists('QUICK')\n"
    + callback("pass").replace("epochs=3", "epochs=1 if quick else 3"),
    "a rate by the number of a batch": callback(
        "pass",
        callbacks="tf.keras.callbacks.LambdaCallback(on_batch_begin=lambda b, logs: "
        "tf.keras.backend.set_value(model.optimizer.learning_rate, 0.01 * 0.9**b))",
    ),
    "a rate by a count and a number": callback(
        "self.count += 1\nself.model.optimizer.learning_rate = 0.01 / (1 + self.count / 100)",
        hook=BATCH,
        attributes="    count = 0\n",
    ),
    "a rate by a count and the length of the data": callback(
        "self.count += 1\nself.model.optimizer.learning_rate = 0.01 * (1 - self.count / self.total)",
        hook=BATCH,
        callbacks="Own(len(x) // 8 * 3)",
        attributes="    def __init__(self, total):\n        super().__init__()\n"
        "        self.count, self.total = 0, total\n\n",
    ),
    "initial weights": callback("pass").replace(
        "\nmodel.fit",
        "model.set_weights([np.random.normal(size=w.shape) for w in model.get_weights()])\nmodel.fit",
    ),
    "numbers in a set": plain(
        "labels = [3, 1, 2, 1] * 16\nnames = list(set(labels))\n"
        "codes = np.array([names.index(n) for n in labels])\n",
        "x, codes",
    ),
    "hash that is shown": plain('print(hash("a"))\n'),
    "seed before": plain(
        "np.random.seed(0)\nkeep = np.random.rand(64) < 0.8\n", "x[keep], y[keep]"
    ),
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_what_all_do_alike_is_written(text: str) -> None:
    assert blocked(text) == []


def test_noise_on_the_data_of_a_step_is_wanted() -> None:
    text = """\
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        x = x + tf.random.normal(tf.shape(x))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}

"""
    program = HEAD + text + FIT.replace("BEFORE", "").replace("CALLBACKS", "")
    program = program.replace(
        "tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])", "Net()"
    )
    assert blocked(program) == []
    drifting = program.replace(
        '        return {"loss"',
        "        for w in self.trainable_variables:\n"
        "            w.assign_add(tf.random.normal(tf.shape(w)))\n"
        '        return {"loss"',
    )
    assert blocked(drifting) == [("J06", line(drifting, "w.assign_add"))]


def test_worker_0_may_tell_its_weights_behind() -> None:
    text = """\
import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
net = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.ones((8, 3)), tf.ones((8, 1))))

for x, y in data.shard(hvd.size(), hvd.rank()).batch(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    for v in net.trainable_variables:
        v.assign_add(tf.random.normal(v.shape))
    hvd.broadcast_variables(net.variables, root_rank=0)
"""
    assert not _judged(text)
    lost = text.replace("    hvd.broadcast_variables", "    print")
    assert [(p.verdict, p.line) for p in _judged(lost)] == [(VIOLATED, line(lost, "v.assign_add"))]


def _judged(text: str) -> list[Proof]:
    """What isn't proved of a text, as if it were a result."""
    from distify.codemods.facts import Facts
    from distify.codemods.facts.questions import QUESTIONS

    case = Case(
        {"a.py": text},
        {"a.py": ""},
        "a.py",
        Options(),
        QUESTIONS,
        lambda: Facts.of(text, Options()),
    )
    proofs = list(update.prove(case))
    assert proofs  # silence proves nothing
    return [proof for proof in proofs if not proof.holds and not proof.code]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py"))[::6], ids=lambda path: path.stem)
def test_no_example_is_refused_for_it(path: Path) -> None:
    assert not [b for b in migrate(path.read_text()).blocked if b.code == "J06"]


# -- bad ------------------------------------------------------------------------------------------

HELPER = "def damp(model):\n    factor = random.uniform(0.5, 1)\n    for layer in model.layers:\n        layer.kernel.assign(layer.kernel * factor)\n\n\n"
BAD = {
    "by chance": (callback(f"if random.random() < 0.5:\n    {EACH}    w.assign(w * 0.5)"), "if random.random()"),
    "by the clock": (
        callback(
            f"if time.time() - self.start > 100:\n    {EACH}    w.assign(w * 0.5)",
            attributes="    start = time.time()\n",
        ),
        "w.assign",
    ),
    "by an early end": (
        callback(f"if random.random() < 0.5:\n    return\n{EACH}w.assign(w * 0.5)"),
        "if random",
    ),
    "by a person": (
        callback(f'if input("damp?") == "y":\n    {EACH}    w.assign(w * 0.5)'),
        "w.assign",
    ),
    "by the hash of a text": (callback(f'{EACH}w.assign(w * (hash("a") % 10))'), "w.assign"),
    "drawn once": (
        callback(
            f"{EACH}w.assign(w * self.factor)",
            attributes="    factor = tf.Variable(tf.random.uniform((), 0.5, 1.0))\n",
        ),
        "factor =",
    ),
    "set_value": (
        callback(f"{EACH}tf.keras.backend.set_value(w, w.numpy() * np.random.rand())"),
        "tf.keras.backend.set_value",
    ),
    "in a helper": (
        callback("damp(self.model)").replace("class Own", HELPER + "class Own"),
        "layer.kernel.assign",
    ),
    "momentum": (
        callback("self.model.optimizer.momentum = random.random()"),
        "self.model.optimizer.momentum",
    ),
    "momentum by setattr": (
        callback('setattr(self.model.optimizer, "momentum", random.random())'),
        "setattr",
    ),
    "logs": (callback('logs["score"] = random.random()', callbacks=STOP), "logs[")  ,
    "weights by its own batch": (
        callback(
            "if np.isnan(logs['loss']):\n    self.model.set_weights(self.kept)\n"
            "self.kept = self.model.get_weights()",
            hook=BATCH,
        ),
        "if np.isnan",
    ),
    "weights that its own batch chose": (
        callback(
            "if logs['loss'] < self.best:\n    self.best, self.kept = logs['loss'], self.model.get_weights()",
            hook=BATCH,
            attributes="    best = 9.0\n\n    def on_train_end(self, logs=None):\n"
            "        self.model.set_weights(self.kept)\n\n",
        ),
        "self.model.set_weights",
    ),
    "an end when a file is there": (
        "import os\n" + callback("if os.path.exists('STOP'):\n    self.model.stop_training = True"),
        "if os.path",
    ),
    "an end by the clock of a library": (
        "import tensorflow_addons as tfa\n"
        + callback("pass", callbacks="Own(), tfa.callbacks.TimeStopping(seconds=60)"),
        "model.fit",
    ),
    "logs of its own model": (
        callback('logs["score"] = float(self.model.predict(x).mean())', callbacks=STOP),
        'logs["score"]',
    ),
    "logs of own data": (
        callback(
            'fresh = np.random.normal(size=(32, 4))\n'
            'logs["score"] = float(self.model.predict(fresh).mean())',
            callbacks=STOP,
        ),
        'logs["score"]',
    ),
    "logs.update": (
        callback('logs.update({"score": random.random()})', callbacks=STOP),
        "logs.update",
    ),
    "hash as a feature": (
        plain(
            'names = ["cat", "dog"] * 32\ncodes = np.array([hash(n) % 100 for n in names])\n',
            "x, codes",
        ),
        "codes =",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "place"), BAD.values(), ids=BAD)
def test_what_each_does_for_itself_is_refused(text: str, place: str) -> None:
    found = blocked(text)
    assert {code for code, _ in found} in ({"T07"}, {"J06"})  # of a helper the result is asked
    assert found[-1][1] == line(text, place)


def test_a_constraint_by_chance_is_refused() -> None:
    cls = "class Jitter(tf.keras.constraints.Constraint):\n    def __call__(self, w):\n        return w "
    text = plain(cls + "* tf.random.uniform((), 0.9, 1.1)\n").replace(
        "(1, input_shape=(4,))", "(1, input_shape=(4,), kernel_constraint=Jitter())"
    )
    assert blocked(text) == [("T07", line(text, "return w"))]
    assert blocked(text.replace("* tf.random.uniform((), 0.9, 1.1)", "/ tf.norm(w)")) == []


def test_a_schedule_by_chance_is_refused() -> None:
    made = SCHEDULE.replace("return self.base *", "return self.base * tf.random.uniform(()) *")
    text = plain(made).replace("SGD(0.01)", "SGD(Linear(0.01, 100))")
    assert blocked(text) == [("T07", line(text, "return self.base"))]
    assert blocked(text.replace(" * tf.random.uniform(())", "")) == []


def test_the_number_of_drawn_keys_is_each_workers_own() -> None:
    made = (
        "pairs = {}\nfor _ in range(64):\n    a, b = random.randint(0, 9), random.randint(0, 9)\n"
        "    pairs[a, b] = pairs.get((a, b), 0) + 1\n"
        'rows = np.array(list(pairs), "float32")\ntargets = np.array(list(pairs.values()))\n'
    )
    text = plain(made, "rows, targets").replace("(4,)", "(2,)")
    assert ("J06", line(text, "pairs[a, b] =")) in blocked(text)
    seeded = text.replace("pairs = {}", "random.seed(0)\npairs = {}")
    assert "J06" not in [code for code, _ in blocked(seeded)]


@pytest.mark.parametrize("seed", ["int(time.time())", "int(time.time_ns() % 2**32)"])
def test_a_seed_of_the_clock_makes_nothing_alike(seed: str) -> None:
    text = plain(f"np.random.seed({seed})\nkeep = np.random.rand(64) < 0.8\n", "x[keep], y[keep]")
    assert [code for code, _ in blocked(text)] == ["K04"]


def test_a_seed_behind_the_draw_makes_nothing_alike() -> None:
    text = plain("keep = np.random.rand(64) < 0.8\nnp.random.seed(0)\n", "x[keep], y[keep]")
    assert [code for code, _ in blocked(text)] == ["K04"]


@pytest.mark.parametrize("number", ["enumerate(names)", "zip(names, range(9))"])
def test_texts_are_numbered_in_one_order(number: str) -> None:
    made = (
        'labels = ["cat", "dog"] * 32\nnames = list(set(labels))\n'
        f"codes = dict({number})\nprint(codes)\n"
    )
    assert "names = sorted(set(labels))" in migrate(plain(made)).after


RATES = """\
class FromFunction(tf.keras.callbacks.Callback):
    def __init__(self, schedule):
        super().__init__()
        self.schedule = schedule

    def on_epoch_begin(self, epoch, logs=None):
        now = float(np.array(self.model.optimizer.learning_rate))
        self.model.optimizer.learning_rate = self.schedule(epoch, now)


TABLE = [(1, 0.05), (2, 0.01)]


def rate(epoch, now):
    for start, value in TABLE:
        if epoch == start:
            return value
    return now

"""


def test_a_rate_that_is_set_grows_as_the_optimizers_does() -> None:
    text = HEAD + RATES + FIT.replace("BEFORE", "").replace("CALLBACKS", "FromFunction(rate)")
    place = line(text, "self.model.optimizer.learning_rate = self.schedule")
    assert blocked(text) == [("J06", place)]
    assert blocked(text.replace("return value\n", "return now * 0.5\n")) == []
    assert blocked(text, Options(learning_rate="none")) == []


@pytest.mark.parametrize("given", ["lambda epoch: 0.1 / (1 + epoch)", "lambda epoch: 0.1 - epoch"])
def test_the_number_of_the_epoch_does_not_grow_with_the_workers(given: str) -> None:
    text = HEAD + RATES.replace("(epoch, now)\n\n\nTABLE", "(epoch)\n\n\nTABLE")
    text += FIT.replace("BEFORE", "").replace("CALLBACKS", f"FromFunction({given})")
    assert blocked(text) == []


SCHEDULE = """\
class Linear(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, base, total):
        self.base, self.total = base, total

    def __call__(self, step):
        return self.base * (1 - tf.cast(step, tf.float32) / self.total)

"""


def test_an_own_schedule_counts_the_steps_of_a_share() -> None:
    made = SCHEDULE + FIT.replace("BEFORE", "").replace("CALLBACKS", "")
    told = HEAD + made.replace("SGD(0.01)", "SGD(Linear(0.01, len(x) // 8 * 3))")
    assert blocked(told) == []
    text = told.replace("(self, step)", "(self, step, *rest)")
    assert "step = step * hvd.size()" in migrate(told).after
    assert blocked(text) == [("J10", line(text, "return self.base"))]
    cut = "data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)\nmodel = tf"
    share = text.replace("len(x) // 8", "len(data)").replace("model = tf", cut)
    assert blocked(share.replace("fit(x, y, batch_size=8", "fit(data")) == []


def test_what_nobody_can_tell_is_not_proved() -> None:
    text = """\
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1)), loss="mse")


def damp(factor):
    for epoch in range(3):
        model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
        for w in model.trainable_weights:
            w.assign(w * factor)


print(damp)
"""
    assert [(p.verdict, p.line) for p in _judged(text)] == [(NOT_PROVED, line(text, "w.assign"))]
