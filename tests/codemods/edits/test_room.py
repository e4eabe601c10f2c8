"""The room of the edits: layout and nothing else."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import get_args

import pytest

from distify.codemods import edits
from distify.codemods.edits import kinds, modifiers

RECORDS = (2, "program.records")  # Python's named tuples, made quickly
PYTHON = {"__future__", "ast", "collections", "functools", "itertools", "operator", "re", "typing"}
ROOM = sorted(Path(str(edits.__file__)).parent.glob("*.py"))
each_module = pytest.mark.parametrize("module", ROOM, ids=lambda path: path.stem)


@each_module
def test_it_imports_nothing_but_the_syntax(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            name = (node.module or "").split(".")[0]
            is_known = (node.level, name) == (2, "syntax") or (node.level, node.module) == RECORDS
            assert node.level == 1 or is_known or not node.level
            assert node.level or name in PYTHON
        elif isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= PYTHON


@each_module
def test_it_knows_no_rule(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert not re.search(r"hvd|horovod|tensorflow|keras|optimizer|\btf\b|rank|D\d\d\d", text, re.I)


def test_every_kind_has_a_modifier_of_its_name() -> None:
    for kind in get_args(kinds.Edit):
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
        place, edit, *along = inspect.signature(getattr(modifiers, name)).parameters.values()
        assert (place.name, edit.annotation) == ("place", kind.__name__)
        assert all(each.kind is each.VAR_POSITIONAL for each in along)
        assert {name, kind.__name__} <= set(edits.__all__)
        assert getattr(edits, name).args == (name,)


def test_no_modifier_asks_for_the_kind_of_its_edit() -> None:
    assert "isinstance" not in Path(str(modifiers.__file__)).read_text(encoding="utf-8")


def test_another_name_is_none_of_the_room() -> None:
    with pytest.raises(AttributeError, match="no attribute 'spoil'"):
        getattr(edits, "spoil")  # noqa: B009
