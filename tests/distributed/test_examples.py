"""Every example, migrated with the command line, trains in step on two and on three workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from proof import Proof, verify

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.py"))
ASKED = {
    "averaging",
    "broadcast",
    "collectives",
    "drift",
    "ended",
    "files",
    "hang",
    "rates",
    "shards",
    "steps",
}
# What can't be seen of an example, by its nature.
UNSEEN = {"tape_bare_variables": {"shards"}}  # arrays, and neither a model nor a compiled step
# Deterministic programs with plain SGD: N workers x B do what one process with N x B does.
EXACT = ("keras_fit_arrays", "keras_fit_dataset", "tape_module_level", "tape_trainer_class")


def each_of(examples: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("example", examples, ids=lambda path: path.stem)


exact = each_of([example for example in EXAMPLES if example.stem in EXACT])
others = each_of([example for example in EXAMPLES if example.stem not in EXACT])


def check_proved(proof: Proof, example: Path) -> None:
    """Nothing is held against it, and every question could be answered."""
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
    assert min(proof.steps) > 0
    unanswered = ASKED - proof.fine
    assert unanswered == UNSEEN.get(example.stem, set()), f"{unanswered}\n{proof}"


def compared(example: Path, folder: Path, migrate: Any) -> Proof:
    """Two workers beside one process with their batch."""
    proof = verify(migrate(example), folder, "--baseline", str(example))
    check_proved(proof, example)
    assert any(each["question"] == "baseline" for each in proof.report["verdicts"]), str(proof)
    return proof


@exact
def test_two_workers_do_what_one_process_does(example: Path, tmp_path: Path, migrate: Any) -> None:
    proof = compared(example, tmp_path, migrate)
    assert "baseline" in proof.fine, str(proof)


@others
def test_two_workers_train_in_step(example: Path, tmp_path: Path, migrate: Any) -> None:
    check_proved(verify(migrate(example), tmp_path), example)


@pytest.mark.slow
@others
def test_beside_one_process_too(example: Path, tmp_path: Path, migrate: Any) -> None:
    """What is drawn by chance differs from it; that is not held against the workers."""
    compared(example, tmp_path, migrate)


@pytest.mark.slow
@each_of(EXAMPLES)
def test_three_workers_train_in_step(example: Path, tmp_path: Path, migrate: Any) -> None:
    check_proved(verify(migrate(example), tmp_path, workers=3), example)


def test_the_tables_name_examples_that_exist() -> None:
    stems = {path.stem for path in EXAMPLES}
    assert {*UNSEEN, *EXACT} <= stems
    assert len(stems) >= 14
