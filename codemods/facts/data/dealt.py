"""What a training loop or a `fit` uses up batch by batch, and can be dealt out in turns.

Where data can't be cut before it is batched, each worker takes every so many-th batch as it comes,
whatever a batch is: of generators of the program's own, and of numbers that only say where slices
begin. Rule D107; whether all workers get the same batches, the judge finds out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.agreement import RANGES
from ...library.effects import gives_all
from ...program.node_fields import within
from ...program.parts import LOOPS
from ...program.records import NamedTuple
from ..agreement.orders_by_chance import own_draw
from ..by_rank import depends_on_rank
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..roles import Role
from ..training import fits
from ..training.training_loops import draws, rounds_of, trains
from .array_loops import loops
from .arrays import is_array, may_be_array
from .batch_givers import (
    THREADS,
    batch_datasets,
    can_be_told,
    made_for,
    names,
    orders_of,
    shuffled,
    shuffles_in_place,
)
from .batch_needs import order_matters
from .handed_batches import handed_batches
from .loop_ends import limits_of
from .pipeline_shares import shares_data, shares_of


class Turns(NamedTuple):
    """What is dealt out, and the orders that rank 0 has to tell the others for it."""

    value: ast.expr
    orders: tuple[ast.Call, ...] = ()


@recorded
def turns_of(facts: Facts) -> dict[ast.AST, Turns]:
    """What gives batches by turns, by the `for` or `fit` that uses it up."""
    if not shares_data(facts) or order_matters(facts):
        return {}
    is_cut = bool(shares_of(facts).has_any or loops(facts) or handed_batches(facts).arrays)
    if is_cut or batch_datasets(facts):  # a share is taken once, where it is cheapest
        return {}
    found = dict((*_of_loops(facts), *_of_fits(facts), *_of_asked(facts)))
    return {by: each for by, each in found.items() if not _are_own(facts, by, each.value)}


def _are_own(facts: Facts, by: ast.AST, value: ast.expr) -> bool:
    """Whether each worker has its own, as a person says or as they are made by its number."""
    parts = (n for n in within(value) if isinstance(n, ast.expr))
    is_said = has_own_rows(facts, by) or has_own_rows(facts, value)
    return is_said or any(depends_on_rank(facts, part) for part in parts)


def _of_loops(facts: Facts) -> Iterator[tuple[ast.AST, Turns]]:
    for loop in facts.index.nodes(ast.For):
        if not trains(facts, loop) or not _is_plain(facts, loop) or _goes_over_models(facts, loop):
            continue
        value = _inside(facts, loop.iter)
        if _counts_slices(facts, loop, value):
            orders = _orders_around(facts, loop)
        else:
            orders = orders_of(facts, made_for(facts, value, loop))
        if orders is not None:
            yield loop, Turns(value, orders)


def _of_fits(facts: Facts) -> Iterator[tuple[ast.AST, Turns]]:
    """Nothing that rank 0 has to tell: a generator runs in another thread than the steps."""
    for fit in fits.fits(facts):
        given = fits.data(facts, fit)
        arguments = (*fit.args, *(keyword.value for keyword in fit.keywords))
        threads = (keyword for keyword in fit.keywords if keyword.arg in THREADS)
        if given is None or given not in arguments or any(threads):
            continue
        made = made_for(facts, given, fit)
        if isinstance(made, ast.Call) and orders_of(facts, made) == ():
            yield fit, Turns(given)


def _of_asked(facts: Facts) -> Iterator[tuple[ast.AST, Turns]]:
    """What a loop asks for one by one, `next(given)`, so many times or to the end."""
    for call in facts.calls_of("builtins.next"):
        given = call.args[0] if len(call.args) == 1 else None
        made = facts.origins(given).only if isinstance(given, ast.Name) else None
        if given is None or not isinstance(made, ast.Call) or not _is_counted(facts, made):
            continue
        orders = orders_of(facts, made)
        if orders is not None and _binds_once(facts, made, given):
            yield call, Turns(made, orders)


def _binds_once(facts: Facts, made: ast.expr, given: ast.expr) -> bool:
    """Whether nothing but the statement that makes it binds the name."""
    bindings = facts.bindings(given) if isinstance(given, ast.Name) else []
    return len(bindings) == 1 and made in within(facts.statement(made))


def _is_counted(facts: Facts, made: ast.Call) -> bool:
    """Whether it is asked for in plain loops alone, whose rounds are divided among the workers."""
    asked = draws(facts, made)
    homes = {facts.function(call) for call in asked}
    is_python = all(home is None or not home.decorator_list for home in homes)
    return is_python and bool(asked) and all(any(rounds_of(facts, a, True)) for a in asked)


def rounds_of_turns(facts: Facts) -> Iterator[ast.expr]:
    """How many rounds the loops have that ask for what is dealt out."""
    for by in turns_of(facts):
        if isinstance(by, ast.Call) and facts.name(by.func) == "builtins.next":
            yield from rounds_of(facts, by, with_while=True)


def limits_of_turns(facts: Facts) -> Iterator[tuple[ast.expr, ast.AST]]:
    """The numbers of rounds at which loops are left that run over what is dealt out."""
    for loop in turns_of(facts):
        if isinstance(loop, ast.For):
            yield from ((number, loop) for number in limits_of(facts, loop))


def _inside(facts: Facts, iterable: ast.expr) -> ast.expr:
    """What is counted or shown as it is run over: `batches()` of `enumerate(tqdm(batches()))`."""
    while isinstance(iterable, ast.Call) and iterable.args:
        if not gives_all(facts.name(iterable.func) or ""):
            break
        iterable = iterable.args[0]
    return iterable


def _counts_slices(facts: Facts, loop: ast.For, value: ast.expr) -> bool:
    """Whether a loop counts where slices begin, and does nothing else with the number."""
    is_range = isinstance(value, ast.Call) and facts.name(value.func) in RANGES
    if not is_range or value is not loop.iter or not isinstance(loop.target, ast.Name):
        return False
    name, around = loop.target.id, facts.function(loop) or facts.module
    uses = [n for n in within(around) if isinstance(n, ast.Name) and n.id == name]
    cuts = [n for n in within(loop) if isinstance(n, ast.Subscript) and _is_cut_by(n.slice, name)]
    inside = {n for cut in cuts for n in within(cut.slice)}
    others = [n for n in uses if n is not loop.target and n not in inside]
    are_whole = all(not depends_on_rank(facts, cut.value) for cut in cuts)
    are_arrays = all(is_array(facts, c.value) or may_be_array(facts, c.value) for c in cuts)
    return bool(cuts) and not others and are_whole and are_arrays


def _is_cut_by(index: ast.expr, name: str) -> bool:
    """`[i : i + 8]`, with two ends that are reckoned from the number, and not `[i:]`."""
    ends = [index.lower, index.upper] if isinstance(index, ast.Slice) else []
    return bool(ends) and all(end is not None and name in names(end) for end in ends)


def _orders_around(facts: Facts, loop: ast.For) -> tuple[ast.Call, ...] | None:
    """The draws that order what a loop takes slices of; None where rank 0 can't tell one of them.

    What is drawn anew for each epoch stands in a loop around; what parts examples is D108's.
    """
    outermost = [each for each in (loop, *facts.parents(loop)) if isinstance(each, LOOPS)][-1]
    inside, found = set(within(outermost)), list[ast.Call]()
    for call in facts.index.calls:
        drawn = own_draw(facts, call)
        if drawn is None or drawn.is_split or drawn.only_as_index:
            continue
        if call not in inside or not can_be_told(facts, call, drawn) or _moves(facts, call, loop):
            return None
        found.append(call)
    return tuple(found)


def _moves(facts: Facts, call: ast.Call, loop: ast.For) -> bool:
    """Whether it shuffles the examples themselves: too much for rank 0 to tell."""
    order = shuffled(facts, call) if shuffles_in_place(call) else None
    cut = {ast.unparse(n.value) for n in within(loop) if isinstance(n, ast.Subscript)}
    return order is not None and ast.unparse(order) in cut and is_array(facts, order)


def _goes_over_models(facts: Facts, loop: ast.For) -> bool:
    """Whether each round trains another model, or has an object train: these are no batches."""
    bound = {*names(loop.target)}
    for use in (n for n in within(loop) if isinstance(n, ast.Name) and n.id in bound):
        above = facts.parent(use)
        call = facts.parent(above) if isinstance(above, ast.Attribute) else None
        if facts.role(use) in (Role.MODEL, Role.OPTIMIZER):
            return True
        if isinstance(call, ast.Call) and call.func is above and facts.callee(call) is not None:
            return True
    return False


def _is_plain(facts: Facts, loop: ast.For) -> bool:
    """Whether Python itself goes round, to the end or to a number, and no loop inside trains."""
    nodes = [node for node in within(loop) if node is not loop]
    counted = [node for number in limits_of(facts, loop) for node in _branch(facts, number)]
    leaving = [node for node in nodes if isinstance(node, (ast.Break, ast.Return))]
    ends = any(node not in counted for node in leaving)
    home = facts.function(loop)  # a decorator may make a graph of it
    is_python = home is None or not home.decorator_list
    return is_python and not loop.orelse and not ends and not _trains_longer(facts, nodes)


def _branch(facts: Facts, number: ast.expr) -> list[ast.stmt]:
    """The statements that hang on nothing but a comparison with a number."""
    test = facts.parent(number)
    branch = facts.parent(test) if isinstance(test, ast.Compare) else None
    return [*branch.body, *branch.orelse] if isinstance(branch, ast.If) else []


def _trains_longer(facts: Facts, nodes: Iterable[ast.AST]) -> bool:
    """Whether what runs in a round, whichever function does it, trains on more than one batch."""
    fit_calls, waiting, seen = set(fits.fits(facts)), list(nodes), set[ast.AST]()
    for node in waiting:
        if node in fit_calls or (isinstance(node, LOOPS) and trains(facts, node)):
            return True
        function = facts.callee(node) if isinstance(node, ast.Call) else None
        if function is not None and function not in seen:
            seen.add(function)
            waiting += within(function)
    return False
