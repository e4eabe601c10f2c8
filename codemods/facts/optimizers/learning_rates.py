"""Where learning rates stand: in optimizers, schedules and the returns of the user's schedules.

Seeds 000 and 001, `trans_S` on optimizer constructors. What every place needs is one edit, so that
an optimizer which several loops share, or a schedule of two optimizers, is scaled once.
"""

from __future__ import annotations

import ast

from ...library.optimizers import RateArgument
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..by_rank import depends_on_size
from ..facts import Facts
from ..roles import Role
from . import schedules
from .kept_rates import is_kept
from .optimizer_makers import innermost
from .rate_arguments import given_rate, is_of_graph, rate_arguments
from .rate_flow import NAMES, is_relative
from .rate_values import Nature, branches, nature


class Rate(NamedTuple):
    """What stands at a place: a rate, several of them, or a call that leaves its rate out."""

    is_sequence: bool = False
    argument: str = ""  # of the call: what it leaves out, with the value that it then has
    default: str = ""


def constructor_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """The rates given to optimizers and schedules where they are made."""
    found: dict[ast.AST, Rate] = {}
    replaced = _replaced(facts) if facts.has_horovod else frozenset()
    for call, argument in rate_arguments(facts):
        if call not in replaced and not is_kept(facts, call):
            found.update(_scaled(facts, call, argument))
    for cls in schedules.outer_classes(facts):
        for value in schedules.rates_of(facts, cls):
            if not _is_from_scaled_base(facts, cls, value) and not depends_on_size(facts, value):
                found[value] = Rate()
    return found


def _replaced(facts: Facts) -> frozenset[ast.AST]:
    """The optimizers whose rate a schedule replaces, as D105 writes it behind the wrapper."""
    stores = [store for name in NAMES for store in facts.index.attribute_stores.get(name, ())]
    return frozenset(
        made
        for target, binding in stores
        if isinstance(binding.value, ast.expr) and facts.role(binding.value) is Role.SCHEDULE
        for made in innermost(facts, target.value)
    )


def _scaled(facts: Facts, call: ast.Call, argument: RateArgument) -> dict[ast.AST, Rate]:
    value = given_rate(facts, call, argument)
    if value is None:
        return _written_out(facts, call, argument)
    if argument.each:
        each = _each_scaled(facts, value)
        return {part: rate for part, rate in each.items() if not depends_on_size(facts, part)}
    if is_of_graph(facts, call):  # a number or a tensor: the multiple of either is one
        return {} if depends_on_size(facts, value) else {value: Rate()}
    parts = [part for part in branches(facts, value) if not is_relative(facts, part)]
    return {part: Rate() for part in parts if nature(facts, part) is Nature.NUMBER}


def _written_out(facts: Facts, call: ast.Call, argument: RateArgument) -> dict[ast.AST, Rate]:
    if argument.default is None or argument.default == "None" or facts.has_hidden_arguments(call):
        return {}
    return {call: Rate(argument=argument.name, default=argument.default)}


def _each_scaled(facts: Facts, value: ast.expr) -> dict[ast.AST, Rate]:
    if isinstance(value, (ast.List, ast.Tuple)) and not any(
        isinstance(e, ast.Starred) for e in value.elts
    ):
        return {element: Rate() for element in value.elts}
    if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
        return {value.elt: Rate()}
    return {value: Rate(is_sequence=True)}


def _is_from_scaled_base(facts: Facts, cls: ast.ClassDef, value: ast.expr) -> bool:
    """`return super().__call__(step)` of a class whose base is scaled already."""
    asks = any(
        isinstance(n, ast.Attribute) and n.attr == "__call__" and isinstance(n.value, ast.Call)
        for n in within(value)
    )
    return asks and schedules.calls_super(facts, cls)
