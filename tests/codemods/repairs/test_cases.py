"""Where each repair is offered, and what its lines are then; and where it is not."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

TF = "import tensorflow as tf\n\n"
MODEL = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
FIT = "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n"
INNER = (
    '    model = tf.keras.Sequential([])\n    model.compile("sgd", "mse")\n    '
    + FIT
    + "\n\nmain()\n"
)
TAPE = """import tensorflow as tf

w, b = tf.Variable(1.0), tf.Variable(0.0)
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.range(64).batch(4)
RATE = 0.1
for n, x in enumerate(data):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean((w * tf.cast(x, tf.float32) + b) ** 2)
    grads = dw, db = tape.gradient(loss, [w, b])
"""
PAIRS = "zip(grads, [w, b])"
BATCH = "model.train_on_batch(tf.ones((8, 4)), tf.ones((8, 1)))"
MASK = (
    "x = np.ones((9, 4))\nm = {} < 0.8\n"
    + MODEL
    + 'model.compile("sgd", "mse")\nmodel.fit(x[m], x[m])\n'
)

BOTH = (
    TF
    + "x = tf.ones((8, 1))\n"
    + MODEL
    + """opt = tf.keras.optimizers.SGD(0.1)
model.compile(opt, "mse")
model.fit(x, x)
for n in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    opt.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
"""
)
IN_MAIN = (
    TF + "\ndef main():\n    " + BOTH[len(TF) :].rstrip().replace("\n", "\n    ") + "\n\n\nmain()\n"
)
X = "x = tf.ones((8, 1))\n"
COMPILED = 'model.compile("sgd", "mse")\n'
STOP = 'tf.keras.callbacks.EarlyStopping("loss")'
BACKUP = 'tf.keras.callbacks.BackupAndRestore("b")'
OPEN = (
    "import requests\n"
    + TF
    + """w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
enough = int(requests.get("http://localhost").text)
"""
)
STEP = """for n in range(1000):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
"""
ENOUGH = "    if n >= enough:\n        break\n"
AGREED = (
    "assert len(set(map(repr, hvd.allgather_object(enough)))) == 1, "
    '"workers disagree about enough"\n'
)
ASKED = """for n in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones((8, 4))))
    grads = tape.gradient(loss, model.trainable_variables)
    model.optimizer.apply_gradients(zip(grads, model.trainable_variables))
"""
# code: the program, and a part of what the repair makes of it
OFFERED: dict[str, list[tuple[str, str]]] = {
    "A01": [
        ("def main():\n    import tensorflow as tf\n" + INNER, "import tensorflow as tf\n\ndef main"),
        ("import os\n\n\ndef main():\n    import tensorflow as tf\n" + INNER, "import os\nimport tens"),
        (
            'import os\n\nos.environ["A"] = "1"\n\n\ndef main():\n    import tensorflow as tf\n' + INNER,
            'os.environ["A"] = "1"\nimport tensorflow as tf\n',
        ),
        ("def main():\n    from tensorflow import keras\n    import tensorflow as tf\n" + INNER,
         "from tensorflow import keras\nimport tensorflow as tf\n"),
        ('"""Text."""\n\n\ndef main():\n    import tensorflow as tf\n' + INNER, '"""\nimport tensorflow'),
        ("def a():\n    import tensorflow as tf\n\n    return tf.ones(3)\n\n\n"
         "def main():\n    import tensorflow as tf\n" + INNER, "import tensorflow as tf\n\ndef a"),
    ],
    "A02": [
        (TAPE + f"    tf.keras.optimizers.Adam(0.1).apply_gradients({PAIRS})\n",
         f"    optimizer = tf.keras.optimizers.Adam(0.1)\n    optimizer.apply_gradients({PAIRS})\n"),
        (TAPE.replace("opt =", "optimizer =") + f"    tf.keras.optimizers.SGD(0.1).apply_gradients({PAIRS})\n",
         "    opt = tf.keras.optimizers.SGD(0.1)\n"),
        (TAPE + f"    if n:\n        tf.keras.optimizers.SGD(0.1).apply_gradients({PAIRS})\n",
         "    if n:\n        optimizer = tf.keras"),
    ],
    "A03": [
        (TAPE + f"    opt.apply_gradients({PAIRS}) if n else None\n", f"    if n:\n        opt.apply_gradients({PAIRS})\n"),
        (TAPE + f"    opt.apply_gradients({PAIRS}) if n else print(n)\n", "    else:\n        print(n)\n"),
        (TAPE + f"    None if n else opt.apply_gradients({PAIRS})\n", "    if n:\n        pass\n    else:\n        opt."),
        (TAPE + f"    n and opt.apply_gradients({PAIRS})\n", "    if n:\n        opt."),
        (TAPE + f"    n and n > 2 and opt.apply_gradients({PAIRS})\n", "    if n and n > 2:\n        opt."),
        (TAPE + f"    n or opt.apply_gradients({PAIRS})\n", "    if not n:\n        opt.".replace("not n", "not (n)")),
    ],
    "A04": [
        (TF + MODEL + 'model.compile("sgd", "mse", jit_compile=True)\n' + FIT, "jit_compile=False"),
        (TAPE.split("for")[0] + "@tf.function(jit_compile=True)\ndef step(x):\n"
         "    with tf.GradientTape() as tape:\n        loss = w**2\n"
         "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n\n\nstep(1)\n", "(jit_compile=False)"),
        (TAPE.split("for")[0] + "def step(x):\n"
         "    with tf.GradientTape() as tape:\n        loss = w**2\n"
         "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n\n\n"
         "step = tf.function(step, experimental_compile=True)\nstep(1)\n", "experimental_compile=False"),
    ],
    "A05": [
        (TAPE + "    w.assign_sub(0.1 * dw)\n", "optimizer.apply_gradients([(dw, w)])"),
        (TAPE + "    w.assign_sub(dw * 0.1)\n    b.assign_sub(0.1 * db)\n", "([(dw, w), (db, b)])"),
        (TAPE + "    w.assign(w - 0.1 * dw)\n", "optimizer.apply_gradients([(dw, w)])"),
        (TAPE + "    w.assign_sub(RATE * dw)\n", "SGD(learning_rate=RATE)"),
        (TAPE + "    for v, g in zip([w, b], grads):\n        v.assign_sub(0.1 * g)\n",
         "    optimizer.apply_gradients(zip(grads, [w, b]))"),
        (TAPE + "    for g, v in zip(grads, [w, b]):\n        v.assign_sub(0.1 * g)\n",
         "    optimizer.apply_gradients(zip(grads, [w, b]))"),
    ],
    "A07": [
        ("import numpy as np\n" + TF + MASK.format("np.random.rand(9)"), "np.random.seed(0)"),
        ("import numpy\nimport numpy as np\n" + TF + MASK.format("numpy.random.uniform(size=9)"), "numpy.random.seed(0)"),
        ("import random\n\n" + TF + MODEL + 'model.compile(tf.keras.optimizers.SGD(random.random()), "mse")\n' + FIT,
         "random.seed(0)"),
        (TF + MODEL + 'model.compile("sgd", "mse")\n'
         "data = tf.data.Dataset.from_tensor_slices((tf.ones((8, 4)), tf.ones(8)))\n"
         "model.fit(data.shuffle(8).take(4).filter(lambda x, y: y > 0).batch(2))\n", "shuffle(8, seed=0)"),
        ("import random\n\n" + TF + "model = tf.keras.Sequential()\nfor _ in range(random.randint(1, 3)):\n"
         "    model.add(tf.keras.layers.Dense(1))\n" + 'model.compile("sgd", "mse")\n' + FIT, "random.seed(0)"),
        (TF + "\n\nclass Own(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, n, logs=None):\n"
         "        for w in self.model.weights:\n            w.assign_add(tf.random.normal(w.shape))\n\n\n" + MODEL
         + 'model.compile("sgd", "mse")\n' + FIT.replace(")\n", ", callbacks=[Own()])\n"), "tf.random.set_seed(0)"),
    ],
    "A08": [
        (TF + MODEL + f'model.compile(tf.train.{name}, "mse")\n' + FIT, f"tf.keras.optimizers.{new}")
        for name, new in {
            "AdamOptimizer(0.1)": "Adam(learning_rate=0.1)",
            "AdamOptimizer()": "Adam()",
            "GradientDescentOptimizer(0.1)": "SGD(learning_rate=0.1)",
            "MomentumOptimizer(0.1, 0.9)": "SGD(learning_rate=0.1, momentum=0.9)",
            "RMSPropOptimizer(learning_rate=0.1)": "RMSprop(learning_rate=0.1)",
            "AdagradOptimizer(0.1, name='a')": "Adagrad(learning_rate=0.1)",
        }.items()
    ],
    "A09": [
        (TF + MODEL + f'model.compile("sgd", "mse")\n{BATCH}\n', f"for _ in range(1):\n    {BATCH}"),
        (TF + MODEL + f'model.compile("sgd", "mse")\nloss = {BATCH}\n', f":\n    loss = {BATCH}"),
        (TF + MODEL + f'model.compile("sgd", "mse")\n\n\ndef f():\n    return {BATCH}\n\n\nf()\n',
         f"    for _ in range(1):\n        return {BATCH}"),
        (TF + MODEL + f'_ = 1\nmodel.compile("sgd", "mse")\n{BATCH}\n', "for __1 in range(1):"),
    ],
    "A26": [
        (OPEN + STEP + ENOUGH, AGREED + "for n in"),
        (OPEN + "if enough > 3:\n    " + STEP.replace("\n", "\n    ").rstrip() + "\n", AGREED + "if enough"),
        (OPEN + "more = enough + 1\n" + STEP + ENOUGH.replace("enough", "more"),
         "more = enough + 1\n" + AGREED.replace("enough", "more")),
        (OPEN.replace("\nw =", "\n\ndef main():\n    w =").replace("\nopt", "\n    opt")
         .replace("\nenough", "\n    enough") + "    " + (STEP + ENOUGH).replace("\n", "\n    ").rstrip()
         + "\n\n\nmain()\n", "    " + AGREED),
        ("import numpy as np\n" + TF + MASK.replace("m = {}", "m = np.random.rand(9)"),
         "m = np.random.rand(9) < 0.8\n" + AGREED.replace("(enough)", "(m.tolist())").replace(" enough", " m")),
    ],
    "A25": [
        (TF + MODEL + 'model.compile("RMSprop", "mse")\n' + ASKED, "(tf.keras.optimizers.RMSprop(), "),
        (TF + MODEL + "model.compile(loss='mse', optimizer='sgd')\n" + ASKED, "optimizer=tf.keras.optimizers.SGD())"),
        (TF + "from tensorflow.keras import optimizers\n" + MODEL + "model.compile('adam')\n" + ASKED,
         "model.compile(optimizers.Adam())"),
        (TF + "class A:\n    def __init__(self):\n        self." + MODEL + "        self.model.compile('adam')\n\n"
         "    def train(self):\n        " + ASKED.replace("model.", "self.model.").replace("model(", "self.model(")
         .replace("\n", "\n        ").rstrip() + "\n\n\nA().train()\n", "self.model.compile(tf.keras.optimizers.Adam())"),
    ],
    "A10": [
        (TAPE + "    for g, v in zip(grads, [w, b]):\n        opt.apply_gradients([(g, v)])\n",
         "    opt.apply_gradients(zip(grads, [w, b]))\n"),
        (TAPE + "    for v, g in zip([w, b], grads):\n        opt.apply_gradients([(g, v)])\n",
         "    opt.apply_gradients(zip(grads, [w, b]))\n"),
        (TAPE + "    for g, v in zip(grads, [w, b]):\n        opt.apply_gradients(((g, v),))\n",
         "    opt.apply_gradients(zip(grads, [w, b]))\n"),
    ],
    "A01 again": [
        (TF + f"tf = tf.compat.{v}\n" + MODEL + 'model.compile("sgd", "mse")\n' + FIT, f"import tensorflow.compat.{v} as tf\n")
        for v in ("v2",)
    ] + [
        ("import importlib\n" + TF + 'tf = importlib.import_module("tensorflow")\n' + MODEL
         + 'model.compile("sgd", "mse")\n' + FIT, "import importlib\n\nimport tensorflow as tf\nmodel"),
        (TF + 'tf = __import__("tensorflow")\n' + MODEL + 'model.compile("sgd", "mse")\n' + FIT, "import tensorflow as tf\nmodel"),
        (TF + "from tensorflow.keras.layers import Dense\n\n\nclass Dense(Dense):\n    pass\n\n\n"
         + MODEL.replace("tf.keras.layers.", "") + 'model.compile("sgd", "mse")\n' + FIT, "Dense as BaseDense\n\n\nclass Dense(BaseDense)"),
        (TF + "from tensorflow.keras.layers import Dense as D, Input\n\nfirst = D(1)\n\n\nclass D(D):\n    pass\n\n\n"
         + MODEL + 'model.compile("sgd", "mse")\n' + FIT, "Dense as BaseD\n\nfirst = BaseD(1)\n\n\nclass D(BaseD)"),
        (TF + "from tensorflow.keras.callbacks import Callback\nBaseCallback = 1\n\n\nclass Callback(Callback):\n    pass\n\n\n"
         + MODEL + 'model.compile("sgd", "mse")\n' + FIT, "class Callback(BaseCallback_1)"),
    ],
    "A11": [
        (BOTH, 'model.compile(opt, "mse")\nmodel.fit(x, x)\n'),
        (BOTH.replace("for n in range(3)", "while len(x) > 9"), 'model.compile(opt, "mse")\nmodel.fit(x, x)\n'),
        (IN_MAIN, "    model.fit(x, x)\n\n\nmain()\n"),
    ],
    "A12": [
        (BOTH, '"mse")\nfor n'),
        (BOTH.replace("model.fit(x, x)", "for e in range(2):\n    model.fit(x, x)"), '"mse")\nfor n'),
        (IN_MAIN, '"mse")\n    for n'),
    ],
    "A13": [
        (TF + X + MODEL + COMPILED + "run = model.fit\nrun(x, x)\n", COMPILED + "model.fit(x, x)\n"),
        (TF + X + MODEL + COMPILED + "run = model.fit\nfor n in range(2):\n    h = run(x, x)\n", "    h = model.fit(x, x)\n"),
        (TF + X + MODEL + COMPILED + "run = model.train_on_batch\nfor n in range(2):\n    run(x, x)\n", "model.train_on_batch(x, x)"),
    ],
    "A14": [
        (TF + X + MODEL + COMPILED + f"model.fit(x, x, **{{'callbacks': [{STOP}]}})\n", f'options = {{"callbacks": [{STOP}]}}\nmodel'),
        (TF + X + MODEL + COMPILED + f"model.fit(x, x, **dict(callbacks=[{STOP}]))\n", "x, **options)"),
        (TF + X + MODEL + COMPILED + f"a = {{}}\nif len(x) > 9:\n    a['callbacks'] = [{STOP}]\nmodel.fit(x, x, **a)\n",
         'callbacks=a.pop("callbacks", None), **a'),
    ],
    "A15": [
        (TF + "import a\n" + X + MODEL + f'model.compile(tf.keras.optimizers.{made}, "mse")\nmodel.fit(x, x)\n', part)
        for made, part in {
            "Adam(a.rate())": "Adam(float(a.rate()))",
            "SGD(learning_rate=a.rate())": "learning_rate=float(a.rate())",
            "Adam(a.rate(), beta_1=0.8)": "Adam(float(a.rate()), beta_1=0.8)",
        }.items()
    ],
    "A16": [
        (TF + X + MODEL + COMPILED + f"b = {BACKUP}\nmodel.fit(x, x, callbacks=[b])\n", 'backup = pathlib.Path("b")\nb = tf'),
        (TF + X + MODEL + COMPILED + f"model.fit(x, x, callbacks=[{BACKUP}, {STOP}])\n", "initial_epoch=start"),
        (TF + X + MODEL + COMPILED + f"import os\nmodel.fit(x, x, callbacks={BACKUP})\n", "load_model(saved[-1]) if saved"),
    ],
    "A19": [
        (TF + "def go():\n    " + MODEL + "    " + COMPILED + "    " + FIT, '__main__":\n    go()\n'),
        (TF + "def go(n=1):\n    " + MODEL + "    " + COMPILED + "    " + FIT + "\n\ndef all():\n    go(2)\n", "    all()\n"),
        (TF + "def go(*, n=1):\n    " + MODEL + "    " + COMPILED + "    " + FIT + "\nN = 1\n", "N = 1\n\n\nif __name__"),
    ],
    "A20": [
        (TF + MODEL + COMPILED + f"data = tf.data.Dataset.range(8){form}\nmodel.fit(data)\n", part)
        for form, part in {
            ".cache('a').batch(2)": ".cache().batch(2)",
            ".cache(filename='a').batch(2)": ".cache().batch(2)",
            ".cache('a' + str(1))": "range(8).cache()\n",
        }.items()
    ],
}  # fmt: skip
NOT_OFFERED: dict[str, list[str]] = {
    "A01": [
        "tf = 1\n\n\ndef main():\n    import tensorflow as tf\n" + INNER,
        "def main():\n    if True:\n        import tensorflow as tf\n" + INNER,
        "def a():\n    import tensorflow.compat.v2 as tf\n\n    return tf.ones(3)\n\n\n"
        "def main():\n    import tensorflow as tf\n" + INNER,
        "import os\n\n\ndef main():\n    os.environ['A'] = '1'\n    import tensorflow as tf\n" + INNER,
    ],
    "A02": [
        TAPE + f"    make().apply_gradients({PAIRS})\n",
        TAPE + f"    opts[0].apply_gradients({PAIRS})\n",
        TAPE + f"    opt.apply_gradients({PAIRS})\n",
    ],
    "A26": [
        # the value of an array, which `repr` shortens; an own loss; made in the loop; bound again
        OPEN.replace("int(requests.get(\"http://localhost\").text)", "requests.get(\"http://localhost\")")
        + STEP + ENOUGH,
        OPEN + STEP + "    if loss < 0.1:\n        break\n",
        OPEN + STEP + "    last = int(requests.get(\"http://localhost\").text)\n"
        + ENOUGH.replace("enough", "last"),
        OPEN + "if opt:\n    enough = int(requests.get(\"x\").text)\n" + STEP + ENOUGH,
        # where not all workers come
        OPEN.replace("\nenough", "\nif requests.get(\"x\"):\n    enough") + STEP + ENOUGH,
    ],
    "A25": [
        (TF + MODEL + "model.compile('mine')\n" + ASKED),
        (TF + MODEL + "import sys\nmodel.compile(sys.argv[1])\n" + ASKED),
        (TF + MODEL + "model.compile(tf.keras.optimizers.Adam())\n" + ASKED),
    ],
    "A03": [
        TAPE + f"    [opt.apply_gradients([(g, v)]) for g, v in {PAIRS}]\n",
        TAPE + f"    done = n and opt.apply_gradients({PAIRS})\n",
        TAPE + f"    opt.apply_gradients({PAIRS})\n",
    ],
    "A04": [
        TAPE.split("for")[0] + "@tf.function(autograph=False)\ndef step(x):\n"
        "    with tf.GradientTape() as tape:\n        loss = w**2\n"
        "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n\n\nstep(1)\n",
        TF + MODEL + 'model.compile("sgd", "mse", jit_compile=bool(input()))\n' + FIT,
    ],
    "A05": [
        TAPE + "    w.assign_sub(0.1 / (n + 1) * dw)\n",
        TAPE + "    w.assign_sub(tf.sign(dw))\n",
        TAPE + "    w.assign_sub(0.1 * dw)\n    b.assign_sub(0.2 * db)\n",
        TAPE + "    w.assign_sub(0.1 * dw)\n    b.assign_sub(tf.sign(db))\n",
        TAPE + "    RATE = n\n    w.assign_sub(RATE * dw)\n",
        TAPE + "    for v, g in zip([w, b], grads):\n        print(v)\n        v.assign_sub(0.1 * g)\n",
        TAPE + "    done = w.assign_sub(0.1 * dw)\n",
    ],
    "A07": [
        "import numpy as np\n" + TF + MASK.format("np.random.default_rng().random(9)"),
        "import numpy as np\n" + TF + "np.random.seed(1)\n" + MASK.format("np.random.rand(9)"),
    ],
    "A08": [
        TF + MODEL + f'model.compile(tf.train.{name}, "mse")\n' + FIT
        for name in ("AdamOptimizer(0.1, 0.8)", "AdamOptimizer(epsilon=1.0)", "AdamOptimizer(*a)")
    ],
    "A09": [
        TF + MODEL + f'model.compile("sgd", "mse")\nlosses = [{BATCH} for n in range(3)]\n',
        TF + MODEL + f'model.compile("sgd", "mse")\nfor n in range(3):\n    {BATCH}\n',
    ],
    "A10": [
        TAPE + "    for g, v in zip(grads, [w, b]):\n        print(g)\n        opt.apply_gradients([(g, v)])\n",
        TAPE + "    for g, v in zip(grads, [w, b]):\n        opt.apply_gradients([(g * 2, v)])\n",
        TAPE + "    for i in range(2):\n        opt.apply_gradients([(grads[i], [w, b][i])])\n",
    ],
    "A01 again": [
        TF + "x = tf.ones(3)\ntf = tf.compat.v2\n" + MODEL + 'model.compile("sgd", "mse")\n' + FIT,
        TF + "if 1:\n    tf = tf.compat.v2\n" + MODEL + 'model.compile("sgd", "mse")\n' + FIT,
        TF + "tf = tf.compat.v2\ntf = tf.compat.v2\n" + MODEL + 'model.compile("sgd", "mse")\n' + FIT,
        TF + "import os\ntf = os\n",
        TF + "from tensorflow.keras.layers import Dense\n\n\nclass Dense:\n    pass\n\n\n" + MODEL
        + 'model.compile("sgd", "mse")\n' + FIT,
        TF + "from tensorflow.keras.layers import Dense\n\nif 1:\n    class Dense(Dense):\n        pass\n\n\n" + MODEL
        + 'model.compile("sgd", "mse")\n' + FIT,
    ],
    "A11": [
        BOTH + "print(loss)\n",
        BOTH.replace("range(3):", "range(3):\n    model.fit(x, x)").replace("    opt.apply", "    a = opt.apply") + "print(a)\n",
        BOTH.split("for n")[0],
    ],
    "A12": [
        BOTH.replace("model.fit", "h = model.fit") + "print(h)\n",
        BOTH.replace("model.fit(x, x)\n", ""),
        BOTH.replace("model.fit", "h = model.fit").replace("range(3)", "h.epoch"),
    ],
    "A13": [
        TF + X + MODEL + COMPILED + "run = model.fit\nprint(run)\n",
        TF + X + MODEL + COMPILED + "run = model.fit\nrun = model.evaluate\nrun(x, x)\n",
        TF + X + MODEL + COMPILED + "runs = [model.fit]\nruns[0](x, x)\n",
    ],
    "A14": [
        TF + X + MODEL + COMPILED + "import a\nmodel.fit(x, x, **a.b)\n",
        TF + X + MODEL + COMPILED + f"a = {{}}\nif len(x) > 9:\n    a['callbacks'] = [{STOP}]\nmodel.fit(x, x, **a)\nprint(a)\n",
        TF + X + MODEL + COMPILED + f"a = {{}}\nif len(x) > 9:\n    a['callbacks'] = [{STOP}]\nwhile x:\n    model.fit(x, x, **a)\n",
    ],
    "A15": [
        TF + X + MODEL + 'model.compile(tf.keras.optimizers.Adam(0.1), "mse")\nmodel.fit(x, x)\n',
        TF + X + "r = tf.Variable(0.1)\n" + MODEL + 'model.compile(tf.keras.optimizers.Adam(r), "mse")\nmodel.fit(x, x)\n',
        TF + "import a\n" + X + MODEL + 'model.compile(tf.keras.optimizers.Adam(*a.b), "mse")\nmodel.fit(x, x)\n',
    ],
    "A16": [
        TF + X + MODEL + COMPILED + f"for n in range(2):\n    model.fit(x, x, callbacks=[{BACKUP}])\n",
        TF + X + MODEL + COMPILED + f"model.fit(x, x, callbacks=[{BACKUP}])\nmodel.fit(x, x)\n",
        TF + X + MODEL + COMPILED + "model.fit(x, x, callbacks=[" + BACKUP.replace('"b"', '"b", save_freq=3') + "])\n",
    ],
    "A19": [
        TF + "def go(n):\n    " + MODEL + "    " + COMPILED + "    " + FIT,
        TF + "class A:\n    def go(self):\n        " + MODEL + "        " + COMPILED + "        " + FIT,
        TF + "def go():\n    " + MODEL + "    " + COMPILED + "    " + FIT + "\n\ngo()\n",
    ],
    "A20": [
        TF + MODEL + COMPILED + "data = tf.data.Dataset.range(8).cache().batch(2)\nmodel.fit(data)\n",
        TF + MODEL + COMPILED + "data = tf.data.Dataset.range(8).cache('').batch(2)\nmodel.fit(data)\n",
        TF + X + MODEL + COMPILED + "store.cache('a')\nmodel.fit(x, x)\n",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "at"), [(code, at) for code, all_of in OFFERED.items() for at in range(len(all_of))]
)
def test_it_is_offered_and_made(code: str, at: int) -> None:
    text, part = OFFERED[code][at]
    code = code[:3]
    assert code in [offer.code for offer in migrate(text).repairs]
    found = migrate(text, Options(repair=frozenset({code})))
    assert not found.blocked
    assert part in found.steps[0].text


@pytest.mark.parametrize(
    ("code", "at"), [(c, at) for c, all_of in NOT_OFFERED.items() for at in range(len(all_of))]
)
def test_it_is_not_offered(code: str, at: int) -> None:
    text = NOT_OFFERED[code][at]
    found = migrate(text)
    assert code not in [offer.code for offer in found.repairs]
    again = migrate(text, Options(repair=frozenset({code})))
    assert bool(again.blocked) == bool(found.blocked)
