"""`getattr(module, name)`: any of the variables of a module of the project, as in a dictionary.

It is one in the tree of the program, with the text as it stands: what follows values through
containers follows it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ..program.records import NamedTuple
from .files import File

GETS, ASKS = "getattr", "hasattr"


class Pick(NamedTuple):
    """A call that picks one, and names for what it may be."""

    call: ast.Call
    values: Mapping[str, ast.Name]


def picking(file: File, module: ast.expr, word: str) -> ast.Call | None:
    """The call of a builtin that is given a module first, and a name that may be any."""
    call = file.parents.get(module)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    is_builtin = call.func.id == word and word not in file.names
    is_plain = call.args[:1] == [module] and len(call.args) in (2, 3) and not call.keywords
    return call if is_builtin and is_plain else None


def pick(call: ast.Call, names: Iterator[str]) -> Pick:
    """A pick of one of these names."""
    asked = call.args[1]
    text = asked.value if isinstance(asked, ast.Constant) else None
    chosen = [name for name in names if text is None or name == text]
    made = (ast.copy_location(ast.Name(name, ast.Load()), call) for name in chosen)
    return Pick(call, dict(zip(chosen, made)))


def put(file: File, picked: Pick) -> None:
    """Put a choice from a dictionary where the call stands."""
    call = picked.call
    keys: list[ast.expr | None] = [ast.Constant(name) for name in picked.values]
    table = ast.Dict(keys, list(picked.values.values()))
    new: ast.expr = ast.Subscript(table, call.args[1], ast.Load())
    if len(call.args) > 2:
        get = ast.Attribute(table, "get", ast.Load())
        new = ast.Call(get, call.args[1:], [])
    made = [new, table, getattr(new, "func", new), *filter(None, table.keys)]
    for node in made:
        ast.copy_location(node, call)
    replace(file, call, new)


def replace(file: File, node: ast.expr, new: ast.expr) -> None:
    """Put an expression where another one stands."""
    parent = file.parents[node]
    for field, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, field, new)
        elif isinstance(value, list):
            value[:] = [new if each is node else each for each in value]
    file.parents[new] = parent
    file.stands_for[new] = node
