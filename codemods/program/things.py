"""Things that decide where values go: functions, classes, instances, containers, library names."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import Union

from .sources import AnyFunction, Source

Key = Union[int, str]
Argument = tuple[int, bool]  # a node; whether a star stands before it
LEFT = "left"  # what a row of stores says of one that it knows nothing of


class Thing:
    """Something whose structure matters for the flow; compared by identity."""


class Library(Thing):
    """A thing outside of the project, by its full dotted name."""

    def __init__(self, name: str) -> None:
        self.name = name


class Module(Thing):
    """A module of the project."""

    def __init__(self, source: Source) -> None:
        self.source = source


class Box(Thing):
    """A container: `fields` at known keys, `rest` at keys that nobody knows, `all` to read any."""

    def __init__(
        self,
        origin: Hashable,
        kind: str,
        rest: int,
        all: int,
        size: int,
        length: int | None = None,
        keys: int | None = None,
    ) -> None:
        self.origin = origin
        self.kind = kind  # list, tuple, set, dict, record (keys are attributes), generator
        self.rest = rest
        self.all = all
        self.length = length
        self.size = size  # what decides how many elements there are
        self.keys = keys  # of a dictionary: what it is gone through by
        self.fields: dict[Key, int] = {}
        self.read: set[Key] = set()
        self.parents: list[Box] = []
        self.hidden: frozenset[Key] = frozenset()  # keys at which it has nothing of the parents
        self.methods: dict[str, Method] = {}


class Method(Thing):
    """A method of a container."""

    def __init__(self, box: Box, name: str) -> None:
        self.box = box
        self.name = name


class Cell(Thing):
    """An object of a library that holds one value, the node `place`."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.keeping = Keeping(place)


class Keeping(Thing):
    """A method of a cell that puts its argument in."""

    def __init__(self, place: int) -> None:
        self.place = place


class Class(Thing):
    """A class of the project; `this` stands for an instance of it or of any subclass."""

    def __init__(
        self,
        node: ast.ClassDef,
        source: Source,
        bases: list[int],
    ) -> None:
        self.node = node
        self.source = source
        self.bases = bases
        self.fields: list[str] = []
        self.subclasses: dict[Class, None] = {}
        self.downs: dict[tuple[str, str], int] = {}
        self.supers: dict[str, int] = {}
        self.is_given_away = False
        self.this = Instance(self, is_exact=False)
        self.instance = Instance(self, is_exact=True)


class Instance(Thing):
    """An instance of a class of the project: exactly of it, or `self` (of any subclass)."""

    def __init__(self, cls: Class, is_exact: bool) -> None:
        self.cls = cls
        self.is_exact = is_exact


class Super(Thing):
    """What `super()` gives in a method of the class."""

    def __init__(self, cls: Class) -> None:
        self.cls = cls


class Function(Thing):
    """A function, method or lambda of the project."""

    def __init__(
        self,
        node: AnyFunction,
        source: Source,
        kind: str = "plain",
        cls: Class | None = None,
    ) -> None:
        self.node = node
        self.source = source
        self.kind = kind  # plain, property, setter, static, class
        self.cls = cls
        self.defaults: dict[str, int] = {}
        self.vararg: Box | None = None
        self.kwarg: Box | None = None
        self.yields: Box | None = None
        self.coroutine: Box | None = None
        self.bound: dict[Thing | None, Bound] = {}
        self.calls: dict[tuple[object, ...], ast.AST | None] = {}
        self.is_given_away = False  # code outside of the project may call it
        self.is_started = False  # code outside of the project calls it once, with options


class Bound(Thing):
    """A function whose first parameter has its argument."""

    def __init__(self, function: Function, receiver: Thing | None) -> None:
        self.function = function
        self.receiver = receiver


class Partial(Thing):
    """A callable with some of its arguments."""

    def __init__(self, func: int, args: list[Argument], keywords: dict[str | None, int]) -> None:
        self.func = func
        self.args = args
        self.keywords = keywords


class Record(Thing):
    """A named tuple's class."""

    def __init__(self, fields: list[str], defaults: dict[str, int] | None = None) -> None:
        self.fields = fields
        self.defaults = defaults or {}


OPAQUE = Thing()  # a value without structure
UNKNOWN = Thing()  # any value
WRAPPER = Thing()  # a callable that gives back what it is called with
