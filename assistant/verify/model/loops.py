"""Loops of functions, laid out as TensorFlow lays them out: heads, a test, switches, exits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .building import together
from .graph import Body, Node
from .inlining import Lowering, function, inside
from .kernel import EXIT, FUNCTION, HEAD, SOURCE, SWITCH, Operation, Port, Unmodelled
from .made import Made, Scope


def with_a_test(
    lowering: Lowering, node: Node, inputs: list[Port], controls: list[int], scope: Scope
) -> Made:
    """`While`: a function says before each turn if there is one.

    Returns what the loop makes; raises Unmodelled for a function that is unknown or says nothing.
    """
    test = function(lowering, node, node.calls.get("cond", ""))
    body = function(lowering, node, node.calls.get("body", ""))
    loop = _Loop(lowering, node, scope, controls)
    turn, heads = loop.heads(inputs)
    returned, _ = inside(lowering, node, test, heads, scope, turn.of)
    if len(returned) != 1:
        raise Unmodelled(f"{loop.name}: a loop without a test")
    return loop.turns(body, turn, heads, returned[0], len(inputs), 0)


def over_a_dataset(
    lowering: Lowering, node: Node, inputs: list[Port], controls: list[int], scope: Scope
) -> Made:
    """`for x in dataset` in a function: a turn for each element, which are the worker's own.

    Returns what the loop makes; raises Unmodelled where its function's arguments are unknown.
    """
    body = function(lowering, node, node.calls.get("f", ""))
    states = len(body.returns) if node.states is None else node.states
    elements = len(body.arguments) - (len(inputs) - 1)
    dataset = [each.of for each in inputs[:1]]  # whose own functions run before its turns are over
    loop = _Loop(lowering, node, scope, [*controls, *dataset])
    if elements < 0 or states > len(inputs) - 1:
        raise Unmodelled(f"{loop.name}: what it gives to its function is not known")
    turn, heads = loop.heads(inputs[1:])
    more = Operation(f"{loop.name}/more", SOURCE, (), (turn.of,), "Dataset", where=loop.where)
    test = Port(lowering.building.add(more))
    return loop.turns(body, turn, heads, test, states, elements)


def scanned(
    lowering: Lowering, node: Node, inputs: list[Port], controls: list[int], scope: Scope
) -> Made:
    """What AutoGraph makes of `for x in dataset`: a dataset does the turns, and is then reduced.

    Raises Unmodelled where it is not known what is handed from turn to turn.
    """
    if node.states is None:
        raise Unmodelled(f"{scope.prefix}{node.name}: what it hands from turn to turn is not known")
    done = over_a_dataset(lowering, node, inputs, controls, scope).done
    return Made((Port(done),), done)


@dataclass
class _Loop:
    lowering: Lowering
    node: Node
    scope: Scope
    controls: Sequence[int]

    @property
    def name(self) -> str:
        return f"{self.scope.prefix}{self.node.name}"

    @property
    def where(self) -> str | None:
        return self.node.where or self.scope.where

    def heads(self, inputs: Sequence[Port]) -> tuple[Port, list[Port]]:
        """One that has a value in each turn, whatever the loop carries, and those of its inputs."""
        begin = self.controls or [each for each in (self.scope.pivot,) if each is not None]
        first = Port(self.lowering.building.add(together(f"{self.name}/begin", begin)))
        turn, *heads = [self._add(HEAD, each, controls=self.controls) for each in (first, *inputs)]
        return turn, heads

    def turns(
        self, body: Body, turn: Port, heads: list[Port], test: Port, states: int, elements: int
    ) -> Made:
        """A turn; its function is given the states, new elements, and what stays as it is."""
        building = self.lowering.building
        test = building.read(test)
        switches = [self._add(SWITCH, each, test) for each in (turn, *heads)]
        again, *given = [Port(each.of, 1) for each in switches]
        taken = Operation(f"{self.name}/taken", FUNCTION, (again,), (), "Identity")
        pivot = building.add(taken)
        new = [self._element(pivot) for _ in range(elements)]
        arguments = [*given[:states], *new, *given[states:]]
        returned, done = inside(self.lowering, self.node, body, arguments, self.scope, pivot)
        ended = Port(building.add(together(f"{self.name}/turn", [*done, pivot])))
        backs = [ended, *returned[:states], *given[states:]]
        for head, back in zip((turn, *heads), backs):
            building.change(head.of, back=back, test=test.of)
        exits = [self._add(EXIT, Port(each.of, 0)) for each in switches]
        for each in exits:
            building.change(each.of, test=test.of)
        finished = building.add(together(f"{self.name}/done", [each.of for each in exits]))
        return Made(tuple(exits[1 : 1 + states]), finished)

    def _element(self, pivot: int) -> Port:
        one = Operation(f"{self.name}/element", SOURCE, (), (pivot,), "element", where=self.where)
        return Port(self.lowering.building.add(one))

    def _add(self, kind: str, *inputs: Port, controls: Sequence[int] = ()) -> Port:
        name = f"{self.name}/{kind}"
        each = Operation(name, kind, inputs, tuple(controls), self.node.kind, slots=2)
        return Port(self.lowering.building.pass_on(each))
