"""What stands at a node: what it computes by itself, and the calls of the program."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import Enum
from typing import Any, Union

from .sources import Source
from .things import Argument, Class, Thing

Label = Union[str, int, None]
Step = Any  # a string, a number (unpacking) or a tuple: what is read of a value


MOST = 8  # partial calls inside of partial calls that are followed


class Kind(Enum):
    """How a node comes by a value of its own."""

    CONSTANT = "constant"
    CALL = "call"  # of something outside of the project
    MEMBER = "member"  # an attribute or element of something outside of the project
    COMPUTED = "computed"  # an operator or another expression; the name says which
    THING = "thing"
    UNKNOWN = "unknown"
    EXCEPTION = "exception"  # whether something was raised


class Origin:
    """What a node computes by itself: its kind, a name (or constant), operands, the thing."""

    __slots__ = ("kind", "name", "node", "operands", "thing")

    def __init__(
        self,
        kind: Kind,
        name: Any = None,
        node: ast.AST | None = None,
        operands: Sequence[tuple[Label, int]] = (),
        thing: Thing | None = None,
    ) -> None:
        self.kind, self.name, self.node = kind, name, node
        self.operands, self.thing = operands, thing


class Call:
    """One call: the nodes of its result, function and arguments, and where it stands.

    `node` is None where the syntax calls by itself (`for`, `with`, operators).
    """

    __slots__ = (
        "args",
        "cls",
        "conditions",
        "func",
        "keywords",
        "node",
        "result",
        "source",
        "through",
    )

    def __init__(
        self,
        result: int,
        func: int,
        args: list[Argument],
        keywords: dict[str | None, int],
        node: ast.AST | None = None,
        source: Source | None = None,
        cls: Class | None = None,
        conditions: tuple[int, ...] = (),
        through: tuple[Thing, ...] = (),
    ) -> None:
        self.result, self.func, self.args, self.keywords = result, func, args, keywords
        self.node, self.source, self.cls, self.conditions = node, source, cls, conditions
        self.through = through

    def again(
        self,
        result: int,
        func: int,
        args: list[Argument] | None = None,
        keywords: dict[str | None, int] | None = None,
        through: Thing | None = None,
    ) -> Call:
        """A call at the same place with other parts, by way of a thing that hands it on."""
        way = self.through if through is None else (*self.through, through)
        args = self.args if args is None else args
        keywords = self.keywords if keywords is None else keywords
        node, source, cls = self.node, self.source, self.cls
        return Call(result, func, args, keywords, node, source, cls, self.conditions, way)

    def argument(self, number: int, name: str | None = None) -> int | None:
        """The node of an argument by keyword or position, if the call has it in plain sight."""
        if name is not None and name in self.keywords:
            return self.keywords[name]
        if number < len(self.args) and not any(star for _, star in self.args[: number + 1]):
            return self.args[number][0]
        return None

    def is_endless(self, thing: Thing) -> bool:
        """Whether the thing has handed on this call before, or too many others have."""
        return thing in self.through or len(self.through) > MOST

    def values(self) -> list[int]:
        """The nodes of all arguments."""
        return [*(n for n, _ in self.args), *self.keywords.values()]
