"""What a class gives: by itself, with its bases in Python's order, with its subclasses.

Fields (stored in instances) and bodies (methods and class attributes) are kept apart, since a
function that is found in a body is bound to the instance and one that is stored in it is not.
Fields belong to the class: two instances of one class share them.
"""

from __future__ import annotations

from typing import Union

from .core import Core
from .edges import Edge
from .linearization import Orders, linearized
from .origins import Kind, Origin
from .things import UNKNOWN, Class, Library, Thing
from .variables import Variables

Base = Union[Class, Library]


class Classes:
    """The views of classes. Classes with several bases are joined to them in `settle`."""

    def __init__(self, core: Core, variables: Variables) -> None:
        self._core, self._variables = core, variables
        self._open: list[tuple[Class, str, int]] = []
        self._mixed: list[Class] = []
        self._bases: list[int] = []  # the nodes of those of all classes
        self._order_of: tuple[list[tuple[Thing, ...]], Orders[Base]] = ([], {})

    def declare(self, cls: Class) -> None:
        """Join a class to its bases."""
        self._bases += cls.bases
        for base in cls.bases:
            self._core.watch(base, self._subclass, cls)
        if len(cls.bases) > 1:
            self._mixed.append(cls)

    def _subclass(self, base: Thing, cls: Class) -> None:
        if isinstance(base, Class) and cls not in base.subclasses:
            base.subclasses[cls] = None
            for (kind, name), n in list(base.downs.items()):
                self._link_down(cls, kind, name, n)

    # --- what a class holds by itself
    def in_class(self, cls: Class, name: str) -> int | None:
        """The node of a name that is bound in the body of the class."""
        scope = cls.source.scope(cls.node)
        if name not in scope.bound:
            return None
        return self._variables.version(cls.source, cls.source.every_binding(scope, name))

    def field(self, cls: Class, name: str) -> int:
        """What is stored in the class's instances under a name."""
        n = self._core.ids.get((cls, "field", name))
        if n is None:
            n = self._core.place((cls, "field", name))
            self._core.edge(self.any_name(cls), n, Edge.STORED)
        return n

    def any_name(self, cls: Class) -> int:
        """What is stored in instances, or the class, under a name that nobody knows."""
        return self._core.place((cls, "any name"))

    def patched(self, cls: Class, name: str) -> int:
        """What is stored in the class itself from outside of its body."""
        return self._core.place((cls, "patched", name))

    def _body(self, cls: Class, name: str, n: int) -> bool:
        """Let what the class itself binds flow to a view; False: the bases decide."""
        self._core.edge(self.patched(cls, name), n, Edge.ATTRIBUTE)
        found = self.in_class(cls, name)
        if found is not None:
            self._core.edge(found, n, Edge.ATTRIBUTE)
        return found is not None

    # --- with the bases
    def fields(self, cls: Class, name: str) -> int:
        """What instances of the class hold, also from the code of its bases."""
        n = self._core.ids.get((cls, "fields", name))
        if n is None:
            n = self._core.place((cls, "fields", name))
            self._core.edge(self.field(cls, name), n, Edge.ATTRIBUTE)
            for base in cls.bases:
                self._core.watch(base, self._inherit_field, name, n)
        return n

    def _inherit_field(self, base: Thing, name: str, n: int) -> None:
        if isinstance(base, Class):
            self._core.edge(self.fields(base, name), n, Edge.ATTRIBUTE)
        elif base is UNKNOWN:
            self._core.unknown(n)

    def body(self, cls: Class, name: str) -> int:
        """What the class or the first of its bases that has the name binds to it."""
        n = self._core.ids.get((cls, "body", name))
        if n is None:
            n = self._core.place((cls, "body", name))
            if not self._body(cls, name, n):
                self._from_bases(cls, name, n)
        return n

    def above(self, cls: Class, name: str) -> int:
        """What `super()` in a method of the class finds under a name."""
        n = cls.supers.get(name)
        if n is None:
            n = cls.supers[name] = self._core.place((cls, "above", name))
            self._from_bases(cls, name, n)
        return n

    def _from_bases(self, cls: Class, name: str, n: int) -> None:
        if len(cls.bases) > 1:
            self._open.append((cls, name, n))
        for base in cls.bases[:1] if len(cls.bases) == 1 else ():
            self._core.watch(base, self._inherit, name, n)

    def _inherit(self, base: Thing, name: str, n: int) -> None:
        if isinstance(base, Class):
            self._core.edge(self.body(base, name), n, Edge.ATTRIBUTE)
        elif base is UNKNOWN:
            self._core.unknown(n)

    def settle(self) -> bool:
        """Join what waits for the order of several bases; whether there was anything."""
        waiting, self._open = self._open, []
        orders = self._known_orders()
        for cls, name, n in waiting:
            order = self._order(cls, orders)
            if order is None:  # nobody can say which comes first
                for base in cls.bases:
                    self._core.watch(base, self._inherit, name, n)
            else:
                self._first_of(order[1:], name, n)
        for cls in self._mixed:
            self._beside(self._order(cls, orders) or [])
        return bool(waiting)

    def _order(self, cls: Class, orders: Orders[Base]) -> list[Base] | None:
        return linearized(cls, self._bases_in_order, orders, self._count)

    def _bases_in_order(self, cls: Base) -> list[Base] | None:
        """The bases of a class, if each is known to be one thing."""
        found: list[Base] = []
        for n in cls.bases if isinstance(cls, Class) else ():
            things = list(self._core.things[n])
            if len(things) != 1 or not isinstance(things[0], (Class, Library)):
                return None
            found.append(things[0])
        return found

    def _count(self, steps: int) -> None:
        self._core.steps += steps

    def _known_orders(self) -> Orders[Base]:
        """The orders of classes that were found before, where all bases are still the same."""
        bases = [tuple(self._core.things[n]) for n in self._bases]
        if bases != self._order_of[0]:
            self._order_of = bases, {}
        return self._order_of[1]

    def _first_of(self, order: list[Base], name: str, n: int) -> None:
        for base in order:
            self._core.count()
            if isinstance(base, Library):
                if base.name != "builtins.object":
                    self._core.create(n, Origin(Kind.MEMBER, (".", name)))
            elif self._body(base, name, n):
                return

    def _beside(self, order: list[Base]) -> None:
        """`super()` in a class goes on with the next one in the order of each subclass."""
        for number, cls in enumerate(order):
            if isinstance(cls, Class):
                for name, n in cls.supers.items():
                    self._first_of(order[number + 1 :], name, n)

    # --- with the subclasses: what `self` may be
    def down(self, cls: Class, kind: str, name: str) -> int:
        """What subclasses store ("field") or bind in their bodies ("body")."""
        n = cls.downs.get((kind, name))
        if n is None:
            n = cls.downs[kind, name] = self._core.place((cls, "down", kind, name))
            for sub in cls.subclasses:
                self._link_down(sub, kind, name, n)
        return n

    def _link_down(self, sub: Class, kind: str, name: str, n: int) -> None:
        if kind == "field":
            self._core.edge(self.field(sub, name), n, Edge.ATTRIBUTE)
        else:
            self._body(sub, name, n)
        self._core.later(self._further, sub, kind, name, n)

    def _further(self, sub: Class, kind: str, name: str, n: int) -> None:
        self._core.edge(self.down(sub, kind, name), n, Edge.ATTRIBUTE)

    def libraries(self, cls: Class) -> int:
        """The node of the outside things among the bases."""
        n = self._core.ids.get((cls, "libraries"))
        if n is None:
            n = self._core.place((cls, "libraries"))
            for base in cls.bases:
                self._core.watch(base, self._library, n)
        return n

    def _library(self, base: Thing, n: int) -> None:
        if isinstance(base, Class):
            self._core.edge(self.libraries(base), n, Edge.ALIAS)
        else:
            self._core.hold(n, base)
