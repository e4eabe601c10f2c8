"""The training graphs of a run as modules of TLA+, cut down to what orders and decisions need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .agree import agreement
from .graph import Graph
from .guards import guarded
from .kernel import Program, Unmodelled
from .local import differing
from .lower import program
from .semantics import Machine
from .slices import left_out, sliced
from .tla.tla import module
from .tla.tla_names import identifier


class Module(NamedTuple):
    """A graph's module; `text` is empty where there is none, and `why` says why."""

    name: str
    text: str
    why: str = ""


def modules(graphs: Mapping[int, tuple[Graph, ...]]) -> Iterator[Module]:
    """One module for each training graph, with all workers that left it."""
    for number in range(min((len(each) for each in graphs.values()), default=0)):
        same = [graphs[rank][number] for rank in sorted(graphs)]
        name = f"{identifier(same[0].name)}_{number}"
        try:
            parts, loops = zip(*(_part(each, differing(same)) for each in same))
            text = module(Machine(parts), name, loops[0])
        except Unmodelled as reason:
            yield Module(name, "", str(reason))
        else:
            yield Module(name, text)


def _part(graph: Graph, local: frozenset[str]) -> tuple[Program, list[str]]:
    whole = program(graph)
    return sliced(agreement(whole, guarded(whole), local=local)), left_out(whole)
