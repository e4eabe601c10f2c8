"""Every worker builds the same model: none picks a setting or a layer by a value of its own.

A search that draws how deep a model is gives each worker variables of another number: their
broadcast, or the average of their gradients, never ends.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.agreement.chance import draw_behind
from ..facts.agreement.control import Decision, disagreements, is_shared, tests_around
from ..facts.agreement.reasons import by_clock, why_different
from ..facts.names import KERAS
from ..facts.precedence import may_precede
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import drawn_at, finding
from .t07_drawn_settings import settings
from .t07_own_rates import thawed

MESSAGE = "each worker may build another model by this, and they would not train alike"
FIX = "decide by something that all workers share: a seed that all of them set, an option"
LAYERS = f"{KERAS}.layers."


@restriction(code="T07", name="own-models", proves=True)
def own_models(facts: Facts) -> Iterator[Finding]:
    """Decisions on a setting, a layer or what is trained of it, that no two workers share."""
    for decision in decisions(facts):
        draw = draw_behind(facts, decision)
        if draw is not None:
            yield drawn_at(facts, finding(facts, decision, "T07", MESSAGE, ""), decision, draw)
        else:
            message = MESSAGE + why_different(facts, decision)
            yield finding(facts, decision, "T07", message, FIX)


def decisions(facts: Facts) -> Iterator[Decision]:
    """Each worker's own tests, counts and exits on the way to a model, once each."""
    picking = (test for value in settings(facts) for test in _picking(facts, value))
    building = (each for each in disagreements(facts, *_places(facts)) if by_clock(facts, each))
    yield from dict.fromkeys([*picking, *building])


def _picking(facts: Facts, value: ast.expr) -> Iterator[ast.expr]:
    """The tests by which one of several settings gets there."""
    made = facts.origins(value).nodes
    for place in (value, *made) if len(made) > 1 else ():
        tests = [place.test] if isinstance(place, ast.IfExp) else []
        for test in (*tests, *tests_around(facts, place)):
            if not is_shared(facts, test) and by_clock(facts, test):
                yield test


def _places(facts: Facts) -> Iterator[ast.AST]:
    """What makes a layer, adds one to a model, or says whether it is trained."""
    for call in facts.index.calls:
        if (facts.name(call.func) or "").startswith(LAYERS) or _adds(facts, call):
            yield call
    told, steps = set(thawed(facts)), [call for call, _ in training_of(facts).places]
    for target, _ in facts.index.attribute_stores.get("trainable", []):
        if target not in told and any(may_precede(facts, target, step) for step in steps):
            yield target


def _adds(facts: Facts, call: ast.Call) -> bool:
    func = call.func
    is_add = isinstance(func, ast.Attribute) and func.attr == "add"
    return is_add and facts.role(func.value) is Role.MODEL  # type: ignore[attr-defined]
