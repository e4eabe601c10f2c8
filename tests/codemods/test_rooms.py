"""Which folder of codemods/ may know of which: there is no circle between them."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

FACTS = Path(__file__).resolve().parents[2] / "codemods" / "facts"
WINGS = sorted(folder.name for folder in FACTS.iterdir() if (folder / "__init__.py").exists())


def imported(tree: ast.Module) -> set[str]:
    """The first names behind `from ..`: of modules and folders one floor up."""
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level == 2]
    return {(n.module or n.names[0].name).partition(".")[0] for n in nodes}


def wings_of(folder: Path) -> set[str]:
    """The other wings that the modules of a wing import from."""
    trees = [ast.parse(file.read_text("utf-8")) for file in folder.glob("*.py")]
    return {name for tree in trees for name in imported(tree)} & set(WINGS)


def test_no_wing_of_the_facts_needs_one_that_needs_it() -> None:
    needs = {wing: wings_of(FACTS / wing) - {wing} for wing in WINGS}
    assert len(needs) > 5
    assert any(needs.values())
    order = list(TopologicalSorter(needs).static_order())
    assert order.index("training") < order.index("output")


def test_a_circle_would_be_found() -> None:
    needs = {"data": imported(ast.parse("from ..setup.x import y")), "setup": {"data"}}
    with pytest.raises(CycleError):
        TopologicalSorter(needs).prepare()
