"""What may run between two runs of steps, beside a look at every place and every step."""

from __future__ import annotations

import random

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.between_steps import Between, runs_between_steps

LINES = ("put()", "step()", "first()", "second()", "for i in a:", "def {}():", "if a:")


def generated(seed: int) -> str:
    """Functions, loops and conditions in each other, with places and steps in them."""
    draw = random.Random(seed)
    lines, depth, names = [], 0, ["first", "second", "third", "fourth"]
    for _ in range(draw.randrange(4, 24)):
        depth = draw.randrange(depth + 1)
        line = draw.choice(LINES)
        if "{}" in line:
            line = line.format(names.pop(0)) if names else "pass"
        lines.append("    " * depth + line)
        if line.endswith(":"):
            depth += 1
            lines.append("    " * depth + draw.choice(("pass", "put()", "step()")))
    return "\n".join(lines)


def compared(text: str, together: int) -> tuple[list[int], list[int], list[int]]:
    """The lines that are between, those of them that were looked up, and all that were."""
    facts = Facts.of(text)
    puts, steps = ([c for c in facts.index.calls if c.func.id == n] for n in ("put", "step"))  # type: ignore[attr-defined]
    between = Between(facts, puts)
    right, found, looked_up = [], [], []
    for number in range(0, len(steps), together):
        chosen = steps[number : number + together]
        right += [p.lineno for p in puts if runs_between_steps(facts, p, chosen)]
        found += [p.lineno for p in between.of(chosen) if runs_between_steps(facts, p, chosen)]
        looked_up += [p.lineno for p in between.of(chosen)]
    return right, found, looked_up


@pytest.mark.parametrize("together", [1, 2, 5])
def test_nothing_that_is_between_is_left_out(together: int) -> None:
    seen = 0
    for seed in range(300):
        right, found, _ = compared(generated(seed), together)
        assert found == right, generated(seed)
        seen += len(right)
    assert seen > 100  # the programs are about it


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("put()\nstep()\nput()", []),
        ("for i in a:\n    step()\n    put()\nput()", [3]),
        ("step()\nput()\nstep()\nput()", [2]),
        ("def f():\n    put()\nput()\nf()\nstep()", []),
        ("def f():\n    step()\n    put()\nput()\nf()", [3]),
    ],
)
def test_what_is_not_near_is_not_looked_at(text: str, lines: list[int]) -> None:
    assert compared(text, 2)[2] == lines
