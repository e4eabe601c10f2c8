"""The nodes that everyone edits are fissix's own; here they get their names."""

from __future__ import annotations

from typing import Any, Union

from fissix.pytree import Leaf, Node

__all__ = ["LN", "Capture", "Leaf", "Node"]

LN = Union[Node, Leaf]
Capture = dict[str, Any]  # what a Bowler pattern caught, by name
