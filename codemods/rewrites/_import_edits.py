"""The imports that rules insert, beside those that the module has; shared where lines meet."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..edits import Insert
from ..facts.horovod import KERAS
from ..facts.setup.import_places import (
    STANDARD,
    ImportPlace,
    horovod_place,
    init_place,
    is_own,
    own_missing_modules,
    sorted_place,
    tensorflow_place,
)
from ._new_code import callback_module, tape_module, tf

if TYPE_CHECKING:
    from ..facts import Facts

Lines = dict[ast.AST, Insert]


def line_beside(place: ImportPlace, line: str) -> Lines:
    """A line of code beside an import."""
    return {place.beside: Insert(before=line) if place.is_before else Insert(after=line)}


def horovod_import(facts: Facts, more: Iterable[str] = ()) -> Lines:
    """The modules of Horovod that are missing, with others that a rule needs beside them."""
    place, modules = horovod_place(facts), (*own_missing_modules(facts), *more)
    if place is None or not modules:
        return {}
    lines = "".join(import_as(facts, module) for module in modules)
    return line_beside(place, lines if place == tensorflow_place(facts) else _parted(place, lines))


def import_as(facts: Facts, module: str) -> str:
    """The line that imports a module of Horovod."""
    name = callback_module(facts) if module in KERAS else tape_module(facts)
    return f"import {module} as {name}\n"


def tensorflow_import(facts: Facts) -> Lines:
    """`import tensorflow as tf` for modules that only import Keras."""
    place = tensorflow_place(facts)
    if place is None:
        return {}
    return line_beside(place, _parted(place, f"import tensorflow as {tf(facts)}\n"))


def _parted(place: ImportPlace, lines: str) -> str:
    """The lines of libraries, with an empty one before imports of the project's own."""
    return lines + "\n" if place.is_before and is_own(place.beside) else lines


def behind_imports(facts: Facts, code: str) -> Lines:
    """Code for `init_place`, below the import of Horovod if that goes to the same place."""
    place = init_place(facts)
    if place is None:
        return {}
    imported = horovod_import(facts).get(place, Insert()).after
    return {place: Insert(after=code, distance=imported.count("\n"))}


def standard_import(facts: Facts, module: str, name: str) -> Lines:
    """A module at its sorted place among imports of the standard library, else above all."""
    if facts.names.name_of(module) is not None:
        return {}
    line = standard_line(module, name)
    imports = list(_leading_imports(facts))
    beside = next((s for s in imports if _root(s) in STANDARD), None)
    if beside is None:
        first = imports[0]
        return {first: Insert(before=line + "\n", distance=_inserted_before(facts, first))}
    return line_beside(ImportPlace(*(sorted_place(facts, module, beside) or (beside, True))), line)


def standard_line(module: str, name: str) -> str:
    """The line that imports a module of the standard library."""
    return f"import {module}\n" if name == module else f"import {module} as {name}\n"


def _inserted_before(facts: Facts, statement: ast.stmt) -> int:
    """How many lines the imports of Horovod and TensorFlow put directly before a statement."""
    found = (horovod_import(facts), tensorflow_import(facts))
    return sum(lines.get(statement, Insert()).before.count("\n") for lines in found)


def _leading_imports(facts: Facts) -> Iterator[ast.Import | ast.ImportFrom]:
    for statement in facts.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)) and _root(statement) != "__future__":
            yield statement


def _root(statement: ast.Import | ast.ImportFrom) -> str:
    if isinstance(statement, ast.Import):
        return statement.names[0].name.split(".")[0]
    return "." if statement.level else (statement.module or "").split(".")[0]
