"""How many elements a pipeline has, as far as that can be told where it is cut."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.records import NamedTuple
from ..facts import Facts
from .array_lengths import length_of
from .arrays import is_array
from .orders import Orders
from .same_meaning import means_the_same
from .stages import Way

_LISTING = (
    "builtins.sorted",
    "builtins.list",
    "glob.glob",
    "os.listdir",
    "tensorflow.io.gfile.glob",
)


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
    return isinstance(node, ast.Call) and facts.name(node.func) in _LISTING


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
