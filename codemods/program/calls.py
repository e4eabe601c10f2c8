"""Calling functions and classes of the project, partial calls, and what leaves the project."""

from __future__ import annotations

import ast

from .boxes import box, part
from .classes import Classes
from .core import Core
from .edges import Edge
from .openings import call_from_elsewhere, option_of, starts
from .origins import Call, Kind, Label, Origin
from .parts import parameters
from .passing import pass_arguments
from .things import (
    OPAQUE,
    UNKNOWN,
    WRAPPER,
    Bound,
    Class,
    Function,
    Partial,
    Record,
    Thing,
)
from .versions import EACH


class Calls:
    """The rows of what can be called."""

    def __init__(self, core: Core, classes: Classes) -> None:
        self._core, self._classes = core, classes
        core.calls.update(
            {
                Function: self.function,
                Bound: self.bound,
                Class: self.construct,
                Record: self.record,
                Partial: self.partial,
                Thing: self.thing,
            }
        )

    def function(self, function: Function, call: Call) -> None:
        """Call a function as it stands."""
        self._pass(function, call, 1 if function.kind == "class" else 0)

    def bound(self, thing: Bound, call: Call) -> None:
        """Call a method of an instance or a class."""
        first = parameters(thing.function.node)[:1]
        if thing.receiver is not None and first:
            self._core.hold(self._core.node(first[0]), thing.receiver)
        self._pass(thing.function, call, 1)

    def _pass(self, function: Function, call: Call, skip: int) -> None:
        core = self._core
        key = (call.result, skip, *call.through)  # two partials have arguments of their own
        if key in function.calls:
            return
        function.calls[key] = call.node
        core.edge(core.result(function), call.result, Edge.RETURN)
        pass_arguments(core, function, call, skip)
        entry = core.place((function, "entry"))
        core.decide(call.conditions, entry)
        if call.source is not function.source:
            call_from_elsewhere(core, function)

    def construct(self, cls: Class, call: Call) -> None:
        """Make an instance of a class."""
        core = self._core
        operands = [("base", self._classes.libraries(cls))]
        origin = Origin(Kind.THING, None, call.node, operands, cls.instance)
        core.hold(call.result, cls.instance, origin)
        silent = core.place(("init", call.result))
        again = call.again(silent, call.func)
        core.watch(self._classes.body(cls, "__init__"), self._method, again)
        core.watch(self._classes.body(cls, "__new__"), self._method, call)
        if cls.fields:
            after = call.again(core.place(("post", call.result)), call.func, [], {})
            core.watch(self._classes.body(cls, "__post_init__"), self._method, after)
            core.later(self._fields, cls, call)
        if any(k.arg == "metaclass" for k in cls.node.keywords):
            core.unknown(call.result)

    def _method(self, thing: Thing, call: Call) -> None:
        if isinstance(thing, Function):
            self._pass(thing, call, 1)
        elif thing is UNKNOWN:
            self.thing(thing, call)

    def _fields(self, cls: Class, call: Call) -> None:
        """The arguments of a data class that has no `__init__` of its own."""
        names = [name for each in reversed(self._lineage(cls)) for name in each.fields]
        for number, name in enumerate(dict.fromkeys(names)):
            argument = call.argument(number, name)
            if argument is not None:
                place = self._classes.field(cls, name)
                self._core.put(argument, place, Edge.PARAMETER, call.conditions)
        if any(star for _, star in call.args) or None in call.keywords:
            self._core.unknown(self._classes.any_name(cls))

    def _lineage(self, cls: Class) -> list[Class]:
        """The class and its first bases."""
        found = [cls]
        while True:
            bases = [t for n in found[-1].bases for t in self._core.things[n]]
            further = [t for t in bases if isinstance(t, Class) and t.fields and t not in found]
            if not further:
                return found
            found += further[:1]

    def record(self, thing: Record, call: Call) -> None:
        """Make a named tuple."""
        core = self._core
        made = box(core, ("record", call.result, thing), "record", len(thing.fields))
        for number, name in enumerate(thing.fields):
            argument = call.argument(number, name)
            argument = thing.defaults.get(name) if argument is None else argument
            for key in (number, name):
                place = part(core, made, key)
                if argument is None:
                    core.unknown(place)
                else:
                    core.edge(argument, place, Edge.PARAMETER)
        core.hold(call.result, made, Origin(Kind.THING, None, call.node, thing=made))

    def partial(self, thing: Partial, call: Call) -> None:
        """Call with the arguments from before and those of now."""
        if call.is_endless(thing):
            self.thing(UNKNOWN, call)
            return
        args, keywords = [*thing.args, *call.args], {**thing.keywords, **call.keywords}
        again = call.again(call.result, thing.func, args, keywords, thing)
        self._core.watch(thing.func, self._core.call_thing, again)

    def thing(self, thing: Thing, call: Call) -> None:
        """Call an outside thing, or one that nobody knows."""
        core = self._core
        if thing is WRAPPER:
            argument = call.argument(0)
            if argument is None:
                core.unknown(call.result)
            else:
                core.edge(argument, call.result, Edge.ALIAS)
        elif thing is UNKNOWN:
            origin = Origin(Kind.UNKNOWN, None, call.node, operands_of(core, call))
            core.create(call.result, origin, UNKNOWN)
            _keep(core, call)
            _hand_over(core, call, True)
        else:
            name = option_of(core, call)
            if name is None:
                outside(core, call, None)
            else:
                outside(core, call, name, gives_away=False)
                starts(core, call, name)


def _keep(core: Core, call: Call) -> None:
    """Note what an object of outside code is given to keep."""
    func = getattr(call.node, "func", None)
    if isinstance(func, ast.Attribute) and core.questions.keeps("." + func.attr):
        base = core.node(func.value)
        core.puts += [(base, value, call.conditions) for value in call.values()]


def operands_of(core: Core, call: Call) -> list[tuple[Label, int]]:
    """The function of a call, its receiver and its arguments."""
    operands: list[tuple[Label, int]] = [("func", call.func)]
    node = call.node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        operands.append(("receiver", core.node(node.func.value)))
    operands += [(number, n) for number, (n, _) in enumerate(call.args)]
    return [*operands, *call.keywords.items()]


def outside(
    core: Core,
    call: Call,
    name: str | None,
    thing: Thing = OPAQUE,
    gives_away: bool = True,
) -> None:
    """Let a node be what a call of an outside thing gives; hand the arguments over."""
    core.create(call.result, Origin(Kind.CALL, name, call.node, operands_of(core, call)), thing)
    _keep(core, call)
    if not gives_away:
        return
    may_change = name is not None and not core.questions.leaves_alone(name)
    _hand_over(core, call, may_change)


def _hand_over(core: Core, call: Call, may_change: bool) -> None:
    """Let outside code have the arguments; of `*a` and `**a` it gets what they hold, not them."""
    for value, star in call.args:
        core.hand_out(core.load(value, EACH) if star else value, may_change)
    for name, value in call.keywords.items():
        core.hand_out(core.load(value, ("[", None)) if name is None else value, may_change)
