"""What rates are reckoned from, and where a count of steps goes that nobody follows on its way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.decays import DECAYS, OLD_DECAYS
from ...library.names import normal
from ...library.step_counts import KNOWN, LAST_WORDS, LOOKING_UP, RAMPS
from ...program.node_fields import within
from ..facts import Facts
from ..optimizers.learning_rates import assigned
from ..optimizers.rate_carriers import given_rate, rate_arguments
from ..roles import Role
from ..steps.compared_counts import Meeting, elements
from ..steps.units import Units, clash

_RECKONED = (ast.BinOp, ast.IfExp, ast.Call, ast.Subscript)
_FOLLOWED = {*LAST_WORDS, *OLD_DECAYS, *DECAYS}
_DEEP = 4  # names of names that a rate is reckoned from


def set_rates(facts: Facts) -> dict[ast.expr, None]:
    """The rates that optimizers are given, and those that are set, or what a function returns."""
    given = (given_rate(facts, *each) for each in rate_arguments(facts))
    found = [*assigned(facts), *(each for each in given if isinstance(each, ast.expr))]
    return dict.fromkeys(rate for each in found for rate in _made(facts, each))


def _made(facts: Facts, value: ast.expr) -> list[ast.expr]:
    """What a value is reckoned with, where functions of the program's own or names give it."""
    made = facts.origins(value).nodes
    return [each for each in made if isinstance(each, _RECKONED)] or [value]


def reckoned(facts: Facts, value: ast.expr, deep: int = _DEEP) -> Iterator[ast.AST]:
    """The syntax that a number is reckoned with, also under names; not what a model learns from."""
    for node in within(value):
        yield node
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and deep:
            made = facts.origins(node).nodes
            for each in (n for n in made if isinstance(n, (ast.Subscript, ast.Call))):
                yield from reckoned(facts, each, deep - 1)


def unfollowed(facts: Facts, units: Units, node: ast.AST) -> Iterator[Meeting]:
    """Counts of a worker's own steps that choose an element, or that outside code is given.

    With the keys of a table that is written out they go together or not.
    """
    keys = list(_keys(facts, node))
    for given in _given(facts, node):
        unit = units.of(given)
        if keys:
            met = ((key, clash(unit, units.of(key))) for key in keys)
            yield from (Meeting(node, given, k, True, clash=found) for k, found in met if found)
        elif unit.counts and unit.power != 0:
            yield Meeting(node, given, clash=unit.alone)


def _keys(facts: Facts, node: ast.AST) -> Iterator[ast.expr]:
    """Those of the table in `rates[step]`, `rates.get(step)`."""
    table = node.func if isinstance(node, ast.Call) else node
    if isinstance(table, (ast.Subscript, ast.Attribute)):
        for made in facts.origins(table.value).nodes:
            yield from elements(made) if isinstance(made, ast.Dict) else []


def looked_up(facts: Facts, units: Units, node: ast.AST) -> Iterator[Meeting]:
    """The same of what is there to be asked by a number, wherever: `np.interp`, a row of rates."""
    is_asked = isinstance(node, ast.Call) and _last_word(facts, node) in LOOKING_UP
    is_ramp = isinstance(node, ast.Subscript) and _is_ramp(facts, node.value)
    if is_asked or is_ramp or any(_keys(facts, node)):
        yield from unfollowed(facts, units, node)


def _is_ramp(facts: Facts, container: ast.expr) -> bool:
    """Whether it is a row of numbers, written out or made, that a count chooses from."""
    made = facts.origins(container).nodes
    return bool(made) and all(_makes_row(facts, each) for each in made)


def _makes_row(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return bool(node.elts) and all(isinstance(each, ast.Constant) for each in node.elts)
    return isinstance(node, ast.Call) and _last_word(facts, node) in RAMPS


def _given(facts: Facts, node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield node.left
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield from [] if isinstance(node.slice, (ast.Slice, ast.Tuple)) else [node.slice]
    elif isinstance(node, ast.Call) and not _is_followed(facts, node):
        given = [*node.args, *(k.value for k in node.keywords)]
        yield from (part for each in given for part in elements(each) or [each])


def _is_followed(facts: Facts, call: ast.Call) -> bool:
    """Whether its text is there, or a table tells what it makes of a count."""
    program = facts.program
    is_own = program.functions(call.func).nodes or program.instances(call.func).nodes
    if is_own or facts.role(call.func) is Role.SCHEDULE:
        return True
    is_known = normal(facts.name(call.func) or "") in KNOWN
    return is_known or _last_word(facts, call) in _FOLLOWED


def _last_word(facts: Facts, call: ast.Call) -> str:
    name = normal(facts.name(call.func) or "")
    return name.rpartition(".")[2] or getattr(call.func, "attr", "")
