"""Loops that train on slices of arrays: of names, or of attributes of an object."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import takewhile

from ...library.agreement import RANGES
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ...program.things import Instance
from ..by_rank import depends_on_rank
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..training.training_loops import rounds_of, trains, without_bar
from .arrays import is_array, means_the_same, stay_bound
from .batch_needs import order_matters
from .handed_batches import given_away, handed_batches
from .pipeline_shares import shares_data
from .round_orders import lengths_of, only_pick, orders_by, reorders, sliced

# -- kept in start -------------------------------------------------------------------------------
# What `__init__` keeps on an object: what is read of it before a cut, and counted behind it.


def stores_in_start(facts: Facts, cls: ast.ClassDef, name: str) -> Iterator[ast.stmt | None]:
    """The statements of `__init__` that keep a value under a name; None for one elsewhere."""
    init = facts.classes.method(cls, "__init__")
    own = init if init is not None and facts.classes.method_of(init) is cls else None
    for target, _ in facts.attribute_stores.get(name, []):
        statement = facts.statement(target)
        is_plain = isinstance(statement, ast.Assign) and own is not None and statement in own.body
        is_selfs = own is not None and ast.unparse(target.value) == own.args.args[0].arg
        yield statement if is_plain and is_selfs else None


def is_before(facts: Facts, node: ast.AST, last: ast.stmt) -> bool:
    """Whether something of `__init__` runs before the cut behind a statement, or in a method then.

    A method that is called up to there only sees all of the arrays: it counts as before.
    """
    init = facts.function(last)
    home = facts.function(node)
    if home is init:
        return getattr(node, "lineno", 0) <= (last.end_lineno or last.lineno)
    calls = facts.call_sites(home) if home is not None else []
    is_called = [facts.function(call) is init and is_before(facts, call, last) for call in calls]
    return bool(calls) and all(is_called)


def is_measured(facts: Facts, node: ast.AST) -> bool:
    """Whether no more is asked of an array than how long it is: `len(x)`, `x.shape`."""
    parent = facts.parent(node)
    called = facts.name(parent.func) if isinstance(parent, ast.Call) else None
    is_shape = isinstance(parent, ast.Attribute) and parent.attr == "shape"
    is_len = called == "builtins.len" and node in parent.args  # type: ignore[union-attr]
    return is_len or is_shape


def are_counts(facts: Facts, number: ast.expr, lengths: Sequence[ast.AST], loop: ast.AST) -> bool:
    """Whether a number of rounds is reckoned from these lengths alone, and made for the loop.

    Elsewhere it may be kept under a name that this function alone reads: `self.n = len(self.x)`.
    """
    measured = [n for n in facts.program.ingredients(number) if is_measured(facts, n)]
    if any(node not in lengths for node in measured):
        return False
    home = facts.function(loop)
    return all(facts.function(n) is home or _is_kept_for(facts, n, home) for n in lengths)


def _is_kept_for(facts: Facts, length: ast.AST, home: ast.AST | None) -> bool:
    statement = facts.statement(length)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Attribute):
        return False
    reads = (n for n in facts.index.nodes(ast.Attribute) if n.attr == target.attr)
    return all(facts.function(n) is home for n in reads if isinstance(n.ctx, ast.Load))


# -- attribute loops -----------------------------------------------------------------------------
# Arrays that an object keeps, and of which a loop takes slices: `self.x[i : i + 32]`.
#
# Each object cuts them where it is made, behind the line in `__init__` that keeps the last of
# them: so whoever asks for their length gets that of a share, and nobody else may read them.


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
    return ast.unparse(facts.attribute_stores[name][0][0])


# -- only sliced ---------------------------------------------------------------------------------
# Whether from a cut on nothing but a loop reads an array, which it takes slices of.

_LAZY = (ast.Lambda, ast.GeneratorExp)


class Cut(NamedTuple):
    """A cut before `first`, for a loop; which reads of the array are known, and its new orders."""

    first: ast.stmt
    loop: ast.stmt
    allowed: frozenset[int]
    reorders: frozenset[ast.stmt]


def is_only_sliced(facts: Facts, name: ast.expr, cut: Cut) -> bool:
    """Whether the array belongs to the function, and from the cut on only the loop reads it."""
    assert isinstance(name, ast.Name)
    owner = facts.scope(name).find(name.id)
    if owner is None or owner.node is not (facts.function(name) or facts.module):
        return False
    if not _is_as_before(facts, name, cut):
        return False
    for use in facts.readers(name):
        if id(use) not in cut.allowed and not _is_before(facts, use, cut.first):
            return False
    return True


def _is_as_before(facts: Facts, name: ast.Name, cut: Cut) -> bool:
    """Whether it still holds what it did at the cut, if only in a new order."""
    made = [facts.statement(binding.node) for binding in facts.bindings(name)]
    inside = [s for s in made if s is cut.loop or cut.loop in facts.parents(s)]
    if inside and cut.reorders.issuperset(inside):
        return stay_bound(facts, name, cut.first, cut.loop)
    return means_the_same(facts, name, cut.first)


def _is_before(facts: Facts, use: ast.AST, first: ast.stmt) -> bool:
    """Whether it is read for the last time then; a lambda may be called at any time.

    No loop stands around `first` (it is in the block of the outermost one): in one run of the
    function the lines run in the order of the text, so that there is no flow to follow.
    """
    around = (node for node in facts.parents(use) if isinstance(node, _LAZY))
    same = facts.function(use) is facts.function(first)
    return same and getattr(use, "lineno", 0) < first.lineno and next(around, None) is None


# -- array loops ---------------------------------------------------------------------------------
# Loops that train on slices of arrays: `for i in range(0, len(x), 32): x[i : i + 32]`.
#
# Also such as count steps and go round: `start = step * 32 % (len(x) - 32)`, `x[start : start +
# 32]`.

_LOOPS = (ast.For, ast.While)


class Loop(NamedTuple):
    """Arrays that are cut before a statement, because a loop from there on takes slices of them.

    `steps` is the number of its rounds where that doesn't follow from how long the arrays are.
    """

    before: ast.stmt
    arrays: tuple[str, ...]
    steps: ast.expr | None = None
    orders: tuple[ast.AST, ...] = ()  # drawn for each worker's share
    fewer: tuple[ast.expr, ...] = ()  # what its rounds are reckoned from, and with them shrinks
    is_behind: bool = False  # cut behind the statement, which keeps the last of the arrays


@recorded
def loops(facts: Facts) -> tuple[Loop, ...]:
    """The loops whose arrays can be cut: they and nothing behind them use the arrays."""
    if not shares_data(facts):
        return ()
    found: dict[ast.AST, Loop] = {}
    for node in facts.index.nodes(ast.For):
        if trains(facts, node) and not has_own_rows(facts, node):
            loop = _Slices(facts, node).loop()
            if loop is not None:
                found[loop.before] = loop
    kept = (Loop(k.behind, k.arrays, None, k.orders, (), True) for k in kept_arrays(facts))
    return (*found.values(), *kept)


class _Slices:
    """One `for … in range(…)` that trains."""

    def __init__(self, facts: Facts, inner: ast.For) -> None:
        self._facts, self._inner = facts, inner
        self._outer: ast.stmt = inner
        for parent in facts.parents(inner):
            if isinstance(parent, FunctionNode):
                break
            self._outer = parent if isinstance(parent, _LOOPS) else self._outer

    def loop(self) -> Loop | None:
        """The arrays, if the number of rounds follows from their length and all else is safe."""
        call = without_bar(self._facts, self._inner.iter)
        if not isinstance(call, ast.Call) or self._facts.name(call.func) not in RANGES:
            return None
        slices = list(self._slices())
        names = tuple(dict.fromkeys(s.value.id for s in slices if isinstance(s.value, ast.Name)))
        if not names or any(depends_on_rank(self._facts, s.value) for s in slices):
            return None
        lengths = self._lengths([n for arg in call.args for n in within(arg)], names)
        steps = None if lengths else next(rounds_of(self._facts, slices[0]), None)
        lengths = lengths or ([] if steps is None else self._rounds(slices, names))
        orders = orders_by(self._facts, slices, self._outer)
        again = reorders(self._facts, self._outer, names)
        numbers = [each.number for each in again if each.number is not None]
        drawn_for = [self._lengths(lengths_of(each), names) for each in orders]
        drawn_for += [self._lengths(list(within(number)), names) for number in numbers]
        if not lengths or not all(drawn_for) or not only_pick(self._facts, orders, slices):
            return None
        lengths += [name for each in drawn_for for name in each]
        first = self._first(lengths)
        allowed = {id(s.value) for s in slices} | {id(n) for n in lengths}
        allowed |= {id(name) for each in again for name in each.used}
        if first is None:
            return None
        seen = Cut(first, self._outer, frozenset(allowed), frozenset(r.statement for r in again))
        if not all(is_only_sliced(self._facts, s.value, seen) for s in slices):
            return None
        drawn = (*(order.drawn for order in orders), *(d for each in again for d in each.draws))
        return Loop(first, names, steps, drawn, () if steps is not None else tuple(call.args))

    def _slices(self) -> Iterator[ast.Subscript]:
        """`x[i : i + 32]` with an `i` that the loop binds."""
        inside = [n for n in within(self._inner) if isinstance(n, ast.Name)]
        bound = {n.id for n in inside if not isinstance(n.ctx, ast.Load)}
        for node in within(self._inner):
            index = sliced(self._facts, node, self._outer)
            if isinstance(node, ast.Subscript) and index is not None:
                used = {n.id for n in within(index) if isinstance(n, ast.Name)}
                is_name = isinstance(node.value, ast.Name) and node.value.id not in bound
                if used & bound and is_name and is_array(self._facts, node.value):
                    yield node

    def _lengths(self, numbers: list[ast.AST], names: tuple[str, ...]) -> list[ast.Name]:
        """The arrays in `len(x)` and `x.shape`, also in the statements that computed a number."""
        found: list[ast.Name] = []
        for node in (*numbers, *(n for s in self._sources(numbers) for n in within(s))):
            parent = self._facts.parent(node)
            is_shape = isinstance(parent, ast.Attribute) and parent.attr == "shape"
            called = self._facts.name(parent.func) if isinstance(parent, ast.Call) else None
            is_len = called == "builtins.len"
            if isinstance(node, ast.Name) and node.id in names and (is_shape or is_len):
                found.append(node)
        return found

    def _sources(self, numbers: list[ast.AST]) -> list[ast.stmt]:
        """Assignments in the block of the loop, or around it, that computed a number for it."""
        blocks = [self._facts.block(s) for s in (*self._inside(), *self._outside())]
        before = [s for block, number in blocks for s in block[:number]]
        found: list[ast.stmt] = []
        waiting = list(numbers)
        for node in waiting:
            bindings = self._facts.bindings(node) if isinstance(node, ast.Name) else []
            made = bindings[0].node if len(bindings) == 1 else None
            if made in before and made not in found:
                found.append(made)
                waiting += within(made)
        return found

    def _inside(self) -> Iterator[ast.stmt]:
        """The loop, and what is around it in the outermost one."""
        if self._inner is not self._outer:
            yield self._inner
            within_outer = takewhile(
                lambda n: n is not self._outer, self._facts.parents(self._inner)
            )
            yield from (n for n in within_outer if isinstance(n, ast.stmt))

    def _outside(self) -> Iterator[ast.stmt]:
        """The outermost loop, and each `with` around it: what is in these blocks runs once."""
        yield self._outer
        yield from takewhile(lambda n: isinstance(n, ast.With), self._facts.parents(self._outer))

    def _rounds(self, slices: list[ast.Subscript], names: tuple[str, ...]) -> list[ast.Name]:
        """The lengths by which every slice begins anew; none where one of them has no such."""
        found: list[ast.Name] = []
        for each in slices:
            starts = [n for n in within(each.slice) if isinstance(n, ast.Name)]
            lengths = [self._lengths(self._modulus(name), names) for name in starts]
            if not any(lengths):
                return []
            found += [name for some in lengths for name in some]
        return found

    def _modulus(self, name: ast.Name) -> list[ast.AST]:
        """The parts of `n` of `start = step * 32 % n`, which the loop computes in each round."""
        bindings = self._facts.bindings(name)
        value = bindings[0].value if len(bindings) == 1 else None
        is_inside = value is not None and self._inner in self._facts.parents(value)
        is_rest = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod)
        return list(within(value.right)) if is_inside and is_rest else []  # type: ignore[union-attr]

    def _first(self, lengths: list[ast.Name]) -> ast.stmt | None:
        """The first statement that has to see the shares; None if the rounds don't follow them."""
        statements = [self._facts.statement(n) for n in lengths]
        blocks = [self._facts.block(s)[0] for s in self._outside()]
        outside = [s for s in statements if any(s in block for block in blocks)]
        return min((self._outer, *outside), key=_line) if lengths else None


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


# -- own slices ----------------------------------------------------------------------------------
# Loops that take their batches as slices of arrays, and the number of rows that they go by.
#
# `for i in range(0, len(x), BATCH)` with `x[i : i + BATCH]`, and `for i in range(len(x) //
# BATCH)` with `x[i * BATCH : (i + 1) * BATCH]`: every place of that number counts rows, as
# lengths do.

_SMALL = (0, 1, -1, None)


class Sliced(NamedTuple):
    """A loop, where its arrays are cut, and each place of the number of rows; none: unknown."""

    loop: ast.For
    before: ast.stmt
    places: tuple[ast.expr, ...]


def sliced_loops(facts: Facts) -> Iterator[Sliced]:
    """Each loop that trains on slices of arrays that are shared out."""
    for loop in loops(facts):
        for node in facts.index.nodes(ast.For):
            call = without_bar(facts, node.iter)
            is_range = isinstance(call, ast.Call) and facts.name(call.func) in RANGES
            if is_range and trains(facts, node) and not _holds_another(facts, node):
                yield Sliced(node, loop.before, tuple(_places(facts, node, loop)))


def _holds_another(facts: Facts, loop: ast.For) -> bool:
    inner = (n for n in within(loop) if isinstance(n, ast.For) and n is not loop)
    return any(trains(facts, each) for each in inner)


def _places(facts: Facts, node: ast.For, loop: Loop) -> list[ast.expr]:
    """The places of the one number of rows; none where it isn't one, or other numbers are about."""
    if loop.steps is not None or loop.is_behind or not isinstance(node.target, ast.Name):
        return []
    numbers = [*_numbers(facts, node, loop)]
    if any(map(_is_other, numbers)) or not _is_only_index(node, numbers):
        return []
    sizes = [n for number in numbers for n in within(number) if _is_size(facts, n, node, loop)]
    words = {ast.dump(n) for n in sizes}
    return sizes if len(words) == 1 else []  # type: ignore[return-value]


def _numbers(facts: Facts, node: ast.For, loop: Loop) -> Iterator[ast.expr]:
    """What says how often the loop runs, and which rows a round takes; by way of their names."""
    call = without_bar(facts, node.iter)
    assert isinstance(call, ast.Call)
    waiting: list[ast.expr] = [*call.args]
    slices = (n for n in within(node) if isinstance(n, ast.Slice))
    waiting += [each for part in slices for each in (part.lower, part.upper) if each is not None]
    seen: set[int] = set()
    for number in waiting:
        if id(number) in seen:
            continue
        seen.add(id(number))
        yield number
        for name in (n for n in within(number) if isinstance(n, ast.Name)):
            made = _made(facts, name)
            if made is not None and name.id not in (node.target.id, *loop.arrays):  # type: ignore[attr-defined]
                waiting.append(made)


def _made(facts: Facts, name: ast.Name) -> ast.expr | None:
    """What is reckoned, and bound to a name once: `steps = len(x) // BATCH`."""
    bound = facts.bindings(name)
    value = bound[0].value if len(bound) == 1 and bound[0].kind == "assign" else None
    return value if isinstance(value, (ast.BinOp, ast.Call)) else None


def _is_other(number: ast.expr) -> bool:
    """Whether a number is in it that is neither 0 nor 1, beside others: `len(x) - 7`."""
    parts = [n for n in within(number) if isinstance(n, ast.Constant)]
    return not isinstance(number, ast.Constant) and any(n.value not in _SMALL for n in parts)


def _is_only_index(node: ast.For, numbers: list[ast.expr]) -> bool:
    """Whether the counter of rows does nothing but say which they are; that of rounds may."""
    call = node.iter
    target = node.target.id  # type: ignore[attr-defined]
    is_of_rounds = isinstance(call, ast.Call) and len(call.args) == 1
    inside = {id(n) for number in numbers for n in within(number)}
    uses = (n for n in within(node) if isinstance(n, ast.Name) and n.id == target)
    return is_of_rounds or all(id(n) in inside or n is node.target for n in uses)


def _is_size(facts: Facts, node: ast.AST, loop: ast.For, cut: Loop) -> bool:
    """Whether a name stands for a number of the program: no counter, array, length or count."""
    if not isinstance(node, ast.Name) or node.id in (loop.target.id, *cut.arrays):  # type: ignore[attr-defined]
        return False
    made = facts.origins(node)
    values = [getattr(each, "value", None) for each in made.nodes]
    return made.complete and bool(values) and all(type(each) is int for each in values)
