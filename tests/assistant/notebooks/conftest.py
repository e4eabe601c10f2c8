"""Notebooks are looked at by the engine itself: its insertions are what cells have to take."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of the fake one."""
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
