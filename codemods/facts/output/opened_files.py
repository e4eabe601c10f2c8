"""Files that a program holds open to write: what opens one, and what writes to it."""

from __future__ import annotations

import ast
from typing import Callable

from ..facts import Facts
from .folders import is_private

OPENERS = frozenset(
    {"builtins.open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"}
)
# Its files are written from the start, whatever else it is told.
RECORDS = "tensorflow.io.TFRecordWriter"
# What is logged goes to their file; those that begin a new one now and then would move the device.
_LOGS = frozenset({"logging.FileHandler", "logging.basicConfig"})
# Pictures in a row: no null device can stand for these.
_FILMS = frozenset(
    {"imageio.get_writer", "imageio.v2.get_writer", "cv2.VideoWriter", "pandas.ExcelWriter"}
)
_OTHER_FILES = frozenset(
    {"tensorflow.io.gfile.GFile", "tensorflow.gfile.GFile", "h5py.File", "zipfile.ZipFile"}
    | {"tarfile.open"}
)
_FILE_METHODS = frozenset(
    {"add", "append_data", "close", "create_dataset", "create_group", "flush", "release"}
    | {"require_dataset", "require_group", "write"}
    | {"writeheader", "writelines", "writerow", "writerows", "writestr"}
)
_PARTS = frozenset({"create_dataset", "create_group", "require_dataset", "require_group"})
READS = frozenset({"close", "peek", "read", "readline", "readlines"})
_ROWS = frozenset({"csv.writer", "csv.DictWriter"})
_Opened = Callable[["Facts", ast.AST], bool]


def opened_to_write(facts: Facts, call: ast.AST) -> bool:
    """Whether the call opens a file for writing: a mode that is written out says so."""
    return isinstance(call, ast.Call) and _opens(facts, call) and not is_private(facts, call)


def _opens(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name == RECORDS or name in _FILMS:
        return True
    is_path = name is None and isinstance(call.func, ast.Attribute) and call.func.attr == "open"
    if not is_path and name not in OPENERS | _OTHER_FILES:
        return False
    mode = facts.argument(call, "mode", 0 if is_path else 1)
    text = mode.value if isinstance(mode, ast.Constant) else None
    return isinstance(text, str) and bool(set(text) & set("wax+"))


def opens(facts: Facts, call: ast.Call) -> bool:
    """Whether the call opens a file."""
    return facts.name(call.func) in OPENERS


def is_plain_open(facts: Facts, call: ast.AST) -> bool:
    """Whether the null device can stand for the file: not one that is updated or must be new."""
    if not isinstance(call, ast.Call) or not opened_to_write(facts, call):
        return False
    if facts.name(call.func) == RECORDS:
        return True
    mode = facts.argument(call, "mode", 1)
    text = mode.value if isinstance(mode, ast.Constant) else None
    return facts.name(call.func) in OPENERS and isinstance(text, str) and not set(text) & set("x+")


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
    is_method = isinstance(func, ast.Attribute) and func.attr in _FILE_METHODS
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
    is_part = isinstance(func, ast.Attribute) and func.attr in _PARTS
    return is_part and is_written_file(facts, func.value, opened)  # type: ignore[union-attr]


def _writes_rows(facts: Facts, node: ast.AST, opened: _Opened) -> bool:
    if not isinstance(node, ast.Call) or facts.name(node.func) not in _ROWS or not node.args:
        return False
    return is_written_file(facts, node.args[0], opened)
