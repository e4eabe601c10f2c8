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
from .layer_bodies import is_of_keras, needs_training, without_training
from .layer_calls import Problem
from .layer_loops import is_decided, is_training, tells_training
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
    is_told: bool = False  # as of LayerLoop
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
        wrong = None if call is None else _wrong(facts, statement, call)  # type: ignore[arg-type]
        line = None if wrong is None else (statement, call, wrong)
        if found and not (line and _goes_on(facts, [*found, line])):  # type: ignore[list-item]
            if len(found) >= FEWEST:
                yield _lines(found)
            found = []
        if line is not None:
            found.append(line)  # type: ignore[arg-type]


def _wrong(facts: Facts, line: ast.stmt, call: ast.Call) -> list[Problem] | None:
    """What must be repaired in a layer, None if it may not be run again."""
    body = StepBody(facts, facts.record(Values))
    is_told = bool(call.keywords) or tells_training(facts, line)
    found = [p if is_told else without_training(p) for p in body.of_held(call.func)]
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


def _goes_on(facts: Facts, lines: Sequence[Line]) -> bool:
    """Whether one call can run them: all of them get the same, or nothing."""
    (first, *_), (last, *_) = lines[0], lines[-1]
    flags = {ast.unparse(keyword.value) for _, call, _ in lines for keyword in call.keywords}
    silent = [call.func for _, call, _ in lines if not call.keywords]
    is_told = flags <= {"training"} and tells_training(facts, last)
    may_be_told = is_told and all(is_of_keras(facts, layer) for layer in silent)
    is_silent = not flags and not any(needs_training(p) for _, _, wrong in lines for p in wrong)
    is_same = ast.unparse(first.targets[0]) == ast.unparse(last.targets[0])
    return is_same and len(flags) < 2 and (is_silent or not silent or may_be_told)


def _lines(found: Sequence[Line]) -> LayerLines:
    lines, calls, wrong = zip(*found)
    target = lines[0].targets[0]
    training = next((keyword.value for call in calls for keyword in call.keywords), None)
    repaired = tuple(dict.fromkeys(problem for each in wrong for problem in each))
    is_told = training is None and any(map(needs_training, repaired))
    layers = tuple(call.func for call in calls)
    return LayerLines(lines, layers, target.id, training, is_told, repaired)
