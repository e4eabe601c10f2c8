"""M01 and M02: which variables stay equal on all workers, and who may wait for whom."""

from __future__ import annotations

import pytest

from distify.assistant.verify.model.fault import NOT_MODELLED, NOT_SAFE, NOTE, SAFE
from distify.assistant.verify.model.judged import Seen

from .made import answer, body, codes, graph, names

STEP = """
    x = Placeholder()  # where=train.py:20
    v = ReadVariableOp(w)
    loss = Mul(x, v)  # where=train.py:11
    g = HorovodAllreduce(loss)  # where=train.py:12
    up = AssignSubVariableOp(w, g)  # where=train.py:13
"""


def changed(old: str, new: str) -> str:
    assert old in STEP
    return STEP.replace(old, new)


def test_averaged_gradients_keep_the_workers_equal() -> None:
    found = answer(graph(STEP))
    assert found.headline == SAFE
    assert found.exit_code == 0
    assert found.proved == {"trained": 1, "agree": 1, "own": 0, "local": 0}
    assert found.assumed


def test_a_gradient_that_is_not_averaged_drifts_with_its_way() -> None:
    found = answer(graph(changed("HorovodAllreduce", "Identity")))
    (fault,) = found.faults
    assert (fault.code, fault.grade, fault.names) == ("M01", "possible", ("w",))
    assert found.headline == NOT_SAFE
    assert found.exit_code == 1
    assert [step.where for step in fault.path] == [f"train.py:{n}" for n in (13, 12, 11, 20)]
    assert "`x`" in fault.path[-1].what


def test_it_is_convicted_only_where_the_run_saw_it() -> None:
    broken = graph(changed("HorovodAllreduce", "Identity"))
    for drifted, grade in (({"w"}, "convicted"), ({"v"}, "possible")):
        (fault,) = answer(broken, seen=Seen(drifted=frozenset(drifted))).faults
        assert fault.grade == grade


@pytest.mark.parametrize("kind", ["HorovodAllreduce", "HorovodAllgather", "HorovodBroadcast"])
def test_what_all_workers_get_alike(kind: str) -> None:
    assert answer(graph(changed("HorovodAllreduce", kind))).headline == SAFE


@pytest.mark.parametrize("kind", ["HorovodAlltoall", "HorovodReducescatter", "Mystery"])
def test_what_gives_each_worker_another_value(kind: str) -> None:
    assert codes(answer(graph(changed("HorovodAllreduce", kind)))) == ["M01"]


def test_an_average_over_some_of_the_workers_is_not_one_over_all() -> None:
    part = changed("HorovodAllreduce(loss)  # ", "HorovodAllreduce(loss)  # label=g ")
    nodes = graph(part)
    some = [
        n if n.name != "g" else type(n)(**{**vars(n), "attributes": {"process_set_id": "i: 3"}})
        for n in nodes.nodes
    ]
    assert codes(answer(type(nodes)(**{**vars(nodes), "nodes": tuple(some)}))) == ["M01"]


@pytest.mark.parametrize(
    "source",
    ["RandomUniform()", "HorovodRank()", "IteratorGetNext()", "Mystery()", "Placeholder()"],
)
def test_a_value_of_the_workers_own_decides_nothing_alone(source: str) -> None:
    noise = f"n = {source}\n g2 = Add(g, n)\n"
    assert codes(answer(graph(STEP.replace("up = Assign", noise + "up = Assign")))) == []
    used = STEP.replace("(w, g)", "(w, g2)").replace("up = ", f"{noise} up = ")
    assert codes(answer(graph(used))) == ["M01"]


@pytest.mark.parametrize("source", ["Const()", "HorovodSize()", "ZerosLike(g)", "Assert(g)"])
def test_what_is_alike_on_all_workers(source: str) -> None:
    noise = f"n = {source}\n g2 = Add(g, n)\n"
    used = STEP.replace("(w, g)", "(w, g2)").replace("up = ", f"{noise} up = ")
    assert codes(answer(graph(used))) == []


def test_a_statistic_of_ones_own_is_no_fault_unless_it_is_used() -> None:
    local = "m = AssignVariableOp(mean, loss)\n"
    found = answer(graph(STEP + local, captures="w mean"))
    assert found.headline == SAFE
    assert found.proved["own"] == 1
    used = "r = ReadVariableOp(mean, ^m)\n b = AssignSubVariableOp(w, r, ^up)\n"
    assert codes(answer(graph(STEP + local + used, captures="w mean"))) == ["M01"]


def test_an_entry_of_a_queue_is_the_workers_own() -> None:
    """Also where nothing is known of the queue itself: another run may have filled it."""
    text = """
        m = HorovodAllreduce()
        q = FIFOQueueV2()  # label=batches
        e = QueueEnqueueV2(q, m)
        d = QueueDequeueV2(q, ^e)
        u = AssignSubVariableOp(w, d)
    """
    (fault,) = answer(graph(text)).faults
    assert fault.code == "M01"
    assert fault.path[-1].what == "an entry of batches, a queue of each worker's own"


def test_only_the_root_is_told_and_how_many_follow() -> None:
    text = """
        x = Placeholder()
        a1 = AssignVariableOp(a, x)
        ra = ReadVariableOp(a, ^a1)
        b1 = AssignVariableOp(b, ra)
        rb = ReadVariableOp(b, ^b1)
        c1 = AssignVariableOp(c, rb)
    """
    (fault,) = answer(graph(text, captures="a b c", trained="a b c")).faults
    assert fault.names == ("a",)
    assert "2 more variables" in fault.text


def test_a_drift_through_a_variable_that_may_differ_is_told_all_the_same() -> None:
    text = """
        x = Placeholder()
        a1 = AssignVariableOp(average, x)
        ra = ReadVariableOp(average, ^a1)
        b1 = AssignVariableOp(w, ra)
    """
    (fault,) = answer(graph(text, captures="w average")).faults
    assert fault.names == ("w",)
    assert len(fault.path) >= 1


# ---------------------------------------------------------------- branches

IF = """
    x = Placeholder()  # where=train.py:20
    mean = HorovodAllreduce(x)
    p = Less({decides})  # where=train.py:11
    c = {kind}(p, w, {given})  # then_branch=yes else_branch=no where=train.py:12
"""
AVERAGES = body("w g", "a = HorovodAllreduce(g)\n u = AssignSubVariableOp(w, a:sum:0)", "g", "u")
APPLIES = body("w g", "u = AssignSubVariableOp(w, g)", "g", "u")
NOTHING = body("w g", "n = NoOp()", "g", "n")


def branch(decides: str, then: object, given: str = "mean", kind: str = "If") -> object:
    return graph(IF.format(decides=decides, given=given, kind=kind), {"yes": then, "no": NOTHING})


def test_a_write_under_a_decision_of_ones_own() -> None:
    (fault,) = answer(branch("x", APPLIES)).faults
    assert fault.code == "M01"
    assert "train.py:11" in [step.where for step in fault.path]


def test_a_collective_under_a_decision_of_ones_own_is_told_once_and_no_drift_of_it() -> None:
    (fault,) = answer(branch("x", AVERAGES, "x")).faults
    assert (fault.code, fault.grade) == ("M02", "possible")
    assert [step.where for step in fault.path] == ["train.py:11", "train.py:20"]


@pytest.mark.parametrize(("then", "given"), [(AVERAGES, "x"), (APPLIES, "mean")])
def test_a_decision_that_all_workers_share(then: object, given: str) -> None:
    assert answer(branch("mean", then, given)).headline == SAFE


def test_a_hang_is_convicted_where_the_run_hung() -> None:
    (fault,) = answer(branch("x", AVERAGES, "x"), seen=Seen(hung=True)).faults
    assert fault.grade == "convicted"


def test_a_branch_that_is_never_taken_counts_for_nothing() -> None:
    for value, wanted in ((True, []), (False, ["M01"])):
        text = f"""
            x = Placeholder()
            t = Const()  # value={int(value)}
            r = StatelessIf(t, x)  # then_branch=average else_branch=same
            u = AssignSubVariableOp(w, r)
        """
        average = body("g", "a = HorovodAllreduce(g)", "a:sum:0")
        same = body("g", "i = Identity(g)", "i:output:0")
        assert codes(answer(graph(text, {"average": average, "same": same}))) == wanted


def test_branches_that_agree_about_nothing_but_their_names() -> None:
    text = """
        x = Placeholder()
        m = HorovodAllreduce(x)
        r = If(x, m)  # then_branch=one else_branch=two
        u = AssignSubVariableOp(w, r)
    """
    one = body("g", "a = Neg(g)", "a:y:0")
    two = body("g", "a = Abs(g)", "a:y:0")
    assert codes(answer(graph(text, {"one": one, "two": two}))) == ["M01"]


def test_switch_and_merge_of_tensorflow_1() -> None:
    text = """
        x = Placeholder()
        m = HorovodAllreduce(x)
        s = Switch(m, {decides})
        a = Neg(s:1)
        b = Abs(s:0)
        r = Merge(a, b)
        u = AssignSubVariableOp(w, r)
    """
    assert codes(answer(graph(text.format(decides="m")))) == []
    assert codes(answer(graph(text.format(decides="x")))) == ["M01"]
    waits = text.replace("Neg(s:1)", "HorovodAllreduce(s:1)")
    assert codes(answer(graph(waits.format(decides="x")))) == ["M02"]
    after = text + "z = HorovodAllreduce(r)"
    assert codes(answer(graph(after.format(decides="x")))) == ["M01"]  # z is called by all


@pytest.mark.parametrize(("value", "wanted"), [(1, []), (0, ["M01"])])
def test_a_switch_of_tensorflow_1_that_a_constant_decides(value: int, wanted: list[str]) -> None:
    """Horovod asks there if there is more than one worker; what it leaves is no average."""
    text = f"""
        x = Placeholder()
        t = Const()  # value={value}
        p = Identity(t)
        s = Switch(x, p)
        a = HorovodAllreduce(s:1)
        r = Merge(s, a)
        u = AssignSubVariableOp(w, r)
    """
    assert codes(answer(graph(text))) == wanted


# ---------------------------------------------------------------- loops

WHILE = """
    x = Placeholder()
    m = HorovodAllreduce(x)
    z = Const()  # value=0
    l = While(z, {limit}, w, m)  # cond=more body=turn
"""
MORE = body("i n w m", "c = Less(i, n)", "c:z:0")
TURN = body(
    "i n w m",
    "a = HorovodAllreduce(m)\n o = Const()  # value=1\n j = Add(i, o:output:0)",
    "j:z:0 n w m",
    "a",
)


def test_a_loop_with_turns_of_ones_own() -> None:
    library = {"more": MORE, "turn": TURN}
    assert codes(answer(graph(WHILE.format(limit="m"), library))) == []
    (fault,) = answer(graph(WHILE.format(limit="x"), library)).faults
    assert fault.code == "M02"


def test_a_collective_in_the_test_of_a_loop_is_called_once_a_turn() -> None:
    asks = body("i n w m", "a = HorovodAllreduce(m)\n c = Less(i, n)", "c:z:0", "a")
    library = {"more": asks, "turn": body("i n w m", "j = Neg(i)", "j:y:0 n w m")}
    assert codes(answer(graph(WHILE.format(limit="m"), library))) == []
    assert codes(answer(graph(WHILE.format(limit="x"), library))) == ["M02"]


def test_behind_a_loop_all_workers_come_together_again() -> None:
    library = {"more": MORE, "turn": body("i n w m", "j = Neg(i)", "j:y:0 n w m")}
    text = WHILE.format(limit="x") + "a = HorovodAllreduce(l)\n u = AssignSubVariableOp(w, {})"
    assert codes(answer(graph(text.format("a"), library))) == []
    assert codes(answer(graph(text.format("l"), library))) == ["M01"]  # as many turns as its own


def test_a_value_that_becomes_ones_own_in_a_later_turn() -> None:
    text = """
        x = Placeholder()
        m = HorovodAllreduce(x)
        z = Const()  # value=0
        l = While(z, m, m, m, x)  # cond=more body=turn
        u = AssignSubVariableOp(w, l:{taken})
    """
    more = body("i n a b x", "c = Less(i, n)", "c:z:0")
    turn = body("i n a b x", "j = Neg(i)", "j:y:0 n b x x")  # a takes b, b takes x
    library = {"more": more, "turn": turn}
    assert codes(answer(graph(text.format(taken="2"), library))) == ["M01"]
    assert codes(answer(graph(text.format(taken="1"), library))) == []


def test_a_loop_over_a_dataset_has_as_many_turns_as_the_worker_has_data() -> None:
    text = """
        d = Mystery()
        z = Const()  # value=0
        l = ReduceDataset(d, z, w)  # f=each
    """
    each = body("s x w", "a = HorovodAllreduce(x)\n u = AssignSubVariableOp(w, a:sum:0)", "s", "u")
    assert codes(answer(graph(text, {"each": each}))) == ["M02"]
    plain = body("s x w", "a = Neg(x)", "s", "a")
    assert codes(answer(graph(text, {"each": plain}))) == []


SCAN = """
    d = Mystery()
    z = Const()  # value=0
    t = ScanDataset(d, z, w)  # f=each {states}
    l = ReduceDataset(t, z)  # f=last states=1
    e = Const()  # value=1
    u = AssignVariableOp(w, e, ^l)
"""


def test_a_loop_over_a_dataset_as_autograph_writes_it() -> None:
    """The turns are in a dataset of their own, and nothing of them is left when it is reduced."""
    each = body(
        "s x w",
        "a = HorovodAllreduce(x)\n u = AssignSubVariableOp(w, a:sum:0)\n o = Neg(x)",
        "s o:y:0",
        "u",
    )
    library = {"each": each, "last": body("s x", "i = Identity(x)", "i:output:0")}
    found = answer(graph(SCAN.format(states="states=1"), library))
    assert codes(found) == ["M02"]  # as often as the worker has data, and the writes are in order
    plain = body("s x w", "o = Neg(x)", "s o:y:0")
    assert codes(answer(graph(SCAN.format(states="states=1"), {**library, "each": plain}))) == []
    unknown = answer(graph(SCAN.format(states=""), library))
    assert (codes(unknown), unknown.exit_code) == ([], 2)


# ---------------------------------------------------------------- calls and ranks


def test_a_call_is_looked_into_as_often_as_it_is_made() -> None:
    text = """
        x = Placeholder()
        a = StatefulPartitionedCall(w, x)  # f=apply
        m = HorovodAllreduce(x)
        b = StatefulPartitionedCall({variable}, m, ^a)  # f=apply
    """
    library = {"apply": body("v g", "u = AssignSubVariableOp(v, g)", "g", "u")}
    found = answer(graph(text.format(variable="q"), library, "w q", "w q"))
    assert names(found) == ["w"]


def test_constants_that_differ_between_the_ranks() -> None:
    text = "k = Const()  # value={}\n u = AssignSubVariableOp(w, k)"
    assert codes(answer(graph(text.format(3)), graph(text.format(3)))) == []
    assert codes(answer(graph(text.format(3)), graph(text.format(4)))) == ["M01"]


def test_the_way_leads_to_the_constant_that_differs() -> None:
    text = "k = Const()  # value={} where=train.py:5\n n = Neg(k)\n u = AssignSubVariableOp(w, n)"
    (fault,) = answer(graph(text.format(3)), graph(text.format(4))).faults
    assert fault.path[-1].where == "train.py:5"
    assert fault.path[-1].what == "Const"


def test_an_operation_more_on_one_worker_shifts_no_other() -> None:
    more = STEP.replace("up = Assign", "p = Neg(loss)\n up = Assign").replace(" g = ", " g_1 = ")
    more = more.replace("(w, g)", "(w, g_1)")
    one = graph(STEP.replace("HorovodAllreduce(loss)  #", "HorovodAllreduce(loss)  # label=g"))
    two = graph(more.replace("HorovodAllreduce(loss)  #", "HorovodAllreduce(loss)  # label=g"))
    assert answer(one, two).headline == SAFE


def test_a_write_on_one_worker_only() -> None:
    more = STEP + "k = Const()  # value=3\n again = AssignSubVariableOp(w, k, ^up)"
    assert codes(answer(graph(more), graph(more))) == []
    assert codes(answer(graph(more), graph(STEP))) == ["M01"]
    assert codes(answer(graph(STEP), graph(more))) == ["M01"]


def test_an_argument_that_was_alike_is_worth_knowing_and_no_fault() -> None:
    text = IF.format(decides="flag", given="mean", kind="If").replace(
        "mean =", "flag = Placeholder()\n mean ="
    )
    for digests, grades in ((("a", "a"), [NOTE]), (("a", "b"), ["possible"])):
        two = [
            graph(text, {"yes": APPLIES, "no": NOTHING}, arguments={"flag": each, "x": ""})
            for each in digests
        ]
        found = answer(*two)
        assert [fault.grade for fault in found.faults] == grades
        assert found.exit_code == (0 if grades == [NOTE] else 1)


# ---------------------------------------------------------------- not modelled


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("c = PartitionedCall(w)  # f=gone", "which there is not"),
        ("u = AssignVariableOp(gone, w)", "which there is not"),
        ("x = Placeholder()\n u = AssignVariableOp(x, x)", "a variable that is not known"),
        ("a = Neg(b)\n b = Neg(a)", "depends on itself"),
        ("i = If()", "a branch that nothing decides"),
        ("c = PartitionedCall(w, w)  # f=one", "2 arguments for 1"),
        ("c = PartitionedCall(w)  # f=again", "nested deeper"),
        ("w2 = While(w)  # cond=none body=one", "a loop without a test"),
    ],
)
def test_what_is_outside_of_the_model_is_never_safe(text: str, why: str) -> None:
    library = {
        "one": body("a", "n = Neg(a)", "n:y:0"),
        "again": body("a", "c = PartitionedCall(a)  # f=again", "c:output:0"),
        "none": body("a", "n = Neg(a)", ""),
    }
    found = answer(graph(text, library))
    assert found.headline == NOT_MODELLED
    assert found.exit_code == 2
    assert why in found.unmodelled[0]


def test_no_graph_at_all() -> None:
    from distify.assistant.verify.model.judged import judged

    assert judged({}, 2, Seen()).exit_code == 2
    assert judged({0: (), 1: ()}, 2, Seen()).exit_code == 2
    one = graph(STEP)
    assert judged({0: (one,)}, 2, Seen()).exit_code == 2
    assert judged({0: (one, one), 1: (one,)}, 2, Seen()).exit_code == 2
    assert judged({0: (one,), 1: (one,)}, 2, Seen(applied_outside="a.py:3")).exit_code == 2
    assert judged({0: (one,), 1: (one,)}, 2, Seen(problems=("cut off",))).exit_code == 2


def test_a_graph_that_trains_nothing_known_is_not_called_safe() -> None:
    assert answer(graph(STEP, trained="")).exit_code == 2


def test_gradients_that_are_added_up_over_passes_are_not_modelled() -> None:
    counted = graph(STEP + "a = AssignAddVariableOp(w, g, ^up)  # by=aggregation\n")
    assert answer(counted).headline == NOT_MODELLED


def test_a_fault_is_told_whatever_was_left_out() -> None:
    broken = graph(changed("HorovodAllreduce", "Identity"))
    assert answer(broken, seen=Seen(problems=("cut off",))).exit_code == 1
