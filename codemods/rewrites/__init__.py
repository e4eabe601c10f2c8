"""One module per rewrite; they are applied in the order of their codes."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from ._rewrite import REGISTRY, Query, Rewrite, rewrite

__all__ = ["Query", "Rewrite", "all", "rewrite"]


@cache
def all() -> tuple[Rewrite, ...]:
    """Every rewrite there is, ordered by code."""
    for module in pkgutil.iter_modules(__path__):
        if module.name.startswith("d") and module.name[1:4].isdigit():
            import_module(f"{__name__}.{module.name}")
    return tuple(REGISTRY[code] for code in sorted(REGISTRY))
