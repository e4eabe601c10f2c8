"""Names whose every reader is to see another number: that is told once, where the name gets it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..facts import Facts
from ..setup.import_places import runs_before_init


class Held(NamedTuple):
    """The value of a name, and all that read it."""

    value: ast.expr
    readers: frozenset[ast.AST]


def held(facts: Facts, changed: Collection[ast.Name]) -> Iterator[Held]:
    """The names of which several readers are to change, and no reader is not."""
    done: set[ast.AST] = set()
    for name in changed:
        readers = frozenset(facts.readers(name))
        if name in done or len(readers) < 2 or not readers <= set(changed):
            continue
        done |= readers
        value = _value(facts, name)
        if value is not None and _can_be_told_there(facts, value, readers):
            yield Held(value, readers)


def _value(facts: Facts, name: ast.Name) -> ast.expr | None:
    """What the one assignment that binds a name to nothing but its value assigns."""
    bindings = facts.bindings(name)
    made = bindings[0].node if len(bindings) == 1 else None
    if isinstance(made, ast.AnnAssign):
        return made.value
    is_plain = isinstance(made, ast.Assign) and list(map(type, made.targets)) == [ast.Name]
    return made.value if is_plain else None  # type: ignore[union-attr]


def _can_be_told_there(facts: Facts, value: ast.expr, readers: frozenset[ast.AST]) -> bool:
    """Whether Horovod has been started there, and no other module may read the name."""
    home = facts.scope(value)
    if runs_before_init(facts, facts.statement(value)):
        return False
    is_of_all = home.node is facts.module
    is_seen = not facts.is_joined and all(facts.scope(each).node is home.node for each in readers)
    return is_seen if is_of_all else isinstance(home.node, FunctionNode)
