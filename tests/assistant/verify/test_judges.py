"""All judges over whole runs: a sound one is acquitted, nothing seen is nothing proved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from distify.assistant.verify import judges
from distify.assistant.verify.record.endings import Blind
from distify.assistant.verify.record.events import Collective
from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.record.verdict import CONVICTED, FINE, UNCHECKED, exit_code

from .build import added, again, evidence, said, sound

JUDGES = [judge.name for judge in judges.all()]
SILENT = {
    "blind",
    "time",
    "baseline",
    "memory",
    "numbering",
    "pairs",
    "taken",
    "updates",
    "waiting",
}


def test_a_sound_run_is_acquitted() -> None:
    run = evidence(*(Worker(rank, (*sound(rank), again(rank))) for rank in range(2)))
    found = judges.verdicts(run)
    assert [v for v in found if v.grade != FINE] == []
    assert exit_code(found) == 0
    assert {v.question for v in found} == set(JUDGES) - SILENT


def test_where_nothing_was_seen_nothing_is_fine() -> None:
    nothing = evidence(Worker(0), Worker(1), reference=None)
    found = judges.verdicts(nothing)
    assert {v.grade for v in found if v.question not in ("hang", "ended", "files")} <= {UNCHECKED}
    assert exit_code(found) == 2


def test_a_worker_without_records_is_a_run_that_proves_nothing() -> None:
    whole = evidence()
    half = replace(whole, workers={0: whole.workers[0]})
    found = judges.verdicts(half)
    assert not [v for v in found if v.grade == CONVICTED]
    assert exit_code(found) == 2
    fine = {v.question for v in found if v.grade == FINE}
    assert not fine & {"drift", "steps", "shards", "files", "collectives"}


def test_nobody_is_convicted_of_two_things_that_are_one() -> None:
    """No reduce is seen by the judge of the averaging and by the one of the drift."""
    from distify.assistant.verify.record.events import Reduce, State

    from .build import changed, states

    run = evidence(
        changed(0, *states(), drop=(State, Reduce, Collective)),
        changed(1, *states(differ="x", since=2), drop=(State, Reduce, Collective)),
    )
    assert list(said(run)) == ["D201"]


@pytest.mark.parametrize(
    "what", ["variables", "collectives", "examples", "writes", "rate", "steps"]
)
def test_what_the_probe_could_not_see_is_never_fine(what: str) -> None:
    run = evidence(added(1, Blind(1.0, what, "it is hidden")))
    found = judges.verdicts(run)
    unchecked = [v for v in found if v.grade == UNCHECKED]
    assert [(v.question, v.ranks) for v in unchecked] == [("blind", (1,))]
    assert "it is hidden" in unchecked[0].text
    relying = {judge.name for judge in judges.all() if what in judge.sees}
    assert relying
    assert all(v.grade != FINE for v in found if v.question in relying)


def test_a_judge_that_fails_says_so_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(evidence: Evidence) -> None:
        raise ZeroDivisionError("oh")

    first, *others = judges.all()
    broken = replace(first, answer=stumble)
    monkeypatch.setattr(judges, "all", lambda: (broken, *others))
    found = judges.verdicts(evidence())
    (told,) = [v for v in found if v.question == first.name]
    assert (told.grade, "ZeroDivisionError: oh" in told.text) == (UNCHECKED, True)
    assert len({v.question for v in found}) > 5
    assert exit_code(found) == 2


def test_every_judge_says_what_it_asks() -> None:
    found = judges.all()
    assert all(judge.asks.startswith(("whether", "what", "how")) for judge in found)
    assert len({judge.order for judge in found}) == len(found)
    assert all(judge.answer.__doc__ for judge in found)
