"""The steps of all graphs that are built for one look are counted together."""

from __future__ import annotations

import pytest

from distify.codemods.program.graph import TooLarge
from distify.codemods.program.program import Program
from distify.codemods.program.spending import Spent, counted, current

TEXT = "a = [1]\n" + "".join(f"a = [a, {number}]\n" for number in range(50))


def cost(times: int) -> int:
    with counted() as spending:
        for _ in range(times):
            Program({"": TEXT})
    return spending.steps


def test_the_programs_of_a_look_are_counted_together() -> None:
    assert cost(0) == 0
    assert cost(3) == 3 * cost(1) > 100


def test_what_is_closed_stays_counted() -> None:
    with counted() as spending:
        Program({"": TEXT}).close()
    assert spending.steps == cost(1)


def test_what_is_read_counts() -> None:
    with counted(10) as spending:
        current().take(10)
        with pytest.raises(Spent):
            current().take(1)
    assert spending.steps == 11


@pytest.mark.parametrize("times", [1, 3])
def test_a_look_ends_where_it_may_take_no_more(times: int) -> None:
    with counted(cost(times)):
        for _ in range(times):
            Program({"": TEXT})
    with counted(cost(times) - 1):
        for _ in range(times - 1):
            Program({"": TEXT})
        with pytest.raises(Spent):
            Program({"": TEXT})


def test_a_program_that_is_too_large_is_told_as_before() -> None:
    with counted(10**9), pytest.raises(TooLarge):
        Program({"": TEXT}, budget=10)


def test_nobody_who_catches_exceptions_goes_on() -> None:
    assert not issubclass(Spent, Exception)


def test_one_look_is_no_other_ones() -> None:
    with counted(10):
        current().take(10)
    current().take(10**12)
    with counted(10):
        current().take(10)
