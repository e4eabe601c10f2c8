"""What the environment says about this process; read once, at start."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

FOLDER: str = os.environ.get("DISTIFY_PROBE", "")
TOKEN: str = os.environ.get("DISTIFY_PROBE_TOKEN", "")
OPTIONS: dict[str, Any] = json.loads(os.environ.get("DISTIFY_PROBE_OPTIONS") or "{}")

# worker: one of the job; reference and baseline: one process beside it, without a launcher;
# graphs: one process of which nothing is watched but the graphs that it runs.
ROLE: str = OPTIONS.get("role", "worker")
SEED_PER_RANK: bool = bool(OPTIONS.get("seed_per_rank", True))
LIMIT_STEPS: int = int(OPTIONS.get("limit_steps") or 0)
DATA: str = OPTIONS.get("data") or ""
# Whether the final values of the variables are written, not only their hashes.
VALUES: bool = ROLE == "baseline" or bool(OPTIONS.get("values"))
# Of the reference: how many steps each optimizer is to make at least, and how long it may take.
WANTED: dict[int, int] = {int(id): steps for id, steps in (OPTIONS.get("wanted") or {}).items()}
WHOLE: bool = bool(OPTIONS.get("whole"))  # it is to come to its end, as the job did not
SECONDS: float = float(OPTIONS.get("seconds") or 10.0)
# For so long it goes on to its end, so that all of what it does can be compared with the job.
BEYOND: float = float(OPTIONS.get("beyond") or 0.0)
ROOT: str = os.path.realpath(OPTIONS.get("root") or os.curdir)

_RANKS = ("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
_SIZES = ("HOROVOD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
_LOCAL_RANKS = ("HOROVOD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID")


def _number(names: tuple[str, ...], default: int) -> int:
    return next((int(os.environ[name]) for name in names if name in os.environ), default)


ALONE: bool = ROLE != "worker"
RANK: int = 0 if ALONE else _number(_RANKS, -1)
HASH_SEED_OF: int = int(
    OPTIONS.get("hash_seed_of") or RANK
)  # the worker whose order of sets it has
SIZE: int = 1 if ALONE else _number(_SIZES, 1)
LOCAL_RANK: int = 0 if ALONE else _number(_LOCAL_RANKS, 0)


TAKEN = "DISTIFY_PROBE_TAKEN"  # by the process that is the worker of its rank


def _first_of_its_rank() -> bool:
    """A process that the program starts inherits the rank, but is no worker itself."""
    mark = f"{ROLE}{RANK}"
    if os.environ.get(TAKEN) == mark:
        return False
    os.environ[TAKEN] = mark
    return True


def _runs_a_program() -> bool:
    # `python -c`, `-m pip` and the like: the launcher's own helpers.
    return getattr(sys, "orig_argv", ["", ""])[1:2] not in (["-c"], ["-E"], ["-I"])


WATCHED: bool = bool(FOLDER) and RANK >= 0 and _runs_a_program() and _first_of_its_rank()
