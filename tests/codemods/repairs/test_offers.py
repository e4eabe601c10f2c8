"""What is offered is what works; a repair that has a fault of its own is not passed over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from distify.codemods import repairs
from distify.codemods.edits import At
from distify.codemods.facts import Facts
from distify.codemods.migrate import migrate
from distify.codemods.model import Options, UnsoundResult
from distify.codemods.repairs import Repair

A06 = next(each for each in repairs.all() if each.code == "A06")


def failing(error: Exception) -> Repair:
    def find(facts: Facts) -> Iterator[At]:
        raise error
        yield

    return A06._replace(rule=A06.rule._replace(find=find))


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> list[Repair]:
    known: list[Repair] = []
    monkeypatch.setattr(repairs, "all", lambda: tuple(known))
    return known


def test_what_works_is_offered(only: list[Repair]) -> None:
    only.append(A06)
    assert [each.code for each in migrate(A06.rule.before).repairs] == ["A06"]


def test_what_would_break_the_program_is_not(only: list[Repair]) -> None:
    only.append(failing(UnsoundResult("A06", 1, "a name is lost")))
    found = migrate(A06.rule.before)
    assert found.blocked
    assert not found.repairs


def test_a_fault_of_a_repair_is_seen(only: list[Repair]) -> None:
    only.append(failing(KeyError("a fault")))
    found = migrate(A06.rule.before)
    messages = [each.message for each in found.blocked if each.code == "P04"]
    assert messages == ["what A06 does here can't be written: KeyError: 'a fault'"]
    assert len(found.blocked) > 1
    assert not found.repairs


def test_a_chosen_repair_that_can_not_be_made_leaves_the_file_refused(only: list[Repair]) -> None:
    only.append(failing(UnsoundResult("A06", 1, "a name is lost")))
    found = migrate(A06.rule.before, Options(repair=frozenset({"A06"})))
    assert found.blocked[-1].message == "what A06 does here can't be written: a name is lost"
    assert found.after == found.before
