"""Which layers a list or a functional model has, in which order, and how many they are."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library.layers import layer
from ...library.rerun_loops import INPUTS, RANGES
from ...library.tensorflow_names import SEQUENTIAL

if TYPE_CHECKING:
    from ..facts import Facts


# -- layer lists ---------------------------------------------------------------------------------
# Which expressions make the layers of a list that a loop runs over.
#
# A list is known if it is made in one place and only read elsewhere; `append` in the method or
# block that makes it counts as a part of it. Everything else is unknown.

MAKERS = ("__init__", "build")
HIDDEN = ("builtins.setattr", "builtins.vars", "builtins.exec", "builtins.eval")
READERS = frozenset(
    (SEQUENTIAL,
     *(f"builtins.{name}" for name in ("len", "enumerate", "zip", "reversed", "list")))
)  # fmt: skip


def made_once(facts: Facts, expr: ast.expr) -> ast.expr | None:
    """The only value that a name or an attribute of `self` ever has; None if that is unknown."""
    if isinstance(expr, ast.Name):
        bindings = facts.bindings(expr)
        if len(bindings) != 1 or bindings[0].kind != "assign" or bindings[0].path:
            return None
        value = bindings[0].value
    else:
        value = _stored(facts, expr)
    return value if isinstance(value, ast.expr) else None


def _stored(facts: Facts, expr: ast.expr) -> ast.AST | None:
    """What `self.name` holds, if one method that makes the instance stores it, and nobody else."""
    if not isinstance(expr, ast.Attribute) or any(facts.calls_of(*HIDDEN)):
        return None
    cls = facts.classes.self_class(expr.value)
    stores = facts.attribute_stores.get(expr.attr, [])
    own = [store for store in stores if _may_be(facts, store[0].value, cls)]
    if cls is None or len(own) != 1:
        return None
    target, binding = own[0]
    method = facts.function(target)
    is_made = facts.classes.self_class(target.value) is cls and method is not None
    is_plain = binding.kind == "assign" and not binding.path
    return binding.value if is_made and is_plain and method.name in MAKERS else None  # type: ignore[union-attr]


def _may_be(facts: Facts, instance: ast.expr, cls: ast.ClassDef | None) -> bool:
    """Whether an expression may be an instance of a class: it is not the `self` of another one."""
    other = facts.classes.self_class(instance)
    return cls is None or other is None or other in facts.classes.family(cls)


def elements(facts: Facts, layers: ast.expr) -> list[ast.expr] | None:
    """The expressions that make the elements of a list; None if not all of them are known."""
    value = made_once(facts, layers)
    if isinstance(value, ast.ListComp):
        listed = [value.elt]
    elif isinstance(value, (ast.List, ast.Tuple)):
        listed = value.elts
    else:
        return None
    for use in _uses(facts, layers):
        appended = _appended(facts, use)
        if appended is None and not _is_read(facts, use):
            return None
        listed = [*listed, *([] if appended is None else [appended])]
    known = listed and not any(isinstance(element, ast.Starred) for element in listed)
    return listed if known else None


def _uses(facts: Facts, layers: ast.expr) -> Iterator[ast.AST]:
    """Every place that reads the name, or an attribute of that name on whatever object."""
    if isinstance(layers, ast.Attribute):
        cls = facts.classes.self_class(layers.value)
        for use in facts.index.loads.get(layers.attr, ()):
            if isinstance(use, ast.Attribute) and _may_be(facts, use.value, cls):
                yield use
        return
    assert isinstance(layers, ast.Name)
    bindings = facts.bindings(layers)
    for use in facts.index.loads.get(layers.id, ()):
        if isinstance(use, ast.Name) and facts.bindings(use) == bindings:
            yield use


def _appended(facts: Facts, use: ast.AST) -> ast.expr | None:
    """`element` of `layers.append(element)`."""
    method = facts.parent(use)
    call = None if method is None else facts.parent(method)
    if not isinstance(method, ast.Attribute) or method.attr != "append":
        return None
    if not isinstance(call, ast.Call) or call.func is not method:
        return None
    return call.args[0] if len(call.args) == 1 and not call.keywords else None


def _is_read(facts: Facts, use: ast.AST) -> bool:
    """Whether a place can't change the list: it is run over, counted, or one element is taken."""
    around = facts.parent(use)
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is use
    if isinstance(around, ast.Starred):
        return isinstance(around.ctx, ast.Load)
    if isinstance(around, ast.Subscript):
        return around.value is use and isinstance(around.ctx, ast.Load) and _is_one(around.slice)
    return isinstance(around, ast.Call) and facts.name(around.func) in READERS


def _is_one(index: ast.expr) -> bool:
    return not isinstance(index, ast.Slice)


# -- layer counts --------------------------------------------------------------------------------
# How many layers a list has, and what the forms of D501 cost for so many.

RANGE, LENGTH = "builtins.range", "builtins.len"
SAME = ("builtins.enumerate", "builtins.reversed", "builtins.list", "builtins.tuple")


def turns(facts: Facts, over: ast.expr) -> int | None:
    """How often a loop over `range(n)`, or over a list in sight, runs its body; None if unknown."""
    if isinstance(over, ast.Call) and facts.name(over.func) in (RANGE, *RANGES):
        if over.keywords:
            return None
        found = [_number(facts, each) for each in over.args]
        known = [each for each in found if each is not None]
        return (
            len(range(*known))
            if found and len(known) == len(found) and 0 not in known[2:]
            else None
        )
    if isinstance(over, ast.Call) and facts.name(over.func) in SAME and len(over.args) == 1:
        return turns(facts, over.args[0])
    return depth(facts, over) if isinstance(over, (ast.Name, ast.Attribute)) else None


def _number(facts: Facts, expr: ast.expr) -> int | None:
    """The whole number that an expression is, wherever it is bound."""
    if isinstance(expr, ast.Call) and facts.name(expr.func) == LENGTH and len(expr.args) == 1:
        (of,) = expr.args
        return depth(facts, of) if isinstance(of, (ast.Name, ast.Attribute)) else None
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub):
        number = _number(facts, expr.operand)
        return None if number is None else -number
    found = expr if isinstance(expr, ast.Constant) else facts.origins(expr).only
    is_number = isinstance(found, ast.Constant) and type(found.value) is int
    return found.value if is_number else None  # type: ignore[union-attr]


def depth(facts: Facts, layers: ast.expr) -> int | None:
    """The number of elements of a list that is written out, or made over a `range` of a number."""
    value = made_once(facts, layers)
    made = elements(facts, layers)
    if isinstance(value, (ast.List, ast.Tuple)) and made is not None:
        return len(value.elts) if len(made) == len(value.elts) else None
    if not isinstance(value, ast.ListComp) or made is None or len(made) > 1:
        return None
    first = value.generators[0]
    is_plain = len(value.generators) == 1 and not first.ifs
    call = first.iter
    if not is_plain or not isinstance(call, ast.Call) or facts.name(call.func) != RANGE:
        return None
    count = call.args[0] if len(call.args) == 1 else None
    found = made_once(facts, count) if isinstance(count, ast.Name) else count
    return found.value if isinstance(found, ast.Constant) and type(found.value) is int else None


def cost(schedule: str, steps: int, base: int = 1, snapshots: int = 5) -> tuple[int, int]:
    """States kept at a time, and runs of steps forwards, of a schedule of D501."""
    if schedule == "sqrt":
        return segments(steps)
    return binomial(steps, snapshots) if schedule == "binomial" else halves(steps, base)


def halves(layers: int, base: int = 1) -> tuple[int, int]:
    """Outputs kept at a time, and runs of layers forwards, when the first half is run again."""
    if layers <= base:
        return layers, layers
    first, second = layers // 2, layers - layers // 2
    kept = 1 + max(halves(first, base)[0], halves(second, base)[0])
    return kept, halves(first, base)[1] + first + halves(second, base)[1]


def segments(layers: int) -> tuple[int, int]:
    """The same when all segments of √layers but the last are run again."""
    size = max(1, round(layers**0.5))
    last = (layers - 1) % size + 1 if layers else 0
    return math.ceil(layers / size) + size - 1, 2 * layers - last


def binomial(steps: int, snapshots: int) -> tuple[int, int]:
    """The same when so many are kept at a time, beside the step whose gradients are taken."""
    times = 0
    while math.comb(snapshots + times, snapshots) < steps:
        times += 1
    again = times * steps - math.comb(snapshots + times, snapshots + 1)
    return min(steps, snapshots + 1), steps + again


# -- functional models ---------------------------------------------------------------------------
# Functional models in which every layer is run on what the one before gave.

NO_CHAIN = "its layers are no chain: `{}` is more than a new layer on one tensor"


def is_functional(facts: Facts, call: ast.Call) -> bool:
    """Whether it makes a model of tensors: `Model(inputs, outputs)`."""
    return _argument(facts, call, "outputs", 1) is not None


def calls_back(facts: Facts, call: ast.Call) -> list[tuple[ast.expr, bool]] | str:
    """What makes the layers between the inputs and outputs of a model; why it is none, in words.

    As each layer takes one tensor, and is made where it is called, they are one after another, and
    each of them is run once. True: nobody knows how many of these there are, or where.
    """
    waiting = [_argument(facts, call, "outputs", 1)]
    makers: dict[ast.expr, None] = {}
    is_many = False
    seen: set[ast.expr] = set()
    while waiting:
        expr = waiting.pop()
        if expr is None:
            return NO_CHAIN.format(ast.unparse(call.func))
        if expr in seen:
            continue
        seen.add(expr)
        if isinstance(expr, ast.Name):
            found = facts.reaching(expr)
            is_many = is_many or len(found) != 1
            waiting += (b.part if b.kind == "assign" else None for b in found)  # type: ignore[misc]
        elif isinstance(expr, ast.Call) and _is_layer(facts, expr):
            makers[expr.func] = None
            waiting.append(expr.args[0])
        elif not (isinstance(expr, ast.Call) and facts.name(expr.func) in INPUTS):
            return NO_CHAIN.format(ast.unparse(expr).splitlines()[0])
    return [(maker, is_many) for maker in reversed(makers)]


def _argument(facts: Facts, call: ast.Call, name: str, position: int) -> ast.expr | None:
    found = facts.argument(call, name, position)
    return found if isinstance(found, ast.expr) else None


def _is_layer(facts: Facts, call: ast.Call) -> bool:
    """Whether it is `Dense(64)(x)`."""
    made = call.func
    if not isinstance(made, ast.Call) or len(call.args) != 1 or call.keywords:
        return False
    is_one = not isinstance(call.args[0], (ast.List, ast.Tuple, ast.Starred))
    is_own = facts.classes.local(made.func) is not None
    return is_one and (is_own or layer(facts.name(made.func) or "") is not None)
