"""The meetings of counts and numbers that a training hangs on: not what is shown, or kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..output.evaluations import Evaluations
from ..training.training_loops import trains
from .meetings import Meeting, Meetings
from .units import Units

_BRANCHES = (ast.If, ast.IfExp)


class Hanging:
    """Those of one program, with the units of its numbers."""

    def __init__(self, facts: Facts, units: Units) -> None:
        self._facts, self._units = facts, units
        self._effects = Evaluations(facts)

    def meetings(self) -> Iterator[Meeting]:
        """Where units don't go together, and a training hangs on it."""
        index = self._facts.index
        nodes = [*index.nodes(ast.BinOp), *index.nodes(ast.Compare), *index.nodes(ast.Call)]
        found = Meetings(self._facts.program, self._units)
        asked = (node for node in nodes if not self._is_index(node))
        return (each for each in found.unlike(asked) if not self._is_harmless(each))

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
        """Whether nothing but what is shown or kept hangs on it."""
        branch = self._branch(meeting.place)
        if branch is not None:
            return self._only_shows(branch)
        statement = self._facts.statement(meeting.place)
        if isinstance(statement, (ast.Expr, ast.With)):
            shown = statement.value if isinstance(statement, ast.Expr) else None
            return bool(shown and self._effects.outputs(shown)) and self._effects.statement(statement)
        return isinstance(statement, ast.Assign) and self._is_shown(statement)

    def _branch(self, place: ast.AST) -> ast.If | ast.IfExp | None:
        """What is decided by a comparison."""
        child = place
        for parent in self._facts.parents(place):
            if isinstance(parent, _BRANCHES):
                return parent if child is parent.test else None
            if not isinstance(parent, (ast.BoolOp, ast.UnaryOp, ast.Compare)):
                return None
            child = parent
        return None

    def _only_shows(self, branch: ast.If | ast.IfExp) -> bool:
        if isinstance(branch, ast.IfExp) or trains(self._facts, branch):
            return False
        statements = [*branch.body, *branch.orelse]
        is_output = all(isinstance(each, ast.Expr) for each in statements)
        return is_output and all(map(self._effects.statement, statements))

    def _is_shown(self, statement: ast.Assign) -> bool:
        """Whether what is assigned is read by statements that only print."""
        names = [each for each in statement.targets if isinstance(each, ast.Name)]
        if len(names) != len(statement.targets):
            return False
        loads = [
            load
            for name in names
            for load in self._facts.index.loads.get(name.id, ())
            if self._facts.scope(load).find(name.id) is self._facts.scope(name).find(name.id)
        ]
        return bool(loads) and all(map(self._shows, loads))

    def _shows(self, load: ast.AST) -> bool:
        statement = self._facts.statement(load)
        is_shown = isinstance(statement, ast.Expr) and self._effects.outputs(statement.value)
        return bool(is_shown) and self._effects.statement(statement)
