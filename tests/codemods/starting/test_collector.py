"""The collector of cycles stays out of what grows, and is run once behind what was large."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from distify.codemods.starting import collector
from distify.codemods.starting.collector import collected_afterwards, without_collector


class Cycle:
    """An object that holds itself, as the parts of a large program hold each other."""

    alive = 0

    def __init__(self) -> None:
        self.me = self
        Cycle.alive += 1

    def __del__(self) -> None:
        Cycle.alive -= 1


@pytest.fixture(autouse=True)
def no_rubbish() -> Iterator[None]:
    """Nothing of other tests counts."""
    gc.collect()
    Cycle.alive = 0
    yield
    gc.collect()


def test_much_is_freed_at_the_end_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "MUCH", 1_000)
    with collected_afterwards():
        for _ in range(2_000):
            Cycle()
        assert Cycle.alive == 2_000
        assert not gc.isenabled()
    assert Cycle.alive == 0
    assert gc.isenabled()


def test_what_fails_is_freed_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "MUCH", 10)

    @collected_afterwards()
    def fail() -> None:
        for _ in range(100):
            Cycle()
        raise RuntimeError("too large")

    with pytest.raises(RuntimeError, match="too large"):
        fail()
    assert Cycle.alive == 0
    assert gc.isenabled()


def test_little_is_left_to_python() -> None:
    """A hook that looks at one file waits for no search."""
    with without_collector():
        with collected_afterwards():
            for _ in range(10):
                Cycle()
        assert Cycle.alive == 10
