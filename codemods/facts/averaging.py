"""What averages over the workers: Horovod's optimizers and tapes, and own functions like them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from ..library.call_results import gives
from ..library.horovod_names import member_of
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.node_fields import within
from ..program.origins import Kind, Origin
from ..program.parts import Function, FunctionNode
from ..program.records import NamedTuple
from ..program.things import Instance, Library
from ..program.versions import ENTER
from .by_rank import depends_on_rank, depends_on_size, is_decided
from .facts import Facts, recorded
from .horovod import AVERAGES, BROADCAST, METRICS, WRAPPED, WRAPPERS, member
from .roles import Role

# -- averaging -----------------------------------------------------------------------------------
# Which optimizers and tapes an expression may be, and what of Horovod each of them has come
# through on its way here: that averages its gradients over the workers.


class Wrapped(NamedTuple):
    """An optimizer or a tape: what makes it, and the calls that have wrapped it since.

    `made` is None for all that nobody sees being made.
    """

    made: ast.AST | None
    by: frozenset[ast.AST] = frozenset()


Objects = frozenset[Wrapped]
_AVERAGING = ("optimizer", "tape")  # what has gradients to average
_PASSING = (
    ast.Call,
    ast.keyword,
    ast.Tuple,
)  # what a wrapped one is handed to at once: a loss scale
_NOBODY_KNOWS: Objects = frozenset({Wrapped(None)})


def _create(origin: Origin, operands: Operands[Objects]) -> Objects:
    if origin.kind is Kind.MEMBER and origin.name == ENTER:
        return _union(operands.of(origin, "of"))
    if origin.kind is Kind.CALL:
        return _call(origin, operands)
    if isinstance(origin.thing, Instance) and origin.node is not None:
        return frozenset({Wrapped(origin.node)})
    return _NOBODY_KNOWS if origin.kind in (Kind.MEMBER, Kind.UNKNOWN) else frozenset()


def _call(origin: Origin, operands: Operands[Objects]) -> Objects:
    """A wrapper adds itself; what is given an object hands it on: `LossScaleOptimizer(opt)`."""
    called = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
    names = [normal(name) for name in (origin.name, *called) if name]
    if origin.node is not None and any(member_of(name) in WRAPPERS for name in names):
        given = _union(operands.of(origin, 0, *WRAPPED)) or _NOBODY_KNOWS
        return frozenset(each._replace(by=each.by | {origin.node}) for each in given)
    labels = [label for label, _ in origin.operands if label != "func"]
    given = _union(operands.of(origin, *labels)) if labels else frozenset()
    known = frozenset(each for each in given if each.made is not None)
    is_one = any(gives(name) in _AVERAGING for name in names)
    return known or (frozenset({Wrapped(origin.node)}) if is_one else _NOBODY_KNOWS)


def _union(parts: list[Objects]) -> Objects:
    return frozenset().union(*parts)


def _join(a: Objects, b: Objects) -> Objects:
    return a | b


OBJECTS: Domain[Objects] = Domain(frozenset(), _NOBODY_KNOWS, _join, _create)


class Averaged(Enum):
    """What is known about the gradients of an optimizer or a tape."""

    NO = "each worker's own"
    YES = "averaged over the workers"
    UNKNOWN = "averaged on some ways, or by who knows what"


def averaged(facts: Facts, expr: ast.AST) -> Averaged:
    """Whether all values that reach the expression are wrapped by Horovod, or none."""
    found = objects(facts, expr) if facts.has_horovod else []
    answers = {bool(each.by) for each in found}
    if len(answers) > 1:
        return Averaged.UNKNOWN
    return Averaged.YES if True in answers else Averaged.NO


def objects(facts: Facts, expr: ast.AST) -> list[Wrapped]:
    """The optimizers and tapes that may reach an expression, without those that were replaced.

    What nobody sees being made counts where nothing else comes.
    """
    found = facts.program.value(OBJECTS, expr)
    known = [each for each in found if each.made is not None or each.by] or list(found)
    wraps = [(each.made, wrap) for each in known for wrap in each.by]

    def is_replaced(plain: Wrapped) -> bool:
        by = (wrap for made, wrap in wraps if made is plain.made)
        return not plain.by and any(_replaces(facts, wrap, plain, expr) for wrap in by)

    return [each for each in known if not is_replaced(each)]


def _replaces(facts: Facts, wrap: ast.AST, plain: Wrapped, use: ast.AST) -> bool:
    """Whether the wrapped one stands, for many workers, where the plain one stood until then.

    `self.opt = hvd.DistributedOptimizer(self.opt)` below `self.opt = Adam()`, before it is used;
    `hvd.DistributedOptimizer(opt) if hvd.size() > 1 else opt`.
    """
    statement = facts.statement(wrap)
    choice = next((p for p in facts.parents(wrap) if not isinstance(p, _PASSING)), statement)
    if choice is not statement:
        return isinstance(choice, ast.IfExp) and is_of_size(facts, choice.test)
    holder = facts.parent(statement)
    place = holder if isinstance(holder, ast.If) and is_of_size(facts, holder.test) else statement
    made = facts.statement(plain.made) if plain.made is not None else None
    if not _is_put_back(statement, made):
        return False
    block, number = facts.block(place)
    return _stands_in(facts, made, block[:number]) and not _stands_in(facts, use, block[:number])


def _is_put_back(statement: ast.stmt, made: ast.stmt | None) -> bool:
    """Whether two statements bind the same name, or the same attribute of the same object."""
    return not {*map(ast.unparse, _targets(statement))}.isdisjoint(map(ast.unparse, _targets(made)))


def _targets(statement: ast.stmt | None) -> list[ast.expr]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [part for each in targets for part in getattr(each, "elts", [each])]


def _stands_in(facts: Facts, node: ast.AST | None, block: list[ast.stmt]) -> bool:
    return node is not None and any(each in block for each in (node, *facts.parents(node)))


def is_for_one(facts: Facts, node: ast.AST) -> bool:
    """Whether one worker alone comes there, or each where there is but one."""
    around = (each.test for each in facts.parents(node) if isinstance(each, ast.If))
    return is_decided(facts, node) or any(is_of_size(facts, test) for test in around)


def is_of_size(facts: Facts, test: ast.AST) -> bool:
    """`hvd.size() > 1`: all workers answer it alike, and one alone needs nothing of Horovod."""
    return depends_on_size(facts, test) and not depends_on_rank(facts, test)


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
