"""The edits as data: Python's layout alone; in a template `_` stands for the code that is there."""

from __future__ import annotations

import ast
from typing import Union

from ..program.records import NamedTuple
from .call_kinds import DropArgument, Empty, Prepend, Rename, SetArgument, WrapArgument


class Insert(NamedTuple):
    """Lines before and behind a statement; a blank line at either end of them asks for one there.

    `distance` earlier lines stay between; with `fold` an assigned call that is too long is broken.
    """

    before: str = ""
    after: str = ""
    distance: int = 0
    fold: bool = False


class Remark(NamedTuple):
    """A comment at the end of a statement's line, of a block's head; behind one that is there."""

    comment: str


class Enter(NamedTuple):
    """Lines at the beginning of the block of a statement, whatever stands there by then."""

    lines: str


class Define(NamedTuple):
    """The head of a loop becomes that of a function, and its block the body, `last` behind it."""

    head: str
    first: str = ""
    last: str = ""


class Remove(NamedTuple):
    """A statement goes; its comments stay, or `commented`: those that speak of it alone go, too."""

    commented: bool = False


class DropNames(NamedTuple):
    """An import binds these names no longer."""

    names: tuple[str, ...]


class LeaveBlock(NamedTuple):
    """The last statements of a block, those along with the place, leave it."""


class Nest(NamedTuple):
    """So many last items of a `with` get one of their own, around statements that begin its block.

    These go along.
    """

    items: int


class Dissolve(NamedTuple):
    """A compound statement gives way to what its block holds."""


class DropBranch(NamedTuple):
    """An `if` loses its first branch; the `elif` behind it begins the statement."""


class Guard(NamedTuple):
    """A statement, and those along with it, run only if a test holds."""

    test: str


class Narrow(NamedTuple):
    """A condition holds only if another one does, too."""

    test: str


class Replace(NamedTuple):
    """Another expression takes the place of one."""

    code: str


class SetField(NamedTuple):
    """The fields of an f-string that hold one code, `{a.b:4}` or `{n // 2}`, hold another."""

    name: str
    code: str


class Wrap(NamedTuple):
    """An expression becomes a part of a larger one."""

    template: str


class Choose(NamedTuple):
    """An expression becomes one of two: `_ if … else …`, over several lines if need be."""

    template: str


class Chain(NamedTuple):
    """Method calls, such as `_.a().b()`, go behind an expression, in the layout of its chain.

    `why`, if they need a word, is a comment above the statement. With a `name` the expression goes
    before its statement under it, and the calls go behind the name.
    """

    template: str
    why: str = ""
    name: str = ""


class Spread(NamedTuple):
    """An element of a list becomes several, `*(… _ …)`, with the one before if that did as well.

    One that would sprawl over lines there goes before the statement, if it may have a `name`.
    """

    template: str
    name: str = ""


class PutLater(NamedTuple):
    """The last elements of a list, those along with it, are appended behind, if a test holds.

    A list that is not bound to the `name` goes in front of its statement, under it. So many of the
    elements are the `first` ones of the list.
    """

    name: str
    test: str
    is_bound: bool = True
    first: int = 0


class Hoist(NamedTuple):
    """An expression moves in front of its statement, under a name.

    There it is unpacked by `*` or `**`, evaluated only if a test holds (`distance`: see Insert).
    """

    name: str
    unpacked: str = ""
    only_if: str = ""
    template: str = "_"
    distance: int = 0


class TakeOut(NamedTuple):
    """An argument of a call goes into lines behind the statement, and `instead` in its place."""

    argument: str
    position: int
    instead: str
    lines: str


class Name(NamedTuple):
    """A copy, as in `template`, goes in front of the statement, under a name; `lines` follow."""

    name: str
    lines: str = ""
    template: str = "_"
    first: TakeOut | None = None


class NameArgument(NamedTuple):
    """An argument of a call is named."""

    argument: str
    position: int
    naming: Name


class Fold(NamedTuple):
    """Lines that got too long around an expression are broken."""


class FoldCall(NamedTuple):
    """Lines that got too long around an argument of a call are broken; `alone`: within it only."""

    argument: str = ""
    position: int | None = None
    alone: bool = False


Edit = Union[
    Insert,
    Enter,
    Define,
    Remark,
    Remove,
    DropNames,
    LeaveBlock,
    Dissolve,
    Nest,
    DropBranch,
    Guard,
    Narrow,
    Replace,
    SetField,
    Wrap,
    Choose,
    Chain,
    Spread,
    PutLater,
    Hoist,
    TakeOut,
    Name,
    NameArgument,
    SetArgument,
    WrapArgument,
    Prepend,
    DropArgument,
    Empty,
    Rename,
    Fold,
    FoldCall,
]


class At(NamedTuple):
    """An edit and its place: a node of the original, with others that the edit takes along."""

    place: ast.AST
    edit: Edit
    along: tuple[ast.AST, ...] = ()
