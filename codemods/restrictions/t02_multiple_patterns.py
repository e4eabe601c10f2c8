"""The training loop is of one kind (seed 000, section 3.1, restrictions 2 and 3)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import finding

MOVE = "give each an optimizer of its own, or move {} to another file, with what it needs"


@restriction(code="T02", name="multiple-patterns")
def multiple_patterns(facts: Facts) -> Iterator[Finding]:
    """The first place of every further pattern."""
    if training_of(facts).pattern is not Pattern.MULTIPLE:
        return
    first = training_of(facts).places[0][1]
    seen = {first}
    for call, pattern in training_of(facts).places:
        if pattern not in seen:
            seen.add(pattern)
            yield finding(
                facts,
                call,
                "T02",
                f"this trains with {pattern.value}, while the file also trains with {first.value}",
                apart(facts, call),
            )


def apart(facts: Facts, call: ast.Call) -> str:
    """The advice to move the loop, by its lines: what stands around a call at the top."""
    top: ast.AST = facts.top(facts.statement(call))
    named = facts.function(call) or top
    name = getattr(named, "name", None)
    first, last = named.lineno, named.end_lineno  # type: ignore[attr-defined]
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    return MOVE.format(f"`{name}` ({where})" if name else where)
