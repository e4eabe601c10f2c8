"""Real programs: what is right is proved, and any average that is taken out is missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from distify.assistant.verify.model.fault import SAFE
from distify.assistant.verify.model.graph import Graph, Node
from distify.assistant.verify.model.judged import Seen, judged

from .recorded import NAMES, graphs

BRANCHES = {"spike_drift": "M01", "spike_hang": "M02"}
BROKEN = {*BRANCHES, "session_not_averaged"}
PROVED = [name for name in NAMES if name not in BROKEN]


@pytest.mark.parametrize("name", PROVED)
def test_it_is_proved(name: str) -> None:
    found = judged(graphs(name), 2, Seen())
    assert found.headline == SAFE, found
    assert found.proved["trained"] == found.proved["agree"] > 0
    assert found.collectives > 0


@pytest.mark.parametrize(("name", "code"), BRANCHES.items())
def test_a_branch_that_is_hardly_ever_taken_is_named(name: str, code: str) -> None:
    (fault,) = judged(graphs(name), 2, Seen()).faults
    assert (fault.code, fault.grade) == (code, "possible")
    places = [step.where for step in fault.path]
    assert "spike.py:16" in places  # the loss
    assert places[-1] == "spike.py:32"  # from the call with the worker's own batch


def test_gradients_of_a_session_that_are_not_averaged() -> None:
    (fault,) = judged(graphs("session_not_averaged"), 2, Seen()).faults
    assert fault.code == "M01"
    assert fault.names[0] == "weights"
    assert "Placeholder" in fault.path[-1].what


AVERAGES = ("HorovodAllreduce", "HorovodAllgather")  # a sparse gradient is gathered, in two parts


def averages(graph: Graph) -> list[tuple[str, str]]:
    """Function and operation of every average of a gradient in it."""
    bodies = {name: body.nodes for name, body in graph.library.items()}
    if graph.kind == "session":
        bodies[""] = graph.nodes
    return [
        (n, node.name) for n, nodes in bodies.items() for node in nodes if node.kind in AVERAGES
    ]


def taken_out(graph: Graph, function: str, name: str) -> Graph:
    def without(nodes: Sequence[Node]) -> tuple[Node, ...]:
        return tuple(_plain(node) if node.name == name else node for node in nodes)

    if not function:
        return replace(graph, nodes=without(graph.nodes))
    body = graph.library[function]
    body = replace(body, nodes=without(body.nodes))
    return replace(graph, library={**graph.library, function: body})


def _plain(node: Node) -> Node:
    return replace(node, kind="Identity", attributes={})


@pytest.mark.parametrize("name", PROVED)
def test_any_average_taken_out_is_missed_at_its_variable_first(name: str) -> None:
    (graph,) = graphs(name)[0]
    first = []
    for function, operation in averages(graph):
        broken = taken_out(graph, function, operation)
        fault = judged({0: (broken,), 1: (broken,)}, 2, Seen()).faults[0]
        assert fault.code == "M01"
        first.append(fault.names[0])
    assert set(first) == set(graph.trained) - graph.local


def test_another_graph_on_each_worker_is_not_judged_as_one() -> None:
    one, two = graphs("tape_function")[0], graphs("spike_repaired")[0]
    found = judged({0: one, 1: two}, 2, Seen())
    assert found.exit_code == 2


def test_the_effort_grows_with_the_graph_and_no_faster() -> None:
    from distify.assistant.verify.model import agree, guards, lower

    from .made import graph

    def steps(layers: int) -> float:
        text = ["v0 = Placeholder()"]
        for k in range(layers):
            text += [f"r{k} = ReadVariableOp(w{k})", f"v{k + 1} = Mul(v{k}, r{k})"]
            text += [
                f"g{k} = HorovodAllreduce(v{k + 1})",
                f"u{k} = AssignSubVariableOp(w{k}, g{k})",
            ]
        names = " ".join(f"w{k}" for k in range(layers))
        made = lower.program(graph("\n".join(text), captures=names, trained=names))
        return agree.agreement(made, guards.guarded(made)).steps / len(made.operations)

    assert steps(2000) <= steps(20) * 1.05
    assert steps(2000) < 4


def test_a_chain_of_variables_that_fall_one_after_the_other_is_linear_too() -> None:
    from distify.assistant.verify.model import agree, guards, lower

    from .made import graph

    def steps(length: int) -> Any:
        text = ["v0 = Placeholder()"]
        for k in range(length):
            text += [
                f"a{k} = AssignVariableOp(w{k}, v{k})",
                f"v{k + 1} = ReadVariableOp(w{k}, ^a{k})",
            ]
        names = " ".join(f"w{k}" for k in range(length))
        made = lower.program(graph("\n".join(text), captures=names, trained=names))
        found = agree.agreement(made, guards.guarded(made))
        assert len(found.lost) == length
        return found.steps / len(made.operations)

    assert steps(2000) <= steps(20) * 1.05
