"""Python's own functions that read, store and make things."""

from __future__ import annotations

from made import Ask, cases, deciding, made

MADE: dict[str, set[str]] = {
    "class A:\n    x = 1\nSINK = getattr(A, 'x', 2)": {"1", "2"},
    "class A:\n    x = 1\nSINK = getattr(A(), 'x')": {"1"},
    "class A:\n    x = 1\nSINK = getattr(A(), d())": {"?"},
    "class A:\n    x = 1\nSINK = getattr(A(), 3)": {"?"},
    "class A:\n    x = 1\nSINK = getattr(A())": {"?"},
    "class A:\n    x = 1\n    y = 2\nSINK = getattr(A(), 'y')": {"2"},
    "a = 'x'\nclass A:\n    x = 1\nSINK = getattr(A(), a)": {"?"},
    "class A:\n    pass\na = A()\nsetattr(a, 'x', 2)\nSINK = a.x": {"2"},
    "class A:\n    pass\na = A()\nsetattr(a, d(), 2)\nSINK = a.x": {"2"},
    "class A:\n    pass\na = A()\nsetattr(a, 'y', 1)\nsetattr(a, 'x', 2)\nSINK = a.x": {"2"},
    "class A:\n    pass\na = A()\nSINK = setattr(a, 'x', 2)": {"None"},
    "def f(a, b):\n    return a\nSINK = functools.partial(f, 1)(2)": {"1"},
    "def f(a, b):\n    return b\nSINK = functools.partial(f, 1)(2)": {"2"},
    "SINK = functools.partial()(1)": {"?"},
    "def f(a):\n    return a\nfor g in [functools.partial(f, 1), functools.partial(f, 2)]:\n"
    "    SINK = g()": {"1", "2"},
    "def f(**k):\n    return k['b']\nSINK = functools.partial(f, b=2)()": {"2"},
    "def f(**k):\n    return k['b']\nSINK = functools.partial(f, b=2)(b=3)": {"3"},
    "SINK = functools.partial(c, 1)()": {"lib.c()"},
    "def f(a):\n    global SINK\n    SINK = a\n    g(functools.partial(f, 1))\ng = functools.partial(f, 2)\ng()": {"2"},
    "SINK = argparse.Namespace(a=1, b=2).b": {"2"},
    "SINK = types.SimpleNamespace(a=1, b=2).b": {"2"},
    "SINK = types.SimpleNamespace(a=1, b=2).c": {"<c>"},
    "SINK = types.SimpleNamespace(**{'a': 1, 'b': 2}).b": {"2"},
    "SINK = types.SimpleNamespace(**d).b": {"?"},
    "SINK = types.SimpleNamespace(a=1, **d).a": {"1", "?"},
    "SINK = types.SimpleNamespace(a=1, **{'b': 2}).a": {"1"},
    "SINK = types.SimpleNamespace(**[1]).b": {"?"},
    "A = collections.namedtuple('A', 'a b')\nSINK = A(1, 2).b": {"2"},
    "A = collections.namedtuple('A', 'a, b')\nSINK = A(1, 2)[1]": {"2"},
    "A = collections.namedtuple('A', 'a b')\nSINK = A(1, 2)[0]": {"1"},
    "A = collections.namedtuple('A', 'a,b')\nSINK = A(1, 2).a": {"1"},
    "A = collections.namedtuple('A', ['a', 'b'])\nSINK = A(1, b=2).b": {"2"},
    "A = collections.namedtuple('A', ('a', 'b'))\nSINK = A(b=2, a=1).a": {"1"},
    "A = collections.namedtuple('A', field_names=('a', 'b'))\nSINK = A(1, 2).b": {"2"},
    "A = collections.namedtuple('A', ['a', d])\nSINK = A(1, 2).a": {"?"},
    "A = collections.namedtuple('A', d)\nSINK = A(1, 2).a": {"?"},
    "A = collections.namedtuple('A')\nSINK = A(1, 2).a": {"?"},
    "A = collections.namedtuple('A', 3)\nSINK = A(1, 2).a": {"?"},
    "A = collections.namedtuple('A', 'a b', defaults=[3])\nSINK = A(1).b": {"?"},
    "A = collections.namedtuple('A', 'a b')\nSINK = A(1).b": {"?"},
    "A = collections.namedtuple('A', 'a b')\nx, y = A(1, 2)\nSINK = y": {"2"},
    "SINK = typing.cast(int, 1)": {"1"},
    "SINK = typing.cast(int)": {"?"},
    "SINK = typing.cast(*d)": {"?"},
    "def w(f):\n    @functools.wraps(f)\n    def g():\n        return 1\n    return g\n@w\ndef h(): return 2\nSINK = h()": {"1"},
    "SINK = functools.wraps(c)(1)": {"1"},
    "SINK = functools.wraps(c)()": {"?"},
    "@dataclasses.dataclass\nclass A:\n    a: list = dataclasses.field(default_factory=lambda: 1)\nSINK = A().a": {"1"},
    "@dataclasses.dataclass\nclass A:\n    a: int = dataclasses.field(default=1)\nSINK = A().a": {"1"},
    "@dataclasses.dataclass\nclass A:\n    a: int = dataclasses.field()\nSINK = A(2).a": {"2"},
    "@dataclasses.dataclass\nclass A:\n    a: int = dataclasses.field(init=False)\nSINK = A().a": {"<a>"},
    "class A:\n    pass\na = A()\na.x = 1\nvars(a)['x'] = 2\nSINK = a.x": {"1", "2", "?"},
    "a = {'x': 1}\nb = vars(a)\nSINK = a['x']": {"1", "?"},
    "SINK = vars(c)": {"?"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "class A:\n    x = 0\na = A()\nif c():\n    setattr(a, 'x', 2)\nSINK = a.x": {"lib.c()"},
}  # fmt: skip


@cases((made, MADE), (deciding, DECIDING))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
