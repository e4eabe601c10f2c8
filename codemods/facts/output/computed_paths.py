"""Files that are opened again by a path that is put together: `os.path.join(folder, "a.txt")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.file_rows import ANY
from ...library.files import PLAIN_OPENERS
from ..facts import Facts
from .constant_paths import path_argument
from .file_accesses import Access
from .other_accesses import may_read

_READ = ("read_bytes", "read_text")


def read_by_parts(facts: Facts, written: list[Access]) -> Iterator[Access]:
    """Texts that every worker reads, where all parts of the path are those of a written one."""
    paths = [path_argument(facts, a.call) for a in written if a.family == "text" and a.path is None]
    known = [_parts(facts, path) for path in paths if path is not None]
    for call in facts.index.calls if known else ():
        path = _read(facts, call)
        parts = frozenset[str]() if path is None else _parts(facts, path)
        if parts and any(parts <= each for each in known):
            yield Access(ANY, call)


def _read(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The path of a file that is opened to read."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _READ:
        return call.func.value
    is_opened = facts.name(call.func) in PLAIN_OPENERS and may_read(facts, call)
    return path_argument(facts, call) if is_opened else None


def _parts(facts: Facts, path: ast.expr) -> frozenset[str]:
    """The names of folders and files that are written out in a path."""
    found = (n.value for n in facts.program.ingredients(path) if isinstance(n, ast.Constant))
    texts = (text for text in found if isinstance(text, str))
    return frozenset(part for text in texts for part in text.split("/") if part.strip("."))
