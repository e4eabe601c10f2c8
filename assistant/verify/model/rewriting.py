"""Whether a rewriting of a graph leaves its orders as they were: `distify race --graphs`.

Compared is what touches each variable and queue, and which of it comes before which: where the same
is written, and nothing is open that was not, the ends that can come about are the same (or fewer),
as far as the rewritten operations compute what they did. Polynomial, so graphs of any size are
compared whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .fault import Fault, Step
from .graph import Graph
from .guards import Guarded, guarded
from .kernel import READS, Program
from .lower import program
from .races import HARMLESS, Race, races

# Optimizers, as TensorFlow's options call them.
OPTIONS = {
    "constfold": "constant_folding",
    "shape": "shape_optimization",
    "arithmetic": "arithmetic_optimization",
    "dependency": "dependency_optimization",
    "loop": "loop_optimization",
    "function": "function_optimization",
    "remap": "remapping",
    "common_subgraph_elimination": "common_subgraph_elimination",
}
Open = tuple[str, str]  # a variable or queue, and what writes to it


class Lost(NamedTuple):
    """What a rewriting does to a variable; `kind`: "order" or "write"."""

    variable: str
    kind: str
    one: str  # the names of operations
    other: str = ""


class _Orders:
    def __init__(self, graph: Graph) -> None:
        self.program: Program = program(graph)
        self.guards: Guarded = guarded(self.program)
        found = [r for r in races(self.program, self.guards) if r.kind not in HARMLESS]
        self.open = {self._named(race): race for race in found}
        self.open_of = {each for race in found for each in self._writers(race)}
        self.written = dict(self._written())

    def _name(self, number: int) -> str:
        return self.program.operations[number].name

    def _named(self, race: Race) -> tuple[str, str, str]:
        one, other = sorted((self._name(race.first), self._name(race.second)))
        return race.variable, one, other

    def _writers(self, race: Race) -> Iterator[Open]:
        for number in (race.first, race.second):
            operation = self.program.operations[number]
            hows = [each.how for each in operation.accesses if each.variable == race.variable]
            if not hows or any(how != READS for how in hows):
                yield race.variable, operation.name

    def _written(self) -> Iterator[tuple[str, str]]:
        for operation, under in zip(self.program.operations, self.guards.under):
            for access in operation.accesses if under is not None else ():
                if access.how != READS:
                    yield access.variable, operation.name

    def touches(self, variable: str, name: str) -> bool:
        """Whether an operation of that name touches it."""
        return any(
            each.name == name
            and (each.of == variable or any(a.variable == variable for a in each.accesses))
            for each in self.program.operations
        )


def lost(before: Graph, after: Graph) -> list[Lost]:
    """Orders and writes that a graph has and its rewriting has not. Raises Unmodelled."""
    return list(_lost(_Orders(before), _Orders(after)))


def _lost(before: _Orders, after: _Orders) -> Iterator[Lost]:
    for variable, name in before.written.items():
        if variable not in after.written:
            yield Lost(variable, "write", name)
    for key, race in after.open.items():
        variable, one, other = key
        known = all(before.touches(variable, each) for each in (one, other))
        # An operation of another name may be one that several were made into.
        opened = not known and not any(each in before.open_of for each in after._writers(race))
        if key not in before.open and (known or opened):
            yield Lost(variable, "order", one, other)


def blamed(one: Lost, before: Graph, alone: Mapping[str, Graph]) -> Iterable[str]:
    """The optimizers that lose the same by themselves."""
    for name, graph in alone.items():
        if any(each[:2] == one[:2] for each in lost(before, graph)):
            yield name


class Rewriting(NamedTuple):
    """What became of one graph: by all optimizers together (`whole`), and by each alone."""

    of: int
    whole: Graph
    alone: Mapping[str, Graph]


def faults(graph: Graph, found: Rewriting) -> Iterator[Fault]:
    """M03 for each order, and each write, that is lost. Raises Unmodelled."""
    where = {node.name: node.where for node in graph.nodes}
    for each in lost(graph, found.whole):
        names = sorted(blamed(each, graph, found.alone))
        by = f"Grappler's {' and '.join(names)}" if names else "Grappler's optimizers together"
        places = [Step(where.get(name), name) for name in (each.one, each.other) if name]
        yield Fault(
            "M03",
            "a rewriting of the graph loses an order"
            if each.kind == "order"
            else "a rewriting of the graph loses a write",
            f"{each.variable}: {by} leaves {_what(each)}",
            where=next((step.where for step in places if step.where), None),
            names=(each.variable,),
            path=tuple(places),
            fix=_off(names),
            graph=graph.name,
        )


def _what(each: Lost) -> str:
    if each.kind == "write":
        return f"nothing that writes to it, as {each.one} did"
    return f"{each.one} and {each.other} in no order, which the graph has"


def _off(names: Sequence[str]) -> str:
    """How TensorFlow is told to do without."""
    options = ", ".join(f'"{OPTIONS[name]}": False' for name in names if name in OPTIONS)
    if options:
        return f"`tf.config.optimizer.set_experimental_options({{{options}}})`"
    return '`tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})`'
