"""Writing into instances and classes of the project."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .classes import Classes
from .core import Core, Store
from .edges import Edge
from .keys import constant_key
from .origins import Call, Step
from .things import Argument, Class, Function, Instance, Thing


class AttributeStores:
    """The rows of `o.name = value`, `setattr`, `o[key] = value`."""

    def __init__(self, core: Core, classes: Classes) -> None:
        self._core, self._classes = core, classes
        core.stores.update({Instance: self.store, Class: self.store})

    def store(self, thing: Thing, store: Store) -> None:
        """Put a value into an instance or a class."""
        cls = thing if isinstance(thing, Class) else getattr(thing, "cls", None)
        assert cls is not None
        core, step, value = self._core, store.step, store.value
        if step[0] != ".":
            self._set_item(thing, store)
            return
        if step[1] is None:
            place = self._classes.any_name(cls)
        elif isinstance(thing, Class):
            place = self._classes.patched(cls, step[1])
        else:
            place = self._classes.field(cls, step[1])
        core.put(value, place, Edge.STORED, store.conditions)
        self._set_property(thing, step[1], store)

    def _set_item(self, thing: Thing, store: Store) -> None:
        if not isinstance(thing, Instance):
            return
        core = self._core
        base = core.place(("holder", thing))
        core.add(base, thing)
        key = core.place(("key", store.value))
        core.unknown(key)
        result = core.place(("set item", store.value))
        args = [(key, False), (store.value, False)]
        call_method(core, base, "__setitem__", args, result, store.conditions)

    def _set_property(self, thing: Thing, name: str | None, store: Store) -> None:
        """`o.x = v` calls the setter of a property, or `__setattr__`."""
        if not isinstance(thing, Instance) or name is None:
            return
        for hook in (name, "__setattr__"):
            view = self._classes.body(thing.cls, hook)
            self._core.watch(view, self._setter, hook, store)

    def _setter(self, thing: Thing, hook: str, store: Store) -> None:
        if not isinstance(thing, Function):
            return
        if thing.kind == "setter" or hook == "__setattr__":
            last = [*thing.node.args.posonlyargs, *thing.node.args.args][-1:]
            for parameter in last:
                self._core.put(
                    store.value, self._core.node(parameter), Edge.PARAMETER, store.conditions
                )


def named(target: ast.Attribute | ast.Subscript) -> Iterator[tuple[ast.expr, Step]]:
    """`self` and the attribute that `self.__dict__["rate"] = 0.1` puts there."""
    holder = _holder(target.value) if isinstance(target, ast.Subscript) else None
    if holder is not None:
        key = constant_key(target.slice)  # type: ignore[union-attr]
        yield holder, (".", key if isinstance(key, str) else None)


def _holder(names: ast.expr) -> ast.expr | None:
    """`self` of `self.__dict__`, and of `vars(self)`."""
    if isinstance(names, ast.Attribute):
        return names.value if names.attr == "__dict__" else None
    is_vars = isinstance(names, ast.Call) and getattr(names.func, "id", "") == "vars"
    return names.args[0] if is_vars and names.args else None  # type: ignore[attr-defined]


def update_attributes(core: Core, node: ast.Call, call: Call) -> None:
    """`self.__dict__.update(values)`: attributes of names that nobody knows."""
    is_update = isinstance(node.func, ast.Attribute) and node.func.attr == "update"
    holder = _holder(node.func.value) if is_update else None  # type: ignore[attr-defined]
    if holder is None:
        return
    for name, value in (*call.keywords.items(), *((None, value) for value, _ in call.args)):
        element = core.load(value, ("[", None)) if name is None else value
        core.store(core.node(holder), Store((".", name), element, call.conditions))


def call_method(
    core: Core,
    base: int,
    name: str,
    args: list[Argument],
    result: int,
    conditions: tuple[int, ...] = (),
) -> None:
    """Call a method as the syntax does."""
    found = core.load(base, (".", name))
    call = Call(result, found, args, {}, conditions=conditions)
    core.watch(found, core.call_thing, call)
