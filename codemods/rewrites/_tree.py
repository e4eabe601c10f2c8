"""The concrete tree as the rewrites see it."""

from __future__ import annotations

import ast
from typing import Any

from fissix import pygram, pytree
from fissix.pgen2 import driver, token
from fissix.pytree import Leaf, Node

syms = pygram.python_symbols
LN = Any
_DRIVER = driver.Driver(pygram.python_grammar_no_print_and_exec_statement, pytree.convert)


def parse_tree(text: str) -> Node:
    """The concrete tree of source lines."""
    return _DRIVER.parse_string(text)


class Source:
    """A text with its concrete tree; resolves nodes of `ast`."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.text = text
        self.module = tree
        unfinished = bool(text) and not text.endswith("\n")
        self.tree = parse_tree(text + "\n" if unfinished else text)
        self._lines = text.split("\n")
        if unfinished:
            leaves = list(self.tree.leaves())
            last = leaves[-1] if leaves[-1].prefix.endswith("\n") else None
            if last is not None:
                last.prefix = last.prefix[:-1]
            else:
                [leaf for leaf in leaves if leaf.type == token.NEWLINE][-1].value = ""
        self._index: dict[tuple[tuple[int, int], tuple[int, int]], LN] = {}
        for node in self.tree.post_order():
            leaves = [leaf for leaf in node.leaves() if leaf.value.strip()]
            if leaves and node.type not in (syms.simple_stmt, syms.file_input):
                first, last = leaves[0], leaves[-1]
                rows = last.value.split("\n")
                row = last.lineno + len(rows) - 1
                column = len(rows[-1]) + (last.column if len(rows) == 1 else 0)
                self._index.setdefault(((first.lineno, first.column), (row, column)), node)

    def resolve(self, node: ast.AST) -> LN:
        """The concrete node that starts and ends where the abstract one does."""
        if isinstance(node, ast.Module):
            return self.tree
        start = (node.lineno, self._column(node.lineno, node.col_offset))  # type: ignore
        end = (node.end_lineno, self._column(node.end_lineno, node.end_col_offset))  # type: ignore
        return self._index[start, end]

    def _column(self, row: int, offset: int) -> int:
        return len(self._lines[row - 1].encode()[:offset].decode())
