"""Whether what Grappler makes of a graph keeps its orders: here it is given graphs that don't.

Of the 97 graphs of tests/distributed/raced, TensorFlow 2.15.1 loses no order and no write.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from distify.assistant.verify.model import ends, load
from distify.assistant.verify.model.alone import orders
from distify.assistant.verify.model.graph import Graph
from distify.assistant.verify.model.rewriting import Rewriting, lost
from distify.assistant.verify.record.readers import Unreadable

from .made import body
from .test_orders import session
from .test_raced import recorded

STEP = """
    w = VarHandleOp()
    k = Const()  # value=1
    up = AssignVariableOp(w, k)  # where=train.py:3
    r = ReadVariableOp(w{})
    double = Mul(r, k)
    c = VarHandleOp()
    keep = AssignVariableOp(c, double)  # where=train.py:5
"""
BEFORE = session(STEP.format(", ^up"))


def told(after: Graph, **alone: Graph) -> list[tuple[str, str, str]]:
    found = orders([BEFORE], (), (), [Rewriting(0, after, alone)])
    assert found.rewritten == 1
    return [(fault.title.rpartition(" ")[2], fault.text, fault.fix) for fault in found.faults]


def test_the_same_graph_loses_nothing() -> None:
    assert told(BEFORE) == []


def test_an_order_that_is_lost_is_named_with_what_loses_it() -> None:
    after = session(STEP.format(""))
    ((what, text, fix),) = told(after, dependency=after, remap=BEFORE)
    assert what == "order"
    assert text == "w: Grappler's dependency leaves r and up in no order, which the graph has"
    assert "dependency_optimization" in fix
    ((_, text, fix),) = told(after)
    assert "Grappler's optimizers together" in text
    assert "disable_meta_optimizer" in fix


def test_an_operation_of_another_name_may_be_made_of_several() -> None:
    fused = STEP.replace("r = ReadVariableOp(w{})", "fused = ReadVariableOp(w{})")
    fused = fused.replace("Mul(r, k)", "Mul(fused, k)")
    assert told(session(fused.format(", ^up"))) == []
    assert [what for what, *_ in told(session(fused.format("")))] == ["order"]


def test_a_write_that_is_gone() -> None:
    after = session(STEP.format(", ^up").replace("keep = AssignVariableOp(c, double)", ""))
    ((what, text, _),) = told(after)
    assert what == "write"
    assert text.startswith("c: ")


def test_an_end_that_the_graph_has_not() -> None:
    """The write goes on; it is made of what the other one left, which nothing said before."""
    added = STEP.replace("AssignVariableOp(w, k)", "AssignAddVariableOp(w, k)")
    after = session(added.format(", ^up"))
    ((what, text, _),) = told(after)
    assert what == "can't"
    assert text.startswith("c: Grappler's optimizers together leaves an end that the graph has not")
    assert "keep of (up + w of before)" in text


def test_an_order_that_is_lost_without_another_end_is_no_loss() -> None:
    """Of two additions any may come first; beyond what is looked at, orders alone are compared."""
    adds = """
        w = VarHandleOp()
        k = Const()  # value=1
        one = AssignAddVariableOp(w, k)
        two = AssignAddVariableOp(w, k{})
    """
    assert lost(session(adds.format(", ^one")), session(adds.format(""))) == ([], True)


def test_decisions_go_either_way_in_both() -> None:
    text = """
        w = VarHandleOp()
        x = Placeholder()
        k = Const()  # value=1
        s = Switch(k, {})
        yes = Identity(s:1)
        up = AssignVariableOp(w, yes)
        r = ReadVariableOp(w, ^up)
        c = VarHandleOp()
        keep = AssignVariableOp(c, r)
    """
    graph = session(text.format("x"))
    assert lost(graph, graph) == ([], True)
    assert lost(graph, session(text.format("x").replace(", ^up", "")))[0]
    inside = text.replace("(w, ^up)", "(w, ^yes, ^up)")  # only where `up` runs anything is lost
    assert lost(session(inside.format("x")), session(inside.format("x").replace(", ^up", "")))[0]


def test_a_cluster_is_looked_into() -> None:
    """XLA's clusters are functions, in which operations keep their names."""
    inner = body("w", "k = Const()  # value=1\n up = AssignVariableOp(w, k)", "", "up")
    text = """
        w = VarHandleOp()
        cluster_0 = cluster_0(w)
        r = ReadVariableOp(w{})
        k = Const()  # value=1
        double = Mul(r, k)
        c = VarHandleOp()
        keep = AssignVariableOp(c, double)
    """
    good = session(text.format(", ^cluster_0"), library={"cluster_0": inner})
    bad = session(text.format(""), library={"cluster_0": inner})
    for after, wanted in ((good, []), (bad, ["order"])):
        found = orders([BEFORE], (), (), [Rewriting(0, BEFORE, {}, after)])
        assert [fault.title.rpartition(" ")[2] for fault in found.faults] == wanted
        assert (found.by_ends, found.clustered) == (1, 1)
        assert all("XLA's clusters" in fault.text for fault in found.faults)
        assert all("leaves r and up in no order" in fault.text for fault in found.faults)


def test_what_is_too_large_is_compared_by_its_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ends, "STATES", 3)
    found = orders([BEFORE], (), (), [Rewriting(0, BEFORE, {})])
    assert (found.rewritten, found.by_ends, found.faults) == (1, 0, [])


def test_an_order_that_there_was_not_is_not_lost() -> None:
    open_before = session(STEP.format(""))
    assert lost(open_before, open_before) == ([], True)
    assert lost(open_before, BEFORE) == ([], True)


@pytest.mark.parametrize(
    "name", ["sound/reference_behind_update", "sound/clipped_behind_step", "sound/mutex"]
)
def test_real_graphs_that_lose_their_control_edges(name: str) -> None:
    found = set()
    for graph in recorded()[name]:
        assert lost(graph, graph) == ([], True)
        cut = (
            replace(each, inputs=tuple(i for i in each.inputs if not i.startswith("^")))
            for each in graph.nodes
        )
        found |= {each.kind for each in lost(graph, replace(graph, nodes=tuple(cut)))[0]}
    assert found == {"order"}


def test_what_the_probe_wrote_is_read(tmp_path: Path) -> None:
    content = {
        "kind": "session", "name": "Session.run", "nodes": [], "library": {}, "captures": {},
        "arguments": {}, "trained": [], "slots": [], "stateful": [], "reading": [],
    }  # fmt: skip
    lines = [{"of": 3, "by": by, "graph": content} for by in ("", "remap")]
    path = tmp_path / "rank0.rewritten.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    (found,) = load.rewritten(tmp_path)
    assert (found.of, list(found.alone)) == (3, ["remap"])
    path.write_text('{"of": 3')
    with pytest.raises(Unreadable):
        load.rewritten(tmp_path)
