"""Which tapes are wrapped, and how."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.tape_module import needs_tape_module
from distify.codemods.facts.gradients.tapes import wrapped_tapes
from distify.codemods.rewrites._new_code import tape_module

HEAD = """\
import tensorflow as tf
from tensorflow import keras

opt = keras.optimizers.SGD(0.1)
v = tf.Variable(1.0)
vs = [v]
"""
START = HEAD.count("\n")
WITH = "with tf.GradientTape() as t:\n    loss = f()\n"
TWO = "with tf.GradientTape() as t, tf.GradientTape() as u:\n    loss = f()\n"
FOREVER = (
    "with tf.GradientTape(persistent={}) as t:\n    loss = f()\n    g = t.gradient(loss, vs)\n"
)
APPLY = "opt.apply_gradients(zip({}, vs))\n"


def planned(text: str) -> list[str]:
    """What is planned, by line of the snippet."""
    found = wrapped_tapes(Facts.of(HEAD + text))
    shown = [
        f"{' '.join(names)} after {node.lineno - START}" for node, names in found.after.items()
    ]
    shown += [
        f"from {number} on out of {node.lineno - START}" for node, number in found.moved.items()
    ]
    shown += [f"{ast.unparse(e)} in place {e.lineno - START}" for e in found.in_place]
    shown += [f"{ast.unparse(e)} listed" for e in found.listed.values()]
    return shown + [problem.why for problem in found.problems]


LOST = "nobody can tell which tape computes these gradients"
ONLY = "Horovod's tape has only gradient(target, sources, output_gradients)"
FLAT = "Horovod's tape takes a flat list of variables only"
STILL = "Horovod's tape can't compute gradients while the tape still records"
BOTH = "this function computes gradients for the optimizer and for something else"
G = "t.gradient(loss, vs)"
TAPES = {
    WITH + APPLY.format(G): ["t after 1"],
    WITH + f"g = {G}\n" + APPLY.format("g"): ["t after 1"],
    WITH + APPLY.format("t.gradient(loss, v)"): ["t after 1", "v listed"],
    WITH + APPLY.format("t.gradient(loss, sources=v)"): ["t after 1", "v listed"],
    WITH + APPLY.format("t.gradient(loss, vs, None)"): ["t after 1"],
    WITH + APPLY.format("t.gradient(target=loss, sources=vs, output_gradients=o)"): ["t after 1"],
    WITH + APPLY.format("t.gradient(loss, vs, None, 1)"): ["t after 1", ONLY],
    WITH + APPLY.format("t.gradient(loss, vs, unconnected_gradients=z)"): ["t after 1", ONLY],
    WITH + APPLY.format("t.gradient(loss)"): ["t after 1", ONLY],
    WITH + APPLY.format("t.jacobian(loss, vs)"): ["t after 1", ONLY],
    WITH + APPLY.format("t.gradient(loss, [vs])"): ["t after 1", FLAT],
    WITH + f"g = {G}\nprint(g)\n": [],
    WITH: [],
    APPLY.format("g"): [LOST],
    "def f(t):\n    " + APPLY.format(G): [LOST],
    APPLY.format("tf.gradients(loss, vs)"): ["no tape computes these gradients"],
    TWO + APPLY.format(G) + APPLY.format("u.gradient(loss, vs)"): ["t u after 1"],
    TWO + APPLY.format(G) + "h = u.gradient(loss, x)\n": ["t after 1"],
    WITH + APPLY.format(G) + WITH + APPLY.format(G): ["t after 1", "t after 4"],
    WITH + APPLY.format(G) + WITH + f"h = {G}\n": ["t after 1"],
    WITH + "h = t.gradient(loss, x)\n" + APPLY.format(G): ["t in place 4"],
    WITH + "    g = t.gradient(loss, vs)\n" + APPLY.format("g"): ["t after 1", "from 1 on out of 1"],
    WITH + "    g = t.gradient(loss, vs)\n    h = g\n" + APPLY.format("h"): ["t after 1", "from 1 on out of 1"],
    WITH + "    if a:\n        g = t.gradient(loss, vs)\n" + APPLY.format("g"): ["t after 1", STILL],
    "with tf.GradientTape() as t:\n    g = t.gradient(f(), vs)\n" + APPLY.format("g"): ["t after 1", STILL],
    "with tf.GradientTape() as t: loss = f(); g = t.gradient(loss, vs)\n" + APPLY.format("g"): ["t after 1", STILL],
    FOREVER.format(True) + APPLY.format("g"): ["t in place 3"],
    FOREVER.format("a") + APPLY.format("g"): ["t in place 3"],
    FOREVER.format(False) + APPLY.format("g"): ["t after 1", "from 1 on out of 1"],
    "t = tf.GradientTape()\nwith t:\n    loss = f()\n" + APPLY.format(G): ["t in place 4"],
    "def f():\n    with tf.GradientTape() as t:\n        loss = 1\n    return t, loss\n\n\nt, loss = f()\n"
    + APPLY.format(G): ["t in place 8"],
    "class T:\n    def f(self):\n        with tf.GradientTape() as self.t:\n            loss = 1\n"
    "        opt.apply_gradients(zip(self.t.gradient(loss, vs), vs))\n": ["self.t in place 5"],
    WITH + "opt.minimize(loss, vs, tape=t)\n": ["t after 1"],
    WITH + "opt.minimize(loss, vs)\n": [],
    "def g(loss, x):\n    with tf.GradientTape() as t:\n        y = f()\n    return t.gradient(y, x)\n\n\n"
    + APPLY.format("g(loss, a)") + "b = g(loss, c)\n": ["t after 2", BOTH],
    "def g(loss, x):\n    with tf.GradientTape() as t:\n        y = f()\n    return t.gradient(y, x)\n\n\n"
    + APPLY.format("g(loss, a)") + APPLY.format("g(loss, c)"): ["t after 2"],
    "def g(m):\n    with tf.GradientTape() as t:\n        y = f()\n    return t.gradient(y, m.variables)\n\n\n"
    + APPLY.format("g(a)") + "b = g(c)\n": ["t after 2"],
}  # fmt: skip


@pytest.mark.parametrize("text", TAPES)
def test_which_tapes_are_wrapped(text: str) -> None:
    assert planned(text) == TAPES[text]
    found = wrapped_tapes(Facts.of(HEAD + text))
    assert bool(found) == bool(found.after or found.in_place)


def test_keras_has_no_tape_of_its_own() -> None:
    step = "class M(keras.Model):\n    def train_step(self, data):\n        with tf.GradientTape() as t:\n"
    step += "            loss = f()\n        self.optimizer.apply_gradients(zip(t.gradient(loss, vs), vs))\n\n\n"
    fit = Facts.of(HEAD + step + "M().fit(x)\n")
    assert needs_tape_module(fit)
    assert tape_module(fit) == "hvd_tf"
    loop = Facts.of(HEAD + WITH + APPLY.format(G))
    assert not needs_tape_module(loop)
    assert tape_module(loop) == "hvd"
    plain = Facts.of(HEAD + "m = keras.Sequential([])\nm.fit(x)\n")
    assert not needs_tape_module(plain)
    batches = Facts.of(HEAD + "m = keras.Sequential([])\nfor a in b:\n    m.train_on_batch(a)\n")
    assert needs_tape_module(batches)
