"""`getattr(module, name)`: any of the variables of a module of the project, as in a dictionary.

It is one in the tree of the program, with the text as it stands: what follows values through
containers follows it. A module that is imported by a name is picked by that first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from ..program.records import NamedTuple
from .files import File

GETS, ASKS = "getattr", "hasattr"


class Key(NamedTuple):
    """What is asked for: a variable that has it, a call that gives it, or an argument of that."""

    holder: ast.Name | ast.Call
    argument: int | None = 0

    @property
    def expr(self) -> ast.expr:
        """The expression that says it, as it stands by now."""
        held = self.holder
        is_given = isinstance(held, ast.Call) and self.argument is not None
        return held.args[self.argument] if is_given else held  # type: ignore


class Pick(NamedTuple):
    """An expression that picks one, and names for what it may be, by what is asked for each."""

    node: ast.expr
    keys: tuple[Key, ...]
    values: Mapping[tuple[str, ...], ast.Name]


def picking(file: File, module: ast.expr, word: str) -> ast.Call | None:
    """The call of a builtin that is given a module first, and a name that may be any."""
    call = file.parents.get(module)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    is_builtin = call.func.id == word and word not in file.names
    is_plain = call.args[:1] == [module] and len(call.args) in (2, 3) and not call.keywords
    return call if is_builtin and is_plain else None


def chosen(call: ast.Call, names: Iterable[str]) -> Iterator[str]:
    """Those of some names that `getattr` may be asked for."""
    asked = call.args[1]
    text = asked.value if isinstance(asked, ast.Constant) else None
    return (name for name in names if text is None or name == text)


def pick(node: ast.expr, keys: tuple[Key, ...], names: Mapping[tuple[str, ...], str]) -> Pick:
    """A pick of one of these variables."""
    made = {asked: ast.Name(name, ast.Load()) for asked, name in names.items()}
    return Pick(node, keys, made)


def put(file: File, picked: Pick) -> None:
    """Put a choice from a dictionary where the expression stands."""
    node = picked.node
    default = node.args[2:] if isinstance(node, ast.Call) else []
    new = _table(picked.values)
    made: list[ast.expr] = [*_nested(new)]
    for key in picked.keys:
        expr = key.expr
        if default and key is picked.keys[-1]:
            get = ast.Attribute(new, "get", ast.Load())
            new = ast.Call(get, [expr, *default], [])
            made.append(get)
        else:
            new = ast.Subscript(new, expr, ast.Load())
        made.append(new)
        file.put_below(new, expr)
    for each in made:
        ast.copy_location(each, node)
    replace(file, node, new)


def _table(values: Mapping[tuple[str, ...], ast.Name]) -> ast.expr:
    """A dictionary of names, or of such dictionaries."""
    if () in values:
        return values[()]
    below: dict[str, dict[tuple[str, ...], ast.Name]] = {}
    for (first, *rest), value in values.items():
        below.setdefault(first, {})[tuple(rest)] = value
    return ast.Dict([ast.Constant(key) for key in below], [_table(each) for each in below.values()])


def _nested(made: ast.expr) -> Iterator[ast.expr]:
    """A table, its keys and what it holds."""
    yield made
    if isinstance(made, ast.Dict):
        yield from filter(None, made.keys)
        for value in made.values:
            yield from _nested(value)


def replace(file: File, node: ast.AST, new: ast.AST) -> None:
    """Put a node where another one stands."""
    parent = file.parents[node]
    for field, value in ast.iter_fields(parent):
        if value is node:
            file.change(parent, field, new)
        elif isinstance(value, list) and node in value:
            file.change(parent, field, [new if each is node else each for each in value])
    file.put_below(parent, new)
    file.stands_for[new] = node
