"""What is asked of each file of a project, often a whole one: what it imports, if it is started."""

from __future__ import annotations

import ast

from ..model import SyntaxProblem
from ..program.node_fields import within
from ..program.records import NamedTuple
from ..syntax.line_ends import BOM
from ..syntax.source import parse_module
from .paths import places

_BLOCKS = (ast.For, ast.While, ast.With, ast.If, ast.Try)


class Outline(NamedTuple):
    """Where the modules that it imports may stand, and whether it does something when started."""

    wanted: tuple[str, ...]
    is_entry: bool


def outline(entry: str, path: str, text: str) -> Outline:
    """The outline of a file as seen from an entry; of what can't be parsed, that of nothing."""
    try:
        tree = parse_module(text.lstrip(BOM))
    except SyntaxProblem:
        return Outline((), False)
    nodes = [n for n in within(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]
    is_entry = any(is_main(statement) or _works(statement) for statement in tree.body)
    return Outline(places(entry, path, nodes), is_entry)


def is_main(statement: ast.stmt) -> bool:
    """Whether it runs only in a module that is started: `if __name__ == "__main__":`."""
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    return any(isinstance(n, ast.Name) and n.id == "__name__" for n in within(statement.test))


def _works(statement: ast.stmt) -> bool:
    is_deep = isinstance(statement, (ast.Expr, ast.Assign, *_BLOCKS))
    return is_deep and any(isinstance(node, ast.Call) for node in within(statement))
