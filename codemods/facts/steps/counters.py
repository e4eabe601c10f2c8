"""What counts the steps of a program: names and attributes, rounds of loops, variables, hooks."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...library.agreement import COUNTERS, LENGTHS
from ...library.names import in_v1, normal
from ..facts import Facts, recorded
from ..roles import Role
from ..scopes import FunctionNode
from ..training.draws import whole_round, without_bar
from ..training.fetched_steps import is_step_of_session, step_variables
from ..training.own_hooks import RUNNING, is_own_hook
from ..training.pattern import Pattern, training_of
from ..training.session_runs import training_runs
from ..training.training_loops import loop_around
from .units import SHARE, Powers, Unit, Way

BATCH_HOOKS = (
    "on_batch_begin",
    "on_batch_end",
    "on_train_batch_begin",
    "on_train_batch_end",
)
_VARIABLE = "tensorflow.Variable"
_SAID = in_v1("train.global_step")  # by a session, as a number
_SUMS = (ast.Add, ast.Sub)
_DEEP = 3  # calls around a step, as far as loops are looked for
_BY_THEMSELVES = (Pattern.KERAS, Pattern.ESTIMATOR)
Place = tuple["ast.AST | None", "ast.AST | None"]  # a function, and the loop in it


def counters(facts: Facts, pace: Powers) -> Mapping[ast.AST, Unit]:
    """What counts steps, at a pace: that of each worker's own steps."""
    found = (*_additions(facts), *_rounds(facts), *_variables(facts), *_given(facts))
    return dict.fromkeys(found, Unit(pace, Way.COUNT))


def told(facts: Facts) -> Mapping[ast.AST, Unit]:
    """What schedules are told, where nobody knows at which pace: an Nth, if they multiply it."""
    return dict.fromkeys(_given(facts), Unit(SHARE, Way.COUNT))


@recorded
def stepping(facts: Facts) -> frozenset[Place]:
    """The functions and loops of which each call, or round, takes a step."""
    calls = [call for call, pattern in training_of(facts).places if _is_step(call, pattern)]
    return frozenset(
        place for call in (*calls, *training_runs(facts)) for place in _around(facts, call, _DEEP)
    )


def _is_step(call: ast.Call, pattern: Pattern) -> bool:
    return pattern not in _BY_THEMSELVES or getattr(call.func, "attr", "") == "train_on_batch"


def _around(facts: Facts, node: ast.AST, deep: int) -> Iterator[Place]:
    home, loop = facts.function(node), loop_around(facts, node)
    yield home, loop
    if loop is not None:
        yield home, whole_round(facts, node)
    elif home is not None and deep:
        for call in facts.call_sites(home):
            yield from _around(facts, call, deep - 1)


def _is_stepping(facts: Facts, node: ast.AST) -> bool:
    place = (facts.function(node), loop_around(facts, node))
    return place in stepping(facts) or _is_in_hook(facts, node)


def _is_in_hook(facts: Facts, node: ast.AST) -> bool:
    """Whether it runs once a batch, in a callback, or a hook of a session."""
    method, cls = facts.function(node), facts.cls(node)
    if method is None or cls is None or loop_around(facts, node) is not None:
        return False
    name = getattr(method, "name", "")
    return (name in BATCH_HOOKS and facts.role_of_class(cls) is Role.CALLBACK) or (
        name in RUNNING and is_own_hook(facts, cls)
    )


def _additions(facts: Facts) -> Iterator[ast.AST]:
    """`step += 1`, `seen = seen + batch`, `left -= 1`, once a step."""
    for node in (*facts.index.nodes(ast.AugAssign), *facts.index.nodes(ast.Assign)):
        added = _added(node)
        if added is not None and _is_count(facts, added) and _is_stepping(facts, node):
            yield node if isinstance(node, ast.AugAssign) else node.value  # type: ignore[attr-defined]


def _added(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.AugAssign):
        return node.value if isinstance(node.op, _SUMS) else None
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.BinOp):
        return None
    is_sum = isinstance(node.value.op, _SUMS) and len(node.targets) == 1
    is_same = is_sum and ast.unparse(node.value.left) == ast.unparse(node.targets[0])
    return node.value.right if is_same else None


def _is_count(facts: Facts, value: ast.expr) -> bool:
    """A whole number that is written out, or as many as there are examples in a batch."""
    made = facts.origins(value)
    return made.complete and bool(made.nodes) and all(_is_whole(facts, n) for n in made.nodes)


def _is_whole(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return facts.name(node.func) in LENGTHS
    value = node.value if isinstance(node, ast.Constant) else None
    return type(value) in (int, float) and value == int(value)  # type: ignore[arg-type]


def _rounds(facts: Facts) -> Iterator[ast.AST]:
    """`range(…)` and `enumerate(…)` of the loops of which each round takes a step."""
    for _, loop in stepping(facts):
        over = without_bar(facts, loop.iter) if isinstance(loop, ast.For) else None
        if isinstance(over, ast.Call):
            name = normal(facts.name(over.func) or "")
            if name == "builtins.enumerate" or name in COUNTERS:
                yield over


def _variables(facts: Facts) -> Iterator[ast.AST]:
    """Variables to which each step adds, the optimizer's own, and what sessions count."""
    for call in facts.calls("assign_add"):
        given = facts.argument(call, "delta", 0)
        if given is not None and _is_count(facts, given) and _is_stepping(facts, call):
            made = facts.origins(call.func.value).nodes  # type: ignore[attr-defined]
            yield from (n for n in made if _is_variable(facts, n))
    for use in facts.index.loads.get("iterations", ()):
        if isinstance(use, ast.Attribute) and facts.role(use.value) is Role.OPTIMIZER:
            yield use
    yield from (*step_variables(facts), *facts.calls_of(*_SAID))
    if training_runs(facts):
        names = (n for n in facts.index.nodes(ast.Name) if isinstance(n.ctx, ast.Load))
        yield from (name for name in names if is_step_of_session(facts, name))


def _is_variable(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and normal(facts.name(node.func) or "") == _VARIABLE


def _given(facts: Facts) -> Iterator[ast.AST]:
    """The number of a step that a schedule of the program's own, or a hook of batches, is told."""
    for cls in facts.index.nodes(ast.ClassDef):
        role = facts.role_of_class(cls)
        names = {Role.SCHEDULE: ("__call__",), Role.CALLBACK: BATCH_HOOKS}.get(role, ())  # type: ignore[arg-type]
        for method in cls.body:
            if isinstance(method, FunctionNode) and getattr(method, "name", "") in names:
                yield from [*method.args.posonlyargs, *method.args.args][1:2]
