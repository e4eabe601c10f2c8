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
from .layer_bodies import is_of_keras, without_training
from .layer_calls import Problem
from .layer_loops import is_decided, is_training
from .loop_values import Values
from .step_bodies import StepBody

if TYPE_CHECKING:
    from ..facts import Facts

FEWEST = 4  # layers that are worth it
Line = tuple[ast.Assign, ast.Call, list[Problem]]


class LayerLines(NamedTuple):
    """Lines that may be run by one call; `training` is what all of the layers get."""

    lines: tuple[ast.Assign, ...]
    layers: tuple[ast.expr, ...]
    carried: str
    training: ast.expr | None = None
    repaired: tuple[Problem, ...] = ()  # what would not be the same in every run

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
    found: list[Line] = []
    for statement in [*block, None]:
        call = _call(facts, statement)
        wrong = None if call is None else _wrong(facts, call)
        line = None if wrong is None else (statement, call, wrong)
        if found and not (line and _goes_on(facts, found, line[0], line[1])):  # type: ignore[arg-type]
            if len(found) >= FEWEST:
                yield _lines(found)
            found = []
        if line is not None:
            found.append(line)  # type: ignore[arg-type]


def _wrong(facts: Facts, call: ast.Call) -> list[Problem] | None:
    """What must be repaired in a layer, None if it may not be run again."""
    body = StepBody(facts, facts.record(Values))
    found = [p if call.keywords else without_training(p) for p in body.of_held(call.func)]
    is_moved = any(call.func in (p.node, *facts.parents(p.node)) for p in found)
    return found if all(p.repair for p in found) and not is_moved else None


def _call(facts: Facts, statement: ast.AST | None) -> ast.Call | None:
    """The call of a line `x = layer(x)`."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    call, (target, *others) = statement.value, statement.targets
    is_plain = isinstance(target, ast.Name) and not others and len(call.args) == 1
    given = call.args[0] if is_plain else None
    if not isinstance(given, ast.Name) or given.id != target.id:  # type: ignore[attr-defined]
        return None
    return call if all(is_training(facts, keyword) for keyword in call.keywords) else None


def _goes_on(facts: Facts, before: Sequence[Line], line: ast.Assign, call: ast.Call) -> bool:
    """Whether one call can run it with the lines before: all of them get the same, or nothing."""
    calls = [*(each[1] for each in before), call]
    flags = {ast.unparse(keyword) for each in calls for keyword in each.keywords}
    silent = [each.func for each in calls if not each.keywords]
    is_same = ast.unparse(before[0][0].targets[0]) == ast.unparse(line.targets[0])
    may_be_told = not flags or all(is_of_keras(facts, layer) for layer in silent)
    return is_same and len(flags) < 2 and may_be_told


def _lines(found: Sequence[Line]) -> LayerLines:
    lines, calls, wrong = zip(*found)
    target = lines[0].targets[0]
    training = next((keyword.value for keyword in calls[0].keywords), None)
    repaired = tuple(dict.fromkeys(problem for each in wrong for problem in each))
    return LayerLines(lines, tuple(c.func for c in calls), target.id, training, repaired)
