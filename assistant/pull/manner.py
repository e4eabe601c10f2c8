"""How a kind of forge is spoken to, and what it calls things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Callable

if TYPE_CHECKING:
    from .answer import Answer


@dataclass(frozen=True)
class Manner:
    """What differs from forge to forge on the wire and in words."""

    name: str
    variable: str  # where the address of the API stands
    home: Callable[[str], str]  # a repository's place below that address
    advice: Callable[[Answer, str, str], str]  # what to do about a refusal
    existing: tuple[int, str]  # status and words for what is there already
    headers: Mapping[str, str] = field(default_factory=dict)
