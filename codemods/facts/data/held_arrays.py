"""Arrays that are cut alike, and how a value holds them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from enum import Enum

from ...program.node_fields import within
from ..changes import changes
from ..facts import Facts
from .array_lengths import length_of
from .arrays import is_array, may_be_array
from .lengths import Length

_MOVABLE = (ast.For, ast.AsyncFor, ast.While, ast.Try)


class Held(Enum):
    """How a value holds the arrays that are cut."""

    ITSELF = "it is an array"
    LIST = "in a list"
    TUPLE = "in a tuple"
    DICT = "as the values of a dictionary"


_CONTAINERS: Mapping[type, Held] = {
    ast.List: Held.LIST,
    ast.Tuple: Held.TUPLE,
    ast.Dict: Held.DICT,
}


class Arrays:
    """The arrays that are cut alike, with their length."""

    def __init__(self, call: ast.Call, purpose: str) -> None:
        self.call = call  # what takes them: the `fit`, or the `flow` of a generator
        self.purpose = purpose
        self.held: dict[ast.expr, Held] = {}
        self.length: Length | None = None
        self.fit: ast.Call | None = None
        self.is_first = True  # False: the slice made for an earlier call still holds


def collect(
    facts: Facts,
    call: ast.Call,
    purpose: str,
    values: Iterable[ast.expr | None],
    is_known: bool = False,
) -> Arrays | None:
    """All of the arrays, or None if one of the values may be something else.

    Known: what takes them takes nothing else, so that what nobody sees the making of is one, too.
    """
    found = Arrays(call, purpose)
    for value in values:
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            continue
        if not _add(facts, found, value, is_known):
            return None
    return found if found.held and found.length is not None else None


def _add(facts: Facts, found: Arrays, value: ast.expr, is_known: bool) -> bool:
    if isinstance(value, (ast.List, ast.Tuple, ast.Dict)):
        inside = value.values if isinstance(value, ast.Dict) else value.elts
        return bool(inside) and all(_add(facts, found, inner, is_known) for inner in inside)
    if is_array(facts, value) or (is_known and may_be_array(facts, value)):
        found.held[value] = Held.ITSELF
        if found.length is None:
            plain = length_of(facts, value)
            found.length = None if plain is None else Length(plain)
        return True
    held = facts.origins(value).only if isinstance(value, ast.Name) else None
    inside = _held(held)
    if not inside or not all(is_array(facts, inner) for inner in inside):
        return False
    found.held[value] = _CONTAINERS[type(held)]
    part = _first_part(held)
    if found.length is None and part is not None:
        found.length = Length(value, part=part)
    return found.length is not None


def _first_part(held: ast.AST | None) -> int | str | None:
    """The index or the key of the first array; None for a key that is no text."""
    if not isinstance(held, ast.Dict):
        return 0
    key = held.keys[0]
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def _held(held: ast.AST | None) -> list[ast.expr]:
    if isinstance(held, ast.Dict):
        return held.values
    return held.elts if isinstance(held, (ast.List, ast.Tuple)) else []


def first_place(facts: Facts, arrays: Arrays) -> ast.AST:
    """Where their slice can be made: before the loops and `try`s in which they stay what they are.

    Their own place where they have no name that is bound before.
    """
    place: ast.AST = arrays.call
    named = arrays.length.of if arrays.length is not None else None
    if not isinstance(named, ast.Name):
        return place
    bound = {facts.statement(binding.node) for binding in facts.names.bindings(named)}
    for around in facts.parents(arrays.call):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            break
        if isinstance(around, _MOVABLE) and bound.isdisjoint(inside := list(within(around))):
            if any(_changes(facts, node, named.id) for node in inside):
                break
            place = around
        elif isinstance(around, ast.stmt) and around is not facts.statement(arrays.call):
            break
    return place


def _changes(facts: Facts, node: ast.AST, name: str) -> bool:
    """Whether it is a call such as `x.append(…)`, of a list that has this name."""
    owner = node.func.value if _is_method(node) else None  # type: ignore[attr-defined]
    return isinstance(owner, ast.Name) and owner.id == name and bool(changes(facts, node))  # type: ignore[arg-type]


def _is_method(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
