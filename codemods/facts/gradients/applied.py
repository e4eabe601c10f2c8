"""Which variables an optimizer is given, and how they can be read again after the call."""

from __future__ import annotations

import ast

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..roles import Role
from ..training.optimizer_calls import given_variables, is_apply
from ..training.pattern import training_of
from .paths import is_path
from .variables import AsGiven, Listed, OfPairs, Part, Sum, Unpacked, Variables, read
from .whole_models import WHOLE, assigned_here, whole_model

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
    cls = facts.values.instance_of(model)
    if cls is not None:
        return any(base.startswith("tensorflow.") for base in facts.classes.library_bases(cls))
    made = facts.origins(model).nodes
    names = [facts.name(n.func) if isinstance(n, ast.Call) else None for n in made]
    return bool(names) and all((name or "").startswith("tensorflow.keras.") for name in names)
