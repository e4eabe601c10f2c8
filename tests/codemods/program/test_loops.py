"""Loops and the jumps that leave them: which bindings get behind them, what decides that."""

from __future__ import annotations

from made import Ask, cases, deciding, made

MADE: dict[str, set[str]] = {
    "a = 1\nfor i in c():\n    a = 2\nSINK = a": {"1", "2"},
    "a = 1\nwhile c():\n    a = 2\nSINK = a": {"1", "2"},
    "a = 1\nwhile True:\n    a = 2\n    if c():\n        break\nSINK = a": {"2"},
    "a = 1\nwhile True:\n    if c():\n        break\n    a = 2\nSINK = a": {"1", "2"},
    "a = 1\nwhile False:\n    a = 2\nSINK = a": {"1"},
    "a = 1\nwhile 0:\n    a = 2\nelse:\n    a = 3\nSINK = a": {"3"},
    "a = 1\nfor i in c():\n    a = 2\n    break\nelse:\n    a = 3\nSINK = a": {"2", "3"},
    "a = 1\nfor i in c():\n    if d():\n        a = 2\n        continue\n    a = 3\nSINK = a": {"1", "2", "3"},
    "a = 1\nfor i in c():\n    if d():\n        continue\n    a = 3\n    break\nSINK = a": {"1", "3"},
    "a = 1\nfor i in c():\n    SINK = a\n    a = 2": {"1", "2"},
    "a = 1\nfor i in c():\n    SINK = a\n    a = 2\n    break": {"1"},
    "a = 1\nfor i in c():\n    for j in d():\n        a = 2\n        break\n    else:\n        a = 3\nSINK = a": {"1", "2", "3"},
    "a = 1\nfor a in [2, 3]:\n    pass\nSINK = a": {"1", "2", "3"},
    "a = 1\nfor i in c():\n    with d():\n        a = 2\n        break\nSINK = a": {"1", "2"},
    "a = 1\nfor i in c():\n    try:\n        a = 2\n        break\n    finally:\n        a = 3\nSINK = a": {"1", "3"},
    "a = 1\nfor i in c():\n    try:\n        a = 2\n        continue\n    finally:\n        d()\nSINK = a": {"1", "2"},
    "a = 1\nfor i in c():\n    try:\n        break\n    finally:\n        a = 2\nelse:\n    a = 3\nSINK = a": {"2", "3"},
    "def f():\n    for i in c():\n        return 1\n    return 2\nSINK = f()": {"1", "2"},
    "def f():\n    a = 1\n    while c():\n        a = 2\n        raise d\n    return a\nSINK = f()": {"1"},
    "a = 1\nfor i in c():\n    def f():\n        pass\n    class A:\n        a = 2\nSINK = a": {"1"},
    "a = 1\nfor i in c():\n    b = [a for a in [2]]\nSINK = a": {"1"},
    "a = 1\nfor i in c():\n    b = [(a := x) for x in [2]]\nSINK = a": {"1", "2"},
    "a = 1\nfor i in c():\n    b = (lambda a=(e := 2): a)\n    a = e\nSINK = a": {"1", "2"},
    "def f():\n    global SINK\n    for i in c():\n        SINK = 1": {"1"},
    "async def f():\n    a = 1\n    async for i in c():\n        a = 2\n    global SINK\n    SINK = a": {"1", "2"},
    "a, b = 1, 2\nfor i in c():\n    a, b = b, a\nSINK = a": {"1", "2"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "a = 1\nfor i in c():\n    a = 2\nSINK = a": {"lib.c()"},
    "a = 1\nwhile c():\n    a = 2\nSINK = a": {"lib.c()"},
    "a = 1\nwhile True:\n    if c():\n        break\n    a = 2\nSINK = a": {"lib.c()"},
    "a = 1\nfor i in [1, 2]:\n    if c():\n        break\n    a = 2\nSINK = a": {"lib.c()"},
    "a = 1\nfor i in [1, 2]:\n    if c():\n        continue\n    a = 2\nSINK = a": {"lib.c()"},
    "a = 1\nfor i in [1, 2]:\n    a = 2\nSINK = a": set(),
    "a = 1\nfor i in [1, 2]:\n    if c():\n        break\nelse:\n    a = 2\nSINK = a": {"lib.c()"},
    "a = 1\nfor i in [1, 2]:\n    try:\n        if c():\n            break\n    finally:\n        d()\n    a = 2\nSINK = a": {"lib.c()"},
    "def f():\n    for i in [1, 2]:\n        if c():\n            return 1\n    return 2\nSINK = f()": {"lib.c()"},
}  # fmt: skip


@cases((made, MADE), (deciding, DECIDING))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
