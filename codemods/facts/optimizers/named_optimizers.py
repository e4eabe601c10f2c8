"""Optimizers that `compile` wraps itself (D301): they have no name, or a tape shares them."""

from __future__ import annotations

import ast

from ...library.optimizers import COMPILE_DEFAULT, of_string
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..keras_version import is_keras_3
from ..naming import can_be_named
from ..roles import Role
from ..training.pattern import Pattern, training_of
from .compiles import Compiled, compiles, string_of
from .looked_up import is_looked_up, is_text

_TAPE = Pattern.GRADIENT_TAPE


class Named(NamedTuple):
    """An optimizer that is made in the `compile` call, given as a string, left out, or shared."""

    compiled: Compiled
    cls: str | None  # the class of Keras to make it of; None: the argument is it
    wrap: bool
    is_shared: bool = False  # a tape applies it as well, in other runs: as it is
    is_text: bool = False  # the argument names the class when the program runs
    is_looked_up: bool = False  # its rate is only known then


def named_in_compile(facts: Facts) -> list[Named]:
    """The `compile` calls whose optimizer gets a name, a class or a wrapper there."""
    found = (_named(facts, compiled) for compiled in compiles(facts))
    return [named for named in found if named is not None]


def _named(facts: Facts, compiled: Compiled) -> Named | None:
    given = compiled.optimizer
    if compiled.own_signature:
        return None
    wrap = not (compiled.own_step or is_keras_3(facts))
    if given is None:
        hidden = facts.has_hidden_arguments(compiled.call)
        return None if hidden else Named(compiled, COMPILE_DEFAULT, wrap)
    is_read = not isinstance(given, (ast.Constant, ast.Name))  # `config.optimizer` may be changed
    can_name = can_be_named(facts, compiled.call)
    text = None if is_read and can_name and is_text(facts, given) else string_of(facts, given)
    if text is not None:
        cls = of_string(text, is_keras_3(facts))
        return None if cls is None else Named(compiled, cls, wrap)
    if can_name and is_text(facts, given):
        return Named(compiled, None, wrap, is_text=True, is_looked_up=True)
    if wrap and _is_applied(facts, given):
        return Named(compiled, None, True, is_shared=True)
    is_looked = can_name and is_looked_up(facts, given)
    if not (wrap or is_looked) or not _is_made_here(facts, given):
        return None
    return Named(compiled, None, wrap, is_looked_up=is_looked)


def _is_applied(facts: Facts, optimizer: ast.expr) -> bool:
    """Whether a tape's loop applies it, too."""
    steps = (call for call, pattern in training_of(facts).places if pattern is _TAPE)
    receivers = (call.func.value for call in steps if isinstance(call.func, ast.Attribute))
    made = set(facts.origins(optimizer).nodes)
    return any(not made.isdisjoint(facts.origins(each).nodes) for each in receivers)


def _is_made_here(facts: Facts, given: ast.expr) -> bool:
    """Whether each optimizer that flows in is created inside of the argument."""
    inside = set(within(given))
    made = facts.origins(given).nodes
    return (
        bool(made)
        and all(n in inside and isinstance(n, ast.Call) for n in made)
        and not any(facts.made_by(n) is not Role.OPTIMIZER for n in made if isinstance(n, ast.Call))
    )
