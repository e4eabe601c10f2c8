"""A training graph as a program of the small language: functions inlined, branches as switches.

What TensorFlow does before it runs a graph (`lower_functional_ops`, `inline_function_utils`), so
that orders across calls and branches are those of the real executor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from . import calls, single
from .building import Building, together
from .graph import Graph, Node
from .kernel import Port, Program, Unmodelled
from .kinds import BACK, MERGES
from .made import Made, Scope, behind, port, source_of

DEEPEST = 60  # calls inside of calls


def program(graph: Graph) -> Program:
    """The program of a graph. Raises Unmodelled with the reason where there can be none."""
    building = Building(graph)
    Lowering(building).body(graph.nodes, {}, Scope("", 0, None, graph.where))
    return building.program()


class Lowering:
    """Goes through a body and through those that it calls."""

    def __init__(self, building: Building) -> None:
        self.building = building
        self.graph = building.graph

    def body(self, nodes: Sequence[Node], made: dict[str, Made], scope: Scope) -> dict[str, Made]:
        """Adds the operations of a body; `made` holds its arguments, and then everything.

        Returns `made`; raises Unmodelled for what has no operation, and for functions in functions
        that are too many.
        """
        if scope.depth > DEEPEST:
            raise Unmodelled(f"{scope.prefix}: functions are nested deeper than {DEEPEST}")
        known = {node.name: node for node in nodes}
        backs: list[tuple[int, str]] = []
        for node in ordered(nodes, known):
            inputs = [name for name in node.inputs if not _goes_back(node, name, known)]
            late = [name for name in node.inputs if _goes_back(node, name, known)]
            ports = [port(made, node, each) for each in inputs if not each.startswith("^")]
            controls = [
                behind(made, node, each[1:]).done for each in inputs if each.startswith("^")
            ]
            if not inputs and scope.pivot is not None:
                controls = [scope.pivot]
            made[node.name] = self._node(node, ports, controls, scope, bool(late))
            backs += [(made[node.name].done, name) for name in late]
        for head, name in backs:
            self.building.change(head, back=port(made, known[source_of(name)], name))
        return made

    def _node(
        self, node: Node, inputs: list[Port], controls: list[int], scope: Scope, is_head: bool
    ) -> Made:
        call = calls.of(node, self.graph)
        if call is not None:
            return call(self, node, inputs, controls, scope)
        if node.kind == "IdentityN":  # what goes into one of its outputs is in no other
            parts = [single.add(self.building, node, [e], controls, scope, False) for e in inputs]
            done = self.building.add(together(f"{scope.prefix}{node.name}/done", parts or controls))
            return Made(tuple(map(Port, parts)), done)
        return Made(None, single.add(self.building, node, inputs, controls, scope, is_head))


def _goes_back(node: Node, name: str, known: Mapping[str, Node]) -> bool:
    source = known.get(source_of(name))
    return source is not None and source.kind in BACK and node.kind in MERGES


def ordered(nodes: Sequence[Node], known: Mapping[str, Node]) -> Iterator[Node]:
    """Each node after those that it depends on. Raises Unmodelled where that is a circle."""
    state: dict[str, bool] = {}  # False: being looked at; True: told
    for start in nodes:
        stack = [(start, iter(start.inputs))] if start.name not in state else []
        state.setdefault(start.name, False)
        while stack:
            node, rest = stack[-1]
            new = _next(node, rest, known, state)
            if new is None:
                stack.pop()
                state[node.name] = True
                yield node
            else:
                state[new.name] = False
                stack.append((new, iter(new.inputs)))


def _next(
    node: Node, rest: Iterator[str], known: Mapping[str, Node], state: Mapping[str, bool]
) -> Node | None:
    for name in rest:
        source = known.get(source_of(name))
        if source is None or _goes_back(node, name, known):
            continue
        if state.get(source.name) is False:
            raise Unmodelled(f"{source.name} depends on itself")
        if source.name not in state:
            return source
    return None
