"""What is known about each broadcast of a program with loops of its own."""

from __future__ import annotations

import ast

from ...program.records import NamedTuple
from ..problems import Problem
from .applied import Applied
from .flag_records import Flag
from .variables import key


class OptimizerState(NamedTuple):
    """The variables of an optimizer, or of the one that a model was compiled with."""

    holder: ast.expr
    is_models: bool
    is_method: bool  # `variables()`


class Broadcast(NamedTuple):
    """What happens at one `apply_gradients`, `minimize` or `train_on_batch` call."""

    call: ast.Call
    flag: Flag
    applied: Applied
    optimizer: OptimizerState
    is_nested: bool  # the statement uses what the call returns, which needs a name for that
    asked: tuple[ast.expr, ...] = ()  # models that the step asks, but does not train
    beside: ast.expr | None = None  # a list of variables that nothing trains
    resets: tuple[ast.stmt, ...] = ()  # behind them the flag is set back
    together: tuple[Broadcast, ...] = ()  # those of optimizers that step just before, as always

    @property
    def key(self) -> tuple[object, ...]:
        """The same for calls that share a flag: those of one optimizer for the same variables."""
        return (self.flag.owner, *key(self.applied.variables))

    @property
    def spelled_key(self) -> tuple[object, ...]:
        """The same for those that reach the flag by the same name."""
        holder = self.flag.holder
        return (holder and ast.unparse(holder), *self.key)


class Broadcasts:
    """The calls that a broadcast follows, and those that it can't follow."""

    def __init__(self) -> None:
        self.applications: list[Broadcast] = []
        self.batches: list[Broadcast] = []
        self.problems: list[Problem] = []
