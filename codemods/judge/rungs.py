"""Where each worker's share is cut, on the ladder from files that nobody reads to batches in turns.

A fact about a result, not an obligation: the higher the place, the less a worker does in vain.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..library.examples import LISTING
from ..library.names import normal
from ..library.one_worker import SHARES
from ..program.node_fields import within
from .proof import ARRAYS, FILES, PIPELINE, TURNS
from .rows import Rows, RowsOf

if TYPE_CHECKING:
    from ..program.program import Program

_ONE_MACHINE = "local_rank"


def rungs(program: Program, rows: RowsOf, module: ast.Module) -> tuple[int, ...]:
    """The places at which a program cuts shares by the worker's number, each once."""
    cuts = [node for node in within(module) if _takes_part(node) and rows.cuts(node)]
    shares = [node for node in cuts if rows.of(node) & (Rows.SHARE | Rows.OVERLAP)]
    given = {
        value
        for node in within(module)
        for value in _given_on(node)
        if isinstance(value, ast.Subscript)
    }
    found = {_rung(program, node, given) for node in shares if not _is_of_machine(node)}
    if TURNS in found:  # what these batches hold is taken by their numbers, and cut no further
        found.discard(ARRAYS)
    return tuple(sorted(found))


def _takes_part(node: ast.AST) -> bool:
    """`x[index]`, `data.shard(size, rank)`; not whatever goes on with a part."""
    func = getattr(node, "func", None)
    is_shard = isinstance(func, ast.Attribute) and func.attr in SHARES
    return isinstance(node, ast.Subscript) or is_shard


def _given_on(node: ast.AST) -> list[ast.AST | None]:
    """What is handed on batch by batch: `yield turn[rank]`, `return dataset[index]`."""
    is_item = isinstance(node, ast.FunctionDef) and node.name == "__getitem__"
    returns = [n.value for n in within(node) if isinstance(n, ast.Return)] if is_item else []
    return [node.value] if isinstance(node, ast.Yield) else [*returns]


def _rung(program: Program, cut: ast.AST, given: set[ast.Subscript]) -> int:
    if cut in given:
        return TURNS
    if isinstance(cut, ast.Subscript):
        if isinstance(cut.value, ast.ListComp):
            return TURNS  # one of as many picks as there are workers
        return FILES if _lists(program, cut.value) else ARRAYS
    return FILES if _lists(program, cut.func.value) else PIPELINE  # type: ignore[attr-defined]


def _lists(program: Program, value: ast.AST) -> bool:
    """Whether it is names of files, and nothing that is read from them."""
    made = program.origins(value).nodes
    calls = [node for node in made if isinstance(node, ast.Call)]
    names = [normal(name) for call in calls for name in program.names(call.func)]
    inner = [a for call in calls for a in call.args[:1] if isinstance(a, ast.Call)]
    names += [normal(name) for call in inner for name in program.names(call.func)]
    return any(name in LISTING for name in names)


def _is_of_machine(cut: ast.AST) -> bool:
    """Whether it is taken by the number that a worker has on its machine, as a GPU is."""
    parts = (getattr(node, "attr", getattr(node, "id", "")) for node in within(cut))
    return _ONE_MACHINE in parts
