"""Files that are copied, and calls of which no more is known than that they are given a path."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.file_rows import ANY
from ...library.files import COPYING, MOVES, PLAIN_OPENERS, only_names_paths
from ..facts import Facts
from .constant_paths import constant, path_argument
from .file_accesses import Access, is_reader
from .folders import is_staged
from .guards import is_left_to_rank_zero
from .opened_files import opened_to_write
from .outputs import is_output

_FAMILIES = ("array", "checkpoint", "image", "model", "object", "record", "text")
_TEXTS = (ast.JoinedStr, ast.BinOp, ast.Call)


def copies(facts: Facts) -> Iterator[Access]:
    """What rank 0 alone copies or moves: a file of any family may be at its new place."""
    for call in facts.index.calls:
        target = facts.argument(call, "dst", 1)
        is_copy = facts.name(call.func) in COPYING | MOVES
        if is_copy and target is not None and not is_staged(facts, call):
            found = constants(facts, target)
            path = next(iter(found)) if len(found) == 1 else None
            yield from (Access(family, call, path) for family in _FAMILIES)


def unknown_reads(facts: Facts, written: list[Access]) -> Iterator[Access]:
    """Calls of other libraries, and `open`, that are given a path which is written."""
    paths = {access.path for access in written if isinstance(access.path, str)}
    made = {node for access in written for node in _made(facts, access)}
    writing = {access.call for access in written}
    for call in facts.index.calls if paths or made else ():
        if call in writing or not may_read(facts, call):
            continue
        for given in [*call.args, *(k.value for k in call.keywords)]:
            nodes = facts.origins(given).nodes
            if not writing.isdisjoint(nodes):
                continue  # a file that is open for writing: `csv.writer(log)`
            for path in sorted(paths & constants(facts, given)):
                yield Access(ANY, call, path)
            if not made.isdisjoint(nodes):
                yield Access(ANY, call)


def _made(facts: Facts, access: Access) -> Iterator[ast.AST]:
    """What puts a path together by which is written, where one expression does."""
    given = path_argument(facts, access.call) if access.path is None else None
    nodes = facts.origins(given).nodes if given is not None else ()
    yield from (node for node in nodes if len(nodes) == 1 and isinstance(node, _TEXTS))


def may_read(facts: Facts, call: ast.Call) -> bool:
    """Whether nothing is known of a call but its name, and every worker makes it."""
    name = facts.name(call.func)
    if name in PLAIN_OPENERS and not opened_to_write(facts, call):
        reader = facts.parent(call)  # `json.load(open(path))` is judged by its family
        is_known = isinstance(reader, ast.Call) and is_reader(facts, reader)
        return not is_known and not is_left_to_rank_zero(facts, call)
    is_foreign = name is not None and not only_names_paths(name)
    if not is_foreign or is_reader(facts, call) or facts.made_by(call) is not None:
        return False
    if is_output(facts, call):
        return False
    return not is_left_to_rank_zero(facts, call)


def constants(facts: Facts, expr: ast.expr) -> set[str]:
    """The texts that an argument may be."""
    found = {constant(facts, node) for node in facts.origins(expr).nodes}
    return {text for text in found if isinstance(text, str)}
