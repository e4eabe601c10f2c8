"""Optimizer classes of the module that look at the gradients before Keras' class applies them.

BERT's `AdamWeightDecay.apply_gradients` clips, and hands on to `super().apply_gradients`: no step
of its own, only a part of the one that whoever has the optimizer takes. What it gets is averaged
before, by the tape or by the wrapper (DistributedOptimizer makes a subclass of it).
"""

from __future__ import annotations

import ast

from ..classes import is_super
from ..facts import Facts
from ..roles import Role


def calls_super_apply(facts: Facts, call: ast.Call) -> bool:
    """Whether it is such a `super().apply_gradients(…)`."""
    return (
        isinstance(call.func, ast.Attribute)
        and is_super(call.func.value)
        and _is_optimizers(facts, facts.cls(call))
    )


def applies(facts: Facts, call: ast.Call) -> bool:
    """Whether what is called applies gradients: no function of the module, or such a method."""
    callee = facts.callee(call)
    return callee is None or _is_optimizers(facts, facts.cls(callee))


def _is_optimizers(facts: Facts, cls: ast.ClassDef | None) -> bool:
    return cls is not None and facts.role_of_class(cls) is Role.OPTIMIZER
