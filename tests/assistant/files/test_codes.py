"""Rule codes as people write them."""

from __future__ import annotations

import pytest

from distify.assistant.files.codes import UnknownCode, expand

from ..conftest import RULES


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        (["D104"], {"D104"}),
        (["d104"], {"D104"}),
        (["D1"], {"D101", "D104"}),
        (["D"], {"D101", "D104", "D203"}),
        (["D101,D203", "D104"], {"D101", "D104", "D203"}),
        (["scale-learning-rate"], {"D104"}),
        ([" D101 , "], {"D101"}),
        ([], set()),
    ],
)
def test_what_is_meant(given: list[str], codes: set[str]) -> None:
    assert expand(given, RULES) == codes


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("D140", "no rule D140; did you mean D104?"),
        ("scale-learning-rates", "did you mean scale-learning-rate?"),
        ("X", "`distify rules` lists them all"),
        ("04", "no rule 04"),
        ("H", "no rule H"),
        (
            "m01",
            "M01 is a verdict of a model, which a report names, and no rule to select or ignore",
        ),
        ("H01", "H01 is a hazard, which a report names, and no rule to select or ignore"),
        ("h01", "; `distify explain H01` says what to do about it"),
        ("R05", "R05 is a restriction, which a report names"),
        ("T02", "T02 is a restriction"),
    ],
)
def test_what_is_meant_by_nothing(given: str, message: str) -> None:
    with pytest.raises(UnknownCode) as caught:
        expand([given], RULES)
    assert message in str(caught.value)
