"""Where gradients of several batches can't be added up by Horovod before they are averaged.

`backward_passes_per_step` is an option of the wrapped optimizer of Keras 2 (Horovod 0.28.1): its
tapes have none, and what wraps the wrapper, or asks it in a session, goes around its sums.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts import recorded
from ..keras_version import is_keras_3
from ..problems import Problem
from ..roles import Role
from ..training.pattern import Pattern, runs_graph, training_of
from .compiles import compiles
from .loaded_models import POLICY, loads_to_distribute
from .wrapped_optimizers import minimizing_calls

if TYPE_CHECKING:
    from ..facts import Facts

OWN = "Keras 3 adds gradients up itself, and knows nothing of Horovod's optimizer"
OWN_FIX = "give the optimizer `gradient_accumulation_steps={}`, and leave the setting out"
TAPE = "a tape of Horovod's averages the gradients of every batch"
TAPE_FIX = "add up the gradients of {} batches in variables, and apply their mean"
GRAPH = "in a session Horovod keeps the sums in local variables, which nobody makes here"
MIXED = "with mixed precision the scaled loss goes around Horovod's sums"
LOADED = "the optimizer of a loaded model is wrapped as it is in the file"


@recorded
def passes(facts: Facts) -> int:
    """How many batches' gradients each worker adds up for a step."""
    number = facts.options.passes
    return 1 if facts.has_horovod or any(True for _ in blockers_of_accumulation(facts)) else number


def blockers_of_accumulation(facts: Facts) -> Iterator[Problem]:
    """The first place of each kind that keeps gradients from being added up."""
    if facts.options.passes == 1 or facts.has_horovod:
        return
    number, places = facts.options.passes, training_of(facts).places
    if is_keras_3(facts):
        yield Problem(places[0][0], OWN, OWN_FIX.format(number))
    elif runs_graph(facts):
        yield Problem(places[0][0], GRAPH, "leave the setting out")
    else:
        for call in _by_tape(facts):
            yield Problem(call, TAPE, TAPE_FIX.format(number))
        for call in _mixed(facts):
            yield Problem(call, MIXED, "train in one precision, or leave the setting out")
        for call in loads_to_distribute(facts):
            yield Problem(call, LOADED, "compile it anew: `model.compile(optimizer, …)`")


def _by_tape(facts: Facts) -> Iterator[ast.Call]:
    """Training that no `fit` does: tapes, also in a `train_step`, and `minimize`."""
    yield from (compiled.call for compiled in compiles(facts) if compiled.own_step)
    yield from minimizing_calls(facts)
    places = training_of(facts).places
    yield from (call for call, pattern in places if pattern is not Pattern.KERAS)
    yield from (
        call
        for call, _ in places
        if isinstance(call.func, ast.Attribute) and call.func.attr == "train_on_batch"
    )


def _mixed(facts: Facts) -> Iterator[ast.Call]:
    yield from facts.creations(Role.LOSS_SCALE)
    for call in facts.index.calls:
        if (facts.name(call.func) or "").endswith(POLICY):
            yield call
