"""Files that a program holds open to write: what opens one, and what writes to it."""

from __future__ import annotations

import ast
from typing import Callable

from ...library.files import (
    PARTS_OF_FILES,
    PLAIN_OPENERS,
    ROW_WRITERS,
    WRITES_OF_FILES,
    WRITING_MODES,
    opener,
)
from ..facts import Facts
from .folders import is_private

# What is logged goes to their file; those that begin a new one now and then would move the device.
_LOGS = frozenset({"logging.FileHandler", "logging.basicConfig"})
_Opened = Callable[["Facts", ast.AST], bool]


def opened_to_write(facts: Facts, call: ast.AST) -> bool:
    """Whether the call opens a file for writing: a mode that is written out says so."""
    return isinstance(call, ast.Call) and _opens(facts, call) and not is_private(facts, call)


def _opens(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name is None:
        is_path = isinstance(call.func, ast.Attribute) and call.func.attr == "open"
        return is_path and bool(_mode(facts, call, 0) & WRITING_MODES)
    known = opener(name)
    if known is None or not known.is_stream:
        return False
    return known.at is None or bool(_mode(facts, call, known.at) & WRITING_MODES)


def _mode(facts: Facts, call: ast.Call, at: int) -> set[str]:
    """The letters of the mode of a file that is opened, none where it isn't written out."""
    mode = facts.argument(call, "mode", at)
    text = mode.value if isinstance(mode, ast.Constant) else None
    return set(text) if isinstance(text, str) else set()


def opens(facts: Facts, call: ast.Call) -> bool:
    """Whether the call opens a file."""
    return facts.name(call.func) in PLAIN_OPENERS


def is_plain_open(facts: Facts, call: ast.AST) -> bool:
    """Whether the null device can stand for the file: not one that is updated or must be new."""
    if not isinstance(call, ast.Call) or not opened_to_write(facts, call):
        return False
    known = opener(facts.name(call.func) or "")
    if known is None or not known.is_plain:
        return False
    mode = set() if known.at is None else _mode(facts, call, known.at)
    return known.at is None or (bool(mode) and not mode & set("x+"))


def is_log(facts: Facts, call: ast.Call) -> bool:
    """Whether the call opens a file that the program logs to."""
    given = facts.argument(call, "filename", 0) if facts.name(call.func) in _LOGS else None
    return given is not None and not (isinstance(given, ast.Constant) and given.value is None)


def writes_bytes(facts: Facts, opened: ast.Call) -> bool:
    """Whether bytes are written to the file as they are: `f.write(requests.get(url).content)`."""
    mode = facts.argument(opened, "mode", 1)
    if not (isinstance(mode, ast.Constant) and "b" in str(mode.value)):
        return False
    files = (c.func.value for c in facts.calls("write") if isinstance(c.func, ast.Attribute))
    return any(opened in facts.origins(file).nodes for file in files)


def is_file_write(facts: Facts, func: ast.expr) -> bool:
    """Whether the method writes to a file that the program opened for writing."""
    is_method = isinstance(func, ast.Attribute) and func.attr in WRITES_OF_FILES
    return is_method and is_written_file(facts, func.value)  # type: ignore[attr-defined]


def is_written_file(facts: Facts, expr: ast.expr, opened: _Opened = opened_to_write) -> bool:
    """Whether the value is a file that the program opened for writing, or a csv writer on one."""
    if isinstance(expr, ast.Attribute) and expr.attr == "attrs":
        return is_written_file(facts, expr.value, opened)
    nodes = facts.origins(expr).nodes
    return bool(nodes) and all(
        opened(facts, n) or _writes_rows(facts, n, opened) or _is_group(facts, n, opened)
        for n in nodes
    )


def _is_group(facts: Facts, node: ast.AST, opened: _Opened) -> bool:
    """A group, or an array, of a file of h5py."""
    func = node.func if isinstance(node, ast.Call) else None
    is_part = isinstance(func, ast.Attribute) and func.attr in PARTS_OF_FILES
    return is_part and is_written_file(facts, func.value, opened)  # type: ignore[union-attr]


def _writes_rows(facts: Facts, node: ast.AST, opened: _Opened) -> bool:
    if not isinstance(node, ast.Call) or facts.name(node.func) not in ROW_WRITERS or not node.args:
        return False
    return is_written_file(facts, node.args[0], opened)
