"""What is said while a job runs."""

from __future__ import annotations

import pytest

from distify.assistant.report import live
from distify.assistant.report.terminal import Terminal


@pytest.mark.parametrize(
    ("limit", "steps", "seconds", "said"),
    [(0, 3, 61.0, 1), (0, 3, 59.0, 0), (0, 0, 61.0, 0), (20, 3, 61.0, 0)],
)
def test_a_program_that_takes_its_time_is_told_how_it_ends(
    limit: int,
    steps: int,
    seconds: float,
    said: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: now[0])
    with live.Live(Terminal("never"), limit) as told:
        told.steps({0: steps, 1: steps})
        now[0] += seconds
        for _ in range(3):
            told.steps({0: steps, 1: steps})
    err = capsys.readouterr().err
    assert err.count("Ctrl-C ends it with a report") == err.count("--limit-steps 20") == said
