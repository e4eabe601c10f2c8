"""What a training loop or a `fit` uses up batch by batch, and can be dealt out in turns.

Where data can't be cut before it is batched, each worker takes every so many-th batch as it comes,
whatever a batch is: of generators of the program's own, and of numbers that only say where slices
begin. Rule D107; whether all workers get the same batches, the judge finds out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from ...library.agreement import RANGES
from ...library.effects import gives_all
from ...program.node_fields import within
from ...program.parts import LOOPS
from ...program.records import NamedTuple
from ..agreement.orders_by_chance import own_draw
from ..by_rank import depends_on_rank
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..functions import is_generator
from ..scopes import Function, FunctionNode
from ..training import fits
from ..training.training_loops import trains
from .array_loops import loops
from .arrays import is_array
from .batch_datasets import (
    THREADS,
    batch_datasets,
    can_be_told,
    draws_elsewhere,
    shuffled,
    shuffles_in_place,
)
from .batch_needs import order_matters
from .handed_batches import handed_batches
from .shares import shares_data, shares_of

GIVES = "__iter__"
REFILLING = ("clear", "fill", "put", "sort")


class Turns(NamedTuple):
    """What is dealt out, and the orders that rank 0 has to tell the others for it."""

    value: ast.expr
    orders: tuple[ast.Call, ...] = ()


@recorded
def turns_of(facts: Facts) -> dict[ast.AST, Turns]:
    """What gives batches by turns, by the `for` or `fit` that uses it up."""
    if not shares_data(facts) or order_matters(facts):
        return {}
    is_cut = bool(shares_of(facts).cuts or loops(facts) or handed_batches(facts).arrays)
    if is_cut or batch_datasets(facts):  # a share is taken once, where it is cheapest
        return {}
    found = dict((*_of_loops(facts), *_of_fits(facts)))
    return {by: each for by, each in found.items() if not _are_own(facts, by, each.value)}


def _are_own(facts: Facts, by: ast.AST, value: ast.expr) -> bool:
    """Whether each worker has its own, as a person says or as they are made by its number."""
    parts = (n for n in within(value) if isinstance(n, ast.expr))
    is_said = has_own_rows(facts, by) or has_own_rows(facts, value)
    return is_said or any(depends_on_rank(facts, part) for part in parts)


def _of_loops(facts: Facts) -> Iterator[tuple[ast.AST, Turns]]:
    for loop in facts.index.nodes(ast.For):
        if not trains(facts, loop) or not _is_plain(facts, loop):
            continue
        value = _inside(facts, loop.iter)
        if _counts_slices(facts, loop, value):
            orders = _orders_around(facts, loop)
        else:
            orders = _orders(facts, _generators(facts, _made(facts, value, loop)))
        if orders is not None:
            yield loop, Turns(value, orders)


def _of_fits(facts: Facts) -> Iterator[tuple[ast.AST, Turns]]:
    """Nothing that rank 0 has to tell: a generator runs in another thread than the steps."""
    for fit in fits.fits(facts):
        given = fits.data(facts, fit)
        arguments = (*fit.args, *(keyword.value for keyword in fit.keywords))
        threads = (keyword for keyword in fit.keywords if keyword.arg in THREADS)
        if isinstance(given, ast.Call) and given in arguments and not any(threads):
            if _orders(facts, _generators(facts, given)) == ():
                yield fit, Turns(given)


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
    return bool(cuts) and not others and are_whole and all(is_array(facts, c.value) for c in cuts)


def _is_cut_by(index: ast.expr, name: str) -> bool:
    """`[i : i + 8]`, with two ends that are reckoned from the number, and not `[i:]`."""
    ends = [index.lower, index.upper] if isinstance(index, ast.Slice) else []
    return bool(ends) and all(end is not None and name in _names(end) for end in ends)


def _made(facts: Facts, value: ast.expr, loop: ast.For) -> ast.expr:
    """The call that a name stands for, which the block of the loop binds for it alone."""
    only = facts.origins(value).only if isinstance(value, ast.Name) else None
    if not isinstance(only, ast.Call) or not isinstance(value, ast.Name):
        return value
    around = facts.function(loop) or facts.module
    uses = [n for n in within(around) if isinstance(n, ast.Name) and n.id == value.id]
    is_beside = facts.statement(only) in facts.block(loop)[0]
    return only if is_beside and len(uses) == 2 else value  # bound once, and used once


def _generators(facts: Facts, value: ast.expr) -> list[Function]:
    """The generator functions that give what a loop gets; none where something else may."""
    if isinstance(value, ast.Call):
        called = facts.program.functions(value.func)
        if called.nodes:
            return _all_generators(called.nodes) if called.is_complete else []
    objects = facts.program.instances(value)
    classes = [node for node in objects.nodes if isinstance(node, ast.ClassDef)]
    methods = [facts.classes.method(cls, GIVES) for cls in classes]
    return _all_generators(methods) if objects.is_complete else []


def _all_generators(nodes: Sequence[ast.AST | None]) -> list[Function]:
    functions = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    are_all = len(functions) == len(nodes) and all(map(is_generator, functions))
    return functions if are_all else []


def _orders(facts: Facts, functions: list[Function]) -> tuple[ast.Call, ...] | None:
    """The draws of orders in generators; None where they pick by chance, or cut by themselves."""
    found: list[ast.Call] = []
    nodes = [node for function in functions for node in within(function)]
    if not functions or any(isinstance(n, ast.expr) and depends_on_rank(facts, n) for n in nodes):
        return None
    if not all(_differs(facts, node) for node in nodes if isinstance(node, ast.Yield)):
        return None
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        drawn = own_draw(facts, call)
        if drawn is None and not draws_elsewhere(facts, call):
            continue
        if drawn is None or drawn.only_as_index or not can_be_told(facts, call, drawn):
            return None
        found.append(call)
    return tuple(found)


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


def _differs(facts: Facts, given: ast.Yield) -> bool:
    """Whether it gives another batch each time: it is made of what a loop around it counts."""
    around = list(facts.parents(given))
    end = next((n for n, node in enumerate(around) if isinstance(node, FunctionNode)), 0)
    inside = [n for loop in around[:end] if isinstance(loop, LOOPS) for n in within(loop)]
    if {name for node in inside for name in _refilled(node)} & set(_names(given)):
        return False  # whoever holds several of them holds one, as it was filled last
    counted = {name for node in inside for name in _counted(node)}
    for node in inside * 2:  # what is made of it, and what of that
        if isinstance(node, ast.Assign) and counted & set(_names(node.value)):
            counted |= {name for target in node.targets for name in _names(target)}
    return bool(counted & set(_names(given)))


def _counted(node: ast.AST) -> Iterator[str]:
    """The names that a loop, or `n += 1`, binds to something else in each round."""
    if isinstance(node, (ast.For, ast.AugAssign)):
        yield from _names(node.target)


def _refilled(node: ast.AST) -> Iterator[str]:
    """The names of what is changed in its place: `batch[:] = rows`, `batch.clear()`."""
    is_stored = isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
    func = node.func if isinstance(node, ast.Call) else None
    if is_stored or (isinstance(func, ast.Attribute) and func.attr in REFILLING):
        yield from _names(node.value if isinstance(node, ast.Subscript) else func.value)  # type: ignore[union-attr]


def _names(node: ast.AST) -> Iterator[str]:
    return (each.id for each in within(node) if isinstance(each, ast.Name))


def _is_plain(facts: Facts, loop: ast.For) -> bool:
    """Whether Python itself goes round, through to the end, and no loop inside trains."""
    nodes = [node for node in within(loop) if node is not loop]
    ends = any(isinstance(node, (ast.Break, ast.Return)) for node in nodes)
    home = facts.function(loop)  # a decorator may make a graph of it
    is_python = home is None or not home.decorator_list
    return is_python and not loop.orelse and not ends and not _trains_longer(facts, nodes)


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
