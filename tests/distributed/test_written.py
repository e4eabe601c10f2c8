"""What the judge says of files is what two workers do to them: they fail, or train apart.

Each program stands beside one that looks alike and is sound.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from proof import verify

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge import writers
from distify.codemods.judge.case import Case
from distify.codemods.model import Options

HERE = Path(__file__).parent / "written"
NAMES = sorted(path.stem[: -len("_bad")] for path in HERE.glob("*_bad.py"))
FEW = ("early",)  # the workers train apart, without a word; the others fail


def named(*names: str) -> list[object]:
    """The programs, of which `make test` runs a few."""
    return [name if name in FEW else pytest.param(name, marks=pytest.mark.slow) for name in names]


def is_proved(program: Path) -> bool:
    text = program.read_text("utf-8")
    options, facts = Options(), Facts.of(text)
    case = Case({"a.py": text}, {"a.py": ""}, "a.py", options, QUESTIONS, lambda: facts)
    return all(proof.holds for proof in writers.prove(case))


@pytest.mark.parametrize("name", named(*NAMES))
def test_what_it_refuses_fails_or_is_convicted(name: str, tmp_path: Path) -> None:
    np.save(tmp_path / "factor.npy", np.float32(1))  # of an older run
    assert not is_proved(HERE / f"{name}_bad.py")
    proof = verify(HERE / f"{name}_bad.py", tmp_path, "--no-reference")
    assert proof.code == (1 if name in FEW else 2), str(proof)


@pytest.mark.parametrize("name", named(*NAMES))
def test_what_it_proves_goes_through(name: str, tmp_path: Path) -> None:
    np.save(tmp_path / "factor.npy", np.float32(1))
    assert is_proved(HERE / f"{name}_ok.py")
    proof = verify(HERE / f"{name}_ok.py", tmp_path, "--no-reference")
    assert proof.code == 0, str(proof)
