"""Which gradients an expression is computed from."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.flow import flow_to

HEAD = """\
import tensorflow as tf


def clip(g):
    return [tf.clip_by_norm(x, 1) for x in g]


def step(loss):
    return loss, tape.gradient(loss, c)


def unused(g):
    return 1


g = tape.gradient(loss, v)
h = other.gradient(loss, w)
"""


def flowing(text: str) -> tuple[set[str], set[str]]:
    """What the gradients of `ask(…)`, in the last line that has one, come from: ours and others."""
    facts = Facts.of(HEAD + text)
    calls = [c for c in facts.index.calls if getattr(c.func, "id", "") == "ask"]
    flow = flow_to(facts, max(calls, key=lambda call: call.lineno).args[0])
    return {ast.unparse(c) for c in flow.gradients}, {ast.unparse(c) for c in flow.foreign}


G, H, C = "tape.gradient(loss, v)", "other.gradient(loss, w)", "tape.gradient(loss, c)"
OURS = {
    "ask(g)": {G},
    "ask(tape.jacobian(a, b))": {"tape.jacobian(a, b)"},
    "ask(tape.batch_jacobian(a, b))": {"tape.batch_jacobian(a, b)"},
    "ask(zip(g, v))": {G},
    "ask(clip(g))": {G},
    "ask(clip(g=g))": {G},
    "ask([x * 2 for x in g])": {G},
    "ask(list(x for x in g))": {G},
    "ask(g if a else h)": {G, H},
    "ask(g + h)": {G, H},
    "ask([*g, *h])": {G, H},
    "ask(tf.add_n([g, h]))": {G, H},
    "ask(tf.concat(values=[g], axis=0))": {G},
    "ask(g.numpy())": {G},
    "ask(unused(g))": set(),
    "a, b = g, h\nask(a)": {G},
    "a, b = g, h\nask(b)": {H},
    "a, *b = g, h\nask(b)": {H},
    "a, *b = make(g)\nask(b)": {G},
    "loss, k = step(x)\nask(k)": {C},
    "loss, k = step(x)\nask(loss)": set(),
    "k = []\nk.append(g)\nask(k)": {G},
    "k = []\nk.extend(g)\nask(k)": {G},
    "k = []\nk.insert(0, g)\nask(k)": {G},
    "k = set()\nk.add(g)\nask(k)": {G},
    "k = {}\nk.update(g)\nask(k)": {G},
    "k = {}\nk.setdefault(0, g)\nask(k)": {G},
    "k = {}\nk[0] = g\nask(k)": {G},
    "k = {}\nk[0][1] = g\nask(k)": {G},
    "k = [0]\nk[0] += g\nask(k)": {G},
    "k = tf.Variable(0)\nk.assign(g)\nask(k)": {G},
    "k = tf.Variable(0)\nk.assign_add(g)\nask(k)": {G},
    "k = tf.Variable(0)\nk.assign_sub(g)\nask(k)": {G},
    "k = [a, b]\nk[0].assign_add(g)\nask(k)": {G},
    "k = 0\nk += g\nask(k)": {G},
    "for a, b in zip(g, h):\n    ask(a)": {G},
    "for a, b in zip(g, h):\n    ask(b)": {H},
    "for a in zip(g, h):\n    ask(a)": {G, H},
    "for a, b in zip(*g, h):\n    ask(a)": {G, H},
    "totals = make()\nfor a, b in zip(totals, g):\n    a.assign_add(b)\nask(totals)": {G},
    "totals = make()\n[a.assign_add(b) for a, b in zip(totals, g)]\nask(totals)": {G},
    "totals = make()\nfor i, (a, b) in enumerate(zip(totals, g)):\n    a.assign_add(b)\nask(totals)": {G},
    "totals = make()\nfor a in totals:\n    pass\nfor b in c:\n    a.assign_add(g)\nask(totals)": {G},
    "totals = make()\nfor a in totals:\n    a = make()\n    a.assign_add(g)\nask(totals)": set(),
    "k = []\nk.count(g)\nask(k)": set(),
    "k = []\nj = []\nj.append(g)\nask(k)": set(),
    "def use(k):\n    ask(k)\n\n\nuse(g)\nuse(h)": {G, H},
    "class T:\n    def a(self):\n        self.k = g\n\n    def b(self):\n        ask(self.k)": {G},
    "class T:\n    def a(self):\n        self.k.append(g)\n\n    def b(self):\n        ask(self.k)": {G},
    "class T:\n    def a(self):\n        self.k = g\n\n    def b(self):\n        ask(self.j)": set(),
    "class T:\n    def a(self):\n        self.k = g\n\n\nclass U:\n    def b(self):\n        ask(self.k)": set(),
    "class T:\n    def a(self):\n        self.k.append(g)\n\n\nclass U:\n    def b(self):\n        ask(self.k)": set(),
    "k = {'a': g, 'b': h}\nask(k['a'])": {G},
    "k = dict(a=g)\nask(k.values())": {G},
    "import collections\nk = collections.deque()\nk.append(g)\nask(k.popleft())": {G},
    "import functools\nask(functools.reduce(lambda a, b: a + b, [g, h]))": {G, H},
    "import types\nk = types.SimpleNamespace(a=g)\nask(k.a)": {G},
    "class T:\n    pass\nk = T()\nk.a = g\nask(k.a)": {G},
    "try:\n    k = g\nfinally:\n    ask(k)": {G},
    "k = g\nk = h\nask(k)": {H},
    "ask(next(iter([g])))": {G},
    "ask(max(g, h))": {G, H},
    "ask(thing.trainable_variables)": set(),
    "ask(1)": set(),
}  # fmt: skip


@pytest.mark.parametrize("text", OURS)
def test_gradients_are_followed_to_their_tape(text: str) -> None:
    assert flowing(text) == (OURS[text], set())


@pytest.mark.parametrize(
    "text",
    [
        "tf.gradients(loss, v)",
        "opt.get_gradients(loss, v)",
        "opt.compute_gradients(loss)",
        "opt._compute_gradients(loss)",
    ],
)
def test_gradients_that_no_tape_computes(text: str) -> None:
    assert flowing(f"ask(zip({text}, v))") == (set(), {text})


def test_a_gradient_of_ones_own_is_a_function_of_the_module() -> None:
    text = "class T:\n    def gradient(self, x):\n        return h\n\n\nt = T()\nask(t.gradient(g))"
    assert flowing(text) == ({H}, set())
