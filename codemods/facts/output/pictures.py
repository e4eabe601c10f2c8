"""Functions that only draw pictures: rank 0 alone calls them, so that they need no guard inside.

What they ask a model for is only drawn: one of Keras' own predicts without a word to the others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..by_rank import is_decided
from ..data.batch_needs import order_matters
from ..facts import Facts, recorded
from ..roles import Role
from ..scopes import FunctionNode
from ..setup.import_places import init_place, runs_before_init
from .drawings import is_drawing
from .effects import Effects
from .evaluation import arguments_of
from .writing_methods import role

_PREDICTING = ("predict", "predict_on_batch")


class WithPictures(Effects):
    """The same, where functions that only draw are left to rank 0, and what a model is asked."""

    def _call(self, call: ast.Call) -> bool:
        if self.facts.callee(call) in pictures(self.facts) or super()._call(call):
            return True
        is_asked = _is_prediction(self.facts, call) and _is_fitted_before(self.facts, call)
        return is_asked and not any(map(self._is_iterator, arguments_of(call)))


class _Drawing(Effects):
    """The same inside of such functions: a model is asked."""

    def _call(self, call: ast.Call) -> bool:
        return _is_prediction(self.facts, call) or super()._call(call)


def _is_prediction(facts: Facts, call: ast.Call) -> bool:
    """`model.predict(x)`, `model(x, training=False)`: of no class of the file, without a state."""
    func = call.func
    is_method = isinstance(func, ast.Attribute) and func.attr in _PREDICTING
    training = facts.argument(call, "training")
    is_off = isinstance(training, ast.Constant) and training.value is False
    model = func.value if is_method else func if is_off else None  # type: ignore[attr-defined]
    if model is None or facts.callee(call) is not None or order_matters(facts):
        return False
    origins = facts.origins(model)
    made = [node for node in origins.nodes if isinstance(node, ast.Call)]
    is_known = origins.complete and bool(made) and len(made) == len(origins.nodes)
    is_own = any(facts.classes.local(each.func) is not None for each in made)
    return is_known and not is_own and role(facts, model) is Role.MODEL


def _is_fitted_before(facts: Facts, call: ast.Call) -> bool:
    """Whether the same model is fitted on each way there: what it is asked makes nothing in it."""
    func = call.func
    model = func.value if isinstance(func, ast.Attribute) else func
    if not isinstance(model, ast.Name):
        return False
    before = _before(facts, facts.statement(call))
    return any(_fits(s, model.id) and _is_bound_before(facts, model, s) for s in before)


def _is_bound_before(facts: Facts, model: ast.Name, fit: ast.stmt) -> bool:
    """Whether the name means one model from there on: whoever binds it comes there again."""
    bound, home = facts.names.bindings(model), facts.function(model)
    return len(bound) == 1 or all(
        facts.function(b.node) is home and facts.place(b.node) < facts.place(fit) for b in bound
    )


def _before(facts: Facts, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The plain statements that run before a statement, in its block and those around it."""
    for node in (statement, *facts.parents(statement)):
        if isinstance(node, (*FunctionNode, ast.ClassDef, ast.Module)):
            return
        if isinstance(node, ast.stmt):
            block, number = facts.block(node)
            yield from (s for s in block[:number] if isinstance(s, (ast.Expr, ast.Assign)))


def _fits(statement: ast.stmt, model: str) -> bool:
    """`model.fit(…)`, or what it gives gets a name."""
    value = getattr(statement, "value", None)
    func = value.func if isinstance(value, ast.Call) else None
    is_fit = isinstance(func, ast.Attribute) and func.attr == "fit"
    return is_fit and getattr(func.value, "id", "") == model  # type: ignore[union-attr]


@recorded
def pictures(facts: Facts) -> frozenset[ast.AST]:
    """The functions that draw and do nothing else, if each call of them is seen and left out."""
    if init_place(facts) is None:  # a library, whose callers are elsewhere
        return frozenset()
    drawing = (call for call in facts.index.calls if is_drawing(facts, call))
    functions = dict.fromkeys(facts.function(call) for call in drawing)
    effects = _Drawing(facts)
    return frozenset(
        function
        for function in functions
        if isinstance(function, ast.FunctionDef)
        and effects.function(function)
        and _is_called_alone(facts, effects, function)
    )


def is_in_picture(facts: Facts, node: ast.AST) -> bool:
    """Whether it stands in such a function."""
    found = pictures(facts)
    return bool(found) and any(parent in found for parent in facts.parents(node))


def _is_called_alone(facts: Facts, effects: Effects, function: ast.FunctionDef) -> bool:
    """Whether each call is a statement that rank 0 may run alone, or does so already."""
    sites = facts.call_sites(function)
    if not sites or facts.values.escapes(function):
        return False
    return all(_may_be_left_out(facts, effects, site) for site in sites)


def _may_be_left_out(facts: Facts, effects: Effects, site: ast.Call) -> bool:
    statement = facts.statement(site)
    if is_decided(facts, statement):
        return True
    is_whole = isinstance(statement, ast.Expr) and statement.value is site
    return is_whole and effects.statement(statement) and not runs_before_init(facts, statement)
