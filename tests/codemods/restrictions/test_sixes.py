"""Each reason that stops a file has at least six programs that have it, and six sound ones beside."""

from __future__ import annotations

from collections import Counter

import pytest

from distify.codemods import restrictions
from distify.codemods.migrate import migrate
from distify.codemods.model import Options
from distify.codemods.telling import titles

from . import test_findings, test_r01_imports_at_top, test_recomputation
from .sixes import FIRES, OPTIONS, QUIET, RECOMPUTED
from .test_t06_unfollowed_session import REFUSED, REFUSED_MONITORED

# They remark on what a rule does, and stop no file.
REMARKS = {"D106", "D107", "D109", "D203", "D204", "D206", "D501"}


# Of distify's insides, or of nothing that a person could do.
BANNED = ("unknown: ", "is followed", "hidden in * or **", "none can wait here")


def told(code: str, text: str) -> bool:
    migration = migrate(text, OPTIONS.get(code, Options()))
    found = (*migration.blocked, *migration.notes)
    for finding in found:
        assert len(finding.title) <= titles.LONGEST, finding.title
        assert not any(words in finding.message for words in BANNED), finding.message
        assert not finding.more or finding.title in finding.message
    return code in [finding.code for finding in found]


def pairs(cases: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(code, text) for code, texts in cases.items() for text in texts]


@pytest.mark.parametrize(("code", "text"), pairs(FIRES))
def test_what_is_told(code: str, text: str) -> None:
    assert told(code, text)


@pytest.mark.parametrize(("code", "text"), pairs(QUIET))
def test_what_is_sound(code: str, text: str) -> None:
    assert not told(code, text)


@pytest.mark.parametrize(("code", "text"), pairs(RECOMPUTED))
def test_what_is_not_recomputed(code: str, text: str) -> None:
    assert test_recomputation.codes(more=text) == [code]


def recomputed() -> tuple[Counter[str], int]:
    """How many cases `test_recomputation` has of each code, and in how many nothing is found."""
    refused, accepted = Counter({"C10": len(test_recomputation.LATE)}), 0
    for test in vars(test_recomputation).values():
        for mark in getattr(test, "pytestmark", ()):
            names, cases = mark.args
            if "code" in names:
                refused.update(case[-1] for case in cases)
            elif "accepted" in test.__name__ or "no_matter" in test.__name__:
                accepted += len(cases)
    refused.update({code: len(cases) for code, cases in RECOMPUTED.items()})
    return refused, accepted


def test_there_are_six_and_six_of_each() -> None:
    fires = Counter({code: len(cases) for code, cases in FIRES.items()})
    quiet = Counter({code: len(cases) for code, cases in QUIET.items()})
    fires.update({code: len(cases) for code, cases in test_findings.BLOCKS.items()})
    quiet.update({code: len(cases) for code, cases in test_findings.PASSES.items()})
    fires.update({"T06": len(REFUSED) + len(REFUSED_MONITORED)})
    fires.update({"R01": len(test_r01_imports_at_top.BLOCKED)})
    refused, accepted = recomputed()
    fires.update(refused)
    quiet.update(dict.fromkeys(refused, accepted))
    codes = {each.code for each in restrictions.all() if not each.is_hazard} - REMARKS
    assert {code: fires[code] for code in sorted(codes) if fires[code] < 6} == {}
    assert {code: quiet[code] for code in sorted(codes) if quiet[code] < 6} == {}
