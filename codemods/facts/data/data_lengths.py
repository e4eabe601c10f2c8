"""How long pipelines are where they are cut, and what holds arrays that are cut alike."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from ...library.array_names import LISTED_FILES
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..value_parts import changes
from .arrays import is_array, length_of, may_be_array, means_the_same
from .orders import Orders
from .pipelines import Way

# -- lengths -------------------------------------------------------------------------------------
# How many elements a pipeline has, as far as that can be told where it is cut.


class Length(NamedTuple):
    """A number of elements: `of` itself, how long it is, or how long a part of it is."""

    of: ast.expr
    is_number: bool = False
    part: int | str | None = None  # by index or key

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for lengths that are written alike."""
        return (ast.dump(self.of), *self[1:])


def length_of_way(facts: Facts, orders: Orders, before: Way) -> Length | None:
    """The number of elements, None where only the dataset itself could tell."""
    source, last = before[0].call, before[-1].expr
    is_first_hand = all(stage.method in ("", "map", "prefetch", "cache") for stage in before[1:])
    if is_first_hand and _is_near(facts, before):
        if before[0].method == "range" and len(source.args) == 1:
            return _plain_number(source.args[0])
        if before[0].method == "from_tensor_slices" and source.args:
            found = _array_length(facts, source.args[0])
            if found is not None:
                return found
    return Length(last) if isinstance(last, ast.Name) and orders.is_counted(before) else None


def _is_near(facts: Facts, before: Way) -> bool:
    """Whether the names at the source still mean the same at the cut."""
    source, last = before[0].expr, before[-1].expr
    if facts.statement(source) is facts.statement(last):
        return True
    if facts.function(source) is not facts.function(last):
        return False
    if facts.in_loop(source) and not all(_is_of_this_round(facts, s.expr) for s in before[1:]):
        return False
    return means_the_same(facts, source, facts.statement(last))


def _is_of_this_round(facts: Facts, expr: ast.expr) -> bool:
    """Whether a name can't hold what an earlier round of a loop made."""
    version = facts.order.reads.get(expr) if isinstance(expr, ast.Name) else None
    return not isinstance(expr, ast.Name) or (version is not None and version.args is None)


def is_repeatable(facts: Facts, expr: ast.expr) -> bool:
    """Whether an expression may be written twice: it only looks up what is there."""
    while isinstance(expr, (ast.Subscript, ast.Attribute)):
        if isinstance(expr, ast.Attribute) and _is_computed(facts, expr):
            return False
        if isinstance(expr, ast.Subscript) and not isinstance(expr.slice, ast.Constant):
            return False
        expr = expr.value
    return isinstance(expr, ast.Name)


def _is_computed(facts: Facts, expr: ast.Attribute) -> bool:
    """Whether a property, or something that nobody knows, may give the attribute."""
    found = facts.program.instances(expr.value)
    if not found.is_complete:
        found = facts.program.classes(expr.value)
    names = (expr.attr, "__getattr__", "__getattribute__")
    methods = (facts.classes.method(c, n) for c in found.nodes for n in names)  # type: ignore[arg-type]
    return not found.is_complete or any(method is not None for method in methods)


def _plain_number(expr: ast.expr) -> Length | None:
    is_number = isinstance(expr, ast.Constant) and isinstance(expr.value, int)
    return Length(expr, is_number=True) if is_number or isinstance(expr, ast.Name) else None


def _array_length(facts: Facts, elements: ast.expr) -> Length | None:
    for expr in _parts(elements):
        if is_array(facts, expr) or is_list(facts, expr):
            found = length_of(facts, expr)
            if found is not None:
                return Length(found)
    return None


def is_list(facts: Facts, expr: ast.expr) -> bool:
    """A list of file names or labels: tf.data slices it as one array."""
    origins = facts.origins(expr)
    return (
        bool(origins.items)
        and origins.complete
        and all(not item.path and _makes_list(facts, item.node) for item in origins.items)
    )


def _makes_list(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, (ast.List, ast.ListComp)):
        return True
    return isinstance(node, ast.Call) and facts.name(node.func) in LISTED_FILES


def _parts(elements: ast.expr) -> Iterator[ast.expr]:
    """The arrays in what `from_tensor_slices` takes, plain names first."""
    stack, found = [elements], []
    while stack:
        expr = stack.pop(0)
        if isinstance(expr, ast.Tuple):
            stack += expr.elts
        elif isinstance(expr, ast.Dict):
            stack += expr.values
        else:
            found.append(expr)
    yield from sorted(found, key=lambda e: not isinstance(e, ast.Name))


# -- containers of arrays ------------------------------------------------------------------------
# Arrays that are cut alike, and how a value holds them.

TRAINING, VALIDATION = "training", "validation"  # what arrays are for
_NAMING = (ast.Name, ast.Subscript, ast.Slice, ast.Constant, ast.UnaryOp)
_MOVABLE = (ast.For, ast.AsyncFor, ast.While, ast.Try)


class Container(Enum):
    """How a value holds the arrays that are cut."""

    ITSELF = "it is an array"
    LIST = "in a list"
    TUPLE = "in a tuple"
    DICT = "as the values of a dictionary"


_CONTAINERS: Mapping[type, Container] = {
    ast.List: Container.LIST,
    ast.Tuple: Container.TUPLE,
    ast.Dict: Container.DICT,
}


class Arrays:
    """The arrays that are cut alike, with their length."""

    def __init__(self, call: ast.Call, purpose: str) -> None:
        self.call = call  # what takes them: the `fit`, or the `flow` of a generator
        self.purpose = purpose
        self.held: dict[ast.expr, Container] = {}
        self.length: Length | None = None
        self.fit: ast.Call | None = None
        self.is_first = True  # False: the slice made for an earlier call still holds


def collect(
    facts: Facts,
    call: ast.Call,
    purpose: str,
    values: Iterable[ast.expr | None],
    is_known: bool = False,
) -> Arrays | None:
    """All of the arrays, or None if one of the values may be something else.

    Known: what takes them takes nothing else, so that what nobody sees the making of is one, too.
    """
    found = Arrays(call, purpose)
    for value in values:
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            continue
        if not _add(facts, found, value, is_known):
            return None
    return found if found.held and found.length is not None else None


def _add(facts: Facts, found: Arrays, value: ast.expr, is_known: bool) -> bool:
    if isinstance(value, (ast.List, ast.Tuple, ast.Dict)):
        inside = value.values if isinstance(value, ast.Dict) else value.elts
        return bool(inside) and all(_add(facts, found, inner, is_known) for inner in inside)
    if is_array(facts, value) or (is_known and may_be_array(facts, value)):
        found.held[value] = Container.ITSELF
        if found.length is None:
            plain = length_of(facts, value)
            found.length = None if plain is None else Length(plain)
        return True
    held = facts.origins(value).only if isinstance(value, ast.Name) else None
    inside = _held(held)
    if not inside or not all(is_array(facts, inner) for inner in inside):
        return False
    found.held[value] = _CONTAINERS[type(held)]
    part = _first_part(held)
    if found.length is None and part is not None:
        found.length = Length(value, part=part)
    return found.length is not None


def _first_part(held: ast.AST | None) -> int | str | None:
    """The index or the key of the first array; None for a key that is no text."""
    if not isinstance(held, ast.Dict):
        return 0
    key = held.keys[0]
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def _held(held: ast.AST | None) -> list[ast.expr]:
    if isinstance(held, ast.Dict):
        return held.values
    return held.elts if isinstance(held, (ast.List, ast.Tuple)) else []


def first_place(facts: Facts, arrays: Arrays) -> ast.AST:
    """Where their slice can be made: before the loops and `try`s in which they stay what they are.

    Their own place where more than names and indices says what they are.
    """
    place: ast.AST = arrays.call
    parts = [] if arrays.length is None else [*within(arrays.length.of)]
    if not all(isinstance(part, _NAMING) for part in parts):
        return place
    names = [part for part in parts if isinstance(part, ast.Name)]
    for around in facts.parents(arrays.call):
        if not isinstance(around, ast.stmt) or around is facts.statement(arrays.call):
            continue
        if not isinstance(around, _MOVABLE) or not _stay(facts, names, around, len(parts) > 1):
            break
        place = around
    return place


def _stay(facts: Facts, names: list[ast.Name], around: ast.stmt, is_indexed: bool) -> bool:
    """Whether nothing in a statement binds the names anew, or changes how much they hold.

    What is put into a mask, `mask[i] = True`, changes how much `x[mask]` holds.
    """
    inside = list(within(around))
    bound = {facts.statement(b.node) for name in names for b in facts.bindings(name)}
    if not bound.isdisjoint(inside):
        return False
    spelled = {name.id for name in names}
    return not any(
        _changes(facts, node, spelled) or (is_indexed and _is_put_in(node, spelled))
        for node in inside
    )


def _is_put_in(node: ast.AST, names: set[str]) -> bool:
    is_store = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    return is_store and getattr(node.value, "id", "") in names  # type: ignore[attr-defined]


def _changes(facts: Facts, node: ast.AST, names: set[str]) -> bool:
    """Whether it is a call such as `x.append(…)`, of a list that has one of the names."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return getattr(node.func.value, "id", "") in names and bool(changes(facts, node))
