"""Horovod is started before it is asked: `hvd.size()` above `hvd.init()` fails at once.

"Horovod has not been initialized; use hvd.init().": horovod/common/basics.py, Horovod 0.28.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.horovod_alone import IDENTITIES, RANKS, SIZES, part
from ..library.horovod_names import WRAPPERS
from ..program.node_fields import within
from .callers import DEFINITIONS, callers
from .case import Case
from .proof import Proof

_NUMBERS = RANKS | SIZES | IDENTITIES
_ASKING = (_NUMBERS | {"barrier", "join", "broadcast_variables"}).difference(WRAPPERS)  # only made
_CHOICES = (ast.IfExp, ast.BoolOp)  # what stands in them may be left out
EARLY = "Horovod is asked here before `hvd.init()` has started it (line {}): it fails at once"
FIX = "put `hvd.init()` above it"


def unstarted(case: Case) -> Iterator[Proof]:
    """Each module's first call that is made for certain before Horovod is started."""
    for source in case.after.values():
        if "init" in source.text:
            yield from _of_module(case, source.module)


def _of_module(case: Case, module: ast.Module) -> Iterator[Proof]:
    calls = [node for node in within(module) if isinstance(node, ast.Call)]
    parts = {call: {part(name) for name in case.program.names(call.func)} for call in calls}
    starts = [call for call, found in parts.items() if found == {"init"}]
    asking = [call for call, found in parts.items() if found and found <= _ASKING]
    if not starts or not asking:
        return
    search = _Places(case, module)
    begun = [number for call in starts for number in search.numbers(call)]
    for call in asking if begun else ():
        if search.is_certain(call, min(begun)):
            yield case.violated("bound", call, EARLY.format(case.place(starts[0]).line), FIX)
            return


class _Places:
    """In which statements of a module something runs, as soon as that is read."""

    def __init__(self, case: Case, module: ast.Module) -> None:
        self._case, self._module = case, module
        self._callers = callers(case, module)

    def numbers(self, node: ast.AST) -> list[int]:
        """The numbers of the statements that run it, also by calls of the function around it."""
        statement, function = self._around(node)
        if function is not None:
            return [number for number, _ in self._callers.runs(function)]
        return [] if statement is None else [self._module.body.index(statement)]

    def is_certain(self, node: ast.AST, limit: int) -> bool:
        """Whether it stands in no function, under no condition, before a statement."""
        statement, function = self._around(node)
        is_plain = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr))
        return is_plain and function is None and self._module.body.index(statement) < limit  # type: ignore[arg-type]

    def _around(self, node: ast.AST) -> tuple[ast.stmt | None, ast.AST | None]:
        """The statement of the module, and the outermost function or choice, around a node."""
        function = None
        while node in self._case.parents:
            above = self._case.parents[node]
            if isinstance(node, (*DEFINITIONS, *_CHOICES)):
                function = node
            if above is self._module:
                return (node, function) if isinstance(node, ast.stmt) else (None, function)
            node = above
        return None, function
