"""How a path ends, as far as the text shows: `join(folder, "final.h5")`, `f"{folder}/best.h5"`.

The rest of it may be unknown: its ending alone says in which format a model is saved.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...library.file_rows import may_write, says_where
from ...library.files import JOINS, SAME_PATH
from ...library.words import words
from ..facts import Facts

_ENDS_LIKE_LAST = SAME_PATH | JOINS
_METHODS = words("joinpath with_name with_suffix")
_LAST_FIELD = r"(?:\{[^{}]*\}|%(?:\(\w*\))?[-+ #0-9.*]*[a-zA-Z])$"


def says_it_writes(facts: Facts, call: ast.Call) -> bool:
    """Whether outside code says by its name that it writes, and is told where by a text."""
    return told_where(facts, call) is not None


def told_where(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The text by which it is told."""
    name = facts.name(call.func) or ""
    word = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
    given = (*call.args, *(k.value for k in call.keywords)) if may_write(word) else ()
    told = (each for each in given if any(says_where(word, t) for t in _texts(facts, each)))
    return next(told, None)


def _texts(facts: Facts, expr: ast.expr) -> Iterator[str]:
    """How a value ends, if it is a text."""
    for node in facts.origins(expr).nodes:
        is_made = isinstance(node, (ast.JoinedStr, ast.BinOp, ast.Call))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif is_made:
            yield from (end for end in endings(facts, node) if end)


def endings(facts: Facts, path: ast.AST) -> Iterator[str | None]:
    """The last literal of everything that the path can be; None where it shows no suffix."""
    seen: set[ast.AST] = set()
    queue = [path]
    while queue:
        origins = facts.origins(queue.pop())
        if not origins.complete:
            yield None
        for item in origins.items:
            if item.node in seen:
                continue
            seen.add(item.node)
            last = None if item.path else _last(facts, item.node)
            if isinstance(last, ast.expr):
                queue.append(last)
            else:
                yield last if last and "." in last else None


def _last(facts: Facts, node: ast.AST) -> ast.expr | str | None:
    """The text at the end of what the node makes, or the expression that stands there."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        last = node.values[-1] if node.values else None
        return last if isinstance(last, ast.Constant) else None
    if isinstance(node, ast.BinOp):
        is_joined = isinstance(node.op, (ast.Add, ast.Div))
        return node.right if is_joined else _filled_in(node.left)
    return _last_of_call(facts, node) if isinstance(node, ast.Call) else None


def _last_of_call(facts: Facts, call: ast.Call) -> ast.expr | str | None:
    func = call.func
    is_method = isinstance(func, ast.Attribute)
    if is_method and func.attr == "format":  # type: ignore[attr-defined]
        return _filled_in(func.value)  # type: ignore[attr-defined]
    known = facts.name(func) in _ENDS_LIKE_LAST or (is_method and func.attr in _METHODS)  # type: ignore[attr-defined]
    last = call.args[-1] if call.args else None
    is_listed = isinstance(last, (ast.List, ast.Tuple)) and bool(last.elts)
    if is_listed and is_method and func.attr == "join":  # type: ignore[attr-defined]
        known, last = True, last.elts[-1]  # type: ignore[union-attr]
    return last if known and not isinstance(last, ast.Starred) else None


def _filled_in(template: ast.expr) -> str | None:
    """The end of `"%s.h5" % name` and `"{}.h5".format(name)`, unless a name comes last."""
    text = template.value if isinstance(template, ast.Constant) else None
    return None if not isinstance(text, str) or re.search(_LAST_FIELD, text) else text
