"""The rules are tried with the gate off: what each proposes is asked, not what the judge says of it.

`tests/codemods/judge` has it on. With `--judged FILE` each proposal is judged all the same, and what
is not proved of it is written there, a line each: `make test-judged` compares them with those that
are known (`tests/data/judged.txt`), of which there may only be fewer.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from distify.codemods.gate import judging
from distify.codemods.judge.case import Case
from distify.codemods.judge.judge import judge
from distify.codemods.judge.proof import Proof
from distify.codemods.program.graph import TooLarge

JUDGED = Path(__file__).parent / "judge"


@pytest.fixture(autouse=True)
def _gate_off(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    given = getattr(request.node, "callspec", None)
    repair = given.params.get("repair") if given is not None else None
    if JUDGED in request.path.parents or _answers_judge(repair):
        return
    path = request.config.getoption("--judged")
    monkeypatch.setattr(judging, "judge", Recorder(path) if path else lambda case: [])


def _answers_judge(repair: object) -> bool:
    """Whether a repair takes something away that the judge alone finds."""
    return any(code.startswith("J") for code in getattr(repair, "answers", ()))


class Recorder:
    """Judges proposals, and lets all of them pass; what isn't proved is written to a file."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, case: Case) -> list[Proof]:
        """No proof that keeps anything from being written."""
        if not case.options.unsound and not case.options.select:
            try:
                proofs = [proof for proof in judge(case) if not proof.holds]
            except TooLarge:
                proofs = []
            self._write(case, proofs)
        return []

    def _write(self, case: Case, proofs: list[Proof]) -> None:
        texts = "".join(source.text for source in case.before.values())
        options = repr(case.options._replace(only_look=False))
        key = hashlib.sha256((texts + options).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        found = sorted({(p.obligation, p.verdict, p.code, p.why) for p in proofs})
        with open(self._path, "a", encoding="utf-8") as file:  # one write a line, by many processes
            test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
            after = {path: source.text for path, source in case.after.items()}
            line = {"key": key, "test": test, "found": found, "after": after}
            file.write(json.dumps(line) + "\n")
