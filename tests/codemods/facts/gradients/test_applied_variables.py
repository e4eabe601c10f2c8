"""Which variables an optimizer is given, spelled so that they can be read again."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.applied_variables import applied_variables
from distify.codemods.rewrites._broadcasts import spelled

HEAD = """\
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([])
opt = keras.optimizers.SGD(0.1)
w = tf.Variable(1.0)
listed = [w]
once = zip(g, listed)
both = model.trainable_variables + listed
pairs = [(a, b) for a, b in sorted(once)]
sure = list(zip(g, [w]))
"""


def applied(text: str) -> tuple[str, str | None]:
    """The code that reads the variables of the last call, and the argument it must name before."""
    facts = Facts.of(HEAD + text)
    calls = [
        c
        for c in facts.index.calls
        if getattr(c.func, "attr", "") in ("minimize", "apply_gradients")
    ]
    found = applied_variables(facts, max(calls, key=lambda call: call.lineno))
    code = spelled(facts, found.variables)
    return code, None if found.argument is None else ast.unparse(found.argument)


NAMED = "[variable for _, variable in grads_and_vars]"
APPLIED = {
    "opt.minimize(loss, model.trainable_variables)": ("model.variables", None),
    "opt.minimize(loss, var_list=[w])": ("[w]", None),
    "opt.minimize(loss, list(listed))": ("listed", None),
    "opt.minimize(loss, f())": ("f()", None),
    "opt.apply_gradients(zip(g, model.trainable_variables))": ("model.variables", None),
    "opt.apply_gradients(zip(g, model.trainable_weights))": ("model.weights", None),
    "opt.apply_gradients(zip(g, thing.trainable_weights))": ("thing.trainable_weights", None),
    "opt.apply_gradients(zip(g, both))": ("model.variables + listed", None),
    "opt.apply_gradients(zip(g, model.trainable_variables + [w]))": ("model.variables + [w]", None),
    "opt.apply_gradients(zip(g, model.trainable_variables + f()))": (NAMED, None),
    "opt.apply_gradients(zip(g, model.trainable_variables - listed))": (NAMED, None),
    "opt.apply_gradients(zip(g, [w, *listed]))": ("[w, *listed]", None),
    "opt.apply_gradients(zip(g, [w, f()]))": (NAMED, None),
    "opt.apply_gradients(zip(g, [w, *f()]))": (NAMED, None),
    "opt.apply_gradients(zip(g, (w,)))": ("[w]", None),
    "opt.apply_gradients(zip(g, tuple(listed)))": ("listed", None),
    "opt.apply_gradients(zip(g, self.parts.all))": ("self.parts.all", None),
    "opt.apply_gradients(zip(g, f()))": (NAMED, None),
    "opt.apply_gradients(zip(g, once))": (NAMED, None),
    "opt.apply_gradients(zip(g, h, listed))": (NAMED, None),
    "opt.apply_gradients(list(zip(g, listed)))": ("listed", None),
    "opt.apply_gradients(tuple(zip(g, listed)))": ("listed", None),
    "opt.apply_gradients(list())": (NAMED, None),
    "opt.apply_gradients(list(zip(g, listed), 1))": (NAMED, None),
    "opt.apply_gradients([(g, w), (h, model.w)])": ("[w, model.w]", None),
    "opt.apply_gradients(((g, w),))": ("[w]", None),
    "opt.apply_gradients([(g, f())])": (NAMED, None),
    "opt.apply_gradients([(g, w, 1)])": (NAMED, None),
    "opt.apply_gradients([pair])": (NAMED, None),
    "opt.apply_gradients([(f(a), b) for a, b in zip(g, listed)])": ("listed", None),
    "opt.apply_gradients((f(a), b) for a, b in zip(g, listed))": ("listed", None),
    "opt.apply_gradients([(f(a), a) for a, b in zip(g, listed)])": (NAMED, None),
    "opt.apply_gradients([(f(a), b) for a, b in zip(g, listed) for c in d])": (NAMED, None),
    "opt.apply_gradients([pair for a, b in zip(g, listed)])": (NAMED, None),
    "opt.apply_gradients([(f(a), b) for a in zip(g, listed)])": (NAMED, None),
    "opt.apply_gradients([(a, b, c) for a, b in zip(g, listed)])": (NAMED, None),
    "opt.apply_gradients(pairs)": ("[variable for _, variable in pairs]", None),
    "opt.apply_gradients(sure)": ("[w]", None),
    "opt.apply_gradients(given)": ("[variable for _, variable in given]", None),
    "opt.apply_gradients(f())": (NAMED, None),
    "opt.apply_gradients(grads_and_vars=zip(g, listed))": ("listed", None),
    "def f():\n    opt.apply_gradients(sure)": ("[variable for _, variable in sure]", None),
    "if a:\n    sure = [f()]\nopt.apply_gradients(sure)": ("[variable for _, variable in sure]", None),
    "if a:\n    sure = zip(g, h)\nopt.apply_gradients(sure)": (NAMED, None),
    **{
        f"it = {maker}\nopt.apply_gradients(it)": (NAMED, None)
        for maker in ("map(f, g)", "filter(f, g)", "iter(pairs)", "enumerate(g)", "((a, b) for b, a in g)")
    },
}  # fmt: skip


@pytest.mark.parametrize("text", APPLIED)
def test_the_variables_of_a_call(text: str) -> None:
    code, named = applied(text)
    assert code == APPLIED[text][0]
    assert (named is not None) == (code == NAMED)
