"""A value is the same on all workers only if nothing that decides about it differs."""

from __future__ import annotations

import pytest

from distify.codemods.facts.own_values import KINDS
from distify.codemods.judge.own import ELSEWHERE, RAISED, Level, Own, Owners
from flows.asking import program, sink

HEAD = "import time, os, sys\nimport horovod.tensorflow as hvd\n"


def agreement(text: str) -> Own:
    """What is seen of it: nothing is assumed of code out of sight."""
    found = program(HEAD + text)
    return Owners(found, KINDS, True, assumed=lambda name: False).of(sink(found))


@pytest.mark.parametrize(
    "text",
    [
        "SINK = 1 + 2\n",
        "SINK = hvd.size() * 2\n",
        "a = [1, 2]\nSINK = len(a)\n",
        "SINK = [1, 2].index(2)\n",
        "def f():\n    if hvd.size() > 1:\n        return 1\n    return 2\nSINK = f()\n",
        "a = 1\nif hvd.rank() == 0:\n    print(a)\nSINK = a\n",
        "class T:\n    def __init__(self):\n        self.a = 1\n    def go(self):\n        if hvd.size() > 1:\n            self.a = 2\nt = T()\nt.go()\nSINK = t.a\n",
        "def f(n):\n    return n * 2\nSINK = f(3)\n",
        "import argparse\nSINK = argparse.ArgumentParser(description=__doc__).parse_args().steps\n",
        "SINK = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'a')\n",
        "a = 1\nfor i in range(3):\n    a = a + i\nSINK = a\n",
    ],
)
def test_what_only_shared_values_decide_is_the_same(text: str) -> None:
    assert agreement(text) == Own(Level.SAME)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SINK = json.load(f, object_hook=lambda d: SimpleNamespace(**d)).a\n", Level.READ),
        ("SINK = json.load(f, object_hook=lambda d: time.time())\n", Level.OWN),
        ("SINK = json.load(f, object_hook=foreign.Munch).a\n", Level.READ),
        ("SINK = SimpleNamespace(**json.load(f)).a\n", Level.READ),
        ("SINK = SimpleNamespace(a=time.time(), **json.load(f)).a\n", Level.OWN),
        ("SINK = SimpleNamespace(**read()).a\n", Level.UNKNOWN),
    ],
)
def test_what_becomes_of_parts_of_a_file_is_as_the_file(text: str, expected: Level) -> None:
    head = "import json, foreign\nfrom types import SimpleNamespace\nf = open('a.json')\n"
    assert agreement(head + text).level is expected


@pytest.mark.parametrize(
    "text",
    [
        "SINK = hvd.rank()\n",
        "SINK = time.time() + 1\n",
        "a = 1\nif hvd.rank() == 0:\n    a = 2\nSINK = a\n",
        "a = 1 if hvd.rank() else 2\nSINK = a\n",
        "a = hvd.rank() and 2\nSINK = a\n",
        # a return under a condition, also an early one
        "def f():\n    if hvd.rank() == 0:\n        return 1\n    return 2\nSINK = f()\n",
        "def f():\n    a = 1\n    if hvd.rank() == 0:\n        return a\n    a = 2\n    return a\nSINK = f()\n",
        "def f():\n    for i in range(hvd.rank()):\n        return 1\n    return 2\nSINK = f()\n",
        # a store under a condition
        "class T:\n    a = 1\nt = T()\nif hvd.rank() == 0:\n    t.a = 2\nSINK = t.a\n",
        "d = {'a': 1}\nif hvd.rank() == 0:\n    d['a'] = 2\nSINK = d['a']\n",
        "s = [1]\nif hvd.rank() == 0:\n    s.append(2)\nSINK = s[-1]\n",
        "s = [1]\nif hvd.rank() == 0:\n    s.reverse()\nSINK = s[0]\n",
        "s = [1]\nif hvd.rank() == 0:\n    s += [2]\nSINK = s[-1]\n",
        "d = {}\nif hvd.rank() == 0:\n    d.update(a=2)\nSINK = d.get('a', 1)\n",
        "g = 1\ndef f():\n    global g\n    g = 2\nif hvd.rank() == 0:\n    f()\nSINK = g\n",
        # a store in a function that is called under a condition
        "class T:\n    def __init__(self):\n        self.a = 1\n    def go(self):\n        self.a = 2\nt = T()\nif hvd.rank() == 0:\n    t.go()\nSINK = t.a\n",
        "class T:\n    def __init__(self):\n        self.a = 1\n    def go(self):\n        if hvd.rank():\n            return\n        self.a = 2\nt = T()\nt.go()\nSINK = t.a\n",
        "a = 1\nwhile True:\n    if hvd.rank():\n        break\n    a = 2\n    break\nSINK = a\n",
        "a = 0\nfor i in range(3):\n    if hvd.rank():\n        continue\n    a = i\nSINK = a\n",
        "a = 0\nfor i in range(hvd.rank()):\n    a = 1\nSINK = a\n",
        "def g():\n    if hvd.rank():\n        yield 1\n    yield 2\nSINK = next(g())\n",
        "SINK = [a for a in [1, 2] if hvd.rank()][0]\n",
        # what a method of a list computes, of its elements and of what it is called with
        "SINK = [hvd.rank(), 1].index(1)\n",
        "SINK = [0, 1].count(hvd.rank())\n",
        "SINK = max(hvd.rank(), 1)\n",
    ],
)
def test_what_a_worker_decides_for_itself_differs(text: str) -> None:
    assert agreement(text).level is Level.OWN


@pytest.mark.parametrize(
    "text",
    [
        "from somewhere import a\nSINK = a\n",
        "from somewhere import f\nSINK = f()\n",
        "def f(a):\n    global g\n    g = a\ng = 1\nSINK = g\n",
        "a = 1\ntry:\n    a = int(open('x').read())\nexcept OSError:\n    pass\nSINK = a\n",
        "from somewhere import run\nclass T:\n    a = 1\n    def go(self):\n        self.a = 2\nt = T()\nrun(t.go)\nSINK = t.a\n",
        "from somewhere import c\na = 1\nif c():\n    a = 2\nSINK = a\n",
        "def f():\n    pass\nf.a = time.time()\nSINK = f.a\n",
        "class D(dict):\n    def __missing__(self, k):\n        return time.time()\nSINK = D()['k']\n",
        "import types\nn = types.SimpleNamespace()\nn.__dict__['k'] = time.time()\nSINK = n.k\n",
        "a = 1\ntry:\n    f()\n    a = 2\nexcept E:\n    pass\nSINK = a\n",
    ],
)
def test_what_cannot_be_followed_is_never_the_same(text: str) -> None:
    found = agreement(text)
    assert found.level > Level.SAME or found.kind in (RAISED, ELSEWHERE)
