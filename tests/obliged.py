"""Obligations of a test's own: all results are judged by these alone."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Callable

import pytest

from distify.codemods.judge import obligations
from distify.codemods.judge.case import Case
from distify.codemods.judge.obligations import Obligation
from distify.codemods.judge.proof import Proof

Prove = Callable[[Case], Iterable[Proof]]


class Obliged:
    """Has everything judged by what is registered; the page of each is that of P01."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self._known: list[Obligation] = []

    def __call__(self, prove: Prove, name: str = "nothing", enforced: bool = True) -> None:
        module = ModuleType(f"distify.codemods.judge.{name}")
        module.prove = prove  # type: ignore[attr-defined]
        self._monkeypatch.setitem(sys.modules, module.__name__, module)
        self._known.append(Obligation(name, "P01", enforced))
        self._monkeypatch.setattr(obligations, "OBLIGATIONS", tuple(self._known))


def refuse(case: Case) -> Iterable[Proof]:
    """Nothing is proved of any result."""
    for path in case.changed:
        first = case.after[path].module.body[0]
        yield case.not_proved("nothing", first, "nothing is ever proved")
