"""Optimizers whose state is made of weights, and whether a broadcast brings it to one start.

Most slots are made of gradients that were averaged, and are the same on all workers from the first
step on. Those of Ftrl, and averages of weights, are made of the weights that stood there before the
broadcast: each worker's own ones.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ..library.horovod_alone import part
from ..library.horovod_names import BROADCAST_HOOK
from ..library.names import normal
from ..library.optimizers import AVERAGING_WEIGHTS, HOLDING_WEIGHTS
from ..program.node_fields import within

if TYPE_CHECKING:
    from .case import Case

_STEPS = ("apply_gradients", "apply", "minimize")
_OF_ALL = ("broadcast_global_variables", BROADCAST_HOOK)
LEFT = (
    "this optimizer keeps a state that is made of the weights, which each worker had for itself "
    "in the first step, and no broadcast brings it to one start: the models drift apart"
)
FIX = (
    "behind its first step let worker 0 tell it to all: "
    "`hvd.broadcast_variables(optimizer.variables, root_rank=0)`; or give it to `compile`, or take "
    "another optimizer (Adam, SGD)"
)


def left_alone(case: Case) -> Iterator[ast.Call]:
    """What makes the optimizers whose state stays each worker's own."""
    return _States(case).left()


class _States:
    """The optimizers of one program, and what is broadcast."""

    def __init__(self, case: Case) -> None:
        self._program = case.program
        nodes = (n for source in case.after.values() for n in within(source.module))
        self._calls = [node for node in nodes if isinstance(node, ast.Call)]

    def left(self) -> Iterator[ast.Call]:
        """Those that step, hold what is made of weights, and are reached by no broadcast."""
        holding = [call for call in self._calls if self._holds_weights(call)]
        if not holding or any(part(n) in _OF_ALL for c in self._calls for n in self._names(c)):
            return
        stepping = [each for call in self._calls for each in self._stepped(call)]
        used = {*self._program.ingredients_of(stepping)}
        yield from (call for call in holding if call in used and call not in self._reached)

    def _names(self, call: ast.Call) -> tuple[str, ...]:
        return self._program.names(call.func)

    def _holds_weights(self, call: ast.Call) -> bool:
        lasts = {normal(name).rpartition(".")[2] for name in self._names(call)}
        is_on = any(
            k.arg in AVERAGING_WEIGHTS
            and not (isinstance(k.value, ast.Constant) and not k.value.value)
            for k in call.keywords
        )
        return bool(lasts & HOLDING_WEIGHTS) or (bool(lasts) and is_on)

    def _stepped(self, call: ast.Call) -> Iterator[ast.expr]:
        """The optimizer of `optimizer.apply_gradients(…)`."""
        if isinstance(call.func, ast.Attribute) and call.func.attr in _STEPS:
            yield call.func.value

    @cached_property
    def _reached(self) -> set[ast.AST]:
        """What is broadcast by name, or by the callback of a model that was compiled with it."""
        given: list[ast.expr] = []
        for call in self._calls:
            is_compile = getattr(call.func, "attr", "") == "compile"
            is_broadcast = any(part(name) == "broadcast_variables" for name in self._names(call))
            if is_broadcast or (is_compile and not self._program.functions(call.func).nodes):
                given += [*call.args[:1], *(k.value for k in call.keywords if k.arg == "optimizer")]
        return {*self._program.ingredients_of(given)}
