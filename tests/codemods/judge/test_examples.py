"""Each example is proved, with the gate on: no result that was right is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.judge import obligations
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PROGRAMS = [
    path
    for folder in (EXAMPLES, EXAMPLES / "keras3", EXAMPLES / "tf1")
    for path in sorted(folder.glob("*.py"))
]


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_it_is_written(path: Path) -> None:
    options = Options(tensorflow=(2, 20)) if path.parent.name == "keras3" else Options()
    seen = migrate(path.read_text("utf-8"), options, path.name)
    assert not seen.blocked
    assert seen.steps
    enforced = {each.name for each in obligations.asked(is_result=True) if each.is_enforced}
    assert {proof.obligation for proof in seen.proofs if proof.holds} >= enforced
