"""The nodes that everyone edits are fissix's own; here they get their names."""

from __future__ import annotations

from typing import Any, Union

from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Leaf, Node

__all__ = ["LN", "Capture", "Leaf", "Node", "syms", "token"]

LN = Union[Node, Leaf]
Capture = dict[str, Any]  # what a Bowler pattern caught, by name
