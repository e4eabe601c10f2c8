"""Advice for a decision that workers make differently: the code that makes them agree."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..facts.agreement.averages import (
    decided_before,
    number_of_its_own,
    occurrences,
    value_of_its_own,
)
from ..facts.agreement.control import Decision, is_shared
from ..facts.agreement.reasons import test_of
from ..facts.training.pattern import Pattern, training_of
from ..program.node_fields import within

IMPORT = "`import horovod.tensorflow as hvd` at the top, and "
AVERAGE = "average it first: {}`{} = float(hvd.allreduce({}.constant({})))` before {}"
INSTEAD = ", and write `{}` for `{}` in {}"
EARLIER = "let the workers agree in line {} first: `{}` depends on it"


def agreed(facts: Facts, decision: Decision, otherwise: str) -> str:
    """Code for the number that decides, here or in a line before; else plain words."""
    if training_of(facts).pattern is not Pattern.GRADIENT_TAPE:
        return otherwise
    code = averaged(facts, decision, "this line")
    if code:
        return code
    test = test_of(facts, decision)
    for name in () if test is None else within(test):
        if not isinstance(name, ast.Name) or is_shared(facts, name):
            continue
        earlier = decided_before(facts, name)
        if earlier is not None and earlier is not test:
            line = facts.place(earlier)[0]
            code = averaged(facts, earlier, f"line {line}")
            return f"{code}: `{name.id}` depends on it" if code else EARLIER.format(line, name.id)
    return otherwise


def averaged(facts: Facts, decision: Decision, where: str) -> str:
    """The line that averages the number by which an `if` decides; empty where none will do."""
    tensorflow = facts.names.name_of("tensorflow") or "tf"
    imported = "" if facts.has_horovod else IMPORT
    number = number_of_its_own(facts, decision)
    if number is not None:
        return AVERAGE.format(imported, number.id, tensorflow, number.id, where)
    value = value_of_its_own(facts, decision)
    if value is None:
        return ""
    text, lines = ast.unparse(value), [str(line) for line in occurrences(facts, value)]
    name = next(n.id for n in within(value.func) if isinstance(n, ast.Name))
    name = f"average_{name}" if f"average_{name}" not in facts.index.names else f"{name}_of_all"
    places = f"lines {', '.join(lines[:-1])} and {lines[-1]}" if lines[1:] else f"line {lines[0]}"
    line = AVERAGE.format(imported, name, tensorflow, text, where)
    return line + INSTEAD.format(name, text, places)
