"""`NamedTuple` for the engine's records: typing's own to a type checker, quick to make at run time.

typing compiles the type of every field when the class is made, which nobody asks for at run time;
for the hundred records that a hook waits for, that is a tenth of its time.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class _Made(type):
        """Makes a named tuple of the fields that a class statement annotates, in their order."""

        def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            fields = space.get("__annotations__", {})
            defaults = [space.pop(field) for field in fields if field in space]
            made = namedtuple(name, fields, defaults=defaults, module=space["__module__"])
            for key, value in space.items():
                if key not in ("__module__", "__qualname__", "__classcell__"):
                    setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_Made, "NamedTuple", (), {})
