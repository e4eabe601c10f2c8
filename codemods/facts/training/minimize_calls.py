"""Whether a method named `minimize` is that of an optimizer."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..roles import Role
from .graph_ops import computes_gradients, names_variables
from .other_libraries import is_foreign


def minimizes(facts: Facts, call: ast.Call, func: ast.Attribute) -> bool:
    """Whether an optimizer minimizes in this call: by its role, or by what it is given."""
    if func.attr != "minimize":
        return False
    if facts.role(func.value) in (Role.OPTIMIZER, Role.LOSS_SCALE):
        return True
    is_own = facts.callee(call) is not None or is_foreign(facts, func.value)
    return computes_gradients(facts, call) and names_variables(facts, call) and not is_own
