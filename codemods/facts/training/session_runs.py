"""What sessions of TensorFlow 1 run: which of these runs take a training step.

`session.run(fetches)`, and `operation.run()` in the default session. A run trains if what it
fetches is computed from `minimize(…)` or `apply_gradients(…)`, or made after one of them, or adds
gradients up in variables.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...library.sessions import TRAIN_OPS
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..roles import Role
from . import own_optimizers
from .graph_puts import is_zero, put_value, puts

APPLICATIONS = ("minimize", "apply_gradients")
COMPUTATIONS = ("compute_gradients",)
_AFTER = "control_dependencies"


class Run(NamedTuple):
    """One run: what it fetches, and of which session; None stands for the default session."""

    call: ast.Call
    fetches: ast.expr
    session: ast.expr | None


def fed(facts: Facts, run: Run) -> ast.expr | None:
    """`feed_dict`: `session.run(fetches, feed_dict)`, `operation.run(feed_dict)`."""
    is_own = run.fetches is getattr(run.call.func, "value", None)  # `operation.run(…, session)`
    return facts.argument(run.call, "feed_dict", 0 if is_own else 1)


@recorded
def session_runs(facts: Facts) -> tuple[Run, ...]:
    """Every call that runs a part of a graph, in the order of the text."""
    return tuple(_runs(facts))


def _runs(facts: Facts) -> Iterator[Run]:
    for call in facts.calls("run", "eval"):
        assert isinstance(call.func, ast.Attribute)
        if facts.name(call.func) is not None or facts.callee(call) is not None:
            continue
        receiver = call.func.value
        if facts.role(receiver) is Role.SESSION:
            fetches = facts.argument(call, "fetches", 0)
            yield Run(call, receiver if fetches is None else fetches, receiver)
        elif call.func.attr == "eval" or leads_to_step(facts, receiver) or not call.args:
            yield Run(call, receiver, facts.argument(call, "session", 1))


@recorded
def training_runs(facts: Facts) -> dict[ast.Call, Run]:
    """The runs that take a training step."""
    found = (run for run in session_runs(facts) if leads_to_step(facts, run.fetches))
    return {run.call: run for run in found}


@recorded
def _steps(facts: Facts) -> frozenset[ast.AST]:
    """The operations that take a step, and the calls that are made to run after one of them."""
    steps: set[ast.AST] = {call for call in facts.calls(*APPLICATIONS) if applies(facts, call)}
    steps.update(facts.calls_of(*TRAIN_OPS))
    taken = _computed(facts)  # most programs have none, and many puts
    given = puts(facts) if taken else ()
    is_computed = facts.program.sought(taken.__contains__)
    steps.update(call for call in given if _is_gradient(facts, put_value(facts, call), is_computed))
    steps.update(_behind_steps(facts, steps))
    return frozenset(steps)


def _behind_steps(facts: Facts, steps: set[ast.AST]) -> set[ast.AST]:
    """The calls that are made to run behind a step, or behind one of themselves."""
    behind: dict[ast.AST, list[ast.Call]] = {}
    for block in facts.index.nodes(ast.With) if steps else ():
        orders = [order for order in map(_order, block.items) if order is not None]
        for node in (node for s in block.body for node in within(s)) if orders else ():
            if isinstance(node, ast.Call):
                behind.setdefault(node, []).extend(orders)
    is_behind = facts.program.sought(steps.__contains__, behind=behind)
    return {call for call, orders in behind.items() if any(map(is_behind, orders))}


def _computed(facts: Facts) -> frozenset[ast.AST]:
    """The calls by which optimizers compute gradients."""
    named = (call for call in facts.index.calls if last_name(call.func) in COMPUTATIONS)
    return frozenset(call for call in named if applies(facts, call))


def _is_gradient(
    facts: Facts, value: ast.expr | None, is_computed: Callable[[ast.AST], bool]
) -> bool:
    """Whether a value is of an optimizer's gradients: to run that averages them, as a step does."""
    found = value is not None and is_computed(value)
    return found and not is_zero(facts, value)  # which is a long search: most aren't asked


def given_optimizers(facts: Facts) -> Iterator[ast.expr]:
    """What `create_train_op(loss, optimizer)` computes and applies gradients by."""
    for call in facts.calls_of(*TRAIN_OPS):
        optimizer = facts.argument(call, "optimizer", 1)
        yield from [] if optimizer is None else [optimizer]


@recorded
def ingredients_of_steps(facts: Facts) -> frozenset[ast.AST]:
    """Everything that the losses of training steps are computed from, their data included."""
    calls = [call for call in facts.calls(*APPLICATIONS, *COMPUTATIONS) if applies(facts, call)]
    calls += facts.calls_of(*TRAIN_OPS)
    return frozenset(facts.program.ingredients_of(calls))


def applies(facts: Facts, call: ast.Call) -> bool:
    """Whether a method of that name is an optimizer's, also of a class of the module."""
    if facts.name(call.func) is not None:
        return False
    return own_optimizers.applies(facts, call) and not own_optimizers.calls_super_apply(facts, call)


def _order(item: ast.withitem) -> ast.Call | None:
    """`control_dependencies(…)`: what is made in the block runs behind that."""
    call = item.context_expr
    return call if isinstance(call, ast.Call) and last_name(call.func) == _AFTER else None


def waits_for_step(facts: Facts, call: ast.Call) -> bool:
    """Whether an operation is made to run behind a training step."""
    return call in _steps(facts)


def leads_to_step(facts: Facts, expr: ast.expr) -> bool:
    """Whether a value is computed from an operation that takes a training step."""
    return bool(_steps(facts)) and _led_to_step(facts)(expr)


@recorded
def _led_to_step(facts: Facts) -> Callable[[ast.AST], bool]:
    return facts.program.sought(_steps(facts).__contains__, _zeros(facts).__contains__)


@recorded
def _zeros(facts: Facts) -> frozenset[ast.AST]:
    """The operations that put zeros into variables, whatever was added up there."""
    return frozenset(call for call in puts(facts) if is_zero(facts, put_value(facts, call)))


def feeds_back_state(facts: Facts, run: Run) -> bool:
    """Whether a training run is fed what it gave itself: the state of a recurrent network."""
    if run.call not in training_runs(facts):
        return False
    fed = [*run.call.args, *(keyword.value for keyword in run.call.keywords)]
    others = (value for value in fed if value is not run.fetches)
    return any(run.call in facts.program.ingredients(value) for value in others)


def last_name(func: ast.expr) -> str:
    """The name of a function or method as it is called."""
    return str(getattr(func, "attr", None) or getattr(func, "id", ""))
