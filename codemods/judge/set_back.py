"""Weights that are set back in each round to what they were before any broadcast.

`start = model.get_weights()`, and `model.set_weights(start)` for each fold: these are a worker's
own numbers again, and a broadcast that only the first round comes to doesn't reach them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ..library import updates as table
from ..library.collectives import collective
from ..program.node_fields import within
from ..program.parts import FUNCTIONS, LOOPS

if TYPE_CHECKING:
    from .case import Case

SET_BACK = (
    "each round begins with the weights that were kept in line {}, before any broadcast: from the "
    "second round on each worker goes on from its own"
)
FIX = "broadcast behind it: `hvd.broadcast_variables({}.variables, root_rank=0)`"
_KEEPING = ("get_weights",)


def set_back(case: Case) -> Iterator[tuple[ast.Call, ast.AST]]:
    """The calls that set weights back, with what has kept them.

    Those in a module's own loops are looked at: nobody sees when a function is called.
    """
    for source in case.after.values():
        yield from _SetBack(case, source.module).found()


class _SetBack:
    """What is kept and put back in one module."""

    def __init__(self, case: Case, module: ast.Module) -> None:
        self._program, self._parents = case.program, case.parents
        self._calls = [node for node in within(module) if isinstance(node, ast.Call)]

    def found(self) -> Iterator[tuple[ast.Call, ast.AST]]:
        for call in self._calls:
            is_set = getattr(call.func, "attr", "") in table.OF_MODELS and bool(call.args)
            loop = self._loop(call) if is_set else None
            if loop is None or self._is_fitted(loop):
                continue
            kept = self._kept(call, loop)
            inside = [each for each in self._broadcasts if loop in self._around(each)]
            if kept is not None and not any(self._comes_again(each, loop) for each in inside):
                yield call, kept

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What stands around a node, up to its function."""
        while node in self._parents and not isinstance(node, FUNCTIONS):
            node = self._parents[node]
            yield node

    def _loop(self, node: ast.AST) -> ast.AST | None:
        """The innermost loop of a module around a node."""
        around = list(self._around(node))
        if any(isinstance(each, FUNCTIONS) for each in around):
            return None
        return next((each for each in around if isinstance(each, LOOPS)), None)

    def _is_fitted(self, loop: ast.AST) -> bool:
        """Whether Keras trains in it, whose callback broadcasts each time, or a function may."""
        calls = [node for node in within(loop) if isinstance(node, ast.Call)]
        methods = {getattr(call.func, "attr", "") for call in calls}
        if methods.isdisjoint(table.OF_APPLYING) or methods & table.FITS:
            return True
        homes = (each for call in self._broadcasts for each in self._around(call))
        is_in_function = any(isinstance(each, FUNCTIONS) for each in homes)
        return is_in_function and any(self._program.functions(c.func).nodes for c in calls)

    @cached_property
    def _broadcasts(self) -> list[ast.Call]:
        names = self._program.names
        return [c for c in self._calls if any(collective(n) == "broadcast" for n in names(c.func))]

    def _kept(self, call: ast.Call, loop: ast.AST) -> ast.AST | None:
        """What has kept the weights, above the loop and above every broadcast."""
        first = min((each.lineno for each in self._broadcasts), default=0)
        inside = {*within(loop)}
        for node in self._program.ingredients(call.args[0]):
            method = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
            if method in _KEEPING and node not in inside and node.lineno < first:  # type: ignore[attr-defined]
                return node
        return None

    def _comes_again(self, broadcast: ast.Call, loop: ast.AST) -> bool:
        """Whether each round of a loop comes to a broadcast: by no test, or by one set anew."""
        below: ast.AST = broadcast
        for up in self._around(broadcast):
            if isinstance(up, ast.If) and below in up.body and not self._is_anew(up, loop):
                return False
            if up is loop:
                return True
            below = up
        return True

    def _is_anew(self, choice: ast.If, loop: ast.AST) -> bool:
        """Whether all that a test reads is set in each round, and not by what it guards alone."""
        own = {*within(choice)}
        head = {*within(loop.target)} if isinstance(loop, ast.For) else set()
        stores = (n for n in within(loop) if isinstance(n, ast.Name) and n not in own | head)
        anew = {n.id for n in stores if isinstance(n.ctx, ast.Store)}
        calls = (n for n in within(loop) if isinstance(n, ast.Call) and n not in own)
        methods = (c.func for c in calls if isinstance(c.func, ast.Attribute))
        anew |= {ast.unparse(m.value) for m in methods if m.attr == "assign"}
        read = [n for n in within(choice.test) if isinstance(n, (ast.Name, ast.Attribute))]
        return any(isinstance(n, ast.Call) for n in within(choice.test)) or all(
            ast.unparse(n) in anew for n in read if isinstance(n, ast.Name)
        )
