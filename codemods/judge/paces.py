"""At which pace a program's steps are counted: all of one device's by each worker, or an Nth.

What ends the loops that train says it, or what they run over: a share has an Nth of the batches.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ..facts.data.stages import has_no_count
from ..facts.steps.counters import counters, told
from ..facts.steps.rounds import stepping
from ..facts.steps.units import FREE, SHARE, WHOLE, Counted, Powers, Units, Way
from ..facts.training.draws import without_bar
from ..library.agreement import COUNTERS
from ..library.names import in_v1, normal
from ..program.node_fields import within
from .rows import Rows, RowsOf
from .training_steps import steps

if TYPE_CHECKING:
    from ..facts import Facts

_SHARED = Rows.SHARE | Rows.OVERLAP
_ENDLESS = ("itertools.count", "itertools.cycle")
_LEAVING = (ast.Break, ast.Return)
_STOPS = (*in_v1("train.StopAtStepHook"), "tensorflow.estimator.StopAtStepHook")
_PASSING = ("builtins.enumerate", "builtins.zip", "builtins.iter", "builtins.list")


def paces(facts: Facts) -> Paces:
    """The pace of a program, which several obligations ask."""
    return facts.record(Paces)


class Paces:
    """The pace of one program."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._rows = facts, RowsOf(facts.program)

    def is_share(self, length: ast.expr) -> bool:
        """Whether a length is that of what the worker's number has cut, in batches as long."""
        return not self._facts.options.keeps_batch and any(
            self._rows.of(each) & _SHARED for each in _measured(length)
        )

    @cached_property
    def units(self) -> Units:
        """The units of the program's numbers, where counts go at the pace, if there is one."""
        unknown = self.pace is None
        found = told(self._facts) if unknown else counters(self._facts, self.pace or FREE)
        return Units(self._facts.program, Counted(found, self.is_share))

    @cached_property
    def pace(self) -> Powers | None:
        """-1 where each worker takes an Nth of the steps, 0 where all; None: nobody can tell."""
        found = {*self._of_fits(), *self._of_loops(), *self._of_hooks()} - {FREE}
        return next(iter(found)) if len(found) == 1 and None not in found else None

    @cached_property
    def _numbers(self) -> Units:
        """The units of numbers, where counts have none of their own."""
        return Units(self._facts.program, Counted(counters(self._facts, FREE), self.is_share))

    def _of_fits(self) -> Iterator[Powers | None]:
        from ..facts.training import fits

        for step in steps(self._facts):
            if step.is_fit:
                given = fits.arguments(self._facts, step.call, "steps_per_epoch")
                numbers = [n for n in given if not _is_none(n)]
                yield from map(self._of_number, numbers)
                yield from [] if numbers else [self._of_data(step.data)]

    def _of_loops(self) -> Iterator[Powers | None]:
        for _, loop in stepping(self._facts):
            if loop is not None:
                yield self._of_loop(loop)

    def _of_loop(self, loop: ast.AST) -> Powers | None:
        if isinstance(loop, ast.While):
            found = [*self._compared(loop.test)] or [*self._limits(loop)]
            return _one(found)
        over = without_bar(self._facts, loop.iter)  # type: ignore[attr-defined]
        name = self._name(over)
        while name in _PASSING and isinstance(over, ast.Call) and over.args:
            over = without_bar(self._facts, over.args[0])
            name = self._name(over)
        if isinstance(over, ast.Call) and name in COUNTERS:
            return self._of_number(over.args[0] if len(over.args) == 1 else over.args[1])
        limits = [*self._limits(loop)] if self._is_endless(over, name) else []
        return _one(limits) if limits else self._of_data((over,))

    def _of_hooks(self) -> Iterator[Powers | None]:
        for call in self._facts.calls_of(*_STOPS):
            given = [*call.args, *(k.value for k in call.keywords)]
            yield from (self._of_number(each) for each in given if not _is_none(each))

    def _of_number(self, number: ast.expr) -> Powers | None:
        unit = self._numbers.of(number)
        return unit.powers if unit.power in (0.0, -1.0) or not unit.powers else None

    def _of_data(self, data: tuple[ast.expr, ...]) -> Powers | None:
        rows = [self._rows.of(each) & ~(Rows.NONE | Rows.FIXED) for each in data]
        if any(each & _SHARED for each in rows):  # of a batch that is kept, a share of each
            return WHOLE if self._facts.options.keeps_batch else SHARE
        return WHOLE if rows and all(each == Rows.SAME for each in rows) else None

    def _compared(self, test: ast.expr) -> Iterator[Powers | None]:
        """Of the numbers that counts are compared with."""
        for node in within(test):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                if any(self._numbers.of(each).way is Way.COUNT for each in sides):
                    others = (each for each in sides if not self._numbers.of(each).counts)
                    yield from map(self._of_number, others)

    def _limits(self, loop: ast.AST) -> Iterator[Powers | None]:
        for node in within(loop):
            if isinstance(node, ast.If) and any(isinstance(s, _LEAVING) for s in node.body):
                yield from self._compared(node.test)

    def _is_endless(self, over: ast.expr, name: str) -> bool:
        calls = (n for n in self._facts.program.ingredients(over) if isinstance(n, ast.Call))
        return name in _ENDLESS or any(
            getattr(c.func, "attr", "") == "repeat" and has_no_count(c) for c in calls
        )

    def _name(self, over: ast.expr) -> str:
        return normal(self._facts.name(over.func) or "") if isinstance(over, ast.Call) else ""


def _one(found: list[Powers | None]) -> Powers | None:
    known = {each for each in found if each != FREE}
    return next(iter(known)) if len(known) == 1 else None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _measured(length: ast.expr) -> Iterator[ast.expr]:
    """`x` of `len(x)`, of `x.shape[0]`, of `x.cardinality()`."""
    if isinstance(length, ast.Call):
        func = length.func
        yield from length.args[:1] or ([func.value] if isinstance(func, ast.Attribute) else [])
    elif isinstance(length, ast.Subscript) and isinstance(length.value, ast.Attribute):
        yield length.value.value
