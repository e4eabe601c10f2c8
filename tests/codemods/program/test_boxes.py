"""Containers: what is at a key, what copies hold, what stores and outside code change."""

from __future__ import annotations

import pytest

from made import deciding, made, turns

MADE: dict[str, set[str]] = {
    "SINK = [1, 2][0]": {"1"},
    "SINK = [1, 2][-1]": {"2"},
    "SINK = (1, 2)[1]": {"2"},
    "SINK = [1, 2][c()]": {"1", "2"},
    "SINK = [1, 2]['a']": {"1", "2"},
    "SINK = {'a': 1, 'b': 2}['b']": {"2"},
    "SINK = {'a': 1, 'b': 2}[c()]": {"1", "2"},
    "SINK = {1: 1, 2: 2}[2]": {"2"},
    "SINK = {-1: 1, 2: 2}[-1]": {"1"},
    "SINK = {'a': 1, **{'b': 2}}['b']": {"2"},
    "SINK = {'a': 1, **{'b': 2}}['a']": {"1"},
    "SINK = {'a': 1, **c()}['a']": {"1", "?"},
    "SINK = {c(): 1, 'b': 2}['b']": {"1", "2"},
    "SINK = [1, *[2, 3]][0]": {"1", "2", "3"},
    "SINK = [*(1, 2), 3][2]": {"1", "2", "3"},
    "SINK = [1, 2, 3][1:][0]": {"2"},
    "SINK = [1, 2, 3][:2][1]": {"2"},
    "SINK = [1, 2, 3][::-1][0]": {"3"},
    "SINK = [1, 2, 3][::0][0]": {"1", "2", "3"},
    "SINK = [1, 2, 3][c():][0]": {"1", "2", "3"},
    "SINK = [1, 2, 3][-1:][0]": {"3"},
    "SINK = (1, 2, 3)[1:][1]": {"3"},
    "a, *b = [1, 2, 3]\nSINK = b[1]": {"3"},
    "*a, b = [1, 2, 3]\nSINK = a[1]": {"2"},
    "a, *b, e = [1, 2, 3, 4]\nSINK = b[1]": {"3"},
    "a, *b, e = [1, 2]\nSINK = b": {"list"},
    "*a, b = c()\nSINK = a": {"<1>"},
    "a, *b = list(d)\nSINK = b": {"list"},
    "a = [1]\na[0] = 2\nSINK = a[0]": {"1", "2"},
    "a = [1, 2]\na[0] = 3\nSINK = a[1]": {"2"},
    "a = [1, 2]\na[c()] = 3\nSINK = a[1]": {"2", "3"},
    "a = [1, 2]\na[-1] = 3\nSINK = a[1]": {"2", "3"},
    "a = [1, 2]\na[-1] = 3\nSINK = a[0]": {"1"},
    "a = []\na[:] = [1, 2]\nSINK = a[1]": {"1", "2"},
    "a = [1, 2]\na[1:] = [3]\nSINK = a[0]": {"1", "2", "3"},
    "a = {}\na['b'] = 1\nSINK = a['b']": {"1"},
    "a = {'a': 1}\na['b'] = 2\nSINK = a['a']": {"1"},
    "a = {'a': 1}\na[c()] = 2\nSINK = a['a']": {"1", "2"},
    "a = {'a': 1}\na[c()] = 2\nSINK = a['b']": {"2"},
    "a = [1, 2]\ndel a[0]\nSINK = a[0]": {"1", "2"},
    "a = {'a': 1, 'b': 2}\ndel a['b']\nSINK = a['a']": {"1"},
    "a = [1]\na += [2]\nSINK = a[0]": {"1", "2"},
    "a = [1]\nb = a\na += [2]\nSINK = b[1]": {"2"},
    "a = {'a': 1}\na |= {'b': 2}\nSINK = a['b']": {"2"},
    "a = {'a': 1}\nb = dict(a)\na['b'] = 2\nSINK = b['b']": {"2"},
    "a = {'a': 1}\nb = dict(a)\nb['b'] = 2\nSINK = a['b']": {"?"},
    "a = {'a': 1}\nb = {**dict(a)}\nSINK = b['a']": {"1"},
    "a = {'a': 1}\nb = dict(dict(a))\nSINK = b['a']": {"1"},
    "a = [1, 2]\nb = a.copy()\nSINK = b.copy()[1]": {"2"},
    "a = {'a': 1}\na.update(a)\nSINK = a['a']": {"1"},
    "a = {'a': 1}\nb = {'b': 2}\na.update(b)\nb.update(a)\nSINK = b['a']": {"1"},
    "a = [1]\nc(a)\nSINK = a[0]": {"1", "?"},
    "a = [[1]]\nc(a)\nSINK = a[0][0]": {"1", "?"},
    "a = {'a': 1}\nc(a)\nSINK = a['b']": {"?"},
    "a = []\na.append(a)\nc(a)\nSINK = a": {"list"},
    "a = [1]\nd.x = a\nSINK = a[0]": {"1", "?"},
    "for a in [1, 2]:\n    SINK = a": {"1", "2"},
    "for a in (1, 2):\n    SINK = a": {"1", "2"},
    "for a in {1, 2}:\n    SINK = a": {"1", "2"},
    "for a in {'a': 1}:\n    SINK = a": {"<key>"},
    "a, b = {'a': 1}\nSINK = a": {"<key>"},
    "a, b = [1, 2]\nSINK = b": {"2"},
    "[a, (b, e)] = [1, (2, 3)]\nSINK = e": {"3"},
    "SINK = [a for a in [1, 2]][0]": {"1", "2"},
    "SINK = [a for a in [1, 2]][1:][0]": {"1", "2"},
    "SINK = {a: b for a, b in [('a', 1)]}['a']": {"1"},
    "SINK = next(a for a in [1, 2])": {"1", "2"},
    "with [1] as a:\n    SINK = a": {"1"},
    "async def f():\n    global SINK\n    SINK = await [1]": {"<await>"},
    "def f(*a):\n    return a\nSINK = f(1, 2)[1]": {"2"},
    "def f(*a):\n    return a\nSINK = f(1, 2)[1:][0]": {"1", "2"},
    "SINK = [1].nothing": {"nothing"},
    "a = [1].append\nSINK = a": {"append"},
    "SINK = os.environ['a']": {"<a>"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "a = [1]\nif c():\n    a[0] = 2\nSINK = a[0]": {"lib.c()"},
    "a = {}\nif c():\n    a['b'] = 2\nSINK = a['b']": {"lib.c()"},
    "a = {}\nif c():\n    a['b'] = 2\nSINK = a['e']": set(),
    "a = [1, 2]\nSINK = a[c()]": {"lib.c()"},
    "a = {'a': 1, 'b': 2}\nSINK = a[c()]": {"lib.c()"},
    "a = [1, 2]\nif c():\n    a[:] = [3]\nSINK = a[0]": {"lib.c()"},
    "a = [1, 2]\nif c():\n    a += [3]\nSINK = a[0]": {"lib.c()"},
    "SINK = [1, 2][0]": set(),
}  # fmt: skip

TURNS: dict[str, set[str]] = {
    "a = [1, 2]\nif c():\n    del a[0]\nfor b in a:\n    pass": {"lib.c()"},
    "a = [1, 2]\nif c():\n    a[:] = [3]\nfor b in a:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\na = []\na[:] = b\nfor e in a:\n    pass": {"lib.c()"},
    "a = [1, 2]\nif c():\n    a[0] = 3\nfor b in a:\n    pass": set(),
    "a = [1, 2]\nif c():\n    a += [3]\nfor b in a:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\na = []\na += b\nfor e in a:\n    pass": {"lib.c()"},
    "a = {}\nif c():\n    a |= {'b': 1}\nfor b in a:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in b[1:]:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\ne, *f = b\nfor a in f:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in [e for e in b]:\n    pass": {"lib.c()"},
    "for a in [e for e in [1, 2] if c()]:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in [1, *b]:\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b['a'] = 1\nfor a in {**b}:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in b.copy():\n    pass": {"lib.c()"},
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
