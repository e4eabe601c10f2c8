"""At which pace a program's steps are counted: all of one device's by each worker, or an Nth.

What ends the loops that train says it, or what they run over: a share has an Nth of the batches.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ..facts.by_rank import depends_on_size
from ..facts.data.pipelines import has_no_count
from ..facts.should_stop_tests import is_until_stop
from ..facts.steps.each_step import counters, stepping, told
from ..facts.steps.units import FREE, SHARE, WHOLE, Counted, Powers, Unit, Units, Way
from ..facts.timing.advances import advances
from ..facts.training.estimator_training import estimator_trainings, given
from ..facts.training.training_loops import loop_around, without_bar
from ..library.agreement import COUNTERS
from ..library.names import normal
from ..library.tensorflow_names import STOPS_AT_STEP
from ..program.node_fields import within
from .rows import Rows, RowsOf
from .training_steps import steps

if TYPE_CHECKING:
    from ..facts import Facts

_SHARED = Rows.SHARE | Rows.OVERLAP
_ENDLESS = ("itertools.count", "itertools.cycle")
_LEAVING = (ast.Break, ast.Return)
_OF_ESTIMATORS = ("steps", "max_steps")
_PASSING = ("builtins.enumerate", "builtins.zip", "builtins.iter", "builtins.list")


def paces(facts: Facts) -> Paces:
    """The pace of a program, which several obligations ask."""
    return facts.record(Paces)


class Paces:
    """The pace of one program."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._rows = facts, RowsOf(facts.program)
        self._known: dict[Powers, Units] = {}

    def is_share(self, length: ast.expr) -> bool:
        """Whether a length is that of what the worker's number has cut, in batches as long."""
        return not self._facts.options.keeps_batch and any(
            self._rows.of(each) & _SHARED for each in _measured(length)
        )

    @cached_property
    def units(self) -> Units:
        """The units of the program's numbers, where counts go at the pace, if there is one."""
        if self.pace is None:
            return Units(self._facts.program, Counted(told(self._facts), self.is_share))
        return self.at(self.pace)

    def at(self, pace: Powers) -> Units:
        """The units of the program's numbers, where counts go at a pace."""
        if pace not in self._known:
            found = {**dict(self._further(pace)), **counters(self._facts, pace)}
            self._known[pace] = Units(self._facts.program, Counted(found, self.is_share))
        return self._known[pace]

    @cached_property
    def pace(self) -> Powers | None:
        """-1 where each worker takes an Nth of the steps, 0 where all; None: nobody can tell."""
        found = {*self._of_fits(), *self._of_estimators(), *self._of_loops(), *self._of_hooks()}
        found -= {FREE}
        if not found and (None, None) in stepping(self._facts):
            return WHOLE  # what no loop repeats, each worker does
        return next(iter(found)) if len(found) == 1 and None not in found else None

    def _further(self, pace: Powers) -> Iterator[tuple[ast.AST, Unit]]:
        """What each step takes further, as far as N of one device's where it knows their number."""
        for each in advances(self._facts):
            by = 1.0 if depends_on_size(self._facts, each.amount) else 0.0
            powers = frozenset(power + by for power in pace)
            yield from [] if each.is_product else [(each.node, Unit(powers, Way.RECKONED))]

    @property
    def _numbers(self) -> Units:
        """The units of numbers, where counts have none of their own."""
        return self.at(FREE)

    def _of_fits(self) -> Iterator[Powers | None]:
        from ..facts.training import fits

        for step in steps(self._facts):
            if step.is_fit:
                given = fits.arguments(self._facts, step.call, "steps_per_epoch")
                numbers = [n for n in given if not _is_none(n)]
                yield from map(self._of_number, numbers)
                yield from [] if numbers else [self._of_data(step.data)]

    def _of_estimators(self) -> Iterator[Powers | None]:
        """What `train` is told, its hooks, or how long its data is."""
        trainings = estimator_trainings(self._facts)
        for step in (each for each in steps(self._facts) if each.call in trainings):
            numbers = (given(self._facts, step.call, name) for name in _OF_ESTIMATORS)
            told = [n for n in numbers if n is not None and not _is_none(n)]
            yield from map(self._of_number, told)
            yield from [] if told or any(self._of_hooks()) else [self._of_data(step.data)]

    def _of_loops(self) -> Iterator[Powers | None]:
        loops = {loop: home for home, loop in stepping(self._facts) if loop is not None}
        for loop, home in loops.items():
            pace = self._of_loop(loop)
            if pace != WHOLE or not self._is_inside(loop, home, loops):
                yield pace

    def _is_inside(
        self, loop: ast.AST, home: ast.AST | None, loops: Mapping[ast.AST, object]
    ) -> bool:
        """Whether it is a part of another one's round: five steps of a critic, then one."""
        if any(parent in loops for parent in self._facts.parents(loop)):
            return True
        calls = self._facts.call_sites(home) if home is not None else ()
        return bool(calls) and all(loop_around(self._facts, call) in loops for call in calls)

    def _of_loop(self, loop: ast.AST) -> Powers | None:
        if isinstance(loop, ast.While):
            return self._of_while(loop)
        over = without_bar(self._facts, loop.iter)  # type: ignore[attr-defined]
        name = self._name(over)
        while name in _PASSING and isinstance(over, ast.Call) and over.args:
            over = without_bar(self._facts, over.args[0])
            name = self._name(over)
        if isinstance(over, ast.Call) and name in COUNTERS:
            return self._of_number(over.args[0] if len(over.args) == 1 else over.args[1])
        limits = [*self._limits(loop)] if self._is_endless(over, name) else []
        return _one(limits) if limits else self._of_data((over,))

    def _of_while(self, loop: ast.While) -> Powers | None:
        """What ends it: a number of steps, the hooks of its session, or the data."""
        limits = [*self._compared(loop.test)] or [*self._limits(loop)]
        if limits or not self._ends_with_data(loop):
            return _one(limits)
        if any(self._of_hooks()):
            return FREE  # they say it
        inside = set(within(loop))
        taken = (each for each in steps(self._facts) if each.call in inside)
        return _one([self._of_data(each.data) for each in taken])

    def _ends_with_data(self, loop: ast.While) -> bool:
        """`while not session.should_stop():`, and what an exception alone ends."""
        is_endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
        handlers = (n for n in within(loop) if isinstance(n, ast.ExceptHandler))
        handled = {node for handler in handlers for node in within(handler)}
        leaving = (node for node in within(loop) if isinstance(node, _LEAVING))
        is_thrown = is_endless and all(node in handled for node in leaving)
        return is_thrown or is_until_stop(self._facts, loop.test)

    def _of_hooks(self) -> Iterator[Powers | None]:
        for call in self._facts.calls_of(*STOPS_AT_STEP):
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
                others = [each for each in sides if not self._numbers.of(each).counts]
                if any(map(self._is_count, sides)):
                    yield from map(self._of_number, others)

    def _is_count(self, side: ast.expr) -> bool:
        """A count, or one of examples: `step * batch_size`, of batches as long as they were."""
        if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult):
            sizes = [each for each in (side.left, side.right) if not self._numbers.of(each).counts]
            is_whole = len(sizes) == 1 and self._numbers.of(sizes[0]).powers <= WHOLE
            return is_whole and any(map(self._is_count, (side.left, side.right)))
        return self._numbers.of(side).way is Way.COUNT

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
