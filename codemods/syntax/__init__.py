"""The concrete tree: fissix taught the grammar of Python 3.9 to 3.13."""

from .parser import parse
from .positions import resolve
from .source import Source, Span
from .tree import LN, Capture, Leaf, Node, syms, token

__all__ = ["LN", "Capture", "Leaf", "Node", "Source", "Span", "parse", "resolve", "syms", "token"]
