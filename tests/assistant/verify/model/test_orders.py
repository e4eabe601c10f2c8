"""M03, M04 and M05 in TensorFlow's own graphs: races, collectives that don't fit, queues."""

from __future__ import annotations

from dataclasses import replace

import pytest

from distify.assistant.verify.model.fault import SAFE
from distify.assistant.verify.model.graph import Graph, Node

from .made import answer, body, codes, graph, names

STEP = """
    w = VariableV2()
    w/read = Identity(w)
    x = Placeholder()
    loss = Mul(x, w/read)
    g = HorovodAllreduce(loss)
    up = ApplyGradientDescent(w, g)  # where=train.py:7
"""


def session(text: str, **more: object) -> Graph:
    return graph(text, kind="session", captures="", **more)  # type: ignore[arg-type]


def test_a_step_of_a_session_has_no_race() -> None:
    found = answer(session(STEP))
    assert found.headline == SAFE
    assert found.notes == ()


def test_a_fetch_beside_the_step_may_be_old_or_new() -> None:
    found = answer(session(STEP + "fetch = Identity(w)"))
    assert found.headline == SAFE
    (note,) = found.notes
    assert note.startswith("what is fetched of w")
    assert answer(session(STEP + "fetch = Identity(w, ^up)")).notes == ()


def test_a_read_that_a_write_hangs_on_is_a_race() -> None:
    copy = STEP + "c = VariableV2()\n r = Identity(w)\n up2 = Assign(c, r)  # where=train.py:9\n"
    (fault,) = answer(session(copy)).faults
    assert (fault.code, fault.names, fault.grade) == ("M03", ("w",), "possible")
    assert {"train.py:7"} <= {step.where for step in fault.path}
    ordered = copy.replace("r = Identity(w)", "r = Identity(w, ^up)")
    assert codes(answer(session(ordered))) == []


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("Assign(w, k)", "Assign(w, k)", ["M03"]),
        ("AssignAdd(w, k)", "Assign(w, k)", ["M03"]),
        ("AssignAdd(w, k)", "AssignSub(w, k)", []),
        ("AssignAdd(w, k)", "Assign(w, k, ^a)", []),
        ("ApplyMomentum(w, k)", "AssignAdd(w, k)", ["M03"]),
    ],
)
def test_two_writes(first: str, second: str, wanted: list[str]) -> None:
    text = f"w = VariableV2()\n k = Const()  # value=2\n a = {first}\n b = {second}"
    found = answer(session(text))
    assert codes(found) == wanted
    commute = "Add" in first and "Sub" in second
    assert bool(found.notes) == commute


def test_what_takes_the_result_of_an_assignment_takes_the_variable_then() -> None:
    text = """
        w = VariableV2()
        k = Const()  # value=2
        a = Assign(w, k)
        r = Identity(a)
        c = VariableV2()
        b = Assign(c, r)
    """
    assert codes(answer(session(text))) == []


def test_opposite_branches_are_no_race() -> None:
    text = """
        w = VarHandleOp()
        x = Placeholder()
        m = HorovodAllreduce(x)
        i = If(m, w, m)  # then_branch=add else_branch=set
    """
    library = {
        "add": body("v g", "a = ResourceApplyMomentum(v, g)", "g", "a"),
        "set": body("v g", "a = AssignVariableOp(v, g)", "g", "a"),
    }
    assert codes(answer(session(text, library=library))) == []


def test_calls_that_a_control_edge_orders_are_no_race() -> None:
    text = """
        w = VarHandleOp()
        k = Const()  # value=2
        a = StatefulPartitionedCall(w, k)  # f=set
        b = StatefulPartitionedCall(w, k{})  # f=set
    """
    library = {"set": body("v g", "a = AssignVariableOp(v, g)", "g", "a")}
    assert codes(answer(session(text.format(", ^a"), library=library))) == []
    assert codes(answer(session(text.format(""), library=library))) == ["M03"]


# ---------------------------------------------------------------- behind loops

LOOP = """
    k = Const()  # value=2
    z = Const()  # value=0
    l = While(z, w, k, z)  # cond=more body=turn
    u = AssignVariableOp(w, {})
    v = AssignVariableOp(kept, l:3)
"""
MORE = body("i w k a", "c = Less(i, k)", "c:z:0")


def loop(value: str, last: str, controls: str = "r") -> list[str]:
    """A step whose loop reads the variable in each turn, before it is written with `value`."""
    text = """
        o = Const()  # value=1
        j = Add(i, o:output:0)
        r = ReadVariableOp(w)
        s = Add(a, r:value:0)
    """
    library = {"more": MORE, "turn": body("i w k a", text, f"j:z:0 w k {last}", controls)}
    return codes(answer(graph(LOOP.format(value), library, captures="w kept")))


def test_what_waits_for_a_loop_waits_for_all_its_turns() -> None:
    assert loop("k, ^l", "s:z:0") == []  # the end of the loop
    assert loop("l:3", "s:z:0", "") == []  # a sum over all turns


def test_what_does_not_wait_for_a_loop_races_with_its_turns() -> None:
    assert loop("k", "s:z:0") == ["M03"]
    assert loop("l", "s:z:0") == ["M03"]  # the count of turns hangs on no read


def test_a_value_that_forgets_earlier_turns_does_not_wait_for_them() -> None:
    """Turns of TensorFlow's loops run beside each other where nothing hangs on the last one."""
    assert loop("l:3", "r:value:0", "") == ["M03"]


OLD_LOOP = """
    w = VarHandleOp()
    k = Const()  # value=2
    z = Const()  # value=0
    enter = Enter(z)
    merge = Merge(enter, next)
    less = Less(merge, k)
    test = LoopCond(less)
    switch = Switch(merge, test)
    exit = Exit(switch)
    behind = Identity(exit)
    r = ReadVariableOp(w, ^switch)
    sum = Add(switch:1, r)
    next = NextIteration(sum)
    c = VarHandleOp()
    keep = AssignVariableOp(c, exit)
    u = AssignVariableOp(w, {})
"""


def test_a_loop_of_tensorflow_1_comes_before_what_takes_its_result() -> None:
    assert codes(answer(session(OLD_LOOP.format("behind")))) == []
    assert codes(answer(session(OLD_LOOP.format("k")))) == ["M03"]


def test_a_loop_of_one_worker_waits_for_what_another_calls_first() -> None:
    """A collective in the turns, and one behind them, in another order on each worker."""
    text = """
        x = Placeholder()
        m = HorovodAllreduce(x)
        z = Const()  # value=0
        {}
    """
    turn = body("i n m", "t = HorovodAllreduce(m)  # label=turn\n j = Neg(i)", "j:y:0 n m", "t")
    library = {"more": body("i n m", "c = Less(i, n)", "c:z:0"), "turn": turn}
    loop = "l = While(z, m, {})  # cond=more body=turn"
    after = loop.format("m") + "\n b = HorovodAllreduce(m, ^l)  # label=b"
    before = "b = HorovodAllreduce(m)  # label=b\n" + loop.format("b")
    one, other = graph(text.format(after), library), graph(text.format(before), library)
    assert codes(answer(one, one)) == codes(answer(other, other)) == []
    assert "M04" in codes(answer(one, other))


# ---------------------------------------------------------------- collectives


def named(text: str, **labels: str) -> Graph:
    made = graph(text)
    return replace(made, nodes=tuple(_named(node, labels) for node in made.nodes))


def _named(node: Node, labels: dict[str, str]) -> Node:
    return replace(node, label=labels.get(node.name, node.label))


TWO = "x = Placeholder()\n a = HorovodAllreduce(x)\n b = HorovodAllreduce(x{})"


def test_two_orders_that_wait_for_each_other() -> None:
    ordered = TWO.format(", ^a")
    one, other = named(ordered, a="one", b="two"), named(ordered, a="two", b="one")
    (fault,) = answer(one, other).faults
    assert fault.code == "M04"
    assert set(fault.names) == {"one", "two"}
    assert codes(answer(one, one)) == []
    free = TWO.format("")
    assert codes(answer(named(free, a="one", b="two"), named(free, a="two", b="one"))) == []


def test_one_that_only_some_workers_call() -> None:
    one = "x = Placeholder()\n a = HorovodAllreduce(x)"
    found = answer(graph(TWO.format("")), graph(one))
    assert codes(found) == ["M04"]
    assert "worker 0" in found.faults[0].text
    assert names(answer(graph(one), graph(TWO.format("")))) == ["b"]


@pytest.mark.parametrize(
    "change",
    [
        {"attributes": {"T": "type: DT_DOUBLE"}},
        {"kind": "HorovodBroadcast"},
        {"shape": (3, 1)},
    ],
)
def test_calls_that_do_not_fit(change: dict[str, object]) -> None:
    one = graph("x = Placeholder()\n a = HorovodAllreduce(x)")
    nodes = [replace(each, **change) if each.name == "a" else each for each in one.nodes]  # type: ignore[arg-type]
    assert "M04" in codes(answer(one, replace(one, nodes=tuple(nodes))))


def test_what_tensorflow_notes_for_itself_is_no_difference() -> None:
    one = graph("x = Placeholder()\n a = HorovodAllreduce(x)\n u = AssignSubVariableOp(w, a)")
    own = {"T": "type: DT_FLOAT", "ignore_name_scope": "b: false"}
    noted = [
        replace(
            one,
            nodes=tuple(
                replace(each, attributes={**own, **more} if each.name == "a" else {})
                for each in one.nodes
            ),
        )
        for more in ({}, {"_has_manual_control_dependencies": "b: true"})
    ]
    assert answer(*noted).headline == SAFE


def test_rows_that_are_gathered_may_be_of_another_number() -> None:
    one = graph("x = Placeholder()\n a = HorovodAllgather(x)")
    shapes = [
        replace(one, nodes=tuple(replace(each, shape=(n, 4)) for each in one.nodes)) for n in (2, 3)
    ]
    assert codes(answer(*shapes)) == []


# ---------------------------------------------------------------- queues

QUEUE = """
    q = FIFOQueueV2()  # capacity={room}
    k = Const()  # value=2
    e1 = QueueEnqueueV2(q, k)
    e2 = QueueEnqueueV2(q, k)
    d = QueueDequeueV2(q, {after})
"""


@pytest.mark.parametrize(
    ("room", "after", "wanted"),
    [(1, "^e1, ^e2", ["M05"]), (2, "^e1, ^e2", []), (1, "^e1", ["M05"]), (0, "^e1, ^e2", [])],
)
def test_a_queue_that_can_block(room: int, after: str, wanted: list[str]) -> None:
    found = answer(session(QUEUE.format(room=room, after=after), trained="w"))
    assert codes(found) == wanted


def test_a_queue_that_is_served_elsewhere_is_not_judged() -> None:
    text = "q = FIFOQueueV2()  # capacity=1\n d = QueueDequeueV2(q)"
    assert codes(answer(session(text))) == []


def test_queues_under_a_condition_are_not_modelled() -> None:
    text = """
        q = FIFOQueueV2()  # capacity=1
        x = Placeholder()
        m = HorovodAllreduce(x)
        s = Switch(x, m)
        e = QueueEnqueueV2(q, s:1)
        d = QueueDequeueV2(q)
    """
    assert answer(session(text)).exit_code == 2


def test_many_operations_on_queues_are_not_modelled() -> None:
    text = "q = FIFOQueueV2()  # capacity=99\n k = Const()  # value=1\n d = QueueDequeueV2(q)\n"
    text += "\n".join(f"e{n} = QueueEnqueueV2(q, k)" for n in range(20))
    found = answer(session(text))
    assert found.exit_code == 2
    assert "more than" in found.unmodelled[0]
