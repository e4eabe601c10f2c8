"""Where each restriction finds something, and where it does not."""

from __future__ import annotations

import pytest

from distify.codemods import restrictions
from distify.codemods.facts import Facts
from distify.codemods.model import BLOCKED, NOTE, Options

HEAD = """\
import random, time
import numpy as np
import sklearn
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([])
opt = keras.optimizers.SGD(0.1)
ds = tf.data.Dataset.range(9)


def step(x):
    opt.apply_gradients(zip(tape.gradient(x, v), v))
"""


def found(code: str, text: str, head: str = HEAD, **options: object) -> list[tuple[int, str]]:
    """Lines, counted in the snippet, and severities of what the restriction finds."""
    facts = Facts.of(head + text, Options(**options))  # type: ignore[arg-type]
    checks = [rule.check for rule in restrictions.all() if rule.code == code]
    assert checks
    findings = sorted(finding for check in checks for finding in check(facts))
    assert all(finding.code == code and finding.message for finding in findings)
    assert all(finding.fix for finding in findings if finding.severity == BLOCKED)
    return [(finding.line - head.count("\n"), finding.severity) for finding in findings]


SPLITS = [
    "sklearn.model_selection.train_test_split",
    "sklearn.utils.shuffle",
    "sklearn.utils.resample",
    "np.random.shuffle",
    "np.random.permutation",
    "random.shuffle",
    "random.sample",
]
XLA = "@tf.function({})\ndef train(x):\n    step(x)\n"
UNEVEN = "for x in {}:\n    step(x)\n"
RATES = "rate = 1.0\na = 9.0\nfor n, x in enumerate(ds):\n    step(x)\n    y = model(x)\n    {}\n"
GROUPS = (
    "import sklearn.model_selection\na = np.ones((9, 2))\n"
    "for n, m in sklearn.model_selection.{}.split(a, a, a):\n    model.fit(a[n], a[n])\n"
)
CHOSEN = "a = np.ones((9, 2))\nchosen = {}\n"
STOPS = """class C(keras.callbacks.Callback):
    def on_epoch_end(self, n, logs=None):
        p = self.model.predict(self.x)
        auc = score(p)
        if {0}:
            self.wait = 0
        else:
            self.wait += 1
            if self.wait > 3:
                {1}
"""
MANAGED = """c = tf.train.Checkpoint(w=tf.Variable(np.random.rand()))
manager = tf.train.CheckpointManager(c, {}, 3)
manager.save()
c.restore(manager.latest_checkpoint)
"""
OWN_STOP = """class C({}):
    def on_epoch_end(self, n, logs=None):
        if {}:
            self.model.stop_training = True
"""
TIMED = """class C(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.begun = {0}

    def on_epoch_end(self, n, logs=None):
        if {0} - self.begun > 9:
            self.model.stop_training = True
"""
BLOCKS = {
    "N01": [
        "tf.distribute.MirroredStrategy()",
        "tf.compat.v1.distribute.get_strategy()",
        "tf.contrib.distribute.OneDeviceStrategy()",
        "from a import distribution_utils\ndistribution_utils.get()",
        "with a.scope():\n    pass",
        "a.experimental_distribute_dataset(b)",
        "a.distribute_datasets_from_function(b)",
        "a.experimental_run_v2(b)",
    ],
    "T07": [
        f"class C(keras.callbacks.Callback):\n    def {hook}(self, n, logs):\n"
        "        if logs['loss'] > 1:\n            self.model.stop_training = True"
        for hook in ("on_batch_end", "on_batch_begin", "on_train_batch_end", "on_train_batch_begin")
    ]
    + [
        RATES.format("if y > a:\n        opt.learning_rate.assign(opt.learning_rate / 2)"),
        RATES.format("if y > a:\n        rate = rate / 2\n    opt.lr = rate"),
        RATES.format("if y > a:\n        rate *= 0.5\n    keras.backend.set_value(opt.lr, rate)"),
        RATES.format("if float(y) > 1 and n > 3:\n        opt.learning_rate = 0.01"),
        RATES.format("if y > a:\n        opt.lr *= 0.5"),
        RATES.format("if y > a:\n        setattr(opt, 'lr', 0.5)"),
        RATES.format("opt.lr = 0.1 if y > a else opt.lr"),
        RATES.format("opt.lr = 0.1 * float(y)"),
        RATES.format("if y > a:\n        model.set_weights(best)"),
        RATES.format("if y > a:\n        model.load_weights('best.h5')"),
        "class C(keras.callbacks.Callback):\n    def on_train_batch_end(self, n, logs):\n"
        "        if logs['loss'] > 1:\n            self.model.optimizer.learning_rate = 0.1",
        RATES.format(
            "model.fit(x)\n    b = model.evaluate(x)\n    if b > 3:\n        opt.lr = 0.01"
        ),
    ]
    + [
        STOPS.format("auc > self.best", "self.model.stop_training = True"),
        STOPS.format("np.mean(self.model(self.x)) > 1", "self.model.stop_training = True"),
        STOPS.format("max(auc, 3) > self.best", "self.model.optimizer.learning_rate = 0.1"),
        "class C(keras.callbacks.Callback):\n    def on_epoch_end(self, n, logs=None):\n"
        "        if self.model.evaluate(self.x) < 1:\n            self.model.stop_training = True",
    ]
    + [
        OWN_STOP.format("keras.callbacks.Callback", "time.time() - self.start > 60"),
        OWN_STOP.format("keras.callbacks.Callback", "logs['loss'] < 1 or time.monotonic() > 9"),
        OWN_STOP.format("keras.callbacks.Callback", "np.random.rand() < 0.1"),
        OWN_STOP.format("Trainer", "self.model.predict(a) < 1"),  # whoever runs that
        OWN_STOP.format("Trainer", "time.time() > 9"),
        RATES.format("if y > a:\n        opt.learning_rate = 1") + "model.fit(y)\n",
        CHOSEN.format("np.random.rand(9) < 0.8") + "for i in range(len(a[chosen])):\n    step(i)",
        TIMED.format("time.time()"),
        "keras.optimizers.Adam(random.choice(b))",
        "r = 10 ** np.random.uniform(-4, -2)\nkeras.optimizers.Adam(learning_rate=r)",
        "p = {k: random.choice(v) for k, v in b.items()}\nkeras.layers.Dense(p['units'])",
        "p = {'n': int(random.random() * 9), 'm': 3}\nkeras.layers.Dense(units=p['n'])",
        "def pick():\n    return random.randint(1, 9)\n\n\nmodel.fit(x, batch_size=pick())",
        "for n in random.sample(b, 3):\n    keras.layers.Dense(n)",
    ],
    "K02": [
        "model.fit(x, **options)",
        "model.fit(*a)",
        "pair = [x, y]\nmodel.fit(*pair)",
        "model.fit(*(x, y, 8, 1, 2))",
        "model.fit(x, **{'callbacks': a})",
        "model.fit(x, **dict(initial_epoch=int(load())))",
        "o = {'epochs': 1}\nchange(o)\nmodel.fit(x, **o)",
    ],
    "K04": [
        GROUPS.format("GroupShuffleSplit(2, **o)"),
        GROUPS.format("StratifiedGroupKFold(shuffle=True, **o)"),
        "while b:\n    "
        + GROUPS.replace("\n", "\n    ").format("GroupShuffleSplit(2)").rstrip()
        + "\n",
        UNEVEN.format("ds.rejection_resample(f, a)"),
        UNEVEN.format("tf.data.Dataset.sample_from_datasets([ds, ds])"),
        UNEVEN.format("ds.shuffle(9).take(3).filter(f)"),
        UNEVEN.format("ds.shuffle(9).skip(3).flat_map(f)"),
        UNEVEN.format("ds.shuffle(9).map(g).take(3).map(g).filter(f)"),
        CHOSEN.format("np.random.rand(9) < 0.8") + "model.fit(a[chosen], a[chosen])",
        CHOSEN.format("np.random.default_rng().random(9) < 0.8")
        + "b = a[~chosen]\nmodel.fit(b, b)",
        CHOSEN.format("np.where(np.random.rand(9) > 0.5)[0]") + "model.fit(a[chosen, :])",
        CHOSEN.format("np.random.rand(9) < 0.8")
        + "for x in tf.data.Dataset.from_tensor_slices(a[chosen]).batch(2):\n    step(x)",
        "random.seed(1)\n" + CHOSEN.format("np.random.rand(9) < 0.8") + "model.fit(a[chosen])",
    ],
    "K05": ["ds.cache('a')", "ds.cache(filename=a)", "a.cache('a')\nds.cache('a')"],
    "G02": [
        *(XLA.format(f"{name}=True") for name in ("jit_compile", "experimental_compile")),
        XLA.format("jit_compile=a"),
        XLA.format("autograph=False"),
        XLA.format("None, None, False"),
        "def train(x):\n    step(x)\n\n\nfast = tf.function(train, jit_compile=True)\n",
        "@tf.autograph.experimental.do_not_convert\ndef train(x):\n    step(x)\n",
    ],
    "D205": [
        "ckpt = tf.train.Checkpoint(model=model)\np = {}\np['a'] = ckpt.save('c')\n"
        "ckpt.restore(p['a'])",
        "p = f'{time.time()}.h5'\nmodel.save_weights(p)\nmodel.load_weights(p)",
        MANAGED.format("str(time.time())"),
        "import cv2\np = f'{time.time()}.png'\ncv2.imwrite(p, x)\nx = cv2.imread(p)",
        "import datetime\nd = 'runs/' + datetime.datetime.now().strftime('%H%M%S')\n"
        "model.fit(x, callbacks=[keras.callbacks.ModelCheckpoint(d + '/a')])\n"
        "model.load_weights(d + '/a')",
        "import uuid\nname = str(uuid.uuid4())\nnp.save(name, x)\nnp.load(name)",
        "name = f'run{random.randint(0, 9)}'\nnp.save(name, x)\nnp.load(name)\nnp.load(name)",
    ],
    "T08": ["model.train_on_batch(x)"],
    "R08": [
        "a if b else opt.apply_gradients(c)",
        "opt.apply_gradients(*pairs)",
        "opt.apply_gradients(**what)",
        "for g, v in zip(a, b):\n    opt.apply_gradients([(g, v)])",
        "for i in range(3):\n    opt.apply_gradients([(a[i], b[i])])",
        "for a, b in c:\n    opt.apply_gradients(zip(a, b))",
        "for m in (a, b):\n    opt.apply_gradients(zip(g, m.trainable_variables))",
    ],
    "L01": [
        "keras.optimizers.get(a)",
        "keras.callbacks.LearningRateScheduler(make())",
        "setattr(opt, a, 0.1)",
        "keras.optimizers.schedules.ExponentialDecay(**options)",
        "keras.optimizers.schedules.PiecewiseConstantDecay(*a)",
        "for name, value in a.items():\n    setattr(opt, name, value)",
        "put = opt.lr.assign\nput(0.1)",
    ],
}
PASSES = {
    "N01": ["distribute()", "import my_distribution\nmy_distribution.get()", "a.scope()", "with a.b():\n    pass"],
    "T07": [
        "class C(keras.callbacks.Callback):\n    def on_epoch_end(self, n):\n        self.model.stop_training = True",
        "class C(keras.callbacks.Callback):\n    def on_batch_end(self, n):\n        self.model.stop_training = True",
        "model.stop_training = True",
        OWN_STOP.format("keras.callbacks.Callback", "logs.get('loss') < 1"),
        OWN_STOP.format("keras.callbacks.Callback", "self.other.predict(a) < 1"),
        "np.random.seed(1)\n" + OWN_STOP.format("keras.callbacks.Callback", "np.random.rand() < 0.1"),
        "import horovod.tensorflow as hvd\n"
        + OWN_STOP.format("keras.callbacks.Callback", "hvd.broadcast_object(time.time() > 9, 0)"),
        TIMED.format("n"),
        STOPS.format("logs['val_auc'] > self.best", "self.model.stop_training = True"),
        STOPS.format("n % 5 == 0", "self.model.stop_training = True"),
        STOPS.format("auc > self.best", "self.model.save_weights('a')"),
        "random.seed(1)\nkeras.optimizers.Adam(random.choice(b))",
        "p = {'n': random.random(), 'm': 3}\nkeras.layers.Dense(p['m'])",
        "a = np.random.rand(9, 2)\nkeras.layers.Dense(a.shape[1])\nkeras.layers.Dense(len(a))",
        "a = np.random.rand(9, 2)\nmodel.fit(a, batch_size=3)",
        RATES.format("if n > 3:\n        opt.learning_rate.assign(opt.learning_rate / 2)"),
        RATES.format("if n in (3, 6):\n        rate = rate / 2\n    opt.lr = rate"),
        RATES.format("opt.learning_rate = 1 / (n + 1)"),
        RATES.format("if y > a:\n        print(opt.learning_rate)"),
        RATES.format("if y > a:\n        best = model.get_weights()"),
        RATES.format("if n > 3:\n        model.set_weights(best)"),
        "if model(a) > 3:\n    model.load_weights('best.h5')\n" + RATES.format("pass"),
        "class C(keras.callbacks.Callback):\n    def on_train_batch_end(self, n, logs):\n"
        "        if n % 9 == 0:\n            self.model.optimizer.learning_rate = 0.1",
        RATES.format("if y > a:\n        other.learning_rate = 1"),
        RATES.format("h = model.fit(a)\n    if h.history['loss'][-1] > 3:\n        opt.lr = 0.01"),
        "class C(keras.callbacks.Callback):\n    def on_epoch_end(self, n, logs):\n"
        "        if logs['loss'] > 1:\n            self.model.optimizer.learning_rate = 0.1",
    ],
    "K02": [
        "model.fit(x)",
        "model.fit(x, **{'epochs': a})",
        "thing.fit(*a)",
        "pair = x, y\nmodel.fit(*pair)",
        "def load():\n    return x, y\n\n\nmodel.fit(*load())",
        "model.fit(x, **dict(verbose=a, initial_epoch=2))",
        "for kw in [dict(epochs=a), {'verbose': 0}]:\n    print(list(kw))\n    model.fit(x, **kw)",
    ],
    "K04": [
        GROUPS.format("GroupShuffleSplit(2, random_state=0)"),
        GROUPS.format("GroupShuffleSplit(2)"),  # gets a seed
        GROUPS.format("ShuffleSplit(2, **o)"),  # parts of one size, whoever draws them
        GROUPS.format("GroupKFold(5)"),
        GROUPS.format("StratifiedGroupKFold(shuffle=False)"),
        "np.random.seed(0)\n" + GROUPS.format("GroupShuffleSplit(2)"),
        UNEVEN.format("ds.rejection_resample(f, a, seed=1)"),
        UNEVEN.format("ds.rejection_resample(f, a).repeat()"),
        UNEVEN.format("ds.shuffle(9, seed=1).take(3).filter(f)"),
        UNEVEN.format("ds.take(3).shuffle(9).filter(f)"),
        UNEVEN.format("ds.shuffle(9).filter(f).take(3)"),
        UNEVEN.format("ds.shuffle(9).take(3)"),
        "for x in ds.rejection_resample(f, a):\n    look(x)\n",
        "np.random.seed(1)\n" + CHOSEN.format("np.random.rand(9) < 0.8") + "model.fit(a[chosen])",
        "keras.utils.set_random_seed(1)\n"
        + CHOSEN.format("np.random.rand(9) < 0.8")
        + "model.fit(a[chosen])",
        "from b import seed_all\nseed_all()\n"
        + CHOSEN.format("np.random.rand(9) < 0.8")
        + "model.fit(a[chosen])",
        CHOSEN.format("np.random.default_rng(3).random(9) < 0.8") + "model.fit(a[chosen])",
        CHOSEN.format("np.random.rand(9) < 0.8") + "model.fit(a)\nlook(a[chosen])",
        CHOSEN.format("np.random.permutation(9)[:5]") + "model.fit(a[chosen])",
        CHOSEN.format("np.arange(9) < 5") + "model.fit(a[chosen])",
        CHOSEN.format("np.random.rand(9) < 0.8")
        + "for x in tf.data.Dataset.from_tensor_slices(a[chosen]).repeat().take(5):\n    step(x)",
    ],
    "K05": ["ds.cache()", "ds.cache('')", "a.cache('a')"],
    "G02": [
        XLA.format(""),
        XLA.format("jit_compile=False"),
        XLA.format("jit_compile=None"),
        XLA.format("autograph=True"),
        XLA.format("reduce_retracing=True"),
        "@tf.function(jit_compile=True)\ndef look(x):\n    return x\n",
        "def look(x):\n    return x\n\n\nfast = tf.function(look, jit_compile=True)\nstep(1)\n",
        "@other(jit_compile=False)\ndef train(x):\n    step(x)\n",
    ],
    "D205": [
        "p = f'{time.time()}.h5'\nmodel.save_weights(p)",
        MANAGED.format("'c'"),
        "p = f'{time.time()}.h5'\nmodel.load_weights(p)\nmodel.save_weights(p)",
        "p = 'a.h5'\nmodel.save_weights(p)\nprint(time.time())\nmodel.load_weights(p)",
        "random.seed(1)\nname = f'{random.randint(0, 9)}'\nnp.save(name, x)\nnp.load(name)",
        "import cv2\nseen = cv2.imread(random.sample(files, 1)[0])\ncv2.imwrite('seen.png', seen)",
    ],
    "T08": ["for x in a:\n    model.train_on_batch(x)", "a.train_on_batch(x)"],
    "R08": [
        "opt.apply_gradients(c)",
        "a = opt.apply_gradients(c)",
        "opt.apply_gradients(grads_and_vars=c, **options)",
        "for g in a:\n    opt.apply_gradients([(g, w)])",
        "for m in c:\n    opt.apply_gradients(zip(a, w))",
        "for m in c:\n    opt = keras.optimizers.Adam()\n    opt.apply_gradients(zip(a, m.variables))",
    ],
    "L01": [
        "rate = 0.1\nrate *= x / 256\nkeras.optimizers.Adam(rate)",
        "keras.optimizers.schedules.ExponentialDecay(0.1, **options)",
        "keras.optimizers.Adam(0.1)", "setattr(a, name, 0.1)", "setattr(opt, 'name', a)", "def f(e):\n    return 1\n\n\nkeras.callbacks.LearningRateScheduler(f)"],
}  # fmt: skip


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in BLOCKS.items() for t in texts])
def test_what_is_found(code: str, text: str) -> None:
    assert [severity for _, severity in found(code, text)] == [BLOCKED]


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in PASSES.items() for t in texts])
def test_what_is_fine(code: str, text: str) -> None:
    assert found(code, text) == []


def test_keras_compiles_with_xla_only_where_it_is_told_to() -> None:
    fit = "model.compile('sgd', jit_compile={})\nmodel.fit(x)\n"
    head = HEAD.partition("def step")[0]
    assert found("G02", fit.format("True"), head) == [(1, BLOCKED)]
    assert found("G02", fit.format("'auto'"), head) == [(1, BLOCKED)]
    assert found("G02", fit.format("False"), head) == []


@pytest.mark.parametrize("name", SPLITS)
def test_splits_in_a_loop_that_every_worker_draws_for_itself(name: str) -> None:
    numbers = "random" if name.startswith("random.") else "np.random"
    other = "np.random" if numbers == "random" else "random"
    assert found("H01", f"while x: a = {name}(x)\n") == [(1, NOTE)]
    assert found("H01", f"{other}.seed(1)\nwhile x: a = {name}(x)\n") == [(2, NOTE)]
    for seed in (f"{numbers}.seed", "keras.utils.set_random_seed", "set_all_seeds"):
        seeded = f"from other import set_all_seeds\n{seed}(1)\n"
        assert found("H01", f"{seeded}while x: a = {name}(x)\n") == []


@pytest.mark.parametrize("name", SPLITS)
def test_only_what_takes_a_state_is_seeded_by_one(name: str) -> None:
    takes_one = name.startswith("sklearn.")
    assert found("H01", f"while x: a = {name}(x, random_state=None)\n") == [(1, NOTE)]
    assert (found("H01", f"while x: a = {name}(x, random_state=1)\n") == []) is takes_one


@pytest.mark.parametrize("name", ["keras.datasets.mnist.load_data", "keras.utils.get_file"])
def test_the_first_download_that_nobody_can_wait_for_is_noted(name: str) -> None:
    assert found("H01", f"a = lambda: {name}()\nb = lambda: {name}()\n") == [(1, NOTE)]
    assert found("H01", f"a = lambda: {name}_more()\n") == []
    assert found("H01", f"a = {name}()\n") == []  # D207 writes who downloads first


@pytest.mark.parametrize("package", ["tensorflow", "keras", "tf_keras"])
def test_an_import_that_is_not_at_the_top(package: str) -> None:
    text = "{}\n\n\ndef f():\n    {}\n    import tensorflow.keras as k\n    k.Sequential([]).fit(x)\n\n\nf()\n"
    for inner in (f"import {package} as a", f"from {package} import models as a"):
        inside = text.format("import os", inner)
        assert found("R01", inside, "") == [(5, BLOCKED)]
        assert found("R01", text.format("import tensorflow", inner), "") == []
    assert found("R01", "def f():\n    import tensorflow as tf\n", "") == []


def test_a_rate_that_keras_ignores() -> None:
    text = "keras.optimizers.{}(lr=0.1)\n"
    for version, notes in (((2, 10), []), ((2, 11), [(1, NOTE)]), ((2, 15), [(1, NOTE)])):
        assert found("L01", text.format("Adam"), tensorflow=version) == notes
        assert found("L01", text.format("legacy.Adam"), tensorflow=version) == []
    mine = "class Adam(keras.optimizers.Adam):\n    def __init__(self, lr):\n        super().__init__(lr)\n\n\nAdam(lr=1)"
    assert found("L01", mine) == []


def test_callbacks_a_person_should_know_about() -> None:
    text = "model.fit(x, callbacks={}, initial_epoch={})\n"
    assert found("D302", text.format("[]", "3")) == []
    assert found("D302", text.format("[]", "epoch")) == []  # it is broadcast
    assert found("D302", text.format("make()", "3")) == [(1, NOTE)]
    assert found("D302", text.format("[keras.callbacks.TerminateOnNaN()]", "3")) == []
    assert found("D302", text.format("[keras.callbacks.CSVLogger(a)]", "3")) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("import keras\n", [1]),
        ("from keras import layers\n", [1]),
        ("def f():\n    import keras.layers\n", [2]),
        ("from .keras import a\n", []),
        ("import tf_keras\n", []),
    ],
)
def test_keras_3_where_keras_2_is_asked_for(text: str, lines: list[int]) -> None:
    blocked = [
        line
        for line, severity in found("N02", text, tensorflow=(2, 16), keras="legacy")
        if severity == BLOCKED
    ]
    assert blocked == lines
    assert found("N02", text, tensorflow=(2, 15), keras="legacy") == []


def test_keras_2_is_asked_for_where_keras_3_would_come() -> None:
    ((line, severity),) = found("N02", "", tensorflow=(2, 16), keras="legacy")
    assert (HEAD.splitlines()[line + HEAD.count("\n") - 1], severity) == (
        "import numpy as np",
        NOTE,
    )


@pytest.mark.parametrize("name", ["assign", "assign_add", "assign_sub"])
def test_gradients_that_are_applied_by_hand(name: str) -> None:
    head = "import tensorflow as tf\n\nw = tf.Variable(1.0)\n"
    text = "with tf.GradientTape() as t:\n    l = w\nw.{}(0.1 * {})\nw.{}({})\n"
    g = "t.gradient(l, w)"
    assert found("G03", text.format(name, g, name, g), head) == [(3, BLOCKED)]
    assert found("G03", text.format(name, 1, name, 1), head) == []
    assert found("G03", text.format(name, "u.gradient(l, w)", name, 1), head) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("tf = 1\n", [1]),
        ("import torch as tf\n", [1]),
        ("import tensorflow as tf\n", []),
        ("import tensorflow.compat.v2 as tf\n", []),
        ("from mine import keras\n", [1]),
        ("np = 1\n", []),
        ("from keras.datasets import mnist\nmnist = tf.keras.datasets.mnist\n", []),
        ("from keras.datasets import mnist\nmnist = tf.keras.datasets.cifar10\n", [2]),
        ("from keras.datasets import mnist\nmnist = mnist\n", [2]),
        ("def f():\n    tf = 1\n", []),
        ("def f():\n    import tensorflow as a\n    a = 1\n", [3]),
    ],
)
def test_tensorflow_is_bound_once(text: str, lines: list[int]) -> None:
    assert [line for line, _ in found("R02", text)] == lines
