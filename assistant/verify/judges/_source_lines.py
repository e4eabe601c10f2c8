"""The user's program, only read: the line that a record names, nothing outside of its folder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from distify.codemods.suppressions.declarations import KEPT_RATE, Declarations

_PLACE = re.compile(r"(.+):(\d{1,9})")


class Place(NamedTuple):
    """A line of a file, relative to the folder of the script."""

    file: str
    line: int


def place(where: str | None) -> Place | None:
    """`train.py:41`, as records name it."""
    match = _PLACE.fullmatch(where or "")
    return Place(match[1], int(match[2])) if match else None


def source(root: Path, file: str) -> str:
    """The text of a file below `root`; empty where there is none, or it can't be read."""
    try:
        path = (root / file).resolve()
        return path.read_text(encoding="utf-8", errors="replace") if root in path.parents else ""
    except (OSError, ValueError):
        return ""


def line_at(root: Path, where: str | None) -> str:
    """The line at a place; empty where there is none."""
    found = place(where)
    lines = source(root, found.file).splitlines() if found else []
    return lines[found.line - 1] if found and 0 < found.line <= len(lines) else ""


def keeps_rate(root: Path, where: str | None) -> bool:
    """Whether a comment at a place says that a rate is meant to stay: `# distify: rate=kept`."""
    found = place(where)
    said = Declarations(source(root, found.file) if found else "")
    return found is not None and said.says(KEPT_RATE, found.line)


def calls_at(root: Path, where: str | None) -> frozenset[str]:
    """The last names of what is called at a line, or in a statement that spans it."""
    found = place(where)
    nodes = ast.walk(tree(root, found.file)) if found else ()
    calls = (node.func for node in nodes if isinstance(node, ast.Call) and _spans(node, found))
    return frozenset(str(getattr(f, "attr", getattr(f, "id", ""))) for f in calls)


def _spans(node: ast.Call, at: Place | None) -> bool:
    return at is not None and node.lineno <= at.line <= (node.end_lineno or node.lineno)


RATES = ("learning_rate", "lr")


def sets_rate(root: Path, file: str) -> bool:
    """Whether a file's code gives an optimizer's rate a value: `o.lr = …`, `o.lr.assign(…)`."""
    return any(_sets_rate(node) for node in ast.walk(tree(root, file)))


def _sets_rate(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        changes = node.func.attr.startswith(("assign", "set_value"))
        return changes and any(map(_is_rate, (node.func.value, *node.args[:1])))
    return _is_rate(node) and isinstance(getattr(node, "ctx", None), ast.Store)


def _is_rate(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in RATES


ORDERED = ("enumerate", "list", "tuple", "zip", "iter", "array")  # what takes the order of a set


def numbered_sets(root: Path, file: str) -> list[int]:
    """The lines of a file that take a set in its order: `enumerate(set(words))`."""
    code = tree(root, file)
    in_order = {id(under) for n in ast.walk(code) if _is_call(n, "sorted") for under in ast.walk(n)}
    nodes = [n for n in ast.walk(code) if id(n) not in in_order]
    kept = {t.id for n in nodes if isinstance(n, ast.Assign) and _is_set(n.value, frozenset())
            for t in n.targets if isinstance(t, ast.Name)}  # fmt: skip
    sets = frozenset(kept)
    return sorted({each.lineno for n in nodes for each in _gone_through(n) if _is_set(each, sets)})


def _gone_through(node: ast.AST) -> Iterator[ast.expr]:
    """What is gone through in order there."""
    if isinstance(node, (ast.For, ast.comprehension)):
        yield node.iter
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        yield from node.args if name in ORDERED else ()


def _is_set(node: ast.expr, names: frozenset[str]) -> bool:
    return (
        _is_call(node, "set")
        or _is_call(node, "frozenset")
        or isinstance(node, (ast.Set, ast.SetComp))
        or (isinstance(node, ast.Name) and node.id in names)
    )


def _is_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def tree(root: Path, file: str) -> ast.Module:
    """A file's code; nothing where it can't be parsed."""
    try:
        return ast.parse(source(root, file))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def rank_tests(root: Path, file: str) -> list[ast.If]:
    """The `if` statements of a file that ask for the worker's number, by whatever name."""
    from distify.codemods.facts import Facts
    from distify.codemods.facts.by_rank import asks_for_rank
    from distify.codemods.model import SyntaxProblem

    try:
        facts = Facts.of(source(root, file))
    except (SyntaxProblem, RecursionError, MemoryError):
        return []
    return [node for node in facts.index.nodes(ast.If) if asks_for_rank(facts, node.test)]


def names(root: Path, file: str) -> frozenset[str]:
    """Every name of a file's code: of variables, attributes, arguments, imports and functions."""
    return frozenset(name for node in ast.walk(tree(root, file)) for name in _names(node))


def _names(node: ast.AST) -> Iterator[str]:
    for field in ("id", "attr", "arg", "name", "module"):
        value = getattr(node, field, None)
        yield from value.split(".") if isinstance(value, str) else ()
