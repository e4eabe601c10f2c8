"""Datasets of the program's own that give whole batches by number: `keras.utils.PyDataset`.

Keras asks each of them for `len(dataset)` batches an epoch, and tells it when one has ended: where
it fetches them in other threads or processes, in one of these.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.draws import Draw, is_sortable
from ...library.hooks import OF_EPOCHS
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..agreement.orders_by_chance import own_draw
from ..by_rank import RANK
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..horovod import member
from ..keras_version import is_keras_3
from ..names import KERAS
from ..scopes import Function
from ..training import fits
from .batch_needs import order_matters
from .hashed_orders import put_in_order
from .shares import shares_data

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
    """Whether the class of its dataset asks for the worker's number."""
    value = fits.data(facts, fit) if facts.has_horovod else None
    classes = None if value is None else classes_of(facts, value)
    return bool(classes) and all(_asks_for_rank(facts, cls) for cls in classes or ())


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
