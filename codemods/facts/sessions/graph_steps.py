"""Whether every step of a graph is averaged, and what is put into variables between the steps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import in_v1
from ...library.optimizers import V1
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ..causes import Problem, cause_of
from ..facts import Facts
from ..flow import flow_to
from ..optimizers import optimizer_makers
from ..optimizers.optimizer_makers import creations
from ..optimizers.wrapped_optimizers import graph_gradients
from ..roles import Role
from ..training import session_runs
from ..training.pattern import training_of
from ..training.session_runs import (
    APPLICATIONS,
    COMPUTATIONS,
    applies,
    is_zero,
    leads_to_step,
    put_value,
    puts,
    training_runs,
    waits_for_step,
)
from ..training.training_loops import trains
from ..walks import reached
from .session_starts import changes, changes_alike

# -- steps ---------------------------------------------------------------------------------------
# Whether every step of a graph is one whose gradients Horovod's optimizer averages.
#
# `DistributedOptimizer.compute_gradients` averages, and `minimize` calls it; what `tf.gradients`
# computes is applied as it is (Horovod's issues 141, 291).

_METHODS = (*APPLICATIONS, *COMPUTATIONS, "get_slot", "get_slot_names", "variables", "get_name")
_BRANCHES = in_v1("cond", "case", "while_loop", "map_fn", "scan", "switch_case")
_MADE = "nobody can tell where this optimizer is made"
_MAKE = "make it in this file by its class: `optimizer = tf.train.AdamOptimizer(0.001)`"
_NOT_AVERAGED = "these gradients are not computed by an optimizer: nothing averages them"
_COMPUTE = "compute them by the optimizer: `optimizer.compute_gradients(loss, variables)`"
_UNKNOWN = "nobody can tell what computes these gradients"
_IN_BRANCH = "this step is made inside of a function of the graph, which one worker may leave out"
_OUTSIDE = "make it outside, and let the function only choose what is computed"
_USED = "nobody can tell what is done with this optimizer, which Horovod would have to wrap before"
_USE = "call its `minimize`, or `compute_gradients` and `apply_gradients`, in this file"


def unaveraged_steps(facts: Facts) -> Iterator[Problem]:
    """The calls that make a step of which nobody can say that Horovod averages its gradients."""
    for call in facts.calls(*APPLICATIONS, *COMPUTATIONS):
        if applies(facts, call):
            yield from _of_step(facts, call)
    for given in session_runs.given_optimizers(facts):
        yield from _of_optimizer(facts, given, given)
    yield from _other_uses(facts)


def _of_step(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    receiver: ast.expr = call.func.value  # type: ignore[attr-defined]
    problems = [*_of_optimizer(facts, receiver, call)]
    yield from problems
    if not problems and call.func.attr == "apply_gradients":  # type: ignore[attr-defined]
        yield from _of_gradients(facts, call)


def _of_optimizer(facts: Facts, optimizer: ast.expr, step: ast.expr) -> Iterator[Problem]:
    if not _is_made_here(facts, optimizer):
        yield Problem(optimizer, _MADE, _MAKE, cause_of(facts, optimizer, (Role.OPTIMIZER,)))
    elif _is_in_branch(facts, step):
        yield Problem(step, _IN_BRANCH, _OUTSIDE)


def _is_made_here(facts: Facts, receiver: ast.expr) -> bool:
    made = creations(facts, receiver)
    return bool(made) and all(
        isinstance(node, ast.Call)
        and facts.made_by(node) is Role.OPTIMIZER
        and (facts.kind(node) or "").startswith(V1)
        for node in made
    )


def _is_in_branch(facts: Facts, call: ast.expr) -> bool:
    around = [n for n in facts.parents(call) if isinstance(n, (ast.Lambda, *FunctionNode))]
    if any(isinstance(node, ast.Lambda) for node in around):
        return True
    given = {
        function
        for branch in facts.calls_of(*_BRANCHES)
        for value in (*branch.args, *(k.value for k in branch.keywords))
        for function in facts.program.functions(value).nodes
    }
    reached = {inner for function in given for inner in _reached(facts, function)}
    return not reached.isdisjoint(around)


def _reached(facts: Facts, function: ast.AST) -> set[ast.AST]:
    """A function of the graph, and those of the module that it calls; also those of a lambda."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    called = {each for call in calls for each in facts.program.functions(call.func).nodes}
    return {function}.union(*(training_of(facts).reached(each) for each in called))


def _of_gradients(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    given = facts.argument(call, "grads_and_vars", 0)
    flow = flow_to(facts, given or call, ("each", 0))
    averaged = {each.call for each in graph_gradients(facts) if not _is_in_branch(facts, each.call)}
    others = [each for each in flow.foreign if each not in averaged]
    plain = [each for each in others if not _is_computed(facts, each)]
    if plain or flow.gradients:
        yield Problem([*plain, *flow.gradients][0], _NOT_AVERAGED, _COMPUTE)
    elif given is None or not flow.foreign:
        yield Problem(call, _UNKNOWN, _COMPUTE, None if given is None else cause_of(facts, given))


def _is_computed(facts: Facts, call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in COMPUTATIONS


def _other_uses(facts: Facts) -> Iterator[Problem]:
    """Optimizers that are asked for something else, or handed out of the file."""
    for node in facts.index.nodes(ast.Attribute):
        if facts.role(node.value) is Role.OPTIMIZER and node.attr not in _METHODS:
            yield from [] if _is_its_own(facts, node.value) else [Problem(node, _USED, _USE)]
    known = {*optimizer_makers.given_optimizers(facts), *session_runs.given_optimizers(facts)}
    for call in facts.index.calls:
        if facts.callee(call) is None and facts.classes.local(call.func) is None:
            for value in (*call.args, *(k.value for k in call.keywords)):
                is_known = value in known or _is_its_own(facts, value)
                if facts.role(value) is Role.OPTIMIZER and not is_known:
                    yield Problem(value, _USED, _USE)


def _is_its_own(facts: Facts, optimizer: ast.expr) -> bool:
    """Whether it is `self`, or `super()`, in a method of an optimizer that the program defines.

    What such a method does, it does with the one that is wrapped; it may hand it to `super` alone.
    """
    method = facts.function(optimizer)
    if method is None or facts.classes.method_of(method) is None:
        return False
    call = facts.parent(optimizer)
    is_super = isinstance(optimizer, ast.Call) and facts.name(optimizer.func) == "builtins.super"
    is_given = isinstance(call, ast.Call) and facts.name(call.func) != "builtins.super"
    is_first = isinstance(optimizer, ast.Name) and optimizer.id == _first(method)
    return is_super or (is_first and not is_given)


def _first(method: ast.AST) -> str | None:
    arguments = method.args.args if isinstance(method, FunctionNode) else ()
    return arguments[0].arg if arguments else None


# -- puts between --------------------------------------------------------------------------------
# Values that are put into variables between the steps, or in the same run as a step.
#
# Between steps they may be other ones on each worker. In the run of a step nothing says which
# comes first: one worker clips its weights before the step, another one behind it, and they drift
# apart.

_VARIABLES = in_v1("Variable", "get_variable", "trainable_variables", "global_variables")
_GROUPS = in_v1("group", "tuple")
_BETWEEN = "this puts values into variables between the steps, perhaps other ones on each worker"
_BEFORE = "give them before the loop: all workers take over those of worker 0 there"
_ALONG = (
    "this changes weights in the run of a step, before it on one worker, behind it on another: "
    "they would drift apart"
)
_BEHIND = "run it behind the step, in a run of its own"


def puts_between(facts: Facts) -> Iterator[Problem]:
    """The runs of loops with steps, and of what these call, whose values may differ."""
    for run in session_runs.session_runs(facts):
        if not changes(facts, run) or changes_alike(facts, run):
            continue
        places = reached([run.call], lambda node: _callers(facts, node))
        if any(trains(facts, loop) for place in places for loop in _loops(facts, place)):
            yield Problem(run.call, _BETWEEN, _BEFORE)
    yield from _puts_along(facts)


def _puts_along(facts: Facts) -> Iterator[Problem]:
    """Weights that a step trains, and that are given other values in the same run."""
    changing = {put for put in puts(facts) if _changes_weights(facts, put)}
    for run in training_runs(facts).values() if changing else ():
        parts: list[ast.expr] = getattr(run.fetches, "elts", [])
        put = [part for part in parts if changing & {*_run(facts, part)}]
        if any(leads_to_step(facts, each) for each in parts if each not in put):
            yield from (Problem(each, _ALONG, _BEHIND) for each in put)


def _run(facts: Facts, part: ast.expr) -> Iterator[ast.AST]:
    start: list[ast.AST] = [part]
    return reached(start, lambda node: _fetched(facts, node))


def _fetched(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """What is run for a part of what is fetched: a list, a group, a list that goes through one."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [*node.elts]
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.Call) and facts.name(node.func) in _GROUPS:
        return [*node.args]
    if isinstance(node, (ast.Starred, ast.Subscript)):
        return [node.value]
    return [made for made in facts.origins(node).nodes if made is not node]


def _changes_weights(facts: Facts, put: ast.Call) -> bool:
    """Whether it gives something else than zeros to a variable that is trained."""
    is_method = facts.name(put.func) is None
    target = put.func.value if is_method else facts.argument(put, "ref", 0)  # type: ignore[attr-defined]
    if target is None or is_zero(facts, put_value(facts, put)):
        return False
    is_weight = any(_is_trained(facts, node) for node in facts.origins(target).nodes)
    return is_weight and not waits_for_step(facts, put)


def _is_trained(facts: Facts, made: ast.AST) -> bool:
    if not isinstance(made, ast.Call) or facts.name(made.func) not in _VARIABLES:
        return False
    given = facts.argument(made, "trainable")
    return not (isinstance(given, ast.Constant) and given.value is False)


def _callers(facts: Facts, node: ast.AST) -> list[ast.Call]:
    function = facts.function(node)
    return [] if function is None else facts.call_sites(function)


def _loops(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    """The loops around a node, but those that hold the start of what they train."""
    for parent in facts.parents(node):
        if isinstance(parent, (ast.For, ast.While)):
            if any(
                isinstance(n, ast.Call) and facts.made_by(n) is Role.SESSION for n in within(parent)
            ):
                return
            yield parent
