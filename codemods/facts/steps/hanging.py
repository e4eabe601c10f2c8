"""The meetings of counts and numbers that a training hangs on: not what is only shown.

What is printed every so many steps may come less often. What is saved, or tried on other data, may
not: of fewer steps a job would do so late, or never.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts
from ..functions import returns
from ..optimizers.rate_settings import assigned
from ..output.evaluations import OF_MODELS, Evaluations
from ..output.outputs import is_output
from ..output.writing_methods import role
from ..roles import Role
from ..training.session_runs import session_runs
from ..training.training_loops import trains
from .meetings import Meeting, Meetings
from .units import Units

_BRANCHES = (ast.If, ast.IfExp)
_TESTS = (ast.BoolOp, ast.UnaryOp, ast.Compare)
_STATE = (Role.MODEL, Role.CHECKPOINT, Role.MANAGER)


class Hanging:
    """Those of one program, with the units of its numbers, and the powers that rates may have."""

    def __init__(self, facts: Facts, units: Units, of_rates: tuple[float, ...] = (0.0,)) -> None:
        self._facts, self._units, self._of_rates = facts, units, of_rates
        self._effects = Evaluations(facts)
        self._runs = {run.call for run in session_runs(facts)}

    def meetings(self) -> Iterator[Meeting]:
        """Where units don't go together, and a training hangs on it."""
        index = self._facts.index
        nodes = [*index.nodes(ast.BinOp), *index.nodes(ast.Compare), *index.nodes(ast.Call)]
        found = Meetings(self._facts.program, self._units)
        asked = (node for node in nodes if not self._is_index(node))
        yield from (each for each in found.unlike(asked) if not self._is_harmless(each))
        yield from self._rates()

    def _rates(self) -> Iterator[Meeting]:
        """Rates that are set, and go by a count as such: `0.1 / (1 + step)`."""
        for value in dict.fromkeys(r for each in assigned(self._facts) for r in self._made(each)):
            unit = self._units.of(value)
            if unit.counts and unit.power not in (None, *self._of_rates):
                yield Meeting(value, value)

    def _made(self, value: ast.expr) -> list[ast.expr]:
        """A value, or what a function of the program's own returns that gives it."""
        function = self._facts.callee(value) if isinstance(value, ast.Call) else None
        given = [] if function is None else [each.value for each in returns(function)]
        return [each for each in given if each is not None] or [value]

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
        """Whether nothing but what is shown hangs on it."""
        branch = self._branch(meeting.place)
        if branch is not None:
            return self._only_shows(branch, meeting.is_rhythm)
        if meeting.is_rhythm:
            return True  # which goes round
        statement = self._facts.statement(meeting.place)
        if isinstance(statement, ast.Assign):
            return self._is_shown(statement)
        return self._shows(statement)

    def _branch(self, place: ast.AST) -> ast.If | ast.IfExp | None:
        """What is decided by a comparison."""
        child = place
        for parent in self._facts.parents(place):
            if isinstance(parent, _BRANCHES):
                return parent if child is parent.test else None
            if not isinstance(parent, _TESTS):
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
        if not all(map(self._effects.statement, statements)):
            return False
        is_output = is_rhythm or all(isinstance(each, ast.Expr) for each in statements)
        is_kept = any(map(self._saves, calls)) or any(map(self._evaluates, calls))
        return is_output and not is_kept and not self._sets(branch)

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
        names = (n for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        for load in (each for name in names for each in self._loads(name)):
            is_elsewhere = self._facts.function(load) is not self._facts.function(branch)
            if load not in inside and (load in again or is_elsewhere):
                if not self._shows(self._facts.statement(load)):
                    return True
        return False

    def _loads(self, name: ast.Name) -> Iterator[ast.AST]:
        scope = self._facts.scope(name).find(name.id)
        for load in self._facts.index.loads.get(name.id, ()):
            if self._facts.scope(load).find(name.id) is scope:
                yield load

    def _is_shown(self, statement: ast.Assign) -> bool:
        """Whether what is assigned is read by statements that only print."""
        names = [each for each in statement.targets if isinstance(each, ast.Name)]
        loads = [load for name in names for load in self._loads(name)]
        is_named = len(names) == len(statement.targets) and bool(loads)
        return is_named and all(self._shows(self._facts.statement(load)) for load in loads)

    def _shows(self, statement: ast.stmt) -> bool:
        """Whether a statement only prints."""
        shown = isinstance(statement, ast.Expr) and self._effects.outputs(statement.value)
        return bool(shown) and self._effects.statement(statement)
