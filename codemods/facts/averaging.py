"""What averages over the workers: Horovod's optimizers and tapes, and own functions like them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from ..program.bindings import Binding
from ..program.call_sites import passed
from ..program.node_fields import within
from ..program.parts import Function, FunctionNode
from .by_rank import depends_on_rank, depends_on_size
from .facts import Facts, recorded
from .horovod import AVERAGES, BROADCAST, METRICS, member, wrapped_value
from .roles import Role

# -- averaging -----------------------------------------------------------------------------------
# Whether an optimizer or a tape is one of Horovod's, which average gradients over the workers.


class Averaged(Enum):
    """What is known about the gradients of an optimizer or a tape."""

    NO = "each worker's own"
    YES = "averaged over the workers"
    UNKNOWN = "averaged on some ways, or by who knows what"

    def join(self, other: Averaged) -> Averaged:
        """What holds when the value may be either of two."""
        return self if self is other else Averaged.UNKNOWN


def averaged(facts: Facts, expr: ast.AST) -> Averaged:
    """Whether all values that reach the expression are wrapped by Horovod, or none."""
    return _Question(facts).of(expr) if facts.has_horovod else Averaged.NO


class _Question:
    """One question; values that lead back to themselves add nothing to the answer."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._asked: dict[ast.AST, Averaged | None] = {}

    def of(self, expr: ast.AST) -> Averaged:
        return self._of(expr) or Averaged.NO

    def _of(self, expr: ast.AST) -> Averaged | None:
        if expr not in self._asked:
            self._asked[expr] = None
            self._asked[expr] = self._decide(expr)
        return self._asked[expr]

    def _decide(self, expr: ast.AST) -> Averaged | None:
        if isinstance(expr, ast.Call):
            return self._call(expr)
        if isinstance(expr, ast.IfExp):
            both = [self._of(expr.body), self._of(expr.orelse)]
            return self._of_many(both) if is_of_size(self._facts, expr.test) else self._join(both)
        if isinstance(expr, ast.NamedExpr):
            return self._of(expr.value)
        if isinstance(expr, ast.Name):
            return self._reaching(expr)
        if isinstance(expr, ast.Attribute):
            stores = self._facts.attribute_stores.get(expr.attr, [])
            bindings = [b for target, b in stores if _is_same_owner(self._facts, target, expr)]
            return self._join([self._binding(expr, b) for b in _last(self._facts, bindings)])
        return self._origins(expr)

    def _reaching(self, name: ast.Name) -> Averaged | None:
        """What reaches a name; one worker alone has nothing to average."""
        bindings = self._facts.reaching(name)
        found = [self._binding(name, binding) for binding in bindings]
        wraps = [b.node for b, each in zip(bindings, found) if each is Averaged.YES]
        is_for_many = bool(wraps) and all(_is_under_size(self._facts, node) for node in wraps)
        return self._of_many(found) if is_for_many else self._join(found)

    def _of_many(self, found: list[Averaged | None]) -> Averaged | None:
        """What holds where there is more than one worker: the wrapped one, if only that differs."""
        return (
            Averaged.YES
            if Averaged.UNKNOWN not in found and Averaged.YES in found
            else self._join(found)
        )

    def _origins(self, expr: ast.AST) -> Averaged | None:
        return self._join([self._of(n) for n in self._facts.origins(expr).nodes if n is not expr])

    def _call(self, call: ast.Call) -> Averaged | None:
        if wrapped_value(self._facts.name(call.func), call) is not None:
            return Averaged.YES
        if self._facts.made_by(call) is Role.LOSS_SCALE:
            given = [*call.args, *(k.value for k in call.keywords)]
            return self._of(given[0]) if given else Averaged.UNKNOWN
        made = [node for node in self._facts.origins(call).nodes if node is not call]
        return self._join([self._of(node) for node in made]) if made else Averaged.NO

    def _binding(self, expr: ast.AST, binding: Binding) -> Averaged | None:
        if binding.kind == "param":
            return self._parameter(binding.node)
        if binding.kind == "with" and binding.value is not None:
            return self._of(binding.value)
        if binding.path and binding.value is not None:  # `model, opt = build()`, `for opt in both`
            return self._origins(expr) or Averaged.NO
        if binding.kind != "assign" or not isinstance(binding.value, ast.expr):
            return Averaged.NO
        return self._of(binding.value)

    def _parameter(self, arg: ast.AST) -> Averaged | None:
        function = self._facts.index.parents[self._facts.index.parents[arg]]
        sites = self._facts.call_sites(function)
        given = [passed(call, function, arg, self._facts.classes) for call in sites]
        return self._join([self._of(value) for value in given if value is not None])

    @staticmethod
    def _join(found: list[Averaged | None]) -> Averaged | None:
        known = {each for each in found if each is not None}
        if len(known) > 1:
            return Averaged.UNKNOWN
        return known.pop() if known else None


def _is_under_size(facts: Facts, node: ast.AST) -> bool:
    """Whether a statement stands in an `if` that only asks how many workers there are."""
    holder = facts.parent(facts.statement(node))
    return isinstance(holder, ast.If) and is_of_size(facts, holder.test)


def is_of_size(facts: Facts, test: ast.AST) -> bool:
    """`hvd.size() > 1`: all workers answer it alike, and one alone needs nothing of Horovod."""
    return depends_on_size(facts, test) and not depends_on_rank(facts, test)


def _is_same_owner(facts: Facts, target: ast.Attribute, expr: ast.Attribute) -> bool:
    """Of one class, or of one and of another that is derived from it."""
    one, other = (facts.classes.instance_of(node.value) for node in (target, expr))
    if one is None or other is None:
        return False
    return one in facts.classes.ancestors(other) or other in facts.classes.ancestors(one)


def _last(facts: Facts, bindings: list[Binding]) -> list[Binding]:
    """Without `self.opt = Adam()` where `self.opt = hvd.DistributedOptimizer(self.opt)` follows."""
    return [b for b in bindings if not any(_replaces(facts, later, b) for later in bindings)]


def _replaces(facts: Facts, later: Binding, earlier: Binding) -> bool:
    statements = [facts.statement(b.node) for b in (earlier, later)]
    if statements[0].lineno >= statements[1].lineno or not isinstance(later.value, ast.Call):
        return False
    is_beside = statements[1] in facts.block(statements[0])[0]
    return is_beside and wrapped_value(facts.name(later.value.func), later.value) is not None


# -- forms of the program's own ------------------------------------------------------------------
# Functions and callbacks of a module that do for Keras 3 what Horovod's own do for Keras 2.
#
# Keras 3 applies gradients by `optimizer.apply`, which Horovod 0.28 doesn't know; so the
# averaging, the broadcast and the mean of metrics stand in the program itself.

APPLY = "apply"


@recorded
def averaging_functions(facts: Facts) -> frozenset[ast.AST]:
    """Functions that put an `apply` of their own, which averages, in an optimizer's place."""
    found = (_outermost(facts, node) for node, _ in facts.attribute_stores.get(APPLY, ()))
    return frozenset(f for f in found if f is not None and _calls(facts, f, *AVERAGES))


def _outermost(facts: Facts, node: ast.AST) -> Function | None:
    around = [parent for parent in facts.parents(node) if isinstance(parent, FunctionNode)]
    return around[-1] if around else None


def _calls(facts: Facts, node: ast.AST, *members: str) -> bool:
    calls = (each for each in within(node) if isinstance(each, ast.Call))
    return any(member(facts, call.func) in members for call in calls)


def averaged_models(facts: Facts) -> Iterator[ast.Call]:
    """The calls of such functions, whose first argument is the model."""
    functions = averaging_functions(facts) if facts.has_horovod else frozenset()
    for call in facts.index.calls if functions else ():
        if facts.callee(call) in functions:
            yield call


def is_averaged(facts: Facts, above: ast.Call, model: str) -> bool:
    """Whether a model is given to such a function further down in the block of a call."""
    block, number = facts.block(facts.statement(above))
    below = block[number + 1 :]
    return any(
        facts.statement(call) in below and model in map(ast.unparse, call.args[:1])
        for call in averaged_models(facts)
    )


def callbacks_of_class(facts: Facts, cls: ast.ClassDef | None) -> Iterator[str]:
    """Which of Horovod's callbacks a class of the module stands for."""
    if cls is not None and facts.role_of_class(cls) is Role.CALLBACK:
        if _calls(facts, cls, "broadcast_variables"):
            yield BROADCAST
        if _calls(facts, cls, *AVERAGES):
            yield METRICS
