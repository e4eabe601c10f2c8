"""The examples of TensorFlow 1, migrated, train in step: Horovod 0.28 on `tensorflow.compat.v1`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from proof import verify
from test_examples import ASKED, check_proved, each_of

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples" / "tf1").glob("*.py"))
# Deterministic programs with plain SGD: N workers x B do what one process with N x B does.
EXACT = (
    "session_arrays",
    "session_batches",
    "session_epochs",
    "monitored_epochs",
    "estimator_epochs",
)
# Examples that each worker invents, or picks with replacement.
UNSHARED = (
    "session_gan",
    "session_flags",
    "session_mnist_cnn",
    "monitored_own_hooks",
    "estimator_numpy_input",
    "session_accumulation",
)
# A rate that is fed, a second optimizer, one that comes behind the steps of the first, a rate that
# waits for other operations.
UNRATED = (
    "session_clipping",
    "session_gan",
    "monitored_cifar10",
    "estimator_ready_made",
)
QUICK = (
    "session_arrays",
    "session_gan",
    "session_restored",
    "monitored_hooks",
    "estimator_model_fn",
)
SIZE = '"BATCH_SIZE", "{}"'

exact = each_of([example for example in EXAMPLES if example.stem in EXACT])
quick = each_of([example for example in EXAMPLES if example.stem in QUICK])
others = each_of([example for example in EXAMPLES if example.stem not in (*EXACT, *QUICK)])


def check(example: Path, folder: Path, migrate: Any, workers: int = 2) -> None:
    """It is in step, and every question that can be answered of it is."""
    proof = verify(migrate(example), folder, workers=workers)
    unseen = {"shards"} if example.stem in UNSHARED else set()
    unseen |= {"rates"} if example.stem in UNRATED else set()
    check_proved(proof, example, ASKED - unseen)


@pytest.mark.slow
@exact
def test_two_workers_do_what_one_process_does(example: Path, tmp_path: Path, migrate: Any) -> None:
    """What is fed can't be enlarged from outside: the one process is told its size."""
    text = example.read_text(encoding="utf-8")
    alone = tmp_path / example.name
    factor = 2 if "feed_dict" in text else 1
    alone.write_text(text.replace(SIZE.format(20), SIZE.format(20 * factor)), encoding="utf-8")
    proof = verify(migrate(example), tmp_path, "--baseline", str(alone))
    check_proved(proof, example)
    assert "baseline" in proof.fine, str(proof)


@quick
def test_two_workers_train_in_step(example: Path, tmp_path: Path, migrate: Any) -> None:
    check(example, tmp_path, migrate)


@pytest.mark.slow
@others
def test_the_others_train_in_step(example: Path, tmp_path: Path, migrate: Any) -> None:
    check(example, tmp_path, migrate)


@pytest.mark.slow
@each_of(EXAMPLES)
def test_three_workers_train_in_step(example: Path, tmp_path: Path, migrate: Any) -> None:
    check(example, tmp_path, migrate, workers=3)


@pytest.mark.slow
def test_a_supervisors_session_that_runs_no_broadcast_drifts(tmp_path: Path, migrate: Any) -> None:
    """It is made before the graph is finished, and nothing else than to run it helps."""
    program = migrate(next(each for each in EXAMPLES if each.stem == "session_supervisor"))
    text = program.read_text(encoding="utf-8")
    assert text.count("sess.run(broadcast)\n") == 1
    program.write_text(text.replace("sess.run(broadcast)\n", "pass\n"), encoding="utf-8")
    assert "D402" in verify(program, tmp_path).convicted


def test_the_tables_name_examples_that_exist() -> None:
    assert {*EXACT, *UNSHARED, *QUICK, *UNRATED} <= {path.stem for path in EXAMPLES}
    assert len(EXAMPLES) >= 21
