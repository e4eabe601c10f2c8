"""The variables that a training call changes: what they can be read from once more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ...program.node_fields import within
from ...program.records import NamedTuple


class AsGiven(NamedTuple):
    """An expression of the program, which gives the same when it is evaluated again."""

    expr: ast.expr


class Part(NamedTuple):
    """The variables of a model or layer."""

    owner: ast.expr
    attribute: str


class Sum(NamedTuple):
    """Two lists, one behind the other."""

    left: Variables
    right: Variables


class Listed(NamedTuple):
    """A list of these variables."""

    parts: tuple[Variables, ...]


class Unpacked(NamedTuple):
    """The variables of a list, in another one."""

    inner: Variables


class OfPairs(NamedTuple):
    """The second of each pair of a list: under its name, or None for one that has none yet."""

    name: ast.Name | None


Variables = Union[AsGiven, Part, Sum, Listed, Unpacked, OfPairs]
ALL = ("variables", "weights")


def key(variables: Variables) -> tuple[object, ...]:
    """Equal for variables that are read alike."""
    parts = (ast.dump(p) if isinstance(p, ast.AST) else _key_of_part(p) for p in variables)
    return (type(variables).__name__, *parts)


def _key_of_part(part: object) -> object:
    if isinstance(part, (AsGiven, Part, Sum, Listed, Unpacked, OfPairs)):
        return key(part)
    return tuple(map(_key_of_part, part)) if isinstance(part, tuple) else part


def owners(variables: Variables) -> Iterator[ast.expr]:
    """The models all of whose variables are among these."""
    if isinstance(variables, Part):
        yield from [variables.owner] if variables.attribute in ALL else []
    elif isinstance(variables, AsGiven):
        for node in within(variables.expr):
            if isinstance(node, ast.Attribute) and node.attr in ALL:
                yield node.value
    elif not isinstance(variables, OfPairs):
        for part in _parts(variables):
            yield from owners(part)


def parts(variables: Variables) -> Iterator[Variables]:
    """The variables of lists and sums, one by one."""
    if isinstance(variables, (AsGiven, Part, OfPairs)):
        yield variables
    else:
        for part in _parts(variables):
            yield from parts(part)


def _parts(variables: Sum | Listed | Unpacked) -> tuple[Variables, ...]:
    if isinstance(variables, Sum):
        return (variables.left, variables.right)
    return variables.parts if isinstance(variables, Listed) else (variables.inner,)


def read(variables: Variables) -> Iterator[ast.expr]:
    """The expressions that these variables are read from."""
    if isinstance(variables, (AsGiven, Part)):
        yield variables.expr if isinstance(variables, AsGiven) else variables.owner
    elif isinstance(variables, OfPairs):
        yield from [] if variables.name is None else [variables.name]
    else:
        for part in _parts(variables):
            yield from read(part)
