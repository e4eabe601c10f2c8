"""Which gradients reach an optimizer, and from which calls of a tape.

A tape whose gradients only serve a loss (a gradient penalty, input gradients) must not be wrapped:
that would average the inputs of workers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..causes import cause_of
from ..facts import Facts
from ..flow import Flow, flow_to
from ..problems import Problem
from ..roles import Role
from ..training.optimizer_calls import (
    Sources,
    applies,
    applying,
    calls_super_apply,
    given_gradients,
    sources_of,
)
from ..training.pattern import runs_graph
from .perturbations import perturbing


def applications(facts: Facts) -> Iterator[ast.Call]:
    """Calls that give gradients to an optimizer; those of graphs are looked at in `sessions`."""
    if runs_graph(facts):
        return
    for call in applying(facts):
        if (
            facts.name(call.func) is None
            and applies(facts, call)
            and not calls_super_apply(facts, call)
        ):
            yield call


def training_calls(facts: Facts, problems: list[Problem]) -> dict[ast.Call, None]:
    """The calls of a tape whose gradients reach an optimizer; adds what can't be followed."""
    training: dict[ast.Call, None] = {}
    followed: set[ast.Call] = set()
    for application in applications(facts):
        flow = _flow_of(facts, application)
        for call in flow.foreign:
            problems.append(
                Problem(call, "no tape computes these gradients", "use tf.GradientTape")
            )
        if not flow.gradients and not flow.foreign and not flow.averaged:
            problems.append(unknown(facts, application))
        training.update({**flow.gradients, **flow.averaged})
        followed |= flow.calls
    training.update(dict.fromkeys(list(perturbing(facts, training))))
    for call in training:
        problems.extend(_elsewhere(facts, call, followed))
    return training


def averaged_by_hand(facts: Facts, gradient: ast.Call) -> bool:
    """Whether these gradients go through `hvd.allreduce` on every way to an optimizer."""
    if not facts.has_horovod:
        return False
    flows = [_flow_of(facts, application) for application in applications(facts)]
    is_averaged = any(gradient in flow.averaged for flow in flows)
    return is_averaged and not any(gradient in flow.gradients for flow in flows)


def _flow_of(facts: Facts, application: ast.Call) -> Flow:
    given, path = given_gradients(facts, application)
    return Flow({}, {}, {}, set()) if given is None else flow_to(facts, given, path)


def unknown(facts: Facts, application: ast.Call) -> Problem:
    """The problem of an optimizer that is given gradients from who knows where."""
    given, _ = given_gradients(facts, application)
    return Problem(
        application,
        "nobody can tell which tape computes these gradients",
        _computed_here(facts, application, given),
        None if given is None else cause_of(facts, given),
    )


def _computed_here(facts: Facts, application: ast.Call, given: ast.expr | None) -> str:
    """The advice to ask the tape of this function, for the variables that are applied."""
    variables, tape, loss = "model.trainable_variables", "tape", "loss"
    if isinstance(given, ast.Call) and len(given.args) == 2:  # zip(gradients, variables)
        variables = ast.unparse(given.args[1])
    for made in facts.creations(Role.TAPE):
        block = facts.statement(made)
        if facts.function(block) is facts.function(application) and isinstance(block, ast.With):
            name, last = block.items[0].optional_vars, block.body[-1]
            tape = name.id if isinstance(name, ast.Name) else tape
            target = last.targets[0] if isinstance(last, ast.Assign) else None
            loss = target.id if isinstance(target, ast.Name) else loss
    return f"compute them in this function: `{tape}.gradient({loss}, {variables})`"


def _elsewhere(facts: Facts, call: ast.Call, followed: set[ast.Call]) -> Iterator[Problem]:
    """A function that also computes gradients of inputs for someone else can't average them all."""
    function = facts.function(call)
    if function is None or sources_of(facts, call) is Sources.VARIABLES:
        return
    sites = facts.call_sites(function)
    reached = [site for site in sites if site in followed]
    if reached and len(reached) != len(sites):
        yield Problem(
            call,
            "this function computes gradients for the optimizer and for something else",
            "use a function of its own for the gradients that are applied",
        )
