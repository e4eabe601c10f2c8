"""Arrays that an object keeps, and of which a loop takes slices: `self.x[i : i + 32]`.

Each object cuts them where it is made, behind the line in `__init__` that keeps the last of them:
so whoever asks for their length gets that of a share, and nobody else may read them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import RANGES
from ...program.node_fields import within
from ...program.records import NamedTuple
from ...program.things import Instance
from ..by_rank import depends_on_rank
from ..facts import Facts
from ..training.training_loops import trains, without_bar
from .arrays import is_array
from .batch_needs import order_matters
from .handed_batches import handed_batches
from .handed_uses import given_away
from .kept_in_start import are_counts, is_before, is_measured, stores_in_start
from .round_orders import only_pick, orders_by, sliced


class SlicedAttributes(NamedTuple):
    """Arrays that objects of a class keep, behind which statement they are cut, and new orders."""

    behind: ast.stmt
    arrays: tuple[str, ...]
    orders: tuple[ast.AST, ...]


class _Use(NamedTuple):
    """Slices that a loop takes of what the objects of a class keep, and all that may read these."""

    cls: ast.ClassDef
    names: tuple[str, ...]
    allowed: frozenset[ast.AST]
    lengths: frozenset[ast.AST]
    orders: tuple[ast.AST, ...]


def kept_arrays(facts: Facts) -> Iterator[SlicedAttributes]:
    """What can be cut so, a class after the other; nothing where batches are handed out, too."""
    found = [use for loop in facts.index.nodes(ast.For) for use in _of_loop(facts, loop)]
    if found and (order_matters(facts) or handed_batches(facts).arrays):
        return
    for cls in dict.fromkeys(use.cls for use in found):
        uses = [use for use in found if use.cls is cls]
        names = tuple(dict.fromkeys(name for use in uses for name in use.names))
        stores = [store for name in names for store in stores_in_start(facts, cls, name)]
        if None in stores or not _is_own(facts, cls):
            continue
        last = max((store for store in stores if store is not None), key=lambda s: s.lineno)
        allowed = {node for use in uses for node in use.allowed}
        lengths = {node for use in uses for node in use.lengths}
        before = {n for n in _reads(facts, names) if is_before(facts, n, last)}
        if before.isdisjoint(lengths) and _reads(facts, names) - before <= allowed:
            orders = tuple(order for use in uses for order in use.orders)
            yield SlicedAttributes(last, tuple(_spelled(facts, name) for name in names), orders)


def _of_loop(facts: Facts, loop: ast.For) -> Iterator[_Use]:
    """What a loop that trains takes slices of, if its rounds follow from how long that is."""
    call = without_bar(facts, loop.iter)
    if not isinstance(call, ast.Call) or facts.name(call.func) not in RANGES:
        return
    outer = next((p for p in facts.parents(loop) if isinstance(p, (ast.For, ast.While))), loop)
    slices = list(_slices(facts, loop, outer)) if trains(facts, loop) else []
    values = [each.value for each in slices]
    classes = {cls for value in values for cls in _classes(facts, value)}
    if len(classes) != 1:  # most loops take no slices: what their rounds follow from is dear to ask
        return
    cls = classes.pop()
    orders = orders_by(facts, slices, outer)
    names = tuple(dict.fromkeys(value.attr for value in values if isinstance(value, ast.Attribute)))
    lengths = _lengths(facts, call, names)
    drawn = [_lengths(facts, order.drawn, names) for order in orders]
    is_picked = only_pick(facts, orders, slices) and all(drawn)
    if not lengths or not is_picked or not are_counts(facts, call, lengths, loop):
        return
    if any(depends_on_rank(facts, value) for value in (call, *values)):
        return
    measured = frozenset([*lengths, *(node for nodes in drawn for node in nodes)])
    yield _Use(cls, names, measured.union(values), measured, tuple(o.drawn for o in orders))


def _slices(facts: Facts, loop: ast.For, outer: ast.stmt) -> Iterator[ast.Subscript]:
    """`self.x[i : i + 32]` with an `i` that the loop binds."""
    stores = (
        n for n in within(loop) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    )
    bound = {name.id for name in stores}
    for node in within(loop):
        index = sliced(facts, node, outer)
        if isinstance(node, ast.Subscript) and index is not None:
            used = {n.id for n in within(index) if isinstance(n, ast.Name)}
            if used & bound and isinstance(node.value, ast.Attribute):
                if _classes(facts, node.value) and is_array(facts, node.value):
                    yield node


def _classes(facts: Facts, value: ast.expr) -> set[ast.ClassDef]:
    """The classes of the objects that an attribute is read of; none where one may be another."""
    things = facts.program.things(value.value) if isinstance(value, ast.Attribute) else ()
    made = {thing.cls.node for thing in things if isinstance(thing, Instance)}
    return made if things and all(isinstance(thing, Instance) for thing in things) else set()


def _lengths(facts: Facts, number: ast.expr, names: tuple[str, ...]) -> list[ast.AST]:
    """The arrays whose length a number is reckoned from: `len(self.x)`, `self.x.shape[0]`."""
    parts = (n for n in facts.program.ingredients(number) if isinstance(n, ast.Attribute))
    return [n for n in parts if n.attr in names and is_measured(facts, n)]


def _is_own(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether nobody out of sight gets its objects or has methods, and no class is made of it."""
    derived = (base for other in facts.index.nodes(ast.ClassDef) for base in other.bases)
    is_base = any(facts.classes.local(base) is cls for base in derived)
    return not is_base and _is_in_sight(facts, cls) and cls not in given_away(facts)


def _is_in_sight(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether all that it has stands in the program."""
    around = [cls]
    for each in around:  # which grows
        local = [facts.classes.local(base) for base in each.bases]
        around += [base for base in local if base is not None and base not in around]
        others = [base for base, found in zip(each.bases, local) if found is None]
        if each.keywords or any(facts.name(base) != "builtins.object" for base in others):
            return False
    return not cls.decorator_list


def _reads(facts: Facts, names: tuple[str, ...]) -> set[ast.AST]:
    """Wherever such an attribute is read, of whatever object."""
    nodes = facts.index.nodes(ast.Attribute)
    return {n for n in nodes if n.attr in names and isinstance(n.ctx, ast.Load)}


def _spelled(facts: Facts, name: str) -> str:
    return ast.unparse(facts.index.attribute_stores[name][0][0])
