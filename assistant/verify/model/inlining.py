"""The inside of a function that is called, laid out at the place of its call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .building import Building
from .graph import Body, Graph, Node
from .kernel import Port, Unmodelled
from .made import Made, Scope, port


class Lowering(Protocol):
    """What goes through a body, and through those that it calls."""

    building: Building
    graph: Graph

    def body(self, nodes: Sequence[Node], made: dict[str, Made], scope: Scope) -> dict[str, Made]:
        """Add the operations of a body; `made` holds its arguments, and then everything."""


def function(lowering: Lowering, node: Node, name: str) -> Body:
    """A function of the graph's library. Raises Unmodelled where there is none of that name."""
    found = lowering.graph.library.get(name)
    if found is None:
        raise Unmodelled(f"{node.name} calls {name or 'a function'}, which there is not")
    return found


def inside(
    lowering: Lowering,
    node: Node,
    body: Body,
    arguments: Sequence[Port],
    scope: Scope,
    pivot: int | None,
) -> tuple[list[Port], list[int]]:
    """Lays out a body: what it returns, and what has to have run when it is done.

    Raises Unmodelled where it takes other arguments than it is given.
    """
    if len(arguments) != len(body.arguments):
        raise Unmodelled(f"{node.name}: {len(arguments)} arguments for {len(body.arguments)}")
    made = {name: Made((each,), each.of) for name, each in zip(body.arguments, arguments)}
    prefix, where = f"{scope.prefix}{node.name}/", node.where or scope.where
    made = lowering.body(body.nodes, made, Scope(prefix, scope.depth + 1, pivot, where))
    returned = [port(made, node, each) for each in body.returns]
    if missing := [each for each in body.controls if each not in made]:
        raise Unmodelled(f"{node.name} runs {missing[0]}, which there is not")
    done = [made[each].done for each in body.controls]
    return returned, [*done, *(each.of for each in returned)]
