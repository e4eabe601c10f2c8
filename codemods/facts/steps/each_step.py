"""What runs once a step, and what counts that.

Rounds of loops, functions that these call, and what libraries call; names and attributes, numbers
of rounds, variables, what hooks are told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Union

from ...library.agreement import COUNTERS, LENGTHS
from ...library.callbacks import LAMBDA
from ...library.hooks import OF_BATCHES, OF_RUNS, OF_STEPS
from ...library.names import in_v1, normal
from ...library.tensorflow_names import LAYER, VARIABLE
from ...program.parts import FunctionNode
from ..facts import Facts, recorded
from ..roles import Role
from ..training.pattern import Pattern, training_of
from ..training.session_runs import is_own_hook, is_step_of_session, step_variables, training_runs
from ..training.training_loops import loop_around, whole_round, without_bar
from .units import SHARE, Counted, Powers, Unit, Units, Way, is_length

_LAMBDA, _LAYER = (name.rpartition(".")[2] for name in (LAMBDA, LAYER))
_DEEP = 3  # calls around a step, as far as loops are looked for
_BY_THEMSELVES = (Pattern.KERAS, Pattern.ESTIMATOR)
Place = tuple["ast.AST | None", "ast.AST | None"]  # a function, and the loop in it
Hook = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]
_SAID = in_v1("train.global_step")  # by a session, as a number
_SUMS = (ast.Add, ast.Sub)
_EXACT = (ast.Eq, ast.NotEq)
_OF_EPOCHS = ("steps", "samples", "nb_sample")  # what Keras says of a fit


@recorded
def stepping(facts: Facts) -> frozenset[Place]:
    """The functions and loops of which each call, or round, takes a step."""
    calls = [call for call, pattern in training_of(facts).places if _is_step(call, pattern)]
    return frozenset(
        place for call in (*calls, *training_runs(facts)) for place in _around(facts, call, _DEEP)
    )


def stepping_loops(facts: Facts) -> list[ast.AST]:
    """The loops of which each round takes a step, in the order of the text."""
    loops = {loop for _, loop in stepping(facts) if loop is not None}
    return sorted(loops, key=facts.place)


def _is_step(call: ast.Call, pattern: Pattern) -> bool:
    method = getattr(call.func, "attr", "")
    if pattern is Pattern.SESSION:  # what makes a session, or an operation, stands before all steps
        return method == "run"
    return pattern not in _BY_THEMSELVES or method == "train_on_batch"


def _around(facts: Facts, node: ast.AST, deep: int) -> Iterator[Place]:
    home, loop = facts.function(node), loop_around(facts, node)
    yield home, loop
    if loop is not None:
        yield home, whole_round(facts, node)
    elif home is not None and deep:
        for call in facts.call_sites(home):
            yield from _around(facts, call, deep - 1)


def is_stepping(facts: Facts, node: ast.AST) -> bool:
    """Whether a node runs once a step, and what it changes is there in the next."""
    if is_in_round(facts, node):
        return True
    return _is_called(facts, node, _DEEP) and _stays(facts, node)


def is_in_round(facts: Facts, node: ast.AST) -> bool:
    """Whether it stands in such a function or loop itself: what stands in none is run once."""
    place = (facts.function(node), loop_around(facts, node))
    return place != (None, None) and place in stepping(facts)


def _stays(facts: Facts, node: ast.AST) -> bool:
    """Not a name of the function alone, which begins anew with each call."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if not isinstance(target, ast.Name):
        return True
    scope = facts.scope(target)
    return scope.find(target.id) is not scope


def _is_called(facts: Facts, node: ast.AST, deep: int) -> bool:
    """Whether a round of a loop that trains comes to it, however many calls away, or a library."""
    home, loop = facts.function(node), loop_around(facts, node)
    if loop is not None:
        return (home, loop) in stepping(facts)
    if home is None:
        return False
    if home in hooks(facts) or any(hook in hooks(facts) for hook in facts.parents(node)):
        return True
    return deep > 0 and any(_is_called(facts, call, deep - 1) for call in facts.call_sites(home))


@recorded
def hooks(facts: Facts) -> frozenset[Hook]:
    """What libraries call in each step: methods of callbacks and models, hooks, functions."""
    return frozenset((*_methods(facts), *told_batches(facts)))


def _methods(facts: Facts) -> Iterator[Hook]:
    for cls in facts.index.nodes(ast.ClassDef):
        names: tuple[str, ...] = OF_RUNS if is_own_hook(facts, cls) else ()
        role = facts.role_of_class(cls)
        names = {Role.CALLBACK: OF_BATCHES, Role.MODEL: OF_STEPS}.get(role, names)  # type: ignore[arg-type]
        if any(base.rpartition(".")[2] == _LAYER for base in facts.classes.library_bases(cls)):
            names = OF_STEPS
        yield from (each for each in cls.body if getattr(each, "name", "") in names)  # type: ignore[misc]


def told_batches(facts: Facts) -> Iterator[Hook]:
    """The functions that a callback of Keras calls for each batch, which it tells its number."""
    for call in facts.index.nodes(ast.Call):
        if (facts.name(call.func) or "").rpartition(".")[2] == _LAMBDA:
            given = [k.value for k in call.keywords if k.arg in OF_BATCHES]
            yield from (hook for value in given for hook in _functions(facts, value))


def _functions(facts: Facts, value: ast.expr) -> Iterator[Hook]:
    found = [value, *facts.origins(value).nodes, *facts.program.functions(value).nodes]
    yield from (n for n in found if isinstance(n, (*FunctionNode, ast.Lambda)))


# -- what counts steps ---------------------------------------------------------------------------


def counters(facts: Facts, pace: Powers) -> Mapping[ast.AST, Unit]:
    """What counts steps, at a pace: that of each worker's own steps."""
    counting = (_additions, _rounds, _variables, _given, _drawn, _of_epochs, _collected)
    return dict.fromkeys((n for each in counting for n in each(facts)), Unit(pace, Way.COUNT))


def counts_steps(facts: Facts, value: ast.expr) -> bool:
    """Whether it counts the steps that a worker takes, or is reckoned from such a count."""
    unit = facts.record(_counting).of(value)
    return unit.counts and unit.powers == SHARE


def _counting(facts: Facts) -> Units:
    return Units(facts.program, Counted(counters(facts, SHARE), lambda length: False))


def told(facts: Facts) -> Mapping[ast.AST, Unit]:
    """What schedules are told, where nobody knows at which pace: an Nth, if they multiply it."""
    return dict.fromkeys(_given(facts), Unit(SHARE, Way.COUNT))


def _additions(facts: Facts) -> Iterator[ast.AST]:
    """`step += 1`, `seen = seen + batch`, `left -= 1`, once a step."""
    for node in (*facts.index.nodes(ast.AugAssign), *facts.index.nodes(ast.Assign)):
        added = _added(node)
        if added is not None and is_count(facts, added) and is_stepping(facts, node):
            if is_conditional(facts, node):  # as of epochs: `if start > n: epochs += 1`
                continue
            yield node if isinstance(node, ast.AugAssign) else node.value  # type: ignore[attr-defined]


def is_conditional(facts: Facts, node: ast.AST) -> bool:
    """Whether a round, or a call, may leave it out."""
    for parent in facts.parents(node):
        if isinstance(parent, (ast.For, ast.While, FunctionNode, ast.Lambda)):
            return False
        if isinstance(parent, ast.If):
            return True
    return False


def _added(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.AugAssign):
        return node.value if isinstance(node.op, _SUMS) else None
    is_one = isinstance(node, ast.Assign) and len(node.targets) == 1
    return beside(node.targets[0], node.value, _SUMS) if is_one else None  # type: ignore[attr-defined]


def beside(
    number: ast.expr, value: ast.expr | None, ops: tuple[type[ast.operator], ...]
) -> ast.expr | None:
    """What is added to a number, say, in a value: the other side; None where it has no part."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ops):
        return None
    name = ast.unparse(number)
    if ast.unparse(value.left) == name:
        return value.right
    is_either = isinstance(value.op, (ast.Add, ast.Mult))
    return value.left if is_either and ast.unparse(value.right) == name else None


def is_count(facts: Facts, value: ast.expr) -> bool:
    """A whole number that is written out, or as many as there are examples in a batch."""
    made = facts.origins(value)
    return made.complete and bool(made.nodes) and all(_is_whole(facts, n) for n in made.nodes)


def _is_whole(facts: Facts, node: ast.AST) -> bool:
    if is_length(node) or is_length(getattr(node, "value", node)):  # `tf.shape(x)[0]`
        return True
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
            beside = over.args if name == "builtins.zip" else [over]
            yield from (each for each in beside if _numbers(facts, each))
            yield from _numbers_in(facts, loop)  # type: ignore[arg-type]


def numbers_of_elements(facts: Facts) -> Iterator[ast.AST]:
    """Where the numbers are read that data sets give their elements: all workers have the same."""
    for loop in facts.index.nodes(ast.For):
        yield from _numbers_in(facts, loop)


def _numbers_in(facts: Facts, loop: ast.For) -> Iterator[ast.AST]:
    """Where the first name of `for step, x in dataset.enumerate():` is read in it."""
    over = without_bar(facts, loop.iter)
    is_numbered = isinstance(over, ast.Call) and getattr(over.func, "attr", "") == "enumerate"
    first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else None
    if is_numbered and isinstance(first, ast.Name):
        yield from (each for each in facts.readers(first) if loop in facts.parents(each))


def _numbers(facts: Facts, rounds: ast.expr) -> bool:
    """Whether it gives each round its number."""
    name = normal(facts.name(rounds.func) or "") if isinstance(rounds, ast.Call) else ""
    return name in ("builtins.enumerate", "itertools.count") or name in COUNTERS


def _variables(facts: Facts) -> Iterator[ast.AST]:
    """Variables to which each step adds, the optimizer's own, and what sessions count."""
    for call, given in _assigned(facts):
        if is_count(facts, given) and is_stepping(facts, call):
            made = facts.origins(call.func.value).nodes  # type: ignore[attr-defined]
            yield from (n for n in made if _is_variable(facts, n))
    for use in facts.index.loads.get("iterations", ()):
        if isinstance(use, ast.Attribute) and _is_optimizer(facts, use.value):
            yield use
    yield from (*step_variables(facts), *facts.calls_of(*_SAID))
    if training_runs(facts):
        names = (n for n in facts.index.nodes(ast.Name) if isinstance(n.ctx, ast.Load))
        asked = (*names, *facts.calls("run"))
        yield from (each for each in asked if is_step_of_session(facts, each))


def _assigned(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """What `step.assign_add(1)` and `step.assign(step + 1)` add to a variable."""
    for call in facts.calls("assign_add"):
        given = facts.argument(call, "delta", 0)
        yield from [] if given is None else [(call, given)]
    for call in facts.calls("assign"):
        variable: ast.expr = call.func.value  # type: ignore[attr-defined]
        added = beside(variable, facts.argument(call, "value", 0), (ast.Add,))
        yield from [] if added is None else [(call, added)]


def _is_optimizer(facts: Facts, expr: ast.expr) -> bool:
    """Also `self.model.optimizer`, which Keras gives a callback or a model."""
    is_given = isinstance(expr, ast.Attribute) and expr.attr == "optimizer"
    return is_given or facts.role(expr) is Role.OPTIMIZER


def _drawn(facts: Facts) -> Iterator[ast.AST]:
    """`next(itertools.count())`, once a step."""
    for call in facts.calls_of("builtins.next"):
        made = facts.origins(call.args[0]).nodes if call.args else ()
        names = [facts.name(n.func) for n in made if isinstance(n, ast.Call)]
        if "itertools.count" in names and is_stepping(facts, call):
            yield call


def _collected(facts: Facts) -> Iterator[ast.AST]:
    """`len(losses) == 3000`, where each step adds one: asked for that number, not for enough."""
    for call in facts.calls("append"):
        if is_stepping(facts, call) and not is_conditional(facts, call):
            lists = set(facts.origins(call.func.value).nodes)  # type: ignore[attr-defined]
            yield from (n for n in _asked_lengths(facts) if lists & set(_measured(facts, n)))


def _asked_lengths(facts: Facts) -> Iterator[ast.Call]:
    for call in facts.calls_of(*LENGTHS):
        around = facts.parent(call)
        is_exact = isinstance(around, ast.Compare) and isinstance(around.ops[0], _EXACT)
        if is_exact or (isinstance(around, ast.BinOp) and isinstance(around.op, ast.Mod)):
            yield call


def _measured(facts: Facts, length: ast.Call) -> tuple[ast.AST, ...]:
    return tuple(facts.origins(length.args[0]).nodes) if length.args else ()


def _of_epochs(facts: Facts) -> Iterator[ast.AST]:
    """`self.params["steps"]`: how many steps Keras tells a callback that an epoch has."""
    for use in facts.index.loads.get("params", ()):
        asked = facts.parent(use)
        key: object = None
        if isinstance(asked, ast.Subscript):
            key = asked.slice
        elif isinstance(asked, ast.Attribute) and asked.attr == "get":
            asked = facts.parent(asked)
            key = asked.args[0] if isinstance(asked, ast.Call) and asked.args else None
        is_steps = isinstance(key, ast.Constant) and key.value in _OF_EPOCHS
        cls = facts.cls(use)
        if is_steps and cls is not None and facts.role_of_class(cls) is Role.CALLBACK:
            yield asked  # type: ignore[misc]


def _is_variable(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and normal(facts.name(node.func) or "") == VARIABLE


def _given(facts: Facts) -> Iterator[ast.AST]:
    """The number of a step that a schedule of the program's own, or a hook of batches, is told."""
    for cls in facts.index.nodes(ast.ClassDef):
        role = facts.role_of_class(cls)
        names = {Role.SCHEDULE: ("__call__",), Role.CALLBACK: OF_BATCHES}.get(role, ())  # type: ignore[arg-type]
        for method in cls.body:
            if isinstance(method, FunctionNode) and getattr(method, "name", "") in names:
                yield from [*method.args.posonlyargs, *method.args.args][1:2]
    for function in told_batches(facts):
        yield from [*function.args.posonlyargs, *function.args.args][:1]
