"""Broadcasts, flags, rates, seeds and shares in Horovod by hand, and the twins: H11, H16 to H19."""

from __future__ import annotations

HEAD = """\
import random
import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
"""
OPEN = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
SHAPED = "model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])\n"
OWN = """\
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(x)


model = Net()
"""
OPT = "opt = tf.keras.optimizers.SGD(0.1 * hvd.size())\n"
DATA = "data = tf.data.Dataset.range(800).shard(hvd.size(), hvd.rank()).repeat().batch(8)\n"
SENT = "hvd.broadcast_variables(model.variables, root_rank=0)"
ALL = "data.take(80 // hvd.size())"
BODY = """\
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.cast(batch[:, None], tf.float32)))
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
"""
FIRST = f"    if step == 0:\n        {SENT}\n"


def loop(over: str = ALL, before: str = "", behind: str = FIRST) -> str:
    return f"for step, batch in enumerate({over}):\n{before}{BODY}{behind}"


def tape(model: str, *lines: str, data: str = DATA) -> str:
    return HEAD + data + model + OPT + "".join(lines)


def flagged(step: str, flag: str, lower: str, before: str = "", behind: str = "") -> str:
    """A step that broadcasts by a flag, which `lower` takes down."""
    body = BODY + f"    if {flag}:  #\n        {SENT}\n        {lower}\n"
    return tape(SHAPED, before, step, body, f"\n\n{behind}for batch in {ALL}:\n    go(batch)\n")


GO = "@tf.function\ndef go(batch):\n"
GLOBAL = "    global first\n"
GRAPH = """\
import random
import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
weights = tf.get_variable("weights", [3, 1])
inputs = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_mean(tf.matmul(inputs, weights))
"""
RUN = """\
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for step in range(1000 // hvd.size()):
        {}session.run(train, {{inputs: {}}})
"""
RANDOM = "np.random.rand(8, 3)"


def rated(*lines: str) -> str:
    train = "train = hvd.DistributedOptimizer(opt).minimize(loss)\n"
    return GRAPH + "".join(f"{line}\n" for line in lines) + train + RUN.format("", RANDOM)


def drawn(seed: str, batch: str, before: str = "") -> str:
    opt = "opt = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1 * hvd.size()))\n"
    train = "train = opt.minimize(loss)\nx = np.load('x.npy')\n"
    return GRAPH + opt + train + seed + RUN.format(before, batch)


SEED = "np.random.seed(0)\n"
IN_ORDER = "data = tf.data.Dataset.range(800).batch(8)\n"
FEWER = "data.take(100 // hvd.size())"
SHUFFLED = "data = tf.data.Dataset.range(800).shuffle(800{}).batch(8)\n"
ADAM = "opt = tf.train.AdamOptimizer({})"
COUNT = "for i in {}:\n    batch = tf.constant([i])\n"
FINITE = "data = tf.data.Dataset.{}.batch(8)\n"
SHARD = "shard(hvd.size(), hvd.rank())"
FIT = """\
import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
data = tf.data.Dataset.from_tensor_slices(np.load("x.npy")){}
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), "mse")
model.fit(data, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)]{})
"""
ARRAYS = FIT.replace('tf.data.Dataset.from_tensor_slices(np.load("x.npy"))', 'np.load("x.npy")')
SPLIT = ARRAYS.replace("{}\n", "\n").replace("]{})", "])")
SPLIT = SPLIT.replace('("x.npy")', '("x.npy"){}, hvd.size())[hvd.rank()]')
SPLIT = SPLIT.replace("np.load", "np.array_split(np.load")
EARLY = "sent = hvd.broadcast_global_variables(0)"
TOLD = {
    "H11": {
        "of a graph without variables": rated(ADAM.format("0.1 * hvd.size()"))
        .replace("weights = tf.get", f"{EARLY}  #\nweights = tf.get")
        .replace("hvd.broadcast_global_variables(0))", "sent)"),
        "of a model without variables": tape(OPEN, SENT, "  #\n", loop(behind="")),
        "of a class without variables": tape(OWN, SENT, "  #\n", loop(behind="")),
        "before the first step of a loop": tape(
            OPEN, loop(before=FIRST.replace(")\n", ")  #\n"), behind="")
        ),
        "behind a compile": tape(OPEN, "model.compile('sgd')\n", SENT, "  #\n", loop(behind="")),
        "behind the loop": tape(OPEN, loop(behind=""), SENT, "  #\n"),
        "from each worker": tape(
            SHAPED, SENT.replace("root_rank=0", "root_rank=hvd.rank()"), "  #\n", loop(behind="")
        ),
        "undone by one worker": tape(
            SHAPED,
            SENT,
            "\nif hvd.rank() == 0:\n    model.load_weights('m.h5')  #\n",
            loop(behind=""),
        ),
    },
    "H16": {
        "a global": flagged(GO + GLOBAL, "first", "first = False", "first = True\n\n\n"),
        "a global that is turned": flagged(
            GO + "    global done\n", "not done", "done = True", "done = False\n"
        ),
        "an entry": flagged(
            GO, "state['first']", "state['first'] = False", "state = {'first': True}\n"
        ),
        "an attribute": flagged(GO, "job.first", "job.first = False", "job = Job()\n"),
        "with an option": flagged(
            GO.replace("function", "function(jit_compile=False)") + GLOBAL,
            "first",
            "first = False",
            "first = True\n",
        ),
        "made a graph by a call": flagged(
            "def go(batch):\n" + GLOBAL,
            "first",
            "first = False",
            "first = True\n\n\n",
            "go = tf.function(go)\n",
        ),
        "and another condition": flagged(
            GO + GLOBAL, "first and wide", "first = False", "first = True\n"
        ),
    },
    "H17": {
        "a number": rated(ADAM.format("0.1") + "  #"),
        "by a keyword": rated(ADAM.format("learning_rate=0.1") + "  #"),
        "by a name": rated("rate = 0.1", ADAM.format("rate") + "  #"),
        "left out": rated(ADAM.format("") + "  #"),
        "an option": rated(ADAM.format("args.rate") + "  #"),
        "of another class": rated("opt = tf.train.MomentumOptimizer(0.1, 0.9)  #"),
    },
    "H18": {
        "a permutation": drawn(SEED, "x[np.random.permutation(len(x))[:8]]"),
        "a choice": drawn(SEED, "x[np.random.choice(len(x), 8)]"),
        "numbers": drawn(SEED, "x[np.random.randint(0, len(x), 8)]"),
        "a sample of Python's": drawn("random.seed(1)\n", "random.sample(list(x), 8)"),
        "a shuffle in place": drawn(SEED, "x[:8]", "np.random.shuffle(x)\n        "),
        "a seed of the dataset": tape(SHAPED, loop(), data=SHUFFLED.format(", seed=3")),
        "the first of them": tape(SHAPED, loop(FEWER), data=IN_ORDER),
        "the first of them, repeated": tape(
            SHAPED, loop(FEWER), data=IN_ORDER.replace(".batch", ".repeat().batch")
        ),
        "a seed of TensorFlow": tape(
            SHAPED, loop(), data="tf.random.set_seed(0)\n" + SHUFFLED.format("")
        ),
    },
    "H19": {
        "a count by rank": tape(
            SHAPED,
            COUNT.format("range(hvd.rank(), n, hvd.size())"),
            BODY,
            "    if i < 2:\n        ",
            SENT,
            "\n",
        ),
        "a number that doesn't go round": tape(
            SHAPED,
            COUNT.format("range(hvd.rank(), 9, hvd.size())"),
            BODY,
            "    if i < 2:\n        ",
            SENT,
            "\n",
        ),
        "a dataset of an odd length": tape(
            SHAPED, loop("data"), data=FINITE.format(f"range(49).{SHARD}")
        ),
        "a slice of an odd length": tape(
            SHAPED,
            loop("data"),
            data="x = np.load('x')\n" + FINITE.format(f"from_tensor_slices(x[:49]).{SHARD}"),
        ),
        "as many shares as are written down": tape(
            SHAPED, loop("data"), data=FINITE.format("range(64).shard(4, hvd.rank())")
        ),
        "shuffled between": tape(
            SHAPED, loop("data"), data=FINITE.format(f"range(49).{SHARD}.shuffle(9)")
        ),
        "of an order of one's own": tape(
            SHAPED, loop("data"), data=FINITE.format(f"range(64).shuffle(64).{SHARD}")
        ),
        "of files in an order of one's own": tape(
            SHAPED, loop("data"), data=FINITE.format(f"list_files('*.x').{SHARD}")
        ),
        "of an array": ARRAYS.replace('np.load("x.npy")', "np.ones((49, 1))").format(
            "[hvd.rank() :: hvd.size()]", ""
        ),
        "of parts of an array": SPLIT.format("[:49]"),
        "of fit": FIT.replace('np.load("x.npy")', "np.load('x.npy')[:49]").format(
            f".{SHARD}.batch(8)", ""
        ),
    },
}
RIGHT = {
    "H11": {
        "of a graph behind its variables": rated(ADAM.format("0.1 * hvd.size()"), EARLY),
        "of a model that knows its input": tape(SHAPED, SENT, "\n", loop(behind="")),
        "of a model that is built": tape(
            OPEN, "model.build((None, 1))\n", SENT, "\n", loop(behind="")
        ),
        "of a model that was called": tape(
            OPEN, "model(tf.ones((1, 1)))\n", SENT, "\n", loop(behind="")
        ),
        "of a model that a function calls": tape(
            OPEN,
            "def warm():\n    model(tf.ones((1, 1)))\n\n\nwarm()\n",
            SENT,
            "\n",
            loop(behind=""),
        ),
        "behind the first step": tape(OPEN, loop()),
        "early, and again behind the first step": tape(OPEN, SENT, "\n", loop()),
        "in every round": tape(OPEN, loop(before=f"    {SENT}\n", behind="")),
        "behind a loop that all start alike": tape(
            OPEN, "tf.random.set_seed(0)\n", loop(behind=""), SENT, "\n"
        ),
        "loaded before": tape(
            SHAPED,
            "if hvd.rank() == 0:\n    model.load_weights('m.h5')\n",
            SENT,
            "\n",
            loop(behind=""),
        ),
        "loaded behind the training": tape(
            SHAPED,
            SENT,
            "\n",
            loop(behind=""),
            "if hvd.rank() == 0:\n    model.load_weights('m.h5')\n",
        ),
        "of a class that makes variables": tape(
            OWN.replace("Dense(1)", "Dense(1)\n        self.add_weight('w', (1,))"),
            SENT,
            "\n",
            loop(behind=""),
        ),
    },
    "H16": {
        "an argument": flagged("@tf.function\ndef go(batch, first=True):\n", "first", "pass"),
        "a variable": flagged(GO, "first", "first.assign(False)", "first = tf.Variable(True)\n"),
        "without a graph": flagged(
            "def go(batch):\n" + GLOBAL, "first", "first = False", "first = True\n\n\n"
        ),
        "a name of the function's own": flagged(
            GO + "    first = True\n", "first", "first = False"
        ),
        "a global that nothing takes down": flagged(GO, "WIDE", "pass", "WIDE = True\n"),
        "outside of the step": tape(
            SHAPED,
            "first = True\n",
            loop(behind=f"    if first:\n        {SENT}\n        first = False\n"),
        ),
        "another function is the graph": flagged(
            "def go(batch):\n" + GLOBAL,
            "first",
            "first = False",
            "first = True\n\n\n",
            "other = tf.function(len)\n",
        ),
    },
    "H17": {
        "scaled": rated(ADAM.format("0.1 * hvd.size()")),
        "scaled by a name": rated("rate = 0.1 * hvd.size()", ADAM.format("rate")),
        "by a root": rated(ADAM.format("0.1 * hvd.size() ** 0.5")),
        "scaled by a name of the size": rated("n = hvd.size()", ADAM.format("0.1 * n")),
        "with a smaller batch": rated("batch_size = 256 // hvd.size()", ADAM.format("0.1")),
        "scaled in a schedule": rated(
            "rate = tf.train.exponential_decay(0.1 * hvd.size(), 0, 10, 0.9)", ADAM.format("rate")
        ),
        "of one worker": GRAPH.replace("import horovod.tensorflow as hvd\n", "").replace(
            "hvd.init()\n", ""
        )
        + ADAM.format("0.1")
        + "\ntrain = opt.minimize(loss)\n",
    },
    "H18": {
        "no seed": drawn("", "x[np.random.permutation(len(x))[:8]]"),
        "a seed of each worker": drawn(
            "np.random.seed(hvd.rank())\n", "x[np.random.permutation(len(x))[:8]]"
        ),
        "a share of each worker": drawn(
            SEED + "x = x[hvd.rank() :: hvd.size()]\n", "x[np.random.permutation(len(x))[:8]]"
        ),
        "a seed of another module": drawn(SEED, "random.sample(list(x), 8)"),
        "no draw of examples": drawn(SEED, "x[8 * step : 8 * step + 8]"),
        "a shuffle without a seed": tape(SHAPED, loop(), data=SHUFFLED.format("")),
        "the first of a shuffle": tape(SHAPED, loop(FEWER), data=SHUFFLED.format("")),
        "the first of a share": tape(
            SHAPED, loop(FEWER), data=IN_ORDER.replace(".batch", f".{SHARD}.batch")
        ),
        "as many on any number of workers": tape(SHAPED, loop("data.take(9)"), data=IN_ORDER),
        "a shuffle before the share": tape(
            SHAPED, loop(), data=SHUFFLED.format(", seed=3").replace(".batch", f".{SHARD}.batch")
        ),
    },
    "H19": {
        "shuffled with a seed before": tape(
            SHAPED, loop("data"), data=FINITE.format(f"range(64).shuffle(64, seed=1).{SHARD}")
        ),
        "shuffled behind": tape(
            SHAPED, loop("data"), data=FINITE.format(f"range(64).{SHARD}.shuffle(64)")
        ),
        "drawn for ever": tape(
            SHAPED, loop("data"), data=FINITE.format(f"range(64).shuffle(64).repeat().{SHARD}")
        ),
        "files in the order of their names": tape(
            SHAPED, loop("data"), data=FINITE.format(f"list_files('*.x', shuffle=False).{SHARD}")
        ),
        "a number that goes round": tape(
            SHAPED,
            COUNT.format("range(hvd.rank(), 64, hvd.size())"),
            BODY,
            "    if i < 2:\n        ",
            SENT,
            "\n",
        ),
        "made even": tape(
            SHAPED,
            COUNT.format("range(hvd.rank(), n // hvd.size() * hvd.size(), hvd.size())"),
            BODY,
            "    if i < 2:\n        ",
            SENT,
            "\n",
        ),
        "no training": tape(
            SHAPED,
            "for i in range(hvd.rank(), n, hvd.size()):\n    print(i)\n",
            SENT,
            "\n",
            loop(behind=""),
        ),
        "for ever": tape(SHAPED, loop()),
        "so many steps": tape(
            SHAPED, loop("data.take(9)"), data=FINITE.format(f"range(49).{SHARD}")
        ),
        "so many examples": tape(
            SHAPED, loop("data"), data=FINITE.format(f"range(49).take(48).{SHARD}")
        ),
        "a number that eight divides": tape(
            SHAPED, loop("data"), data=FINITE.format(f"range(64).{SHARD}")
        ),
        "parts of an array that goes round": SPLIT.format("[:64]"),
        "parts of as much as goes round": SPLIT.format("[:49][: 49 // hvd.size() * hvd.size()]"),
        "an array that goes round": ARRAYS.format(
            "[: n // hvd.size() * hvd.size()][hvd.rank() :: hvd.size()]", ""
        ),
        "steps of an array": ARRAYS.replace('np.load("x.npy")', "np.ones((49, 1))").format(
            "[hvd.rank() :: hvd.size()]", ", steps_per_epoch=9"
        ),
        "an array of a size that nobody knows": ARRAYS.format("[hvd.rank() :: hvd.size()]", ""),
        "an array of a size that is written": ARRAYS.replace(
            'np.load("x.npy")', "np.ones((64, 1))"
        ).format("[hvd.rank() :: hvd.size()]", ""),
        "steps of fit": FIT.replace('np.load("x.npy")', "np.load('x.npy')[:49]").format(
            f".{SHARD}.batch(8)", ", steps_per_epoch=9"
        ),
        "until a break": tape(
            SHAPED,
            loop("data", behind=FIRST + "    if step == 3:\n        break\n"),
            data=FINITE.format(f"range(49).{SHARD}"),
        ),
        "a worker may leave": tape(
            SHAPED, loop("data"), "hvd.join()\n", data=FINITE.format(f"range(49).{SHARD}")
        ),
    },
}
BLOCKING = {(code, name) for code in ("H11", "H16") for name in TOLD[code]}
RUN_ON_TWO = {
    "fit_shares_left_over": "H19",
    "session_rate_not_scaled": "H17",
    "tape_ragged_shards": "H19",
}
