"""The modules of TLA+: their text is frozen; cut down, a graph still drifts and hangs as it did.

TLC is in none of the registries that tests use: it counted the states of `test_semantics.py` from
an earlier text of the same rules. Who has it runs `make test-tlc` (tlc.py).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from itertools import product

import pytest

from distify.assistant.verify.model.agree import agreement
from distify.assistant.verify.model.explore import Explored, explore
from distify.assistant.verify.model.guards import guarded
from distify.assistant.verify.model.kernel import Program, Unmodelled
from distify.assistant.verify.model.lower import program
from distify.assistant.verify.model.modules import modules
from distify.assistant.verify.model.semantics import Machine
from distify.assistant.verify.model.slices import sliced
from distify.assistant.verify.model.tla.tla import module
from distify.assistant.verify.model.tla.tla_names import CHOICE

from .models import ALL
from .recorded import graphs
from .test_semantics import counting

FIG3 = r"""
W0_3_a1 ==
  /\ InTransit[4] /= EMPTY /\ InTransit[5] /= EMPTY
  /\ IF InTransit[4] = DEAD \/ InTransit[5] = DEAD THEN InTransit' = [InTransit EXCEPT ![4] = EMPTY, ![5] = EMPTY, ![8] = DEAD] /\ UNCHANGED <<VarValue, Posted, Queue>>
     ELSE InTransit' = [InTransit EXCEPT ![4] = EMPTY, ![5] = EMPTY, ![8] = GO] /\ VarValue' = [VarValue EXCEPT !.w0_0_x = @ + InTransit[5][2]] /\ UNCHANGED <<Posted, Queue>>
"""  # noqa: E501
FROZEN: dict[str, str] = {
    "FIG3": "4608de977b335a29",
    "FIG4": "2b473aeacf054f71",
    "LOST_UPDATE": "1191677ba3e83b7f",
    "RACE": "9b22eccf2daa61ef",
    "ORDERED": "e39b6d2816527b07",
    "TWO": "214d45f98e2f87f2",
    "TWO_RACE": "b69eb029c3a8e588",
    "ASYNC": "51e6ecc2489bd546",
    "EAGER": "9264883306385c19",
    "RANK0": "cd7a25a0c7d32c7c",
    "BRANCH_ALIKE": "5929f04c7354c611",
    "BRANCH_APART": "ca69940f6522d269",
    "QUEUE": "c048a92411dafbd0",
    "QUEUE_ROOM": "dd7be67cc9078b1f",
    "INIT_BROADCAST": "9bfe49e8d1f8cf58",
    "INIT_BROADCAST_ORDERED": "24672b5a0094e306",
}


def text(name: str) -> str:
    return module(Machine(ALL[name][0]), name)


def test_an_assignment_reads_as_in_the_seed() -> None:
    assert FIG3 in text("FIG3")


@pytest.mark.parametrize("name", ALL)
def test_the_text_is_frozen(name: str) -> None:
    assert hashlib.sha256(text(name).encode()).hexdigest()[:16] == FROZEN[name]


@pytest.mark.parametrize("name", ALL)
def test_everything_that_is_named_is_defined(name: str) -> None:
    written = text(name)
    machine = Machine(ALL[name][0])
    assert written.startswith(f"---- MODULE {name} ----\n")
    assert written.endswith("====\n")
    defined = set(re.findall(r"^(\w+) ==", written, flags=re.M))
    disjuncts = set(re.findall(r"^  \\/ (\w+)$", written, flags=re.M))
    assert disjuncts <= defined
    assert len(disjuncts) == len(machine.transitions)
    numbers = {int(each) for each in re.findall(r"InTransit\[(\d+)\]", written)}
    assert numbers <= set(range(1, len(machine.edges) + 1))
    (start,) = re.findall(r"InTransit = <<(.*)>>", written)
    assert len(start.split(", ")) == len(machine.edges)


def test_a_loop_is_not_written() -> None:
    with pytest.raises(Unmodelled, match="loops"):
        module(Machine([counting(2)]), "LOOP")


# ---------------------------------------------------------------- real graphs, cut down


def part(name: str) -> Program:
    whole = program(graphs(name)[0][0])
    return sliced(agreement(whole, guarded(whole)))


def chosen(made: Program, value: int) -> Program:
    """The part of one worker whose decisions of its own are taken so."""
    operations = (
        replace(each, function="const", value=value, inputs=()) if each.function == CHOICE else each
        for each in made.operations
    )
    return replace(made, operations=tuple(operations))


def both(name: str, one: int, other: int) -> Explored:
    made = part(name)
    return explore(Machine([chosen(made, one), chosen(made, other)]))


@pytest.mark.parametrize(("one", "other"), [*product((0, 1), repeat=2)])
def test_what_is_left_still_hangs_and_drifts_where_the_workers_decide_apart(
    one: int, other: int
) -> None:
    hang, drift = both("spike_hang", one, other), both("spike_drift", one, other)
    assert bool(hang.deadlocks) == (one != other)
    assert not drift.deadlocks
    assert drift.agrees == (one == other)


def test_what_is_left_of_the_repaired_program_can_do_neither() -> None:
    made = part("spike_repaired")
    assert not [each for each in made.operations if each.function == CHOICE]
    found = explore(Machine([made, made]))
    assert not found.deadlocks
    assert found.agrees


def test_a_graph_becomes_a_module() -> None:
    (made,) = modules(graphs("spike_hang"))
    assert made.name == "step_0"
    assert "\\E v \\in {0, 1}" in made.text
    assert "Complete_0_" in made.text
    (large,) = modules(graphs("tape_function"))
    assert "TLC will hardly come to an end" in large.text
