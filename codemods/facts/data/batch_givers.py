"""What gives one batch after the other: data sets of whole batches, generators and iterators."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import takewhile

from ...library.batches import JOINING, LISTING
from ...library.draws import Draw, is_sortable
from ...library.hooks import OF_EPOCHS
from ...program.call_sites import is_generator
from ...program.node_fields import within
from ...program.parts import LOOPS, Function, FunctionNode
from ...program.records import NamedTuple
from ..agreement.orders_by_chance import own_draw
from ..by_rank import RANK, depends_on_rank, depends_on_size
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..horovod import member
from ..keras_version import is_keras_3
from ..names import KERAS
from ..training import fits
from .arrays import is_array
from .batch_needs import order_matters
from .pipeline_shares import shares_data
from .round_orders import put_in_order

# -- batch datasets ------------------------------------------------------------------------------
# Datasets of the program's own that give whole batches by number: `keras.utils.PyDataset`.
#
# Keras asks each of them for `len(dataset)` batches an epoch, and tells it when one has ended:
# where it fetches them in other threads or processes, in one of these.

BASES = frozenset({f"{KERAS}.utils.PyDataset", f"{KERAS}.utils.Sequence"})
GIVES = "__getitem__"
THREADS = ("workers", "use_multiprocessing", "max_queue_size")


class BatchDataset(NamedTuple):
    """What a `fit` takes its batches from, and the draws that order its examples."""

    value: ast.expr
    classes: tuple[ast.ClassDef, ...]
    draws: tuple[ast.Call, ...]


@recorded
def batch_datasets(facts: Facts) -> dict[ast.Call, BatchDataset]:
    """Those whose batches can be shared out, by their `fit`."""
    if not shares_data(facts) or order_matters(facts):
        return {}
    asked = (call for call in fits.fits(facts) if not has_own_rows(facts, call))
    found = ((call, _of_fit(facts, call)) for call in asked)
    return {call: dataset for call, dataset in found if dataset is not None}


def are_shared_by_class(facts: Facts, fit: ast.Call) -> bool:
    """Whether the class of its dataset asks for the worker's number, or is given a share."""
    value = fits.data(facts, fit) if facts.has_horovod else None
    classes = None if value is None else classes_of(facts, value)
    if not classes or value is None:
        return False
    return all(_asks_for_rank(facts, cls) for cls in classes) or _is_given_share(facts, value)


def _is_given_share(facts: Facts, value: ast.expr) -> bool:
    """`Rows(x[hvd.rank() :: hvd.size()])`."""
    made = [node for node in facts.origins(value).nodes if isinstance(node, ast.Call)]
    given = [each for call in made for each in (*call.args, *(k.value for k in call.keywords))]
    return facts.has_horovod and any(depends_on_rank(facts, each) for each in given)


def _of_fit(facts: Facts, fit: ast.Call) -> BatchDataset | None:
    """None as well where Keras 3 is given a number of steps: it goes on in the next epoch.

    Keras 2 begins anew, with fewer of each worker's share, and tells the dataset all the same.
    """
    value = fits.data(facts, fit)
    given = (*fit.args, *(keyword.value for keyword in fit.keywords))
    is_counted = bool(fits.arguments(facts, fit, "steps_per_epoch"))
    if value not in given or (is_counted and is_keras_3(facts)):
        return None
    assert value is not None
    classes = classes_of(facts, value)
    draws = [_draws(facts, cls) for cls in classes or ()]
    if classes is None or None in draws or any(_asks_for_rank(facts, cls) for cls in classes):
        return None
    if _is_given_share(facts, value):
        return None
    calls = dict.fromkeys(call for found in draws for call in found or ())
    if calls and not is_keras_3(facts) and any(k.arg in THREADS for k in fit.keywords):
        return None  # rank 0 can tell nothing there: the steps wait for each other, too
    return BatchDataset(value, classes, tuple(calls))


def classes_of(facts: Facts, value: ast.expr) -> tuple[ast.ClassDef, ...] | None:
    """The classes of this module that the dataset may be of; None where one isn't known."""
    origins = facts.origins(value)
    if not origins.complete or any(item.path for item in origins.items):
        return None
    found = [
        facts.classes.local(n.func) if isinstance(n, ast.Call) else None for n in origins.nodes
    ]
    known = tuple(cls for cls in found if cls is not None and _gives_batches(facts, cls))
    return known if known and len(known) == len(found) else None


def _gives_batches(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether it derives from Keras' class alone, and its batches have numbers."""
    method, classes = facts.classes.method, facts.classes
    is_known = set(classes.library_bases(cls)) <= BASES and not classes.has_unknown_base(cls)
    return is_known and all(
        (method(cls, name) is None) == (name == "num_batches")
        for name in ("__len__", GIVES, "num_batches")
    )


def _asks_for_rank(facts: Facts, cls: ast.ClassDef) -> bool:
    calls = (n for each in facts.classes.ancestors(cls) for n in within(each))
    return any(isinstance(n, ast.Call) and member(facts, n.func) in RANK for n in calls)


def _draws(facts: Facts, cls: ast.ClassDef) -> tuple[ast.Call, ...] | None:
    """What draws an order for an epoch; None where rank 0 couldn't tell it to the others."""
    giving = _reached(facts, cls, [GIVES, "__len__"])
    found: list[ast.Call] = []
    for method in _reached(facts, cls, ["__init__", *OF_EPOCHS]):
        for call in (node for node in within(method) if isinstance(node, ast.Call)):
            drawn = own_draw(facts, call)
            if drawn is not None and drawn.is_listing and _is_in_order(facts, call):
                continue
            if drawn is not None and (method in giving or not can_be_told(facts, call, drawn)):
                return None
            if drawn is None and draws_elsewhere(facts, call):
                return None
            found += [] if drawn is None else [call]
    return tuple(found)


def _is_in_order(facts: Facts, listing: ast.Call) -> bool:
    """Whether its names are sorted, or rules can do that."""
    method = getattr(listing.func, "attr", "")
    return listing in put_in_order(facts) or is_sortable(facts.name(listing.func), method)


def can_be_told(facts: Facts, call: ast.Call, drawn: Draw) -> bool:
    """Whether rank 0 can tell it to the others: an order or a number.

    Not all of the examples, and nothing that a lambda draws later.
    """
    is_delayed = any(isinstance(parent, ast.Lambda) for parent in facts.parents(call))
    if drawn.is_listing or drawn.is_split or is_delayed:
        return False
    return not shuffles_in_place(call) or shuffled(facts, call) is not None


def shuffles_in_place(call: ast.Call) -> bool:
    """Whether it changes what it is given, and gives nothing."""
    return getattr(call.func, "attr", getattr(call.func, "id", "")) == "shuffle"


def shuffled(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What a statement of its own shuffles, where it has a name."""
    given = call.args[0] if len(call.args) == 1 and not call.keywords else None
    is_named = isinstance(given, (ast.Name, ast.Attribute))
    return given if is_named and isinstance(facts.parent(call), ast.Expr) else None


def draws_elsewhere(facts: Facts, call: ast.Call) -> bool:
    """Whether a function of the module that it calls draws; methods are looked at themselves."""
    function = facts.callee(call)
    if function is None or facts.classes.method_of(function) is not None:
        return False
    calls = (node for node in within(function) if isinstance(node, ast.Call))
    return any(own_draw(facts, each) is not None for each in calls)


def _reached(facts: Facts, cls: ast.ClassDef, names: list[str]) -> dict[Function, None]:
    """The methods of these names, and those that they call on `self`."""
    waiting, found = list(names), dict[Function, None]()
    for name in waiting:
        method = facts.classes.method(cls, name)
        if method is not None and method not in found:
            found[method] = None
            waiting += _on_self(facts, method)
    return found


def _on_self(facts: Facts, method: Function) -> Iterator[str]:
    for node in within(method):
        if isinstance(node, ast.Attribute) and facts.classes.self_class(node.value) is not None:
            yield node.attr


# -- givers --------------------------------------------------------------------------------------
# What gives one batch after the other, each time another one, in an order that rank 0 can tell.
#
# Generators and objects of the program's own, what goes through several of them side by side, and
# lists of batches. Whoever draws an order in there is told it by rank 0; who picks gives None.

Orders = tuple[ast.Call, ...]
BEGINS, NEXT = "__iter__", "__next__"
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
    generators = _all_generators([facts.classes.method(cls, BEGINS) for cls in classes])
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
