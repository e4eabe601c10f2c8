"""Graphs as they ran with XLA's clusters: TensorFlow writes them down, if it is asked to.

It does so where it makes clusters, which is when a graph first runs; the files that came while a
graph did are looked through for the one that has most of its operations. A line of
`rankN.rewritten.jsonl` like those of Grappler's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import graph_lines, grappled, inside, record

FOLDER = os.environ.get("TF_DUMP_GRAPH_PREFIX", "")
DUMPED = "encapsulate_subgraphs_after*.pbtxt"
LARGEST = 64 << 20  # characters of one file
CLUSTER = re.compile(r"cluster_[\d_]+$")
_seen: set[str] = set()


@record.careful("model")
def write(key: Any, graph: Any, found: Mapping[str, Any]) -> None:
    """Writes what has become of a graph in its first run, if anything of it is in a cluster."""
    names = {each["n"] for each in found["nodes"]}
    dumped = list(_new())
    if graph_lines.number(key) < 0 or not dumped:
        return
    with record.blind_on_failure("rewriting"):
        best = max(dumped, key=lambda each: _in_common(each, names))
        if _in_common(best, names) and any(CLUSTER.match(node.op) for node in best.node):
            _name_arguments(best, graph)
            grappled.write_line(key, "xla", grappled.content(graph, best, found))


def _new() -> Iterator[Any]:
    """The graphs that were written down since."""
    folder = Path(FOLDER) if FOLDER else None
    for path in sorted(folder.glob(DUMPED)) if folder is not None and folder.is_dir() else ():
        if path.name in _seen or path.stat().st_size > LARGEST:
            continue
        _seen.add(path.name)
        yield inside.graph_of(path.read_text(encoding="utf-8"))


def _in_common(definition: Any, names: set[str]) -> int:
    bodies = (node for each in definition.library.function for node in each.node_def)
    return sum(node.name in names for group in (definition.node, bodies) for node in group)


def _name_arguments(definition: Any, graph: Any) -> None:
    """Gives a function's arguments the names that they have in it, by which variables are known."""
    inputs = getattr(graph, "inputs", ())
    new = {
        node.name: inputs[node.attr["index"].i].op.name
        for node in definition.node
        if node.op == "_Arg" and node.attr["index"].i < len(inputs)
    }
    for node in definition.node:
        node.name = new.get(node.name, node.name)
        for k, each in enumerate(node.input):
            control = "^" if each.startswith("^") else ""
            name, colon, slot = each[len(control) :].partition(":")
            node.input[k] = f"{control}{new.get(name, name)}{colon}{slot}"
