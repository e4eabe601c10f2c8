"""A program in one process, and the orders of operations that its graphs leave to chance."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from distify.codemods.suppressions.declarations import meant_races

from ...files.scripts import sources
from ..judges import _source_lines as program
from ..model import load
from ..model.alone import Orders, orders
from ..model.fault import Fault
from ..model.rewriting import Rewriting
from ..record import records
from ..record.endings import Blind, Overlap
from ..record.readers import Unreadable
from . import program_python
from .installed import SettingProblem
from .interrupt import Interrupt
from .launch import Order, started, started_as, threads
from .watch import Rules, Silent, Watch

CLEAN, RACES, UNKNOWN = "NO RACE", "RACES", "COULD NOT BE MODELLED"

CLUSTERS = "--tf_xla_auto_jit=2 --tf_xla_cpu_global_jit --tf_xla_min_cluster_size=2"


@dataclass(frozen=True)
class Question:
    """A program, and how patient to be with it; `timeout` and `limit_time` are in seconds."""

    script: Path
    arguments: tuple[str, ...] = ()
    python: str | None = None
    timeout: float = 60.0
    limit_time: float = 0.0
    graphs: bool = False  # they are compared with what TensorFlow makes of them, too
    xla: bool = False  # it is told to make XLA's clusters, on the processor too

    @property
    def root(self) -> Path:
        """The folder of the script, to which places are relative."""
        return self.script.resolve().parent


@dataclass(frozen=True)
class Meant:
    """A race that a comment takes on; `line` of it, and why."""

    fault: Fault
    line: str
    why: str


@dataclass(frozen=True)
class Raced:
    """What came out; `ending` as in `Evidence`."""

    question: Question
    ending: str
    found: Orders
    faults: tuple[Fault, ...] = ()
    meant: tuple[Meant, ...] = ()
    code: int | None = None
    tail: str = ""
    tensorflow: str = ""
    seconds: float = 0.0
    unused: tuple[str, ...] = field(default=())  # places of comments that answer for nothing

    @property
    def headline(self) -> str:
        """A race is told whatever else is not known."""
        if self.faults:
            return RACES
        is_whole = self.ending == "done" and self.found.graphs and not self.found.unmodelled
        return CLEAN if is_whole else UNKNOWN

    @property
    def exit_code(self) -> int:
        """0 no race, 1 races, 2 not all could be seen or modelled."""
        return (CLEAN, RACES, UNKNOWN).index(self.headline)


def raced(question: Question, folder: Path, interrupt: Interrupt) -> Raced:
    """Runs the program in the current folder, and judges its graphs.

    Raises SettingProblem where no Python has TensorFlow, OSError where it can't be started.
    """
    program_python.check_script(question.script)
    python, version = program_python.that_races(question.python)
    command = [python, *started_as(question.script.resolve()), *question.arguments]
    options = {
        "role": "graphs",
        "root": str(question.root),
        "model": True,
        "rewritten": question.graphs,
    }
    own = sources(str(question.script))
    given = {**threads(1), **(_dumping(folder, question.xla) if question.graphs else {})}
    order = Order(command, Path.cwd(), folder, options, given, sources=own)
    begun = time.monotonic()
    with interrupt, started(order, interrupt) as running:
        rules = Rules(question.timeout, 1, question.limit_time, stuck=lambda look: True)
        look = Watch(running, rules, Silent()).until_decided(interrupt)
    ending = ("failed" if look.code else "done") if look.ending == "ended" else look.ending
    found = _judge_graphs(folder, question.graphs)
    answer = Raced(question, ending, found, tuple(found.faults), (), look.code)
    return replace(
        _with_comments(answer),
        tail=running.output.tails().get(-1, ""),
        tensorflow=version,
        seconds=time.monotonic() - begun,
    )


def _dumping(folder: Path, xla: bool) -> dict[str, str]:
    """Has TensorFlow write down graphs with XLA's clusters, and make some of what it can."""
    written = {
        "TF_DUMP_GRAPH_PREFIX": str(folder / "dumped"),
        "TF_CPP_VMODULE": "encapsulate_subgraphs_pass=1",
    }
    return {**written, "TF_XLA_FLAGS": CLUSTERS} if xla else written


def _judge_graphs(folder: Path, rewritten: bool) -> Orders:
    graphs, problems = load.read(folder)
    rewritings: tuple[Rewriting, ...] | None = None
    try:
        rewritings = load.rewritten(folder) if rewritten else None
    except Unreadable as error:
        problems = (*problems, f"a rewritten graph could not be read: {error}")
    worker = records.read(folder).get(0)
    unseen = ("model", "rewriting")
    blind = [each.why for each in worker.all(Blind) if each.what in unseen] if worker else []
    if worker is None:
        blind.append("the program left no records")
    overlaps = [(each.one, each.other) for each in worker.all(Overlap)] if worker else []
    whys = [*problems, *dict.fromkeys(blind)]
    return orders(graphs.get(0, ()), whys, overlaps, rewritings)


def _with_comments(answer: Raced) -> Raced:
    """What a person says is meant, by comments at any of the lines of a race."""
    comments = list(_comments(answer.question.root, answer.found.faults))
    faults, meant, used = [], [], set[str]()
    for fault in answer.found.faults:
        said = next((c for c in comments if fault.code == "M03" and c[2] & _lines(fault)), None)
        if said is None:
            faults.append(fault)
        else:
            used.add(said[0])
            meant.append(Meant(fault, said[0], said[1]))
    unused = tuple(line for line, _, _ in comments if line not in used)
    return replace(answer, faults=tuple(faults), meant=tuple(meant), unused=unused)


def _lines(fault: Fault) -> set[str]:
    return {where for where in (fault.where, *(each.where for each in fault.path)) if where}


def _comments(root: Path, faults: Sequence[Fault]) -> Iterator[tuple[str, str, set[str]]]:
    """Where each stands, why, and the lines that it speaks of."""
    places = (program.place(where) for fault in faults for where in sorted(_lines(fault)))
    for file in dict.fromkeys(place.file for place in places if place is not None):
        text = program.source(root, file)
        for each in meant_races(text) if _parses(text) else ():
            where = f"{file}:{each.line}"
            yield where, each.reason, {f"{file}:{line}" for line in each.lines}


def _parses(text: str) -> bool:
    try:
        compile(text, "program", "exec", dont_inherit=True, flags=0x400)  # only to a tree
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


__all__ = ["Meant", "Question", "Raced", "SettingProblem", "raced"]
