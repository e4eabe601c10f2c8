"""Where the trouble with a value begins, and in which words that is told."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts, Role
from distify.codemods.facts.causes import MOST, cause_of, spelled

HEAD = """\
import tensorflow as tf
import py
from utils import make
from tensorflow.keras.optimizers import SGD, Adam
args = py.args()
"""


def cause(text: str, head: str = HEAD) -> tuple[int, str] | None:
    """Line in the snippet (0 and less: in the head) and words for what `use` is called with."""
    facts = Facts.of(head + text)
    (call,) = (c for c in facts.index.calls if isinstance(c.func, ast.Name) and c.func.id == "use")
    found = cause_of(facts, call.args[0], (Role.OPTIMIZER,))
    return found and (facts.place(found.place)[0] - head.count("\n"), found.why)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("x = make()\nuse(x)", -2, "`make` is of another module, `utils`"),
        ("from . import a\nuse(a)", 1, "`a` is of another module, `.`"),
        ("x = py.nets.build(1)\nuse(x)", 1, "`py.nets.build` is of another module, `py`"),
        (
            "from tr import TFBert\nx = TFBert.from_pretrained('b')\nuse(x)",
            1,
            "`TFBert.from_pretrained` is of another module, `tr`",
        ),
        ("use(args.rate)", 0, "`py.args` is of another module, `py`"),
        (
            "t = {'a': Adam, 'b': utils.B}\nx = t[args.o](0.1)\nuse(x)",
            1,
            "which entry is taken depends on `args.o`",
        ),
        ("t = {'a': make}\nx = t['a'](0.1)\nuse(x)", 1, "it is taken out of this table"),
        ("x = getattr(tf.train, args.o)(0.1)\nuse(x)", 1, "it depends on `args.o`"),
        ("def f(a):\n    use(a)", 1, "`a` is a parameter of `f`, which nothing in this file calls"),
        ("use(nowhere)", 1, "nothing in this file makes `nowhere`"),
        ("from nets import *\nx = build()\nuse(x)", 1, "`build` may come from this `*`"),
        (
            "kind = Adam if args.a else tf.keras.losses.Huber\nuse(kind(0.1))",
            2,
            "`kind` is one of several",
        ),
        ("x = make() if args.a else Adam(0.1)\nuse(x)", -2, "`make` is of another module, `utils`"),
        (
            "class A:\n    def run(self):\n        use(self.opt)",
            3,
            "nothing in this file sets `self.opt`",
        ),
    ],
)
def test_what_keeps_a_value_from_being_known(text: str, line: int, why: str) -> None:
    assert cause(text) == (line, why)


TWO = """\
def f(a):
    use(a)
def f(a, b=0):
    return b
f(1)
"""


def test_two_functions_of_one_name_are_told_apart() -> None:
    why = "there are two functions of the name `f`, and only that in line 8 is called"
    assert cause(TWO) == (1, why)


@pytest.mark.parametrize(
    "text",
    [
        TWO.replace("def f(a):", "if args:\n  def f(a):\n")
        .replace("    use", "      use")
        .replace("def f(a, b", "else:\n  def f(a, b"),
        TWO.replace("f(1)", ""),
        TWO.replace("def f(a, b=0)", "f(2)\ndef f(a, b=0)"),
    ],
)
def test_one_that_may_be_called_is_not_out_of_the_way(text: str) -> None:
    found = cause(text)
    assert found is None or "two functions" not in found[1]


def test_who_sets_an_attribute_has_the_reason() -> None:
    text = """\
class Agent:
    def __init__(self, optimizer):
        self.opt = optimizer

    def train(self):
        use(self.opt)


"""
    why = "`optimizer` is a parameter of `Agent`, which nothing in this file calls"
    assert cause(text) == (2, why)
    assert cause(f"{text}Agent(make())\n") == (-2, "`make` is of another module, `utils`")


def test_what_is_known_is_not_to_blame() -> None:
    text = "model = tf.keras.Sequential()\nuse(tf.keras.utils.multi_gpu_model(model, 2))\n"
    found = cause(text)
    assert found is not None
    assert (found[0], "multi_gpu_model" in found[1]) == (2, True)
    assert cause("use(zip([1.0], [2.0]))") is None


@pytest.mark.parametrize("text", ["use(Adam(0.1))", "x = SGD(0.1)\nuse(x)", "use(lambda: 1)"])
def test_what_is_known_has_none(text: str) -> None:
    assert cause(text) is None


def test_a_way_back_ends() -> None:
    text = "".join(f"a{n} = a{n + 1}.b()\n" for n in range(MOST * 2))
    assert cause(text + "use(a0)") is None
    assert cause("a = a.b()\nuse(a)") is None


def test_long_expressions_are_cut() -> None:
    assert spelled(ast.parse("f(\n  'a')").body[0]) == "f('a')"
    assert len(spelled(ast.parse("f(" + "a" * 99 + ")").body[0])) < 40
