"""The concrete tree: fissix taught the grammar of Python 3.9 to 3.13.

What needs fissix is imported when it is first asked for: most files are left alone, and reading
them needs `Source` only.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .source import Source, Span, Unmade

if TYPE_CHECKING:
    from .parser import parse
    from .positions import resolve
    from .tree import LN, Capture, Leaf, Node, syms, token

__all__ = [
    "LN",
    "Capture",
    "Leaf",
    "Node",
    "Source",
    "Span",
    "Unmade",
    "parse",
    "resolve",
    "syms",
    "token",
]

_HOMES = {"parse": "parser", "resolve": "positions"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module(f"{__name__}.uncached").take_no_cache_for_granted()
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'tree')}"), name)
