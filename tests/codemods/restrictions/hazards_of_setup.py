"""What goes wrong around the steps of Horovod that a person has written: H10 to H15, and the twins."""

from __future__ import annotations

TF2 = """\
import os
import random
import time
import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

"""
START = TF2 + "hvd.init()\n"
MODEL = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
TRAIN = "model.compile(hvd.DistributedOptimizer(opt), 'mse')\nmodel.fit(np.ones((8, 4)), np.ones((8, 1)))\n"
GRAPH = """\
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

hvd.init()
weights = tf.get_variable("weights", [3, 1])
opt = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.01 * hvd.size()))
train = opt.minimize(tf.reduce_mean(weights))
saver = tf.train.Saver()
"""
INIT = "    session.run(tf.global_variables_initializer())\n"
SPREAD = "    session.run(hvd.broadcast_global_variables(0))\n"
STEP = "    session.run(train)\n"
HOOK = "hvd.BroadcastGlobalVariablesHook(0)"


def rated(*lines: str) -> str:
    return START + MODEL + "".join(f"{line}\n" for line in lines) + TRAIN


def session(*lines: str) -> str:
    return GRAPH + "with tf.Session() as session:\n" + "".join(lines) + STEP


def monitored(arguments: str, before: str = "") -> str:
    return f"{GRAPH}{before}with tf.train.MonitoredTrainingSession({arguments}) as session:\n{STEP}"


def pinned(*lines: str) -> str:
    pin = 'tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")  #\n'
    return START + "".join(f"{line}\n" for line in lines) + pin


OTHER = "import horovod.keras as hvd\n"
SGD = "opt = tf.keras.optimizers.SGD({})  #"
TOLD = {
    "H10": {
        "in two lines": rated("rate = 0.1 * hvd.size()", SGD.format("rate * hvd.size()")),
        "in one": rated(SGD.format("0.1 * hvd.size() * hvd.size()")),
        "in place": rated("rate = 0.1 * hvd.size()", "rate *= hvd.size()", SGD.format("rate")),
        "by a name of it": rated("n = hvd.size()", SGD.format("n * 0.1 * n")),
        "through a function": rated(
            "def scaled(r):",
            "    return r * hvd.size()",
            "",
            SGD.format("scaled(0.1 * hvd.size())"),
        ),
        "of a schedule": rated(
            "rate = 0.1 * hvd.size()",
            "plan = tf.keras.optimizers.schedules.ExponentialDecay(rate * hvd.size(), 10, 0.9)  #",
            "opt = tf.keras.optimizers.SGD(plan)",
        ),
        "of a graph": GRAPH.replace("0.01 * hvd.size()", "0.01 * hvd.size() * hvd.size()")
        + "with tf.Session() as session:\n"
        + INIT
        + SPREAD
        + STEP,
    },
    "H11": {
        "hooks that are None": monitored(f"hooks=hooks.append({HOOK})", "hooks = []\n"),
        "hooks that are inserted": monitored(f"hooks=hooks.insert(0, {HOOK})", "hooks = []\n"),
        "initialized behind it": session(SPREAD, INIT),
        "initialized behind it again": session(INIT, SPREAD, INIT),
        "restored on one worker": session(
            INIT, SPREAD, "    if hvd.rank() == 0:\n        saver.restore(session, 'm')\n"
        ),
        "restored by a flag": session(
            "    chief = hvd.rank() == 0\n",
            INIT,
            SPREAD,
            "    if chief:\n        saver.restore(session, 'm')\n",
        ),
        "none in a session": session(INIT),
        "none among the hooks": monitored("hooks=[tf.train.StopAtStepHook(last_step=9)]"),
    },
    "H12": {
        "a clock": START + "if time.time() > 9:\n    hvd.allreduce(1.0)  #\n",
        "a clock of before": START
        + "start = time.time()\nwork()\nif time.time() - start > 9:\n    hvd.allreduce(1.0)  #\n",
        "a clock in a loop": START + "while time.monotonic() < 9:\n    hvd.allreduce(1.0)  #\n",
        "a draw": START + "if random.random() < 0.1:\n    hvd.broadcast(1, 0)  #\n",
        "a draw of NumPy": START + "if np.random.rand() < 0.1:\n    hvd.broadcast(1, 0)  #\n",
        "a draw by a name": START
        + "lucky = np.random.randint(9) == 3\nif lucky:\n    hvd.broadcast(1, 0)  #\n",
        "in an expression": START + "x = hvd.allreduce(1.0) if time.time() > 9 else 0.0  #\n",
        "a loss of its own": START
        + MODEL
        + "loss = model.test_on_batch(x, y)\nif loss < 0.1:\n    hvd.allreduce(1.0)  #\n",
        "an exit by its own data": START
        + "for x in tf.data.Dataset.range(9).shard(hvd.size(), hvd.rank()):\n"
        + "    if float(x) > 3:\n        break\n    hvd.allreduce(1.0)  #\n",
        "an exit by a clock": START
        + "for i in range(9):\n    if time.time() > 9:\n        break\n    hvd.allreduce(1.0)  #\n",
    },
    "H13": {
        "behind zeros": pinned("x = tf.zeros((2, 2))"),
        "behind a variable": pinned("x = tf.Variable(1.0)"),
        "behind a dataset": pinned("data = tf.data.Dataset.range(9)"),
        "behind a test": pinned("print(tf.test.is_gpu_available())"),
        "behind a model": pinned("m = tf.keras.applications.ResNet50()"),
        "in a function that is called behind": START
        + "def pin():\n    tf.config.set_visible_devices(gpus[hvd.local_rank()], 'GPU')  #\n\n\n"
        + "x = tf.zeros(3)\npin()\n",
        "behind a list": pinned("tf.config.list_logical_devices('GPU')"),
        "behind a draw": pinned("if True:", "    x = tf.random.normal((2, 2))"),
        "in a variable of the system": START
        + "x = tf.constant(1.0)\nos.environ['CUDA_VISIBLE_DEVICES'] = str(hvd.local_rank())  #\n",
        "by the number in the job": START
        + "tf.config.set_visible_devices(gpus[hvd.rank()], 'GPU')  #\n",
        "by that number under a name": START
        + "n = hvd.rank()  #\ntf.config.set_visible_devices(gpus[n], 'GPU')\n",
        "by that number in a variable of the system": START
        + "os.environ['CUDA_VISIBLE_DEVICES'] = str(hvd.rank())  #\n",
    },
    "H14": {
        "a monitored session": monitored(f"hooks=[{HOOK}], checkpoint_dir='c'"),
        "by a name": monitored(f"hooks=[{HOOK}], checkpoint_dir=folder", "folder = 'c'\n"),
        "an option": monitored(f"hooks=[{HOOK}], checkpoint_dir=args.folder"),
        "an Estimator": GRAPH
        + f"e = tf.estimator.Estimator(model_fn, model_dir='m')\ne.train(data, hooks=[{HOOK}])\n",
        "a saver": session(INIT, SPREAD, "    saver.save(session, 'm')\n"),
        "a file": session(INIT, SPREAD, "    open('log', 'w').write('x')\n"),
        "a log": session(INIT, SPREAD, "    tf.summary.FileWriter('logs', session.graph)\n"),
        "a download": session(INIT, SPREAD).replace(
            "saver =",
            "import urllib.request\nurllib.request.urlretrieve('http://a/b', 'b')\nsaver =",
        ),
        "a saver in a loop": session(
            INIT,
            SPREAD,
            "    for i in range(9):\n        saver.save(session, 'm', global_step=i)\n",
        ),
    },
    "H15": {
        "beside a folder of its own of that name": OTHER
        + "from .keras import layers\nimport tensorflow as tf\n\nopt = tf.keras.optimizers.SGD()\n",
        "a module": OTHER + "import tensorflow as tf\nm = tf.keras.Sequential()\n",
        "a part of it": OTHER.replace(
            "import horovod.keras as hvd", "from horovod.keras import callbacks"
        )
        + "import tensorflow as tf\nm = tf.keras.Sequential()\n",
        "from Horovod": OTHER.replace(
            "import horovod.keras as hvd", "from horovod import keras as hvd"
        )
        + "import tensorflow as tf\nm = tf.keras.Sequential()\n",
        "Keras of TensorFlow by a name": OTHER
        + "from tensorflow import keras\nm = keras.Sequential()\n",
        "a part of that": OTHER
        + "from tensorflow.keras.models import Sequential\nm = Sequential()\n",
        "Keras of TensorFlow as a module": OTHER
        + "import tensorflow.keras as keras\nm = keras.Sequential()\n",
    },
}
RIGHT = {
    "H15": {
        "Keras by itself": OTHER + "import keras\nm = keras.Sequential()\n",
        "both, for its session": OTHER
        + "import keras\nimport tensorflow as tf\ntf.keras.backend.clear_session()\n",
        "a part of Keras": OTHER + "from keras.models import Sequential\nm = Sequential()\n",
        "tf_keras": OTHER + "import tf_keras as keras\nm = keras.Sequential()\n",
        "TensorFlow without Keras": OTHER + "import tensorflow as tf\nx = tf.zeros(3)\n",
        "Horovod's other module": START + MODEL,
        "another attribute": OTHER + "import tensorflow as tf\nx = options.keras\n",
    },
    "H10": {
        "once": rated(SGD.format("0.1 * hvd.size()")),
        "never": rated(SGD.format("0.1")),
        "divided again": rated(SGD.format("0.1 * hvd.size() * hvd.size() / hvd.size()")),
        "on one way only": rated(
            "rate = 0.1 * hvd.size()", "if args.fast:", "    rate *= hvd.size()", SGD.format("rate")
        ),
        "a sum": rated(SGD.format("0.1 * hvd.size() + 0.1 * hvd.size()")),
        "another number": rated(SGD.format("0.1 * hvd.size() * batch / 256")),
        "by a root": rated(SGD.format("0.1 * hvd.size() * hvd.size() ** 0.5")),
        "no rate": rated("steps = 9 * hvd.size() * hvd.size()", SGD.format("0.1")),
    },
    "H11": {
        "in order": session(INIT, SPREAD),
        "restored before": session(
            INIT, "    if hvd.rank() == 0:\n        saver.restore(session, 'm')\n", SPREAD
        ),
        "restored by all": session(INIT, SPREAD, "    saver.restore(session, 'm')\n"),
        "broadcast again": session(
            INIT, SPREAD, "    if hvd.rank() == 0:\n        saver.restore(session, 'm')\n", SPREAD
        ),
        "another session": session(
            INIT,
            SPREAD,
            "    with tf.Session() as other:\n        other.run(tf.global_variables_initializer())\n",
        ),
        "hooks in a list": monitored(f"hooks=[{HOOK}]"),
        "hooks that are appended": monitored("hooks=hooks", f"hooks = []\nhooks.append({HOOK})\n"),
        "by another module": monitored("hooks=[broadcast_start()]"),
    },
    "H12": {
        "as many rounds on all": START
        + "for x in random.sample(range(9), 3):\n    hvd.allreduce(float(x))\n",
        "a training step, which T07 is for": START
        + MODEL
        + "opt = tf.keras.optimizers.SGD(0.1 * hvd.size())\n"
        + "if time.time() > 9:\n"
        + "".join(f"    {line}\n" for line in TRAIN.splitlines()),
        "what rank 0 tells": START
        + "if hvd.broadcast_object(time.time() > 9, 0):\n    hvd.allreduce(1.0)\n",
        "a step": START + "for i in range(9):\n    if i % 3 == 0:\n        hvd.allreduce(1.0)\n",
        "a seeded draw": START
        + "random.seed(0)\nif random.random() < 0.1:\n    hvd.broadcast(1, 0)\n",
        "a clock for a report": START
        + "mean = hvd.allreduce(1.0)\nif time.time() > 9:\n    print(mean)\n",
        "a file that all read": START
        + "with open('options') as f:\n    average = f.read()\nif average:\n    hvd.allreduce(1.0)\n",
        "an option": START + "if args.average:\n    hvd.allreduce(1.0)\n",
        "a loss that is averaged": START
        + MODEL
        + "loss = hvd.allreduce(model.test_on_batch(x, y))\nif loss < 0.1:\n    hvd.allreduce(1.0)\n",
        "what is None for all": START
        + MODEL
        + "loss = model.test_on_batch(x, y)\nif loss is not None and loss.shape:\n    hvd.allreduce(loss)\n",
        "an exit by a step": START
        + "for i in range(9):\n    if i > 3:\n        break\n    hvd.allreduce(1.0)\n",
        "a mean of all": START + "if hvd.allreduce(time.time()) > 9:\n    hvd.allreduce(1.0)\n",
    },
    "H13": {
        "first": pinned("print('start')"),
        "behind a list of GPUs": pinned("gpus = tf.config.list_physical_devices('GPU')"),
        "behind a seed": pinned("tf.random.set_seed(0)"),
        "behind a function that is not run yet": pinned(
            "def zeros():", "    return tf.zeros(3)", ""
        ),
        "by what is left of the number in the job": START
        + "tf.config.set_visible_devices(gpus[hvd.rank() % 4], 'GPU')\n",
        "by no number": START + "x = tf.zeros(3)\ntf.config.set_visible_devices([], 'GPU')\n",
        "in a function that is called first": START
        + "def pin():\n    tf.config.set_visible_devices(gpus[hvd.local_rank()], 'GPU')\n\n\n"
        + "pin()\nx = tf.zeros(3)\n",
        "of NumPy": pinned("x = np.zeros((2, 2))"),
    },
    "H14": {
        "of rank 0": monitored(f"hooks=[{HOOK}], checkpoint_dir='c' if hvd.rank() == 0 else None"),
        "by a name of it": monitored(
            f"hooks=[{HOOK}], checkpoint_dir=folder", "folder = None if hvd.rank() else 'c'\n"
        ),
        "nowhere": monitored(f"hooks=[{HOOK}], checkpoint_dir=None"),
        "each its own": monitored(f"hooks=[{HOOK}], checkpoint_dir=f'c-{{hvd.rank()}}'"),
        "a temporary folder": monitored(
            f"hooks=[{HOOK}], checkpoint_dir=folder",
            "import tempfile\n\nfolder = tempfile.mkdtemp()\n",
        ),
        "a file that is read": session(INIT, SPREAD, "    print(open('log').read())\n"),
        "a log of its own": session(
            INIT, SPREAD, "    tf.summary.FileWriter('logs-%d' % hvd.rank())\n"
        ),
        "a guarded saver": session(
            INIT, SPREAD, "    if hvd.rank() == 0:\n        saver.save(session, 'm')\n"
        ),
        "a saver in a guarded function": GRAPH
        + "def keep(session):\n    saver.save(session, 'm')\n\n\n"
        + "with tf.Session() as session:\n"
        + INIT
        + SPREAD
        + STEP
        + "    if hvd.rank() == 0:\n        keep(session)\n",
        "no training of many": "import horovod.tensorflow as hvd\n"
        + "import tensorflow.compat.v1 as tf\n\nsaver = tf.train.Saver()\nsaver.save(s, 'm')\n",
    },
}
NOT_BLOCKED = {("H11", "none in a session"), ("H11", "none among the hooks")}
BLOCKING = {(code, name) for code in ("H10", "H11") for name in TOLD[code]} - NOT_BLOCKED
RUN_ON_TWO = {
    "estimator_without_broadcast": "H11",
    "estimator_writes_everywhere": "H14",
    "fit_rate_scaled_twice": "H10",
    "monitored_session_hooks_appended": "H11",
    "monitored_session_writes_everywhere": "H14",
    "session_restored_after_broadcast": "H11",
    "session_without_broadcast": "H11",
    "tape_schedule_scaled_twice": "H10",
}
