"""The meetings of counts and numbers that a training hangs on: not what is only shown.

What is printed every so many steps may come less often. What is saved, or tried on other data, may
not: of fewer steps a job would do so late, or never.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from ...library.displays import SUMMARY_WRITERS
from ...program.node_fields import within
from ..facts import Facts
from ..output.outputs import is_output, role
from ..output.side_effects import OF_MODELS, Evaluations
from ..roles import Role
from ..steps.compared_counts import Meeting, Meetings
from ..steps.units import Units
from ..training.session_runs import session_runs
from ..training.training_loops import trains
from .rates import looked_up, reckoned, set_rates, unfollowed

_BRANCHES = (ast.If, ast.IfExp)
_STATE = (Role.MODEL, Role.CHECKPOINT, Role.MANAGER)


def is_of_optimizer(facts: Facts, node: ast.AST) -> bool:
    """Whether it stands in an optimizer of the program's own, which counts its updates."""
    cls = facts.cls(node)
    return cls is not None and facts.role_of_class(cls) is Role.OPTIMIZER


class Hanging:
    """Those of one program, with the units of its numbers, and the powers that rates may have."""

    def __init__(self, facts: Facts, units: Units, of_rates: tuple[float, ...] = (0.0,)) -> None:
        self._facts, self._units, self._powers = facts, units, of_rates
        self._effects = Evaluations(facts)
        self._runs = {run.call for run in session_runs(facts)}

    def meetings(self) -> Iterator[Meeting]:
        """Where units don't go together, and a training hangs on it."""
        index = self._facts.index
        nodes = [*index.nodes(ast.BinOp), *index.nodes(ast.Compare), *index.nodes(ast.Call)]
        found = Meetings(self._facts.program, self._units)
        asked = (n for n in nodes if n in self._in_rates or not self._is_index(n))
        hanging = (each for each in found.unlike(asked) if not self._is_harmless(each))
        yield from (each._replace(goes_round=self._goes_round(each)) for each in hanging)
        of_tables = (m for n in self._numbers() for m in looked_up(self._facts, self._units, n))
        yield from (each for each in of_tables if not self._is_harmless(each))
        yield from self._of_rates()

    def shown(self) -> Iterator[Meeting]:
        """Comparisons with a number on which nothing hangs but what is shown."""
        asked = self._facts.index.nodes(ast.Compare)
        found = Meetings(self._facts.program, self._units).unlike(asked)
        yield from (each for each in found if self._is_harmless(each))

    def _goes_round(self, meeting: Meeting) -> bool:
        is_asked = self._branch(meeting.place) is not None
        return meeting.is_rhythm and meeting.place in self._in_rates and not is_asked

    def _numbers(self) -> Iterator[ast.AST]:
        """What may look numbers up."""
        index = self._facts.index
        yield from (*index.nodes(ast.Subscript), *index.nodes(ast.Call))

    def _of_rates(self) -> Iterator[Meeting]:
        """Rates that go by a count as such, `0.1 / (1 + step)`, or in a way that nobody follows."""
        for value in self._rates:
            unit = self._units.of(value)
            if unit.counts and not unit.powers <= {*self._powers}:
                yield Meeting(value, value, clash=unit.alone)
        for node in self._in_rates:
            yield from unfollowed(self._facts, self._units, node)

    @cached_property
    def _rates(self) -> dict[ast.expr, None]:
        return set_rates(self._facts)

    @cached_property
    def _in_rates(self) -> dict[ast.AST, None]:
        return dict.fromkeys(n for rate in self._rates for n in reckoned(self._facts, rate))

    def _is_index(self, node: ast.AST) -> bool:
        """Whether it says which part of something is taken."""
        child = node
        for parent in self._facts.parents(node):
            if isinstance(parent, ast.Subscript) and child is parent.slice:
                return True
            if isinstance(parent, ast.stmt):
                return False
            child = parent
        return False

    def _is_harmless(self, meeting: Meeting) -> bool:
        """Whether nothing but what is shown hangs on it, or an optimizer corrects its means so.

        `m / (1 - beta ** t)` asks how many gradients are in a mean, not where the training is.
        """
        if meeting.number is None and is_of_optimizer(self._facts, meeting.place):
            return True
        branch = self._branch(meeting.place)
        if branch is not None:
            return self._only_shows(branch, meeting.is_rhythm)
        statement = self._facts.statement(meeting.place)
        if meeting.is_rhythm:  # which goes round
            return meeting.place not in self._in_rates and self._decides_little(statement)
        if isinstance(statement, ast.Assign):
            return self._is_shown(statement)
        return self._shows(statement)

    def _decides_little(self, statement: ast.stmt) -> bool:
        """Whether what is bound to it decides at most what is shown: `is_due = step % 100 == 0`."""
        if isinstance(statement, ast.Return):
            return self._decides_little_where_called(statement)
        names = getattr(statement, "targets", [])
        loads = [load for n in names if isinstance(n, ast.Name) for load in self._facts.readers(n)]
        branches = [each for each in map(self._branch, loads) if each is not None]
        return all(self._only_shows(each, is_rhythm=True) for each in branches)

    def _decides_little_where_called(self, returned: ast.Return) -> bool:
        """The same of what a function says: `def is_due(step): return step % 100 == 0`."""
        home = self._facts.function(returned)
        calls = self._facts.call_sites(home) if home is not None else []
        branches = [self._branch(call) for call in calls]
        return bool(calls) and all(
            self._only_shows(branch, is_rhythm=True)
            if branch is not None
            else self._shows(self._facts.statement(call))
            for call, branch in zip(calls, branches)
        )

    def _branch(self, place: ast.AST) -> ast.If | ast.IfExp | None:
        """What is decided by a comparison, or by what is made of one."""
        child = place
        for parent in self._facts.parents(place):
            if isinstance(parent, _BRANCHES):
                return parent if child is parent.test else None
            if isinstance(parent, (ast.stmt, ast.Lambda)):
                return None
            child = parent
        return None

    def _only_shows(self, branch: ast.If | ast.IfExp, is_rhythm: bool) -> bool:
        """Whether it only prints; five steps of a critic and one of a generator go together."""
        if isinstance(branch, ast.IfExp):
            return False
        calls = [node for node in within(branch) if isinstance(node, ast.Call)]
        if trains(self._facts, branch):
            return is_rhythm and not any(map(self._saves, calls))
        statements = [*branch.body, *branch.orelse]
        if not all(map(self._is_done_by_one, statements)):
            return False
        is_output = is_rhythm or all(isinstance(each, ast.Expr) for each in statements)
        is_kept = any(map(self._saves, calls)) or any(map(self._evaluates, calls))
        return is_output and not is_kept and not self._sets(branch)

    def _is_done_by_one(self, statement: ast.stmt) -> bool:
        """Whether it could be left to one worker, also `with writer.as_default():`."""
        if self._effects.statement(statement) or self._is_kept_there(statement):
            return True
        if not isinstance(statement, ast.With):
            return False
        are_writers = all(self._is_of_writer(item.context_expr) for item in statement.items)
        return are_writers and all(map(self._is_done_by_one, statement.body))

    def _is_of_writer(self, entered: ast.expr) -> bool:
        """`writer.as_default()`; of other workers, one that writes nothing."""
        func = entered.func if isinstance(entered, ast.Call) else None
        made = self._facts.origins(func.value) if isinstance(func, ast.Attribute) else None
        if made is None or not made.complete:
            return False
        calls = (getattr(node, "func", None) for node in made.nodes)
        return bool(made.nodes) and all(
            c is not None and self._facts.name(c) in SUMMARY_WRITERS for c in calls
        )

    def _is_kept_there(self, statement: ast.stmt) -> bool:
        """`self.start = time.time()`, which the same branch alone reads, the next time."""
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        stores = [each for each in targets if isinstance(each, ast.Attribute)]
        kept = [each for each in stores if self._facts.classes.self_class(each.value) is not None]
        inside = {n for around in [self._facts.parent(statement)] if around for n in within(around)}
        loads = [n for each in kept for n in self._facts.index.loads.get(each.attr, ())]
        return bool(loads) and len(kept) == len(targets) and all(n in inside for n in loads)

    def _saves(self, call: ast.Call) -> bool:
        """Whether weights are written there."""
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr == "summary":
            return False
        return is_output(self._facts, call) and role(self._facts, func.value) in _STATE

    def _evaluates(self, call: ast.Call) -> bool:
        """`model.evaluate(…)`, `model(x)`, what a session is asked; not what it sets."""
        if call in self._runs:
            return not isinstance(self._facts.parent(call), ast.Expr)
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in OF_MODELS:
            return self._facts.role(func.value) is Role.MODEL
        return self._facts.role(func) is Role.MODEL

    def _sets(self, branch: ast.If) -> bool:
        """Whether a name that is bound there is read for more than output: `beta = beta + 0.1`."""
        inside = set(within(branch))
        loops = [p for p in self._facts.parents(branch) if isinstance(p, (ast.For, ast.While))]
        again = set(within(loops[-1])) if loops else set()
        anew = {
            n.id
            for each in loops[:1]
            for n in (within(each.target) if isinstance(each, ast.For) else ())
            if isinstance(n, ast.Name)
        }
        stores = (n for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        names = (n for n in stores if n.id not in anew)  # which the next round gives another value
        for load in (each for name in names for each in self._facts.readers(name)):
            is_elsewhere = self._facts.function(load) is not self._facts.function(branch)
            if load not in inside and (load in again or is_elsewhere):
                if not self._shows(self._facts.statement(load)):
                    return True
        return False

    def _is_shown(self, statement: ast.Assign) -> bool:
        """Whether what is assigned is read by statements that only print."""
        names = [each for each in statement.targets if isinstance(each, ast.Name)]
        loads = [load for name in names for load in self._facts.readers(name)]
        is_named = len(names) == len(statement.targets) and bool(loads)
        return is_named and all(self._shows(self._facts.statement(load)) for load in loads)

    def _shows(self, statement: ast.stmt) -> bool:
        """Whether a statement only prints."""
        shown = isinstance(statement, ast.Expr) and self._effects.outputs(statement.value)
        return bool(shown) and self._effects.statement(statement)
