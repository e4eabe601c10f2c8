"""One module per repair of what a restriction finds; they are made in the order of their codes."""

from __future__ import annotations

from functools import cache

from ..applying.discovery import load, modules
from ._repair import REGISTRY, Query, Repair, repair

__all__ = ["Query", "Repair", "all", "repair"]


@cache
def all() -> tuple[Repair, ...]:
    """Every repair there is, ordered by code."""
    load(__name__, modules(__path__))
    return tuple(REGISTRY[code] for code in sorted(REGISTRY))
