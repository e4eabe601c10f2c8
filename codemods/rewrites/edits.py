"""The edits that rewrites are made of; they keep the bytes around and the layout of the file."""

from __future__ import annotations

from ._arguments import argument, arguments, keyword, parentheses, set_argument
from ._expressions import expression, floor_div, quote, replace_expression, times, wrap
from ._guards import guard
from ._layout import newline, root
from ._statements import (
    insert_after,
    insert_at_top,
    insert_before,
    remove_statement,
)

__all__ = [
    "argument",
    "arguments",
    "expression",
    "floor_div",
    "guard",
    "insert_after",
    "insert_at_top",
    "insert_before",
    "keyword",
    "newline",
    "parentheses",
    "quote",
    "remove_statement",
    "replace_expression",
    "root",
    "set_argument",
    "times",
    "wrap",
]
