"""Every edit there is, with the concrete tree that it works on; rules come here by `edits`."""

from __future__ import annotations

from ._arguments import argument, arguments, keyword, parentheses, set_argument
from ._callbacks import keep_for_rank_zero, set_callbacks
from ._choice import choose
from ._cuts import broken, cut_pipeline
from ._dedent import leave_block
from ._expressions import expression, floor_div, quote, replace_expression, times, wrap
from ._guards import guard
from ._hoist import hoist
from ._imports import drop_names, insert
from ._layout import newline, root
from ._optimizers import name_before, rebind, wrapping
from ._quiet import quiet
from ._statements import insert_after, insert_at_top, insert_before, remove_statement
from ._width import fold, fold_around

__all__ = [
    "argument",
    "arguments",
    "broken",
    "choose",
    "cut_pipeline",
    "drop_names",
    "expression",
    "floor_div",
    "fold",
    "fold_around",
    "guard",
    "hoist",
    "insert",
    "insert_after",
    "insert_at_top",
    "insert_before",
    "keep_for_rank_zero",
    "keyword",
    "leave_block",
    "name_before",
    "newline",
    "parentheses",
    "quiet",
    "quote",
    "rebind",
    "remove_statement",
    "replace_expression",
    "root",
    "set_argument",
    "set_callbacks",
    "times",
    "wrap",
    "wrapping",
]
