"""Small programs in which one value reaches one place: what is whose, where it goes, which way.

In each text `VALUE` stands for a number between 0 and 1, `BEFORE` for the statements that it needs.
"""

from __future__ import annotations

HEAD = """\
import os
import random
import sys
import time

import numpy as np
import tensorflow as tf
IMPORTS

x = np.linspace(0.0, 1.0, 256).reshape(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
BEFORE
"""

# -- where a value goes ---------------------------------------------------------------------------

LAYERS = "model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,)), ALSO])\n"
PLAIN_LAYERS = LAYERS.replace("ALSO", "tf.keras.layers.Dense(1)")
COMPILE = 'model.compile(tf.keras.optimizers.SGD(0.01), loss="mse")\n'
FIT = "model.fit(x, y, batch_size=8, epochs=3)\n"
KERAS = PLAIN_LAYERS + COMPILE + FIT


def also(layer: str) -> str:
    """A model with one more layer."""
    return LAYERS.replace("ALSO", f"{layer}, tf.keras.layers.Dense(1)") + COMPILE + FIT


def fitted(arguments: str) -> str:
    """A call of `fit` with other arguments."""
    return PLAIN_LAYERS + COMPILE + f"model.fit({arguments})\n"


def compiled(arguments: str) -> str:
    """A call of `compile` with other arguments."""
    return PLAIN_LAYERS + f"model.compile({arguments})\n" + FIT


def between(statements: str) -> str:
    """Statements between `compile` and `fit`."""
    return PLAIN_LAYERS + COMPILE + statements + "\n" + FIT


def called_back(body: str, more: str = "") -> str:
    """A callback of the program's own, which does something at the end of each epoch."""
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    head = (
        "class Own(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n"
    )
    train = FIT.replace("epochs=3", f"epochs=3, callbacks=[Own(){more}]")
    return head + lines + PLAIN_LAYERS + COMPILE + train


def on_data(statements: str) -> str:
    """Statements that make other data."""
    return statements + "\n" + KERAS


def piped(stage: str) -> str:
    """A pipeline with a stage."""
    data = f"data = tf.data.Dataset.from_tensor_slices((x, y)){stage}.batch(8)\n"
    return data + PLAIN_LAYERS + COMPILE + "model.fit(data, epochs=3)\n"


def looped(begins: str = "", gradients: str = "", behind: str = "", epochs: str = "3") -> str:
    """A loop that trains by itself, with statements in its rounds."""

    def within(text: str) -> str:
        return "".join(f"        {line}\n" for line in text.split("\n")) if text else ""

    return (
        "data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)\n"
        + PLAIN_LAYERS
        + "optimizer = tf.keras.optimizers.SGD(0.01)\n"
        + f"for epoch in range({epochs}):\n"
        + "    for a, b in data:\n"
        + within(begins)
        + "        with tf.GradientTape() as tape:\n"
        + "            loss = tf.reduce_mean((model(a, training=True) - b) ** 2)\n"
        + "        gradients = tape.gradient(loss, model.trainable_variables)\n"
        + within(gradients)
        + "        optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n"
        + within(behind)
    )


EACH = "for w in self.model.trainable_weights:\n    "
SCHEDULE = """\
class Own(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return 0.1 * VALUE

"""
CONSTRAINT = """\
class Own(tf.keras.constraints.Constraint):
    def __call__(self, w):
        return w * VALUE

"""
SINKS = {
    "layer": also("tf.keras.layers.Dropout(VALUE)"),
    "regularizer": also(
        "tf.keras.layers.Dense(4, kernel_regularizer=tf.keras.regularizers.l2(VALUE))"
    ),
    "units": also("tf.keras.layers.Dense(1 + int(9 * VALUE))"),
    "loss": compiled("tf.keras.optimizers.SGD(0.01), loss=tf.keras.losses.Huber(delta=VALUE)"),
    "loss weight": compiled('tf.keras.optimizers.SGD(0.01), loss="mse", loss_weights=[VALUE]'),
    "epochs": fitted("x, y, batch_size=8, epochs=1 + int(9 * VALUE)"),
    "batch size": fitted("x, y, batch_size=1 + int(9 * VALUE), epochs=3"),
    "validation split": fitted("x, y, batch_size=8, epochs=3, validation_split=VALUE"),
    "class weight": fitted("x, y, batch_size=8, epochs=3, class_weight={0: 1.0, 1: VALUE}"),
    "first epoch": fitted("x, y, batch_size=8, epochs=3, initial_epoch=int(3 * VALUE)"),
    "which optimizer": compiled(
        "tf.keras.optimizers.SGD(0.01) if VALUE > 0.5 else tf.keras.optimizers.Adam(0.01), loss='mse'"
    ),
    "which layers": (
        "model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,))])\n"
        "if VALUE > 0.5:\n    model.add(tf.keras.layers.Dense(4))\n"
        "model.add(tf.keras.layers.Dense(1))\n" + COMPILE + FIT
    ),
    "which are trained": PLAIN_LAYERS + "model.layers[0].trainable = VALUE > 0.5\n" + COMPILE + FIT,
    "rate": compiled("tf.keras.optimizers.SGD(0.1 * VALUE), loss='mse'"),
    "rate that is set": between("model.optimizer.learning_rate = 0.1 * VALUE"),
    "rate by a callback": PLAIN_LAYERS
    + COMPILE
    + FIT.replace(
        "epochs=3",
        "epochs=3, callbacks=[tf.keras.callbacks.LearningRateScheduler(lambda e: 0.1 * VALUE)]",
    ),
    "schedule": SCHEDULE + compiled("tf.keras.optimizers.SGD(Own()), loss='mse'"),
    "momentum": compiled("tf.keras.optimizers.SGD(0.01, momentum=VALUE), loss='mse'"),
    "momentum that is set": called_back("self.model.optimizer.momentum = VALUE"),
    "weights": called_back(f"{EACH}w.assign(w * VALUE)"),
    "weights or not": called_back(f"if VALUE > 0.5:\n    {EACH}    w.assign(w * 0.5)"),
    "all weights": called_back(
        "self.model.set_weights([w * VALUE for w in self.model.get_weights()])"
    ),
    "constraint": CONSTRAINT + also("tf.keras.layers.Dense(4, kernel_constraint=Own())"),
    "what is watched": called_back(
        'logs["score"] = VALUE', ', tf.keras.callbacks.EarlyStopping(monitor="score")'
    ),
    "end of training": called_back("if VALUE > 0.5:\n    self.model.stop_training = True"),
    "examples by count": on_data("n = int(64 * VALUE)\nx, y = x[:n], y[:n]"),
    "examples by mask": on_data("keep = x[:, 0] < VALUE\nx, y = x[keep], y[keep]"),
    "targets": on_data("y = (y > VALUE).astype('float32')"),
    "file of data": on_data("x = np.load('part' + str(int(9 * VALUE)) + '.npy')"),
    "take": piped(".take(int(64 * VALUE))"),
    "filter": piped(".filter(lambda a, b: a[0] < VALUE)"),
    "seed of a shuffle": piped(".shuffle(64, seed=int(9 * VALUE))"),
    "step": looped("if VALUE > 0.5:\n    continue"),
    "end of a loop": looped(behind="if VALUE > 0.5:\n    break"),
    "rounds": looped(epochs="int(9 * VALUE)"),
    "gradients": looped(gradients="gradients = [g * VALUE for g in gradients]"),
    "rate in a loop": looped("optimizer.learning_rate = 0.1 * VALUE"),
    "weights in a loop": looped(
        behind="for w in model.trainable_variables:\n    w.assign(w * VALUE)"
    ),
    # They differ, and nothing comes of it.
    "shown": on_data("print(VALUE)"),
    "name of a model": between("name = 'run' + str(VALUE)\nprint(name, model.count_params())"),
    "initial weights": between("model.set_weights([w * VALUE for w in model.get_weights()])"),
    "noise": on_data("x = x + 0.1 * VALUE"),
}

# -- whose it is ----------------------------------------------------------------------------------

SOURCES = {  # the value; what stands before; what is imported
    "random": ("random.random()", "", ""),
    "numpy": ("np.random.rand()", "", ""),
    "generator": ("np.random.default_rng().random()", "", ""),
    "own generator": ("rng.random()", "rng = np.random.default_rng()", ""),
    "Random": ("random.Random().random()", "", ""),
    "system": ("random.SystemRandom().random()", "", ""),
    "tensor": ("float(tf.random.uniform(()))", "", ""),
    "TensorFlow's generator": (
        "float(numbers.uniform(()))",
        "numbers = tf.random.Generator.from_non_deterministic_state()",
        "",
    ),
    "permutation": ("np.random.permutation(10)[0] / 10", "", ""),
    "sample": ("random.sample(range(10), 1)[0] / 10", "", ""),
    "choice": ("random.choice([0.1, 0.6])", "", ""),
    "folds": (
        "next(KFold(3, shuffle=True).split(x))[0][1] / 64",
        "",
        "from sklearn.model_selection import KFold",
    ),
    "secrets": ("secrets.randbelow(10) / 10", "", "import secrets"),
    "torch": ("float(torch.rand(()))", "", "import torch"),
    "scipy": ("float(stats.uniform.rvs())", "", "from scipy import stats"),
    "seed by clock": ("random.random()", "random.seed(time.time())", ""),
    "seed of nothing": ("random.random()", "random.seed()", ""),
    "seed of another": ("random.random()", "np.random.seed(0)", ""),
    "drawn before": ("early", "early = random.random()\nrandom.seed(0)", ""),
    "generator of None": ("np.random.default_rng(None).random()", "", ""),
    "state of the system": ("os.urandom(1)[0] / 256", "", ""),
    "time": ("time.time() % 1", "", ""),
    "counter": ("time.perf_counter() % 1", "", ""),
    "today": ("datetime.datetime.now().second / 60", "", "import datetime"),
    "process": ("os.getpid() % 10 / 10", "", ""),
    "uuid": ("uuid.uuid4().int % 10 / 10", "", "import uuid"),
    "load": ("os.getloadavg()[0] / 100", "", ""),
    "memory": ("psutil.virtual_memory().percent / 100", "", "import psutil"),
    "address": ("id(x) % 10 / 10", "", ""),
    "person": ("float(input())", "", ""),
    "password": ("len(getpass.getpass()) / 10", "", "import getpass"),
    "host": ("len(socket.gethostname()) / 10", "", "import socket"),
    "node": ("len(platform.node()) / 10", "", "import platform"),
    "own environment": ("len(os.environ['HOSTNAME']) / 10", "", ""),
    "hash": ("hash('a') % 10 / 10", "", ""),
    "files": ("os.listdir('data').index('a') / 9", "", ""),
    "glob": ("glob.glob('data/*').index('data/a') / 9", "", "import glob"),
    "paths": (
        "[p.name for p in pathlib.Path('data').iterdir()].index('a') / 9",
        "",
        "import pathlib",
    ),
    "entries": ("[e.name for e in os.scandir('data')].index('a') / 9", "", ""),
}
SOUND = {
    "number": ("0.5", "", ""),
    "argument": ("float(sys.argv[1])", "", ""),
    "environment": ("float(os.environ['SCALE'])", "", ""),
    "environment with a default": ("float(os.getenv('SCALE', '0.5'))", "", ""),
    "shape": ("x.shape[1] / 8", "", ""),
    "data": ("float(x.mean())", "", ""),
    "seeded": ("random.random()", "random.seed(0)", ""),
    "seeded NumPy": ("np.random.rand()", "np.random.seed(0)", ""),
    "seeded tensors": ("float(tf.random.uniform(()))", "tf.random.set_seed(0)", ""),
    "all seeded": ("np.random.rand()", "tf.keras.utils.set_random_seed(0)", ""),
    "seed by an argument": ("random.random()", "random.seed(int(sys.argv[1]))", ""),
    "generator with a seed": ("np.random.default_rng(0).random()", "", ""),
    "own generator with a seed": ("rng.random()", "rng = np.random.default_rng(seed=3)", ""),
    "Random with a seed": ("random.Random(0).random()", "", ""),
    "stateless": ("float(tf.random.stateless_uniform((), seed=(1, 2)))", "", ""),
    "seeded split": (
        "float(kept[0])",
        "kept, _ = train_test_split(np.linspace(0.0, 1.0, 9), random_state=0)",
        "from sklearn.model_selection import train_test_split",
    ),
    "uuid of a name": ("uuid.uuid5(uuid.NAMESPACE_DNS, 'a').int % 10 / 10", "", "import uuid"),
    "sum of a text": ("zlib.crc32(b'a') % 10 / 10", "", "import zlib"),
    "sorted set": ("sorted({'a', 'b', 'c'}).index('a') / 3", "", ""),
    "size of a set": ("len({'a', 'b', 'c'}) / 9", "", ""),
    "in a set": ("float('a' in {'a', 'b', 'c'})", "", ""),
    "sorted files": ("sorted(os.listdir('data')).index('a') / 9", "", ""),
    "files that are sorted": (
        "names.index('a') / 9",
        "names = os.listdir('data')\nnames.sort()",
        "",
    ),
    "last of sorted files": ("len(sorted(os.listdir('data'))[-1]) / 9", "", ""),
    "as text": ("float(sorted(glob.glob('data/*'))[-1].split('-')[1])", "", "import glob"),
    "newest file": ("float(max(glob.glob('data/*')).split('-')[1])", "", "import glob"),
    "number of files": ("len(os.listdir('data')) / 9", "", ""),
    "sorted glob": ("sorted(glob.glob('data/*')).index('data/a') / 9", "", "import glob"),
    "hash of a number": ("hash(3) % 10 / 10", "", ""),
}

# Each worker would have its own, and in what distify writes all have the same: a seed, a sort.
MENDED = {
    "shuffled": ("kinds[0]", "kinds = [0.1, 0.6]\nrandom.shuffle(kinds)", ""),
    "split": (
        "float(kept[0])",
        "kept, _ = train_test_split(np.linspace(0.0, 1.0, 9))",
        "from sklearn.model_selection import train_test_split",
    ),
    "set": ("list({'a', 'b', 'c'}).index('a') / 3", "", ""),
    "set by a loop": (
        "codes['a'] / 3",
        "codes = {}\nfor name in {'a', 'b', 'c'}:\n    codes[name] = len(codes)",
        "",
    ),
    "dictionary of a set": (
        "codes['a'] / 3",
        "codes = {name: i for i, name in enumerate(set(['a', 'b', 'c']))}",
        "",
    ),
}

# -- which way it goes ----------------------------------------------------------------------------

FLOWS = {  # the statements before, around a `SOURCE`, and what is written in its place
    "at once": ("", "SOURCE"),
    "name": ("value = SOURCE", "value"),
    "alias": ("first = SOURCE\nsecond = first\nvalue = second", "value"),
    "attribute": (
        "class Settings:\n    def __init__(self):\n        self.value = SOURCE\n\n"
        "settings = Settings()",
        "settings.value",
    ),
    "dictionary": ('settings = {"value": SOURCE}', 'settings["value"]'),
    "parameter": ("def halved(value):\n    return 0.5 * value\n", "halved(SOURCE)"),
    "returned": ("def drawn():\n    return SOURCE\n", "drawn()"),
    "lambda": ("drawn = lambda: SOURCE", "drawn()"),
    "loop variable": ("for value in [0.25, SOURCE]:\n    print(value)", "value"),
    "condition": ("value = 0.25\nif SOURCE > 0.5:\n    value = 0.75", "value"),
    "comprehension": ("values = [SOURCE for _ in range(3)]", "values[1]"),
    "tuple": ("name, value = 'a', SOURCE", "value"),
    "sum in a loop": ("value = 0.0\nfor _ in range(3):\n    value += SOURCE / 3", "value"),
    "given on": (
        "def apply(function, *given):\n    return function(*given)\n",
        "apply(lambda a: a, SOURCE)",
    ),
    "container that grows": ("values = []\nvalues.append(SOURCE)", "values[0]"),
    "global": (
        "value = 0.25\n\ndef choose():\n    global value\n    value = SOURCE\n\nchoose()",
        "value",
    ),
}


def program(sink: str, source: tuple[str, str, str], flow: str = "at once") -> str:
    """One program in which a source reaches a sink."""
    expression, before, imports = source
    around, value = FLOWS[flow]
    statements = "\n".join(filter(None, (before, around.replace("SOURCE", f"({expression})"))))
    head = HEAD.replace("IMPORTS", imports).replace("BEFORE", statements)
    return head + SINKS[sink].replace("VALUE", value.replace("SOURCE", f"({expression})"))
