"""Worker 0 asks a clock for all; where not all come to the question, nothing is offered."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import random
import time

import numpy as np
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
begun = time.time()
"""
STEP = """\
    with tf.GradientTape() as tape:
        loss = (w * {} - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
"""
COUNTED = "for i in range(99):\n" + STEP.format(1.0)
OWN = "for x in np.random.rand(99):\n" + STEP.format("x")
LATE = "time.time() - begun > 60"
ASKED = {
    "a while": (f"while not {LATE}:\n{STEP.format(1.0)}", f"while hvd.broadcast_object(not {LATE}"),
    "an elif": (
        f"{COUNTED}    if i == 50:\n        print(i)\n    elif {LATE}:\n        break\n",
        f"    elif hvd.broadcast_object({LATE}, root_rank=0):",
    ),
    "now and then": (
        f"{COUNTED}    if i % 10 == 0 and {LATE}:\n        break\n",
        f"    if hvd.broadcast_object(i % 10 == 0 and {LATE}, root_rank=0):",
    ),
    "a draw": (
        f"{COUNTED}    if random.random() < 0.01:\n        break\n",
        "    if hvd.broadcast_object(random.random() < 0.01, root_rank=0):",
    ),
    "a flag": (
        "late = False\n" + COUNTED + f"    if late:\n        break\n    late = {LATE}\n",
        "    if hvd.broadcast_object(late, root_rank=0):",
    ),
    "a function": (
        f"def late():\n    return {LATE}\n\n\n" + COUNTED + "    if late():\n        break\n",
        "    if hvd.broadcast_object(late(), root_rank=0):",
    ),
}
LEFT = {
    "under a condition of each worker's own": (
        f"{OWN}    if loss > 1:\n        if {LATE}:\n            break\n"
    ),
    "beside a loss": f"{OWN}    if loss < 1 or {LATE}:\n        break\n",
    "a loss": f"{OWN}    if loss < 1:\n        break\n",
    "a count": f"{COUNTED}    if i > 50:\n        break\n",
}


@pytest.mark.parametrize("case", ASKED)
def test_worker_0_asks_for_all(case: str) -> None:
    text, expected = ASKED[case]
    found = migrate(HEAD + text, Options(repair=frozenset({"A24"})))
    assert found.steps[0].code == "A24"
    assert expected in found.after
    assert not found.blocked


@pytest.mark.parametrize("case", LEFT)
def test_nothing_is_offered(case: str) -> None:
    assert "A24" not in [offer.code for offer in migrate(HEAD + LEFT[case]).repairs]
