"""Keys of containers: which are written out, and which parts they name."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Sequence
from typing import Any

from .core import SLICE, Core
from .edges import Edge
from .origins import Kind, Label, Origin
from .things import Box, Key

SEQUENCES = ("list", "tuple")
KEYED = ("dict", "record")


def constant_key(expr: ast.AST) -> Any:
    """A number or text that is written out, None for everything else."""
    if isinstance(expr, ast.Constant) and isinstance(expr.value, (int, str)):
        return expr.value
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub):
        inner = constant_key(expr.operand)
        return -inner if isinstance(inner, int) else None
    return None


def known_key(owner: Box, key: Any) -> Key | None:
    """The key of a part that can be told apart from the others, None otherwise."""
    if isinstance(key, int) and owner.kind in SEQUENCES:
        number = key + owner.length if key < 0 and owner.length is not None else key
        return number if number >= 0 else None
    if isinstance(key, int) and owner.kind == "record":
        return key
    return key if isinstance(key, (int, str)) and owner.kind in KEYED else None


def known_numbers(owner: Box, what: Any, syntax: Hashable) -> Sequence[int] | None:
    """Which elements a slice or a starred part takes, where that can be told."""
    if owner.length is None or owner.kind not in SEQUENCES:
        return None
    if what != SLICE:
        _, before, behind = what
        return range(before, max(owner.length - behind, before))
    bounds = syntax.slice if isinstance(syntax, ast.Subscript) else None
    if not isinstance(bounds, ast.Slice):
        return None
    written = [part for part in (bounds.lower, bounds.upper, bounds.step) if part is not None]
    if any(not isinstance(constant_key(part), int) for part in written):
        return None
    first, last, step = (
        None if part is None else constant_key(part)
        for part in (bounds.lower, bounds.upper, bounds.step)
    )
    return None if step == 0 else range(owner.length)[first:last:step]


def add_key(core: Core, owner: Box, key: int | None) -> None:
    """Let a dictionary have a key, or those of another one."""
    if owner.keys is not None and key is not None:
        core.edge(key, owner.keys, Edge.ELEMENT)


def key_of(owner: Box, node: ast.AST | None) -> Origin:
    """One of the keys of a dictionary."""
    operands: list[tuple[Label, int]] = [] if owner.keys is None else [("of", owner.keys)]
    return Origin(Kind.COMPUTED, "key", node, operands)


def is_by_default(owner: Box) -> bool:
    """Whether a key is put in by whoever asks for it."""
    return isinstance(owner.origin, tuple) and owner.origin[0] == "default"
