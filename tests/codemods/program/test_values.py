"""Values that go through containers, operators and the protocols of classes: all makers, no more."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.program.core import NO_LIBRARY
from distify.codemods.program.program import Program

VALUES: dict[str, tuple[str, list[str]]] = {
    "what a filter asks": (
        "def keep(x):\n    global SINK\n    SINK = x\n    return x\nlist(filter(keep, [1, 2]))\n",
        ["1", "2"],
    ),
    "what a map calls with": (
        "def keep(x):\n    global SINK\n    SINK = x\n    return x\nlist(map(keep, [1, 2]))\n",
        ["1", "2"],
    ),
    "a key of a dictionary is none of its values": (
        "d = {'a': 1}\nfor k in d:\n    SINK = k\n",
        [],
    ),
    "a key of a list of keys": ("d = {'a': 1}\nSINK = list(d)[0]\n", []),
    "a walrus in a loop": (
        "def f(xs):\n    y = 0\n    def g():\n        return y\n    while (y := next(xs)):\n        pass\n    return g\nSINK = f(iter([1, 2]))()\n",
        ["0", "1", "2"],
    ),
    "get": ("d = {'a': 1, 'b': 2}\nSINK = d.get('a')\n", ["1"]),
    "get default": ("d = {'a': 1}\nSINK = d.get('z', 3)\n", ["3"]),
    "get any": ("d = {'a': 1, 'b': 2}\nSINK = d.get(k, 3)\n", ["1", "2", "3"]),
    "setdefault": ("d = {'a': 1}\nd.setdefault('b', 2)\nSINK = d['b']\n", ["2"]),
    "setdefault gives": ("d = {'a': 1}\nSINK = d.setdefault('b', 2)\n", ["2"]),
    "pop": ("d = {'a': 1, 'b': 2}\nSINK = d.pop('b')\n", ["2"]),
    "values": ("d = {'a': 1, 'b': 2}\nfor v in d.values():\n    SINK = v\n", ["1", "2"]),
    "items": ("d = {'a': 1, 'b': 2}\nfor k, v in d.items():\n    SINK = v\n", ["1", "2"]),
    "copy": ("d = {'a': 1, 'b': 2}\nSINK = d.copy()['a']\n", ["1"]),
    "dict of dict": ("d = {'a': 1, 'b': 2}\nSINK = dict(d)['a']\n", ["1"]),
    "dict kw": ("SINK = dict(a=1, b=2)['a']\n", ["1"]),
    "dict star": ("d = {'a': 1}\nSINK = dict(**d, b=2)['a']\n", ["1"]),
    "dict of list": ("SINK = dict([('a', 1), ('b', 2)])['a']\n", ["1", "2"]),
    "list of tuple": ("t = (1, 2)\nSINK = list(t)[0]\n", ["1"]),
    "tuple of list": ("t = [1, 2]\nSINK = tuple(t)[1]\n", ["2"]),
    "set of list": ("for x in set([1, 2]):\n    SINK = x\n", ["1", "2"]),
    "filter": ("for x in filter(f, [1, 2]):\n    SINK = x\n", ["1", "2"]),
    "filter None": ("for x in filter(None, [1, 2]):\n    SINK = x\n", ["1", "2"]),
    "joined": ("SINK = ([1] + [2])[0]\n", ["1", "2"]),
    "joined dict": ("SINK = ({'a': 1} | {'b': 2})['b']\n", ["2"]),
    "times": ("SINK = ([1, 2] * 3)[4]\n", ["1", "2"]),
    "aug list": ("a = [1]\na += [2]\nSINK = a[1]\n", ["1", "2"]),
    "operator": (
        "class A:\n    def __add__(self, other):\n        return other\nSINK = A() + 1\n",
        ["1"],
    ),
    "decorated once": (
        "def twice(f):\n    def g():\n        return [f()]\n    return g\n@twice\ndef h():\n    return 1\nSINK = h()[0]\n",
        ["1"],
    ),
    "outer decorator": (
        "def a(f):\n    return f\ndef b(f):\n    return 2\n@a\n@b\ndef h(): return 1\nSINK = h\n",
        ["2"],
    ),
    "walrus": ("if (a := [1]):\n    SINK = a[0]\n", ["1"]),
    "walrus comp": ("c = [b for x in (1, 2) if (b := x)]\nSINK = b\n", ["1", "2"]),
    "setitem": (
        "class A:\n    def __setitem__(self, key, value):\n        self.kept = value\no = A()\no['a'] = 1\nSINK = o.kept\n",
        ["1"],
    ),
    "getitem": (
        "class A:\n    def __getitem__(self, key):\n        return 1\nSINK = A()['b']\n",
        ["1"],
    ),
    "getitem key": (
        "class A:\n    def __getitem__(self, key):\n        return key\nSINK = A()['b']\n",
        ["'b'"],
    ),
    "iter": (
        "class A:\n    def __iter__(self):\n        yield 1\nfor x in A():\n    SINK = x\n",
        ["1"],
    ),
    "enter": (
        "class A:\n    def __enter__(self):\n        return 1\n    def __exit__(self, *e): pass\nwith A() as x:\n    SINK = x\n",
        ["1"],
    ),
    "swallow not": (
        "class A:\n    def __enter__(self): return self\n    def __exit__(self, *e): pass\na = 0\nwith A():\n    a = f()\n    a = 2\nSINK = a\n",
        ["2"],
    ),
    "swallow": (
        "class A:\n    def __enter__(self): return self\n    def __exit__(self, *e): return True\na = 0\nwith A():\n    f()\n    a = 2\nSINK = a\n",
        ["0", "2"],
    ),
    "star target": ("a, *b = [1, 2, 3]\nSINK = b[0]\n", ["2"]),
    "star target 2": ("a, *b, c = [1, 2, 3]\nSINK = c\n", ["3"]),
    "nested list": ("[a, [b]] = [1, [2]]\nSINK = b\n", ["2"]),
    "default dict": (
        "from collections import defaultdict\nd = defaultdict(list)\nd['a'].append(1)\nSINK = d['a'][0]\n",
        ["1"],
    ),
    "lambda default": ("f = lambda x=1: x\nSINK = f()\n", ["1"]),
    "kwonly": ("def f(*, a=1):\n    return a\nSINK = f(a=2)\n", ["2"]),
    "args": ("def f(*a):\n    return a[1]\nSINK = f(1, 2)\n", ["2"]),
    "kwargs": ("def f(**k):\n    return k['b']\nSINK = f(a=1, b=2)\n", ["2"]),
    "generator": ("def f():\n    yield 1\n    return 2\nfor x in f():\n    SINK = x\n", ["1"]),
    "yield from": (
        "def f():\n    return [1]\ndef g():\n    yield from f()\nfor x in g():\n    SINK = x\n",
        ["1"],
    ),
    "try": ("try:\n    a = 1\nexcept E:\n    a = 2\nelse:\n    a = 3\nSINK = a\n", ["2", "3"]),
    "finally": ("try:\n    a = f()\nfinally:\n    a = 2\nSINK = a\n", ["2"]),
    "while else": ("a = 1\nwhile x:\n    if y: break\nelse:\n    a = 2\nSINK = a\n", ["1", "2"]),
    "never": ("import sys\na = 1\nif x:\n    a = 2\n    raise E\nSINK = a\n", ["1"]),
    "zip": ("for a, b in zip([1], [2]):\n    SINK = b\n", ["2"]),
    "sorted": ("SINK = sorted([2, 1])[0]\n", ["1", "2"]),
    "reversed": ("for a in reversed([1, 2]):\n    SINK = a\n", ["1", "2"]),
    "map": ("def f(x):\n    return [x]\nfor a in map(f, [1]):\n    SINK = a[0]\n", ["1"]),
    "next": ("SINK = next(iter([1, 2]))\n", ["1", "2"]),
    "next default": ("SINK = next(iter([]), 3)\n", ["3"]),
    "partial": (
        "from functools import partial\ndef f(a, b):\n    return b\nSINK = partial(f, 1)(2)\n",
        ["2"],
    ),
    "super": (
        "class A:\n    def m(self):\n        return 1\nclass B(A):\n    def m(self):\n        return super().m()\nSINK = B().m()\n",
        ["1"],
    ),
    "static": (
        "class A:\n    @staticmethod\n    def m(x):\n        return x\nSINK = A.m(1)\n",
        ["1"],
    ),
    "classmethod": (
        "class A:\n    y = 1\n    @classmethod\n    def m(cls):\n        return cls.y\nSINK = A.m()\n",
        ["1"],
    ),
    "closure": ("def f(x):\n    def g():\n        return x\n    return g\nSINK = f(1)()\n", ["1"]),
    "getattr": ("class A:\n    x = 1\nSINK = getattr(A(), 'x')\n", ["1"]),
    "setattr f": ("class A:\n    pass\no = A()\nsetattr(o, 'x', 1)\nSINK = o.x\n", ["1"]),
    "namedtuple": (
        "from typing import NamedTuple\nclass A(NamedTuple):\n    a: int\n    b: int\nSINK = A(1, 2).b\n",
        ["2"],
    ),
    "dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    a: int\n    b: int = 3\nSINK = A(1).b\n",
        ["3"],
    ),
    "append": (
        "a = []\na.append(1)\na.insert(0, 2)\na.extend([3])\nSINK = a[0]\n",
        ["1", "2", "3"],
    ),
    "neg": ("SINK = [1, 2][-1]\n", ["2"]),
    "update": ("d = {}\nd.update({'a': 1}, b=2)\nSINK = d['b']\n", ["2"]),
    "update d": ("d = {}\nd.update({'a': 1}, b=2)\nSINK = d['a']\n", ["1"]),
    "deco class": ("def d(c):\n    return c\n@d\nclass A:\n    x = 1\nSINK = A.x\n", ["1"]),
    "fork": ("SINK = [x for x in [1, 2]][0]\n", ["1", "2"]),
    "dictcomp": ("SINK = {k: v for k, v in [('a', 1)]}['a']\n", ["1"]),
    "comp cond": ("SINK = [x for x in [[1]] if x][0][0]\n", ["1"]),
    "chain": ("import itertools\nfor x in itertools.chain([1], [2]):\n    SINK = x\n", ["1", "2"]),
    "raise in else": (
        "a = 1\nfor i in x:\n    a = 2\n    continue\n    a = 3\nSINK = a\n",
        ["1", "2"],
    ),
    "break test": (
        "a = 1\nwhile True:\n    a = 2\n    if x:\n        break\n    a = 3\nSINK = a\n",
        ["2"],
    ),
}


def makers(text: str) -> tuple[list[str], bool]:
    """What makes the value that is bound to SINK last, and whether that is all."""
    program = Program({"main": text}, NO_LIBRARY)
    stores = [n for n in ast.walk(program.modules["main"]) if isinstance(n, ast.Assign)]
    value = [s.value for s in stores if getattr(s.targets[0], "id", "") == "SINK"][-1]
    found = program.origins(value)
    return sorted(ast.unparse(node) for node in found.nodes), found.complete


@pytest.mark.parametrize("name", VALUES)
def test_a_value_comes_from_what_makes_it(name: str) -> None:
    text, made = VALUES[name]
    assert makers(text) == (made, True)


@pytest.mark.parametrize(
    "value",
    [
        "list(x)[0]",
        "dict(x)['a']",
        "{**x, 'a': 1}['b']",
        "[1, *x][1]",
        "next(filter(None, x))",
        "[a for a in x][0]",
        "next(b for a, b in zip([1], x))",
    ],
)
def test_what_is_in_what_nobody_knows_is_unknown(value: str) -> None:
    assert not makers(f"def f(x):\n    SINK = {value}\n")[1]
