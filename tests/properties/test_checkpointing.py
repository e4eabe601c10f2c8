"""The seed's algorithm in its own language: an oracle for what `run_halves` does with layers.

Seed 004, divide-and-conquer checkpointing: the same gradient in O(w log t) storage and O(t log t)
time, for a program of t steps that has w cells of storage.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checkpointing.forward import Dual
from checkpointing.forward import evaluate as directly
from checkpointing.heap import Heap, Number, numbers
from checkpointing.language import Expression, Lambda
from checkpointing.machine import Program, closure, interrupt, primops, resume
from checkpointing.programs import expressions
from checkpointing.reverse import checkpointed, reverse
from checkpointing.written import chain

FACTOR = max(1, settings.default.max_examples // 100) if settings.default else 1
BASE = 16
X = 0.7

generated = settings(
    max_examples=40 * FACTOR,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
bodies = expressions(("x",), 4, 12)


class Cost(NamedTuple):
    """A gradient, and what it took: steps, and the most cells alive at a time."""

    value: float
    gradient: float
    steps: int
    cells: int


class Bench:
    """One program with its argument; `steps` and `cells` are those of running it forwards."""

    def __init__(self, expression: Expression) -> None:
        self.expression, self.heap = expression, Heap()
        self.f = Program(closure(expression, self.heap))
        self.x = Number(self.heap, X)
        self.one = [Number(self.heap, 1.0)]
        self.heap.peak = self.heap.live
        self.steps = primops(self.f, self.x, self.heap)
        self.cells = self.heap.peak

    def reverse(self) -> Cost:
        before = self._begin()
        y, (x_,) = reverse(self.f, self.x, self.one, self.heap)
        return self._end(before, y, x_)

    def checkpointed(self, base: int = BASE) -> Cost:
        before = self._begin()
        y, (x_,) = checkpointed(self.f, self.x, self.one, self.heap, base)
        return self._end(before, y, x_)

    def _begin(self) -> int:
        self.heap.peak = self.heap.live
        return self.heap.steps

    def _end(self, before: int, y: object, x_: Number) -> Cost:
        assert isinstance(y, Number)
        return Cost(y.value, x_.value, self.heap.steps - before, self.heap.peak)

    @property
    def levels(self) -> int:
        """How often the program is halved until it is short."""
        return max(0, math.ceil(math.log2(self.steps / BASE)))


@generated
@given(bodies)
def test_reverse_mode_is_right(body: Expression) -> None:
    bench = Bench(Lambda("x", body))
    found = bench.reverse()
    expected = directly(bench.expression, {})(Dual(X, 1.0))
    assert found.value == expected.value
    assert found.gradient == pytest.approx(expected.slope, rel=1e-9, abs=1e-9)


@generated
@given(bodies, st.sampled_from([1, 2, 3, 16, 100]))
def test_checkpointing_changes_no_bit_of_value_and_gradient(body: Expression, base: int) -> None:
    bench = Bench(Lambda("x", body))
    assert bench.checkpointed(base)[:2] == bench.reverse()[:2]


@pytest.mark.slow
@generated
@given(bodies)
def test_storage_grows_by_what_a_capsule_holds_for_each_halving(body: Expression) -> None:
    bench = Bench(Lambda("x", body))
    assert bench.checkpointed().cells <= bench.cells * (bench.levels + 2) + 2 * BASE


@pytest.mark.slow
@generated
@given(bodies)
def test_each_halving_runs_half_of_the_steps_again(body: Expression) -> None:
    bench = Bench(Lambda("x", body))
    assert bench.checkpointed().steps <= bench.steps * (2 + bench.levels / 2)


@generated
@given(bodies, st.data())
def test_a_program_that_is_interrupted_and_resumed_gives_its_value(
    body: Expression, data: st.DataObject
) -> None:
    bench = Bench(Lambda("x", body))
    limit = data.draw(st.integers(0, bench.steps - 1))
    capsule = interrupt(bench.f, bench.x, limit, bench.heap)
    before = bench.heap.steps
    y = resume(capsule, bench.heap)
    assert isinstance(y, Number)
    assert y.value == bench.reverse().value
    assert bench.heap.steps - before > bench.steps - limit - 1


@pytest.mark.slow
@generated
@given(bodies)
def test_no_cell_is_left_behind(body: Expression) -> None:
    bench = Bench(Lambda("x", body))
    before = bench.heap.live
    bench.checkpointed()
    assert bench.heap.live == before


def test_a_loop_of_any_length_runs_in_the_same_storage() -> None:
    assert Bench(chain(4)).cells == Bench(chain(256)).cells


def test_four_times_the_steps_cost_plain_reverse_mode_four_times_the_storage() -> None:
    small, large = (Bench(chain(count)).reverse().cells for count in (64, 256))
    assert large / small == pytest.approx(4, rel=0.05)


def test_four_times_the_steps_cost_checkpointing_the_same_again_and_again() -> None:
    costs = [Bench(chain(count)).checkpointed().cells for count in (16, 64, 256)]
    first, second = costs[1] - costs[0], costs[2] - costs[1]
    assert first == second
    assert costs[2] < Bench(chain(256)).reverse().cells / 10


def test_a_function_has_as_many_numbers_as_its_capsule_shows() -> None:
    bench = Bench(chain(8))
    one, other = (interrupt(bench.f, bench.x, bench.steps // 2, bench.heap) for _ in range(2))
    assert [number.value for number in numbers(one)] == [number.value for number in numbers(other)]
    assert len(numbers(one)) >= 2
