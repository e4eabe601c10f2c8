"""Graphs as Grappler leaves them, which TensorFlow runs: as a whole, and by each optimizer alone.

Each is a line of `rankN.rewritten.jsonl`, which says of which graph it is. The rewriting is asked
for beside the program: what the program runs is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from . import graph_lines, graph_nodes, inside, record

ALL = ""  # as TensorFlow applies them: all that the program's settings leave on
ALONE = (
    "pruning", "function", "constfold", "shape", "arithmetic", "dependency", "loop", "remap",
    "common_subgraph_elimination",
)  # fmt: skip
LARGE = 5_000  # operations; of more graphs the optimizers are not asked one by one


@record.careful("model")
def write(
    key: Any, graph: Any, found: Mapping[str, Any], wanted: Iterable[str], config: Any = None
) -> None:
    """Writes what becomes of a graph that must run all of `wanted`, the names of operations."""
    wanted = sorted(set(wanted))
    if graph_lines.number(key) < 0 or not wanted:
        return
    many = len(found["nodes"]) > LARGE
    for name in (ALL,) if many else (ALL, *ALONE):
        with record.blind_on_failure("rewriting"):
            definition = _optimized(graph, wanted, name, config)
            write_line(key, name, content(graph, definition, found))


def write_line(key: Any, by: str, content: Mapping[str, Any]) -> None:
    """Writes what something made of the graph of that key."""
    line = {"of": graph_lines.number(key), "by": by, "graph": content}
    with open(record.path("rewritten.jsonl"), "a", encoding="utf-8") as file:
        file.write(json.dumps(line, separators=(",", ":"), default=str) + "\n")


def _optimized(graph: Any, wanted: Iterable[str], name: str, config: Any) -> Any:
    chosen = inside.core("config_pb2").ConfigProto()
    if config is not None:
        chosen.CopyFrom(config)
    if name:
        chosen.graph_options.rewrite_options.min_graph_nodes = -1
        chosen.graph_options.rewrite_options.optimizers.append(name)
    made = inside.core("meta_graph_pb2").MetaGraphDef()
    made.graph_def.CopyFrom(graph.as_graph_def())
    # What it must not take away, as Grappler calls it.
    made.collection_def["train_op"].node_list.value.extend(wanted)
    optimize = inside.python("grappler.tf_optimizer").OptimizeGraph
    return optimize(chosen, made, verbose=False)


def content(graph: Any, definition: Any, found: Mapping[str, Any]) -> dict[str, Any]:
    """The same graph with other operations; those that kept their name kept their line."""
    known = {each["n"]: _about(each) for each in found["nodes"]}
    functions = definition.library.function
    library = {each.signature.name: graph_nodes.body(each, {}) for each in functions}
    nodes = [graph_nodes.node(each, known.get(each.name, {})) for each in definition.node]
    bodies = [each for body in library.values() for each in body["nodes"]]
    return {
        **found,
        "nodes": nodes,
        "library": {**found["library"], **library},
        "stateful": graph_nodes.stateful(each["o"] for each in [*nodes, *bodies]),
    }


def _about(node: Mapping[str, Any]) -> dict[str, Any]:
    return {"w": node["w"]} if "w" in node else {}
