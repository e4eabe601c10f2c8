"""`itertools`, `functools.reduce`, and what picks one of several values."""

from __future__ import annotations

from made import Ask, cases, deciding, made, turns

MADE: dict[str, set[str]] = {
    "SINK = functools.reduce(c, [1, 2])": {"1", "2", "lib.c()"},
    "def f(a, b):\n    return b\nSINK = functools.reduce(f, [1, 2], 3)": {"1", "2", "3"},
    "def f(a, b):\n    return b\nSINK = functools.reduce(f, [1, 2])": {"1", "2"},
    "def f(a, b):\n    return a\nSINK = functools.reduce(f, [1, 2], 3)": {"3"},
    "SINK = functools.reduce(c)": {"?"},
    "SINK = functools.reduce(*d)": {"?"},
    "SINK = max([1, 2], key=c)": {"1", "2"},
    "SINK = max(1, 2, key=c)": {"1", "2"},
    "SINK = max((1,), key=c)": {"1"},
    "SINK = min([1, 2], key=c, default=3)": {"1", "2", "3"},
    "SINK = max([1, 2])": {"builtins.max()"},
    "SINK = min(1, 2)": {"builtins.min()"},
    "SINK = max(*d, key=c)": {"builtins.max()"},
    "SINK = sum([[1], [2]], [3])[0]": {"1", "2", "3"},
    "SINK = sum([[1], [2]], start=[3])[0]": {"1", "2", "3"},
    "SINK = sum([1, 2], 3)": {"builtins.sum()"},
    "SINK = sum([1, 2])": {"builtins.sum()"},
    "SINK = next(itertools.repeat(1, 3))": {"1"},
    "for a, b in itertools.product([1], [2]):\n    SINK = b": {"2"},
    "for a, b in itertools.product([1], [2]):\n    SINK = a": {"1"},
    "for a, b in itertools.product([1], repeat=2):\n    SINK = b": {"<1>"},
    "for a in itertools.product(*d):\n    SINK = a": {"<each>"},
    "for a, b in itertools.zip_longest([1], [2], fillvalue=3):\n    SINK = a": {"1", "3"},
    "for a, b in itertools.zip_longest([1], [2], fillvalue=3):\n    SINK = b": {"2", "3"},
    "for a, b in itertools.zip_longest([1], [2]):\n    SINK = a": {"1", "None"},
    "for a in itertools.zip_longest(*d):\n    SINK = a": {"<each>"},
    "for a in itertools.chain.from_iterable([[1], [2]]):\n    SINK = a": {"1", "2"},
    "for a in itertools.cycle([1, 2]):\n    SINK = a": {"1", "2"},
    "for a in itertools.islice([1, 2], 3):\n    SINK = a": {"1", "2"},
    "def f(a):\n    global SINK\n    SINK = a\nmax([1, 2], key=f)": {"1", "2"},
    "def f(a):\n    global SINK\n    SINK = a\nmax(1, 2, key=f)": {"1", "2"},
    "def f(a, b):\n    global SINK\n    SINK = a\n    return 4\nfunctools.reduce(f, [1, 2], 3)": {"3", "4"},
    "def f(a, b):\n    global SINK\n    SINK = b\n    return 4\nfunctools.reduce(f, [1, 2], 3)": {"1", "2"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "def f(a):\n    return c()\nSINK = max([1, 2], key=f)": {"lib.c()"},
    "def f(a):\n    return c()\nSINK = max(1, 2, key=f)": {"lib.c()"},
    "SINK = max([1, 2], key=c)": {"lib.c()"},
}  # fmt: skip

TURNS: dict[str, set[str]] = {
    "for a in itertools.repeat(1, c()):\n    pass": {"lib.c()"},
    "for a in itertools.repeat(c(), d()):\n    pass": {"lib.d()"},
    "for a in itertools.repeat(1, times=c()):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in itertools.islice(b, 2):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in itertools.product([1], b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in itertools.chain.from_iterable([b]):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append([1])\nfor a in itertools.chain.from_iterable(b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append([1])\nfor a in sum(b, []):\n    pass": {"lib.c()"},
    "for a in itertools.product(*c()):\n    pass": {"itertools.product()", "lib.c()"},
}  # fmt: skip


@cases((made, MADE), (deciding, DECIDING), (turns, TURNS))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
