"""What `range` and `len` give, and how far they go."""

from __future__ import annotations

from made import Ask, cases, deciding, made, turns

MADE: dict[str, set[str]] = {
    "for a in range(1, 5):\n    SINK = a": {"<counter>"},
    "SINK = len([1])": {"<length>"},
    "SINK = len(c())": {"builtins.len()"},
    "SINK = len(*c())": {"builtins.len()"},
    "SINK = len()": {"builtins.len()"},
    "SINK = list(range(3))[0]": {"<counter>"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "b = []\nif c():\n    b.append(1)\nSINK = 1 if len(b) else 2": {"lib.c()"},
    "a = 1\nfor i in range(c(), d()):\n    SINK = i": set(),
}  # fmt: skip

TURNS: dict[str, set[str]] = {
    "for a in range(c()):\n    pass": {"lib.c()"},
    "for a in range(c(), d()):\n    pass": {"lib.c()", "lib.d()"},
    "for a in range(0, c(), d()):\n    pass": {"lib.c()", "lib.d()"},
    "b = []\nif c():\n    b.append(1)\nfor a in range(len(b)):\n    pass": {"lib.c()"},
    "for a in range(len(c())):\n    pass": {"builtins.len()", "lib.c()"},
    "for a in c():\n    pass": {"lib.c()"},
    "for a in [c(), d()]:\n    pass": set(),
}  # fmt: skip


@cases((made, MADE), (deciding, DECIDING), (turns, TURNS))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
