"""The work grows with the size of a program, not faster: steps are counted, not seconds."""

from __future__ import annotations

import math

import pytest

from distify.codemods.facts.role_domain import ROLE
from distify.codemods.program.graph import TooLarge
from distify.codemods.program.program import Program
from flows.asking import HEAD, QUESTIONS, VALUES, sink

DATASET = f"ds = {VALUES['dataset']}\n"
# name: (before, each, behind, sizes): `{i}` is the number, `{j}` the next one, `{n}` how many
SHAPES: dict[str, tuple[str, str, str, int]] = {
    "pipeline that is reassigned": (DATASET, "ds = ds.map(f{i})\n", "SINK = ds\n", 250),
    "the same in a loop": (
        DATASET + "for e in x:\n",
        "    ds = ds.map(f{i})\n",
        "SINK = ds\n",
        250,
    ),
    "ifs": (DATASET, "if c{i}:\n    ds = ds.map(f{i})\n", "SINK = ds\n", 250),
    "ifs with other names": ("", "if c{i}:\n    v{i} = f{i}()\n", "SINK = v1\n", 250),
    "elif": (
        DATASET + "if c:\n    a = 1\n",
        "elif c{i}:\n    a = ds.map(f{i})\n",
        "SINK = a\n",
        125,
    ),
    "functions that call each other": (
        "def f0():\n    return 1\n",
        "def f{j}():\n    return f{i}()\n",
        "SINK = f{n}()\n",
        250,
    ),
    "one function with many callers": (
        "def g(x):\n    return x\n",
        "def f{i}(x):\n    y = g(x)\n    return y\nf{i}(f{i})\n",
        "SINK = f1(2)\n",
        250,
    ),
    "class depth": (
        "class C0:\n    def __init__(self):\n        self.k = 1\n    def f(self):\n"
        "        return self.k\n",
        "class C{j}(C{i}):\n    pass\n",
        "SINK = C{n}().f()\n",
        250,
    ),
    "classes with methods": (
        "a = 1\n",
        "class C{i}:\n    def __init__(self, m):\n        self.m = m\n    def f(self):\n"
        "        return self.m.f()\na = C{i}(a)\n",
        "SINK = a\n",
        125,
    ),
    "early returns": (
        DATASET + "def g():\n",
        "    if c{i}:\n        return ds.map(f{i})\n",
        "    return ds\nSINK = g()\n",
        250,
    ),
    "breaks in one loop": (
        DATASET + "while x:\n",
        "    a{i} = ds\n    if c{i}:\n        break\n",
        "SINK = a1\n",
        125,
    ),
    "plain assignments": ("", "v{i} = {i}\n", "SINK = v1\n", 500),
    "one name again and again": ("a = 1\n", "a = a + {i}\n", "SINK = a\n", 500),
    "append": ("s = []\n", "s.append(f{i}())\n", "SINK = s[0]\n", 500),
    "a dictionary with many keys": ("d = {{}}\n", "d['k{i}'] = f{i}()\n", "SINK = d['k1']\n", 250),
    "copies of a dictionary": ("d = {{'k': 1}}\n", "d = dict(d)\n", "SINK = d['k']\n", 250),
    "tries": (
        DATASET,
        "try:\n    ds = ds.map(f{i})\nexcept E:\n    ds = ds\nfinally:\n    g()\n",
        "SINK = ds\n",
        125,
    ),
    "layers": ("x = keras.Input((4,))\n", "x = keras.layers.Dense(3)(x)\n", "SINK = x\n", 250),
    "callbacks in one list": (
        "s = [\n",
        "    keras.callbacks.EarlyStopping(),\n",
        "]\nSINK = s[0]\n",
        250,
    ),
    "methods of one class": (
        "class C:\n    def f0(self):\n        return 1\n",
        "    def f{j}(self):\n        return self.f{i}()\n",
        "SINK = C().f{n}()\n",
        125,
    ),
    "attributes of one class": (
        "class C:\n    def __init__(self):\n        self.a0 = 1\n",
        "        self.a{j} = self.a{i}\n",
        "SINK = C().a{n}\n",
        250,
    ),
    "withs": (DATASET, "with f{i}():\n    ds = ds.map(f{i})\n", "SINK = ds\n", 125),
    "nested lists": ("a = 1\n", "a = [a]\n", "SINK = a\n", 250),
    "slices": ("a = [1, 2]\n", "a = a[1:]\n", "SINK = a[0]\n", 250),
    "lists that are added": ("a = [1]\n", "a = a + [{i}]\n", "SINK = a[0]\n", 250),
    "stores under conditions": (
        "class C:\n    def f(self):\n",
        "        if c{i}:\n            self.a = {i}\n",
        "SINK = C().a\n",
        250,
    ),
}


def text(shape: str, size: int) -> str:
    before, each, behind, _ = SHAPES[shape]
    lines = "".join(each.format(i=i, j=i + 1) for i in range(size))
    return before.format() + lines + behind.format(n=size)


def steps(shape: str, size: int) -> int:
    found = Program({"main": HEAD + text(shape, size)}, QUESTIONS)
    found.value(ROLE, sink(found))
    for n in range(found.size):
        found.value(ROLE, n)
    return found.steps


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_size_is_twice_the_work(shape: str) -> None:
    size = SHAPES[shape][3]
    exponent = math.log(steps(shape, 2 * size) / steps(shape, size), 2)
    assert exponent <= 1.1, exponent


def test_all_variables_of_a_choice_share_its_tests() -> None:
    def chosen(count: int) -> int:
        arms = "".join(f"elif c{i}:\n    a{i} = {i}\n" for i in range(count))
        uses = "".join(f"b{i} = a{i}\n" for i in range(count))
        return Program({"main": f"{HEAD}if c:\n    a = 1\n{arms}{uses}"}, QUESTIONS).steps

    assert math.log(chosen(200) / chosen(100), 2) <= 1.1


def test_a_long_chain_of_calls_needs_no_recursion() -> None:
    found = Program({"main": f"{HEAD}SINK = {VALUES['dataset']}{'.map(f)' * 1000}\n"}, QUESTIONS)
    assert found.value(ROLE, sink(found)) == {"dataset"}


@pytest.mark.parametrize("shape", ["functions that call each other", "class depth", "nested lists"])
def test_depth_needs_no_recursion(shape: str) -> None:
    assert steps(shape, 2000) > 2000


@pytest.mark.parametrize(
    "text",
    [
        "s = []\ns.append(s)\nfrom somewhere import f\nf(s)\n",
        "s = []\nfor e in x:\n    s = [s, s[1:], *s]\nf(s)\n",
        "s = ['x']\nfor e in x:\n    s = s[1:]\n",
        "a = (1, 2)\nfor e in x:\n    a, *b = b, *a, a\n",
        "d = {}\nfor e in x:\n    d = dict(d, d=d)\nf(**d)\n",
        "f = print\nfor e in x:\n    f = functools.partial(f, f)\nf(f)\n",
        "class C:\n    pass\nC.__call__ = C()\nC()()\n",
        "class C:\n    def __iter__(self):\n        return C()\n    __next__ = __enter__ = __iter__\nfor a in C():\n    with a as b:\n        next(b)[0]\n",
        "class C(C):\n    pass\nC().a.b\n",
        "class A(B, object):\n    pass\nclass B(A, object):\n    pass\nB().a\n",
        "def f(g):\n    return f(f)(g)\nf(f)(f(f))\n",
        "f = lambda g: g(g)\nf(f)\n",
        "s = map(lambda a: s, [1])\nnext(next(s))\n",
        "def g():\n    yield from g()\n    yield g\nfor a in g():\n    a()\n",
    ],
)
def test_what_holds_itself_comes_to_an_end(text: str) -> None:
    found = Program({"main": HEAD + text}, QUESTIONS, budget=20_000)
    for n in range(found.size):
        found.value(ROLE, n)
    assert found.steps < 20_000


def test_a_budget_ends_the_work() -> None:
    with pytest.raises(TooLarge, match=r"after [\d,]+ steps") as caught:
        Program({"main": text("ifs", 100)}, QUESTIONS, budget=500)
    assert 500 < caught.value.steps < 1000


def test_a_budget_counts_questions_too() -> None:
    source = {"main": HEAD + text("ifs", 100)}
    free = Program(source, QUESTIONS)
    found = Program(source, QUESTIONS, budget=free.steps + 20)
    with pytest.raises(TooLarge):
        [found.value(ROLE, n) for n in range(found.size)]


@pytest.mark.parametrize(
    "text",
    [
        "s = []\ns.append(s)\nunknown(s)\n",
        "d = {}\nd['d'] = [d]\nunknown(d)\n",
        "def f(*a):\n    unknown(f, a)\n    f(a)\nf(1)\n",
        "def f(x):\n    return [f(y) for y in x]\nunknown(f(z))\n",
    ],
)
def test_what_holds_itself_is_handed_out_once(text: str) -> None:
    Program({"m": text}, budget=2_000)
