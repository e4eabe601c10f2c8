"""Files that are copied, and calls of which no more is known than that they are given a path."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from .constant_paths import constant
from .file_accesses import ANY, Access, is_reader
from .folders import is_staged
from .guards import is_left_to_rank_zero
from .opened_files import OPENERS, opened_to_write
from .outputs import COPIES, MOVES, is_output

_FAMILIES = ("array", "checkpoint", "image", "model", "object", "record", "text")
# They compute with the text of a path, show it, or wait for nothing as it may not be there.
_HARMLESS = (
    "builtins.",
    "logging.",
    "os.environ",
    "os.mkdir",
    "os.makedirs",
    "os.path.",
    "pathlib.",
)


def copies(facts: Facts) -> Iterator[Access]:
    """What rank 0 alone copies or moves: a file of any family may be at its new place."""
    for call in facts.index.calls:
        target = facts.argument(call, "dst", 1)
        is_copy = facts.name(call.func) in COPIES | MOVES
        if is_copy and target is not None and not is_staged(facts, call):
            found = _constants(facts, target)
            path = next(iter(found)) if len(found) == 1 else None
            yield from (Access(family, call, path) for family in _FAMILIES)


def unknown_reads(facts: Facts, written: list[Access]) -> Iterator[Access]:
    """Calls of other libraries, and `open`, that are given a path which is written."""
    paths = {access.path for access in written if isinstance(access.path, str)}
    writing = {access.call for access in written}
    for call in facts.index.calls if paths else ():
        if call in writing or not may_read(facts, call):
            continue
        for given in [*call.args, *(k.value for k in call.keywords)]:
            if not writing.isdisjoint(facts.origins(given).nodes):
                continue  # a file that is open for writing: `csv.writer(log)`
            for path in sorted(paths & _constants(facts, given)):
                yield Access(ANY, call, path)


def may_read(facts: Facts, call: ast.Call) -> bool:
    """Whether nothing is known of a call but its name, and every worker makes it."""
    name = facts.name(call.func)
    if name in OPENERS and not opened_to_write(facts, call):
        reader = facts.parent(call)  # `json.load(open(path))` is judged by its family
        is_known = isinstance(reader, ast.Call) and is_reader(facts, reader)
        return not is_known and not is_left_to_rank_zero(facts, call)
    is_foreign = name is not None and not name.startswith(_HARMLESS)
    if not is_foreign or is_reader(facts, call) or facts.made_by(call) is not None:
        return False
    if is_output(facts, call):
        return False
    return not is_left_to_rank_zero(facts, call)


def _constants(facts: Facts, expr: ast.expr) -> set[str]:
    """The texts that an argument may be."""
    found = {constant(facts, node) for node in facts.origins(expr).nodes}
    return {text for text in found if isinstance(text, str)}
