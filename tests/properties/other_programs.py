"""Programs in which nothing may be changed: none of distify's business, blocked, or no Python."""

# ruff: noqa: E501  (one line of a generated program is one line)

from __future__ import annotations

from distify.codemods.model import Options

from .choices import Choices, Lines, inside
from .program import BLOCKED, BROKEN, NOTHING

# No training of TensorFlow in them.
UNTRAINED = {
    "numpy": "import numpy as np\nx = np.ones(3)\nprint(x.sum())",
    "tensorflow": "import tensorflow as tf\nprint(tf.__version__)\ny = tf.reduce_sum(tf.ones(3))",
    "predicts": (
        'import tensorflow as tf\nmodel = tf.keras.models.load_model("m.h5")\n'
        'print(model.predict(tf.ones((1, 4))))\nmodel.save("again.h5")'
    ),
    "scikit": (
        "from sklearn.svm import SVC\nimport tensorflow as tf\nmodel = SVC()\n"
        "model.fit([[1.0]], [1], verbose=2)\nsetattr(model, 'evaluate', tf.ones)"
    ),
    "slopes": (
        "import tensorflow as tf\nx = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
        "print(tape.gradient(y, x))"
    ),
    "lightning": "import torch\nopt = torch.optim.SGD([], lr=0.1)\nopt.step()\nprint(opt)",
    "library": "import tensorflow as tf\ndef build():\n    return tf.keras.Sequential([tf.keras.layers.Dense(1)])",
}
_PINNED = (
    'gpus = tf.config.list_physical_devices("GPU")\nfor gpu in gpus:\n'
    "    tf.config.experimental.set_memory_growth(gpu, True)\nif gpus:\n"
    '    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")\n'
)
# All that Horovod asks for is there.
MIGRATED = {
    "keras": (
        "import tensorflow as tf\nimport horovod.tensorflow.keras as hvd\nhvd.init()\n"
        + _PINNED
        + "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "opt = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.1 * hvd.size()))\n"
        'model.compile(opt, "mse")\nmodel.fit(tf.ones((8, 4)), tf.ones((8, 1)), callbacks=['
        "hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()"
        '], verbose=1 if hvd.rank() == 0 else 0)\nprint("done")'
    ),
    "tape": (
        "import tensorflow as tf\nfrom horovod import tensorflow as hvd\nhvd.init()\n"
        + _PINNED
        + "w = tf.Variable(1.0)\nopt = tf.keras.optimizers.SGD(0.1 * hvd.size())\n"
        "broadcast_done = tf.Variable(False, trainable=False)\nwith tf.GradientTape() as tape:\n"
        "    loss = w * w\ntape = hvd.DistributedGradientTape(tape)\n"
        "opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\nif not broadcast_done:\n"
        "    hvd.broadcast_variables([w], root_rank=0)\n"
        "    hvd.broadcast_variables(opt.variables, root_rank=0)\n    broadcast_done.assign(True)\nprint(w)"
    ),
}
_MODEL = "import tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
_FIT = "x, y = tf.ones((8, 4)), tf.ones((8, 1))\n"
_DATA = "ds = tf.data.Dataset.from_tensor_slices((tf.ones((8, 4)), tf.ones((8, 1))))\n"
_COMPILED = _MODEL + 'model.compile("adam", "mse")\n'
_STEP = (
    "    with tf.GradientTape() as tape:\n        loss = tf.reduce_mean(model(x))\n"
    "    grads = tape.gradient(loss, model.trainable_variables)\n"
    "    opt.apply_gradients(zip(grads, model.trainable_variables))"
)
STOPPED = {
    "N01 strategy": "import tensorflow as tf\ns = tf.distribute.MirroredStrategy()\nwith s.scope():\n"
    '    model = tf.keras.Sequential()\n    model.compile("sgd", "mse")\nmodel.fit(tf.ones(8), tf.ones(8))',
    "T06 session": "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nloss = tf.Variable(1.0)\n"
    "op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\nwith tf.Session() as sess:\n    sess.run(op)",
    "T06 estimator": "import tensorflow as tf\nest = tf.estimator.Estimator(len)\nest.train(lambda: None, steps=10)",
    "K02 options": _COMPILED + _FIT + "from project import options\nmodel.fit(x, y, **options)",
    "K01 backup": _COMPILED
    + _FIT
    + 'model.fit(x, y, callbacks=[tf.keras.callbacks.BackupAndRestore("b")])',
    "K05 cache": _COMPILED + _DATA + 'ds = ds.cache("cache").batch(2)\nmodel.fit(ds)',
    "G02 xla": _MODEL
    + "opt = tf.keras.optimizers.SGD(0.1)\n@tf.function(jit_compile=True)\ndef step(x):\n"
    + _STEP
    + "\nfor i in range(3):\n    step(tf.ones((8, 4)))",
    "G03 by hand": "import tensorflow as tf\nw = tf.Variable(1.0)\nfor i in range(3):\n    with tf.GradientTape() as tape:\n"
    "        loss = w * w\n    w.assign_sub(0.1 * tape.gradient(loss, w))",
    "R01 import": "def main():\n    import tensorflow as tf\n    model = tf.keras.Sequential()\n"
    '    model.compile("sgd", "mse")\n    model.fit(tf.ones((8, 4)), tf.ones(8))\nmain()',
    "T01 elsewhere": "import tensorflow as tf\ndef train(x, y):\n    model = tf.keras.Sequential()\n"
    '    model.compile("sgd", "mse")\n    model.fit(x, y)',
    "T02 both": _COMPILED
    + _FIT
    + "model.fit(x, y)\nopt = tf.keras.optimizers.SGD(0.1)\ndef step(x):\n"
    + _STEP
    + "\nfor i in range(3):\n    step(x)",
    "R05 made elsewhere": "import tensorflow as tf\nfrom project import make\n"
    'model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile(make(), "mse")\n'
    "model.fit(tf.ones((8, 4)), tf.ones(8))",
    "R05 applied": _MODEL
    + "from project import make\nopt = make()\nfor i in range(3):\n    x = tf.ones((8, 4))\n"
    + _STEP,
    "R05 loaded": 'import tensorflow as tf\nmodel = tf.keras.models.load_model("m.h5")\n'
    "model.fit(tf.ones((8, 4)), tf.ones(8))",
    "K04 uneven": _COMPILED
    + _DATA
    + "ds = ds.shuffle(8).take(4).filter(lambda a, b: a[0] > 0).batch(2)\nmodel.fit(ds)",
    "T07 leaves": _MODEL
    + _DATA
    + "opt = tf.keras.optimizers.SGD(0.1)\nfor x, y in ds.batch(2):\n"
    + _STEP
    + "\n    if float(loss) < 0.1:\n        break",
    "L01 get": "import tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nimport sys\n"
    'def decay(): return eval("len")\nmodel.compile("sgd", "mse")\n'
    "model.fit(tf.ones((8, 4)), tf.ones(8), callbacks=[tf.keras.callbacks.LearningRateScheduler(decay())])",
    "T08 one batch": _COMPILED + "model.train_on_batch(tf.ones((8, 4)), tf.ones(8))",
    "N03 keras": _COMPILED + "model.fit(tf.ones((8, 4)), tf.ones(8))",
    "N02 keras": "import keras\nimport numpy as np\nmodel = keras.Sequential([keras.layers.Dense(1)])\n"
    'model.compile("sgd", "mse")\nmodel.fit(np.ones((8, 4)), np.ones(8))',
}
VERSIONS = {"N02": (2, 16), "N03": (1, 15)}  # that the code is about
NO_PYTHON = (
    "import tensorflow as tf\nmodel.fit(",
    "import tensorflow as tf\nif model.fit(x):\npass",
    "import tensorflow as tf\n    model.fit(x)",
    "import tensorflow as tf\nmodel.fit(x) = 3",
    "import tensorflow as tf\ndef f(:\n    model.fit(x)",
    'import tensorflow as tf\nmodel.fit("""',
)


def other(choices: Choices) -> tuple[Lines, str, str, str, Options]:
    """Lines, family, kind, the code of the finding that stops it, options."""
    kind = choices.one(NOTHING, "migrated", BLOCKED, BLOCKED, BROKEN)
    if kind == BROKEN:
        return choices.one(*NO_PYTHON).split("\n"), "broken", BROKEN, "", Options()
    if kind == BLOCKED:
        name = choices.one(*STOPPED)
        code = name.split()[0]
        options = Options(tensorflow=VERSIONS.get(code, (2, 15)), keras="legacy")
        return STOPPED[name].split("\n"), name, BLOCKED, code, options
    table = UNTRAINED if kind == NOTHING else MIGRATED
    name = choices.one(*table)
    lines = table[name].split("\n")
    if choices.chance(20) and "def " not in table[name] and "import horovod" not in table[name]:
        first = next(i for i, line in enumerate(lines) if "import" not in line)
        lines = [*lines[:first], *inside("def main():", lines[first:]), "main()"]
    return lines, name, NOTHING, "", Options()
