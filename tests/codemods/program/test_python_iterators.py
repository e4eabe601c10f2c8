"""Python's own functions of containers and iterators."""

from __future__ import annotations

import pytest

from made import deciding, made, turns

MADE: dict[str, set[str]] = {
    "SINK = list([1, 2])[1]": {"2"},
    "SINK = list((1, 2))[0]": {"1"},
    "SINK = tuple([1, 2])[1]": {"2"},
    "SINK = list({1, 2})[0]": {"1", "2"},
    "SINK = list({'a': 1})[0]": {"<key>"},
    "SINK = list(c())[0]": {"<each>"},
    "SINK = list()": {"list"},
    "SINK = list(*[[1, 2]])[0]": {"1"},
    "SINK = dict({'a': 1, 'b': 2})['b']": {"2"},
    "SINK = dict([('a', 1)])['a']": {"1"},
    "SINK = dict([('a', 1), ('b', 2)])['a']": {"1", "2"},
    "SINK = dict(a=1, b=2)['a']": {"1"},
    "SINK = dict({'a': 1}, a=2)['b']": {"?"},
    "SINK = dict(**{'a': 1}, b=2)['a']": {"1"},
    "SINK = dict(c(), b=2)['b']": {"2", "?"},
    "SINK = dict(**c())['b']": {"?"},
    "SINK = collections.OrderedDict(a=1, b=2)['b']": {"2"},
    "SINK = collections.OrderedDict({'a': 1, 'b': 2})['b']": {"2"},
    "for a in set([1, 2]):\n    SINK = a": {"1", "2"},
    "for a in frozenset([1, 2]):\n    SINK = a": {"1", "2"},
    "for a in set({1}):\n    SINK = a": {"1"},
    "SINK = set()": {"set"},
    "SINK = frozenset()": {"set"},
    "SINK = tuple()": {"tuple"},
    "SINK = dict()": {"dict"},
    "for a in iter([1, 2]):\n    SINK = a": {"1", "2"},
    "for a in reversed([1, 2]):\n    SINK = a": {"1", "2"},
    "for a in iter(*d):\n    SINK = a": {"?"},
    "SINK = next(iter([1, 2]))": {"1", "2"},
    "SINK = next(iter([1]), 3)": {"1", "3"},
    "SINK = next(c())": {"<next>"},
    "SINK = next(*d)": {"?"},
    "def f():\n    yield 1\nSINK = next(f())": {"1"},
    "SINK = sorted([1, 2])[0]": {"1", "2"},
    "SINK = sorted([1, 2])": {"list"},
    "def f(a):\n    global SINK\n    SINK = a\nsorted([1, 2], key=f)": {"1", "2"},
    "for a, b in zip([1], [2]):\n    SINK = a": {"1"},
    "for a, b in zip([1], [2]):\n    SINK = b": {"2"},
    "for a in zip([1], [2]):\n    SINK = a[1]": {"2"},
    "for a, b in zip(*d):\n    SINK = b": {"?"},
    "for a, b in enumerate([1, 2]):\n    SINK = a": {"<counter>"},
    "for a, b in enumerate([1, 2]):\n    SINK = b": {"1", "2"},
    "for a, b in enumerate([1, 2], 5):\n    SINK = b": {"1", "2"},
    "for a, b in enumerate(*d):\n    SINK = b": {"?"},
    "def f(a):\n    return [a]\nfor a in map(f, [1, 2]):\n    SINK = a[0]": {"1", "2"},
    "def f(a, b):\n    return b\nfor a in map(f, [1], [2]):\n    SINK = a": {"2"},
    "for a in map(c, [1]):\n    SINK = a": {"lib.c()"},
    "for a in map(*d):\n    SINK = a": {"?"},
    "for a in map(c, *d):\n    SINK = a": {"?"},
    "for a in filter(c, [1, 2]):\n    SINK = a": {"1", "2"},
    "for a in filter(None, [1, 2]):\n    SINK = a": {"1", "2"},
    "for a in filter(*d):\n    SINK = a": {"?"},
    "def f(a):\n    global SINK\n    SINK = a\nfilter(f, [1, 2])": {"1", "2"},
    "for a in itertools.chain([1], [2]):\n    SINK = a": {"1", "2"},
    "for a in itertools.chain(*[[1], [2]]):\n    SINK = a": {"1", "2"},
    "for a in itertools.chain(*[[1]], [2]):\n    SINK = a": {"1", "2"},
    "SINK = collections.defaultdict(list)['a']": {"list"},
    "SINK = collections.defaultdict(lambda: 1)['a']": {"1"},
    "SINK = collections.defaultdict()['a']": {"?"},
    "a = collections.defaultdict(lambda: 1)\na['b'] = 2\nSINK = a['b']": {"1", "2"},
    "for a in collections.deque([1, 2]):\n    SINK = a": {"1", "2"},
    "async def f():\n    return 1\nSINK = asyncio.run(f())": {"1"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "def f(a):\n    return c()\nSINK = sorted([1, 2], key=f)[0]": {"lib.c()"},
    "def f(a):\n    return c()\nSINK = next(filter(f, [1, 2]))": {"lib.c()"},
    "SINK = next(filter(c, [1, 2]))": {"lib.c()"},
    "a = iter([1, 2])\nif c():\n    next(a)\nSINK = next(a)": {"lib.c()"},
    "SINK = next(iter([1, 2]))": set(),
}  # fmt: skip

TURNS: dict[str, set[str]] = {
    "b = []\nif c():\n    b.append(1)\nfor a in list(b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in tuple(b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in reversed(b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in sorted(b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in sorted(b, key=d):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in enumerate(b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in zip(b, [1]):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in zip([1], b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in map(d, b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in map(d, [1], b):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in filter(None, b):\n    pass": {"lib.c()"},
    "for a in filter(c, [1, 2]):\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in itertools.chain([1], b):\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b['a'] = 1\nfor a in dict(b):\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b['a'] = 1\nfor a in list(b):\n    pass": {"lib.c()"},
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
