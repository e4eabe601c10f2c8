"""What settings ask for, proved on two workers: rates by the root, halves on the way."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from proof import verify

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SETTINGS = '[tool.distify]\nlearning-rate = "{}"\ncompression = "fp16"\n'
HALVES, ROOT = "compression=hvd.Compression.fp16", "hvd.size() ** 0.5"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "rate"),
    [("keras_sequential", "sqrt"), ("tape_function", "sqrt"), ("tape_function", "none")],
)
def test_workers_train_in_step(example: str, rate: str, tmp_path: Path, distify: Any) -> None:
    (tmp_path / "pyproject.toml").write_text(SETTINGS.format(rate), encoding="utf-8")
    program = tmp_path / f"{example}.py"
    shutil.copy(EXAMPLES / program.name, program)
    done = distify("migrate", str(program))
    assert done.returncode == 0, done.stdout + done.stderr
    text = program.read_text(encoding="utf-8")
    assert HALVES in text
    assert (ROOT in text) == (rate == "sqrt")
    proof = verify(program, tmp_path, "--no-reference")
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
    assert {"averaging", "broadcast", "drift", "steps"} <= proof.fine, str(proof)
