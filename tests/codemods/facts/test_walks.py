"""Walks over places that may lead back to each other."""

from __future__ import annotations

import pytest

from distify.codemods.facts.walks import inner_first, reached

WAYS = {"a": "bc", "b": "d", "c": "d", "d": "", "x": "yz", "y": "x", "z": "z"}


@pytest.mark.parametrize(
    ("start", "wanted"), [("d", "d"), ("b", "db"), ("a", "dbca"), ("x", "yzx"), ("z", "z")]
)
def test_what_a_place_leads_to_comes_before_it(start: str, wanted: str) -> None:
    assert "".join(inner_first(start, WAYS.__getitem__)) == wanted
    assert set(reached([start], WAYS.__getitem__)) == set(wanted)


def test_a_long_way_is_no_deep_one() -> None:
    far = 100_000
    found = list(inner_first(0, lambda n: [n + 1] if n < far else []))
    assert found == list(range(far, -1, -1))
