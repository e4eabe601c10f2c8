"""`NamedTuple` for the engine's records: typing's own to a type checker, quick to make at run time.

typing compiles the type of every field when the class is made, and collections the text of a
constructor: for the hundred records that a hook waits for, that is a tenth of its time. Here all
records of as many fields have the constructor of one named tuple, each with the names of its own.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class _Record(tuple):
        """What named tuples can do, whatever their fields are called."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, **changes):
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self))

        def __repr__(self):
            values = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({values})"

        def __getnewargs__(self):
            return tuple(self)

        __replace__ = _replace

    @cache
    def _shape(length: int) -> type:
        """A named tuple of that many fields, which lends what is the same for all of them."""
        return namedtuple("_shape", [f"field{number}" for number in range(length)])

    def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[object, ...]):
        lent = _shape(len(fields)).__new__
        code = lent.__code__.replace(co_varnames=("_cls", *fields))
        made = FunctionType(code, lent.__globals__, "__new__", defaults)
        made.__qualname__ = f"{name}.__new__"
        return made

    class _Made(type):
        """Makes a named tuple of the fields that a class statement annotates, in their order."""

        def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            fields = tuple(space.get("__annotations__", {}))
            defaults = {field: space.pop(field) for field in fields if field in space}
            shape = _shape(len(fields))
            own = {field: shape.__dict__[lent] for field, lent in zip(fields, shape._fields)}
            own["__new__"] = _constructor(name, fields, tuple(defaults.values()))
            own.update(_fields=fields, __match_args__=fields, _field_defaults=defaults)
            return type(name, (_Record,), {"__slots__": (), **own, **space})

    NamedTuple = type.__new__(_Made, "NamedTuple", (), {})
