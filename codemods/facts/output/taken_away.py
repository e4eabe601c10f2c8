"""Files that rank 0 takes away though every worker has read them: it waits until all have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.file_rows import REMOVE
from ...library.files import file_calls, only_names_paths
from ...program.node_fields import within
from ..agreement.control import runs_alike
from ..by_rank import is_decided
from ..facts import Facts
from .file_accesses import is_reader
from .folders import is_private
from .guards import is_left_to_rank_zero
from .other_accesses import constants
from .reloads import waits_already


def all_have_read(facts: Facts) -> Iterator[ast.AST]:
    """The statements, or calls in them, behind which all wait, before what they read is gone."""
    waited = {*waits_already(facts)}
    for call in facts.index.calls:
        path = _removed(facts, call)
        if path is None or is_private(facts, call) or not _is_for_one(facts, call):
            continue
        found = {place: read for read in _reading(facts, path, call)
                 if (place := _before(facts, read, call)) is not None}  # fmt: skip
        last = max(found, key=lambda place: place.lineno, default=None)
        if last is not None and waited.isdisjoint(_between(facts, last, call)):
            yield last if hasattr(last, "body") else found[last]


def _removed(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The path of what a call takes away."""
    rows = file_calls(facts.name(call.func) or "")
    row = next((row for row in rows if row.effect == REMOVE), None)
    found = [] if row is None else [facts.argument(call, name, row.at) for name in row.names]
    return next((each for each in found if each is not None), None)


def _is_for_one(facts: Facts, call: ast.Call) -> bool:
    return is_decided(facts, call) or is_left_to_rank_zero(facts, call)


def _reading(facts: Facts, path: ast.expr, removing: ast.Call) -> Iterator[ast.Call]:
    """The calls of all workers that are given the path, or one that lies in it."""
    texts, nodes = constants(facts, path), {*facts.origins(path).nodes}
    for call in facts.index.calls:
        if call is removing or not _may_read(facts, call):
            continue
        given = (*call.args, *(k.value for k in call.keywords))
        if any(_is_in(facts, each, texts, nodes) for each in given):
            if not _is_for_one(facts, call):
                yield call


def _may_read(facts: Facts, call: ast.Call) -> bool:
    """Whether a call that is given a path opens the file, as far as a name says."""
    name = facts.name(call.func)
    if name is None:
        return is_reader(facts, call)
    return name == "builtins.open" or not only_names_paths(name)


def _is_in(facts: Facts, given: ast.expr, texts: set[str], nodes: set[ast.AST]) -> bool:
    if texts:
        known = constants(facts, given)
        return any(a == b or a.startswith(f"{b.rstrip('/')}/") for a in known for b in texts)
    return not nodes.isdisjoint(facts.origins(given).nodes)


def _before(facts: Facts, reading: ast.Call, removing: ast.Call) -> ast.stmt | None:
    """The statement of a block that reads, where one behind it in that block takes away."""
    for place in facts.parents(reading):
        if not isinstance(place, ast.stmt) or removing in within(place):
            continue
        if _between(facts, place, removing):
            return place if runs_alike(facts, place) else None
    return None


def _between(facts: Facts, place: ast.stmt, removing: ast.Call) -> list[ast.stmt]:
    """The statements behind one, in its block, up to that which takes away; none if none does."""
    block, number = facts.block(place)
    behind = block[number + 1 :]
    last = next((n for n, other in enumerate(behind) if removing in within(other)), -1)
    return behind[: last + 1]
