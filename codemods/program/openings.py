"""Functions of the project that code outside of it may call."""

from __future__ import annotations

import ast

from .core import Core
from .origins import Call, Kind, Origin
from .parts import parameters
from .things import OPAQUE, Bound, Function, Library


class Openings:
    """The rows of functions that get out of the project."""

    def __init__(self, core: Core) -> None:
        self._core = core
        core.escapes.update({Function: self.escape, Bound: self.escape_bound})
        core.starts[Function] = self.start

    def start(self, function: Function, name: str) -> None:
        """Outside code calls a function once, with the options that it is given."""
        function.is_started = True
        starred = {
            function.node.args.vararg: function.vararg,
            function.node.args.kwarg: function.kwarg,
        }
        for parameter in parameters(function.node):
            rest = starred.get(parameter)
            place = self._core.node(parameter) if rest is None else rest.rest
            self._core.create(place, Origin(Kind.CALL, name, parameter))
        call_from_elsewhere(self._core, function)

    def escape(self, function: Function, may_change: bool) -> None:
        """Outside code may call a function, with anything."""
        self._open(function, 0)

    def escape_bound(self, thing: Bound, may_change: bool) -> None:
        """Outside code may call a method, with anything."""
        self._open(thing.function, 1)

    def _open(self, function: Function, skip: int) -> None:
        if function.is_given_away:
            return
        function.is_given_away = True
        starred = (function.node.args.vararg, function.node.args.kwarg)
        for parameter in parameters(function.node)[skip:]:
            if parameter not in starred:
                self._core.unknown(self._core.node(parameter))
        for rest in (function.vararg, function.kwarg):
            if rest is not None:
                self._core.unknown(rest.rest)
        entry = self._core.place((function, "entry"))
        self._core.unknown(entry)
        call_from_elsewhere(self._core, function)


def call_from_elsewhere(core: Core, function: Function) -> None:
    """Another module calls the function, or code outside of the project."""
    core.add(core.place(("called from elsewhere", function.node)), OPAQUE)


def starts(core: Core, call: Call, name: str) -> None:
    """Let outside code call what it gets once on every worker, with the user's options."""
    for value in call.values():
        core.watch(value, core.start, name)


def option_of(core: Core, call: Call) -> str | None:
    """The name of a decorator by which the function is called with the user's options."""
    node = call.node
    things = core.things[core.node(node.func)] if isinstance(node, ast.Call) else ()
    names = [thing.name for thing in things if isinstance(thing, Library)]
    return next(filter(core.questions.starts, names), None)
