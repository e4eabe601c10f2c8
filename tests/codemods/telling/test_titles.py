"""A message in two: the first is short, and cut where its sentence has a joint."""

from __future__ import annotations

import pytest

from distify.codemods.telling.titles import LONGEST, parted

LONG = "each worker takes a share of its own, and the others wait"
WHY = "`x, and y; z` is a parameter of `fit`, which code out of sight may call"


@pytest.mark.parametrize(
    ("message", "title", "more"),
    [
        ("short: it stays; whole", "short: it stays; whole", ""),
        (f"{LONG}, because {WHY}", LONG, f"because {WHY}"),
        (f"this ends it; {LONG}: {WHY}", f"this ends it; {LONG}", WHY),
        (f"{LONG}; then {WHY}, and so on", f"{LONG}", f"then {WHY}, and so on"),
        (f"it reads `{'a; ' * 40}`: {LONG}", f"it reads `{'a; ' * 40}`: {LONG}", ""),
        ("no joint " * 20, "no joint " * 20, ""),
    ],
)
def test_where_a_message_is_cut(message: str, title: str, more: str) -> None:
    assert parted(message) == (title, more)
    assert not more or len(title) <= LONGEST
