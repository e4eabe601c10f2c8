"""Attributes that objects hold by their names: who has a say in which object it is.

What else an object was given says nothing about them: `self.net` is made of `net` alone, and so is
`checkpoint.net` of `tf.train.Checkpoint(net=net, step=step)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .core import Core
from .edges import VALUE, Edge
from .things import Box, Class, Instance, Thing

WHICH = "which object"  # with a node, the key of what says which object comes to it
_MADE = (VALUE | Edge.COMPUTED)._value_


class HeldAttributes:
    """Those of one program."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def calls_one(self, key: object) -> bool:
        """`self.net(x)`: what holds the function has no say in what that gives."""
        func = key.func if isinstance(key, ast.Call) else None
        return isinstance(func, ast.Attribute) and self.is_one(func)

    def is_one(self, key: ast.Attribute) -> bool:
        """Whether objects hold it by its name: no matter what else these were given."""
        things = self._core.things[self._core.node(key.value)]
        is_found = not self._core.origins[self._core.node(key)]
        return is_found and bool(things) and all(self._holds(each, key) for each in things)

    def _holds(self, thing: Thing, key: ast.Attribute) -> bool:
        is_there = _is_kept(thing) and key.attr in thing.fields  # type: ignore[attr-defined]
        return is_there or isinstance(thing, Instance)

    def which(self, n: int) -> Iterator[int]:
        """What says which object it is that comes to a node, as far as that is simply told."""
        core, key = self._core, self._core.keys[n]
        if isinstance(key, ast.Attribute) and self.is_one(key):
            yield core.node((WHICH, core.node(key.value)))
        elif isinstance(key, ast.Call) and self._makes_object(key):
            yield core.node(key.func)
            return
        elif core.origins[n] or (isinstance(key, ast.expr) and not isinstance(key, ast.Name)):
            yield n
            return
        for label, m in core.sources[n]:
            if label & _MADE:
                yield core.node((WHICH, m)) if label & VALUE._value_ else m

    def _makes_object(self, call: ast.Call) -> bool:
        things, n = self._core.things[self._core.node(call.func)], self._core.node(call)
        is_kept = any(_is_kept(each) and n in each.origin for each in self._core.things[n])  # type: ignore[attr-defined]
        return is_kept or (bool(things) and all(isinstance(each, Class) for each in things))


def _is_kept(thing: Thing) -> bool:
    """Whether it keeps by name what a call of outside code was given by name."""
    is_record = isinstance(thing, Box) and thing.kind == "record"
    return is_record and isinstance(thing.origin, tuple)  # type: ignore[attr-defined]
