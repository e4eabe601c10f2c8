"""The reader of graphs: what is none is named, and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.verify.model import load
from distify.assistant.verify.record.readers import Unreadable

from .recorded import lines

WHOLE: dict[str, Any] = {
    "kind": "function",
    "name": "step",
    "nodes": [{"n": "a", "o": "Const", "value": True, "digest": "d", "w": "train.py:3"}],
    "library": {"f": {"arguments": ["x"], "nodes": [], "returns": ["x"]}},
    "captures": {"c": {"variable": "w"}},
    "arguments": {"x": ""},
    "trained": ["w"],
    "slots": [],
    "stateful": [],
    "reading": [],
}


def test_a_graph_is_read_as_it_was_written() -> None:
    found = load.graph(json.dumps(WHOLE))
    (node,) = found.nodes
    assert (node.name, node.kind, node.value, node.where) == ("a", "Const", True, "train.py:3")
    assert found.library["f"].returns == ("x",)
    assert found.captures["c"].variable == "w"
    assert found.trained == ("w",)


@pytest.mark.parametrize("key", sorted(set(WHOLE)))
@pytest.mark.parametrize(
    "value", [None, 3, "text", [1], [[]], {"a": 1}, {"a": []}, [{}], [{"n": 1}]]
)
def test_a_part_that_is_something_else_is_named(key: str, value: Any) -> None:
    if (key, value) == ("name", "text"):
        return
    with pytest.raises(Unreadable):
        load.graph(json.dumps({**WHOLE, key: value}))


@pytest.mark.parametrize(
    "node",
    [
        {"n": "", "o": "Const"},
        {"n": "a"},
        {"n": "a", "o": ""},
        {"n": "a", "o": "Const", "i": "b"},
        {"n": "a", "o": "Const", "i": [3]},
        {"n": "a", "o": "Const", "value": 1.5},
        {"n": "a", "o": "Const", "capacity": "many"},
        {"n": "a", "o": "Const", "shape": [1.5]},
        {"n": "a", "o": "Const", "f": 3},
        {"n": "a", "o": "Const", "w": 3},
        {"n": "a", "o": "Const", "attributes": [1]},
    ],
)
def test_an_operation_that_is_none_is_named(node: Any) -> None:
    with pytest.raises(Unreadable):
        load.graph(json.dumps({**WHOLE, "nodes": [node]}))


def test_two_operations_of_one_name() -> None:
    twice = [{"n": "a", "o": "Const"}] * 2
    with pytest.raises(Unreadable, match="one name"):
        load.graph(json.dumps({**WHOLE, "nodes": twice}))


@pytest.mark.parametrize("line", ["", "{", "[]", "3", '{"a": 1}', "[" * 100_000, "\0", "nul"])
def test_a_line_that_is_no_graph_is_named(line: str) -> None:
    with pytest.raises(Unreadable):
        load.graph(line)


def written(folder: Path, rank: int, *each: str) -> None:
    (folder / f"rank{rank}.graphs.jsonl").write_text("".join(f"{line}\n" for line in each))


def test_each_worker_is_read_and_what_was_cut_off_is_named(tmp_path: Path) -> None:
    text = json.dumps(WHOLE)
    written(tmp_path, 0, text, text)
    written(tmp_path, 1, text, text[:50])
    (tmp_path / "rank0.jsonl").write_text("{}")
    (tmp_path / "other.graphs.jsonl").write_text("{}")
    (tmp_path / "rank2.graphs.jsonl").mkdir()
    graphs, problems = load.read(tmp_path)
    assert {rank: len(each) for rank, each in graphs.items()} == {0: 2, 1: 1}
    assert len(problems) == 1
    assert problems[0].startswith("worker 1: graph 2 could not be read")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "rank0.graphs.jsonl").write_bytes(b"\xff\xfe{\n")
    graphs, problems = load.read(tmp_path)
    assert graphs == {0: ()}
    assert len(problems) == 1


def test_there_is_an_end_to_the_number_of_graphs(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(load, "GRAPHS", 2)
    written(tmp_path, 0, *[json.dumps(WHOLE)] * 4)
    graphs, problems = load.read(tmp_path)
    assert len(graphs[0]) == 2
    assert problems == ("worker 0: more than 2 graphs",)


def test_every_cut_through_a_real_record_is_named() -> None:
    whole = json.dumps(lines("spike_repaired")[0][0])
    for length in range(0, len(whole), 997):
        with pytest.raises(Unreadable):
            load.graph(whole[:length])
