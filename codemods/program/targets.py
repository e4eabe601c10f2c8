"""What an assignment binds: names, and the parts of tuples and lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from .node_fields import children
from .versions import Path, Version
from .walk import Walk


def bind_target(
    walk: Walk, target: ast.AST, value: ast.AST, path: Path = (), kind: str = "assign"
) -> Iterator[ast.AST]:
    """Bind the names of a target; yields the expressions in it that are to be evaluated first."""
    stack = [(target, path)]
    while stack:
        target, path = stack.pop()
        walk.state.steps += 1
        if isinstance(target, ast.Name):
            walk.bind(target.id, Version(kind, target, value, path))
        elif isinstance(target, (ast.Tuple, ast.List)):
            stack += reversed(list(elements(target.elts, path)))
        elif isinstance(target, ast.Starred):
            stack.append((target.value, path))
        else:
            yield from children(target)
            walk.note(target)
            walk.record.stores.append((target, value, path))


def elements(targets: Sequence[ast.AST], path: Path) -> Iterator[tuple[ast.AST, Path]]:
    """Each target of an unpacking with the path to what it gets.

    The steps are numbers from the start, or from the end (negative) behind a starred one; that gets
    `("rest", number before it, number behind it)`.
    """
    count = len(targets)
    star = next((i for i, t in enumerate(targets) if is_starred(t)), count)
    for i, target in enumerate(targets):
        if i < star:
            yield target, (*path, i)
        elif i == star:
            yield target, (*path, ("rest", star, count - star - 1))
        else:
            yield target, (*path, i - count)


def is_starred(target: ast.AST) -> bool:
    """`*rest` in an assignment or in a pattern."""
    return isinstance(target, ast.Starred) or type(target).__name__ == "MatchStar"
