"""Numbers that each step takes a step further: `weight += 1e-5`, `epsilon *= 0.99`.

No count says how far they are. Where each worker takes an Nth of the steps, they come an Nth as
far, unless each of its steps takes them as far as N.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import is_size
from ...library.counts import CHOOSING
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..output.evaluations import Evaluations
from ..steps.counters import is_conditional, is_count
from ..steps.rounds import hooks, is_stepping, stepping
from ..training.training_loops import loop_around

_SUMS, _PRODUCTS = (ast.Add, ast.Sub), (ast.Mult, ast.Div)
_METHODS = ("assign_add", "assign_sub")


class Advance(NamedTuple):
    """What a step adds to a number, or multiplies it by; `node` gives what comes of it."""

    node: ast.AST
    number: ast.expr
    amount: ast.expr
    is_product: bool = False


def advances(facts: Facts) -> Iterator[Advance]:
    """Those that more than output hangs on; not what counts, and not what batches decide."""
    shows = Evaluations(facts)
    for found in (*_augmented(facts), *_assigned(facts), *_of_variables(facts)):
        is_whole = not found.is_product and is_count(facts, found.amount)
        if not is_whole and _is_each_step(facts, found) and _is_fixed(facts, found.amount):
            if any(not _is_shown(facts, shows, each) for each in _readers(facts, found)):
                yield found


def _augmented(facts: Facts) -> Iterator[Advance]:
    for node in facts.index.nodes(ast.AugAssign):
        if isinstance(node.op, (*_SUMS, *_PRODUCTS)):
            yield Advance(node, node.target, node.value, isinstance(node.op, _PRODUCTS))


def _assigned(facts: Facts) -> Iterator[Advance]:
    """`epsilon = max(0.1, epsilon * 0.99)`."""
    for node in facts.index.nodes(ast.Assign):
        sums = (n for n in _chosen(node.value) if isinstance(n, ast.BinOp))
        for each in sums if len(node.targets) == 1 else ():
            if ast.unparse(each.left) == ast.unparse(node.targets[0]):
                if isinstance(each.op, (*_SUMS, *_PRODUCTS)):
                    yield Advance(each, node.targets[0], each.right, isinstance(each.op, _PRODUCTS))


def _chosen(value: ast.expr) -> Iterator[ast.expr]:
    """What a name may be given: each of the arguments of `min`."""
    yield value
    func = value.func if isinstance(value, ast.Call) else None
    if isinstance(value, ast.Call) and getattr(func, "attr", getattr(func, "id", "")) in CHOOSING:
        yield from value.args


def _of_variables(facts: Facts) -> Iterator[Advance]:
    """`weight.assign_add(1e-5)`."""
    for call in facts.calls(*_METHODS):
        given = facts.argument(call, "delta", 0)
        if given is not None:
            for made in facts.origins(call.func.value).nodes:  # type: ignore[attr-defined]
                yield Advance(made, call.func.value, given)  # type: ignore[attr-defined]


def _is_each_step(facts: Facts, advance: Advance) -> bool:
    """Whether it stands where steps are taken: what these call may be a world of its own."""
    statement = facts.statement(advance.number)
    home = facts.function(statement)
    is_here = home in hooks(facts) or (home, loop_around(facts, statement)) in stepping(facts)
    return is_here and not is_conditional(facts, statement)


def _is_fixed(facts: Facts, amount: ast.expr) -> bool:
    """Whether it is a number that no step decides."""
    parts = list(within(amount))
    names = [n for n in parts if isinstance(n, ast.Name)]
    made = [binding.node for name in names for binding in facts.names.bindings(name)]
    calls = (facts.name(n.func) or "" for n in parts if isinstance(n, ast.Call))
    is_plain = all(map(is_size, calls)) and not any(isinstance(n, ast.Subscript) for n in parts)
    return is_plain and not any(is_stepping(facts, node) for node in made)


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
