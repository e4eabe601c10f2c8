"""Edits of the arguments of a call as data; in a template `_` stands for the code that is there."""

from __future__ import annotations

from ..program.records import NamedTuple


class SetArgument(NamedTuple):
    """A call gets an argument, by keyword where it has none yet by that name or position."""

    argument: str
    code: str
    position: int | None = None


class WrapArgument(NamedTuple):
    """An argument of a call becomes a part of a larger expression; so does its default."""

    argument: str
    template: str
    position: int | None = None
    default: str = ""


class Prepend(NamedTuple):
    """Elements go first in a list that is an argument of a call."""

    argument: str
    elements: str
    position: int | None = None


class DropArgument(NamedTuple):
    """A call is given an argument no longer that it has by keyword."""

    argument: str


class Empty(NamedTuple):
    """A call is given nothing any more."""


class Rename(NamedTuple):
    """A call is that of another function of the same module, or an argument has another keyword."""

    name: str
    argument: str = ""
