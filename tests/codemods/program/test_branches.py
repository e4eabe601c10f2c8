"""`if` and `match`: which bindings get behind them, what decides that."""

from __future__ import annotations

import ast

from made import Ask, cases, deciding, made

HAS_MATCH = hasattr(ast, "Match")  # since Python 3.10
MADE: dict[str, set[str]] = {
    "if c():\n    a = 1\nelse:\n    a = 2\nSINK = a": {"1", "2"},
    "a = 0\nif c():\n    a = 1\nelif d():\n    a = 2\nSINK = a": {"0", "1", "2"},
    "a = 0\nif c():\n    a = 1\nelif d():\n    a = 2\nelse:\n    a = 3\nSINK = a": {"1", "2", "3"},
    "if True:\n    a = 1\nelse:\n    a = 2\nSINK = a": {"1"},
    "if 0:\n    a = 1\nelse:\n    a = 2\nSINK = a": {"2"},
    "if c():\n    a = 1\nelif True:\n    a = 2\nelse:\n    a = 3\nSINK = a": {"1", "2"},
    "D = True\nif D:\n    a = 1\nelse:\n    a = 2\nSINK = a": {"1", "2"},
    "a = 1\nif c():\n    a = 2\n    raise d\nSINK = a": {"1"},
    "a = 1\nif c():\n    pass\nelse:\n    a = 2\n    raise d\nSINK = a": {"1"},
    "a = 1\nif c():\n    a = 2\n    exit()\nSINK = a": {"1", "2"},
    "a = 1 if c() else 2\nSINK = a": {"1", "2"},
    "SINK = c() and 1 or 2": {"1", "2", "lib.c()"},
    "SINK = 1 and 2": {"1", "2"},
    "a = 1\nb = c() and (a := 2)\nSINK = a": {"1", "2"},
    "match c():\n    case 1:\n        a = 1\n    case _:\n        a = 2\nSINK = a": {"1", "2"},
    "a = 0\nmatch c():\n    case 1:\n        a = 1\nSINK = a": {"0", "1"},
    "match [1, 2]:\n    case [a, b]:\n        SINK = b": {"2"},
    "match 1:\n    case a:\n        SINK = a": {"1"},
    "match 1:\n    case int() as a:\n        SINK = a": {"1"},
    "match c():\n    case {'k': a, **b}:\n        SINK = b": {"?"},
    "a = 0\nmatch c():\n    case a if d():\n        pass\n    case _:\n        SINK = a": {"lib.c()"},
    "a = 0\nmatch c():\n    case 1 | _:\n        a = 1\nSINK = a": {"1"},
    "a = 0\nmatch c():\n    case 1 | 2:\n        a = 1\nSINK = a": {"0", "1"},
    "match [1, 2, 3]:\n    case [a, *b]:\n        SINK = b[0]": {"2"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "if c():\n    a = 1\nelse:\n    a = 2\nSINK = a": {"lib.c()"},
    "a = 0\nif c():\n    a = 1\nelif d():\n    a = 2\nSINK = a": {"lib.c()", "lib.d()"},
    "a = 0\nif c():\n    if d():\n        a = 1\nSINK = a": {"lib.c()", "lib.d()"},
    "a = 1 if c() else 2\nSINK = a": {"lib.c()"},
    "a = 0\nmatch c():\n    case 1:\n        a = 1\nSINK = a": {"lib.c()"},
    "a = 0\nmatch 1:\n    case 1 if c():\n        a = 1\nSINK = a": {"lib.c()"},
    "a = 1\nif c():\n    raise d\nSINK = a": set(),
    "def f():\n    if c():\n        return 1\n    a = 2\n    return a\nSINK = f()": {"lib.c()"},
    "b = 0\nb = c() and (a := 2)\nSINK = a": {"lib.c()"},
}  # fmt: skip


def usable(table: dict[str, set[str]]) -> dict[str, set[str]]:
    """What this Python can read."""
    return {text: said for text, said in table.items() if HAS_MATCH or "match " not in text}


@cases((made, usable(MADE)), (deciding, usable(DECIDING)))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
