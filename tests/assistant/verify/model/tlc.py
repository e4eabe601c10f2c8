"""TLC itself on the exported modules: `make test-tlc`, where Java and tla2tools.jar are there.

All models by hand, and every module of the recorded graphs that is small enough: TLC must find what
our explorer finds, an end that is not reached, workers that don't agree, and for the models by hand
the same number of states. No registry that `make` uses has tla2tools: TLA2TOOLS names the jar.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from distify.assistant.verify.model.agree import agreement
from distify.assistant.verify.model.explore import Explored, TooMany, explore
from distify.assistant.verify.model.graph import Graph
from distify.assistant.verify.model.guards import guarded
from distify.assistant.verify.model.kernel import Program, Unmodelled
from distify.assistant.verify.model.local import differing
from distify.assistant.verify.model.lower import program
from distify.assistant.verify.model.semantics import Machine
from distify.assistant.verify.model.slices import sliced
from distify.assistant.verify.model.tla.tla import CONFIGURATION, LARGE, module
from distify.assistant.verify.model.tla.tla_names import CHOICE

from . import recorded, test_raced
from .models import ALL

JAVA, JAR = shutil.which("java"), os.environ.get("TLA2TOOLS", "")
WHY = "java is not installed" if JAVA is None else "TLA2TOOLS names no tla2tools.jar"
pytestmark = pytest.mark.skipif(JAVA is None or not Path(JAR).is_file(), reason=WHY)
STATES = re.compile(r"(\d+) distinct states found")


class Checked(NamedTuple):
    """What TLC says of a module."""

    states: int
    deadlock: bool
    agrees: bool


def checked(text: str, name: str, folder: Path) -> Checked:
    (folder / f"{name}.tla").write_text(text, encoding="utf-8")
    (folder / f"{name}.cfg").write_text(CONFIGURATION, encoding="utf-8")
    # All states, not only those up to the first thing that is wrong.
    command = [str(JAVA), "-cp", JAR, "tlc2.TLC", "-workers", "1", "-continue", name]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=1800
    )
    said = done.stdout
    found = STATES.findall(said)
    assert found, said + done.stderr
    deadlock, wrong = "Deadlock reached" in said, "Invariant Agreement is violated" in said
    return Checked(int(found[-1]), deadlock, not wrong)


@pytest.mark.parametrize("name", ALL)
def test_a_model_by_hand(name: str, tmp_path: Path) -> None:
    machine = Machine(ALL[name][0])
    ours = explore(machine, reduced=False)
    theirs = checked(module(machine, name), name, tmp_path)
    assert theirs == Checked(ours.states, bool(ours.deadlocks), ours.agrees)


def part(graph: Graph, local: frozenset[str]) -> Program:
    whole = program(graph)
    return sliced(agreement(whole, guarded(whole), local=local))


def machines() -> Iterator[tuple[str, Machine]]:
    """Of every graph that was recorded, where it has a module that TLC comes to an end with."""
    several = [(name, recorded.graphs(name)) for name in recorded.NAMES]
    alone = [(name, {0: graphs}) for name, graphs in test_raced.recorded().items()]
    for name, graphs in (*several, *alone):
        for number in range(min(map(len, graphs.values()))):
            same = [graphs[rank][number] for rank in sorted(graphs)]
            try:
                made = Machine([part(each, differing(same)) for each in same])
                module(made, "Part")
            except Unmodelled:
                continue
            if sum(len(each.operations) for each in made.programs) <= LARGE:
                yield f"{name}-{number}", made


def decided(machine: Machine) -> Iterator[Machine]:
    """The same with each choice taken in each way, as our explorer takes none."""
    choices = {
        (worker, k)
        for worker, each in enumerate(machine.programs)
        for k, operation in enumerate(each.operations)
        if operation.function == CHOICE
    }
    for bits in range(1 << len(choices)):
        taken = {each: bits >> k & 1 for k, each in enumerate(sorted(choices))}
        programs = [
            replace(
                each,
                operations=tuple(
                    replace(op, function="const", value=taken[w, k]) if (w, k) in taken else op
                    for k, op in enumerate(each.operations)
                ),
            )
            for w, each in enumerate(machine.programs)
        ]
        yield Machine(programs)


@pytest.mark.parametrize(("name", "machine"), [pytest.param(*e, id=e[0]) for e in machines()])
def test_a_real_graph(name: str, machine: Machine, tmp_path: Path) -> None:
    theirs = checked(module(machine, "Part"), "Part", tmp_path)
    ours: list[Explored] = []
    for each in decided(machine):
        try:
            ours.append(explore(each, limit=300_000))
        except TooMany:
            pytest.skip(f"{name}: more states than our explorer looks at")
    assert theirs.deadlock == any(each.deadlocks for each in ours)
    assert theirs.agrees == all(each.agrees for each in ours)
