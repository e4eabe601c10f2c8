"""Making instances, data classes and named tuples; calling functions with all kinds of arguments."""

from __future__ import annotations

import pytest

from made import deciding, made, turns

MADE: dict[str, set[str]] = {
    "class A:\n    def __init__(self, x):\n        self.x = x\nSINK = A(1).x": {"1"},
    "class A:\n    def __init__(self, x):\n        self.x = x\nA(2)\nSINK = A(1).x": {"1", "2"},
    "class A:\n    def __new__(cls):\n        return 1\nSINK = A()": {"1", "instance"},
    "class A:\n    def __new__(cls):\n        return cls\nSINK = A()": {"class", "instance"},
    "class A(metaclass=c):\n    pass\nSINK = A()": {"?", "instance"},
    "@dataclasses.dataclass\nclass A:\n    a: int\n    b: int = 2\nSINK = A(1).a": {"1"},
    "@dataclasses.dataclass\nclass A:\n    a: int\n    b: int = 2\nSINK = A(1).b": {"2"},
    "@dataclasses.dataclass\nclass A:\n    a: int\n    b: int = 2\nSINK = A(1, 3).b": {"2", "3"},
    "@dataclasses.dataclass\nclass A:\n    a: int\n    b: int = 2\nSINK = A(b=1, a=3).b": {"1", "2"},
    "@dataclasses.dataclass(frozen=True)\nclass A:\n    a: int\nSINK = A(1).a": {"1"},
    "@dataclasses.dataclass\nclass A:\n    a: int\n@dataclasses.dataclass\nclass B(A):\n    b: int\nSINK = B(1, 2).a": {"1"},
    "@dataclasses.dataclass\nclass A:\n    a: int\n@dataclasses.dataclass\nclass B(A):\n    b: int\nSINK = B(1, 2).b": {"2"},
    "@dataclasses.dataclass\nclass A:\n    a: int\nSINK = A(*d).a": {"?"},
    "@dataclasses.dataclass\nclass A:\n    a: int\nSINK = A(**d).a": {"?"},
    "@dataclasses.dataclass\nclass A:\n    a: int\n    def __post_init__(self):\n        self.b = 2\nSINK = A(1).b": {"2"},
    "class A(typing.NamedTuple):\n    a: int\n    b: int = 2\nSINK = A(1).b": {"2"},
    "class A(typing.NamedTuple):\n    a: int\n    b: int = 2\nSINK = A(1).a": {"1"},
    "class A(typing.NamedTuple):\n    a: int\n    b: int = 2\nSINK = A(1, 3)[1]": {"3"},
    "def f(a, b=2):\n    return b\nSINK = f(1)": {"2"},
    "def f(a, b=2):\n    return b\nSINK = f(1, 3)": {"3"},
    "def f(a, b=2):\n    return b\nSINK = f(1, b=3)": {"3"},
    "def f(a, b):\n    return a\nSINK = f(b=1, a=2)": {"2"},
    "def f(a, /, b):\n    return a\nSINK = f(1, b=2)": {"1"},
    "def f(a, /, **k):\n    return k['a']\nSINK = f(1, a=2)": {"2"},
    "def f(a, *, b=2):\n    return b\nSINK = f(1)": {"2"},
    "def f(a, *, b):\n    return b\nSINK = f(1, b=3)": {"3"},
    "def f(*a):\n    return a[1]\nSINK = f(1, 2)": {"2"},
    "def f(a, *b):\n    return b[0]\nSINK = f(1, 2, 3)": {"2"},
    "def f(a, *b):\n    return b[1]\nSINK = f(1, *[2, 3])": {"2", "3"},
    "def f(a, b):\n    return b\nSINK = f(*[1, 2])": {"2"},
    "def f(a, b):\n    return a\nSINK = f(*[1, 2])": {"1"},
    "def f(a, b, e):\n    return e\nSINK = f(1, *[2, 3])": {"3"},
    "def f(a, b, e):\n    return b\nSINK = f(1, *[2, 3])": {"2"},
    "def f(a, b, e):\n    return e\nSINK = f(*[1], *[2, 3])": {"2", "3"},
    "def f(a, b):\n    return b\nSINK = f(*[1], 2)": {"2"},
    "def f(a, b=4):\n    return b\nSINK = f(*[1, 2])": {"2", "4"},
    "def f(a, b=4):\n    return b\nSINK = f(1, *d)": {"4", "<0>"},
    "def f(a, b):\n    return b\nSINK = f(**{'a': 1, 'b': 2})": {"2"},
    "def f(a, b=4):\n    return b\nSINK = f(1, **{'b': 2})": {"2", "4"},
    "def f(a, b=4):\n    return b\nSINK = f(1, 2, **d)": {"2"},
    "def f(a, b=4):\n    return b\nSINK = f(1, **d)": {"4", "<b>"},
    "def f(**k):\n    return k['b']\nSINK = f(a=1, b=2)": {"2"},
    "def f(**k):\n    return k['b']\nSINK = f(**{'a': 1, 'b': 2})": {"2"},
    "def f(**k):\n    return k['b']\nSINK = f(**d)": {"<None>"},
    "def f(a, **k):\n    return k['a']\nSINK = f(**{'a': 1, 'b': 2})": {"?"},
    "def f(**k):\n    return g(**k)\ndef g(a, b):\n    return b\nSINK = f(a=1, b=2)": {"2"},
    "def f(*a):\n    return g(*a)\ndef g(a, b):\n    return b\nSINK = f(1, 2)": {"2"},
    "f = lambda a, b=2: b\nSINK = f(1)": {"2"},
    "f = lambda *a: a[0]\nSINK = f(1)": {"1"},
    "def f(a=d):\n    return a\nSINK = f()": {"lib.d"},
    "def f():\n    pass\nSINK = f()": {"None"},
    "def f():\n    return\nSINK = f()": {"None"},
    "def f():\n    def g():\n        return 1\nSINK = f()": {"None"},
    "def f():\n    if c():\n        return 1\n    return 2\nSINK = f()": {"1", "2"},
    "def f(a):\n    return f(a) if c() else a\nSINK = f(1)": {"1"},
    "async def f():\n    return 1\nasync def g():\n    global SINK\n    SINK = await f()": {"1"},
    "async def f():\n    return 1\nSINK = f()": {"coroutine"},
    "def f():\n    yield 1\n    return 2\nSINK = list(f())[0]": {"1"},
    "def f():\n    yield from [1, 2]\nSINK = next(f())": {"1", "2"},
    "def f():\n    a = yield\n    global SINK\n    SINK = a": {"?"},
    "SINK = c(1)": {"lib.c()"},
    "SINK = c.x.y(1)": {"lib.c.x.y()"},
    "a = [1]\nc(a)\nSINK = a[0]": {"1", "?"},
    "a = [1]\nc(*a)\nSINK = a[0]": {"1"},
    "a = [[1]]\nc(*a)\nSINK = a[0][0]": {"1", "?"},
    "a = [1]\nc(key=a)\nSINK = a[0]": {"1", "?"},
    "a = {'x': [1]}\nc(**a)\nSINK = a['x'][0]": {"1", "?"},
    "a = {'x': 1}\nc(**a)\nSINK = a['x']": {"1"},
    "def f(a):\n    a(1)\n    b = [1]\n    a(b)\n    global SINK\n    SINK = b[0]": {"1", "?"},
    "def f(a):\n    global SINK\n    SINK = a()": {"?"},
    "def f(a):\n    global SINK\n    SINK = a\nc(f)": {"?"},
    "def f(a):\n    global SINK\n    SINK = a\nc([f])\nf(1)": {"1", "?"},
    "@c\ndef f(a):\n    return 1\nSINK = f": {"lib.c()"},
    "def w(f):\n    return lambda: [f()]\n@w\ndef f():\n    return 1\nSINK = f()[0]": {"1"},
    "def v(f):\n    return lambda: (f(), 2)\ndef w(f):\n    return lambda: [f()]\n@v\n@w\ndef f():\n    return 1\nSINK = f()[0][0]": {"1"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "class A:\n    def __init__(self):\n        if c():\n            self.x = 2\nSINK = A().x": {"lib.c()"},
    "def f():\n    if c():\n        return 1\n    return 2\nSINK = f()": {"lib.c()"},
    "def f():\n    if c():\n        yield 1\n    yield 2\nSINK = next(f())": {"lib.c()"},
    "def f(a):\n    global SINK\n    SINK = a\nif c():\n    f(1)": set(),
    "def f(a):\n    return a\nSINK = f(1 if c() else 2)": {"lib.c()"},
}  # fmt: skip

TURNS: dict[str, set[str]] = {
    "def f():\n    if c():\n        yield 1\nfor a in f():\n    pass": {"lib.c()"},
    "def f():\n    while c():\n        yield 1\nfor a in f():\n    pass": {"lib.c()"},
    "def f():\n    yield 1\nfor a in f():\n    pass": set(),
    "def f(*a):\n    return a\nfor a in f(1, 2):\n    pass": set(),
}  # fmt: skip


@pytest.mark.parametrize("text", MADE)
def test_what_makes_a_value(text: str) -> None:
    assert made(text) == MADE[text]


@pytest.mark.parametrize("text", DECIDING)
def test_what_decides_which_value_it_is(text: str) -> None:
    assert deciding(text) == DECIDING[text]


@pytest.mark.parametrize("text", TURNS)
def test_what_decides_how_often_a_loop_runs(text: str) -> None:
    assert turns(text) == TURNS[text]
