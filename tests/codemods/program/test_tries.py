"""`try` and `with`: which bindings get behind them, what decides that."""

from __future__ import annotations

from made import Ask, cases, made

MADE: dict[str, set[str]] = {
    "a = 0\ntry:\n    a = 1\nexcept E:\n    a = 2\nSINK = a": {"1", "2"},
    "a = 0\ntry:\n    a = c()\nexcept E:\n    pass\nSINK = a": {"0", "lib.c()"},
    "a = 0\ntry:\n    c()\n    a = 1\nexcept E:\n    SINK = a": {"0", "1"},
    "a = 0\ntry:\n    a = 1\n    c()\nexcept E:\n    SINK = a": {"0", "1"},
    "a = 0\ntry:\n    a = 1\nexcept E:\n    a = 2\nelse:\n    a = 3\nSINK = a": {"2", "3"},
    "a = 0\ntry:\n    a = 1\nexcept E:\n    raise\nSINK = a": {"1"},
    "a = 0\ntry:\n    a = 1\nfinally:\n    a = 2\nSINK = a": {"2"},
    "a = 0\ntry:\n    a = c()\nfinally:\n    SINK = a": {"0", "lib.c()"},
    "a = 0\ntry:\n    c()\nexcept E:\n    a = 1\nexcept F:\n    a = 2\nSINK = a": {"0", "1", "2"},
    "try:\n    c()\nexcept E as a:\n    SINK = a": {"?"},
    "a = 1\ntry:\n    c()\nexcept E as a:\n    pass\nSINK = a": {"1"},
    "def f():\n    try:\n        return 1\n    finally:\n        c()\nSINK = f()": {"1"},
    "def f():\n    try:\n        return 1\n    except E:\n        return 2\nSINK = f()": {"1", "2"},
    "a = 0\nwith c():\n    a = 1\nSINK = a": {"0", "1"},
    "a = 0\nwith c():\n    d()\n    a = 1\nSINK = a": {"0", "1"},
    "a = 0\nwith c() as b:\n    SINK = b": {"<enter>"},
    "class A:\n    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n        return True\na = 0\nwith A():\n    d()\n    a = 1\nSINK = a": {"0", "1"},
    "class A:\n    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n        return\na = 0\nwith A():\n    d()\n    a = 1\nSINK = a": {"1"},
    "class A:\n    pass\na = 0\nwith A():\n    d()\n    a = 1\nSINK = a": {"0", "1"},
    "@contextlib.contextmanager\ndef f():\n    yield 1\na = 0\nwith f() as b:\n    d()\n    a = 1\nSINK = a": {"1"},
    "@contextlib.contextmanager\ndef f():\n    yield 1\nwith f() as b:\n    SINK = b": {"1"},
    "@contextlib.contextmanager\ndef f():\n    try:\n        yield 1\n    except E:\n        pass\na = 0\nwith f() as b:\n    d()\n    a = 1\nSINK = a": {"0", "1"},
    "@contextlib.contextmanager\ndef f():\n    try:\n        yield 1\n    except E:\n        raise\na = 0\nwith f() as b:\n    d()\n    a = 1\nSINK = a": {"1"},
    "@contextlib.contextmanager\ndef f():\n    try:\n        yield 1\n    finally:\n        return\na = 0\nwith f() as b:\n    d()\n    a = 1\nSINK = a": {"0", "1"},
    "@contextlib.contextmanager\ndef f():\n    try:\n        yield 1\n    finally:\n        d()\na = 0\nwith f() as b:\n    d()\n    a = 1\nSINK = a": {"1"},
    "@contextlib.contextmanager\ndef f():\n    try:\n        yield 1\n    except E:\n        if c():\n            return\n        raise\na = 0\nwith f() as b:\n    d()\n    a = 1\nSINK = a": {"0", "1"},
    "@contextlib.contextmanager\ndef f():\n    try:\n        yield 1\n    finally:\n        c()\na = 0\nwith f() as b:\n    d()\n    a = 1\nSINK = a": {"1"},
    "@contextlib.contextmanager\ndef f():\n    with c():\n        yield 1\na = 0\nwith f() as b:\n    d()\n    a = 1\nSINK = a": {"0", "1"},
    "a = 0\nwith c(), d():\n    a = 1\nSINK = a": {"0", "1"},
    "def g(x):\n    a = 0\n    with x:\n        d()\n        a = 1\n    global SINK\n    SINK = a": {"0", "1"},
    "def f():\n    yield 1\na = 0\nwith f():\n    d()\n    a = 1\nSINK = a": {"1"},
}  # fmt: skip


@cases((made, MADE))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
