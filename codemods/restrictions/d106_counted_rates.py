"""Rates that are set by the number of a step, of which each worker takes only its share."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.by_rank import depends_on_size
from ..facts.data.counters import hook_counters, loop_counters
from ..facts.data.counts import shrinks
from ..facts.data.steps import is_shorter
from ..facts.optimizers.rate_settings import assigned
from ..facts.training.counting_variables import counts_steps
from ..model import Finding
from . import restriction
from ._finding import LOOK, note

MESSAGE = "this rate goes by the number of a step, of which a worker takes only its share"
FIX = "count each step as hvd.size() of them: `{} * hvd.size()`"


@restriction(code="D106", name="counted-rates")
def counted_rates(facts: Facts) -> Iterator[Finding]:
    """Notes, but for numbers that are reckoned from the length of the data, which is shorter."""
    for value, counter in counted(facts):
        yield note(facts, value, "D106", MESSAGE, FIX.format(ast.unparse(counter)), kind=LOOK)


def counted(facts: Facts) -> Iterator[tuple[ast.expr, ast.AST]]:
    """Such rates, with what counts."""
    for value in assigned(facts):
        parts = list(facts.program.ingredients(value))
        counter = next((part for part in parts if is_counter(facts, part, value)), None)
        if counter is None or not is_shorter(facts) or depends_on_size(facts, counter):
            continue
        if not any(shrinks(facts, part) for part in parts):
            yield value, counter


def is_counter(facts: Facts, node: ast.AST, value: ast.expr) -> bool:
    """A counter of a loop or of a callback, a variable that steps add to, the optimizer's own."""
    if isinstance(node, (ast.Name, ast.Attribute)) and counts_steps(facts, node):
        return True
    if isinstance(node, ast.Name):
        return node.id in loop_counters(facts, value)
    if not isinstance(node, ast.Attribute):
        return False
    if node.attr == "iterations":
        return facts.role(node.value) is Role.OPTIMIZER
    cls = facts.cls(node)
    is_callback = cls is not None and facts.role_of_class(cls) is Role.CALLBACK
    return is_callback and cls is not None and node.attr in hook_counters(facts, cls)
