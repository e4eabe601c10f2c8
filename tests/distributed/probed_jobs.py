"""Runs a program on two workers with the probe, and reads what the probe wrote."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROBE = HERE.parents[1] / "assistant/verify/probe"
PROBED = HERE / "probed"
BIN = Path(sys.executable).parent
PATIENCE = float(os.environ.get("DISTIFY_PATIENCE", "1"))
QUIET = dict.fromkeys(("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS"), "1")
QUIET["TF_CPP_MIN_LOG_LEVEL"] = "3"
if importlib.util.find_spec("tf_keras"):  # TensorFlow 2.16 and later
    QUIET["TF_USE_LEGACY_KERAS"] = "1"

Record = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """One job: its exit code and output, and what the probe wrote on each worker."""

    code: int
    output: str
    ranks: tuple[list[Record], ...]

    def all(self, event: str, rank: int = 0, **fields: Any) -> list[Record]:
        found = [each for each in self.ranks[rank] if each["event"] == event]
        return [each for each in found if fields.items() <= each.items()]

    def told(self) -> list[str]:
        """What the program printed of itself."""
        return [line.partition("TOLD ")[2] for line in self.output.splitlines() if "TOLD " in line]


def job(folder: Path, *arguments: str, probe: bool = True, **options: Any) -> Seen:
    """Runs a program on two workers, and holds the probe's lock as distify would."""
    records, cwd = folder / "records", folder / "cwd"
    records.mkdir(parents=True)
    cwd.mkdir()
    environment = {**os.environ, **QUIET, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    if probe:
        environment["PYTHONPATH"] = str(PROBE)
        environment["DISTIFY_PROBE"] = str(records)
        environment["DISTIFY_PROBE_TOKEN"] = folder.name
        environment["DISTIFY_PROBE_OPTIONS"] = json.dumps({"root": str(PROBED), **options})
    command = ["horovodrun", "-np", "2", "--gloo", sys.executable, *arguments]
    with open(records / "alive", "w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        done = subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True,
            timeout=120 * PATIENCE, check=False,
        )  # fmt: skip
    files = sorted(records.glob("rank*.jsonl"))
    ranks = tuple([json.loads(line) for line in file.open()] for file in files)
    return Seen(done.returncode, done.stdout + done.stderr, ranks)
