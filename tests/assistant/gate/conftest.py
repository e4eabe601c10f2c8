"""Results are made by the engine itself, and judged by an obligation of the test's own."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from distify.codemods.judge.case import Case, proved
from distify.codemods.judge.proof import Proof
from obliged import Obliged, Prove

Oblige = Obliged


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of the fake one."""
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def oblige(monkeypatch: pytest.MonkeyPatch) -> Oblige:
    """Has everything judged by this alone."""
    return Obliged(monkeypatch)


def refuse_words(*words: str) -> Prove:
    """Refuses a program in which all of these words stand."""

    def prove(case: Case) -> Iterable[Proof]:
        text = "\n".join(source.text for source in case.after.values())
        if all(word in text for word in words):
            for source in case.after.values():
                if words[0] in source.text:
                    node = source.module.body[-1]
                    yield case.violated("nothing", node, f"{words[0]} stands here")
                    return
        yield proved("nothing", "nobody says the word", "the same files on all machines")

    return prove
