"""P03: Horovod in a form that isn't understood; each with its place, its words, and its twin."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf
{module}

x, y = np.ones((800, 4)), np.ones((800, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
"""
KERAS = "import horovod.tensorflow.keras as hvd"
TAPE = "import horovod.tensorflow as hvd"
FIT = "hvd.init()\nmodel.compile({}, 'mse')\nmodel.fit({})\n"
PLAIN = FIT.format("'sgd'", "x, y")
ON_D = FIT.format("'sgd'", "d")
SHARD = "d = tf.data.Dataset.from_tensor_slices((x, y)).shard({}).batch(8)\n"
LOOP = """\
hvd.init()
for a in x:
    with tf.GradientTape() as tape:
        loss = model(a)
    g = tape.gradient(loss, model.trainable_variables)
    {}.apply_gradients(zip(g, model.trainable_variables))
"""
WRAPPED = "hopt = hvd.DistributedOptimizer(opt)\n"
EITHER = "hvd.DistributedOptimizer(opt) if len(x) else opt"


def found(module: str, text: str) -> list[tuple[int, str, bool]]:
    """Lines, counted behind the head, messages, and whether it is wrong whatever is done.

    That Horovod starts below the imports is asked elsewhere.
    """
    blocked = [f for f in migrate(HEAD.format(module=module) + text).blocked if f.code == "P03"]
    own = [f for f in blocked if "which is started later" not in f.message]
    return [(f.line - 7, f.message, f.proves) for f in own]


@pytest.mark.parametrize(
    ("module", "text", "line", "words"),
    [
        (KERAS, FIT.format(EITHER, "x, y"), 2, "this is wrapped by Horovod on some ways to here"),
        (KERAS, f"o = {EITHER}\n{FIT.format('o', 'x, y')}", 3, "this is wrapped by Horovod on some"),
        (KERAS, WRAPPED + FIT.format("opt", "x, y"), 3, "this optimizer is wrapped by Horovod, but not"),
        (TAPE, WRAPPED + LOOP.format("hopt"), 7, "Horovod's optimizer averages no gradients that a"),
        (KERAS, FIT.format("'sgd'", "x, y, callbacks=[c for c in cbs if c]"), 3, "nobody can tell which callbacks"),
        (KERAS, f"use(hvd)\n{PLAIN}", 1, "Horovod itself is passed on here"),
        (KERAS, f"a = [hvd]\n{PLAIN}", 1, "Horovod itself is passed on here"),
        (KERAS, f"use(hvd.Adasum)\n{PLAIN}", 1, "Adasum has rules of its own"),
        (KERAS, f"hvd.elastic.run(f)\n{PLAIN}", 1, "what elastic Horovod does"),
        (KERAS, SHARD.format("hvd.size(), 0") + ON_D, 1, "every worker takes the same share here"),
        (KERAS, SHARD.format("num_shards=hvd.size(), index=0") + ON_D, 1, "every worker takes the same"),
        (KERAS, f"n = hvd.size()\n{SHARD.format('n, 1')}{ON_D}", 2, "every worker takes the same"),
        ("import horovod.torch as hvd", PLAIN, -4, "this is Horovod for another framework"),
        ("import horovod.mxnet as hvd", PLAIN, -4, "this is Horovod for another framework"),
        ("from horovod import torch as hvd", PLAIN, -4, "this is Horovod for another framework"),
        (f"import os, horovod.torch as ht\n{KERAS}", PLAIN, -4, "this is Horovod for another"),
        ("from horovod.tensorflow.keras import *", "init()\n", -4, "`*` hides which names"),
        (f"{KERAS}\nif np.a:\n    import numpy as hvd", PLAIN, 3, "this name is Horovod in some cases"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused(module: str, text: str, line: int, words: str) -> None:
    text += "" if "fit(" in text or "apply_gradients" in text else PLAIN[11:]
    ((at, message, proves),) = found(module, text)
    assert at == line
    assert message.startswith(words)
    harmful = ("this optimizer is wrapped", "Horovod's optimizer averages", "every worker takes")
    assert proves is message.startswith(harmful)


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (KERAS, PLAIN),
        (KERAS, WRAPPED + FIT.format("hopt", "x, y")),
        (KERAS, f"if len(x):\n    print(hvd.size())\n{FIT.format('hvd.DistributedOptimizer(opt)', 'x, y')}"),
        (TAPE, LOOP.format("opt")),
        (TAPE, LOOP.format("opt").replace("    g =", "    tape = hvd.DistributedGradientTape(tape)\n    g =")),
        (KERAS, FIT.format("'sgd'", "x, y, callbacks=[c for c in cbs]").replace("[c for c in cbs]", "[]")),
        (KERAS, f"use(hvd.rank())\n{PLAIN}"),
        (KERAS, f"use(np)\n{PLAIN}"),
        (KERAS, f"print(hvd.Average)\n{PLAIN}"),
        (KERAS, f"hvd.init()\n{SHARD.format('hvd.size(), hvd.rank()')}{ON_D[11:]}"),
        (KERAS, f"hvd.init()\n{SHARD.format('index=hvd.rank(), num_shards=hvd.size()')}{ON_D[11:]}"),
        ("from numpy import *\n" + KERAS, PLAIN),
        (f"{KERAS}\nif np.a:\n    {KERAS}", PLAIN),
    ],
)  # fmt: skip
def test_what_is_understood_is_not(module: str, text: str) -> None:
    assert found(module, text) == []


def test_every_place_is_named() -> None:
    text = f"use(hvd.Adasum)\nuse(hvd)\nprint(hvd.Adasum)\n{PLAIN}"
    assert [line for line, *_ in found(KERAS, text)] == [1, 2, 3]
    loop = LOOP.format("hopt")
    twice = WRAPPED + loop + loop[11:]
    assert [line for line, *_ in found(TAPE, twice)] == [7, 12]
