"""Pictures of Pillow, and whatever else is saved under the name of a picture.

https://pillow.readthedocs.io/en/stable/reference/Image.html (Image.save)
"""

from __future__ import annotations

import ast

from ..facts import Facts
from ..names import KERAS
from .path_endings import endings

_MAKES_IMAGE = frozenset(
    f"{module}.array_to_img" for module in (KERAS + ".utils", KERAS + ".preprocessing.image")
)
_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp")


def is_saved(facts: Facts, call: ast.Call, receiver: ast.expr) -> bool:
    """Whether `receiver.save(…)` writes a picture: one of Pillow's, or by the name of its file."""
    if is_image(facts, receiver):
        return True
    path = facts.argument(call, "fp", 0)
    found = [*endings(facts, path)] if path is not None else []
    return bool(found) and all(end and end.lower().endswith(_SUFFIXES) for end in found)


def is_image(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value may come from Pillow, perhaps through methods (`image.resize(size)`).

    One origin is enough: `image = array_to_img(image)` was an array before, which has no `save`.
    """
    seen: set[ast.AST] = set()
    queue: list[ast.AST] = [expr]
    while queue:
        node = queue.pop()
        if node in seen:
            continue
        seen.add(node)
        name = facts.name(node.func) if isinstance(node, ast.Call) else None
        if name is not None and (name.startswith("PIL.") or name in _MAKES_IMAGE):
            return True
        if not isinstance(node, ast.Call) or facts.callee(node) is not None:
            queue += facts.origins(node).nodes
        elif name is None and isinstance(node.func, ast.Attribute):
            queue.append(node.func.value)
    return False
