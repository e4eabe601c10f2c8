"""The page of J06 has the table of sinks that the code has."""

from __future__ import annotations

from pathlib import Path

from distify import codemods
from distify.codemods.judge import sinks

PAGE = Path(codemods.__path__[0]) / "pages" / "J06.md"
KINDS = ("chance", "clock", "person", "hash", "order")


def rows() -> list[str]:
    """The table, a row a sink."""
    head = ["| what a worker has of its own | then | " + " | ".join(KINDS) + " |"]
    head.append("|---|---|" + "---|" * len(KINDS))
    for sink in sinks.SINKS:
        counts = ["x" if kind in sink.kinds else "" for kind in KINDS]
        head.append(f"| {sink.subject} | {sink.harm} | {' | '.join(counts)} |".replace("  |", " |"))
    return head


def test_the_page_has_the_table_of_the_code() -> None:
    assert "\n".join(rows()) in PAGE.read_text("utf-8"), "\n".join(rows())


def test_every_kind_counts_somewhere() -> None:
    assert set().union(*(sink.kinds for sink in sinks.SINKS)) == sinks.EVERY == set(KINDS)
