"""Where learning rates stand: in optimizers, schedules and the returns of the user's schedules.

Seeds 000 and 001, `trans_S` on optimizer constructors. What every place needs is one edit, so that
an optimizer which several loops share, or a schedule of two optimizers, is scaled once.
"""

from __future__ import annotations

import ast

from ...library.decays import old_decay
from ...library.optimizers import RateArgument
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..by_rank import depends_on_size
from ..facts import Facts
from ..roles import Role
from . import schedules
from .graph_rates import is_scaled_where_made, maker_of
from .kept_rates import is_kept, is_kept_there
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
    found = _given_rates(facts)
    for cls in schedules.outer_classes(facts):
        for value in schedules.rates_of(facts, cls):
            if not _is_from_scaled_base(facts, cls, value) and not depends_on_size(facts, value):
                found[value] = Rate()
    return found


def _given_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """Those in the arguments of calls; of a graph where they are made, if that is right."""
    found: dict[ast.AST, Rate] = {}
    replaced = _replaced(facts) if facts.has_horovod else frozenset()
    every = [each for each in rate_arguments(facts) if each[0] not in replaced]
    arguments = [each for each in every if not is_kept(facts, each[0])]
    of_graph = [given_rate(facts, *each) for each in arguments if is_of_graph(facts, each[0])]
    rates = [rate for rate in of_graph if rate is not None and not is_kept_there(facts, rate)]
    for call, argument in arguments:
        value = given_rate(facts, call, argument)
        maker = maker_of(facts, value) if value is not None and value in rates else None
        if maker is not None and is_scaled_where_made(facts, maker, rates):
            found.update(_of_maker(facts, maker))
        else:
            found.update(_scaled(facts, call, argument))
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


def _of_maker(facts: Facts, maker: ast.Call | ast.BinOp) -> dict[ast.AST, Rate]:
    """The rates that a decay of TensorFlow 1 is given; what makes a rate otherwise, itself."""
    row = old_decay(facts.name(maker.func)) if isinstance(maker, ast.Call) else None
    if row is None or not isinstance(maker, ast.Call):
        return {maker: Rate()}
    found: dict[ast.AST, Rate] = {}
    for argument in row.rates:
        found.update(_scaled(facts, maker, argument))
    return found


def _scaled(facts: Facts, call: ast.Call, argument: RateArgument) -> dict[ast.AST, Rate]:
    value = given_rate(facts, call, argument)
    if value is None:
        return _written_out(facts, call, argument)
    if argument.each:
        each = _each_scaled(facts, value)
        return {part: rate for part, rate in each.items() if not depends_on_size(facts, part)}
    if is_of_graph(facts, call) or old_decay(facts.name(call.func)) is not None:
        # a number or a tensor: the multiple of either is one
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
