"""Folders that a file adds to those in which Python looks for modules, where they are written out.

`sys.path.append("lib")`, `sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))`. What
is computed otherwise stays unknown: no module is looked for there.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator, Mapping

from ..program.node_fields import within
from ..program.records import NamedTuple
from .quiet import full_name, library_names

FIRST, LAST = "<", ">"  # before a folder that is searched before all others, or after them
HERE = "@"  # the folder of the file itself; what does not begin there is below the current one
_FILE = f"{HERE}/__file__"
_SAME = ("os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath", "str")
_PATHS = ("pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath")
_SAME_METHODS = ("resolve", "absolute", "as_posix", "__str__")
_NAMED = {"os.curdir": ".", "os.path.curdir": ".", "os.pardir": "..", "os.path.pardir": ".."}


class Added(NamedTuple):
    """Folders of a project that its program searches before all others, and after them."""

    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()

    def and_others(self, others: Added) -> Added:
        """With these, each once."""
        return Added(*(tuple(dict.fromkeys((*a, *b))) for a, b in zip(self, others)))


NOTHING = Added()


def added(entry: str, path: str, words: Iterable[str]) -> Added:
    """What a file adds in an entry's project, by the words that `added_words` has of it.

    The current folder of a program is not known: the project's own, or the entry's.
    """
    found: dict[str, dict[str, None]] = {FIRST: {}, LAST: {}}
    for word in words:
        rest = word[1:]
        starts = [path] if rest.startswith(HERE) else ["", entry]
        below = rest[1:].lstrip("/") if rest.startswith(HERE) else rest
        for start in starts:
            place = posixpath.normpath(posixpath.join(posixpath.dirname(start), below))
            if not place.startswith(("..", "/")):
                found[word[0]]["" if place == "." else f"{place}/"] = None
    return Added(tuple(found[FIRST]), tuple(found[LAST]))


def added_words(tree: ast.Module, text: str) -> tuple[str, ...]:
    """The folders that a file adds: each behind FIRST or LAST."""
    if "sys" not in text or ".path" not in text:
        return ()
    names = library_names(tree.body)
    values = _Values(tree, names)
    return tuple(dict.fromkeys(_added(tree, names, values)))


def _added(tree: ast.Module, names: Mapping[str, str], values: _Values) -> Iterator[str]:
    for node in within(tree):
        if isinstance(node, ast.AugAssign) and full_name(node.target, names) == "sys.path":
            places, order = _listed(node.value), LAST
        elif isinstance(node, ast.Call):
            places, order = _given(node, full_name(node.func, names))
        else:
            continue
        for place in places:
            found = values.of(place)
            if found is not None and not found.startswith("/"):
                yield order + found


def _given(call: ast.Call, name: str) -> tuple[list[ast.expr], str]:
    """What a call puts into the search path, and whether at its beginning."""
    if name == "sys.path.append" and len(call.args) == 1:
        return call.args, LAST
    if name == "sys.path.extend" and len(call.args) == 1:
        return _listed(call.args[0]), LAST
    if name == "sys.path.insert" and len(call.args) == 2:
        number = call.args[0]
        is_first = isinstance(number, ast.Constant) and number.value == 0
        return call.args[1:], FIRST if is_first else LAST
    return [], LAST


def _listed(value: ast.expr) -> list[ast.expr]:
    return value.elts if isinstance(value, (ast.List, ast.Tuple)) else []


class _Values:
    """The folders and files that expressions of a module are, as far as they are written out."""

    def __init__(self, tree: ast.Module, names: Mapping[str, str]) -> None:
        self._names = names
        bound: dict[str, list[ast.expr | None]] = {}
        for node in within(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound.setdefault(node.id, []).append(None)
        for statement in tree.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                bound[statement.targets[0].id].append(statement.value)
        # Bound once, and by a statement of the module itself: what is computed later is another.
        self._bound = {name: found[1] for name, found in bound.items() if len(found) == 2}

    def of(self, expr: ast.expr | None, depth: int = 20) -> str | None:
        """The folder or file; None where it is not known."""
        if expr is None or not depth:
            return None
        if isinstance(expr, ast.Constant):
            return expr.value if isinstance(expr.value, str) else None
        if isinstance(expr, ast.Name) and expr.id == "__file__":
            return _FILE
        if isinstance(expr, ast.Name) and expr.id in self._bound:
            return self.of(self._bound[expr.id], depth - 1)
        if isinstance(expr, ast.BinOp):
            return self._joined(expr, depth)
        if isinstance(expr, ast.Call):
            return self._called(expr, depth)
        return self._part(expr, depth)

    def _joined(self, expr: ast.BinOp, depth: int) -> str | None:
        left, right = self.of(expr.left, depth - 1), self.of(expr.right, depth - 1)
        if left is None or right is None:
            return None
        if isinstance(expr.op, ast.Div):
            return posixpath.join(left, right)
        return left + right if isinstance(expr.op, ast.Add) else None

    def _part(self, expr: ast.expr, depth: int) -> str | None:
        """`path.parent`, `path.parents[1]`, `os.pardir`."""
        if isinstance(expr, ast.Attribute):
            name = full_name(expr, self._names)
            value = self.of(expr.value, depth - 1) if expr.attr == "parent" else None
            return _above(value) if value is not None else _NAMED.get(name)
        if not isinstance(expr, ast.Subscript) or not isinstance(expr.value, ast.Attribute):
            return None
        number = expr.slice.value if isinstance(expr.slice, ast.Constant) else None
        value = self.of(expr.value.value, depth - 1) if expr.value.attr == "parents" else None
        if value is None or type(number) is not int or not 0 <= number < 9:
            return None
        for _ in range(number + 1):
            value = _above(value)
        return value

    def _called(self, call: ast.Call, depth: int) -> str | None:
        func = call.func
        name = full_name(func, self._names) or (func.id if isinstance(func, ast.Name) else "")
        values = [self.of(each, depth - 1) for each in call.args]
        if name in ("os.getcwd", "pathlib.Path.cwd"):
            return "."
        if not name and isinstance(func, ast.Attribute) and func.attr in _SAME_METHODS:
            return _normal(self.of(func.value, depth - 1))
        if not name and isinstance(func, ast.Attribute) and func.attr == "joinpath":
            values = [self.of(func.value, depth - 1), *values]
        elif name in _SAME:
            return _normal(values[0]) if len(values) == 1 else None
        elif name == "os.path.dirname":
            return _above(values[0]) if len(values) == 1 and values[0] is not None else None
        elif name not in ("os.path.join", *_PATHS):
            return None
        known = [value for value in values if value is not None]
        return posixpath.join(*known) if known and len(known) == len(values) else None


def _normal(value: str | None) -> str | None:
    """Without `..` behind a folder that is named."""
    if value is None or value.startswith("/"):
        return value
    found: list[str] = []
    for part in value.split("/"):
        if part == ".." and found and found[-1] not in ("..", HERE):
            found.pop()
        elif part not in ("", "."):
            found.append(part)
    return "/".join(found) or "."


def _above(value: str) -> str:
    """The folder around a file or a folder."""
    head, _, last = value.rpartition("/")
    return f"{value}/.." if last in ("..", ".", HERE, "") else head or "."
