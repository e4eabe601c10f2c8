"""Whether a rewriting of a graph leaves its ends as they were: `distify race --graphs`.

Compared are the states in which each can end (`ends.py`): the rewriting may have fewer. Where there
are too many to look at, or a loop touches a variable, it is what touches each variable and queue,
and which of it comes before which: where the same is written, and nothing is open that was not, the
ends are the same, too (or fewer), as far as the rewritten operations compute what they did.
Polynomial, so graphs of any size are compared whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from .ends import Compared
from .explore import TooMany
from .fault import Fault, Step
from .graph import Graph
from .guards import Guarded, guarded
from .kernel import READS, Program, Unmodelled
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
XLA_OFF = "`tf.config.optimizer.set_jit(False)`, and no `jit_compile=True` there"
TITLES = {
    "order": "a rewriting of the graph loses an order",
    "write": "a rewriting of the graph loses a write",
    "end": "a rewriting of the graph can end as the graph can't",
}
CLUSTER = re.compile(r"^cluster_[\d_]+/")
Open = tuple[str, str]  # a variable or queue, and what writes to it


class Lost(NamedTuple):
    """What a rewriting does to a variable; `kind`: "order", "write" or "end"."""

    variable: str
    kind: str
    one: str  # the names of operations; of an end its words
    other: str = ""


class _Orders:
    def __init__(self, graph: Graph) -> None:
        self.program: Program = _without_clusters(program(graph))
        self.guards: Guarded = guarded(self.program)
        found = [r for r in races(self.program, self.guards) if r.kind not in HARMLESS]
        self.open = {self._race_names(race): race for race in found}
        self.open_of = {each for race in found for each in self._writers(race)}
        self.written = dict(self._writes_in_program())

    def _name(self, number: int) -> str:
        return self.program.operations[number].name

    def _race_names(self, race: Race) -> tuple[str, str, str]:
        one, other = sorted((self._name(race.first), self._name(race.second)))
        return race.variable, one, other

    def _writers(self, race: Race) -> Iterator[Open]:
        for number in (race.first, race.second):
            operation = self.program.operations[number]
            hows = [each.how for each in operation.accesses if each.variable == race.variable]
            if not hows or any(how != READS for how in hows):
                yield race.variable, operation.name

    def _writes_in_program(self) -> Iterator[tuple[str, str]]:
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


def _without_clusters(whole: Program) -> Program:
    """Its operations by the names that they had before they came into clusters."""
    operations = (
        replace(each, name=CLUSTER.sub("", each.name)) if each.name.startswith("cluster_") else each
        for each in whole.operations
    )
    return replace(whole, operations=tuple(operations))


def lost(before: Graph, after: Graph) -> tuple[list[Lost], bool]:
    """Ends, orders and writes that a rewriting has got or lost, and whether ends were compared.

    Raises Unmodelled.
    """
    one, other = _Orders(before), _Orders(after)
    found = list(_lost(one, other))
    writes = [each for each in found if each.kind == "write"]
    try:
        new = Compared(one.program, other.program).new()
    except (TooMany, Unmodelled):
        return found, False
    return (found or list(map(_lost_at_end, new))) if new else writes, True


def _lost_at_end(end: Mapping[str, str]) -> Lost:
    words = "; ".join(f"{name} is {last}" for name, last in end.items())
    return Lost(next(iter(end), ""), "end", words or "it goes on no more")


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
        if any(each[:2] == one[:2] for each in lost(before, graph)[0]):
            yield name


class Rewriting(NamedTuple):
    """What became of one graph: by all of Grappler's optimizers together (`whole`), by each alone,
    and as it ran with XLA's clusters."""

    of: int
    whole: Graph | None
    alone: Mapping[str, Graph]
    clustered: Graph | None = None


class Judged(NamedTuple):
    """M03 for each end, order and write; `by_ends`: all ends were compared."""

    faults: list[Fault]
    by_ends: bool


def judged(graph: Graph, found: Rewriting) -> Judged:
    """What is wrong with a rewriting. Raises Unmodelled."""
    by_grappler, whole = lost(graph, found.whole) if found.whole else ([], True)
    faults = [_fault(graph, each, *_blame(each, graph, found)) for each in by_grappler]
    if found.clustered is not None:
        clustered, in_whole = lost(graph, found.clustered)
        whole = whole and in_whole
        fresh = (each for each in clustered if each not in by_grappler)
        faults += [_fault(graph, each, "XLA's clusters", XLA_OFF) for each in fresh]
    return Judged(faults, whole)


def _blame(each: Lost, graph: Graph, found: Rewriting) -> tuple[str, str]:
    """What loses it, and how TensorFlow is told to do without."""
    names = sorted(blamed(each, graph, found.alone))
    by = f"Grappler's {' and '.join(names)}" if names else "Grappler's optimizers together"
    return by, _off(names)


def _fault(graph: Graph, each: Lost, by: str, fix: str) -> Fault:
    where = {node.name: node.where for node in graph.nodes}
    names = (each.one, each.other) if each.kind != "end" else ()
    places = [Step(where.get(name), name) for name in names if name]
    return Fault(
        "M03",
        TITLES[each.kind],
        f"{each.variable}: {by} leaves {_what(each)}",
        where=next((step.where for step in places if step.where), graph.where),
        names=(each.variable,),
        path=tuple(places),
        fix=fix,
        graph=graph.name,
    )


def _what(each: Lost) -> str:
    if each.kind == "write":
        return f"nothing that writes to it, as {each.one} did"
    if each.kind == "end":
        return f"an end that the graph has not: {each.one}"
    return f"{each.one} and {each.other} in no order, which the graph has"


def _off(names: Sequence[str]) -> str:
    """How TensorFlow is told to do without."""
    options = ", ".join(f'"{OPTIONS[name]}": False' for name in names if name in OPTIONS)
    if options:
        return f"`tf.config.optimizer.set_experimental_options({{{options}}})`"
    return '`tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})`'
