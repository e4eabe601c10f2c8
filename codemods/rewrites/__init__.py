"""One module per rewrite; they are applied in the order of their codes."""

from __future__ import annotations

from functools import cache

from ..applying.discovery import load, modules
from ._rewrite import REGISTRY, Query, Rewrite, rewrite

__all__ = ["Query", "Rewrite", "all", "rewrite"]


@cache
def all(but: frozenset[str] = frozenset()) -> tuple[Rewrite, ...]:
    """Every rewrite there is, ordered by code; those with the codes `but` are not loaded."""
    codes = {name: name.partition("_")[0].upper() for name in modules(__path__)}
    load(__name__, (name for name, code in codes.items() if code[1:].isdigit() and code not in but))
    return tuple(REGISTRY[code] for code in sorted(REGISTRY.keys() - but))
