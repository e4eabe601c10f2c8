"""Code that only evaluates a model, and shows or keeps what it finds.

Where it runs at every so many steps it may run less often: nothing that trains hangs on it.
"""

from __future__ import annotations

import ast

from ..facts import Facts
from ..roles import Role
from ..scopes import Function
from .effects import Effects

OF_MODELS = ("predict", "evaluate", "predict_on_batch", "test_on_batch")
OF_METRICS = ("update_state", "reset_state", "reset_states", "result")
LOSSES = ("tensorflow.keras.losses.", "tensorflow.keras.metrics.")
SUMMARIES = "tensorflow.summary."
COMPILED = ("tensorflow.function", "tensorflow.autograph.experimental.do_not_convert")


class Evaluations(Effects):
    """Effects, of which those of metrics and of running a model or a loss count as none."""

    def _call(self, call: ast.Call) -> bool:
        return self._evaluates(call) or super()._call(call)

    def _evaluates(self, call: ast.Call) -> bool:
        func = call.func
        if self.facts.role(func) is Role.MODEL or _is_made_by(self.facts, func, LOSSES):
            return self.skippable_arguments(call)
        if not isinstance(func, ast.Attribute):
            return False
        if (self.facts.name(func) or "").startswith(SUMMARIES):
            return self.skippable_arguments(call)
        is_model = func.attr in OF_MODELS and self.facts.role(func.value) is Role.MODEL
        is_metric = func.attr in OF_METRICS and _is_made_by(self.facts, func.value, LOSSES)
        return (is_model or is_metric) and self.skippable_arguments(call)

    def _is_iterator(self, expr: ast.AST) -> bool:
        """A dataset that a loop goes through is gone through anew each time."""
        return self.facts.role(expr) is not Role.DATASET and super()._is_iterator(expr)

    def _runs(self, function: Function) -> bool:
        decorators = function.decorator_list
        names = (
            self.facts.name(each.func if isinstance(each, ast.Call) else each)
            for each in decorators
        )
        is_compiled = bool(decorators) and all(name in COMPILED for name in names)
        return super()._runs(function) or (
            is_compiled and self._block(function.body, (ast.Return,))
        )

    def _file(self, item: ast.withitem) -> bool:
        expr = item.context_expr
        is_writer = isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute)
        if is_writer and expr.func.attr == "as_default":  # type: ignore[attr-defined]
            return self.facts.role(expr.func.value) is Role.WRITER  # type: ignore[attr-defined]
        return super()._file(item)


def _is_made_by(facts: Facts, expr: ast.AST, modules: tuple[str, ...]) -> bool:
    """Whether all that a value can be is made by something of these modules."""
    found = facts.origins(expr)
    made = [node for node in found.nodes if isinstance(node, ast.Call)]
    names = [facts.name(node.func) or "" for node in made]
    return found.complete and len(made) == len(found.items) > 0 and _all_of(names, modules)


def _all_of(names: list[str], modules: tuple[str, ...]) -> bool:
    return all(name.startswith(modules) for name in names)
