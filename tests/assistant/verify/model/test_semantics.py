"""The executable semantics: states counted as TLC counts them, and each rule by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from distify.assistant.verify.model.collect import troubles
from distify.assistant.verify.model.explore import Explored, TooMany, explore
from distify.assistant.verify.model.guards import guarded
from distify.assistant.verify.model.kernel import COLLECTIVE, EXIT, HEAD, Operation, Port, Program
from distify.assistant.verify.model.queues import blocked
from distify.assistant.verify.model.races import COMMUTES, races
from distify.assistant.verify.model.semantics import (
    DEAD,
    EMPTY,
    GO,
    Machine,
    State,
    Token,
    Transition,
)

from .models import ALL, branch, const, item, program

each_model = pytest.mark.parametrize("name", ALL)


@each_model
def test_the_states_are_those_that_tlc_counts(name: str) -> None:
    """The full counts, deadlocks and agreement were compared with TLC's and are frozen."""
    programs, (full, reduced, ends, deadlock, agrees, racing) = ALL[name]
    machine = Machine(programs)
    whole, short = explore(machine, reduced=False), explore(machine)
    assert (whole.states, short.states) == (full, reduced)
    assert len(whole.ends) == ends
    assert bool(whole.deadlocks) == deadlock
    assert whole.agrees == agrees
    assert whole.ends == short.ends
    assert bool(short.deadlocks) == deadlock
    assert racing == sum(
        race.kind != COMMUTES for each in programs for race in races(each, guarded(each))
    )


@each_model
def test_what_is_judged_without_exploring_is_what_exploring_finds(name: str) -> None:
    programs, (_, _, ends, deadlock, _, racing) = ALL[name]
    if name == "BRANCH_APART":  # a collective under a decision of one's own is M02's
        return
    stuck = any(troubles([(each, guarded(each)) for each in programs]))
    assert (stuck or any(blocked(each, guarded(each)) for each in programs)) == deadlock
    assert racing or name.startswith("QUEUE") or ends <= 1


def test_there_is_a_limit() -> None:
    with pytest.raises(TooMany):
        explore(Machine([branch(5), branch(5)]), reduced=False, limit=100)


# ---------------------------------------------------------------- one rule each


def fired(made: Program, *numbers: int) -> tuple[Machine, State]:
    machine = Machine([made])
    state = machine.initial()
    for number in numbers:
        assert machine.can(state, Transition(0, number)), number
        state = machine.fire(state, Transition(0, number))
    return machine, state


def out(machine: Machine, state: State, number: int, slot: int | None = None) -> list[Token]:
    return [
        state.transit[each]
        for each in machine.out[Transition(0, number)]
        if slot in (None, machine.edges[each].slot)
    ]


def test_an_operation_waits_for_all_its_inputs_and_empties_them() -> None:
    made = program(const("a", 2), const("b", 3), item("s", "add", "a b", "a"))
    machine, state = fired(made, 0)
    assert not machine.can(state, Transition(0, 2))
    assert not machine.can(state, Transition(0, 0))  # once only
    machine, state = fired(made, 0, 1, 2)
    assert out(machine, state, 2) == [("T", 5)]
    assert out(machine, state, 0) == [EMPTY, EMPTY]


def test_a_control_edge_gets_go() -> None:
    machine, state = fired(program(const("a", 2), item("b", "const", "", "a", 1)), 0)
    assert out(machine, state, 0) == [GO]


@pytest.mark.parametrize(("kind", "value"), [("set", 3), ("add_to", 13), ("sub", 7)])
def test_assignments(kind: str, value: int) -> None:
    items = (item("x", "var", arg="x"), const("v", 3), item("a", kind, "x v"))
    machine, state = fired(program(*items, variables={"x": 10, "y": 1}), 0, 1, 2)
    assert state.variables == ((value, 1),)
    assert out(machine, state, 2) == [GO]
    assert machine.done(state)


def test_a_read_gives_what_is_held_when_it_fires() -> None:
    items = (item("x", "var", arg="x"), item("r", "read", "x"))
    machine, state = fired(program(*items, variables={"x": 10}), 0)
    assert out(machine, state, 0) == [("ref", "x")]
    assert out(*fired(program(*items, variables={"x": 10}), 0, 1), 1) == [("T", 10)]


@pytest.mark.parametrize(("decides", "live"), [(0, 0), (1, 1), (7, 1)])
def test_a_switch_sends_one_way_and_kills_the_other(decides: int, live: int) -> None:
    made = program(
        const("v", 4),
        const("p", decides),
        item("s", "switch", "v p"),
        item("f", "id", "s:0"),
        item("t", "id", "s:1"),
        item("m", "merge", "f t"),
    )
    machine, state = fired(made, 0, 1, 2)
    assert out(machine, state, 2, live) == [("T", 4)]
    assert out(machine, state, 2, 1 - live) == [DEAD]
    machine, state = fired(made, 0, 1, 2, 3, 4, 5)
    assert out(machine, state, 5) == [("T", 4)]


def test_a_switch_has_run_whichever_way_it_goes() -> None:
    for decides in (0, 1):
        made = program(
            const("p", decides), item("s", "switch", "p p"), item("c", "const", "", "s", 1)
        )
        machine, state = fired(made, 0, 1, 2)
        assert out(machine, state, 2) == [("T", 1)]


def test_what_is_dead_does_nothing_and_says_so() -> None:
    made = program(
        item("x", "var", arg="x"),
        const("v", 4),
        const("p", 0),
        item("s", "switch", "v p"),
        item("w", "set", "x s:1"),
        item("g", "const", "", "w", 1),
        variables={"x": 1},
    )
    assert out(*fired(made, 0, 1, 2, 3, 4), 4) == [DEAD]
    machine, state = fired(made, 0, 1, 2, 3, 4, 5)
    assert state.variables == ((1,),)
    assert out(machine, state, 5) == [DEAD]


def test_queues_are_first_in_first_out_and_wait() -> None:
    made = program(
        const("a", 1),
        const("b", 2),
        item("e1", "enq", "a", arg="q"),
        item("e2", "enq", "b", "e1", "q"),
        item("d1", "deq", "", "e2", "q"),
        item("d2", "deq", "", "d1", "q"),
        item("d3", "deq", "", "d2", "q"),
        queues={"q": 2},
    )
    machine, state = fired(made, 0, 1, 2, 3, 4, 5)
    assert not machine.can(state, Transition(0, 6))
    (dead,) = explore(machine).deadlocks
    assert dead.queues == (((),),)
    narrow = Machine([replace(made, queues={"q": 1})])
    assert explore(narrow).deadlocks


# ---------------------------------------------------------------- collectives


def shares(*values: int, kind: str = "allreduce", digest: str = "") -> list[Program]:
    made = [program(const("v", each), item("c", kind, "v", arg="c")) for each in values]
    last = made[-1].operations[1]
    ends = replace(last, digest=digest)
    return [*made[:-1], replace(made[-1], operations=(made[-1].operations[0], ends))]


def results(found: Explored) -> set[tuple[Token, ...]]:
    return {outputs for _, outputs in found.ends}


@pytest.mark.parametrize(("kind", "value"), [("allreduce", 12), ("broadcast", 3)])
def test_a_collective_completes_when_all_have_called_it(kind: str, value: int) -> None:
    found = explore(Machine(shares(3, 4, 5, kind=kind)), reduced=False)
    assert results(found) == {(("T", value),) * 3}
    assert not found.deadlocks


def test_one_that_somebody_never_calls_does_not() -> None:
    assert explore(Machine([*shares(3), program(const("v", 1))])).deadlocks


def test_calls_that_differ_end_in_an_error_on_all_workers() -> None:
    found = explore(Machine(shares(3, 4, digest="dtype=float64")))
    assert results(found) == {(DEAD, DEAD)}


def test_who_joined_takes_part_with_zeros() -> None:
    joins = program(const("v", 1), item("j", "HorovodJoin", "v", arg="join"))
    works = program(
        const("v", 4),
        item("c", "allreduce", "v", arg="c"),
        item("j", "HorovodJoin", "c", arg="join"),
    )
    found = explore(Machine([works, joins]), reduced=False)
    assert not found.deadlocks
    assert len(found.ends) == 1
    alone = program(const("v", 4), item("c", "allreduce", "v", arg="c"))
    assert not explore(Machine([alone, joins])).ends  # nobody else ever joins


def test_a_name_that_comes_back_waits_for_its_first_call() -> None:
    twice = program(
        const("v", 1), item("c1", "allreduce", "v", arg="c"), item("c2", "allreduce", "c1", arg="c")
    )
    found = explore(Machine([twice, twice]), reduced=False)
    assert results(found) == {(("T", 4), ("T", 4))}


def test_a_step_left_out_is_paired_with_a_later_one_and_that_is_told() -> None:
    """Names come back in every step: nothing hangs at once, and the workers train off by one."""

    def steps(*numbers: int) -> Program:
        items = [const("v", 1)]
        for k in range(len(numbers)):
            items.append(item(f"c{k}", "allreduce", "v", f"c{k - 1}" if k else "", "grad"))
        made = program(*items)
        operations = [replace(op, step=n) for op, n in zip(made.operations[1:], numbers)]
        return replace(made, operations=(made.operations[0], *operations))

    whole, short = steps(1, 2, 3), steps(1, 3)
    found = [each.kind for each in troubles([(p, guarded(p)) for p in (whole, short)])]
    assert found == ["missing", "step"]
    assert explore(Machine([whole, short])).deadlocks
    alike = [(p, guarded(p)) for p in (whole, steps(1, 2, 3))]
    assert not list(troubles(alike))


# ---------------------------------------------------------------- loops


def counting(limit: int, start: int = 0) -> Program:
    """`i = start; while i < limit: i += 1; x += 5`."""
    made = program(
        const("i", start),
        item("head", "id", "i"),
        item("test", "lt", "head", arg=limit),
        item("s", "switch", "head test"),
        item("next", "inc", "s:1"),
        item("x", "var", "", "next", "x"),
        const("five", 5, "next"),
        item("up", "add_to", "x five"),
        item("turn", "id", "next", "up"),
        item("exit", "id", "s:0"),
        variables={"x": 0},
    )
    operations = list(made.operations)
    head = Operation("head", HEAD, (Port(0),), function="id", back=Port(8), test=2)
    operations[1] = head
    operations[9] = replace(operations[9], kind=EXIT, test=2)
    return replace(made, operations=tuple(operations))


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("limit", [0, 1, 3])
def test_a_loop_makes_its_turns_and_ends(limit: int, reduced: bool) -> None:
    found = explore(Machine([counting(limit)]), reduced)
    (end,) = found.ends
    assert end == (((5 * limit,),), (("T", limit),))
    assert not found.deadlocks


def test_a_collective_in_turns_of_ones_own_deadlocks() -> None:
    def averaging(limit: int) -> Program:
        made = counting(limit)
        operations = list(made.operations)
        five = replace(operations[6], kind=COLLECTIVE, function="allreduce", of="c")
        operations[6] = replace(five, inputs=(Port(4),), controls=())
        return replace(made, operations=tuple(operations))

    assert not explore(Machine([averaging(1), averaging(1)])).deadlocks
    assert explore(Machine([averaging(1), averaging(0)])).deadlocks
