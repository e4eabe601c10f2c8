"""The page of proofs lists every obligation, in the words of its own module."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from distify.codemods.judge.obligations import OBLIGATIONS, Obligation

PAGE = Path(__file__).parents[1] / "docs" / "proofs.md"


def sentence(each: Obligation) -> str:
    """What its module begins with, the name of the obligation in front or not."""
    text = import_module(f"distify.codemods.judge.{each.name}").__doc__ or ""
    said = " ".join(text.split("\n\n")[0].split())
    first, _, rest = said.partition(": ")
    return rest if first.strip("*") == each.name else said


def row(each: Obligation) -> str:
    enforced = "yes" if each.is_enforced else "not yet"
    return f"| **{each.name}** | {each.code} | {enforced} | {sentence(each)} |"


def test_each_obligation_has_its_row() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:4] == "| **"]
    assert rows == [row(each) for each in OBLIGATIONS], "\n".join(map(row, OBLIGATIONS))
