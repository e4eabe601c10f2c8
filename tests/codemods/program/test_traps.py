"""Where something else may get to the end too, no role is said to be the only one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.asking import VALUES, exactly
from flows.spellings import EQUAL
from flows.traps import TRAPS

FACTOR = max(1, settings.default.max_examples // 100) if settings.default else 1


@pytest.mark.parametrize("trap", TRAPS)
def test_no_role_is_the_only_one(trap: str) -> None:
    for role, value in VALUES.items():
        setup, use = TRAPS[trap].text(value)
        text = f"{setup}SINK = {use}\n"
        assert not exactly(text, role), text


@settings(max_examples=60 * FACTOR)
@given(
    st.lists(st.sampled_from(sorted(EQUAL)), max_size=2),
    st.sampled_from(sorted(TRAPS)),
    st.lists(st.sampled_from(sorted(EQUAL)), max_size=2),
    st.sampled_from(sorted(VALUES)),
)
def test_no_role_is_the_only_one_behind_other_spellings(
    before: list[str], trap: str, behind: list[str], role: str
) -> None:
    text, value = "", VALUES[role]
    steps = [*(EQUAL[s] for s in before), TRAPS[trap], *(EQUAL[s] for s in behind)]
    for number, step in enumerate(steps):
        setup, value = step.text(value, number)
        text += setup
    text += f"SINK = {value}\n"
    assert not exactly(text, role), text


def test_the_table_is_as_large_as_the_design_asks() -> None:
    assert len(TRAPS) >= 31
