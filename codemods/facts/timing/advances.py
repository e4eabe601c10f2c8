"""Numbers that each step takes a step further: `weight += 1e-5`, `epsilon *= 0.99`.

No count says how far they are. Where each worker takes an Nth of the steps, they come an Nth as
far, unless each of its steps takes them as far as N.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable, Union

from ...library.agreement import EQUAL, gives, is_size
from ...library.names import normal
from ...library.step_counts import CARRYING, CHOOSING, POWERS, PRODUCTS, QUOTIENTS
from ...library.waiting_calls import SAID_TO_ALL
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..output.side_effects import Evaluations
from ..steps.compared_counts import elements
from ..steps.each_step import (
    beside,
    hooks,
    is_conditional,
    is_count,
    is_in_round,
    is_stepping,
    stepping,
)
from ..training.session_runs import session_runs
from ..training.training_loops import loop_around
from .hanging import is_of_optimizer

_SUMS, _PRODUCTS = (ast.Add, ast.Sub), (ast.Mult, ast.Div)
_METHODS = ("assign_add", "assign_sub")
_SETTING = frozenset({"assign", *_METHODS})
_NUMBERS = (ast.Name, ast.Attribute, ast.Subscript)


Made = Union[ast.BinOp, ast.AugAssign, ast.Call]
_DEEP = 3  # calls between a step and what is computed for it


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
    for found in _fixed(facts):
        if _is_carried(facts, found) and not _is_of_means(facts, found):
            if any(not _is_shown(facts, shows, each) for each in _readers(facts, found)):
                yield found


def _fixed(facts: Facts) -> Iterator[Advance]:
    """By as much in each step, whatever comes of it."""
    for found in (*_augmented(facts), *_assigned(facts), *_of_variables(facts)):
        is_whole = not found.is_product and is_count(facts, found.amount)
        if not is_whole and _is_each_step(facts, found) and _is_fixed(facts, found.amount):
            yield found


def _augmented(facts: Facts) -> Iterator[Advance]:
    for node in facts.index.nodes(ast.AugAssign):
        if isinstance(node.op, (*_SUMS, *_PRODUCTS)):
            is_product = isinstance(node.op, _PRODUCTS)
            yield Advance(node, node.target, node.value, is_product, node.target)


def _assigned(facts: Facts) -> Iterator[Advance]:
    """`epsilon = max(0.1, epsilon * 0.99)`, also of several at once."""
    for node in facts.index.nodes(ast.Assign):
        for target in node.targets if len(node.targets) == 1 else ():
            for number, value in _pairs(target, node.value):
                yield from _further(number, value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    is_several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
    yield from zip(target.elts, value.elts) if is_several else [(target, value)]  # type: ignore[attr-defined]


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
    is_here = is_in_round(facts, statement) or _is_in_hook(facts, statement)
    return is_here and (not is_conditional(facts, statement) or _asks_itself(facts, advance))


def _is_in_hook(facts: Facts, statement: ast.AST) -> bool:
    """Whether a library calls what it stands in with each step, and no loop in there around it."""
    is_looped = loop_around(facts, statement) is not None
    return not is_looped and facts.function(statement) in hooks(facts)


def _asks_itself(facts: Facts, advance: Advance) -> bool:
    """Whether nothing but the number decides that it goes on: `if lam > 0.1: lam *= 0.99`.

    Or whether the model is trained: `if training:`.
    """
    branch = facts.parent(facts.statement(advance.number))
    number = ast.unparse(advance.number)
    if not isinstance(branch, ast.If) or is_conditional(facts, branch):
        return False
    asked = [n for n in within(branch.test) if isinstance(n, (*_NUMBERS, ast.Call))]
    own = {number, *_parts(advance.number), *SAID_TO_ALL}
    return bool(asked) and {ast.unparse(n) for n in asked} <= own


def _parts(number: ast.expr) -> set[str]:
    """`state` of `state["eps"]`."""
    return {ast.unparse(n) for n in within(number) if isinstance(n, _NUMBERS)}


def _is_carried(facts: Facts, advance: Advance) -> bool:
    """Whether the next step begins with what this one leaves: not `image /= 255` of a batch."""
    if advance.before is not None:
        return advance.node in facts.program.ingredients(advance.before)
    made = facts.origins(advance.number)
    return not made.nodes or not all(is_stepping(facts, node) for node in made.nodes)


def _is_of_means(facts: Facts, advance: Advance) -> bool:
    """Whether it tells how many gradients are in a mean: `power *= beta` beside `1 - beta`.

    As many as there were steps: what corrects a mean by it goes by the steps of a worker.
    """
    if is_of_optimizer(facts, advance.number):
        return True
    kept = ast.unparse(advance.amount)
    sums = (n for n in facts.index.nodes(ast.BinOp) if isinstance(n.op, ast.Sub))
    is_ratio = any(ast.unparse(n.right) == kept and _is_one(n.left) for n in sums)
    return advance.is_product and is_ratio


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _is_fixed(facts: Facts, amount: ast.expr) -> bool:
    """Whether it is a number that no step decides."""
    parts = list(within(amount))
    names = [n for n in parts if isinstance(n, ast.Name)]
    made = [binding.node for name in names for binding in facts.bindings(name)]
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
    elif isinstance(number, ast.Subscript):
        name = ast.unparse(number)
        found = [n for n in facts.index.nodes(ast.Subscript) if ast.unparse(n) == name]
    else:
        found = [*facts.index.loads.get(getattr(number, "attr", ""), ())]
    own = facts.statement(number)
    yield from (each for each in found if facts.statement(each) is not own)


def _is_shown(facts: Facts, effects: Evaluations, reader: ast.AST) -> bool:
    statement = facts.statement(reader)
    shown = isinstance(statement, ast.Expr) and effects.outputs(statement.value)
    return bool(shown) and effects.statement(statement)


def circles(facts: Facts, counts: Callable[[ast.AST], bool]) -> Iterator[ast.expr]:
    """What else each step makes of a number that was so before: `lam = anneal(lam)`, `lam ** 1.01`.

    Of numbers alone, without what batches or models decide, and without counts: what comes of it
    after so many steps, no line says.
    """
    known = {facts.statement(each.number) for each in _fixed(facts)}
    runs = _assigned_by_runs(facts)
    for node in _reckoning(facts):
        if not counts(node):
            statement = facts.statement(node)
            is_taken = node in runs or _is_of_each_step(facts, node)
            is_new = statement not in known and is_taken
            if is_new and _goes_round(facts, node) and not _is_place(facts, node):
                known.add(statement)
                yield node.target if isinstance(node, ast.AugAssign) else node


def _is_place(facts: Facts, node: Made) -> bool:
    """Whether it is one end of a batch, `x[start:end]`: how far one is in the worker's own data.

    Not of `x[:n]`, which says how much there is.
    """
    op = ast.Mult() if isinstance(node, ast.Call) else node.op
    slices = (n for n in facts.index.nodes(ast.Subscript) if isinstance(n.slice, ast.Slice))
    ends = [(each.slice.lower, each.slice.upper) for each in slices]  # type: ignore[attr-defined]
    asked = (end for pair in ends if None not in pair for end in pair)
    return isinstance(op, _SUMS) and any(node in facts.program.ingredients(e) for e in asked)


def _reckoning(facts: Facts) -> Iterator[Made]:
    """Sums, products and powers, by operators or by functions of others."""
    signs: list[ast.BinOp | ast.AugAssign] = list(facts.index.nodes(ast.BinOp))
    signs += facts.index.nodes(ast.AugAssign)
    yield from (n for n in signs if isinstance(n.op, (*_SUMS, *_PRODUCTS, ast.Pow)))
    names = PRODUCTS | QUOTIENTS | POWERS
    calls = (call for call in facts.index.calls if len(call.args) == 2)
    yield from (call for call in calls if normal(facts.name(call.func) or "") in names)


def _goes_round(facts: Facts, node: Made) -> bool:
    """Whether it is computed from itself and from numbers, none of them whole steps of a count."""
    sides, is_found = _sides(node), False
    op = ast.Mult() if isinstance(node, ast.Call) else node.op
    is_sum, is_product = isinstance(op, _SUMS), isinstance(op, _PRODUCTS)
    if is_sum and any(is_count(facts, each) for each in sides):
        return False
    if is_product and _is_of_means(facts, Advance(node, *sides, is_product)):
        return False
    for side in sides:
        for made in facts.program.sources(side, ()):
            if _is_of_step(facts, made) or _asks_for_size(facts, made):
                return False
            is_found = is_found or made is node
    return is_found


def _asks_for_size(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and is_size(normal(facts.name(node.func) or ""))


def _assigned_by_runs(facts: Facts) -> frozenset[ast.AST]:
    """What operations assign that a session runs with each step: `sess.run(lam.assign(…))`."""
    runs = (run for run in session_runs(facts) if _is_of_each_step(facts, run.call))
    fetched = (part for run in runs for part in elements(run.fetches) or [run.fetches])
    made = (node for each in fetched for node in facts.origins(each).nodes)
    calls = (n for n in made if isinstance(n, ast.Call) and _word(facts, n) in _SETTING)
    return frozenset(part for call in calls for value in call.args for part in within(value))


def _word(facts: Facts, call: ast.Call) -> str:
    name = facts.name(call.func) or ""
    return name.rpartition(".")[2] or getattr(call.func, "attr", "")


def _sides(node: Made) -> tuple[ast.expr, ast.expr]:
    if isinstance(node, ast.Call):
        return node.args[0], node.args[1]
    return (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)


def _is_of_each_step(facts: Facts, node: ast.AST, deep: int = _DEEP) -> bool:
    """Whether each step comes to it, also through calls of the program's own."""
    statement = facts.statement(node)
    home, loop = facts.function(statement), loop_around(facts, statement)
    if is_conditional(facts, statement):
        return False
    if is_in_round(facts, statement) or _is_in_hook(facts, statement):
        return True
    sites = facts.call_sites(home) if home is not None and loop is None and deep else ()
    return any(_is_of_each_step(facts, call, deep - 1) for call in sites)


def _is_of_step(facts: Facts, node: ast.AST) -> bool:
    """Whether it is made anew in a step, of what no number says: batches, losses, chance."""
    parent = facts.parent(node) if isinstance(node, ast.expr) else None
    if isinstance(parent, ast.For) and node is parent.iter:
        return (facts.function(parent), parent) in stepping(facts)
    if not isinstance(node, ast.Call):
        return False
    is_number = _gives_the_same(facts.name(node.func) or "")
    if is_number or _word(facts, node) in CHOOSING | CARRYING | _SETTING:
        return False
    return not facts.program.functions(node.func).nodes and is_stepping(facts, node)
