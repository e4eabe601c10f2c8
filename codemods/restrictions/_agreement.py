"""Advice for a decision that workers make differently: the code that makes them agree."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..facts.agreement.averages import decided_before, number_of_its_own
from ..facts.agreement.control import Decision, is_shared
from ..facts.agreement.reasons import test_of
from ..facts.training.pattern import Pattern, training_of
from ..program.node_fields import within

IMPORT = "`import horovod.tensorflow as hvd` at the top, and "
AVERAGE = "average it first: {}`{} = float(hvd.allreduce({}.constant({})))` before this line"
EARLIER = "let the workers agree in line {} first: `{}` depends on it"


def agreed(facts: Facts, decision: Decision, otherwise: str) -> str:
    """Code for the number that decides, the line that decides before; else plain words."""
    if training_of(facts).pattern is not Pattern.GRADIENT_TAPE:
        return otherwise
    number = number_of_its_own(facts, decision)
    if number is not None:
        tensorflow = facts.names.name_of("tensorflow") or "tf"
        imported = "" if facts.has_horovod else IMPORT
        return AVERAGE.format(imported, number.id, tensorflow, number.id)
    test = test_of(facts, decision)
    for name in () if test is None else within(test):
        if not isinstance(name, ast.Name) or is_shared(facts, name):
            continue
        earlier = decided_before(facts, name)
        if earlier is not None and earlier is not test:
            return EARLIER.format(facts.place(earlier)[0], name.id)
    return otherwise
