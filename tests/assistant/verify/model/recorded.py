"""Graphs of real programs on two workers, as the probe wrote them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from distify.assistant.verify.model import load
from distify.assistant.verify.model.graph import Graph

FOLDER = Path(__file__).parent / "graphs"
NAMES = sorted(path.name.partition(".")[0] for path in FOLDER.glob("*.json.gz"))


def lines(name: str) -> list[list[Any]]:
    """What each worker wrote, graph by graph."""
    found: list[list[Any]] = json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
    return found


def graphs(name: str) -> dict[int, tuple[Graph, ...]]:
    return {
        rank: tuple(load.graph(json.dumps(each)) for each in mine)
        for rank, mine in enumerate(lines(name))
    }
