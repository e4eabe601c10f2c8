"""Where each worker's share is cut, on the ladder from files that nobody reads to batches in turns.

A fact about a result, not an obligation: the higher the place, the less a worker does in vain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..library.datasets import BATCHING, LENGTHLESS, SIFTING
from ..library.examples import APPLYING, LISTING
from ..library.horovod_alone import SHARES
from ..library.names import normal
from ..program.node_fields import within
from ..program.records import NamedTuple
from .expressions import method_of
from .proof import ARRAYS, FILES, PIPELINE, TURNS
from .rows import Rows, RowsOf

if TYPE_CHECKING:
    from ..program.program import Program

_ONE_MACHINE = "local_rank"
_READING = SIFTING | {"map"}


def rungs(program: Program, rows: RowsOf, module: ast.Module) -> tuple[int, ...]:
    """The places at which a program cuts shares by the worker's number, each once."""
    nodes = list(within(module))
    applied = dict(pair for node in nodes for pair in _applied(program, node))
    cuts = [node for node in nodes if _takes_part(node) and rows.cuts(node)]
    shares = [n for n in cuts if rows.of(applied.get(n, n)) & (Rows.SHARE | Rows.OVERLAP)]
    given = {v for node in nodes for v in _given_on(node) if isinstance(v, ast.Subscript)}
    batches = [node for node in nodes if method_of(node) in BATCHING]
    reading = [node for node in nodes if _reads(program, node)]
    places = _Places(program, given, applied, batches, reading)
    found = {places.rung(node) for node in shares if not _is_of_machine(node)}
    if TURNS in found:  # what these batches hold is taken by their numbers, and cut no further
        found.discard(ARRAYS)
    return tuple(sorted(found))


def _applied(program: Program, node: ast.AST) -> Iterator[tuple[ast.AST, ast.Call]]:
    """What stands in a function that a dataset is given to, and the call: `.apply(lambda d: …)`."""
    if isinstance(node, ast.Call) and method_of(node) in APPLYING:
        for function in (f for given in node.args for f in program.functions(given).nodes):
            yield from ((each, node) for each in within(function))


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


class _Places(NamedTuple):
    """What the cuts of a program stand beside."""

    program: Program
    given: set[ast.Subscript]
    applied: dict[ast.AST, ast.Call]
    batches: list[ast.AST]
    reading: list[ast.AST]

    def rung(self, cut: ast.AST) -> int:
        """On which rung a share is cut."""
        if cut in self.given:
            return TURNS
        if isinstance(cut, ast.Subscript):
            if isinstance(cut.value, ast.ListComp):
                return TURNS  # one of as many picks as there are workers
            return FILES if _lists(self.program, cut.value) else ARRAYS
        call = self.applied.get(cut, cut)
        if _lists(self.program, call.func.value) or self._is_read(call):  # type: ignore[attr-defined]
            return FILES
        return TURNS if self._is_of_batches(call) else PIPELINE

    def _is_read(self, call: ast.AST) -> bool:
        """Whether its elements are names of files, which are read behind it."""
        ingredients = self.program.ingredients
        return any(call in ingredients(each.func.value) for each in self.reading)  # type: ignore[attr-defined]

    def _is_of_batches(self, call: ast.AST) -> bool:
        """Whether the elements are batches already, and are put into no others."""
        made = {*self.program.ingredients(call.func.value)}  # type: ignore[attr-defined]
        if any(method_of(node) == "unbatch" for node in made):
            return False
        behind = (b for b in self.batches if b not in made and b is not call)
        is_last = not any(call in self.program.ingredients(b.func.value) for b in behind)  # type: ignore[attr-defined]
        return is_last and not made.isdisjoint(self.batches)


def _reads(program: Program, node: ast.AST) -> bool:
    """`names.interleave(tf.data.TFRecordDataset)`, `names.map(decode)`, which reads a file."""
    if not isinstance(node, ast.Call) or method_of(node) not in _READING or not node.args:
        return False
    bodies = [n for f in program.functions(node.args[0]).nodes for n in within(f)]
    called = [node.args[0], *(n.func for n in bodies if isinstance(n, ast.Call))]
    last = {name.rpartition(".")[2] for f in called for name in program.names(f)}
    return not last.isdisjoint(LENGTHLESS | {"read_file"})


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
