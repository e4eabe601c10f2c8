"""Reading, writing and calling classes of the project, their instances and `super()`."""

from __future__ import annotations

import ast

from .attribute_stores import call_method
from .classes import Classes
from .core import AWAIT, NEXT, Core, Load
from .edges import Edge
from .origins import Call, Kind, Origin
from .records import NamedTuple
from .things import UNKNOWN, Bound, Class, Function, Instance, Super, Thing
from .versions import EACH, ENTER

_PROTOCOLS = {EACH: "__iter__", NEXT: "__next__", ENTER: "__enter__", AWAIT: "__await__"}


class _Absence(NamedTuple):
    """An attribute to which a class of the project may give nothing."""

    load: Load
    cls: Class


class Instances:
    """The rows of instances, classes and `super()`."""

    def __init__(self, core: Core, classes: Classes) -> None:
        self._core, self._classes = core, classes
        self._absent: list[_Absence] = []
        core.loads.update({Instance: self.load, Class: self.load_class, Super: self.load_super})
        core.calls[Instance] = self.call
        core.escapes.update({Instance: self.escape, Class: self.escape})

    # --- reading
    def load(self, thing: Instance, load: Load) -> None:
        """Read an attribute, an item, an element."""
        step = load.step
        if isinstance(step, tuple) and step[0] == ".":
            self._attribute(thing, step[1], load)
        else:
            self._protocol(thing, load)

    def _attribute(self, thing: Instance, name: str, load: Load) -> None:
        core, classes, cls = self._core, self._classes, thing.cls
        self._absent.append(_Absence(load, cls))
        core.edge(classes.fields(cls, name), load.target, Edge.ATTRIBUTE)
        self._from_body(classes.body(cls, name), thing, load.target)
        if not thing.is_exact:
            core.edge(classes.down(cls, "field", name), load.target, Edge.ATTRIBUTE)
            self._from_body(classes.down(cls, "body", name), thing, load.target)
        for hook in ("__getattribute__", "__getattr__"):
            if not name.startswith("__"):
                core.watch(classes.body(cls, hook), self._hook, load.target)

    def _hook(self, thing: Thing, target: int) -> None:
        """A class that computes its attributes."""
        if isinstance(thing, Function):
            self._core.edge(self._core.result(thing), target, Edge.RETURN)

    def _from_body(self, view: int, receiver: Thing, target: int) -> None:
        """Let what a body binds flow to a node, as it is when it is read through an instance."""
        self._core.note(view, target, Edge.ATTRIBUTE)
        self._core.watch(view, self._bind, receiver, target)

    def _bind(self, thing: Thing, receiver: Thing, target: int) -> None:
        core = self._core
        if isinstance(thing, Function):
            if thing.kind == "property":
                core.edge(core.result(thing), target, Edge.RETURN)
                thing.calls.setdefault((target, 1), None)
            elif thing.kind == "static":
                core.add(target, thing)
            elif thing.kind != "setter":
                core.add(target, bound(thing, _first_argument(thing, receiver)))
        elif isinstance(thing, Instance):
            self._descriptor(thing, target)
        else:
            core.add(target, thing)

    def _descriptor(self, thing: Instance, target: int) -> None:
        self._core.add(target, thing)
        self._core.watch(self._classes.body(thing.cls, "__get__"), self._hook, target)

    def _protocol(self, thing: Instance, load: Load) -> None:
        """`for`, `with`, `next()` and items call a method."""
        core, step = self._core, load.step
        name = _PROTOCOLS.get(step, "__getitem__") if isinstance(step, str) else "__getitem__"
        name = "__iter__" if isinstance(step, int) else name
        inner = core.place(("called", load.target, name))
        node = core.keys[load.target]
        args = [(core.node(node.slice), False)] if isinstance(node, ast.Subscript) else []
        call_method(core, load.base, name, args, inner)
        if name == "__iter__":
            core.load(inner, NEXT, load.target)
        else:
            core.edge(inner, load.target, Edge.RETURN)

    def load_class(self, cls: Class, load: Load) -> None:
        """Read an attribute of a class."""
        core, step = self._core, load.step
        if not (isinstance(step, tuple) and step[0] == "."):
            core.member(load)
            return
        self._absent.append(_Absence(load, cls))
        core.edge(self._classes.fields(cls, step[1]), load.target, Edge.ATTRIBUTE)
        view = self._classes.body(cls, step[1])
        core.note(view, load.target, Edge.ATTRIBUTE)
        core.watch(view, self._bind_class, cls, load.target)

    def _bind_class(self, thing: Thing, cls: Class, target: int) -> None:
        if isinstance(thing, Function) and thing.kind == "class":
            self._core.add(target, bound(thing, cls))
        else:
            self._core.add(target, thing)

    def load_super(self, thing: Super, load: Load) -> None:
        """Read an attribute through `super()`."""
        step = load.step
        if not (isinstance(step, tuple) and step[0] == "."):
            self._core.member(load)
            return
        self._from_body(self._classes.above(thing.cls, step[1]), thing.cls.this, load.target)
        for base in thing.cls.bases or ():
            self._core.watch(base, self._super_of_library, load)

    def _super_of_library(self, base: Thing, load: Load) -> None:
        if base is UNKNOWN:
            self._core.unknown(load.target)
        elif not isinstance(base, Class):
            self._core.create(load.target, Origin(Kind.MEMBER, load.step))

    def settle(self) -> bool:
        """Let attributes that no class gives be members of the outside bases."""
        absent, self._absent = self._absent, []
        core = self._core
        for load, cls in absent:
            if not core.things[load.target]:
                operands = [("base", self._classes.libraries(cls))]
                core.create(load.target, Origin(Kind.MEMBER, load.step, operands=operands))
        return bool(absent)

    # --- calling and giving away
    def call(self, thing: Instance, call: Call) -> None:
        """Call an instance."""
        if call.is_endless(thing):
            self._core.call_thing(UNKNOWN, call)
            return
        found = self._core.load(call.func, (".", "__call__"))
        again = call.again(call.result, found, through=thing)
        self._core.watch(found, self._call_method, again)

    def _call_method(self, thing: Thing, call: Call) -> None:
        self._core.call_thing(thing, call)

    def escape(self, thing: Thing, may_change: bool) -> None:
        """Outside code that gets an instance may store anything in it and call its methods."""
        cls = thing if isinstance(thing, Class) else getattr(thing, "cls", None)
        if cls is not None and may_change and not cls.is_given_away:
            cls.is_given_away = True
            self._core.unknown(self._classes.any_name(cls))


def bound(function: Function, receiver: Thing | None) -> Bound:
    """The function with its first argument; one for each receiver."""
    if receiver not in function.bound:
        function.bound[receiver] = Bound(function, receiver)
    return function.bound[receiver]


def _first_argument(function: Function, receiver: Thing) -> Thing | None:
    """What a method's first parameter gets beside what its class puts there."""
    if function.kind == "class":
        return receiver.cls if isinstance(receiver, Instance) else receiver
    return None if function.cls is not None else receiver
