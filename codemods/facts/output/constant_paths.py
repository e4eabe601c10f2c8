"""Paths of files, as far as the program spells them out."""

from __future__ import annotations

import ast

from ..facts import Facts
from .opened_files import OPENERS


def path(facts: Facts, call: ast.Call) -> object:
    """The path as a constant: the first argument that is one, or a file that is opened by one."""
    for argument in [*call.args, *(k.value for k in call.keywords)]:
        found = {constant(facts, node) for node in facts.origins(argument).nodes}
        if len(found) == 1 and isinstance(next(iter(found)), str):
            return found.pop()
        if any(isinstance(text, str) for text in found):
            return None
    return None


def constant(facts: Facts, node: ast.AST) -> object:
    """The text that an expression stands for, or the path of a file that is opened there."""
    if isinstance(node, ast.Call) and facts.name(node.func) in OPENERS:
        return path(facts, node)
    return node.value if isinstance(node, ast.Constant) else None


def may_be_same(written: object, read: object, is_folder: bool = False) -> bool:
    """Whether two paths can mean one file, or a file and the folder that it is in."""
    if not isinstance(written, str) or not isinstance(read, str):
        return True
    return written.startswith(read.rstrip("*")) if is_folder else written == read
