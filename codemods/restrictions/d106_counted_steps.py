"""Decisions by the number of a step, of which each worker takes only its share."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.counters import Asked, asked_counters
from ..facts.output.effects import Effects
from ..facts.output.evaluations import Evaluations
from ..facts.output.saving_rhythms import saves, saving_rhythms
from ..facts.training.training_loops import trains
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._finding import LOOK, note

MESSAGE = "a worker takes only its share of the steps: it gets to this number later, or never"
RARELY = "a worker takes only its share of the steps: it saves less often, or never"
FIX = "divide this number by hvd.size(), too, as the steps are"


@restriction(code="D106", name="counted-steps")
def counted_steps(facts: Facts) -> Iterator[Finding]:
    """Notes: what hangs on such a number may mean steps, or examples."""
    effects = Evaluations(facts)
    divided = set(saving_rhythms(facts))
    for asked in asked_counters(facts):
        if asked.number in divided:
            continue
        if not is_harmless(facts, effects, asked):
            yield note(facts, asked.number, "D106", MESSAGE, FIX, kind=LOOK)
        elif saves(facts, asked):
            yield note(facts, asked.number, "D106", RARELY, FIX, kind=LOOK)


def is_harmless(facts: Facts, effects: Effects, asked: Asked) -> bool:
    """Output may come less often; five steps of a critic and one of a generator go together.

    A loop that is left at some step is left at the end of its share of the data before.
    """
    if asked.is_rhythm and trains(facts, asked.branch):
        return True
    if isinstance(asked.branch, ast.IfExp):
        return False
    statements = [*asked.branch.body, *asked.branch.orelse]
    if isinstance(statements[-1], ast.Break):
        return True
    is_output = asked.is_rhythm or all(isinstance(s, ast.Expr) for s in statements)
    is_shown = is_output and all(map(effects.statement, statements))
    return is_shown and not sets_for_training(facts, effects, asked.branch)


def sets_for_training(facts: Facts, effects: Effects, branch: ast.stmt | ast.expr) -> bool:
    """Whether a name that is bound there is read for more than output: `beta = beta + 0.1`."""
    inside = set(within(branch))
    loops = [p for p in facts.parents(branch) if isinstance(p, (ast.For, ast.While))]
    again = set(within(loops[-1])) if loops else set()
    for name in (n for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)):
        scope = facts.scope(name).find(name.id)
        for load in facts.index.loads.get(name.id, []):
            if load in inside or facts.scope(load).find(name.id) is not scope:
                continue
            is_elsewhere = facts.function(load) is not facts.function(branch)
            if (load in again or is_elsewhere) and not _only_shows(facts, effects, load):
                return True
    return False


def _only_shows(facts: Facts, effects: Effects, load: ast.AST) -> bool:
    """Whether a value is read by a statement that only prints."""
    statement = facts.statement(load)
    shows = isinstance(statement, ast.Expr) and bool(effects.outputs(statement.value))
    return shows and effects.statement(statement)
