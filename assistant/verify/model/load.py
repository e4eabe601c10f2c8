"""Reads the graphs that the probe left behind.

The file may be cut off in the middle, may come from another version, and lies in a folder that the
program can write into: what is no graph is named and counts as "could not be modelled".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..record.readers import Unreadable, items, table, text, texts, whole
from ..run.bounds import lines
from .graph import Body, Capture, Graph, Node
from .rewriting import Rewriting

NAME = re.compile(r"rank(\d{1,6})\.graphs\.jsonl")
LONGEST = 128 << 20  # characters of one graph
GRAPHS = 64  # of one worker
CALLED = ("f", "cond", "body", "then_branch", "else_branch")
LABELS = ("tensor_name", "shared_name", "frame_name")


def read(folder: Path) -> tuple[dict[int, tuple[Graph, ...]], tuple[str, ...]]:
    """The graphs of each worker by rank, and what could not be read, in words."""
    found, problems = {}, []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        match = NAME.fullmatch(path.name)
        if match and path.is_file():
            graphs, wrong = _worker(path)
            found[int(match[1])] = tuple(graphs)
            problems += [f"worker {match[1]}: {each}" for each in wrong]
    return dict(sorted(found.items())), tuple(problems)


def rewritten(folder: Path) -> tuple[Rewriting, ...]:
    """What became of the graphs of worker 0. Raises Unreadable."""
    found: dict[int, dict[str, Graph]] = {}
    path = folder / "rank0.rewritten.jsonl"
    for line in lines(path, LONGEST, 16 * LONGEST) if path.is_file() else ():
        try:
            each = _dictionary(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"no JSON ({str(error)[:60]})") from None
        made = graph(json.dumps(each.get("graph")))
        found.setdefault(whole(each.get("of")), {})[text(each.get("by"))] = made
    return tuple(_rewriting(number, found[number]) for number in sorted(found))


def _rewriting(number: int, by: dict[str, Graph]) -> Rewriting:
    entire, clustered = by.pop("", None), by.pop("xla", None)
    return Rewriting(number, entire, by, clustered)


def _worker(path: Path) -> tuple[list[Graph], list[str]]:
    graphs: list[Graph] = []
    problems: list[str] = []
    for number, line in enumerate(lines(path, LONGEST, 2 * LONGEST), 1):
        if number > GRAPHS:
            problems.append(f"more than {GRAPHS} graphs")
            break
        try:
            graphs.append(graph(line))
        except Unreadable as error:
            problems.append(f"graph {number} could not be read: {error}")
    return graphs, problems


def graph(line: str) -> Graph:
    """One line as a graph. Raises Unreadable."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"no JSON ({str(error)[:60]})") from None
    found = _dictionary(found, "graph")
    return Graph(
        kind=_choice(found.get("kind"), ("function", "session")),
        name=text(found.get("name")),
        nodes=_nodes(found.get("nodes")),
        library={key: _body(each) for key, each in _dictionary(found.get("library")).items()},
        captures={key: _capture(each) for key, each in _dictionary(found.get("captures")).items()},
        arguments=table(found.get("arguments")),
        trained=texts(found.get("trained")),
        slots=texts(found.get("slots")),
        stateful=frozenset(texts(found.get("stateful"))),
        reading=frozenset(texts(found.get("reading"))),
        where=_optional(found.get("where")),
        local=frozenset(texts(found.get("local", []))),
        served=frozenset(texts(found.get("served", []))),
    )


def _nodes(value: Any) -> tuple[Node, ...]:
    nodes = tuple(map(_node, items(value)))
    if len({node.name for node in nodes}) < len(nodes):
        raise Unreadable("two operations of one name")
    return nodes


def _node(value: Any) -> Node:
    found = _dictionary(value, "operation")
    label = next((found[key] for key in LABELS if found.get(key)), "")
    return Node(
        name=_named(found.get("n")),
        kind=_named(found.get("o")),
        inputs=texts(found.get("i", [])),
        calls={key: text(found[key]) for key in CALLED if key in found},
        others=texts(found.get("calls", [])),
        value=_scalar(found.get("value")),
        digest=text(found.get("digest", "")),
        label=text(label),
        capacity=whole(found["capacity"]) if "capacity" in found else None,
        overlapping=whole(found["overlapping"]) if "overlapping" in found else None,
        states=whole(found["states"]) if "states" in found else None,
        attributes=table(found.get("attributes", {})),
        shape=tuple(map(whole, items(found["shape"]))) if "shape" in found else None,
        by=text(found.get("by", "")),
        where=_optional(found.get("w")),
    )


def _body(value: Any) -> Body:
    found = _dictionary(value, "function")
    return Body(
        arguments=texts(found.get("arguments")),
        nodes=_nodes(found.get("nodes")),
        returns=texts(found.get("returns")),
        controls=texts(found.get("controls", [])),
    )


def _capture(value: Any) -> Capture:
    found = _dictionary(value, "capture")
    return Capture(
        variable=text(found.get("variable", "")),
        digest=text(found.get("digest", "")),
        value=_scalar(found.get("value")),
    )


def _dictionary(value: Any, what: str = "table") -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable(f"no {what}: {value!r:.40}")
    return value


def _named(value: Any) -> str:
    if not text(value):
        raise Unreadable("an operation without a name or a kind")
    return text(value)


def _choice(value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise Unreadable(f"neither of {' and '.join(choices)}: {value!r:.40}")
    return text(value)


def _scalar(value: Any) -> bool | int | None:
    if value is None or isinstance(value, bool):
        return value
    return whole(value)


def _optional(value: Any) -> str | None:
    return None if value is None else text(value)
