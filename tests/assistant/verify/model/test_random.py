"""Models by chance, the same 400 in every run; every night 20,000 others (`make test-nightly`)."""

from __future__ import annotations

from random import Random, SystemRandom

import pytest
from hypothesis import settings

from . import agreeing
from .checks import checked

NIGHTLY = settings().max_examples >= 1_000
PARTS, COUNT = (10, 2_000) if NIGHTLY else (1, 400)


@pytest.mark.parametrize("part", range(PARTS))
def test_judging_says_what_exploring_finds(part: int) -> None:
    seed = SystemRandom().randrange(1 << 32) if NIGHTLY else part
    print("seed", seed)
    seen = checked(Random(seed), COUNT)
    assert seen["models"] == COUNT
    assert seen["too large"] < COUNT / 20
    assert seen["race-free"] > COUNT / 3
    assert COUNT / 10 < seen["deadlock"] < COUNT * 0.8
    assert seen["queues alone"] > COUNT / 50
    assert seen["reduced"] < seen["full"] / 4


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_proved_to_agree_agrees_at_every_end(part: int) -> None:
    seed = SystemRandom().randrange(1 << 32) if NIGHTLY else part
    print("seed", seed)
    seen = agreeing.checked(Random(seed), COUNT)
    assert seen["too large"] + seen["M02"] < COUNT / 10
    assert seen["proved"] > COUNT / 3
    assert seen["both"] > COUNT / 4  # where one of two variables agrees and the other does not
    assert seen["differ"] > seen["lost"] / 2  # and few are given up for nothing
