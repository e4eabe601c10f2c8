"""The domain of paths: whether a value is one of `pathlib`, as `Path(a) / b` and `.parent` are."""

from __future__ import annotations

import ast
from enum import IntEnum

from ...library.words import words
from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ..facts import Facts

_CLASSES = words("Path PosixPath WindowsPath PurePath")
_METHODS = words("joinpath resolve absolute expanduser with_suffix with_name cwd home")


class PathKind(IntEnum):
    """Whether a value is a path; the larger one wins where values meet."""

    NOTHING = 0
    PATH = 1
    OTHER = 2


def _join(a: PathKind, b: PathKind) -> PathKind:
    return max(a, b)


def _create(origin: Origin, operands: Operands[PathKind]) -> PathKind:
    if origin.kind is Kind.COMPUTED and isinstance(origin.node, ast.BinOp):
        return operands.of(origin)[0] or PathKind.OTHER
    if isinstance(origin.node, ast.Call):
        return _call(origin, origin.node, operands)
    if origin.name == (".", "parent"):
        return next(iter(operands.of(origin, "of")), PathKind.OTHER)
    return PathKind.OTHER


def _call(origin: Origin, call: ast.Call, operands: Operands[PathKind]) -> PathKind:
    """What a class of `pathlib` makes, or a method of one of its paths."""
    module, _, name = str(origin.name or "").partition(".")
    if module == "pathlib":
        first, _, method = name.partition(".")
        return PathKind.PATH if first in _CLASSES and _gives(method) else PathKind.OTHER
    if isinstance(call.func, ast.Attribute) and _gives(call.func.attr):
        return next(iter(operands.of(origin, "receiver")), PathKind.OTHER)
    return PathKind.OTHER


def _gives(method: str) -> bool:
    return not method or method in _METHODS


_PATH = Domain(PathKind.NOTHING, PathKind.OTHER, _join, _create, suppose=_create)


def is_path(facts: Facts, expr: ast.expr) -> bool:
    """Whether the value is a `pathlib` path, wherever it comes from."""
    return facts.program.value(_PATH, expr) is PathKind.PATH
