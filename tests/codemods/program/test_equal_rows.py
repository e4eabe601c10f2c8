"""A value is what it is however its way is spelled, whichever role it has."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.asking import VALUES, exactly, roles
from flows.spellings import EQUAL

# The profile for the night asks for more examples of every test.
FACTOR = max(1, settings.default.max_examples // 100) if settings.default else 1


@pytest.mark.parametrize("spelling", EQUAL)
def test_every_role_gets_through(spelling: str) -> None:
    for role, value in VALUES.items():
        setup, use = EQUAL[spelling].text(value)
        text = f"{setup}SINK = {use}\n"
        assert roles(text) == {role}, text


@settings(max_examples=60 * FACTOR)
@given(
    st.lists(st.sampled_from(sorted(EQUAL)), min_size=2, max_size=4),
    st.sampled_from(sorted(VALUES)),
)
def test_every_role_gets_through_several(spellings: list[str], role: str) -> None:
    text, value = "", VALUES[role]
    for number, spelling in enumerate(spellings):
        setup, value = EQUAL[spelling].text(value, number)
        text += setup
    text += f"SINK = {value}\n"
    assert roles(text) == {role}, text


def test_the_table_is_as_large_as_the_design_asks() -> None:
    assert len(EQUAL) >= 35


def test_another_role_is_another_answer() -> None:
    assert not exactly("SINK = 0.1\n", "optimizer")
