"""Variables that a program keeps local on purpose: no fault of theirs, but what they get into."""

from __future__ import annotations

from typing import Any

import pytest

from distify.assistant.verify.model.fault import NOT_SAFE, SAFE, Answer
from distify.assistant.verify.model.graph import Graph
from distify.assistant.verify.model.modules import modules

from .made import answer, body, codes, graph

# A gate of each worker's own, trained with a momentum, and shared weights with a momentum.
STEP = """
    x = Placeholder()  # where=train.py:20
    v = ReadVariableOp(w)
    k = ReadVariableOp(gate)
    y = Mul(x, v)
    loss = Mul(y, k)  # where=train.py:11
    local_g = Mul(loss, x)
    gate_m = AssignAddVariableOp(gate/m, local_g)
    gate_mv = ReadVariableOp(gate/m, ^gate_m)
    gate_up = AssignSubVariableOp(gate, gate_mv, ^gate_m, ^k)  # where=train.py:13
    g = HorovodAllreduce(loss)  # where=train.py:12
    m = AssignAddVariableOp(w/m, g)
    mv = ReadVariableOp(w/m, ^m)
    up = AssignSubVariableOp(w, mv, ^m)  # where=train.py:13
"""
LOCAL = frozenset({"gate"})
VARIABLES = "w gate w/m gate/m"


def made(text: str = STEP, local: frozenset[str] = LOCAL, **more: Any) -> Graph:
    fields = {"trained": "w gate", "captures": VARIABLES, "slots": ("w/m", "gate/m"), **more}
    return graph(text, local=local, **fields)


def changed(old: str, new: str) -> str:
    assert STEP.count(old) == 1
    return STEP.replace(old, new)


def roots(found: Answer) -> list[str]:
    return [fault.names[0] for fault in found.faults]


def test_a_local_variable_and_its_slot_may_differ() -> None:
    found = answer(made())
    assert found.headline == SAFE
    assert not found.faults
    assert found.proved == {"trained": 2, "agree": 2, "own": 0, "local": 2}


def test_without_being_told_so_it_is_a_fault() -> None:
    found = answer(made(local=frozenset()))
    assert found.headline == NOT_SAFE
    assert {name for fault in found.faults for name in fault.names} <= {"gate", "gate/m"}


def test_the_shared_ones_of_the_same_program_must_still_be_averaged() -> None:
    found = answer(made(changed("HorovodAllreduce", "Identity")))
    assert found.headline == NOT_SAFE
    assert roots(found)[0] == "w"
    assert {name for fault in found.faults for name in fault.names} == {"w", "w/m"}
    assert found.proved == {"trained": 2, "agree": 0, "own": 0, "local": 2}


def test_exactly_those_that_were_registered() -> None:
    """The other one is not meant, though it was left out of the average in the same way."""
    other = STEP + "o = AssignSubVariableOp(other, local_g)\n"
    found = answer(made(other, trained="w gate other", captures=f"{VARIABLES} other"))
    assert roots(found) == ["other"]


def test_only_where_all_workers_keep_it_local() -> None:
    averaged = changed("local_g = Mul(loss, x)", "d = Mul(loss, x)\n local_g = HorovodAllreduce(d)")
    found = answer(made(), made(averaged, local=frozenset()))
    assert {"M01", "M04"} == set(codes(found))
    assert "gate" in roots(found)


def test_a_shared_variable_that_a_local_one_gets_into() -> None:
    (fault,) = answer(made(changed("(w, mv, ^m)", "(w, k, ^m)"))).faults
    assert (fault.code, fault.names) == ("M01", ("w",))
    assert fault.path[-1].what == "gate, which each worker keeps for itself"


def test_through_an_average_it_gets_into_what_is_shared_alike() -> None:
    text = changed("(w, mv, ^m)", "(w, a, ^m)")
    text = text.replace(" up = ", " a = HorovodAllreduce(k)\n up = ")
    assert answer(made(text)).headline == SAFE


DECIDES = """
    x = HorovodAllreduce(z)
    k = ReadVariableOp(gate)
    p = Less(k)  # where=train.py:11
    c = If(p, w, x)  # then_branch=yes else_branch=no where=train.py:12
"""
NOTHING = body("w g", "n = NoOp()", "g", "n")
AVERAGES = body("w g", "a = HorovodAllreduce(g)\n u = AssignSubVariableOp(w, a:sum:0)", "g", "u")
APPLIES = body("w g", "u = AssignSubVariableOp(w, g)", "g", "u")


@pytest.mark.parametrize(("then", "code"), [(AVERAGES, "M02"), (APPLIES, "M01"), (NOTHING, "")])
def test_a_local_variable_that_decides(then: object, code: str) -> None:
    library = {"yes": then, "no": NOTHING}
    text = DECIDES.replace("    x = ", "    z = Placeholder()\n    x = ")
    found = answer(made(text, library=library))
    assert codes(found) == [code] * bool(code)
    for fault in found.faults:
        assert fault.path[-1].what == "gate, which each worker keeps for itself"
        assert "train.py:11" in [step.where for step in fault.path]
    shared = answer(made(text, local=frozenset(), library=library))
    assert shared.headline == SAFE  # it is what is local that decides


def test_a_slot_that_serves_a_shared_variable_too_is_no_slot_of_a_local_one() -> None:
    text = changed("(w, mv, ^m)", "(w, gate_mv, ^m)")
    assert {"w", "gate/m"} & set(roots(answer(made(text))))
    assert answer(made(text)).proved["local"] == 1


def test_a_slot_that_has_nothing_to_do_with_a_local_variable_is_no_slot_of_it() -> None:
    text = STEP + "t = AssignVariableOp(other/m, x)\n"
    found = answer(made(text, slots=("w/m", "gate/m", "other/m"), captures=f"{VARIABLES} other/m"))
    assert roots(found) == ["other/m"]


def test_an_average_over_time_of_a_local_variable() -> None:
    """It gets into nothing; Keras keeps one beside the variable (`use_ema`)."""
    text = STEP + "n = ReadVariableOp(gate, ^gate_up)\n e = AssignAddVariableOp(gate/ema, n)\n"
    more = {"slots": ("w/m", "gate/m", "gate/ema"), "captures": f"{VARIABLES} gate/ema"}
    found = answer(made(text, **more))
    assert found.headline == SAFE
    assert found.proved["local"] == 3


def test_a_momentum_in_one_operation_with_its_variable() -> None:
    """So does TensorFlow where the optimizer is an operation of its own."""
    text = """
        x = Placeholder()
        g = {}
        up = ResourceApplyMomentum(w, w/m, g)
        gate_up = ResourceApplyMomentum(gate, gate/m, x)
    """
    found = answer(made(text.format("HorovodAllreduce(x)")))
    assert found.headline == SAFE
    assert found.proved == {"trained": 2, "agree": 2, "own": 0, "local": 2}
    assert roots(answer(made(text.format("Identity(x)")))) == ["w"]


def test_a_momentum_of_a_local_variable_whose_gradient_does_not_hang_on_it() -> None:
    assert answer(made(changed("Mul(loss, x)", "Neg(x)"))).headline == SAFE


def test_a_slot_that_gets_into_a_shared_variable_by_way_of_another_slot() -> None:
    text = changed("(w/m, g)", "(w/m, far)").replace(
        "m = AssignAddVariableOp(w",
        "far = ReadVariableOp(gate/m, ^gate_m)\n m = AssignAddVariableOp(w",
    )
    found = answer(made(text))
    assert found.headline == NOT_SAFE
    assert found.proved["local"] == 1


def test_a_counter_of_steps_is_no_slot_of_a_local_variable_that_decides_about_it() -> None:
    text = DECIDES.replace("    x = ", "    z = Placeholder()\n    x = ").replace(
        "w, x", "count, x"
    )
    counts = body("n g", "o = Const()  # value=1\n u = AssignAddVariableOp(n, o)", "g", "u")
    more = {"slots": ("count",), "captures": f"{VARIABLES} count"}
    found = answer(made(text, library={"yes": counts, "no": NOTHING}, **more))
    assert roots(found) == ["count"]


def test_what_a_local_variable_decides_may_go_either_way_in_tla() -> None:
    text = DECIDES.replace("    x = ", "    z = Placeholder()\n    x = ")
    library = {"yes": AVERAGES, "no": NOTHING}
    for local, chosen in ((LOCAL, True), (frozenset(), False)):
        one = made(text, local=local, library=library)
        (module,) = modules({0: (one,), 1: (one,)})
        assert ("\\E v \\in {0, 1}" in module.text) == chosen
