"""The nodes of conditions: what decides whether a statement runs."""

from __future__ import annotations

import ast

from .core import Core
from .edges import Edge
from .sources import Source
from .things import Function
from .variables import Variables
from .versions import Condition


class Conditions:
    """The nodes of the conditions that `order` finds; a function's statements hang on its calls."""

    def __init__(self, core: Core, variables: Variables) -> None:
        self._core, self._variables = core, variables
        self.functions: dict[ast.AST, Function] = {}  # in which function a binding stands

    def settle(self) -> None:
        """Let what other functions bind hang on their calls."""
        cells, self._variables.cells = self._variables.cells, []
        for source, version, n in cells:
            owner = source.owner(version)
            if owner is None:  # what a function sees at its calls: each hangs on its own
                continue
            for binding in version.args or ():
                function = None if binding.node is None else self.functions.get(binding.node)
                if function is not None and function.node is owner:
                    function = None
                self._core.decide(self.of(source, binding.node, function), n)

    def of(
        self, source: Source, statement: ast.AST | None, function: Function | None
    ) -> tuple[int, ...]:
        """The nodes that decide whether a statement runs; none: it always does."""
        inner = self.inside(source, statement)
        entry = () if function is None else (self._core.place((function, "entry")),)
        return (*inner, *entry)

    def inside(self, source: Source, statement: ast.AST | None) -> tuple[int, ...]:
        """The same within the function around: what decides if the function is called."""
        condition = None if statement is None else source.order.conditions.get(statement)
        return () if condition is None else (self._node(condition),)

    def _node(self, condition: Condition) -> int:
        n = self._core.place(condition)
        each: Condition | None = condition
        while each is not None:
            place = self._core.place(each)
            if self._core.sources[place]:
                break
            if each.kind != "raise":  # a worker that raises goes no further
                self._core.decide(tuple(map(self._variables.test, each.tests)), place)
            if each.outer is not None:
                self._core.note(self._core.place(each.outer), place, Edge.CONDITION)
            each = each.outer
        return n
