"""Whether a program brings variables to the same start itself, with `hvd.broadcast_variables`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...program.node_fields import children
from ..by_rank import is_decided
from ..horovod import calls_of
from ..reaching import reaching
from ..training.optimizer_calls import given_variables, is_apply
from ..walks import reached
from .whole_models import whole_model

if TYPE_CHECKING:
    from ..facts import Facts

EVERYTHING = "broadcast_global_variables"
_PARTS = ("variables", "trainable_variables", "weights", "trainable_weights")
_PAIRING = ("builtins.zip", "builtins.list", "builtins.tuple")


def is_applied_state_broadcast(facts: Facts, application: ast.Call) -> bool:
    """Whether all variables of an `apply_gradients` or `minimize` call are broadcast somewhere."""
    if not facts.has_horovod:
        return False
    if is_apply(facts, application):
        given = given_variables(facts, application)
        return given is not None and _is_covered(facts, given)
    method = getattr(application.func, "attr", "")
    is_pairs = method != "minimize"
    name, position = ("grads_and_vars", 0) if is_pairs else ("var_list", 1)
    value = facts.argument(application, name, position)
    expr = None if value is None else (_variables(facts, value) if is_pairs else value)
    return expr is not None and _is_covered(facts, expr)


def is_broadcast_by_hand(facts: Facts, method: ast.Call) -> bool:
    """Whether the model whose `fit` or `train_on_batch` is called is broadcast somewhere."""
    is_method = isinstance(method.func, ast.Attribute)
    return facts.has_horovod and is_method and _is_covered(facts, method.func.value)  # type: ignore[attr-defined]


def is_same_model(facts: Facts, one: ast.Call, other: ast.Call) -> bool:
    """Whether two methods are called on a model that is created at the same place."""
    roots = [_roots(facts, [call.func.value]) for call in (one, other)]  # type: ignore[attr-defined]
    return bool(roots[0]) and roots[0] == roots[1]


def _is_covered(facts: Facts, expr: ast.AST) -> bool:
    wanted = _roots(facts, [expr])
    found: set[ast.AST | str] = set()
    for call in calls_of(facts, EVERYTHING, "broadcast_variables"):
        if is_on_one_worker(facts, call):
            continue
        if facts.name(call.func) and str(facts.name(call.func)).endswith(EVERYTHING):
            return True
        named = [k.value for k in call.keywords if k.arg == "variables"]
        given = [_held(each) for each in call.args[:1] or named]
        found |= _roots(facts, given)
        if not wanted and _is_spelled_alike(facts, expr, given):
            return True
    if bool(wanted) and wanted <= found:
        return True
    model = whole_model(facts, expr) if isinstance(expr, ast.expr) else None
    return model is not None and _is_covered(facts, model)


def _held(given: ast.expr) -> ast.expr:
    """`model.weights` of `[v.value for v in model.weights]`, as Keras 3 needs it."""
    is_plain = isinstance(given, (ast.ListComp, ast.GeneratorExp)) and len(given.generators) == 1
    return given.generators[0].iter if is_plain else given  # type: ignore[attr-defined]


def _is_spelled_alike(facts: Facts, expr: ast.AST, given: Iterable[ast.AST]) -> bool:
    """Where nothing is known of what is applied, the same words in one function are the same."""
    wanted, found = list(_elements([expr])), list(_elements(given))
    return [ast.dump(each) for each in wanted] == [ast.dump(each) for each in found] and all(
        facts.function(one) is facts.function(other) for one, other in zip(wanted, found)
    )


def _elements(exprs: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for expr in exprs:
        yield from expr.elts if isinstance(expr, (ast.List, ast.Tuple)) else [expr]


def is_on_one_worker(facts: Facts, call: ast.Call) -> bool:
    """Whether the call is a mistake of the program's own: the others never hear of it."""
    return is_decided(facts, call)


def _variables(facts: Facts, pairs: ast.expr) -> ast.expr | None:
    """What stands for the variables in `zip(gradients, variables)` and its like."""
    if isinstance(pairs, ast.Call) and facts.name(pairs.func) in _PAIRING and pairs.args:
        return pairs.args[1] if len(pairs.args) == 2 else _variables(facts, pairs.args[0])
    if isinstance(pairs, (ast.ListComp, ast.GeneratorExp)):
        return _variables(facts, pairs.generators[0].iter)
    if isinstance(pairs, (ast.List, ast.Tuple)):
        return _seconds(pairs.elts)
    if isinstance(pairs, ast.Name):
        values = [b.value for b in reaching(facts, pairs) if b.kind == "assign" and not b.path]
        return (_variables(facts, values[0]) if len(values) == 1 else None) or pairs  # type: ignore[arg-type]
    return None


def _seconds(pairs: list[ast.expr]) -> ast.expr | None:
    """The second of each pair; None where something else stands among them, or nothing."""
    parts = [p.elts[1] for p in pairs if isinstance(p, ast.Tuple) and len(p.elts) == 2]
    return ast.Tuple(parts, ast.Load()) if parts and len(parts) == len(pairs) else None


def _roots(facts: Facts, exprs: Iterable[ast.AST]) -> set[ast.AST | str]:
    """The models and variables, by where they are created, that an expression is made of.

    What comes from elsewhere (an import, a name that nothing here binds) counts by its name.
    """

    def made_of(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, (ast.Name, ast.Attribute)) and not _is_part(node):
            origins = facts.origins(node)
            yield from (item.node for item in origins.items)
            yield from origins.unknown
        elif not isinstance(node, ast.Call):
            yield from children(node)
        elif facts.name(node.func) in _PAIRING:
            yield from node.args

    roots: set[ast.AST | str] = set()
    for node in reached(exprs, made_of):
        if isinstance(node, (ast.Call, ast.arg)):
            roots.add(node)
        elif isinstance(node, ast.Name) and not _is_created_here(facts, node):
            roots.add(node.id)
    return roots


def _is_created_here(facts: Facts, name: ast.Name) -> bool:
    origins = facts.origins(name)
    return any(node is not name for node in (*(i.node for i in origins.items), *origins.unknown))


def _is_part(node: ast.AST) -> bool:
    """`model.variables`: the model counts."""
    return isinstance(node, ast.Attribute) and node.attr in _PARTS
