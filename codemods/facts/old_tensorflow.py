"""Whether a program is visibly one of TensorFlow 1, which TensorFlow 2 could not even begin."""

from __future__ import annotations

import ast

from ..library.old_members import gone
from .facts import Facts, recorded


@recorded
def first_removed_api(facts: Facts) -> ast.Attribute | None:
    """The first place in the text that names what TensorFlow 2 lacks."""
    names = (node for node in facts.index.nodes(ast.Attribute) if gone(facts.name(node) or ""))
    return min(names, key=lambda node: (node.lineno, node.col_offset), default=None)
