"""Every example, migrated with the command line, trains in step on two workers.

The short ones are also run on three, and compared with one process.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from proof import TIMEOUT, Proof, verify

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
UNSEEN = {
    "tape_bare_variables": {"shards"},  # arrays, and neither a model nor a compiled step
    "keras_siamese_generators": {"shards"},  # pairs are drawn with replacement, by each worker
    "tape_batch_generator": {"shards"},  # orders of two epochs meet by chance
}
# Deterministic programs with plain SGD: N workers x B do what one process with N x B does.
EXACT = ("keras_fit_arrays", "keras_fit_dataset", "tape_module_level", "tape_trainer_class")
RESUMING = "keras_resuming_classifier"
# Written as people write them; each takes too long for several runs.
LONG = (
    RESUMING,
    "keras_search_settings",
    "keras_segmentation_patches",
    "keras_siamese_generators",
    "keras_table_folds",
    "keras_transfer_two_phases",
    "keras_windowed_forecast",
    "tape_seq2seq_teacher",
    "tape_vae_last_batch",
    "tape_wgan_gp_critic",
)


# The gate runs these, one of each kind, beside the exact ones. What becomes of every example is
# its golden diff, which the gate compares: whoever changes one runs `make test-distributed`.
GATE = (
    RESUMING,
    "keras_callback_registry",
    "keras_generator_split",
    "keras_mixed_precision",
    "tape_gan",
    "tape_wgan_gp_critic",
)


def each_of(examples: list[Path], slow: Collection[Path] = ()) -> pytest.MarkDecorator:
    marks = ([pytest.mark.slow] if path in slow else [] for path in examples)
    cases = [pytest.param(path, marks=mark) for path, mark in zip(examples, marks)]
    return pytest.mark.parametrize("example", cases, ids=[path.stem for path in examples])


MORE = [example for example in EXAMPLES if example.stem not in GATE]
long = each_of([example for example in EXAMPLES if example.stem in LONG], MORE)
short = each_of([example for example in EXAMPLES if example.stem not in LONG])
exact = each_of([example for example in EXAMPLES if example.stem in EXACT])
others = each_of([e for e in EXAMPLES if e.stem not in (*EXACT, *LONG)], MORE)


def check_proved(proof: Proof, example: Path, asked: set[str] = ASKED) -> None:
    """Nothing is held against it, and every question could be answered."""
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
    assert min(proof.steps) > 0
    unanswered = asked - proof.fine
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


@long
def test_long_ones_train_in_step(example: Path, tmp_path: Path, migrate: Any) -> None:
    """Without a run on one process before, which takes a third of the time and tells the rates."""
    more = ["--resume"] if example.stem == RESUMING else []
    more += ["--timeout", str(8 * TIMEOUT)]  # tracing, or what follows the last step, may take long
    proof = verify(migrate(example), tmp_path, "--no-reference", *more)
    check_proved(proof, example, ASKED - {"rates"})
    if example.stem == RESUMING:
        assert proof.report["second_run"]["verdict"] == "in step", str(proof)


@pytest.mark.slow
@short
def test_three_workers_train_in_step(example: Path, tmp_path: Path, migrate: Any) -> None:
    check_proved(verify(migrate(example), tmp_path, workers=3), example)


def test_the_tables_name_examples_that_exist() -> None:
    stems = {path.stem for path in EXAMPLES}
    assert {*UNSEEN, *EXACT, *LONG, *GATE} <= stems
    assert len(stems) >= 34
