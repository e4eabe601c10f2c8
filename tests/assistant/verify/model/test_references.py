"""Variables of TensorFlow 1 are read where their value is used, through all that shares memory.

Of each of these a sum or a product was saved beside a step on the variable, 60 runs each with
TensorFlow 2.15.1 (values of before, after, mixtures): Identity 19, 32, 9; Reshape 18, 24, 18;
StopGradient 20, 26, 14; Squeeze of ExpandDims 42, 5, 13; Slice 21, 27, 12; StridedSlice 18, 25, 17;
Transpose 17, 30, 13; Switch and Merge 16, 29, 15; Split 31, 27, 2; Unpack 39, 0, 21; CheckNumerics
15, 30, 15. Resource variables: 9, 51, and no mixture.
"""

from __future__ import annotations

import pytest

from distify.assistant.verify.model.alone import between, orders
from distify.assistant.verify.model.fault import Fault
from distify.assistant.verify.model.guards import guarded
from distify.assistant.verify.model.kernel import Program
from distify.assistant.verify.model.lower import program

from .made import answer, codes
from .test_orders import session

STEP = """
    w = {kind}()
    w/read = {read}(w)
    k = Const()  # value=1
    up = {step}(w, k{after})
    p = VariableV2()
    {shared}
    used = Mul(s, k{late})
    save = Assign(p, used)
"""


def faults(shared: str, late: str = "", kind: str = "VariableV2", after: str = "") -> list[Fault]:
    is_resource = kind == "VarHandleOp"
    text = STEP.format(
        kind=kind,
        read="ReadVariableOp" if is_resource else "Identity",
        step="AssignVariableOp" if is_resource else "Assign",
        shared=shared,
        late=late,
        after=after,
    )
    return orders([session(text)]).faults


@pytest.mark.parametrize(
    "kind",
    ["Identity", "Reshape", "StopGradient", "Squeeze", "ExpandDims", "CheckNumerics",
     "EnsureShape", "PreventGradient", "Slice", "StridedSlice", "Unpack", "Transpose"],
)  # fmt: skip
def test_what_shares_memory_is_no_reading(kind: str) -> None:
    """Waiting with it alone does not help: the use must wait, or the update for the use."""
    (fault,) = faults(f"s = {kind}(w/read)")
    assert (fault.code, fault.names) == ("M03", ("w",))
    assert fault.text.endswith(", or a mixture of both")
    assert "`p` gets `w` of before or after Assign of w" in fault.text
    assert faults(f"s = {kind}(w/read, ^up)", ", ^up") == []
    assert [fault.names for fault in faults(f"s = {kind}(w/read)", after=", ^s")] == [("w",)]
    assert faults(f"s = {kind}(w/read)", "", after=", ^used") == [] or kind in MAY_READ


MAY_READ = ("Slice", "StridedSlice", "Unpack", "Transpose")


def test_a_copy_is_the_reading() -> None:
    (fault,) = faults("s = Mul(w/read, k)")
    assert [step.what for step in fault.path][1] == "Mul, which reads w"
    assert faults("s = Mul(w/read, k, ^up)") == []


def test_a_resource_is_read_where_it_is_named() -> None:
    (fault,) = faults("s = Identity(w/read)", kind="VarHandleOp")
    assert "mixture" not in fault.text
    assert [step.what for step in fault.path][1] == "ReadVariableOp of w"
    assert faults("s = Identity(w/read)", kind="VarHandleOp", after=", ^w/read") == []


def test_what_grappler_puts_in_the_place_of_a_product_copies() -> None:
    (fault,) = faults("s = Snapshot(w/read)")
    assert [step.what for step in fault.path][1] == "Snapshot, which reads w"
    assert faults("s = Snapshot(w/read, ^up)") == []


def test_a_shape_is_no_value() -> None:
    assert faults("s = Shape(w/read)") == []


@pytest.mark.parametrize("branch", [0, 1])
def test_both_sides_of_a_merge_are_followed(branch: int) -> None:
    ends = ["w/read", "k"][:: 1 if branch else -1]
    shared = f"""
    f = Placeholder()
    a = Switch({ends[0]}, f)
    b = Switch({ends[1]}, f)
    m = Merge(a, b:1)
    s = Identity(m)
    """
    (fault,) = faults(shared)
    assert fault.names == ("w",)


def test_what_decides_is_read_once() -> None:
    """A flag that a worker sets by its own data decides nothing for all."""
    text = """
        flag = VariableV2()
        flag/read = Identity(flag)
        x = Placeholder()
        up = Assign(flag, x, ^g)
        w = VariableV2()
        k = Const()  # value=1
        sw = Switch(k, flag/read)
        g = HorovodAllreduce(sw:1)
        set = AssignAdd(w, g)
    """
    assert codes(answer(session(text))) == ["M02"]


def test_a_parameter_of_a_step_is_no_variable_that_it_changes() -> None:
    text = """
        w = VariableV2()
        power = VariableV2()
        power/read = Identity(power)
        g = Const()  # value=1
        up = ApplyAdam(w, power/read, g)
        next = Mul(power/read, g)
        set = Assign(power, next{})
    """
    assert orders([session(text.format(", ^up"))]).faults == []
    (fault,) = orders([session(text.format(""))]).faults
    assert fault.names == ("power",)
    assert "`w` gets `power`" in fault.text


# ---------------------------------------------------------------- runs that overlap


def lowered(text: str) -> Program:
    return program(session(text))


STEPS = """
    w = VariableV2()
    w/read = Identity(w)
    k = Const()  # value=1
    g = Mul(w/read, k)
    up = ApplyGradientDescent(w, g)
"""


def test_runs_of_two_threads_race_with_each_other_alone() -> None:
    step = lowered(STEPS)
    both, found = between(step, step)
    assert len(both.operations) == 2 * len(step.operations)
    kinds = {race.kind for race in found}
    assert kinds == {"race", "commutes"}  # reads with updates, and updates with each other
    assert {race.between for race in found} == {"runs"}
    assert orders([session(STEPS)]).faults == []
    (fault,) = orders([session(STEPS)], (), [(0, 0)]).faults
    assert "in runs of a session that overlap" in fault.text
    assert "`w` is changed by what was made of its value from before or after" in fault.text


def test_entries_of_two_threads_come_in_any_order_by_design() -> None:
    entry = "q = FIFOQueueV2()  # capacity=9\n x = Placeholder()\n e = QueueEnqueueV2(q, x)\n"
    found = between(lowered(entry), lowered(entry))
    assert found[1] == []
    assert orders([session(entry)], (), [(0, 0), (0, 7)]).faults == []


# ---------------------------------------------------------------- mutexes, queues, loops

MUTEX = """
    c = VarHandleOp()
    m = MutexV2()
    l1 = MutexLock(m)
    l2 = MutexLock({m2})
    r1 = ReadVariableOp(c, ^l1)
    w1 = AssignVariableOp(c, r1)
    u1 = ConsumeMutexLock(l1, ^w1)
    r2 = ReadVariableOp(c, ^l2)
    w2 = AssignVariableOp(c, r2)
    u2 = ConsumeMutexLock(l2{after})
"""


def test_one_mutex_keeps_apart_and_two_do_not() -> None:
    one = orders([session(MUTEX.format(m2="m", after=", ^w2"))])
    assert one.faults == []
    assert one.notes == ["c is changed in either order, never at once: m sees to that"]
    two = MUTEX.replace("m = MutexV2()", "m = MutexV2()\n n = MutexV2()")
    (fault,) = orders([session(two.format(m2="n", after=", ^w2"))]).faults
    assert fault.code == "M03"


def test_what_comes_behind_the_freeing_is_not_kept_apart() -> None:
    (fault,) = orders([session(MUTEX.format(m2="m", after=", ^r2"))]).faults
    assert (fault.code, fault.names) == ("M03", ("c",))
    assert "an update can be lost" in fault.text


def test_a_mutex_alone_under_a_condition_blocks_nobody() -> None:
    text = (
        MUTEX.format(m2="m", after=", ^w2")
        + """
        f = Placeholder()
        sw = Switch(f, f)
        t = Identity(sw:1)
        l3 = MutexLock(m, ^t)
        u3 = ConsumeMutexLock(l3)
    """
    )
    found = orders([session(text)])
    assert (found.faults, found.unmodelled) == ([], [])


QUEUE = """
    q = {kind}()  # capacity=9
    x = Const()  # value=1
    y = Const()  # value=2
    a = QueueEnqueueV2(q, x)
    b = QueueEnqueueV2(q, {second})
    c = VarHandleOp()
    d = QueueDequeueV2(q)
    keep = AssignVariableOp(c, d)
"""


@pytest.mark.parametrize(
    ("kind", "second", "wanted"),
    [
        ("FIFOQueueV2", "y", ["M03"]),
        ("FIFOQueueV2", "x", []),  # the same value
        ("FIFOQueueV2", "y, ^a", []),
        ("RandomShuffleQueueV2", "y", []),  # no order is expected of it
    ],
)
def test_the_order_of_entries(kind: str, second: str, wanted: list[str]) -> None:
    found = orders([session(QUEUE.format(kind=kind, second=second))])
    assert [fault.code for fault in found.faults] == wanted
    assert all("either of the two may be the first in `q`" in f.text for f in found.faults)


def test_entries_that_are_only_fetched_are_worth_knowing() -> None:
    text = QUEUE.format(kind="FIFOQueueV2", second="y").replace("keep = AssignVariableOp(c, d)", "")
    text += "e = QueueDequeueV2(q)\n"
    found = orders([session(text)])
    assert found.faults == []
    assert found.notes == ["which entry of q is fetched is left to chance"]


def test_several_entries_at_once_are_not_counted() -> None:
    text = QUEUE.format(kind="FIFOQueueV2", second="y, ^a").replace(
        "b = QueueEnqueueV2", "b = QueueEnqueueManyV2"
    )
    (why,) = orders([session(text)]).unmodelled
    assert "several entries of a queue at once" in why


def test_a_queue_that_other_runs_serve_is_not_judged() -> None:
    text = "q = FIFOQueueV2()  # capacity=1\n a = QueueDequeueV2(q)\n b = QueueEnqueueV2(q, a)\n"
    (fault,) = orders([session(text)]).faults
    assert fault.code == "M05"
    found = orders([session(text, served=frozenset({"q"}))])
    assert found.faults == []
    assert found.notes == ["whether q can block is not judged: other runs fill or empty it, too"]


def test_a_staging_area_is_a_queue() -> None:
    text = """
        x = Const()  # value=1
        y = Const()  # value=2
        a = Stage(x)  # label=area
        b = Stage({})  # label=area
        c = VarHandleOp()
        d = Unstage()  # label=area
        keep = AssignVariableOp(c, d)
    """
    (fault,) = orders([session(text.format("y"))]).faults
    assert (fault.code, fault.names) == ("M03", ("area",))
    assert orders([session(text.format("y, ^a"))]).faults == []
    assert (
        orders([session(text.replace("=area", "=distify_probe_examples").format("y"))]).faults == []
    )


def test_a_queue_that_another_graph_fills_is_not_judged() -> None:
    queue = "q = FIFOQueueV2()  # capacity=1\n x = Const()  # value=1\n"
    fill, use = queue + "a = QueueEnqueueV2(q, x)\n", queue + "b = QueueDequeueV2(q)\n"
    use += "a = QueueEnqueueV2(q, x, ^b)\n"
    assert [each.code for each in orders([session(use)]).faults] == ["M05"]
    assert orders([session(fill), session(use)]).faults == []


TURNS = """
    w = VarHandleOp()
    k = Const()  # value=9
    z = Const()  # value=0
    enter = Enter(z)
    merge = Merge(enter, next)
    less = Less(merge, k)
    test = LoopCond(less)
    switch = Switch(merge, test)
    exit = Exit(switch)
    body = Identity(switch:1)
    value = Mul(body, k)
    up = AssignVariableOp(w, value)
    next = NextIteration({next})
"""


def test_turns_that_do_not_wait_for_each_other() -> None:
    assert [f.code for f in orders([session(TURNS.format(next="body"))]).faults] == ["M03"]
    assert orders([session(TURNS.format(next="body, ^up"))]).faults == []


def test_one_turn_at_a_time_is_one_order() -> None:
    from dataclasses import replace

    made = session(TURNS.format(next="body"))
    nodes = (replace(n, overlapping=1) if n.kind == "Enter" else n for n in made.nodes)
    assert orders([replace(made, nodes=tuple(nodes))]).faults == []


BACKWARDS = """
    w = VariableV2()
    w/read = Identity(w)
    k = Const()  # value=9
    z = Const()  # value=0
    enter1 = Enter(z)
    merge1 = Merge(enter1, next1)
    enter2 = Enter(z)
    merge2 = Merge(enter2, next2)
    less = Less(merge1, k)
    test = LoopCond(less)
    switch1 = Switch(merge1, test)
    switch2 = Switch(merge2, test)
    exit1 = Exit(switch1)
    exit2 = Exit(switch2)
    add = Add(switch1:1, {added})
    next1 = NextIteration(add)
    back = MatMul(switch2:1, w/read)
    next2 = NextIteration(back)
    up = ApplyGradientDescent(w, exit1)
    p = VariableV2()
    keep = Assign(p, {kept})
"""


@pytest.mark.parametrize(
    ("added", "kept", "wanted"),
    [("switch2:1", "k", []), ("switch2:1", "exit2", ["M03"]), ("k", "exit2", ["M03"])],
)
def test_what_the_last_turn_of_a_loop_makes_for_nobody(
    added: str, kept: str, wanted: list[str]
) -> None:
    """As the gradient of a recurrent cell, whose last turn makes one for a state that has none."""
    text = BACKWARDS.format(added=added, kept=kept)
    assert [fault.code for fault in orders([session(text)]).faults] == wanted


FIRST = """
    w = VariableV2()
    one = Const()  # value=1
    set = Assign(w, one)
    is = IsVariableInitialized(w)
    sw = RefSwitch(w, is)
    there = Identity(sw:1)
    other = Switch({other}, is)
    m = Merge(other, there)
    two = Const()  # value=2
    copy = VariableV2()
    start = Assign(copy, m)
"""


def test_what_starts_from_a_first_value_is_the_same_either_way() -> None:
    found = orders([session(FIRST.format(other="one"))])
    assert found.faults == []
    assert any("the first value of w" in note for note in found.notes)
    (fault,) = orders([session(FIRST.format(other="two"))]).faults
    assert fault.names == ("w",)
    assert guarded(program(session(FIRST.format(other="one")))).roots
