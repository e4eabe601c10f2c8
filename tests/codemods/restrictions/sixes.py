"""For each reason that stops a file, or is worth a word: programs that have it, and sound ones beside.

`test_findings.py` has further ones in a line each; `test_sixes.py` counts both.
"""

from __future__ import annotations

from distify.codemods.model import Options

HEAD = "import random, time\nimport json, sklearn.utils\nimport numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\n"
DATA = "x, y = np.ones((8, 4)), np.ones((8, 1))\n"
MODEL = "model = keras.Sequential([keras.layers.Dense(1)])\n"
COMPILE = "model.compile(keras.optimizers.SGD(0.1), 'mse')\n"
FIT = "model.fit(x, y, epochs=2)\n"
KERAS = HEAD + DATA + MODEL + COMPILE
FITTED = KERAS + FIT
OPT = "w = tf.Variable(1.0)\nopt = keras.optimizers.SGD(0.1)\n"
WATCH = "with tf.GradientTape() as tape:\n    loss = w**2\n"
STEP = WATCH + "opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n"
TAPE = HEAD + OPT + STEP
HOROVOD = KERAS.replace(
    "import numpy", "import horovod.tensorflow.keras as hvd\nimport numpy"
).replace("x, y", "hvd.init()\nx, y")
DATASET = "ds = tf.data.Dataset.from_tensor_slices((x, y))\n"


def inside(text: str, head: str = "def main():") -> str:
    return head + "\n" + "".join(f"    {line}\n" for line in text.splitlines())


def looped(text: str, head: str = "for i in range(9):") -> str:
    return HEAD + OPT + inside(text, head)


def fitted(text: str) -> str:
    """With lines before the `fit`."""
    return KERAS + text + FIT


def other(made: str) -> str:
    """With another optimizer."""
    return HEAD + DATA + MODEL + f"model.compile({made}, 'mse')\n" + FIT


def batches(pipeline: str, then: str = "") -> str:
    return KERAS + DATASET + f"model.fit(ds{pipeline}, epochs=2{then})\n"


def by_hand(update: str) -> str:
    return HEAD + "w = tf.Variable(1.0)\n" + inside(WATCH + update, "for i in range(9):")


CALLBACK = "class Own(keras.callbacks.Callback):\n    def {}(self, n, logs=None):\n        {}\n\n\n"
GRAPH = """\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
w = tf.get_variable("w", [])
loss = tf.square(w - 1.0)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
RUN = "with tf.Session() as session:\n    session.run(tf.global_variables_initializer())\n"
LOOP = "    for i in range(9):\n        session.run(train)\n"
KERAS_3 = "import keras\n"

EPOCHS = inside(inside(STEP, "for a in ds.batch(2):"), "for epoch in range(3):")
OPTIONS = {
    "L02": Options(warmup=5),
    "L03": Options(batch="global"),
    "N02": Options(tensorflow=(2, 18)),
}
# What of a program with layers in a list D501 refuses: lines behind it.
RECOMPUTED = {
    "C03": ["L.Masking(0.0)\n"],
    "C06": [
        "with tf.GradientTape() as a:\n    with tf.GradientTape() as b:\n        z = model(tf.ones((2, 4)))\n"
        "    g = b.gradient(z, z)\nh = a.gradient(g, z)\n",
        "a = tf.GradientTape(persistent=True)\nwith a, tf.GradientTape() as b:\n    z = model(tf.ones((2, 4)))\n"
        "    g = b.gradient(z, z)\nh = a.gradient(g, z)\n",
        "with tf.GradientTape() as a:\n    with tf.GradientTape() as b:\n        z = model(tf.ones((2, 4)))\n"
        "    g = b.jacobian(z, z)\nh = a.gradient(g, z)\n",
    ],
    "C07": [
        "@tf.function(jit_compile=True)\ndef f(x):\n    return model(x)\n",
        "model.compile('sgd', 'mse', jit_compile=RATE)\n",
        "f = tf.function(lambda x: model(x), jit_compile=True)\n",
    ],
    "C08": [
        "tf.keras.mixed_precision.set_global_policy('mixed_bfloat16')\n",
        "tf.keras.mixed_precision.experimental.set_policy('mixed_float16')\n",
        "f = tf.custom_gradient(scale)\n",
    ],
    "C09": [
        "tf.compat.v1.disable_v2_behavior()\n",
        "strategy = tf.distribute.TPUStrategy()\n",
        "strategy = tf.distribute.MultiWorkerMirroredStrategy()\n",
        "tf.estimator.Estimator(make())\n",
    ],
}
FIRES: dict[str, list[str]] = {
    "D104": [
        KERAS + "model.fit(x, y, batch_size=len(x))\n",
        KERAS + "model.fit(x, y, epochs=3, batch_size=len(y))\n",
        KERAS + "model.fit(x, y, batch_size=x.shape[0])\n",
        KERAS + "n = len(x)\nmodel.fit(x, y, batch_size=n)\n",
        KERAS + "n = x.shape[0]\nmodel.fit(x, y, batch_size=n)\n",
        KERAS + inside("model.fit(x, y, batch_size=len(x))") + "main()\n",
    ],
    "G01": [
        HEAD + OPT + WATCH + "opt.apply_gradients(load())\n",
        HEAD + OPT + "opt.apply_gradients(zip(load(), [w]))\n",
        HEAD + OPT + "import pickle\nopt.apply_gradients(pickle.load(open('g')))\n",
        HEAD + OPT + inside("opt.apply_gradients(grads)", "def step(grads):"),
        HEAD + OPT + "from other import grads\nopt.apply_gradients(zip(grads, [w]))\n",
        HEAD + OPT + "opt.apply_gradients([(tf.ones(()), w)])\n",
    ],
    "G03": [
        by_hand(f"w.{name}(0.1 * tape.gradient(loss, w))\n")
        for name in ("assign_sub", "assign_add")
    ]
    + [
        by_hand("w.assign(w - 0.1 * tape.gradient(loss, w))\n"),
        by_hand(
            "g = tape.gradient(loss, [w])\nfor v, d in zip([w], g):\n    v.assign_sub(0.1 * d)\n"
        ),
        by_hand("keras.backend.update_sub(w, 0.1 * tape.gradient(loss, w))\n"),
        by_hand("w = tf.Variable(w - 0.1 * tape.gradient(loss, w))\n"),
    ],
    "K01": [
        KERAS + f"model.fit(x, y, callbacks=[{name}('b')])\n"
        for name in (
            "keras.callbacks.BackupAndRestore",
            "keras.callbacks.experimental.BackupAndRestore",
            "tf.keras.callbacks.BackupAndRestore",
        )
    ]
    + [
        KERAS + "cb = keras.callbacks.BackupAndRestore('b')\nmodel.fit(x, y, callbacks=[cb])\n",
        KERAS
        + "cbs = []\ncbs.append(keras.callbacks.BackupAndRestore('b'))\nmodel.fit(x, y, callbacks=cbs)\n",
        KERAS + "model.fit(x, y, callbacks=keras.callbacks.BackupAndRestore('b'))\n",
    ],
    "K02": [
        KERAS + f"model.fit({given})\n"
        for given in (
            "x, y, **load()",
            "*load()",
            "x, *load()",
            "x, y, **{**load(), 'epochs': 2}",
            "x, y, **json.load(open('o'))",
            "x, y, **dict(load(), epochs=2)",
        )
    ],
    "K05": [
        batches(f".cache({name}).batch(2)")
        for name in ("'a'", "'a/b'", "filename='a'", "load()", "str(1)", "'a' + 'b'")
    ],
    "L01": [
        other("keras.optimizers.get(load())"),
        other("keras.optimizers.SGD(learning_rate=load())"),
        other("keras.optimizers.deserialize(load())"),
        other("keras.optimizers.Adam(load())"),
        HEAD + OPT.replace("0.1", "load()") + STEP,
        fitted("cb = keras.callbacks.LearningRateScheduler(load())\n").replace(
            "epochs=2", "epochs=2, callbacks=[cb]"
        ),
    ],
    "L02": [
        other("keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.1, 9, 0.9))"),
        KERAS + "for i in range(3):\n    " + FIT,
        FITTED + "\n" + "def again():\n    " + FIT + "again()\nagain()\n",
        HEAD + DATA + DATASET + OPT + inside(STEP, "for a in ds.batch(2):"),
        HEAD + DATA + DATASET + OPT + inside(inside(STEP, "for a in ds.batch(2):"), "while go():"),
        TAPE + "c = tf.train.Checkpoint(o=opt)\nc.restore('c')\n" + DATA + DATASET + EPOCHS,
    ],
    "L03": [
        KERAS.replace("'mse'", "keras.losses.MeanSquaredError(reduction='sum')") + FIT,
        KERAS.replace("'mse'", "load()") + FIT,
        KERAS.replace("Dense(1)", "Embedding(9, 2, mask_zero=True)") + FIT,
        KERAS + "model.fit(x, y, steps_per_epoch=2)\n",
        batches(".padded_batch(2)"),
        HEAD + OPT + DATA + DATASET + EPOCHS.replace("w**2", "tf.reduce_sum(w * a[0])"),
    ],
    "N01": [
        HEAD
        + "strategy = tf.distribute.MirroredStrategy()\n"
        + inside(MODEL + COMPILE, "with strategy.scope():")
        + DATA
        + FIT,
    ],
    "N02": [
        "import os\nos.environ['KERAS_BACKEND'] = 'jax'\n" + FITTED,
        "import os\nos.environ['KERAS_BACKEND'] = 'torch'\n" + FITTED,
        "import os\nos.environ.setdefault('KERAS_BACKEND', 'jax')\n" + FITTED,
        HOROVOD + "opt = hvd.DistributedOptimizer(keras.optimizers.SGD(0.1))\n" + FIT,
        FITTED + "opt = keras.optimizers.SGD(0.1)\nopt.stateless_apply(a, b, c)\n",
        KERAS + "model.fit(x, y, callbacks=[keras.callbacks.OrbaxCheckpoint('a')])\n",
    ],
    "N03": [
        f"import tensorflow as tf\n{DATA}model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        f"model.compile(tf.train.{name}, 'mse')\n{FIT}".replace(
            "x, y =", "import numpy as np\nx, y ="
        )
        for name in (
            "AdamOptimizer(0.1)",
            "GradientDescentOptimizer(0.1)",
            "MomentumOptimizer(0.1, 0.9)",
            "RMSPropOptimizer(0.1)",
            "AdagradOptimizer(0.1)",
            "FtrlOptimizer(0.1)",
        )
    ],
    "P03": [
        HOROVOD + f"{line}\n" + FIT
        for line in (
            "hvd.elastic.run(load())",
            "load(hvd)",
            "from horovod.tensorflow import *",
            "import horovod.torch",
            "if load():\n    hvd = load()",
        )
    ]
    + [
        HEAD.replace("import numpy", "import horovod.tensorflow as hvd\nimport numpy")
        + "hvd.init()\n"
        + OPT
        + "opt = hvd.DistributedOptimizer(opt, op=hvd.Adasum)\n"
        + STEP,
    ],
    "R01": [
        "import numpy as np\n" + inside(text) + "main()\n"
        for text in (
            FITTED,
            "import tensorflow as tf\n" + FITTED.replace(HEAD, "keras = tf.keras\n"),
            "from tensorflow import keras\n" + FITTED.replace(HEAD, ""),
            TAPE,
            "import tensorflow as tf\nimport tensorflow.keras as keras\n" + OPT + STEP,
            "import tensorflow.keras as keras\n" + FITTED.replace(HEAD, ""),
        )
    ],
    "R02": [FITTED + f"{name}\n" for name in ("tf = None", "keras = 3", "import torch as tf")]
    + [
        FITTED + "from mine import keras\n",
        FITTED + "with open('a') as tf:\n    pass\n",
        FITTED + "for keras in range(3):\n    pass\n",
    ],
    "R05": [
        HEAD + DATA + "from mine import opt\n" + MODEL + "model.compile(opt, 'mse')\n" + FIT,
        HEAD + "from mine import opt\nw = tf.Variable(1.0)\n" + STEP,
        HEAD + "from mine import build\nw = tf.Variable(1.0)\nopt = build()\n" + STEP,
        FITTED + "from mine import opt\nmodel.optimizer = opt\n" + FIT,
        HEAD
        + DATA
        + "from mine import OPTIMIZERS\n"
        + MODEL
        + "model.compile(OPTIMIZERS['a'], 'mse')\n"
        + FIT,
        HEAD + DATA + "import sys\n" + MODEL + "model.compile(load(sys.argv[1]), 'mse')\n" + FIT,
    ],
    "T01": [
        HEAD + DATA + "from mine import build\nmodel = build()\n" + FIT,
        HEAD + DATA + inside("model.fit(x, y)", "def train(model):"),
        HEAD + DATA + inside(MODEL + COMPILE + FIT),
        HEAD + OPT + inside(STEP, "def step():"),
        HEAD + DATA + "import mine\nmine.model.fit(x, y)\n",
        KERAS + "train = model.fit\nload(train)(x, y)\n",
    ],
    "T02": [
        FITTED
        + "opt = model.optimizer\n"
        + STEP.replace("w**2", "model(x)").replace("[w]", "model.trainable_variables"),
        FITTED
        + inside(
            "with tf.GradientTape() as tape:\n    loss = model(x)\nopt.apply_gradients("
            "zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))",
            "opt = model.optimizer\nfor i in range(3):",
        ),
        *(
            KERAS
            + "opt = model.optimizer\n"
            + WATCH.replace("w**2", f"model({of})")
            + "v = model.trainable_variables\nopt.apply_gradients(zip(tape.gradient(loss, v), v))\n"
            + FIT
            for of in ("x", "x[:2]", "x, training=True", "tf.ones((8, 4))")
        ),
    ],
    "T06": [
        HEAD + "with tf.compat.v1.Session() as session:\n    session.run(load())\n",
        HEAD + "tf.estimator.Estimator(load()).train(load())\n",
        GRAPH + RUN.replace("tf.global", "load, tf.global") + LOOP,
        GRAPH + RUN + LOOP.replace("session.run(train)", "load(session, train)"),
        GRAPH + RUN + LOOP.replace("session.run(train)", "load(train)"),
        GRAPH + RUN + LOOP.replace("session.run(train)", "session.run(load())"),
        GRAPH + "session = load()\n" + LOOP.replace("    for", "for").replace("        ", "    "),
    ],
    "T07": [
        HEAD
        + OPT
        + "for i in np.random.rand(8):\n"
        + "".join(
            f"    {line}\n"
            for line in (STEP.replace("w**2", "w * i") + "if loss < 0.1:\n    break").splitlines()
        ),
        looped(STEP, "while time.time() < 9:"),
    ],
    "T08": [
        KERAS + "model.train_on_batch(x, y)\n",
        KERAS + inside("model.train_on_batch(x, y)", "def step():") + "step()\n",
        KERAS + "print(model.train_on_batch(x, y))\n",
        KERAS + "loss = model.train_on_batch(x, y)\n",
        KERAS + "if len(x) > 3:\n    model.train_on_batch(x, y)\n",
        KERAS + "for i in range(3):\n    pass\nmodel.train_on_batch(x, y)\n",
    ],
    "H01": [
        fitted(f"for i in range(3):\n    {draw}\n    model.fit(x, y)\n")
        for draw in (
            "np.random.shuffle(x)",
            "x = np.random.permutation(x)",
            "x = x[np.random.permutation(len(x))]",
            "p = np.random.permutation(len(x))\n    x, y = x[p], y[p]",
            "x = np.random.default_rng().permutation(x)",
            "x = sklearn.utils.shuffle(x)",
        )
    ],
    "D302": [
        KERAS + f"model.fit(x, y, callbacks={given})\n"
        for given in (
            "load()",
            "[load()]",
            "[*load(), keras.callbacks.CSVLogger('a')]",
            "[*load()]",
            "load() + [keras.callbacks.CSVLogger('a')]",
            "[keras.callbacks.CSVLogger('a'), load()]",
        )
    ],
}
QUIET: dict[str, list[str]] = {
    "D104": [KERAS + f"model.fit(x, y, batch_size={n})\n" for n in ("2", "len(x) // 4", "load()")]
    + [FITTED, batches(".batch(2)"), KERAS + "model.evaluate(x, y, batch_size=len(x))\n" + FIT],
    "G01": [
        TAPE,
        looped(STEP),
        FITTED,
        HEAD
        + OPT
        + WATCH
        + "g = [tf.clip_by_norm(d, 1.0) for d in tape.gradient(loss, [w])]\nopt.apply_gradients(zip(g, [w]))\n",
        HEAD
        + OPT
        + inside(WATCH + "return tape.gradient(loss, [w])", "def grads():")
        + "opt.apply_gradients(zip(grads(), [w]))\n",
        HEAD + OPT + WATCH + "opt.minimize(loss, [w], tape=tape)\n",
    ],
    "G03": [
        TAPE,
        looped(STEP),
        FITTED,
        looped(STEP + "w.assign(tf.clip_by_value(w, 0.0, 1.0))\n"),
        looped(STEP + "seen = tf.Variable(0.0)\nseen.assign_add(loss)\n"),
        looped(STEP + "print(tf.norm(tape.gradient(loss, w)))\n").replace(
            "GradientTape()", "GradientTape(persistent=True)"
        ),
    ],
    "K01": [
        KERAS + f"model.fit(x, y, callbacks=[{name}])\n"
        for name in (
            "",
            "keras.callbacks.ModelCheckpoint('b')",
            "keras.callbacks.EarlyStopping()",
            "keras.callbacks.TensorBoard('b')",
            "keras.callbacks.CSVLogger('b')",
        )
    ]
    + [FITTED + "keras.callbacks.BackupAndRestore('b')\n"],
    "K02": [
        KERAS + f"o = {given}\nmodel.fit(x, y, **o)\n"
        for given in ("dict(epochs=2)", "{'epochs': 2}", "{}", "dict(verbose=0, epochs=load())")
    ]
    + [FITTED, KERAS + "o = {}\no['epochs'] = 3\nmodel.fit(x, y, **o)\n"],
    "K05": [
        batches(".cache().batch(2)"),
        batches(".cache('').batch(2)"),
        batches(".batch(2)"),
        batches(".cache(filename='').batch(2)"),
        FITTED + "load().cache('a')\n",
        FITTED + "import functools\nf = functools.cache(load)\n",
    ],
    "L01": [
        other("keras.optimizers.Adam()"),
        other("keras.optimizers.Adam(1e-3 * 2)"),
        other("keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.1, 9, 0.9))"),
        other("'adam'"),
        HEAD + "rate = 0.1\n" + OPT.replace("0.1", "rate") + STEP,
        HEAD + inside("return 0.1", "def rate():") + OPT.replace("0.1", "rate()") + STEP,
    ],
    "L02": [
        FITTED,
        FITTED + FIT,
        KERAS + COMPILE + FIT,
        HEAD + DATA + inside(MODEL + COMPILE + FIT, "for i in range(3):"),
        HEAD + OPT + DATA + DATASET + EPOCHS,
        HEAD + OPT + DATA + DATASET + EPOCHS.replace("range(3)", "range(1, 4)"),
    ],
    "L03": [
        FITTED,
        batches(".batch(2)"),
        KERAS + "model.fit(x, y, batch_size=2)\n",
        KERAS + "model.fit(x, y, batch_size=len(x))\n",
        KERAS.replace("'mse'", "keras.losses.Huber(delta=2.0)") + FIT,
        HEAD + OPT + DATA + DATASET + EPOCHS.replace("w**2", "tf.reduce_mean(w * a)"),
    ],
    "N01": [FITTED, TAPE],
    "N02": [
        FITTED,
        TAPE,
        KERAS + "model.fit(x, y, callbacks=[keras.callbacks.ModelCheckpoint('a')])\n",
        "import os\nos.environ['KERAS_BACKEND'] = 'tensorflow'\n" + FITTED,
        "import os\nos.environ.setdefault('KERAS_BACKEND', 'tensorflow')\n" + FITTED,
        "import os\nos.environ['TF_CPP_MIN_LOG_LEVEL'] = '2'\n" + FITTED,
    ],
    "D205": [FITTED],
    "P03": [
        FITTED,
        TAPE,
        HOROVOD + FIT,
        HOROVOD + "print(hvd.rank())\n" + FIT,
        HOROVOD + "from horovod.tensorflow.keras import callbacks\n" + FIT,
        HOROVOD.replace(
            "model.compile(keras.optimizers.SGD(0.1)",
            "opt = hvd.DistributedOptimizer("
            "keras.optimizers.SGD(0.1 * hvd.size()))\nmodel.compile(opt",
        )
        + FIT,
    ],
    "N03": [
        FITTED,
        TAPE,
        other("tf.keras.optimizers.Adam(0.1)"),
        other("tf.optimizers.Adam(0.1)"),
        other("'rmsprop'"),
        HEAD + "tf.train.Checkpoint()\n" + OPT + STEP,
    ],
    "R01": [
        FITTED,
        TAPE,
        inside("import tensorflow as tf\nprint(tf.__version__)") + "main()\n",
        HEAD + inside("import os\n" + DATA + MODEL + COMPILE + FIT) + "main()\n",
        HEAD + inside("import tensorflow as tf\n" + DATA + MODEL + COMPILE + FIT) + "main()\n",
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise\n" + FITTED,
    ],
    "R02": [
        FITTED,
        TAPE,
        FITTED + "np = 3\n",
        FITTED + inside("tf = 3\nreturn tf", "def f():"),
        FITTED + "tfs = [tf for tf in range(3)]\n",
        FITTED + "import tensorflow as tf\n",
    ],
    "R05": [
        FITTED,
        TAPE,
        other("'sgd'"),
        other("{'a': keras.optimizers.SGD(0.1)}['a']"),
        HEAD
        + "w = tf.Variable(1.0)\n"
        + inside("return keras.optimizers.SGD(0.1)", "def build():")
        + "opt = build()\n"
        + STEP,
        HEAD + DATA + MODEL + "opt = keras.optimizers.SGD(0.1)\nmodel.compile(opt, 'mse')\n" + FIT,
    ],
    "T01": [
        FITTED,
        TAPE,
        HEAD + DATA + inside(MODEL + COMPILE + FIT) + "main()\n",
        HEAD + DATA + inside(MODEL + COMPILE + FIT) + "if __name__ == '__main__':\n    main()\n",
        HEAD
        + DATA
        + inside("return keras.Sequential([keras.layers.Dense(1)])", "def build():")
        + "model = build()\n"
        + COMPILE
        + FIT,
        HEAD + DATA + "from sklearn.svm import SVC\nSVC().fit(x, y)\n" + MODEL + COMPILE + FIT,
    ],
    "T02": [
        FITTED,
        TAPE,
        FITTED + OPT + STEP,
        FITTED + FIT,
        FITTED
        + "with tf.GradientTape() as tape:\n    loss = model(x)\nprint(tape.gradient(loss, model.weights))\n",
        looped(STEP) + inside(STEP, "for j in range(3):"),
    ],
    "T06": [
        FITTED,
        TAPE,
        GRAPH + RUN + LOOP,
        GRAPH + RUN + LOOP + "        print(session.run(loss))\n",
        GRAPH + "session = tf.Session()\nsession.run(tf.global_variables_initializer())\n"
        "for i in range(9):\n    session.run([train, loss])\n",
        GRAPH
        + RUN
        + "    for i in range(9):\n        _, l = session.run([train, loss])\n        print(l)\n",
    ],
    "T08": [
        KERAS + "for i in range(3):\n    model.train_on_batch(x, y)\n",
        KERAS + "for i in range(3):\n    loss = model.train_on_batch(x, y)\n    print(loss)\n",
        KERAS + "i = 0\nwhile i < 3:\n    model.train_on_batch(x, y)\n    i += 1\n",
        FITTED,
        KERAS + inside("for i in range(3):\n    model.train_on_batch(x, y)") + "main()\n",
        KERAS + "model.test_on_batch(x, y)\n" + FIT,
    ],
    "H01": [
        fitted(f"for i in range(3):\n    {draw}\n    model.fit(x, y)\n")
        for draw in (
            "pass",
            "x = x[::-1]",
            "np.random.seed(i)\n    np.random.shuffle(x)",
            "x = np.random.default_rng(3).permutation(x)",
            "x = sklearn.utils.shuffle(x, random_state=i)",
            "x = np.random.RandomState(3).permutation(x)",
        )
    ],
    "D302": [
        KERAS + f"model.fit(x, y, callbacks={given})\n"
        for given in (
            "[]",
            "None",
            "[keras.callbacks.CSVLogger('a')]",
            "[keras.callbacks.EarlyStopping('loss')]",
            "[keras.callbacks.ModelCheckpoint('a'), keras.callbacks.ReduceLROnPlateau('loss')]",
            "[keras.callbacks.TensorBoard('a')]",
        )
    ],
}
