"""What one worker runs of a result is the original, and what isn't is told with its line."""

from __future__ import annotations

import pytest

from distify.codemods.judge import same
from distify.codemods.judge.case import Case
from distify.codemods.model import Options

HEAD = "import tensorflow as tf\n"
STARTED = """\
import horovod.tensorflow.keras as hvd
import tensorflow as tf
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
"""


def lines(before: str, after: str) -> list[int]:
    """The lines of the result at which it is another program on one worker."""
    case = Case({"a.py": after}, {"a.py": before}, "a.py", Options())
    return [proof.line for proof in same.prove(case) if not proof.holds]


RUN_STEPS = "def run_steps(cell, xs, h):\n    for x in xs:\n        h = cell(x, h)\n    return h\n"
ALIKE = {
    "the start and the choice of a GPU": ("f()\n", "f()\n"),
    "a rate, scaled": ("o = tf.keras.optimizers.SGD(0.1)\n",
                       "o = tf.keras.optimizers.SGD(0.1 * hvd.size())\n"),
    "a schedule that is set behind the wrapper": (
        "o = tf.keras.optimizers.Adam(learning_rate=Mine(0.1), epsilon=1e-6)\n",
        "o = tf.keras.optimizers.Adam(learning_rate=0.001, epsilon=1e-6)\n"
        "o = hvd.DistributedOptimizer(o)\no.learning_rate = Mine(0.1)\n"),
    "the root of the workers": ("o = tf.keras.optimizers.SGD(r + 1)\n",
                                "o = tf.keras.optimizers.SGD((r + 1) * hvd.size() ** 0.5)\n"),
    "a class by its name": ('m.compile("sgd", "mse")\n',
                            "optimizer = tf.keras.optimizers.SGD(learning_rate=0.01 * hvd.size())\n"
                            "optimizer = hvd.DistributedOptimizer(optimizer)\n"
                            'm.compile(optimizer, "mse")\n'),
    "a class by the text of a name": (
        'opt = "sgd"\nm.compile(optimizer=opt)\n',
        'opt = "sgd"\noptimizer = tf.keras.optimizers.SGD(learning_rate=0.01 * hvd.size())\n'
        "m.compile(optimizer=hvd.DistributedOptimizer(optimizer))\n",
    ),
    "no name at all": ('m.compile(loss="mse")\n',
                       'm.compile(loss="mse", optimizer=hvd.DistributedOptimizer('
                       "tf.keras.optimizers.RMSprop(0.001 * hvd.size())))\n"),
    "callbacks and verbosity": ("m.fit(x, callbacks=cbs)\n",
                                "m.fit(x, callbacks=[hvd.callbacks.MetricAverageCallback(), *cbs],"
                                " verbose=1 if hvd.rank() == 0 else 0)\n"),
    "steps, at least one": ("m.fit(x, steps_per_epoch=n)\n",
                            "m.fit(x, steps_per_epoch=max(1, n // hvd.size()))\n"),
    "steps, beside a variable of a function": (
        "def f(max):\n    return max\nm.fit(x, steps_per_epoch=n)\n",
        "def f(max):\n    return max\nm.fit(x, steps_per_epoch=max(1, n // hvd.size()))\n",
    ),
    "a builtin that is hidden and stays so": (
        "def print(*x):\n    pass\nm.fit(x, steps_per_epoch=n)\nprint(3)\n",
        "def print(*x):\n    pass\nm.fit(x, steps_per_epoch=max(1, n // hvd.size()))\nprint(3)\n",
    ),
    "a slice of arrays": ("m.fit(x, y)\n",
                          "shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())"
                          "\nm.fit(x[shard], y[shard])\n"),
    "a share of a data set": ("d = tf.data.Dataset.range(90).batch(2)\n",
                              "d = tf.data.Dataset.range(90).take(90 // hvd.size() * hvd.size())"
                              ".shard(hvd.size(), hvd.rank()).batch(2)\n"),
    "groups of elements": ("d = load().batch(2)\n",
                           "d = load().batch(hvd.size(), drop_remainder=True).unbatch()"
                           ".shard(hvd.size(), hvd.rank()).batch(2)\n"),
    "a guard": ("print(x)\nsave(x)\n", "if hvd.rank() == 0:\n    print(x)\n    save(x)\n"),
    "a guarded value": ("p = save(x)\n", "p = save(x) if hvd.rank() == 0 else None\n"),
    "a condition that is narrowed": ("if s % 9 == 0:\n    print(s)\n",
                                     "if s % 9 == 0 and hvd.rank() == 0:\n    print(s)\n"),
    "what is named before a guard": ("print(f(x))\n",
                                     "result = f(x)\nif hvd.rank() == 0:\n    print(result)\n"),
    "two that are": ("print(f(x), g(x))\n",
                     "result = f(x)\nresult_2 = g(x)\nif hvd.rank() == 0:\n"
                     "    print(result, result_2)\n"),
    "a run of a logger": ('r = neptune.init(project="a")\ne = Experiment()\n',
                          'r = neptune.init(project="a", mode="async" if hvd.rank() == 0 else "debug")\n'
                          "e = Experiment(disabled=False if hvd.rank() == 0 else True)\n"),
    "a wait": ("save(x)\nload(x)\n",
               "if hvd.rank() == 0:\n    save(x)\nhvd.broadcast(0, root_rank=0)\nload(x)\n"),
    "in turns": ("get(x)\n",
                 "if hvd.local_rank() == 0:\n    get(x)\nhvd.broadcast(0, root_rank=0)\n"
                 "if hvd.local_rank() != 0:\n    get(x)\n"),
    "a tape, its flag and its broadcast": (
        "with tf.GradientTape() as t:\n    l = f(x)\n    g = t.gradient(l, v)\n"
        "o.apply_gradients(zip(g, v))\n",
        "done = tf.Variable(False, trainable=False)\n"
        "with tf.GradientTape() as t:\n    l = f(x)\nt = hvd.DistributedGradientTape(t)\n"
        "g = t.gradient(l, v)\ngrads_and_vars = list(zip(g, v))\n"
        "o.apply_gradients(grads_and_vars)\nif not done:\n"
        "    hvd.broadcast_variables(v, root_rank=0)\n    done.assign(True)\n",
    ),
    "one gradient": ("g = t.gradient(l, w)\n", "g = t.gradient(l, [w])[0]\n"),
    "one seed": ("a, b = train_test_split(x)\n", "a, b = train_test_split(x, random_state=0)\n"),
    "a cell over time": ("for t in range(x.shape[1]):\n    h = cell(x[:, t], h)\n",
                         RUN_STEPS + "h = run_steps(cell, tf.unstack(x, axis=1), h)\n"),
    "a cell of Keras over some time": (
        "for t in range(9):\n    h, _ = cell(x[:, t, :], [h])\n",
        RUN_STEPS + "h = run_steps(lambda x, h: cell(x, [h])[0], tf.unstack(x[:, :9], 9, axis=1), h)\n",
    ),
    "batches in turns": ("for b in batches():\n    f(b)\n",
                         "def share(batches):\n    yield from batches\n"
                         "for b in share(batches()):\n    f(b)\n"),
    "a tape that gets a block of its own": (
        "with open(p) as f, tf.GradientTape() as t:\n    l = a(x)\n    g = t.gradient(l, v)\n"
        "    f.write(l)\n",
        "with open(p) as f:\n    with tf.GradientTape() as t:\n        l = a(x)\n"
        "    t = hvd.DistributedGradientTape(t)\n    g = t.gradient(l, v)\n    f.write(l)\n"),
    "callbacks that are added to a list": (
        "m.fit(x, callbacks=[a, B(), C()])\n",
        "cbs = [a]\nif hvd.rank() == 0:\n    cbs += [B(), C()]\nm.fit(x, callbacks=cbs)\n"),
    "a folder that is made where it is not there": (
        "import os\nif not os.path.exists(d):\n    os.mkdir(d)\nif not p.exists():\n    p.mkdir()\n",
        "import os\nos.makedirs(d, exist_ok=True)\np.mkdir(exist_ok=True)\n"),
    "a folder that a test is kept for": (
        "import os\nif not os.path.exists(d):\n    a()\n    os.makedirs(d)\n",
        "import os\nif not os.path.exists(d):\n    a()\n    os.makedirs(d, exist_ok=True)\n"),
    "a folder that rank 0 makes": (
        "import os\nif not os.path.exists(d):\n    os.makedirs(d)\n",
        "import os\nif not os.path.exists(d) and hvd.rank() == 0:\n    os.makedirs(d)\n"),
    "what rank 0 says": ("for e in range(start, 9):\n    f(e)\n",
                         "for e in range(int(hvd.broadcast(start, root_rank=0)), 9):\n    f(e)\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_what_the_rules_write_is_the_same_on_one_worker(name: str) -> None:
    before, after = ALIKE[name]
    assert lines(HEAD + before, STARTED + after) == []


def test_a_program_that_is_not_changed_is_the_same() -> None:
    assert lines("while True:\n    f()\n", "while True:\n    f()\n") == []


OTHER = {
    "a cell over less time": (
        "for t in range(9):\n    h = cell(x[:, t], h)\n",
        RUN_STEPS + "h = run_steps(cell, tf.unstack(x[:, :8], 8, axis=1), h)\n",
    ),
    "another cell over time": (
        "for t in range(x.shape[1]):\n    h = cell(x[:, t], h)\n",
        RUN_STEPS + "h = run_steps(other, tf.unstack(x, axis=1), h)\n",
    ),
    "a statement is left out": ("a()\nb()\n", "a()\n"),
    "one more is there": ("a()\n", "a()\nb()\n"),
    "two change places": ("a()\nb()\n", "b()\na()\n"),
    "another number": ("a(3)\n", "a(4)\n"),
    "a variable of the environment is not set": (
        "import os\nos.environ.setdefault('A', '1')\n", "import os\n"
    ),
    "1 is not True": ("a(1)\n", "a(True)\n"),
    "it is under the other guard": ("a()\n", "if hvd.rank() == 1:\n    a()\n"),
    "a guard has no value for rank 0": ("x = a()\n", "x = None if hvd.rank() == 0 else a()\n"),
    "a half of it is taken": ("m.fit(x)\n", "m.fit(x[:len(x) // 2])\n"),
    "a share starts at one": ("m.fit(x)\n", "m.fit(x[hvd.rank() + 1::hvd.size()])\n"),
    "another number of examples": ("d = load()\n", "d = load().take(5).shard(hvd.size(), 0)\n"),
    "a rate is scaled by a constant": ("o = tf.keras.optimizers.SGD(0.1)\n",
                                       "o = tf.keras.optimizers.SGD(0.1 * 2)\n"),
    "another class than the string says": (
        'm.compile("sgd")\n',
        "m.compile(tf.keras.optimizers.Adam(learning_rate=0.001 * hvd.size()))\n",
    ),
    "a name that a parameter hides": (
        'opt = "sgd"\ndef f(opt):\n    m.compile(opt)\n',
        'opt = "sgd"\ndef f(opt):\n    m.compile(tf.keras.optimizers.SGD(0.01 * hvd.size()))\n',
    ),
    "a name that is bound again": (
        'opt = "sgd"\nif q:\n    opt = "adam"\nm.compile(opt)\n',
        'opt = "sgd"\nif q:\n    opt = "adam"\nm.compile(tf.keras.optimizers.SGD(0.01))\n',
    ),
    "a rate that is no class's own": (
        'm.compile("sgd")\n',
        "m.compile(tf.keras.optimizers.SGD(learning_rate=0.1 * hvd.size()))\n",
    ),
    "one callback less": ("m.fit(x, callbacks=[a, b])\n", "m.fit(x, callbacks=[a])\n"),
    "a value is taken before what changes it": (
        "a(x)\nprint(f(x))\n", "result = f(x)\na(x)\nprint(result)\n",
    ),
    "what is named is made twice": ("a(f(x))\n", "r = f(x)\na(r)\nb(r)\n"),
    "out of a with that closes a file": (
        "with open(p) as f:\n    a(f)\n    b(f)\n", "with open(p) as f:\n    a(f)\nb(f)\n",
    ),
    "out of a with of a tape and a file": (
        "with open(p) as f, tf.GradientTape() as t:\n    l = a(x)\n    g = t.gradient(l, v)\n"
        "    f.write(l)\n",
        "with open(p) as f, tf.GradientTape() as t:\n    l = a(x)\n"
        "g = t.gradient(l, v)\nf.write(l)\n",
    ),
    "what the tape has to see is behind it, in a block of its own": (
        "with open(p) as f, tf.GradientTape() as t:\n    l = a(x)\n    g = t.gradient(l, v)\n",
        "with open(p) as f:\n    with tf.GradientTape() as t:\n        pass\n"
        "    l = a(x)\n    g = t.gradient(l, v)\n",
    ),
    "what the tape has to see is around it": (
        "with tf.GradientTape() as t, b() as f:\n    l = a(x)\n    g = t.gradient(l, v)\n",
        "with tf.GradientTape() as t:\n    pass\nwith b() as f:\n    l = a(x)\n"
        "    g = t.gradient(l, v)\n",
    ),
    "what the tape has to see is behind it": (
        "with tf.GradientTape() as t:\n    l = a(x)\n    l = l * 2\n    g = t.gradient(l, v)\n",
        "with tf.GradientTape() as t:\n    l = a(x)\nl = l * 2\ng = t.gradient(l, v)\n",
    ),
    "a loop takes fewer rounds": ("for i in range(9):\n    a(i)\n",
                                  "for i in range(9 - hvd.size()):\n    a(i)\n"),
    "callbacks that are added in another order": (
        "m.fit(x, callbacks=[a, B(), C()])\n",
        "cbs = [a]\nif hvd.rank() == 0:\n    cbs += [C(), B()]\nm.fit(x, callbacks=cbs)\n",
    ),
    "callbacks that are taken from a list": (
        "m.fit(x, callbacks=[a, B()])\n",
        "cbs = [a]\nif hvd.rank() == 0:\n    cbs *= [B()]\nm.fit(x, callbacks=cbs)\n",
    ),
    "a folder that may be there": (
        "import os\nif not os.path.exists(d):\n    os.makedirs(d)\n",
        "import os\nos.makedirs(d)\n",
    ),
    "a folder that must not be there": (
        "import os\nos.makedirs(d)\n", "import os\nos.makedirs(d, exist_ok=True)\n",
    ),
    "another folder than was asked for": (
        "import os\nif not os.path.exists(d):\n    os.makedirs(e)\n",
        "import os\nos.makedirs(e, exist_ok=True)\n",
    ),
    "a folder in place of a file": (
        "import os\nif not os.path.isfile(d):\n    os.makedirs(d)\n",
        "import os\nos.makedirs(d, exist_ok=True)\n",
    ),
    "a builtin that the file hides": (
        "max = 5\nm.fit(x, steps_per_epoch=n)\n",
        "max = 5\nm.fit(x, steps_per_epoch=max(1, n // hvd.size()))\n",
    ),
    "a length that is none": (
        "def len(x):\n    return 3\nm.fit(x, y)\n",
        "def len(x):\n    return 3\n"
        "shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())\n"
        "m.fit(x[shard], y[shard])\n",
    ),
    "a new definition hides one": ("def f():\n    a()\n", "def f():\n    a()\ndef f():\n    b()\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER)
def test_what_is_not_the_same_is_told(name: str) -> None:
    before, after = OTHER[name]
    assert lines(HEAD + before, STARTED + after)


def test_the_line_is_that_of_the_result() -> None:
    before = "for i in range(9):\n    if i:\n        a(i)\n        b(i)\n"
    after = "for i in range(9):\n    if i:\n        a(i)\n        c(i)\n"
    assert lines(before, after) == [4]
    assert lines("a()\nb()\nc()\n", "a()\nc()\n") == [1]


def test_a_second_file_is_looked_at_too() -> None:
    before = {"a.py": "import b\n", "b.py": "f()\n"}
    case = Case({**before, "b.py": "f()\nf()\n"}, before, "a.py", Options())
    assert [(p.path, p.line) for p in same.prove(case) if not p.holds] == [("b.py", 2)]


STEPS = "\nimport horovod.tensorflow as hvd\nm.fit(x, steps_per_epoch=max(1, n // hvd.size()))\n"


@pytest.mark.parametrize(
    ("imports", "lib", "holds"),
    [
        ("from lib import *", "def max(values):\n    return 5\n", False),
        ("from lib import max", "def max(values):\n    return 5\n", False),
        ("from lib import *", "from more import *\n", False),
        ("from lib import *", "def least(values):\n    return 5\n", True),
        ("import lib", "def max(values):\n    return 5\n", True),
    ],
)
def test_a_builtin_that_another_file_takes_away(imports: str, lib: str, holds: bool) -> None:
    entry = imports + "\nm.fit(x, steps_per_epoch=n)\n"
    before = {"a.py": entry, "lib.py": lib, "more.py": "max = 5\n"}
    after = {**before, "a.py": imports + STEPS}
    proofs = list(same.prove(Case(after, before, "a.py", Options())))
    assert all(proof.holds for proof in proofs) == holds


CALL = """\
class Net(tf.keras.Model):
    def mixed(self, x, training=False):
        return x if training else 2 * x
    def call(self, x, training=None):
        return {}
"""


@pytest.mark.parametrize(
    ("before", "after", "alike"),
    [
        ("self.layer(x, training=training)", "self.layer(x)", True),
        ("self.mixed(x, training=training)", "self.mixed(x)", False),  # it has a default of its own
        ("self.layer(x, training=True)", "self.layer(x)", False),
    ],
)
def test_whether_a_layer_is_told_that_it_trains(before: str, after: str, alike: bool) -> None:
    both = HEAD + CALL.format(before), STARTED + CALL.format(after)
    assert (not lines(*both)) is alike
