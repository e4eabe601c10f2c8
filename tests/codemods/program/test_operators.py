"""Operators of containers, of the project's own classes, and of everything else."""

from __future__ import annotations

from made import Ask, cases, deciding, made, turns

MADE: dict[str, set[str]] = {
    "SINK = 1 + 2": {"<BinOp>"},
    "SINK = ([1] + [2])[0]": {"1", "2"},
    "SINK = ([1] + [2])[1]": {"1", "2"},
    "SINK = [1] + [2]": {"list"},
    "SINK = ([1] + (2,))[0]": {"1", "2"},
    "SINK = ([1] + c())[0]": {"1", "<each>"},
    "SINK = (c() + [1])[0]": {"1", "<0>"},
    "SINK = [1] - [2]": {"<BinOp>"},
    "SINK = ([1, 2] * 3)[4]": {"1", "2"},
    "SINK = (3 * [1, 2])[4]": {"1", "2", "<4>"},
    "SINK = (c() * [1, 2])[4]": {"1", "2", "<4>"},
    "SINK = {'a': 1} | {'b': 2}": {"dict"},
    "SINK = ({'a': 1} | {'b': 2})['a']": {"1"},
    "SINK = ({'a': 1} | {'b': 2})['b']": {"2"},
    "SINK = ({'a': 1} | c())['a']": {"1", "?"},
    "SINK = {1} | {2}": {"set"},
    "SINK = list({1} | {2})[0]": {"1", "2"},
    "def f(a):\n    global SINK\n    SINK = ([1] + a)[0]": {"1", "?"},
    "def f(a):\n    global SINK\n    SINK = ({'a': 1} | a)['a']": {"1", "?"},
    "class A:\n    def __iter__(self):\n        return iter([2])\nSINK = ([1] + A())[0]": {"1", "<0>"},
    "SINK = -1": {"<UnaryOp>"},
    "SINK = 1 < 2": {"<Compare>"},
    "a = 1\na += 2\nSINK = a": {"<BinOp>"},
    "a = c()\na += [2]\nSINK = a": {"<BinOp>", "list"},
    "class A:\n    def __add__(self, other):\n        return [other]\nSINK = (A() + 1)[0]": {"1"},
    "class A:\n    def __radd__(self, other):\n        return [other]\nSINK = (1 + A())[0]": {"1", "<0>"},
    "class A:\n    def __sub__(self, other):\n        return [other]\nSINK = (A() - 1)[0]": {"1"},
    "class A:\n    def __rsub__(self, other):\n        return [other]\nSINK = (1 - A())[0]": {"1", "<0>"},
    "class A:\n    def __mul__(self, other):\n        return [other]\nSINK = (A() * 1)[0]": {"1"},
    "class A:\n    def __rmul__(self, other):\n        return [other]\nSINK = (1 * A())[0]": {"1", "<0>"},
    "class A:\n    def __matmul__(self, other):\n        return [other]\nSINK = (A() @ 1)[0]": {"1"},
    "class A:\n    def __rmatmul__(self, other):\n        return [other]\nSINK = (1 @ A())[0]": {"1", "<0>"},
    "class A:\n    def __truediv__(self, other):\n        return [other]\nSINK = (A() / 1)[0]": {"1"},
    "class A:\n    def __rtruediv__(self, other):\n        return [other]\nSINK = (1 / A())[0]": {"1", "<0>"},
    "class A:\n    def __floordiv__(self, other):\n        return [other]\nSINK = (A() // 1)[0]": {"1"},
    "class A:\n    def __rfloordiv__(self, other):\n        return [other]\nSINK = (1 // A())[0]": {"1", "<0>"},
    "class A:\n    def __mod__(self, other):\n        return [other]\nSINK = (A() % 1)[0]": {"1"},
    "class A:\n    def __rmod__(self, other):\n        return [other]\nSINK = (1 % A())[0]": {"1", "<0>"},
    "class A:\n    def __pow__(self, other):\n        return [other]\nSINK = (A() ** 1)[0]": {"1"},
    "class A:\n    def __rpow__(self, other):\n        return [other]\nSINK = (1 ** A())[0]": {"1", "<0>"},
    "class A:\n    def __lshift__(self, other):\n        return [other]\nSINK = (A() << 1)[0]": {"1"},
    "class A:\n    def __rlshift__(self, other):\n        return [other]\nSINK = (1 << A())[0]": {"1", "<0>"},
    "class A:\n    def __rshift__(self, other):\n        return [other]\nSINK = (A() >> 1)[0]": {"1"},
    "class A:\n    def __rrshift__(self, other):\n        return [other]\nSINK = (1 >> A())[0]": {"1", "<0>"},
    "class A:\n    def __or__(self, other):\n        return [other]\nSINK = (A() | 1)[0]": {"1"},
    "class A:\n    def __ror__(self, other):\n        return [other]\nSINK = (1 | A())[0]": {"1", "<0>"},
    "class A:\n    def __xor__(self, other):\n        return [other]\nSINK = (A() ^ 1)[0]": {"1"},
    "class A:\n    def __rxor__(self, other):\n        return [other]\nSINK = (1 ^ A())[0]": {"1", "<0>"},
    "class A:\n    def __and__(self, other):\n        return [other]\nSINK = (A() & 1)[0]": {"1"},
    "class A:\n    def __rand__(self, other):\n        return [other]\nSINK = (1 & A())[0]": {"1", "<0>"},
    "class A:\n    pass\nSINK = A() + 1": {"something()"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "a = []\nif c():\n    a.append(1)\nSINK = len(a + [2])": {"lib.c()"},
}  # fmt: skip

TURNS: dict[str, set[str]] = {
    "b = []\nif c():\n    b.append(1)\nfor a in b + [2]:\n    pass": {"lib.c()"},
    "b = []\nif c():\n    b.append(1)\nfor a in [2] + b:\n    pass": {"lib.c()"},
    "for a in [1] * c():\n    pass": {"lib.c()"},
    "for a in c() * [1]:\n    pass": {"lib.c()"},
    "b = {}\nif c():\n    b['a'] = 1\nfor a in {'b': 2} | b:\n    pass": {"lib.c()"},
    "for a in [1] + [2]:\n    pass": set(),
}  # fmt: skip


@cases((made, MADE), (deciding, DECIDING), (turns, TURNS))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
