"""Which variables an optimizer is given, and how they can be read again after the call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..names import KERAS
from ..roles import Role
from ..training.optimizer_calls import given_variables, is_apply
from ..training.pattern import training_of

# -- expressions that can be read again ----------------------------------------------------------
# Expressions that can be read again: `a`, `a.b`, `a[0].b`.


def is_path(expr: ast.expr) -> bool:
    """`a`, `a.b`, `a[0].b`: reading it again has no effect and gives the same."""
    while isinstance(expr, (ast.Attribute, ast.Subscript)):
        if isinstance(expr, ast.Subscript) and not _is_fixed(expr.slice):
            return False
        expr = expr.value
    return isinstance(expr, ast.Name)


def _is_fixed(key: ast.AST) -> bool:
    return all(
        isinstance(
            n, (ast.Constant, ast.Slice, ast.UnaryOp, ast.USub, ast.Index, ast.Name, ast.Load)
        )
        for n in within(key)
    )


# -- variables of a training call ----------------------------------------------------------------
# The variables that a training call changes: what they can be read from once more.


class AsGiven(NamedTuple):
    """An expression of the program, which gives the same when it is evaluated again."""

    expr: ast.expr


class Part(NamedTuple):
    """The variables of a model or layer."""

    owner: ast.expr
    attribute: str


class Sum(NamedTuple):
    """Two lists, one behind the other."""

    left: Variables
    right: Variables


class Listed(NamedTuple):
    """A list of these variables."""

    parts: tuple[Variables, ...]


class Unpacked(NamedTuple):
    """The variables of a list, in another one."""

    inner: Variables


class OfPairs(NamedTuple):
    """The second of each pair of a list: under its name, or None for one that has none yet."""

    name: ast.Name | None


Variables = Union[AsGiven, Part, Sum, Listed, Unpacked, OfPairs]
ALL = ("variables", "weights")


def key(variables: Variables) -> tuple[object, ...]:
    """Equal for variables that are read alike."""
    parts = (ast.dump(p) if isinstance(p, ast.AST) else _key_of_part(p) for p in variables)
    return (type(variables).__name__, *parts)


def _key_of_part(part: object) -> object:
    if isinstance(part, (AsGiven, Part, Sum, Listed, Unpacked, OfPairs)):
        return key(part)
    return tuple(map(_key_of_part, part)) if isinstance(part, tuple) else part


def owners(variables: Variables) -> Iterator[ast.expr]:
    """The models all of whose variables are among these."""
    if isinstance(variables, Part):
        yield from [variables.owner] if variables.attribute in ALL else []
    elif isinstance(variables, AsGiven):
        for node in within(variables.expr):
            if isinstance(node, ast.Attribute) and node.attr in ALL:
                yield node.value
    elif not isinstance(variables, OfPairs):
        for part in _parts(variables):
            yield from owners(part)


def parts(variables: Variables) -> Iterator[Variables]:
    """The variables of lists and sums, one by one."""
    if isinstance(variables, (AsGiven, Part, OfPairs)):
        yield variables
    else:
        for part in _parts(variables):
            yield from parts(part)


def _parts(variables: Sum | Listed | Unpacked) -> tuple[Variables, ...]:
    if isinstance(variables, Sum):
        return (variables.left, variables.right)
    return variables.parts if isinstance(variables, Listed) else (variables.inner,)


def read(variables: Variables) -> Iterator[ast.expr]:
    """The expressions that these variables are read from."""
    if isinstance(variables, (AsGiven, Part)):
        yield variables.expr if isinstance(variables, AsGiven) else variables.owner
    elif isinstance(variables, OfPairs):
        yield from [] if variables.name is None else [variables.name]
    else:
        for part in _parts(variables):
            yield from read(part)


# -- whole models --------------------------------------------------------------------------------
# The model of which an optimizer is given a part: a layer's variables, some of a list.
#
# What it doesn't train of the model each worker has drawn for itself, so that the whole one has
# to be broadcast: the part alone would learn by other features on each worker.

# What holds everything that the trainable ones are part of.
WHOLE = {"trainable_variables": "variables", "trainable_weights": "weights"}
_LAYERS, _LAYER = "layers", "get_layer"
_LAYER_KINDS = f"{KERAS}.layers."


def whole_model(facts: Facts, expr: ast.expr) -> ast.expr | None:
    """`net` of `net.get_layer("a").trainable_weights`, `net.trainable_variables[-2:]`, a filter."""
    if isinstance(expr, ast.Name):
        value = assigned_alike(facts, expr)
        return None if value is None or isinstance(value, ast.Name) else whole_model(facts, value)
    if isinstance(expr, ast.Subscript):
        return _with_variables(facts, expr.value)
    if isinstance(expr, ast.ListComp):
        return _with_variables(facts, expr.generators[0].iter) if _only_leaves(expr) else None
    if isinstance(expr, ast.Attribute) and expr.attr in WHOLE:
        return _with_layer(facts, expr.value)
    return None


def _with_variables(facts: Facts, expr: ast.expr) -> ast.expr | None:
    """The model whose trainable variables these are, or of whose layer."""
    if not isinstance(expr, ast.Attribute) or expr.attr not in WHOLE:
        return None
    return expr.value if _is_model(facts, expr.value) else _with_layer(facts, expr.value)


def _only_leaves(expr: ast.ListComp) -> bool:
    """Whether it gives elements as they are: `[v for v in variables if …]`."""
    first = expr.generators[0].target
    is_one = len(expr.generators) == 1 and isinstance(first, ast.Name)
    return is_one and isinstance(expr.elt, ast.Name) and expr.elt.id == first.id  # type: ignore[attr-defined]


def _with_layer(facts: Facts, layer: ast.expr) -> ast.expr | None:
    """The model of `net.layers[-1]`, `net.get_layer("a")`, `net.head`, or of a name for these."""
    value = assigned_alike(facts, layer) if isinstance(layer, ast.Name) else layer
    found = _of_elements(facts, layer) if value is None else _asked(facts, value)
    return found if found is not None and _is_model(facts, found) else None


def _of_elements(facts: Facts, layer: ast.expr) -> ast.expr | None:
    """The model whose layers a loop goes over: `for layer, optimizer in groups`."""
    made = facts.origins(layer)
    layers = (node for node in made.nodes if isinstance(node, ast.expr))
    models = [_asked(facts, each) for each in layers] if made.complete else []
    names = [each for each in models if isinstance(each, ast.Name) and _is_bound_once(facts, each)]
    here = facts.scope(layer)
    is_one = len({each.id for each in names}) == 1 and len(names) == len(models)
    are_seen = all(here.find(each.id) is facts.scope(each).find(each.id) for each in names)
    return names[0] if is_one and are_seen else None


def _asked(facts: Facts, layer: ast.expr) -> ast.expr | None:
    """What a layer is asked of, or an attribute of."""
    if isinstance(layer, ast.Call) and isinstance(layer.func, ast.Attribute):
        return layer.func.value if layer.func.attr == _LAYER else None
    if isinstance(layer, ast.Subscript) and isinstance(layer.value, ast.Attribute):
        return layer.value.value if layer.value.attr == _LAYERS else None
    is_kept = isinstance(layer, ast.Attribute) and _is_layer(facts, layer)
    return layer.value if is_kept else None  # type: ignore[attr-defined]


def _is_layer(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is a layer of Keras, which the model that has it keeps an account of."""
    made = facts.origins(expr)
    kinds = [facts.kind(n) or "" if isinstance(n, ast.Call) else "" for n in made.nodes]
    return made.complete and bool(kinds) and all(kind.startswith(_LAYER_KINDS) for kind in kinds)


def _is_model(facts: Facts, expr: ast.expr) -> bool:
    return is_path(expr) and facts.role(expr) is Role.MODEL


def assigned_here(facts: Facts, name: ast.Name) -> ast.expr | None:
    """The value of a name that is bound once, in the function of this use."""
    value = _assigned(facts, name)
    return value if value is not None and facts.function(value) is facts.function(name) else None


def assigned_alike(facts: Facts, name: ast.Name) -> ast.expr | None:
    """The same also of a name around the function, if those in the value mean the same here."""
    value = _assigned(facts, name)
    names = [n for n in within(value) if isinstance(n, ast.Name)] if value is not None else []
    here, there = facts.scope(name), facts.scope(value) if value is not None else None
    if there is None or not all(here.find(n.id) is there.find(n.id) for n in names):
        return None
    return value if all(_is_bound_once(facts, n) for n in names) else None


def _is_bound_once(facts: Facts, name: ast.Name) -> bool:
    return len(facts.bindings(name)) == 1


def _assigned(facts: Facts, name: ast.Name) -> ast.expr | None:
    bindings = facts.bindings(name)
    if len(bindings) != 1 or bindings[0].kind != "assign" or bindings[0].path:
        return None
    value = bindings[0].value
    return value if isinstance(value, ast.expr) else None


# -- what an optimizer is given ------------------------------------------------------------------
# Which variables an optimizer is given, and how they can be read again after the call.

EACH = (
    "each round changes other variables, and only the first ones would be broadcast",
    "apply all gradients in one call, behind the loop",
)
ONCE_ONLY = tuple(f"builtins.{name}" for name in ("zip", "map", "filter", "iter", "enumerate"))


class Applied(NamedTuple):
    """The variables of one call; those of pairs are read from the argument itself, as a list."""

    variables: Variables
    argument: ast.expr | None = None  # what has to be a list under a name for that


def hides_variables(facts: Facts, call: ast.Call) -> bool:
    """Whether `apply_gradients(*args)` doesn't show what it is given."""
    if is_apply(facts, call):
        given = given_variables(facts, call)
        return given is None or readable(facts, given) is None
    is_application = getattr(call.func, "attr", "") == "apply_gradients"
    return is_application and facts.argument(call, "grads_and_vars", 0) is None


def round_of(facts: Facts, call: ast.Call) -> ast.For | None:
    """The loop that gives the call other variables in each round: `for g, v in zip(…)`."""
    variables = _each(facts, call)
    names = {node.id for each in variables for node in within(each) if isinstance(node, ast.Name)}
    for loop in facts.parents(call):
        targets = within(loop.target) if isinstance(loop, ast.For) else ()
        if isinstance(loop, ast.For) and names & {getattr(t, "id", "") for t in targets}:
            return loop
    return None


def _each(facts: Facts, call: ast.Call) -> list[ast.expr]:
    """The variables that a call lists one by one, or what `zip(gradients, variables)` reads."""
    if is_apply(facts, call):
        listed = given_variables(facts, call)
        return list(listed.elts) if isinstance(listed, (ast.List, ast.Tuple)) else []
    given = facts.argument(call, "grads_and_vars", 0)
    if not isinstance(given, (ast.List, ast.Tuple)):
        found = None if given is None else _of_pairs(facts, given)
        return [] if found is None else list(read(found))
    return [pair.elts[1] for pair in given.elts if isinstance(pair, ast.Tuple) and pair.elts[1:]]


def applied_variables(facts: Facts, call: ast.Call) -> Applied:
    """The variables of an `apply_gradients` or `minimize` call."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr == "minimize":
        given = facts.argument(call, "var_list", 1)
        found = None if given is None else readable(facts, given)
        return Applied(found or AsGiven(given or call.func.value))
    if is_apply(facts, call):
        given = given_variables(facts, call)
        assert given is not None
        return Applied(readable(facts, given) or AsGiven(given))
    given = facts.argument(call, "grads_and_vars", 0)
    assert given is not None
    found = _of_pairs(facts, given)
    if found is not None:
        return Applied(found)
    if isinstance(given, ast.Name) and _is_list(facts, given):
        return Applied(OfPairs(given))
    return Applied(OfPairs(None), given)


def _of_pairs(facts: Facts, given: ast.expr) -> Variables | None:
    """The variables of `zip(gradients, variables)`, of a list of pairs, of a comprehension."""
    if (
        isinstance(given, ast.Call)
        and facts.name(given.func) == "builtins.zip"
        and len(given.args) == 2
    ):
        return readable(facts, given.args[1])
    if isinstance(given, ast.Call) and facts.name(given.func) in (
        "builtins.list",
        "builtins.tuple",
    ):
        return _of_pairs(facts, given.args[0]) if len(given.args) == 1 else None
    if isinstance(given, (ast.List, ast.Tuple)):
        return _of_display(given)
    if isinstance(given, (ast.ListComp, ast.GeneratorExp)):
        return _of_comprehension(facts, given)
    if isinstance(given, ast.Name):
        value = assigned_here(facts, given)
        return None if value is None else _of_pairs(facts, value)
    return None


def _of_display(given: ast.List | ast.Tuple) -> Variables | None:
    found: list[Variables] = []
    for pair in given.elts:
        if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2 or not is_path(pair.elts[1]):
            return None
        found.append(AsGiven(pair.elts[1]))
    return Listed(tuple(found))


def _of_comprehension(facts: Facts, given: ast.expr) -> Variables | None:
    """`[(clip(g), v) for g, v in zip(gradients, variables)]`."""
    generators: list[ast.comprehension] = given.generators  # type: ignore[attr-defined]
    element, loop = given.elt, generators[0]  # type: ignore[attr-defined]
    pair, target = element, loop.target
    if len(generators) != 1 or not isinstance(pair, ast.Tuple) or not isinstance(target, ast.Tuple):
        return None
    names = [ast.unparse(e) for e in (*pair.elts, *target.elts)]
    return _of_pairs(facts, loop.iter) if len(names) == 4 and names[1] == names[3] else None


def readable(facts: Facts, expr: ast.expr) -> Variables | None:
    """The same variables (with the untrainable ones beside them), to be read again."""
    whole = whole_model(facts, expr)
    if whole is not None:
        return Part(whole, WHOLE["trainable_variables"])
    if isinstance(expr, ast.Attribute) and expr.attr in WHOLE and is_path(expr.value):
        return Part(expr.value, WHOLE[expr.attr] if _has_whole(facts, expr.value) else expr.attr)
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Add):
        left, right = readable(facts, expr.left), readable(facts, expr.right)
        return None if left is None or right is None else Sum(left, right)
    if isinstance(expr, (ast.List, ast.Tuple)):
        parts = [_element(facts, element) for element in expr.elts]
        found = tuple(part for part in parts if part is not None)
        return Listed(found) if len(found) == len(parts) else None
    if isinstance(expr, ast.Name):
        return _of_name(facts, expr)
    if isinstance(expr, ast.Call) and facts.name(expr.func) in ("builtins.list", "builtins.tuple"):
        return readable(facts, expr.args[0]) if len(expr.args) == 1 else None
    return AsGiven(expr) if is_path(expr) else None


def _element(facts: Facts, element: ast.expr) -> Variables | None:
    if isinstance(element, ast.Starred):
        inner = readable(facts, element.value)
        return None if inner is None else Unpacked(inner)
    return AsGiven(element) if is_path(element) else None


def _of_name(facts: Facts, name: ast.Name) -> Variables | None:
    """A list under a name; if it is read off a model right here, the model itself."""
    value = assigned_here(facts, name)
    if isinstance(value, (ast.Attribute, ast.BinOp)):
        found = readable(facts, value)
        if found is not None:
            return found
    return AsGiven(name) if _is_list(facts, name) else None


def _is_list(facts: Facts, name: ast.Name) -> bool:
    """Whether the value can be read a second time: no iterator."""
    nodes = facts.origins(name).items
    return not any(
        isinstance(i.node, ast.GeneratorExp)
        or (
            isinstance(i.node, ast.Call)
            and (facts.name(i.node.func) in ONCE_ONLY or facts.callee(i.node))
        )
        for i in nodes
    )


def _has_whole(facts: Facts, model: ast.expr) -> bool:
    """Whether what has trainable variables is a model or layer, which has `variables` too."""
    if facts.role(model) is Role.MODEL or training_of(facts).is_model(model):
        return True
    cls = facts.classes.instance_of(model)
    if cls is not None:
        return any(base.startswith("tensorflow.") for base in facts.classes.library_bases(cls))
    made = facts.origins(model).nodes
    names = [facts.name(n.func) if isinstance(n, ast.Call) else None for n in made]
    return bool(names) and all((name or "").startswith("tensorflow.keras.") for name in names)
