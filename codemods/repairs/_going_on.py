"""Where a run can go on with a model that a file holds."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..facts.training import fits
from ..library.tensorflow_names import PLAIN_MODELS


def place_of(facts: Facts, fit: ast.Call) -> ast.AST:
    """Where lines go in front of `fit`: at the call itself, if that is the whole statement."""
    return fit if isinstance(facts.parent(fit), ast.Expr) else facts.statement(fit)


def can_go_on(facts: Facts, call: ast.Call, fit: ast.Call) -> bool:
    """Whether a model from a file can take the place of the one that is trained."""
    model = fit.func.value  # type: ignore[attr-defined]
    is_plain = len(call.args) + len(call.keywords) == 1 and not facts.has_hidden_arguments(call)
    is_first = not fits.arguments(facts, fit, "initial_epoch") and not facts.in_loop(fit)
    if not (is_plain and is_first and isinstance(model, ast.Name)):
        return False
    bindings = facts.bindings(model)
    homes = {facts.function(each) for each in (call, fit, *(b.node for b in bindings))}
    made = facts.origins(model)
    is_loadable = made.complete and all(is_plain_model(facts, n) for n in made.nodes)
    return is_loadable and len(bindings) == len(homes) == 1 and "*" not in fits.hidden(facts, fit)


def is_plain_model(facts: Facts, node: ast.AST) -> bool:
    """Whether it makes a model of a class that every file of a model can name."""
    is_own = isinstance(node, ast.Call) and facts.classes.local(node.func) is not None
    return isinstance(node, ast.Call) and not is_own and facts.kind(node) in PLAIN_MODELS
