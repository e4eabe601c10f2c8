"""Orders that a program makes itself: of its arrays in each round, or of a set of texts."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ...library.array_names import IN_PLACE, NUMBERED, ORDERS, SHUFFLES
from ...library.draws import SORTING
from ...library.words import words
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts, recorded

# -- round orders --------------------------------------------------------------------------------
# Orders that a loop draws for all of an array in each round, and takes slices of.
#
# `order = np.random.permutation(len(x))`, `x[order[i : i + 32]]`, also with a name for the slice.


class RoundOrder(NamedTuple):
    """A slice of an order: the call that draws that one, and the names that are looked up by."""

    part: ast.Subscript
    drawn: ast.Call
    names: tuple[ast.Name, ...]


def sliced(facts: Facts, node: ast.AST, loop: ast.stmt) -> ast.AST | None:
    """The slice that is taken of an array, perhaps by an order that the loop draws."""
    if not isinstance(node, ast.Subscript) or _drawn(facts, node.value, loop) is not None:
        return None
    order = _order(facts, node.slice, loop)
    return order.part.slice if order else node.slice if _is_slice(node.slice) else None


def orders_by(facts: Facts, slices: list[ast.Subscript], loop: ast.stmt) -> list[RoundOrder]:
    """The orders by which the loop picks from its arrays."""
    found = (_order(facts, each.slice, loop) for each in slices)
    return [each for each in found if each is not None]


def only_pick(facts: Facts, orders: list[RoundOrder], slices: list[ast.Subscript]) -> bool:
    """Whether orders, and slices of them, are used for nothing but to pick from these arrays."""
    picked = {id(each) for each in slices}
    names = (name for order in orders for name in order.names)
    return all(_only_picks(facts, name, picked) for name in names)


def _only_picks(facts: Facts, name: ast.Name, picked: set[int]) -> bool:
    for use in facts.readers(name):
        parent = facts.parent(use)
        is_part = isinstance(parent, ast.Subscript) and parent.value is use
        is_picking = id(parent) in picked or (is_part and _is_slice(parent.slice))  # type: ignore[union-attr]
        if not is_picking:
            return False
    return True


def _is_slice(index: ast.AST) -> bool:
    """`i : i + 32`, also as the first of several: `i : i + 32, :`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    return isinstance(first, ast.Slice)


def _drawn(facts: Facts, order: ast.AST, loop: ast.stmt) -> ast.Call | None:
    """The call by which the loop draws an order anew in each of its rounds."""
    drawn = _once(facts, order, loop)
    is_drawn = isinstance(drawn, ast.Call) and facts.name(drawn.func) in ORDERS
    return drawn if is_drawn and len(drawn.args) == 1 else None  # type: ignore[union-attr, return-value]


def _order(facts: Facts, index: ast.expr, loop: ast.stmt) -> RoundOrder | None:
    """The slice of such an order that an index is."""
    part = index if isinstance(index, ast.Subscript) else _once(facts, index, loop)
    if not isinstance(part, ast.Subscript) or not _is_slice(part.slice):
        return None
    drawn = _drawn(facts, part.value, loop)
    names = tuple(node for node in (index, part.value) if isinstance(node, ast.Name))
    return None if drawn is None else RoundOrder(part, drawn, names)


def _once(facts: Facts, name: ast.AST, loop: ast.stmt) -> ast.AST | None:
    """What a name stands for that the loop binds in each round, and nothing else does."""
    bindings = facts.bindings(name) if isinstance(name, ast.Name) else []
    is_one = len(bindings) == 1 and bindings[0].kind == "assign" and not bindings[0].path
    value = bindings[0].value if is_one else None
    return value if value is not None and loop in facts.parents(value) else None


def lengths_of(order: RoundOrder) -> list[ast.AST]:
    """What stands in the length for which an order is drawn: `len(x)`."""
    return list(within(order.drawn.args[0]))


# -- reorders ------------------------------------------------------------------------------------
# Statements by which a loop puts its arrays in a new order in each round.
#
# `order = np.random.permutation(len(x))`, `x = x[order]`; `x, y = shuffle(x, y)`;
# `np.random.shuffle(x)`. Each worker does so with its own share.


class Reorder(NamedTuple):
    """One of them: the arrays that it reads, what draws, and what says for how many, if told."""

    statement: ast.stmt
    used: tuple[ast.Name, ...]
    draws: tuple[ast.Call, ...]
    number: ast.expr | None = None
    order: ast.expr | None = None


def reorders(facts: Facts, loop: ast.stmt, names: Collection[str]) -> list[Reorder]:
    """Those of the arrays with these names in a loop."""
    statements = (node for node in within(loop) if isinstance(node, (ast.Assign, ast.Expr)))
    found = [each for s in statements for each in _of(facts, s, names)]
    places = (place for each in found for place in (each.statement, *each.draws))
    inside = {id(node) for place in places for node in within(place)}
    return [each for each in found if _is_for_these(facts, each.order, inside)]


def _is_for_these(facts: Facts, order: ast.expr | None, inside: set[int]) -> bool:
    """Whether an order is used for nothing else: other arrays would have to be cut, too."""
    if not isinstance(order, ast.Name):
        return True
    own = facts.bindings(order)
    loads = facts.index.loads.get(order.id, ())
    return all(id(use) in inside or facts.bindings(use) != own for use in loads)


def _of(
    facts: Facts, statement: ast.Assign | ast.Expr, names: Collection[str]
) -> Iterator[Reorder]:
    value = statement.value
    if isinstance(statement, ast.Expr):
        if isinstance(value, ast.Call) and facts.name(value.func) in IN_PLACE:
            yield from _shuffled(statement, value, names)
        return
    target = statement.targets[0]
    if len(statement.targets) != 1:
        return
    if isinstance(value, ast.Call) and facts.name(value.func) in SHUFFLES:
        if [_id(e) for e in getattr(target, "elts", [target])] == [_id(e) for e in value.args]:
            yield from _shuffled(statement, value, names)
        return
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts))
    found = [_picked(facts, statement, *pair, names) for pair in pairs]
    yield from (each for each in found if each is not None)


def _id(expr: ast.expr) -> str | None:
    return expr.id if isinstance(expr, ast.Name) else None


def _shuffled(statement: ast.stmt, call: ast.Call, names: Collection[str]) -> Iterator[Reorder]:
    used = tuple(each for each in call.args if isinstance(each, ast.Name) and each.id in names)
    if used and len(used) == len(call.args):
        yield Reorder(statement, used, (call,))


def _picked(
    facts: Facts,
    statement: ast.stmt,
    target: ast.expr,
    value: ast.expr,
    names: Collection[str],
) -> Reorder | None:
    """`x = x[order]`."""
    if not isinstance(value, ast.Subscript) or not isinstance(value.value, ast.Name):
        return None
    if _id(target) != value.value.id or value.value.id not in names:
        return None
    sources = list(facts.program.sources(value.slice, ()))
    drawn = [n for n in sources if isinstance(n, ast.Call) and facts.name(n.func) in NUMBERED]
    if len(drawn) != 1 or len(drawn[0].args) != 1:
        return None
    order = value.slice
    mixing = [c for c in facts.calls_of(*IN_PLACE) if [_id(a) for a in c.args] == [_id(order)]]
    return Reorder(statement, (value.value,), (drawn[0], *mixing), drawn[0].args[0], order)


# -- hashed orders -------------------------------------------------------------------------------
# Where a set of texts is put in an order: another one in each process, so on each worker.
#
# Python hashes texts with a number that each process draws (`PYTHONHASHSEED`). A vocabulary that
# is numbered in that order gives a word another number on each worker.

_ORDERING = tuple(f"builtins.{name}" for name in ("list", "tuple", "enumerate", "zip", "iter"))
_SETS = ("builtins.set", "builtins.frozenset")
_ALGEBRA = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
_OF_TEXTS = words(
    "decode join lower upper strip lstrip rstrip read readline readlines read_text split "
    "rsplit splitlines tokenize word_tokenize"
)
_TEXTS = ("builtins.str", "builtins.open", "json.load", "os.listdir", "nltk.word_tokenize")
_STORING = frozenset({"append", "extend", "setdefault"})


def hashed_orders(facts: Facts) -> Iterator[ast.expr]:
    """The sets of texts that are gone through where the order counts."""
    for expr in _gone_through(facts):
        if _is_set_of_texts(facts, expr) and not _is_sorted(facts, expr):
            yield expr


def _gone_through(facts: Facts) -> Iterator[ast.expr]:
    for call in facts.calls_of(*_ORDERING):
        yield from call.args
    for node in facts.index.nodes(ast.ListComp):
        yield from (each.iter for each in node.generators)
    for loop in facts.index.nodes(ast.For):
        if any(_stores(node) for statement in loop.body for node in within(statement)):
            yield loop.iter


def _stores(node: ast.AST) -> bool:
    """Whether something is put behind what is there: `index[word] = len(index)`."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Store)
    return isinstance(node, ast.Attribute) and node.attr in _STORING


def _is_set_of_texts(facts: Facts, expr: ast.expr) -> bool:
    return any(_has_texts(facts, node) for node in _sets(facts, expr))


def _sets(facts: Facts, expr: ast.expr) -> set[ast.AST]:
    """What makes the set that a value is, each once; empty where it may be something else.

    A set may be made of itself, round by round: `words = words.union(more)`.
    """
    found: set[ast.AST] = set()
    waiting = [expr]
    while waiting:
        made = facts.origins(waiting.pop()).nodes
        for node in set(made) - found:
            first = _first(node)
            if first is not None:
                waiting.append(first)
            elif not _is_new(facts, node):
                return set()
        if not made:
            return set()
        found.update(made)
    return found


def _first(node: ast.AST) -> ast.expr | None:
    """The set that an operation with others begins with."""
    if isinstance(node, ast.BinOp):
        return node.left
    func = node.func if isinstance(node, ast.Call) else None
    return func.value if isinstance(func, ast.Attribute) and func.attr in _ALGEBRA else None


def _is_new(facts: Facts, node: ast.AST) -> bool:
    is_made = isinstance(node, ast.Call) and facts.name(node.func) in _SETS
    return is_made or isinstance(node, (ast.Set, ast.SetComp))


def _has_texts(facts: Facts, made: ast.AST) -> bool:
    """Whether its elements are known to be texts; numbers are in the same order everywhere."""
    given = made.args if isinstance(made, ast.Call) else [made]
    return any(is_of_texts(facts, each) for each in given)


def is_of_texts(facts: Facts, expr: ast.AST) -> bool:
    """Whether texts are known to be among what a value is made from."""
    return any(_is_text(facts, node) for node in facts.program.ingredients_of([expr]))


def _is_text(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        method = getattr(node.func, "attr", "")
        return facts.name(node.func) in _TEXTS or method in _OF_TEXTS
    return isinstance(node, ast.JoinedStr) or _is_list_of_texts(node)


def _is_list_of_texts(node: ast.AST) -> bool:
    """`["cat", "dog"]`; a text by itself may be a path, a key or a type."""
    elements = node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else []
    return bool(elements) and all(
        isinstance(each, ast.Constant) and isinstance(each.value, str) for each in elements
    )


def _is_sorted(facts: Facts, expr: ast.expr) -> bool:
    """`sorted(list(words))`, or `words.sort()` of what it gave."""
    return (facts.parent(expr) or expr) in put_in_order(facts)


@recorded
def put_in_order(facts: Facts) -> frozenset[ast.AST]:
    """What is made from what, in values that are sorted: `sorted(os.listdir(folder))`."""
    sorts = (c.func.value for c in facts.calls("sort") if isinstance(c.func, ast.Attribute))
    given = (c.args[0] for c in facts.calls_of(*SORTING) if c.args)
    return frozenset(facts.program.ingredients_of([*sorts, *given]))
