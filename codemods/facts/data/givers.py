"""What gives one batch after the other, each time another one, in an order that rank 0 can tell.

Generators and objects of the program's own, what goes through several of them side by side, and
lists of batches. Whoever draws an order in there is told it by rank 0; who picks gives None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import takewhile

from ...library.batches import JOINING, LISTING
from ...program.node_fields import within
from ...program.parts import LOOPS
from ..agreement.orders_by_chance import own_draw
from ..by_rank import depends_on_rank, depends_on_size
from ..facts import Facts
from ..functions import is_generator
from ..scopes import Function, FunctionNode
from .arrays import is_array
from .batch_datasets import can_be_told, draws_elsewhere, shuffles_in_place

Orders = tuple[ast.Call, ...]
GIVES, NEXT = "__iter__", "__next__"
REFILLING = ("clear", "fill", "put", "sort")
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp)


def orders_of(facts: Facts, value: ast.expr) -> Orders | None:
    """The draws of orders in what gives batches; None where it may give none, or picks them."""
    if isinstance(value, ast.Call) and facts.name(value.func) in JOINING:
        return _of_joined(facts, value)
    lists = _lists(facts, value)
    if lists:
        return _of_lists(facts, lists)
    return _of_functions(facts, _functions(facts, value))


def made_for(facts: Facts, value: ast.expr, user: ast.AST) -> ast.expr:
    """The call that a name stands for, which the block of its user binds for it alone."""
    only = facts.origins(value).only if isinstance(value, ast.Name) else None
    if not isinstance(only, ast.Call) or not isinstance(value, ast.Name):
        return value
    around = facts.function(user) or facts.module
    uses = [n for n in within(around) if isinstance(n, ast.Name) and n.id == value.id]
    is_beside = facts.statement(only) in facts.block(facts.statement(user))[0]
    return only if is_beside and len(uses) == 2 else value  # bound once, and used once


def names(node: ast.AST) -> Iterator[str]:
    """The names in it."""
    return (each.id for each in within(node) if isinstance(each, ast.Name))


# -- several side by side ------------------------------------------------------------------------


def _of_joined(facts: Facts, call: ast.Call) -> Orders | None:
    """`zip(batches(), others())`, `islice(batches(), 100)`: each of them, and whole arrays."""
    found: list[ast.Call] = []
    many = JOINING[facts.name(call.func) or ""]
    given = call.args[:many]
    if not given or call.keywords or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    for each in given:
        orders = () if is_array(facts, each) else orders_of(facts, made_for(facts, each, call))
        if orders is None:
            return None
        found += orders
    return tuple(found)


# -- lists -----------------------------------------------------------------------------------------


def _lists(facts: Facts, value: ast.expr) -> list[ast.expr]:
    """What makes a list of batches; nothing where something else may come there."""
    made = facts.origins(value)
    found = [node for node in made.nodes if _makes_list(facts, node)]
    is_known = made.complete and len(found) == len(made.nodes)
    return [n for n in found if isinstance(n, ast.expr)] if is_known else []


def _makes_list(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.ListComp):
        counted = {name for each in node.generators for name in names(each.target)}
        return bool(counted & set(names(node.elt)))
    if not isinstance(node, ast.Call) or facts.name(node.func) not in LISTING:
        return False
    return bool(node.args) and is_array(facts, node.args[0])


def _of_lists(facts: Facts, lists: list[ast.expr]) -> Orders | None:
    """The draws that a list is made with; None where it is shuffled later, or cut by hand."""
    parts = list(facts.program.ingredients_of(lists))
    exprs = [node for node in parts if isinstance(node, ast.expr)]
    if any(depends_on_rank(facts, each) or depends_on_size(facts, each) for each in exprs):
        return None
    moved = (call.args[0] for call in facts.index.calls if shuffles_in_place(call) and call.args)
    if any(set(lists) & set(facts.origins(each).nodes) for each in moved):
        return None  # all of the batches: too much for rank 0 to tell
    return _told(facts, (node for node in parts if isinstance(node, ast.Call)))


def _told(facts: Facts, calls: Iterator[ast.Call]) -> Orders | None:
    """The calls among these that draw an order; None where rank 0 can't tell one of them."""
    found: list[ast.Call] = []
    for call in calls:
        drawn = own_draw(facts, call)
        if drawn is None and not draws_elsewhere(facts, call):
            continue
        if drawn is not None and drawn.is_split:
            continue  # what parts examples is D108's
        if drawn is None or drawn.only_as_index or not can_be_told(facts, call, drawn):
            return None
        found.append(call)
    return tuple(found)


# -- generators and objects ------------------------------------------------------------------------


def _functions(facts: Facts, value: ast.expr) -> list[Function]:
    """The functions that give what a loop gets; none where something else may."""
    if isinstance(value, ast.Call):
        called = facts.program.functions(value.func)
        if called.nodes:
            return _all_generators(called.nodes) if called.is_complete else []
    objects = facts.program.instances(value)
    classes = [node for node in objects.nodes if isinstance(node, ast.ClassDef)]
    if not objects.is_complete:
        return []
    generators = _all_generators([facts.classes.method(cls, GIVES) for cls in classes])
    if generators or not isinstance(value, ast.Call):  # others may turn what has a name
        return generators
    turning = [facts.classes.method(cls, NEXT) for cls in classes]
    return [method for method in turning if method is not None] if all(turning) else []


def _all_generators(nodes: Sequence[ast.AST | None]) -> list[Function]:
    functions = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    are_all = len(functions) == len(nodes) and all(map(is_generator, functions))
    return functions if are_all else []


def _of_functions(facts: Facts, functions: list[Function]) -> Orders | None:
    """The draws of orders in generators; None where they pick by chance, or cut by themselves."""
    nodes = [node for function in functions for node in within(function)]
    if not functions or any(isinstance(n, ast.expr) and depends_on_rank(facts, n) for n in nodes):
        return None
    if not all(_differs(facts, node) for node in nodes if isinstance(node, ast.Yield)):
        return None
    if not all(map(_turns, (each for each in functions if each.name == NEXT))):
        return None
    found: list[ast.Call] = []
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        drawn = own_draw(facts, call)
        if drawn is None and not draws_elsewhere(facts, call):
            continue
        if drawn is not None and drawn.only_as_index and _is_perhaps(facts, call):
            continue  # what each worker picks for itself is as good when it is dealt out
        if drawn is None or drawn.only_as_index or not can_be_told(facts, call, drawn):
            return None
        found.append(call)
    return tuple(found)


def _is_perhaps(facts: Facts, call: ast.Call) -> bool:
    """`if shuffle:` around it: the same generator gives what is next in order, too."""
    inside = takewhile(lambda p: not isinstance(p, FunctionNode), facts.parents(call))
    return any(isinstance(parent, ast.If) and parent.orelse for parent in inside)


def _turns(method: Function) -> bool:
    """Whether an object gives something else each time: by what it keeps of itself, and changes."""
    nodes = list(within(method))
    changed = {ast.unparse(t) for n in nodes for t in _targets(n) if isinstance(t, ast.Attribute)}
    for node in nodes * 2:  # what is made of it, and what of that
        if isinstance(node, ast.Assign) and changed & set(_paths(node.value)):
            changed |= {name for target in node.targets for name in _paths(target)}
    given = [n.value for n in nodes if isinstance(n, ast.Return) and n.value is not None]
    return bool(given) and all(changed & set(_paths(value)) for value in given)


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.AugAssign):
        return [node.target]
    return node.targets if isinstance(node, ast.Assign) else []


def _paths(node: ast.AST) -> Iterator[str]:
    return (ast.unparse(n) for n in within(node) if isinstance(n, (ast.Name, ast.Attribute)))


def _differs(facts: Facts, given: ast.Yield) -> bool:
    """Whether it gives another batch each time: it is made of what a loop around it counts."""
    around = list(facts.parents(given))
    end = next((n for n, node in enumerate(around) if isinstance(node, FunctionNode)), 0)
    inside = [n for loop in around[:end] if isinstance(loop, LOOPS) for n in within(loop)]
    anew = {name for node in _round_of(around[:end]) for name in _bound(node)}
    if {name for node in inside for name in _refilled(node)} & set(names(given)) - anew:
        return False  # whoever holds several of them holds one, as it was filled last
    counted = {name for node in inside for name in _counted(node)}
    for node in inside * 2:  # what is made of it, and what of that
        if isinstance(node, ast.Assign) and counted & set(names(node.value)):
            counted |= {name for target in node.targets for name in names(target)}
    return bool(counted & set(names(given)))


def _round_of(around: list[ast.AST]) -> Iterator[ast.AST]:
    """The statements of the innermost loop around something, itself none of them."""
    loop = next((each for each in around if isinstance(each, LOOPS)), None)
    yield from getattr(loop, "body", ())


def _bound(statement: ast.AST) -> Iterator[str]:
    """The names that a statement binds, which so hold nothing of an earlier round."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    yield from (target.id for target in targets if isinstance(target, ast.Name))


def _counted(node: ast.AST) -> Iterator[str]:
    """The names that a loop, or `n += 1`, binds to something else in each round."""
    if isinstance(node, (ast.For, ast.AugAssign)):
        yield from names(node.target)


def _refilled(node: ast.AST) -> Iterator[str]:
    """The names of what is changed in its place: `batch[:] = rows`, `batch.clear()`."""
    is_stored = isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
    func = node.func if isinstance(node, ast.Call) else None
    if is_stored or (isinstance(func, ast.Attribute) and func.attr in REFILLING):
        yield from names(node.value if isinstance(node, ast.Subscript) else func.value)  # type: ignore[union-attr]
