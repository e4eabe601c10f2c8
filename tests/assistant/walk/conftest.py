"""The walk is tested with the real engine: what falls away with a rule is known to nobody else."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def fake_engine() -> None:
    """None of it here."""
