"""The rules are tried with the gate off: what each proposes is asked, not what the judge says of it.

`tests/codemods/judge` has it on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

JUDGED = Path(__file__).parent / "judge"


@pytest.fixture(autouse=True)
def _gate_off(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if JUDGED not in request.path.parents:
        monkeypatch.setattr("distify.codemods.judging.judge", lambda case: [])
