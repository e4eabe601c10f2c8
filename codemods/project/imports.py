"""Imports that a file of a project gets, which trains for others and has no place of its own."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..edits import At, Insert, Places
from ..facts import Facts
from ..facts.setup.import_places import horovod_beside, last_import, tensorflow_import
from ..rewrites._import_edits import line_beside
from .files import DEFINITIONS
from .refused import NO_PLACE, Refused


def imported(own: Facts, path: str, lines: Sequence[str]) -> Places:
    """Lines that import, beside the imports of TensorFlow or others. Raises Refused."""
    statement = tensorflow_import(own) or last_import(own)
    if statement is None:
        return Places([_first_import(own, path, "".join(lines))])
    found = line_beside(horovod_beside(own, statement), "".join(lines))
    return Places(At(place, edit) for place, edit in found.items())


def _first_import(own: Facts, path: str, lines: str) -> At:
    """The imports of a file that had none, above its first statement. Raises Refused."""
    body = [s for s in own.body if not _is_text(s)]
    first = min(n.lineno for n in (body[0], *getattr(body[0], "decorator_list", ())))
    above = own.source.text.splitlines()[: first - 1]
    if above and above[-1].lstrip().startswith("#"):  # it may speak of the statement
        raise Refused(1, NO_PLACE.format(path))
    distance = 2 if isinstance(body[0], DEFINITIONS) else 1
    return At(body[0], Insert(before=lines + "\n" * distance))


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
