"""What `--model` and `--tla` ask of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from distify.assistant.cli import proving
from distify.assistant.cli.commands import distify
from distify.assistant.report.terminal import Terminal
from distify.assistant.verify.run.job import Job

from ..build import evidence
from .recorded import lines


@pytest.mark.parametrize(
    ("options", "model", "steps"),
    [
        ([], False, 0),
        (["--model"], True, 2),
        (["--tla", "here"], True, 2),
        (["--model", "--limit-steps", "7"], True, 7),
        (["--model", "--limit-steps", "0"], True, 0),
        (["--limit-steps", "7"], False, 7),
    ],
)
def test_a_model_needs_few_steps(
    options: list[str], model: bool, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Job] = []

    def remember(job: Job, *rest: Any) -> int:
        asked.append(job)
        return 0

    monkeypatch.setattr(proving, "verified", remember)
    assert CliRunner().invoke(distify, ["verify", *options, "train.py"]).exit_code == 0
    (job,) = asked
    assert (job.model, job.limit_steps) == (model, steps)


def test_each_graph_gets_a_module_and_its_configuration(tmp_path: Path) -> None:
    for rank, mine in enumerate(lines("spike_hang")):
        text = "".join(json.dumps(each) + "\n" for each in mine)
        (tmp_path / f"rank{rank}.graphs.jsonl").write_text(text)
    proving._write_modules(evidence(folder=tmp_path), tmp_path / "tla", Terminal("never"))
    written = sorted(path.name for path in (tmp_path / "tla").iterdir())
    assert written == ["step_0.cfg", "step_0.tla"]


def test_what_has_no_module_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for rank, mine in enumerate(lines("spike_hang")):
        broken = [{**each, "library": {}} for each in mine]
        text = "".join(json.dumps(each) + "\n" for each in broken)
        (tmp_path / f"rank{rank}.graphs.jsonl").write_text(text)
    proving._write_modules(evidence(folder=tmp_path), tmp_path / "tla", Terminal("never"))
    assert list((tmp_path / "tla").iterdir()) == []
    assert "no module of TLA+" in capsys.readouterr().err
