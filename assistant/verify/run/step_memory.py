"""What one step of a program needs, as it is written and as D501 rewrites it: runs on one process.

Each is made in a copy of the current folder, with another text in the place of the script.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import NamedTuple

from ...files.scripts import sources
from ..record import records
from ..record.events import Memory
from .copies import lay_out
from .interrupt import Interrupt
from .job import Job
from .launch import Order, started, started_as, threads
from .watch import Rules, Silent, Watch

STEPS = 8  # of which the first trace graphs and make the optimizer's variables
NONE = "no step was seen whose memory TensorFlow counts: it makes too few, or runs sessions"


class Measured(NamedTuple):
    """The median of the steps that were seen; `why` says why nothing was measured."""

    bytes: float = 0.0
    seconds: float = 0.0
    device: str = ""
    why: str = ""


def measure(job: Job, python: str, text: bytes, folder: Path, interrupt: Interrupt) -> Measured:
    """Run a text in place of the script, as it would run alone. Raises OSError, Survivors."""
    cwd, own = folder.with_name(f"{folder.name}-cwd"), job.script.resolve()
    top = Path.cwd().resolve()
    lay_out(top if top in own.parents else own.parent, cwd)
    script = cwd / own.relative_to(top if top in own.parents else own.parent)
    script.unlink(missing_ok=True)
    script.write_bytes(text)
    options = {
        "role": "baseline",
        "root": str(script.parent),
        "data": job.data,
        "limit_steps": job.limit_steps,
        "seed": 1,
        "seed_per_rank": False,
    }
    command = [python, *started_as(script), *job.arguments]
    order = Order(command, cwd, folder, options, threads(1), sources=sources(str(script)))
    with started(order, interrupt) as running:
        look = Watch(running, Rules(job.timeout, 1, job.limit_time), Silent())
        done = look.until_decided(interrupt)
    worker = records.read(folder).get(0)
    steps = [each for each in worker.all(Memory) if each.bytes > 0] if worker else []
    if not steps:
        said = running.output.tails().get(-1, "").strip().splitlines()[-1:]
        failed = f"it ended with {done.code}: {''.join(said)}" if done.code else NONE
        return Measured(why=failed)
    size, seconds = (median(values) for values in zip(*((s.bytes, s.seconds) for s in steps)))
    return Measured(size, seconds, steps[0].device)
