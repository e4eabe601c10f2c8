"""What may run between two runs of steps, without comparing every place with every step."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from ..program.bindings import place
from ..program.parts import LOOPS
from ..program.precedence import Run
from .facts import Facts

Node = TypeVar("Node", bound=ast.AST)
_FIRST, _LAST = -1, 1 << 60  # numbers before and behind all of those at one place


def runs_between_steps(facts: Facts, node: ast.AST, steps: list[ast.Call]) -> bool:
    """Whether a step may have run before it, and one may run behind it."""
    return any(facts.may_precede(step, node) for step in steps) and any(
        facts.may_precede(node, step) for step in steps
    )


class Between(Generic[Node]):
    """Places of a module in their order, of which each step is compared with a few only.

    A place that the module comes to once runs between two steps if it stands between them there, if
    a loop or a function is around both, or not at all.
    """

    def __init__(self, facts: Facts, nodes: Iterable[Node]) -> None:
        self._facts, self._nodes = facts, list(dict.fromkeys(nodes))
        self._anywhere: list[int] = []
        self._inside: dict[ast.AST, list[int]] = defaultdict(list)
        self._in_order = sorted(
            entry for number, node in enumerate(self._nodes) for entry in self._enter(number, node)
        )

    def _enter(self, number: int, node: ast.AST) -> Iterator[tuple[tuple[int, int], int]]:
        runs = self._facts.lifted(node)
        at_top = [run for scope, run in runs if scope is self._facts.module]
        if len(at_top) != 1 or runs != self._facts.lifted(node, is_first=True):
            self._anywhere.append(number)
            return
        for around in self._around(runs):
            self._inside[around].append(number)
        yield place(at_top[0]), number

    def _around(self, runs: Iterable[Run]) -> Iterator[ast.AST]:
        """The functions that come to it, and the loops of the module."""
        for scope, run in runs:
            if scope is not self._facts.module:
                yield scope
            else:
                yield from (p for p in self._facts.parents(run) if isinstance(p, LOOPS))

    def of(self, steps: list[ast.Call]) -> list[Node]:
        """The places that may run between two runs of these steps, and a few more, in order."""
        early = [self._facts.lifted(step, is_first=True) for step in steps]
        late = [self._facts.lifted(step) for step in steps]
        starts, ends = self._at_top(early), self._at_top(late)
        if starts is None or ends is None:
            return self._nodes
        begin = bisect_right(self._in_order, (min(starts), _LAST))
        end = bisect_left(self._in_order, (max(ends), _FIRST))
        found = {*self._anywhere, *(number for _, number in self._in_order[begin:end])}
        for around in {a for runs in (*early, *late) for a in self._around(runs)}:
            found.update(self._inside.get(around, ()))
        return [self._nodes[number] for number in sorted(found)]

    def _at_top(self, runs_of: list[list[Run]]) -> list[tuple[int, int]] | None:
        """Where the module comes to each of the steps; None if it comes to one of them nowhere."""
        found = [[run for scope, run in runs if scope is self._facts.module] for runs in runs_of]
        return [place(run) for runs in found for run in runs] if all(found) else None
