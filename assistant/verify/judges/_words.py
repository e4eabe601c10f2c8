"""How judges say things: workers, steps, variables, counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def listed(items: Iterable[object], most: int = 4) -> str:
    """`a`, `a and b`, `a, b and 3 more`."""
    words = [str(item) for item in items]
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def workers(ranks: Iterable[int]) -> str:
    """`worker 1`, `workers 1 and 2`."""
    ranks = sorted(ranks)
    return f"worker{'s' * (len(ranks) != 1)} {listed(ranks, most=8)}"


def count(number: int, noun: str) -> str:
    """`1 step`, `1,200 steps`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def step(steps: Sequence[int]) -> str:
    """`step 3`; of several optimizers, each counting for itself, `steps 3 + 3`."""
    made = [number for number in steps if number]
    if len(made) < 2:
        return f"step {sum(made)}"
    return f"steps {' + '.join(map(str, made))}"


def variable(key: str) -> str:
    """`dense/kernel` of `0/dense/kernel:0#3`, `slot m` of `0/slot/m#1`."""
    name = key.split("/", 1)[-1].rsplit("#", 1)[0].removesuffix(":0")
    return f"slot {name[5:]}" if name.startswith("slot/") else name or "(unnamed)"


def percent(share: float) -> str:
    """`0.4 %`, `14 %`; never `0 %` of something."""
    value = 100 * share
    return f"{value:.1f} %" if 0 < value < 9.95 else f"{value:.0f} %"


def same(parts: Iterable[object]) -> bool:
    """Whether all are equal (or there is none)."""
    parts = list(parts)
    return all(part == parts[0] for part in parts)
