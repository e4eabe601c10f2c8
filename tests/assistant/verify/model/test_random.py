"""Models by chance, the same 100 in every run, 400 in the gate; every night 20,000 others."""

from __future__ import annotations

from random import Random, SystemRandom

import pytest
from hypothesis import settings

from . import agreeing
from .checks import checked

NIGHTLY = settings().max_examples >= 1_000
PARTS = (
    [(part, 2_000) for part in range(10)]
    if NIGHTLY
    else [(0, 100), pytest.param(0, 400, marks=pytest.mark.slow)]
)


@pytest.mark.parametrize(("part", "count"), PARTS)
def test_judging_says_what_exploring_finds(part: int, count: int) -> None:
    seed = SystemRandom().randrange(1 << 32) if NIGHTLY else part
    print("seed", seed)
    seen = checked(Random(seed), count)
    assert seen["models"] == count
    assert seen["too large"] < count / 20
    assert seen["race-free"] > count / 3
    assert count / 10 < seen["deadlock"] < count * 0.8
    assert seen["queues alone"] > count / 50
    assert seen["reduced"] < seen["full"] / 4


@pytest.mark.parametrize(("part", "count"), PARTS)
def test_what_is_proved_to_agree_agrees_at_every_end(part: int, count: int) -> None:
    seed = SystemRandom().randrange(1 << 32) if NIGHTLY else part
    print("seed", seed)
    seen = agreeing.checked(Random(seed), count)
    assert seen["too large"] + seen["M02"] < count / 10
    assert seen["proved"] > count / 3
    assert seen["both"] > count / 4  # where one of two variables agrees and the other does not
    assert seen["differ"] > seen["lost"] / 2  # and few are given up for nothing
