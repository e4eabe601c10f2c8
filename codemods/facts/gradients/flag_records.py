"""What is known about the flag of a broadcast, and which bindings of its optimizer count."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ...program.node_fields import is_placeholder, within
from ..causes import Cause
from ..facts import Facts
from ..scopes import Binding


class Flag(NamedTuple):
    """One optimizer's flag: a name, or an attribute of the object that has the optimizer."""

    owner: str  # tells optimizers apart
    holder: ast.expr | None = None  # the object, as the call names it
    after: Mapping[ast.stmt, ast.expr | None] = MappingProxyType({})  # made there, in which object
    before: tuple[ast.stmt, ...] = ()  # made there, at module level
    keys: tuple[ast.expr, ...] = ()  # the objects that have it, where there are several of them


class Unplaced(NamedTuple):
    """Why no flag fits; `of_objects`: why one does not, where there are several objects."""

    why: str
    fix: str
    cause: Cause | None = None
    of_objects: bool = False


UNTRACED = Unplaced(
    "nobody can tell where this optimizer is made",
    "create it by its class in this file and bind it to a name or an attribute",
    of_objects=True,
)
SEVERAL = Unplaced(
    "several optimizers are used through this name, each of which needs a broadcast of its own",
    "write a training step for each of them",
    of_objects=True,
)
SEVERAL_MODELS = Unplaced(
    "the model of this optimizer is made several times, and each one needs a broadcast of its own",
    "keep the optimizer outside of the model",
    of_objects=True,
)


def is_nothing(binding: Binding) -> bool:
    """Whether it binds nothing yet, as `optimizer = None` does at first."""
    return binding.value is not None and is_placeholder(binding.value)


def is_replaced(facts: Facts, binding: Binding, bindings: Iterable[Binding]) -> bool:
    """Whether another one of the bindings takes the value up, and the flag goes after that."""
    return any(_replaces(facts, other, binding) for other in bindings)


def _replaces(facts: Facts, later: Binding, earlier: Binding) -> bool:
    """Whether `opt = LossScaleOptimizer(opt)` follows in the same block."""
    one, other = facts.statement(earlier.node), facts.statement(later.node)
    target = getattr(other, "targets", [None])[0]
    block, number = facts.block(one)
    if target is None or other not in block[number + 1 :]:
        return False
    loads = (n for n in within(other) if isinstance(getattr(n, "ctx", None), ast.Load))
    return ast.unparse(target) in {ast.unparse(n) for n in loads}
