"""Functions, classes, imports, and the plain assignments: what a name is bound to."""

from __future__ import annotations

from made import Ask, cases, deciding, made

MADE: dict[str, set[str]] = {
    "a = b = 1\nSINK = a": {"1"},
    "a: int = 1\nSINK = a": {"1"},
    "a = 1\na: int\nSINK = a": {"1"},
    "a, (b, *e) = 1, (2, 3)\nSINK = e[0]": {"3"},
    "a = 1\na += 2\nSINK = a": {"<BinOp>"},
    "a = 1\ndel a\nSINK = a": {"?"},
    "a = 1\nb = 2\ndel (b,)\nSINK = a": {"1"},
    "assert c(), (a := 1)\nSINK = 2": {"2"},
    "a = 1\nassert (a := c())\nSINK = a": {"lib.c()"},
    "a = 1\nassert c(), (a := 2)\nSINK = a": {"1"},
    "import x.y\nSINK = x": {"x"},
    "import x.y as z\nSINK = z": {"x.y"},
    "import x.y\nSINK = x.y": {"x.y"},
    "from x import y\nSINK = y": {"x.y"},
    "from x import y as z\nSINK = z": {"x.y"},
    "from . import y\nSINK = y": {".y"},
    "from x import *\nSINK = y": {"x.y"},
    "def f(a=(b := 1)):\n    pass\nSINK = b": {"1"},
    "class A:\n    b = 1\n    e = b\nSINK = A.e": {"1"},
    "b = 1\nclass A:\n    b = 2\n    def f(self):\n        return b\nSINK = A().f()": {"1"},
    "b = 1\nclass A(c(b := 2)):\n    pass\nSINK = b": {"2"},
    "a = 1\ndef f():\n    global a\n    a = 2\nf()\nSINK = a": {"1", "2"},
    "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n    g()\n    return a\nSINK = f()": {"1", "2"},
    "a = 1\ndef f():\n    return a\na = 2\nSINK = f()": {"2"},
    "a = 1\ndef f():\n    return a\nSINK = f()\na = 2": {"1"},
    "a = 1\ndef f():\n    return a\nb = f\na = 2\nSINK = b()": {"1", "2"},
    "a = 1\ndef f():\n    return a\ndef g():\n    return f()\na = 2\nSINK = g()": {"2"},
    "a = 1\nf = lambda: a\na = 2\nSINK = f()": {"1", "2"},
    "a = 1\nclass A:\n    def f(self):\n        return a\na = 2\nSINK = A().f()": {"1", "2"},
    "a = 1\ndef f():\n    yield a\nb = f()\na = 2\nSINK = next(b)": {"1", "2"},
    "a = 1\n@d\ndef f():\n    global SINK\n    SINK = a\na = 2": {"1", "2"},
    "a = 1\ndef f():\n    global SINK\n    SINK = a\nf()\na = 2": {"1"},
    "a = 1\ndef f():\n    global SINK\n    SINK = a\nf()\na = 2\nf()": {"1", "2"},
    "a = 1\nb = (a for i in c())\na = 2\nSINK = next(b)": {"1", "2"},
    "SINK = (lambda: 1)()": {"1"},
    "SINK = f'{c()}'": {"<JoinedStr>"},
    "SINK = ...": {"Ellipsis"},
    "SINK = None": {"None"},
    "SINK = b'x'": {"b'x'"},
    "SINK = [*[1]][0]": {"1"},
    "SINK = (1, 2)": {"tuple"},
    "SINK = {1}": {"set"},
    "SINK = (a := 1)": {"1"},
    "SINK = globals()['a']\na = 1": {"1"},
    "globals()['a'] = 1\nSINK = a": {"1"},
    "a = 1\nexec('a = 2')\nSINK = a": {"1", "?"},
    "SINK = exec('1')": {"?"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "if c():\n    a = 1\nelse:\n    a = 2\ndef f():\n    return a\nSINK = f()": {"lib.c()"},
    "a = 1\ndef f():\n    global a\n    a = 2\nif c():\n    f()\nSINK = a": {"lib.c()"},
    "a = 1\ndef f():\n    global a\n    if c():\n        a = 2\nf()\nSINK = a": {"lib.c()"},
}  # fmt: skip


@cases((made, MADE), (deciding, DECIDING))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
