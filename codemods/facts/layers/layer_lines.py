"""Layers that are run line after line, each on what the one before gave.

x = self.first(x)
x = self.second(x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...program.records import NamedTuple
from .derivatives import recorded
from .layer_loops import is_decided, is_training
from .loop_values import Values
from .step_bodies import StepBody

if TYPE_CHECKING:
    from ..facts import Facts

FEWEST = 4  # layers that are worth it


class LayerLines(NamedTuple):
    """Lines that may be run by one call; `training` is what all of the layers get."""

    lines: tuple[ast.Assign, ...]
    layers: tuple[ast.expr, ...]
    carried: str
    training: ast.expr | None = None

    @property
    def node(self) -> ast.stmt:
        """The last line."""
        return self.lines[-1]


def layer_lines(facts: Facts) -> Iterator[LayerLines]:
    """The runs of such lines under a gradient, as long as they are."""
    if is_decided(facts):
        return
    seen: set[int] = set()
    for node in recorded(facts):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and id(block) not in seen:
                seen.add(id(block))
                yield from _of_block(facts, block)


def _of_block(facts: Facts, block: Sequence[ast.AST]) -> Iterator[LayerLines]:
    found: list[tuple[ast.Assign, ast.Call]] = []
    for statement in [*block, None]:
        call = _call(facts, statement)
        before = found[-1] if found else None
        if before is not None and not (call and _goes_on(before, statement, call)):
            if len(found) >= FEWEST:
                yield _lines(found)
            found = []
        if call is not None:
            assert isinstance(statement, ast.Assign)
            found.append((statement, call))


def _call(facts: Facts, statement: ast.AST | None) -> ast.Call | None:
    """The call of a line `x = layer(x)`, if the layer may be run again."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    call, (target, *others) = statement.value, statement.targets
    is_plain = isinstance(target, ast.Name) and not others and len(call.args) == 1
    given = call.args[0] if is_plain else None
    if not isinstance(given, ast.Name) or given.id != target.id:  # type: ignore[attr-defined]
        return None
    if not all(is_training(facts, keyword) for keyword in call.keywords):
        return None
    body = StepBody(facts, facts.record(Values))
    return None if any(True for _ in body.of_held(call.func)) else call


def _goes_on(before: tuple[ast.Assign, ast.Call], line: ast.AST | None, call: ast.Call) -> bool:
    (first, other) = before
    same_name = ast.unparse(first.targets[0]) == ast.unparse(line.targets[0])  # type: ignore[union-attr]
    same_flag = list(map(ast.unparse, other.keywords)) == list(map(ast.unparse, call.keywords))
    return same_name and same_flag


def _lines(found: Sequence[tuple[ast.Assign, ast.Call]]) -> LayerLines:
    lines, calls = zip(*found)
    target = lines[0].targets[0]
    training = next((keyword.value for keyword in calls[0].keywords), None)
    return LayerLines(lines, tuple(call.func for call in calls), target.id, training)
