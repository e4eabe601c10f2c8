"""By which tests elements are put into a container, or given by a generator, and others aren't.

A `while` that goes on until there are enough isn't looked at: its own test counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from ..program.node_fields import within
from ..program.program import Program
from ..program.sizes import RESIZING
from ..program.things import Thing
from .beside import Beside

_YIELDS = (ast.Yield, ast.YieldFrom)


class Fillings:
    """Those of one program."""

    def __init__(self, program: Program, beside: Beside) -> None:
        self._program, self._beside = program, beside

    @property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What holds each node."""
        return self._beside.parents

    def of(self, box: Thing) -> list[ast.AST]:
        """Where elements are put into a container."""
        return self._known.get(box, [])

    @cached_property
    def _known(self) -> dict[Thing, list[ast.AST]]:
        found: dict[Thing, list[ast.AST]] = {}
        for node in self._beside.parents:
            holder = _holder(node)
            for thing in () if holder is None else self._program.things(holder):
                found.setdefault(thing, []).append(node)
        return found

    @staticmethod
    def given(functions: tuple[ast.AST, ...]) -> list[ast.AST]:
        """Where generators give an element."""
        return [n for function in functions for n in within(function) if isinstance(n, _YIELDS)]

    def tests(self, places: list[ast.AST]) -> Iterator[ast.expr]:
        """The tests by which there are more or fewer of these places, or less is put in there."""
        for place in places:
            around = self._beside.around(place)
            if not any(isinstance(up, ast.While) for up in around):
                tests = self._beside.tests(place, 0)
                yield from (test for test in tests if not self._is_balanced(test, places))

    def rounds(self, places: list[ast.AST]) -> Iterator[ast.expr]:
        """What is gone through for them."""
        for place in places:
            for up in self._beside.around(place):
                yield from [up.iter] if isinstance(up, (ast.For, ast.AsyncFor)) else []
                yield from (each.iter for each in getattr(up, "generators", ()))

    def _is_balanced(self, test: ast.expr, places: list[ast.AST]) -> bool:
        """Whether as much is put in on either side: `if …: x.append(a)`, `else: x.append(b)`."""
        branch = self._beside.parents[test]
        if not isinstance(branch, ast.If) or not branch.orelse:
            return False
        sides = ({n for s in block for n in within(s)} for block in (branch.body, branch.orelse))
        return len({sum(place in side for place in places) for side in sides}) == 1


def _holder(node: ast.AST) -> ast.expr | None:
    """`kept` of `kept.append(a)` and `kept += [a]`."""
    if isinstance(node, ast.AugAssign):
        return node.target
    func = node.func if isinstance(node, ast.Call) else None
    return func.value if isinstance(func, ast.Attribute) and func.attr in RESIZING else None
