"""The methods of lists, sets, dictionaries, queues, tuples with names and generators."""

from __future__ import annotations

import pytest

from made import deciding, made, turns

MADE: dict[str, set[str]] = {
    "a = []\na.append(1)\nSINK = a[0]": {"1"},
    "a = []\nSINK = a.append(1)": {"None"},
    "a = []\na.append(*[1])\nSINK = a[0]": {"1"},
    "a = []\na.extend([1, 2])\nSINK = a[0]": {"1", "2"},
    "a = []\nSINK = a.extend([1])": {"None"},
    "a = []\na.insert(0, 1)\nSINK = a[0]": {"1"},
    "a = [1, 2]\na.insert(0, 3)\nSINK = a[1]": {"1", "2", "3"},
    "a = [1, 2]\na.append(3)\nSINK = a[1]": {"2", "3"},
    "a = [1, 2]\na.sort()\nSINK = a[0]": {"1", "2"},
    "a = [1, 2]\na.reverse()\nSINK = a[0]": {"1", "2"},
    "a = [1, 2]\na.remove(1)\nSINK = a[0]": {"1", "2"},
    "a = [1, 2]\na.clear()\nSINK = a[0]": {"1"},
    "a = [1, 2]\nSINK = a.sort()": {"None"},
    "a = [1, 2]\nSINK = a.pop()": {"1", "2"},
    "a = [1, 2]\nSINK = a.pop(0)": {"1", "2"},
    "a = [1, 2]\na.pop()\nSINK = a[0]": {"1", "2"},
    "a = [1, 2]\nSINK = a.copy()[1]": {"2"},
    "a = [1, 2]\nSINK = a.index(2)": {"<index>"},
    "a = [1, 2]\nSINK = a.count(2)": {"<count>"},
    "a = set()\na.add(1)\nfor b in a:\n    SINK = b": {"1"},
    "a = set()\na.update([1], [2])\nfor b in a:\n    SINK = b": {"1", "2"},
    "a = {1}\nSINK = a.discard(1)": {"None"},
    "a = {1, 2}\nSINK = a.pop()": {"1", "2"},
    "a = {'a': 1, 'b': 2}\nSINK = a.get('a')": {"1"},
    "a = {'a': 1, 'b': 2}\nSINK = a.get(c(), 3)": {"1", "2", "3"},
    "a = {'a': 1, 'b': 2}\nSINK = a.get('a', 3)": {"1", "3"},
    "a = {1: 1, 2: 2}\nSINK = a.get(2)": {"2"},
    "a = {'a': 1}\na.setdefault('b', 2)\nSINK = a['b']": {"2"},
    "a = {'a': 1}\na.setdefault(c(), 2)\nSINK = a['b']": {"2"},
    "a = {'a': 1}\nSINK = a.setdefault('b', 2)": {"2"},
    "a = {'a': 1, 'b': 2}\nSINK = a.pop('b')": {"2"},
    "a = {'a': 1, 'b': 2}\nSINK = a.pop('z', 3)": {"3"},
    "a = {'a': 1, 'b': 2}\na.pop('b')\nSINK = a['a']": {"1"},
    "a = {'a': 1, 'b': 2}\nSINK = a.popitem()[1]": {"1", "2"},
    "a = {'a': 1, 'b': 2}\nSINK = a.popitem()[0]": {"<key>"},
    "a = {'a': 1, 'b': 2}\nfor b in a.values():\n    SINK = b": {"1", "2"},
    "a = {'a': 1, 'b': 2}\nfor k, b in a.items():\n    SINK = b": {"1", "2"},
    "a = {'a': 1, 'b': 2}\nfor k, b in a.items():\n    SINK = k": {"<key>"},
    "a = {'a': 1, 'b': 2}\nfor k in a.keys():\n    SINK = k": {"<key>"},
    "a = {'a': 1}\na.update({'b': 2})\nSINK = a['b']": {"2"},
    "a = {'a': 1}\na.update({'b': 2})\nSINK = a['a']": {"1"},
    "a = {'a': 1}\na.update(b=2)\nSINK = a['b']": {"2"},
    "a = {'a': 1}\na.update(**d)\nSINK = a['a']": {"1", "?"},
    "a = {'a': 1}\na.update([('b', 2)])\nSINK = a['b']": {"2"},
    "a = {'a': 1}\na.update(d)\nSINK = a['a']": {"1", "?"},
    "a = {'a': 1}\nSINK = a.update({'b': 2})": {"None"},
    "a = {'a': 1, 'b': 2}\nSINK = a.copy()['b']": {"2"},
    "a = collections.deque()\nSINK = a.popleft()": {"?"},
    "a = [1, 2]\na.appendleft(3)\nSINK = a[0]": {"1", "2", "3"},
    "a = [1, 2]\na.extendleft([3])\nSINK = a[0]": {"1", "2", "3"},
    "a = [1, 2]\nSINK = a.popleft()": {"1", "2"},
    "a = [1, 2]\na.rotate(1)\nSINK = a[0]": {"1", "2"},
    "def f():\n    yield 1\nSINK = f().__next__()": {"1"},
    "def f():\n    yield 1\nSINK = f().send(2)": {"1"},
    "def f():\n    b = yield 1\n    global SINK\n    SINK = b": {"?"},
    "async def f():\n    return 1\nSINK = asyncio.create_task(f()).result()": {"1"},
    "A = collections.namedtuple('A', 'a b')\nSINK = A(1, 2)._replace(b=3).b": {"1", "2", "3"},
    "a = {}\na.update(**{'b': 2})\nSINK = a['b']": {"2"},
    "A = collections.namedtuple('A', 'a b')\nSINK = A(1, 2)._replace(b=3).a": {"1", "2", "3"},
    "A = collections.namedtuple('A', 'a b')\nSINK = A(1, 2)._replace(**{'b': 3}).b": {"1", "2", "3"},
    "A = collections.namedtuple('A', 'a b')\nSINK = A(1, 2)._replace(**d).b": {"1", "2", "?"},
    "class A(typing.NamedTuple):\n    a: int\n    b: int\nSINK = A(1, 2)._replace(b=3)[1]": {"1", "2", "3"},
    "SINK = list({1}.union([2], {3}))[0]": {"1", "2", "3"},
    "SINK = list({1}.union(*[[2]]))[0]": {"1", "2"},
    "SINK = list({1, 2}.difference({2}))[0]": {"1", "2"},
    "SINK = list({1, 2}.intersection({2}))[0]": {"1", "2"},
    "SINK = list({1}.symmetric_difference({2}))[0]": {"1", "2"},
    "a = {1}\na.symmetric_difference_update([2])\nSINK = list(a)[0]": {"1", "2"},
    "a = {1}\na.difference_update([2])\nSINK = list(a)[0]": {"1"},
    "SINK = {1}.union([2])": {"set"},
    "SINK = {1}.issubset([2])": {"<issubset>"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "a = [1]\nif c():\n    a.append(2)\nSINK = a[1]": {"lib.c()"},
    "a = [1]\nif c():\n    a.insert(0, 2)\nSINK = a[0]": {"lib.c()"},
    "a = [1, 2]\nif c():\n    a.sort()\nSINK = a[0]": {"lib.c()"},
    "a = [1, 2]\nif c():\n    a.pop()\nSINK = a[0]": {"lib.c()"},
    "a = {}\nif c():\n    a.update(b=1)\nSINK = a['b']": {"lib.c()"},
    "a = {}\nif c():\n    a.update({'b': 1})\nSINK = a['b']": {"lib.c()"},
    "a = {}\nif c():\n    a.setdefault('b', 1)\nSINK = a['b']": {"lib.c()"},
    "a = set()\nif c():\n    a.update([1])\nSINK = list(a)[0]": {"lib.c()"},
    "a = {'a': 1, 'b': 2}\nSINK = a.get(c())": {"lib.c()"},
    "a = {'a': 1, 'b': 2}\nSINK = a.get('a')": set(),
}  # fmt: skip

TURNS: dict[str, set[str]] = {
    "b = []\nif c():\n    b.append(1)\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.insert(0, 1)\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.extend([1])\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nb.extend(d)\nfor a in b:\n    pass": set(),
    "e = []\nif c():\n    e.append(1)\nb = []\nb.extend(e)\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.clear()\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.pop()\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.popleft()\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.remove(1)\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.appendleft(1)\nfor a in b:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.extendleft([1])\nfor a in b:\n    pass": {"lib.c()"},
    "b = set()\nif c():\n    b.add(1)\nfor a in b:\n    pass": {"lib.c()"},
    "b = set()\nif c():\n    b.discard(1)\nfor a in b:\n    pass": {"lib.c()"},
    "b = set()\nif c():\n    b.update([1])\nfor a in b:\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b.setdefault('a', 1)\nfor a in b:\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b.popitem()\nfor a in b:\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b['a'] = 1\nfor a in b:\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b['a'] = 1\nfor a in b.copy():\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b['a'] = 1\nfor a in b.values():\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b['a'] = 1\nfor a in b.items():\n    pass": {"lib.c()"},
    "b = [1]\nif c():\n    b.sort()\nfor a in b:\n    pass": set(),
    "b = [1]\nif c():\n    b.reverse()\nfor a in b:\n    pass": set(),
    "b = {}\nif c():\n    b['a'] = 1\nfor a in b.keys():\n    pass": {"lib.c()"},
    "b = {1}\nif c():\n    b.difference_update([1])\nfor a in b:\n    pass": {"lib.c()"},
    "b = {1}\nif c():\n    b.intersection_update([1])\nfor a in b:\n    pass": {"lib.c()"},
    "b = {1}\nif c():\n    b.symmetric_difference_update([1])\nfor a in b:\n    pass": {"lib.c()"},
    "b = set()\nif c():\n    b.add(1)\nfor a in b.union([2]):\n    pass": {"lib.c()"},
    "b = set()\nif c():\n    b.add(1)\nfor a in {1}.difference(b):\n    pass": {"lib.c()"},
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
