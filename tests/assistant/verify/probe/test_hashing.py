"""Each worker has a hash seed of its own, and one process that of worker 0."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = Path(__file__).resolve().parents[4] / "assistant/verify/probe"
PROGRAM = "import os, sys\nprint(hash('a'), os.environ['PYTHONHASHSEED'], sys.argv[1:])\n"

pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 10), reason="an older Python doesn't know how it was started"
)


def run(folder: Path, rank: int, role: str = "worker", **given: str) -> str:
    program, records = folder / "train.py", folder / f"{role}{rank}"
    program.write_text(PROGRAM)
    records.mkdir(exist_ok=True)
    environment = {
        **{k: v for k, v in os.environ.items() if k not in ("PYTHONHASHSEED", "HOROVOD_RANK")},
        "PYTHONPATH": str(PROBE),
        "DISTIFY_PROBE": str(records),
        "DISTIFY_PROBE_OPTIONS": json.dumps({"role": role, "root": str(folder)}),
        **({"HOROVOD_RANK": str(rank)} if role == "worker" else {}),
        **given,
    }
    done = subprocess.run(
        [sys.executable, str(program), "--epochs", "1"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (records / f"rank{rank}.jsonl").exists(), done.stderr
    return done.stdout


def test_workers_hash_differently_and_always_so(tmp_path: Path) -> None:
    first, second = run(tmp_path, 0), run(tmp_path, 1)
    assert first.split()[0] != second.split()[0]
    assert run(tmp_path, 0) == first
    assert first.endswith("['--epochs', '1']\n")


def test_one_process_hashes_as_worker_0(tmp_path: Path) -> None:
    assert run(tmp_path, 0, "reference") == run(tmp_path, 0)


def test_a_seed_of_the_users_own_stays(tmp_path: Path) -> None:
    assert run(tmp_path, 1, PYTHONHASHSEED="7").split()[1] == "7"
