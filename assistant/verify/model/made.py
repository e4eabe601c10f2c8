"""What became of the nodes of a body, by the names that TensorFlow refers to them with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .graph import Node
from .kernel import Port, Unmodelled


class Made(NamedTuple):
    """What became of a node: its outputs, and the operation that has run when it has."""

    outputs: tuple[Port, ...] | None  # None: as many as it has slots, all of `done`
    done: int


class Scope(NamedTuple):
    """Where the nodes of a body are: `pivot` runs if anything in there does."""

    prefix: str
    depth: int
    pivot: int | None
    where: str | None


def port(made: Mapping[str, Made], node: Node, name: str) -> Port:
    """The output that an input names: `a`, `a:1`, in functions `a:output:1`. Raises Unmodelled."""
    found = behind(made, node, name)
    slot = slot_of(name)
    if found.outputs is None:
        return Port(found.done, slot)
    if slot >= len(found.outputs):
        raise Unmodelled(f"{node.name} takes {name}, which there is not")
    return found.outputs[slot]


def behind(made: Mapping[str, Made], node: Node, name: str) -> Made:
    """The node that an input names. Raises Unmodelled where there is none."""
    found = made.get(source_of(name))
    if found is None:
        raise Unmodelled(f"{node.name} takes {name}, which there is not")
    return found


def slot_of(name: str) -> int:
    """The number of an output; a switch in a function names it instead."""
    _, *rest = name.split(":")
    if rest[:1] == ["output_true"]:
        return 1
    return int(rest[-1]) if rest and rest[-1].isdecimal() and len(rest[-1]) < 7 else 0


def source_of(name: str) -> str:
    """The name of the node, without the output or the mark of a control input."""
    return name.removeprefix("^").partition(":")[0]
