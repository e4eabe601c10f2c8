"""The room `program` knows Python alone, and `library` holds tables."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3] / "codemods"
PROGRAM = sorted((ROOT / "program").glob("*.py"))
LIBRARY = sorted((ROOT / "library").glob("*.py"))


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return found


@pytest.mark.parametrize("path", PROGRAM, ids=lambda path: path.stem)
def test_program_knows_no_library(path: Path) -> None:
    assert not re.search(r"tensorflow|keras|horovod", path.read_text(encoding="utf-8"), re.I)
    assert not any(name.startswith("..") or "distify" in name for name in imports(path))


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_library_is_tables_of_patterns(path: Path) -> None:
    outside = {name for name in imports(path) if not re.match(r"\.(\w|$)", name)}
    assert outside <= {"__future__", "collections.abc", "functools", "re", "typing"}


# Of those that are longer, each answers one question, or is one table: none of them may grow.
LONG = {
    "agreement": 219,
    "classes": 211,
    "families": 209,
    "file_rows": 228,
    "file_effects": 341,
    "ingredients": 204,
    "objects": 305,
    "program": 201,
}


@pytest.mark.parametrize("path", [*PROGRAM, *LIBRARY], ids=lambda path: path.stem)
def test_a_module_is_no_longer_than_a_few_screens(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONG.get(path.stem, 200)
