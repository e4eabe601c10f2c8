"""Where the loop around a training step may end early: `if …: break` of the user's program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Union

from . import _source_lines as program

Loop = Union[ast.For, ast.While]
_OWN = (ast.For, ast.While, ast.FunctionDef, ast.ClassDef, ast.Lambda)  # what has exits of its own


class Exit(NamedTuple):
    """The place of a condition that ends a loop; `inner`: the one whose turns are the steps."""

    where: str
    inner: bool


def early_exit(root: Path, where: str | None) -> Exit | None:
    """The first exit from a loop around the step at `where`, the innermost loop first.

    None also where a loop begins at a number that is known at run time only, as after a resume.
    """
    at = program.place(where)
    code = program.tree(root, at.file) if at else None
    loops = [] if code is None or at is None else list(_around(code, at.line))
    if at is None or any(map(_begins_anywhere, loops)):
        return None
    for depth, loop in enumerate(reversed(loops)):
        for found in _exits(loop.body):
            return Exit(f"{at.file}:{found.lineno}", depth == 0)
    return None


def _around(code: ast.Module, line: int) -> Iterator[Loop]:
    """The loops that hold a line, the outermost first; or those that call its function."""
    nodes = list(ast.walk(code))
    loops = [node for node in nodes if isinstance(node, (ast.For, ast.While))]
    holding = [loop for loop in loops if _holds(loop, line)]
    if holding:
        yield from holding
        return
    functions = [n.name for n in nodes if isinstance(n, ast.FunctionDef) and _holds(n, line)]
    yield from (loop for loop in loops if functions and _calls(loop, functions[-1]))


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _calls(loop: Loop, name: str) -> bool:
    calls = (node.func for node in ast.walk(loop) if isinstance(node, ast.Call))
    return any(getattr(f, "attr", getattr(f, "id", "")) == name for f in calls)


def _begins_anywhere(loop: Loop) -> bool:
    """`range(start, end)` with a start that is no number in the text."""
    given = getattr(getattr(loop, "iter", None), "args", [])
    return len(given) > 1 and _is_range(loop) and not isinstance(given[0], ast.Constant)


def _is_range(loop: Loop) -> bool:
    called = getattr(getattr(loop, "iter", None), "func", None)
    return getattr(called, "id", "") == "range"


def _exits(body: list[ast.stmt]) -> Iterator[ast.If]:
    """The conditions below which a `break` or `return` leaves the loop of that body."""
    for node in body:
        if isinstance(node, ast.If) and _leaves([*node.body, *node.orelse]):
            yield node
        elif not isinstance(node, _OWN):
            yield from _exits(_statements(node))


def _leaves(body: list[ast.stmt]) -> bool:
    for node in body:
        if isinstance(node, (ast.Break, ast.Return)):
            return True
        if not isinstance(node, _OWN) and _leaves(_statements(node)):
            return True
    return False


def _statements(node: ast.stmt) -> list[ast.stmt]:
    return [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
