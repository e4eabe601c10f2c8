"""Numbers that each step takes a step further: `weight += 1e-5`, `epsilon *= 0.99`.

No count says how far they are. Where each worker takes an Nth of the steps, they come an Nth as
far, unless each of its steps takes them as far as N.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import EQUAL, gives, is_size
from ...library.counts import CHOOSING
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..output.side_effects import Evaluations
from ..steps.counters import beside, is_conditional, is_count
from ..steps.rounds import hooks, is_stepping, stepping
from ..training.training_loops import loop_around

_SUMS, _PRODUCTS = (ast.Add, ast.Sub), (ast.Mult, ast.Div)
_METHODS = ("assign_add", "assign_sub")


class Advance(NamedTuple):
    """What a step adds to a number, or multiplies it by; `node` gives what comes of it.

    `before`: where what it was before is read; None: it is that of a variable.
    """

    node: ast.AST
    number: ast.expr
    amount: ast.expr
    is_product: bool = False
    before: ast.expr | None = None


def advances(facts: Facts) -> Iterator[Advance]:
    """Those that more than output hangs on; not what counts, and not what batches decide."""
    shows = Evaluations(facts)
    for found in (*_augmented(facts), *_assigned(facts), *_of_variables(facts)):
        is_whole = not found.is_product and is_count(facts, found.amount)
        if not is_whole and _is_each_step(facts, found) and _is_fixed(facts, found.amount):
            if _is_carried(facts, found) and any(
                not _is_shown(facts, shows, each) for each in _readers(facts, found)
            ):
                yield found


def _augmented(facts: Facts) -> Iterator[Advance]:
    for node in facts.index.nodes(ast.AugAssign):
        if isinstance(node.op, (*_SUMS, *_PRODUCTS)):
            is_product = isinstance(node.op, _PRODUCTS)
            yield Advance(node, node.target, node.value, is_product, node.target)


def _assigned(facts: Facts) -> Iterator[Advance]:
    """`epsilon = max(0.1, epsilon * 0.99)`."""
    for node in facts.index.nodes(ast.Assign):
        for target in node.targets if len(node.targets) == 1 else ():
            yield from _further(target, node.value)


def _further(number: ast.expr, value: ast.expr) -> Iterator[Advance]:
    """The sums and products of a number in a value that it gets, on whichever side it stands."""
    for each in _chosen(value):
        by = beside(number, each, (*_SUMS, *_PRODUCTS))
        if by is not None and isinstance(each, ast.BinOp):
            before = each.left if by is each.right else each.right
            yield Advance(each, number, by, isinstance(each.op, _PRODUCTS), before)


def _chosen(value: ast.expr) -> Iterator[ast.expr]:
    """What a name may be given: each of the arguments of `min`."""
    yield value
    func = value.func if isinstance(value, ast.Call) else None
    if isinstance(value, ast.Call) and getattr(func, "attr", getattr(func, "id", "")) in CHOOSING:
        yield from value.args


def _of_variables(facts: Facts) -> Iterator[Advance]:
    """`weight.assign_add(1e-5)`, `weight.assign(weight * 0.99)`."""
    for call in facts.calls(*_METHODS):
        given = facts.argument(call, "delta", 0)
        if given is not None:
            yield from _made_by(facts, Advance(call, call.func.value, given))  # type: ignore[attr-defined]
    for call in facts.calls("assign"):
        given = facts.argument(call, "value", 0)
        for found in () if given is None else _further(call.func.value, given):  # type: ignore[attr-defined]
            yield from (found._replace(before=None), *_made_by(facts, found))


def _made_by(facts: Facts, advance: Advance) -> Iterator[Advance]:
    """The same of each variable that it may be, from where its values come."""
    for made in facts.origins(advance.number).nodes:
        yield advance._replace(node=made, before=None)


def _is_each_step(facts: Facts, advance: Advance) -> bool:
    """Whether it stands where steps are taken: what these call may be a world of its own."""
    statement = facts.statement(advance.number)
    home = facts.function(statement)
    is_here = home in hooks(facts) or (home, loop_around(facts, statement)) in stepping(facts)
    return is_here and not is_conditional(facts, statement)


def _is_carried(facts: Facts, advance: Advance) -> bool:
    """Whether the next step begins with what this one leaves: not `image /= 255` of a batch."""
    if advance.before is not None:
        return advance.node in facts.program.ingredients(advance.before)
    made = facts.origins(advance.number)
    return not made.nodes or not all(is_stepping(facts, node) for node in made.nodes)


def _is_fixed(facts: Facts, amount: ast.expr) -> bool:
    """Whether it is a number that no step decides."""
    parts = list(within(amount))
    names = [n for n in parts if isinstance(n, ast.Name)]
    made = [binding.node for name in names for binding in facts.names.bindings(name)]
    calls = (facts.name(n.func) or "" for n in parts if isinstance(n, ast.Call))
    is_plain = all(map(_gives_the_same, calls)) and not any(
        isinstance(n, ast.Subscript) for n in parts
    )
    return is_plain and not any(is_stepping(facts, node) for node in made)


def _gives_the_same(name: str) -> bool:
    """Whether a function gives the same for the same numbers: `np.exp(-1e-4)`."""
    return is_size(name) or gives(name) == EQUAL


def _readers(facts: Facts, advance: Advance) -> Iterator[ast.AST]:
    """What else reads the number."""
    number = advance.number
    if isinstance(number, ast.Name):
        found: list[ast.AST] = [*facts.readers(number)]
    else:
        found = [*facts.index.loads.get(getattr(number, "attr", ""), ())]
    own = facts.statement(number)
    yield from (each for each in found if facts.statement(each) is not own)


def _is_shown(facts: Facts, effects: Evaluations, reader: ast.AST) -> bool:
    statement = facts.statement(reader)
    shown = isinstance(statement, ast.Expr) and effects.outputs(statement.value)
    return bool(shown) and effects.statement(statement)
