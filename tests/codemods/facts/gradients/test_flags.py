"""Where the flag of a broadcast lives."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.flag_records import Flag
from distify.codemods.facts.gradients.flag_resets import resets
from distify.codemods.facts.gradients.flags import flag_of

HEAD = """\
import tensorflow as tf
from tensorflow import keras

SGD = keras.optimizers.SGD
"""
APPLY = "opt.apply_gradients(g)\n"


def placed(text: str) -> str:
    """The flag of the last application: how it is spelled, made and set back, by line; or why none."""
    facts = Facts.of(HEAD + text)
    first = HEAD.count("\n")
    step = max(facts.calls("apply_gradients"), key=lambda call: call.lineno)
    flag = flag_of(facts, step)
    if not isinstance(flag, Flag):
        return flag.why.partition(",")[0]
    again = resets(facts, [step], flag)
    if not isinstance(again, list):
        return again.why.partition(",")[0]
    after = [f"{spelled(holder)} after {s.lineno - first}" for s, holder in flag.after.items()]
    before = [f"before {s.lineno - first}" for s in flag.before]
    reset = [f"reset {s.lineno - first}" for s in again]
    where = spelled(flag.holder).format("F")
    return f"{where}: {'; '.join([*after, *before, *reset])}"


def spelled(holder: ast.expr | None) -> str:
    return "{}" if holder is None else f"{ast.unparse(holder)}.{{}}"


UNPLACED = "this changes what is trained"
UNTRACED = "nobody can tell where this optimizer is made"
SEVERAL = "several optimizers are used through this name"
T = "class T:\n    def __init__(self):\n        self.opt = SGD(0.1)\n\n    def step(self):\n        self."
M = T.replace("class T:", "class T({}):") + APPLY
PLACES = {
    "opt = SGD(0.1)\n" + APPLY: "F: {} after 1",
    "opt = None\nopt = SGD(0.1)\n" + APPLY: "F: {} after 2",
    "if a:\n    opt = SGD(0.1)\nelse:\n    opt = SGD(0.2)\n" + APPLY: "F: {} after 2; {} after 4",
    "opt = SGD(0.1)\nopt = wrap(opt)\n" + APPLY: "F: {} after 2",
    "opt = SGD(0.1)\nopt = SGD(0.2)\n" + APPLY: "F: {} after 1; {} after 2",
    "opt = SGD(0.1)\nif a:\n    opt = wrap(opt)\n" + APPLY: "F: {} after 1; {} after 3",
    "def f():\n    opt = SGD(0.1)\n    " + APPLY: "F: {} after 2",
    "opt = SGD(0.1)\n\n\ndef f():\n    " + APPLY: "F: {} after 1",
    "def f():\n    global opt\n    opt = SGD(0.1)\n\n\ndef g():\n    " + APPLY + "\n\nf()\ng()\n": "F: before 6",
    "def step(opt):\n    " + APPLY + "\n\nstep(SGD(0.1))\n": "F: before 1",
    "def step(opt):\n    " + APPLY + "\n\nfor a in b:\n    o = SGD(0.1)\n    step(o)\n": "F: before 1; reset 6",
    "def step(opt):\n    " + APPLY + "\n\nstep(SGD(0.1))\nstep(SGD(0.2))\n": SEVERAL,
    "def step(opt):\n    " + APPLY + "\n\na = SGD(0.1)\nb = SGD(0.2)\nstep(a)\nstep(b)\n": SEVERAL,
    "def step(opt):\n    " + APPLY + "\n\nif x:\n    a = SGD(0.1)\nelse:\n    a = SGD(0.2)\nstep(a)\n":
        "F: before 1",
    "def step(opt):\n    " + APPLY + "\n\nfor a in b:\n    step(f(SGD(0.1)))\n": UNTRACED,
    "def step(opt):\n    " + APPLY + "\n\nfor a in b:\n    step(SGD(0.1))\n": "F: before 1; reset 6",
    "def step(opt):\n    " + APPLY + "\n\nfor a in b:\n    if step(SGD(0.1)):\n        pass\n": UNPLACED,
    "def step(opt):\n    " + APPLY + "\n\nstep(make())\n": UNTRACED,
    "def step(opt):\n    " + APPLY: UNTRACED,
    "for opt in a:\n    " + APPLY: UNTRACED,
    APPLY: UNTRACED,
    "make()." + APPLY: UNTRACED,
    "f().opt.apply_gradients(g)\n": UNTRACED,
    "thing." + APPLY: UNTRACED,
    T + APPLY: "self.F: self.{} after 3",
    T + APPLY + "\n\nt = T()\nt." + APPLY: "t.F: self.{} after 3",
    T.replace("SGD(0.1)", "None") + APPLY: UNTRACED,
    T.replace("self.opt = SGD(0.1)", "self.opt, a = make()") + APPLY: "self.F: self.{} after 3",
    T.replace("self.opt = SGD(0.1)", "self.opt = SGD(0.1)\n        self.opt = wrap(self.opt)") + APPLY:
        "self.F: self.{} after 4",
    T.replace("self.opt = SGD(0.1)", "self.opt += 1") + APPLY: UNTRACED,
    **{
        M.format(base) + "\n\nT()\n": "F: before 1"
        for base in ("tf.Module", "keras.layers.Layer", "keras.Model", "keras.Sequential")
    },
    M.format("keras.callbacks.Callback") + "\n\nT()\n": "self.F: self.{} after 3",
    M.format("keras.Model"): "`T` is made several times",
    M.format("keras.Model") + "\n\nT()\nT()\n": "`T` is made several times",
    M.format("keras.Model") + "\n\nfor a in b:\n    T()\n": "`T` is made several times",
    M.format("keras.Model") + "\n\nt = T()\nt.save('a')\n": "F: before 1",
}  # fmt: skip


@pytest.mark.parametrize("text", PLACES)
def test_where_a_flag_lives(text: str) -> None:
    assert placed(text) == PLACES[text]


EXPORTED = "a SavedModel of `T` takes its training step along"
COMPILED = M.format("keras.Model").replace("    def step", "    @tf.function\n    def step")


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("t.save('a')", EXPORTED),
        ("t.save(a + '.tf')", EXPORTED),
        ("tf.saved_model.save(t, 'a')", EXPORTED),
        ("t.save('a.h5')", "F: before 1"),
        ("t.save(a + '.hdf5')", "F: before 1"),
        ("t.save('a.keras')", "F: before 1"),
        ("t.save_weights('a')", "F: before 1"),
        ("other.save('a')", "F: before 1"),
        ("", "F: before 1"),
    ],
)
def test_a_compiled_step_is_not_exported_without_its_flag(use: str, expected: str) -> None:
    assert placed(COMPILED + f"\n\nt = T()\n{use}\n") == expected
    called = COMPILED.replace("@tf.function", "@tf.function(jit_compile=False)")
    assert placed(called + f"\n\nt = T()\n{use}\n") == expected
