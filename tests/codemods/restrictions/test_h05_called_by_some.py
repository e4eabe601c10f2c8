"""Collectives that the worker's number keeps some workers from, and those that all of them call."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Finding, Options

from . import deadlocks

HEAD = """\
import os
import sys
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
"""
KERAS = """\
import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
x, y = np.ones((8, 4)), np.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
FIT = """\
model.compile({}, "mse")
if hvd.rank() == 0:
    model.fit(x, y{})
"""
PLAIN = "tf.keras.optimizers.SGD(0.1)"
WRAPPED = f"hvd.DistributedOptimizer({PLAIN})"
HAZARDS = Path(__file__).resolve().parents[2] / "distributed" / "hazards"


def found(text: str, options: Options | None = None) -> list[Finding]:
    return [f for f in migrate(text, options).blocked if f.code == "H05"]


def told(body: str) -> list[str]:
    """The lines that are told, by what stands there."""
    lines = (HEAD + body).splitlines()
    return [lines[finding.line - 1].strip() for finding in found(HEAD + body)]


ALONE = {
    "behind a loop that some leave": (
        "for n in range(3):\n    if hvd.rank() == n:\n        break\nelse:\n    hvd.barrier()  #\n"
    ),
    "behind a `while` that some leave": (
        "n = 3\nwhile n:\n    if hvd.rank() == n:\n        break\n    n -= 1\nelse:\n"
        "    hvd.barrier()  #\n"
    ),
    "by a copy of the environment": (
        'env = dict(os.environ)\nif env["HOROVOD_RANK"] == "0":\n    hvd.barrier()  #\n'
    ),
    "by another copy of it": (
        'env = {**os.environ}\nif int(env.get("OMPI_COMM_WORLD_RANK", 0)):\n    hvd.barrier()  #\n'
    ),
    "under a condition": "if hvd.rank() == 0:\n    hvd.allreduce(1.0)  #\n",
    "by a flag": "chief = hvd.rank() == 0\nif chief:\n    hvd.barrier()  #\n",
    "by the local number": "if not hvd.local_rank():\n    hvd.broadcast(1, 0)  #\n",
    "by the environment": (
        'rank = int(os.environ["OMPI_COMM_WORLD_RANK"])\nif rank:\n    hvd.allgather([1])  #\n'
    ),
    "by another spelling of it": (
        'if os.environ.get("HOROVOD_RANK", "0") == "0":\n    hvd.barrier()  #\n'
    ),
    "by an attribute": (
        "class Job:\n    def __init__(self):\n        self.chief = hvd.rank() == 0\n\n"
        "    def run(self):\n        if self.chief:\n            hvd.allreduce(1.0)  #\n\n\nJob().run()\n"
    ),
    "by an attribute of options": (
        "args = parser.parse_args()\nargs.chief = hvd.rank() == 0\n"
        "if args.chief:\n    hvd.allreduce(1.0)  #\n"
    ),
    "by what a function gives": (
        "def is_chief():\n    return hvd.rank() == 0\n\n\nif is_chief():\n    hvd.barrier()  #\n"
    ),
    "by a parameter": (
        "def show(chief):\n    if chief:\n        hvd.allreduce(1.0)  #\n\n\nshow(hvd.rank() == 0)\n"
    ),
    "by what a branch has set": (
        "loud = False\nif hvd.rank() == 0:\n    loud = True\nif loud:\n    hvd.allreduce(1.0)  #\n"
    ),
    "through a function": (
        "def mean(x):\n    return hvd.allreduce(x)\n\n\nif hvd.rank() == 0:\n    print(mean(1.0))  #\n"
    ),
    "in the other branch": (
        "if hvd.rank() == 0:\n    print('chief')\nelse:\n    hvd.barrier()  #\n"
    ),
    "behind a return": (
        "def main():\n    if hvd.rank() != 0:\n        return\n    hvd.barrier()  #\n\n\nmain()\n"
    ),
    "behind the end of the program": ("if hvd.rank() != 0:\n    sys.exit()\nhvd.barrier()  #\n"),
    "behind an exit in a function": (
        "def leave():\n    if hvd.rank():\n        raise SystemExit(0)\n\n\nleave()\nhvd.barrier()  #\n"
    ),
    "behind a break": (
        "for i in range(9):\n    if i == 3 and hvd.rank() == 1:\n        break\n    hvd.allreduce(i)  #\n"
    ),
    "behind a continue": (
        "for i in range(9):\n    if hvd.rank() == i:\n        continue\n    hvd.allreduce(i)  #\n"
    ),
    "in an expression": "mean = hvd.allreduce(1.0) if hvd.rank() == 0 else None  #\n",
    "behind `and`": "hvd.rank() == 0 and hvd.barrier()  #\n",
    "as often as the number says": "for i in range(4 + hvd.rank()):\n    hvd.allreduce(i)  #\n",
    "behind an error that is caught": (
        "try:\n    if hvd.rank() == 1:\n        raise ValueError\n    hvd.allreduce(1.0)  #\n"
        "except ValueError:\n    pass\n"
    ),
    "by a decorator": (
        "def chief(f):\n    def inner(v):\n        if hvd.rank() != 0:\n            return None\n"
        "        return f(v)  #\n\n    return inner\n\n\n"
        "@chief\ndef mean(v):\n    return hvd.allreduce(v)\n\n\nmean(1.0)\n"
    ),
    "by a decorator that keeps the name": (
        "import functools\n\n\ndef chief(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n"
        "        if hvd.rank() == 0:\n            return f(*a, **k)  #\n\n    return inner\n\n\n"
        "@chief\ndef mean(v):\n    return hvd.allreduce(v)\n\n\nmean(1.0)\n"
    ),
    "with some of its arguments": (
        "import functools\n\nmean = functools.partial(hvd.allreduce, name='m')\n"
        "if hvd.rank() == 0:\n    mean(1.0)  #\n"
    ),
    "by a default of the command line": (
        "parser.add_argument('--worker-rank', type=int, default=hvd.rank())\n"
        "args = parser.parse_args()\nif args.worker_rank == 0:\n    hvd.allreduce(1.0)  #\n"
    ),
    "by a default that is set": (
        "parser.set_defaults(rank=hvd.rank())\nargs = parser.parse_args()\n"
        "if args.rank == 0:\n    hvd.allreduce(1.0)  #\n"
    ),
    "in a graph": "x = tf.cond(hvd.rank() == 0, lambda: hvd.allreduce(1.0), lambda: 0.0)  #\n",
    "in a function of a graph": (
        "def mean():\n    return hvd.allreduce(1.0)\n\n\ndef none():\n    return 0.0\n\n\n"
        "x = tf.cond(hvd.rank() == 0, mean, none)  #\n"
    ),
    "by a sum": "first = sum([hvd.rank()]) == 0\nif first:\n    hvd.allreduce(1.0)  #\n",
    "by Slurm": "if int(os.getenv('SLURM_PROCID', '0')) == 0:\n    hvd.barrier()  #\n",
    "by an entry": "job = {'rank': hvd.rank()}\nif job['rank'] == 0:\n    hvd.barrier()  #\n",
    "by a field": (
        "import dataclasses\n\n\n@dataclasses.dataclass\nclass Job:\n    rank: int\n\n\n"
        "job = Job(hvd.rank())\nif job.rank == 0:\n    hvd.barrier()  #\n"
    ),
    "by a property": (
        "class Job:\n    def __init__(self):\n        self.rank = hvd.rank()\n\n    @property\n"
        "    def chief(self):\n        return self.rank == 0\n\n    def run(self):\n"
        "        if self.chief:\n            hvd.allreduce(1.0)  #\n\n\nJob().run()\n"
    ),
    "in a comprehension": "x = [hvd.allreduce(i) for i in range(3) if hvd.rank() == 0]  #\n",
    "beside one of another kind": (
        "if hvd.rank() == 0:\n    hvd.allreduce(1.0)  #\nelse:\n    print(hvd.size())\n"
    ),
}
TOGETHER = {
    "by all": "hvd.allreduce(1.0)\n",
    "before the condition": "mean = hvd.allreduce(1.0)\nif hvd.rank() == 0:\n    print(mean)\n",
    "by the number of workers": "if hvd.size() > 1:\n    hvd.allreduce(1.0)\n",
    "by an option": "if args.average:\n    hvd.allreduce(1.0)\n",
    "in both branches": (
        "if hvd.rank() == 0:\n    x = hvd.broadcast(1, 0)\nelse:\n    x = hvd.broadcast(0, 0)\n"
    ),
    "in functions of both branches": (
        "def chief():\n    hvd.barrier()\n\n\ndef other():\n    hvd.barrier()\n\n\n"
        "if hvd.rank() == 0:\n    chief()\nelse:\n    other()\n"
    ),
    "in a branch that leaves, and behind it": (
        "def tell(x):\n    if hvd.rank() == 0:\n        return hvd.broadcast(x, 0)\n"
        "    return hvd.broadcast(0, 0)\n\n\ntell(1)\n"
    ),
    "in turns": (
        "if hvd.local_rank() != 0:\n    hvd.barrier()\nprint('download')\n"
        "if hvd.local_rank() == 0:\n    hvd.barrier()\n"
    ),
    "where an argument decides": (
        "def log(x, average=True):\n    if average:\n        x = hvd.allreduce(x)\n    print(x)\n\n\n"
        "if hvd.rank() == 0:\n    log(1.0, average=False)\n"
    ),
    "of some of them": "if hvd.rank() < 2:\n    hvd.allreduce(1.0, process_set=pair)\n",
    "until a worker is done": (
        "for i in range(4 + hvd.rank()):\n    hvd.allreduce(i)\nhvd.join()\n"
    ),
    "behind an error, which ends the job": (
        "if hvd.rank() > 7:\n    raise ValueError('too many')\nhvd.barrier()\n"
    ),
    "of what all are told": (
        "stop = hvd.broadcast_object(hvd.rank() == 0, 0)\nif stop:\n    hvd.barrier()\n"
    ),
    "where each has a number": (
        'if os.environ.get("OMPI_COMM_WORLD_RANK"):\n    hvd.barrier()\n'
        'if os.environ.get("HOROVOD_RANK") is not None:\n    hvd.barrier()\n'
    ),
    "where each has a number in a copy": (
        'env = dict(os.environ)\nif env.get("HOROVOD_RANK") is not None:\n    hvd.barrier()\n'
        'if "HOROVOD_RANK" in env or env.get("HOROVOD_SIZE") == "2":\n    hvd.barrier()\n'
    ),
    "behind a loop that all leave, or none": (
        "for n in range(3):\n    if n == hvd.size():\n        break\nelse:\n    hvd.barrier()\n"
    ),
    "of equally long shares": (
        "data = load()[hvd.rank() :: hvd.size()]\nfor i in range(len(data)):\n    hvd.allreduce(i)\n"
        "for i in range(hvd.rank(), 8, hvd.size()):\n    hvd.allreduce(i)\n"
    ),
    "in the first round of equally long shares": (
        "is_first = True\nfor i in range(hvd.rank(), 8, hvd.size()):\n    if is_first:\n"
        "        hvd.barrier()\n        is_first = False\n"
    ),
    "behind an error that is raised again": (
        "try:\n    if hvd.rank() == 1:\n        raise ValueError\n    hvd.allreduce(1.0)\n"
        "except ValueError:\n    print('bad')\n    raise\n"
    ),
    "by a decorator that all pass": (
        "def loud(f):\n    def inner(v):\n        if hvd.rank() == 0:\n            print(v)\n"
        "        return f(v)\n\n    return inner\n\n\n"
        "@loud\ndef mean(v):\n    return hvd.allreduce(v)\n\n\nmean(1.0)\n"
    ),
    "by another option": (
        "parser.add_argument('--worker-rank', default=hvd.rank())\nargs = parser.parse_args()\n"
        "if args.average:\n    hvd.allreduce(1.0)\n"
    ),
    "in both arms of a graph": (
        "x = tf.cond(hvd.rank() == 0, lambda: hvd.allreduce(1.0), lambda: hvd.allreduce(0.0))\n"
    ),
    "in a graph by an option": (
        "x = tf.cond(args.average, lambda: hvd.allreduce(1.0), lambda: 0.0)\n"
    ),
    "a method that only the first goes on in": (
        "class Log:\n    def log(self, v):\n        if hvd.rank() != 0:\n            return\n"
        "        print(v)\n\n    def mean(self, v):\n        self.log(hvd.allreduce(v))\n\n\n"
        "Log().mean(1.0)\n"
    ),
    "of another library": "if hvd.rank() == 0:\n    comm.allreduce(1.0)\n    spark.barrier()\n",
    "behind the end of all": "if args.help:\n    sys.exit()\nhvd.barrier()\n",
}


ALONE.update(deadlocks.ALONE)
TOGETHER.update(deadlocks.TOGETHER)


@pytest.mark.parametrize("name", ALONE)
def test_a_collective_that_only_some_call(name: str) -> None:
    lines = told(ALONE[name])
    assert len(lines) == 1
    assert lines[0].endswith("#")


@pytest.mark.parametrize("name", TOGETHER)
def test_a_collective_that_all_call(name: str) -> None:
    assert told(TOGETHER[name]) == []


def test_both_places_are_told() -> None:
    body = "chief = hvd.rank() == 0\n\n\ndef mean():\n    return hvd.allreduce(1)\n\n\nif chief:\n    mean()\n"
    finding = found(HEAD + body)[0]
    first = HEAD.count("\n")
    assert finding.line == first + 9
    assert f"`hvd.allreduce` in line {first + 5}, which `mean` leads to" in finding.message
    assert f"`chief` in line {first + 8}" in finding.message


@pytest.mark.parametrize(
    ("optimizer", "callbacks", "expected"),
    [
        (WRAPPED, "", 1),
        (PLAIN, ", callbacks=[hvd.callbacks.MetricAverageCallback()]", 1),
        (PLAIN, "", 0),  # a model of rank 0's own; T07 asks about it
        (PLAIN, ", callbacks=[tf.keras.callbacks.CSVLogger('a')]", 0),
    ],
)
def test_fit_waits_where_its_optimizer_or_a_callback_does(
    optimizer: str, callbacks: str, expected: int
) -> None:
    assert len(found(KERAS + FIT.format(optimizer, callbacks))) == expected


@pytest.mark.parametrize("name", deadlocks.FITS)
def test_a_fit_that_goes_on_for_longer_on_some(name: str) -> None:
    text = KERAS + f'model.compile({WRAPPED}, "mse")\n' + deadlocks.FITS[name]
    lines = text.splitlines()
    assert [lines[finding.line - 1][-1] for finding in found(text)] == ["#"]
    others = text.replace("hvd.rank()", "hvd.size()")
    assert found(others) == []


def test_one_thing_is_told_once() -> None:
    codes = [f.code for f in migrate(KERAS + FIT.format(WRAPPED, "")).blocked]
    assert codes == ["H05"]


def test_a_person_can_take_it_on_them() -> None:
    text = (
        HEAD + "if hvd.rank() == 0:\n    hvd.barrier()  # distify: ignore[H05] a test of errors\n"
    )
    assert migrate(text).skipped == ALREADY_HOROVOD
    assert not found(text)


def test_who_only_recomputes_is_told_nothing_of_workers() -> None:
    text = HEAD + ALONE["under a condition"]
    assert found(text)
    assert not found(text, Options(select=frozenset({"D501"})))


@pytest.mark.parametrize(
    "name",
    [
        "evaluate_averaged_on_one_worker",
        "fit_on_one_worker",
        "session_collective_on_one_worker",
        "tape_barrier_on_one_worker",
        "tape_collective_in_print",
        "tape_collective_on_one_worker",
        "tape_early_exit",
    ],
)
def test_what_two_workers_hang_in_is_told_before(name: str) -> None:
    """`tests/distributed` runs each of these programs and sees one worker wait for the other."""
    broken, repaired = (
        (HAZARDS / name / f"{part}.py").read_text("utf-8") for part in ("broken", "repaired")
    )
    assert len(found(broken)) == 1
    assert not found(repaired)
