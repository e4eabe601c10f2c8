"""How the statements of files come to stand in one program."""

from __future__ import annotations

import ast

from ..program.node_fields import within
from .files import DEFINITIONS, File
from .outline import is_main
from .picks import replace
from .references import References


def behind_imports(tree: ast.Module) -> int:
    """The number of the statement before which the other modules run: behind the last import.

    The one before it ends on a line of its own. GPUs may be chosen between imports, as D102 does.
    """
    found = 0
    for number, statement in enumerate(tree.body):
        is_loop = isinstance(statement, (ast.For, ast.While)) and not _is_of_devices(statement)
        if is_loop or isinstance(statement, DEFINITIONS) or is_main(statement):
            break
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            found = number + 1
    while 0 < found < len(tree.body) and tree.body[found].lineno == tree.body[found - 1].end_lineno:
        found += 1
    return found


def _is_of_devices(statement: ast.stmt) -> bool:
    """`for gpu in gpus:` with nothing in it but how their memory is taken."""
    calls = [node.func for node in within(statement) if isinstance(node, ast.Call)]
    return bool(calls) and all(getattr(f, "attr", "") == "set_memory_growth" for f in calls)


def drop_imports(file: File, references: References) -> None:
    """Leave of the imports what somebody needs by its own name; an empty one keeps its place."""
    for node in file.imports:
        kept = [alias for alias in node.names if not references.is_needless(file, node, alias)]
        if kept or not node.names:
            file.change(node, "names", kept)
            continue
        name = getattr(node, "module", None) or node.names[0].name
        empty = ast.ImportFrom(name, [], getattr(node, "level", 0))
        replace(file, node, ast.copy_location(empty, node))
