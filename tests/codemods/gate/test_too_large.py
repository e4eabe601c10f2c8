"""A file that takes too many steps is refused by name, whichever question meets the end first."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Callable

import pytest

from distify.assistant.cli.commands import distify
from distify.codemods.facts import facts
from distify.codemods.facts.facts import MOST_STEPS
from distify.codemods.migrate import migrate
from distify.codemods.model import BLOCKED, Options
from distify.codemods.program.program import Program

TRAINING = """\
import numpy as np
import tensorflow as tf

x = np.zeros((1001, 8), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
model.fit(x, x, batch_size=10)
"""


def steps_of(text: str) -> int:
    """What all questions about a text take together."""
    steps: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Program, "close", _noting(steps))
        assert migrate(text).steps
    return max(steps)


def _noting(steps: list[int]) -> Callable[[Program], None]:
    plain = Program.close

    def noting(self: Program) -> None:
        steps.append(self._graph.steps)
        plain(self)

    return noting


@pytest.mark.parametrize("share", [0.01, 0.5, 0.9, 0.999])
def test_a_file_over_the_budget_is_refused_by_name(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the graph is built, and by a question that comes later."""
    monkeypatch.setattr(facts, "MOST_STEPS", int(share * steps_of(TRAINING)))
    found = migrate(TRAINING)
    (refusal,) = found.blocked
    assert (refusal.code, refusal.severity, refusal.line) == ("N04", BLOCKED, 1)
    assert "steps" in refusal.message
    assert refusal.fix
    assert found.after == found.before == TRAINING
    assert not found.steps
    assert not found.skipped


def test_a_file_within_the_budget_is_migrated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "MOST_STEPS", steps_of(TRAINING))
    assert not migrate(TRAINING).blocked
    assert migrate(TRAINING, Options(only_look=True)).changing_rules


def test_ten_thousand_lines_are_far_below_the_budget() -> None:
    lines = "".join(f"a{number} = np.zeros({number})\n" for number in range(1_000))
    assert 10 * steps_of(TRAINING + lines) < MOST_STEPS / 5


def test_the_page_names_the_budget() -> None:
    page = resources.files("distify.codemods.pages").joinpath("N04.md").read_text(encoding="utf-8")
    assert page.count(f"{MOST_STEPS:,}") == 2


def test_the_command_leaves_the_file_and_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(facts, "MOST_STEPS", 10)
    file = tmp_path / "train.py"
    file.write_text(TRAINING)
    with pytest.raises(SystemExit) as end:
        distify(["migrate", "--check", str(file)], prog_name="distify")
    assert end.value.code == 1
    assert "blocked N04 line 1: following the values" in capsys.readouterr().out
    assert file.read_text() == TRAINING
