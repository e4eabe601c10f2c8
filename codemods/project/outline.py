"""What runs only in a file that is started, and whether anything does."""

from __future__ import annotations

import ast
import re

from ..program.node_fields import within

# Calls of a module that sets itself up: settings, loggers, flags.
_QUIET = re.compile(
    r"(?:logging|warnings|sys|os|matplotlib|plt|mpl|np|numpy|random|tf|absl|K|keras|sns|\w*flags|\w*parser"
    r"|\w*log\w*)\.|get_logger|load_dotenv|register",
    re.IGNORECASE,
)
_BLOCKS = (ast.For, ast.While, ast.With, ast.If, ast.Try)


def starts_something(tree: ast.Module) -> bool:
    """Whether a file does something when it is started."""
    return any(is_main(statement) or _works(statement) for statement in tree.body)


def is_started(tree: ast.Module) -> bool:
    """Whether somebody starts a file: a module that only sets itself up is not."""
    return any(is_main(statement) or _is_work(statement) for statement in tree.body)


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
