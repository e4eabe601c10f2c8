"""What is asked of each file of a project, often a whole one: what it imports, if it is started."""

from __future__ import annotations

import ast
import re

from ..model import SyntaxProblem
from ..program.node_fields import within
from ..program.records import NamedTuple
from ..syntax.line_ends import BOM
from ..syntax.source import parse_module
from .paths import places

# Calls of a module that sets itself up: settings, loggers, flags.
_QUIET = re.compile(
    r"(?:logging|warnings|sys|os|matplotlib|plt|mpl|np|numpy|random|tf|absl|K|keras|sns|\w*flags|\w*parser"
    r"|\w*log\w*)\.|get_logger|load_dotenv|register",
    re.IGNORECASE,
)
_BLOCKS = (ast.For, ast.While, ast.With, ast.If, ast.Try)


class Outline(NamedTuple):
    """Where the modules that it imports may stand, and whether it does something when started."""

    wanted: tuple[str, ...]
    is_entry: bool
    is_script: bool  # whether somebody starts it, not only a module that sets itself up


def outline(entry: str, path: str, text: str) -> Outline:
    """The outline of a file as seen from an entry; of what can't be parsed, that of nothing."""
    try:
        tree = parse_module(text.lstrip(BOM))
    except SyntaxProblem:
        return Outline((), False, False)
    nodes = [n for n in within(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]
    is_entry = any(is_main(statement) or _works(statement) for statement in tree.body)
    is_script = any(is_main(statement) or _is_work(statement) for statement in tree.body)
    return Outline(places(entry, path, nodes), is_entry, is_script)


def is_main(statement: ast.stmt) -> bool:
    """Whether it runs only in a module that is started: `if __name__ == "__main__":`."""
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    return any(isinstance(n, ast.Name) and n.id == "__name__" for n in within(statement.test))


def _works(statement: ast.stmt) -> bool:
    is_deep = isinstance(statement, (ast.Expr, ast.Assign, *_BLOCKS))
    return is_deep and any(isinstance(node, ast.Call) for node in within(statement))


def _is_work(statement: ast.stmt) -> bool:
    """Whether a statement does what only a program that is started does: `print(…)`, loops."""
    if not isinstance(statement, (ast.Expr, *_BLOCKS)):
        return False
    calls = [node for node in within(statement) if isinstance(node, ast.Call)]
    return any(_QUIET.match(ast.unparse(call.func)) is None for call in calls)
