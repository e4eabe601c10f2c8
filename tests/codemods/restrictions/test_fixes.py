"""What a fix says works: it is written into its case, which then is migrated without that code."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from distify.codemods import restrictions
from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE, Finding, Options

FIT = """\
import tensorflow as tf

x, y = tf.ones([64, 2]), tf.ones([64, 1])
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, y)
"""
COMPILE = 'model.compile(tf.keras.optimizers.SGD(0.1), "mse")\n'
LOOP = """\
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.ones([64, 2])).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
for batch in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
AGAIN = LOOP.replace("model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n", "")
SHARED = AGAIN.replace("tf.keras.optimizers.SGD(0.1)", "model.optimizer")
APPLY = "optimizer.apply_gradients(zip(gradients, model.trainable_variables))"
RATE = "optimizer = tf.keras.optimizers.SGD(0.1)\n"
Edit = tuple[str, str]  # what stands in the case, and what is written there; {0} is code of the fix


class Case(NamedTuple):
    """A program that is refused, and the edits that its fix asks for."""

    code: str
    base: str
    breaks: tuple[Edit, ...]
    mends: tuple[Edit, ...]
    options: Options = Options()


def edited(text: str, edits: tuple[Edit, ...], spans: list[str]) -> str:
    for old, new in edits:
        assert old in text, old
        for number, span in enumerate(spans):
            new = new.replace(f"{{{number}}}", span)
        text = text.replace(old, new, 1)
    return text


def refused(case: Case) -> tuple[str, Finding]:
    text = edited(case.base, case.breaks, [])
    found = [f for f in migrate(text, case.options).blocked if f.code == case.code]
    assert found, migrate(text, case.options).blocked
    return text, found[0]


STEP = (
    LOOP[: LOOP.index("for")]
    + "\n\n@tf.function\ndef step(batch):\n"
    + LOOP[LOOP.index("    with") :]
    + "\n\nfor batch in data:\n    step(batch)\n"
)
FLAGGED = """
    if first:
        hvd.broadcast_variables(model.variables, root_rank=0)
        first = False
"""
HVD = FIT.replace("\n\n", "\nimport horovod.tensorflow.keras as hvd\n\nhvd.init()\n", 1)
TOP = "import tensorflow as tf\n"
LOAD = "model = tf.keras.models.load_model('m.h5')\n"
OPTIONS = "from other import options\n"
DENSE = "tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
FITTED = FIT.replace("model = ", "other = " + DENSE + "model = ")
CASES = [
    Case(
        "D205",
        FIT,
        (
            (TOP, "import time\n" + TOP),
            (
                "model.fit(x, y)\n",
                "p = time.strftime('%H.h5')\nmodel.fit(x, y)\nmodel.save_weights(p)\nmodel.load_weights(p)\n",
            ),
        ),
        (("time.strftime('%H.h5')", "'weights.h5'"),),
    ),
    Case(
        "D206",
        FIT,
        (
            (COMPILE, COMPILE.replace("optimizers.", "optimizers.legacy.")),
            (
                "model.fit(x, y)\n",
                "model.fit(x, y)\nmodel.save('m.h5')\n" + LOAD + "model.fit(x, y)\n",
            ),
        ),
        ((LOAD, LOAD + "{0}\n"),),
    ),
    Case(
        "H05",
        HVD,
        (("model.fit", "if hvd.rank() == 0:\n    print(hvd.allreduce(1.0))\nmodel.fit"),),
        (
            (
                "if hvd.rank() == 0:\n    print(hvd.allreduce(1.0))\n",
                "mean = hvd.allreduce(1.0)\nif hvd.rank() == 0:\n    print(mean)\n",
            ),
        ),
    ),
    Case(
        "H07",
        HVD,
        (("model.fit", "hvd.DistributedOptimizer(tf.keras.optimizers.Adam())\nmodel.fit"),),
        (("hvd.Dist", "wrapped = hvd.Dist"),),
    ),
    Case(
        "H08",
        HVD,
        (
            (
                "model.fit(x, y)",
                "calls = []\nif hvd.rank() == 0:\n"
                "    calls.append(tf.keras.callbacks.EarlyStopping())\nmodel.fit(x, y, callbacks=calls)",
            ),
        ),
        (("if hvd.rank() == 0:\n    calls", "calls"),),
    ),
    Case(
        "H09",
        HVD,
        (
            (
                "(x, y)",
                "(x, y, callbacks=[tf.keras.callbacks.EarlyStopping(), "
                "hvd.callbacks.MetricAverageCallback()])",
            ),
        ),
        (
            ("tf.keras.callbacks.EarlyStopping(), ", ""),
            (
                "MetricAverageCallback()",
                "MetricAverageCallback(), tf.keras.callbacks.EarlyStopping()",
            ),
        ),
    ),
    Case(
        "H10",
        HVD,
        (("SGD(0.1)", "SGD(0.1 * hvd.size() * hvd.size())"),),
        ((" * hvd.size() * hvd.size()", " * hvd.size()"),),
    ),
    Case(
        "R05",
        FIT,
        (
            (COMPILE, ""),
            (
                "tf.keras.Sequential([tf.keras.layers.Dense(1)])",
                "tf.keras.models.load_model('m.keras', custom_objects=f)",
            ),
        ),
        (("model.fit", "{0}\nmodel.fit"),),
    ),
    Case(
        "G01",
        LOOP,
        (
            (TOP, TOP + "from other import compute\n"),
            ("tape.gradient(loss, model.trainable_variables)", "compute(tape, loss)"),
        ),
        (("compute(tape, loss)", "{0}"),),
    ),
    Case(
        "G02",
        STEP,
        (("@tf.function", "@tf.function(jit_compile=True)"),),
        (("@tf.function(jit_compile=True)", "{0}"),),
    ),
    Case(
        "K01",
        FIT,
        (
            ("fit(x, y", "fit(x, y, callbacks=[tf.keras.callbacks.BackupAndRestore('b')]"),
            (TOP, "import os\n" + TOP),
        ),
        (("tf.keras.callbacks.BackupAndRestore('b')", "{0}"), ("model.fit", "{2}\nmodel.fit")),
    ),
    Case(
        "H16",
        STEP,
        (
            (TOP, TOP + "import horovod.tensorflow as hvd\n\nhvd.init()\nfirst = True\n"),
            ("def step(batch):\n", "def step(batch):\n    global first\n"),
            (APPLY, APPLY + FLAGGED),
        ),
        (
            ("step(batch):\n    global first\n", "step(batch, {0}):\n"),
            ("if first:", "if {0}:"),
            ("        first = False\n", ""),
            (
                "for batch in data:\n    step(batch)",
                "for number, batch in enumerate(data):\n    step(batch, number == 0)",
            ),
        ),
    ),
    Case(
        "P03",
        HVD,
        (("import horovod.tensorflow.keras as hvd", "from horovod.tensorflow.keras import *"),),
        (("from horovod.tensorflow.keras import *", "import horovod.tensorflow.keras as hvd"),),
    ),
    Case(
        "G03",
        LOOP,
        ((APPLY, "model.trainable_variables[0].assign_sub(0.1 * gradients[0])"), (RATE, "")),
        (
            (TOP, TOP + "{0}\n"),
            ("model.trainable_variables[0].assign_sub(0.1 * gradients[0])", "{1}"),
        ),
    ),
    Case(
        "G03",  # with Adam at hand, nobody is told of SGD
        LOOP,
        (
            ("SGD(0.1)", "Adam(0.1)"),
            (APPLY, "model.trainable_variables[0].assign(gradients[0] ** 2)"),
        ),
        (("model.trainable_variables[0].assign(gradients[0] ** 2)", "{0}"),),
    ),
    Case(
        "G03",
        LOOP,
        (
            (RATE, ""),
            (APPLY, "v = model.trainable_variables[0]\n    v.assign(v - 0.1 * gradients[0])"),
        ),
        ((TOP, TOP + "{0}\n"), ("v.assign(v - 0.1 * gradients[0])", "{1}")),
    ),
    Case(
        "K02",
        FIT,
        (("model.fit(x, y)", "model.fit(x, y, **options)"), (TOP, TOP + OPTIONS)),
        (("**options", "{0}"),),
    ),
    Case(
        "K02",
        FIT,
        (("model.fit(x, y)", "model.fit(x, y, **options)"), (TOP, TOP + OPTIONS)),
        ((OPTIONS, "{1}\n"),),
    ),
    Case(
        "K04",
        FIT,
        (
            (TOP, "import numpy as np\n" + TOP),
            ("model.fit(x, y)", "x = x[np.random.rand(64) < 0.8]\nmodel.fit(x)"),
        ),
        (("x = x[", "{0}\nx = x["),),
    ),
    Case("K05", LOOP, ((".batch(8)", ".cache('f').batch(8)"),), ((".cache('f')", "{0}"),)),
    Case(
        "L01",
        LOOP,
        ((TOP, TOP + "from other import rate\n"), ("SGD(0.1)", "SGD(rate())")),
        (("rate())", "0.01)"),),
    ),
    Case(
        "L02",
        LOOP,
        (),
        (("for batch in data:", "n = 3\n{0}\n  for batch in data:"),),
        Options(warmup=5),
    ),
    Case(
        "L03",
        LOOP,
        (("tf.reduce_mean", "tf.reduce_sum"),),
        (("tf.reduce_sum", "{0}"),),
        Options(batch="global"),
    ),
    Case(
        "N01",
        FIT,
        ((COMPILE, "with tf.distribute.MirroredStrategy().scope():\n    " + COMPILE),),
        (("with tf.distribute.MirroredStrategy().scope():\n    ", ""),),
    ),
    Case(
        "N02",
        FIT,
        ((TOP, "import keras\n" + TOP),),
        (("import keras", "{1}"),),
        Options(tensorflow=(2, 16), keras="legacy"),
    ),
    Case(
        "N03",
        FIT,
        (("tf.keras.optimizers.SGD(0.1)", "tf.train.RMSPropOptimizer(learning_rate=0.05)"),),
        (("tf.train.RMSPropOptimizer(learning_rate=0.05)", "{0}"),),
    ),
    Case(
        "R01",
        FIT,
        ((FIT, "def main():\n    " + FIT.replace("\n", "\n    ").rstrip() + "\n\nmain()\n"),),
        (("    import tensorflow as tf\n", ""), ("def main", "{0}\n\ndef main")),
    ),
    Case(
        "R02",
        FIT,
        (("model.fit(x, y)\n", "model.fit(x, y)\ntf = 1\n"),),
        (("\ntf = 1", "\ntf_ = 1"),),
    ),
    Case(
        "R05",
        FIT,
        ((TOP, TOP + "from other import opt\n"), ("tf.keras.optimizers.SGD(0.1)", "opt")),
        (("from other import opt\n", "{0}\n"),),
    ),
    Case(  # two functions of one name: the first one is never called
        "R08",
        LOOP,
        (
            (
                "for batch in data:",
                f"def train(batch, optimizer):\n    {APPLY}\n\n\ndef train():\n    pass\n\n\ntrain()\nfor batch in data:",
            ),
            (
                "def train(batch, optimizer):",
                "def train(batch, optimizer):\n    tape = tf.GradientTape()\n    gradients = tape.gradient(batch, model.trainable_variables)",
            ),
        ),
        (
            (
                f"def train(batch, optimizer):\n    tape = tf.GradientTape()\n    gradients = tape.gradient(batch, model.trainable_variables)\n    {APPLY}\n",
                "",
            ),
        ),
    ),
    Case(  # the word comes from elsewhere
        "R08",
        LOOP,
        (
            (TOP, TOP + "import sys\n"),
            (RATE, "model.compile(sys.argv[1])\n"),
            ("    optimizer.apply", "    model.optimizer.apply"),
        ),
        (("model.compile(sys.argv[1])\n", "{0}\n"), (", …)", ")")),
    ),
    Case(
        "R08",
        LOOP,
        ((APPLY, "print(len([" + APPLY + "]) if batch is not None else 0)"),),
        (("print(len([" + APPLY + "]) if batch is not None else 0)", APPLY),),
    ),
    Case(
        "T01",
        FIT,
        (
            ("model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n", "model = build()\n"),
            ("compile(tf.keras.optimizers.SGD(0.1), ", "compile('sgd', "),
            (TOP, TOP + "from other import build\n"),
        ),
        (("build()", "tf.keras.Sequential([tf.keras.layers.Dense(1)])"),),
    ),
    Case(
        "T01",
        FIT,
        (("model.fit(x, y)", "def train():\n    model.fit(x, y)"),),
        (("fit(x, y)\n", "fit(x, y)\n\n\n{0}\n    {1}\n"),),
    ),
    Case("T02", FIT, (("model.fit(x, y)\n", "model.fit(x, y)\n" + SHARED),), ((SHARED, ""),)),
    Case("T02", FIT, (("model.fit(x, y)\n", "model.fit(x, y)\n" + SHARED),), ((SHARED, LOOP),)),
    Case(
        "T06",
        FIT,
        (("model.fit(x, y)\n", "with tf.compat.v1.Session() as s:\n    s.run(1)\n"),),
        (("with tf.compat.v1.Session() as s:\n    s.run(1)\n", "model.fit(x, y)\n"),),
    ),
    Case(
        "T07",
        FITTED,
        (("model.fit(x, y)", "model.fit(x, other.predict(x))"),),
        (("x, y =", "{0}\nx, y ="),),
    ),
    Case(
        "T08",
        FIT,
        (
            (
                "model.fit(x, y)",
                "models = [model]\nfor _ in range(9):\n    next(iter(models)).train_on_batch(x, y)",
            ),
        ),
        (("    next(iter(models)).train_on_batch(x, y)", "    {0}\n    {1}(x, y)"),),
    ),
    Case(
        "T07",
        FIT,
        ((TOP, "import random\n" + TOP), ("SGD(0.1)", "SGD(random.random())")),
        (("x, y =", "{0}\nx, y ="),),
    ),
    Case(
        "T07",
        LOOP,
        (
            (TOP, "import time\n" + TOP),
            ("    with", "    if time.time() > 9:\n        break\n    with"),
        ),
        ((TOP, TOP + "{0}\n"), ("    if time.time() > 9", "    {1}\n    if {2} > 9")),
    ),
    Case(
        "T07",
        LOOP,
        ((APPLY, APPLY + "\n    value = float(loss)\n    if value < 0.1:\n        break"),),
        ((TOP, TOP + "{0}\n"), ("    if value", "    {1}\n    if value")),
    ),
    Case(
        "T08",
        FIT,
        (("model.fit(x, y)", "model.train_on_batch(x, y)"),),
        (("model.train_on_batch(x, y)", "{0}\n    model.train_on_batch(x, y)"),),
    ),
]


NOTES_ONLY = {
    "D203",
    "D104",
    "D106",
    "D107",
    "D109",
    "D204",
    "D302",
    "H01",
    "H06",
    "H12",
    "H13",
    "H14",
    "H15",
    "H17",
    "H18",
    "H19",
    RECOMPUTE,
}
GRAPHS = {"H11"}  # about programs that no rule rewrites
LAYERS = {f"C{number:02}" for number in range(1, 11)}  # about running layers again: no migration


@pytest.mark.parametrize("case", CASES, ids=[f"{each.code}-{n}" for n, each in enumerate(CASES)])
def test_the_fix_is_migrated(case: Case) -> None:
    text, found = refused(case)
    spans = re.findall(r"`([^`]*)`", found.fix)
    assert found.fix
    result = migrate(edited(text, case.mends, spans), case.options)
    assert not result.blocked
    assert not result.skipped
    assert result.steps


def test_every_code_that_blocks_has_a_case() -> None:
    blocking = {rule.code for rule in restrictions.all()} - NOTES_ONLY - GRAPHS - LAYERS
    assert {case.code for case in CASES} == blocking


def test_where_a_fix_names_code_the_case_takes_it_from_there() -> None:
    for case in CASES:
        _, found = refused(case)
        takes = any("{" in new for _, new in case.mends)
        assert takes or not re.search(r"`[^`]*[(=]", found.fix), (case.code, found.fix)
