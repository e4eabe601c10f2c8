"""Every worker has the same rate and the same weights: none that it sets by a value of its own.

Gradients are averaged, rates and weights are not: workers that set them differently drift apart
(horovod/horovod#1095).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Callable

from ..facts import Facts, Role
from ..facts.agreement.chance import is_seeded
from ..facts.agreement.control import is_shared, tests_around
from ..facts.agreement.reasons import clocks, why_different
from ..facts.agreement.reasons import is_own as decides_alone
from ..facts.facts import recorded
from ..facts.optimizers.learning_rates import assigned, scheduled
from ..facts.training import fits
from ..facts.training.training_loops import loop_around, trains
from ..facts.value_parts import ingredients
from ..facts.workers.rank_tests import is_by_rank
from ..library import agreement as table
from ..library.hooks import OF_BATCHES
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._agreement import agreed
from ._finding import LOOPS, finding

FIX = "decide by something that all workers share: a step count, the epoch, an option"


@restriction(code="T07", name="own-rates")
def own_rates(facts: Facts) -> Iterator[Finding]:
    """Rates, weights and layers to train that a loop of one's own sets by a value of its own."""
    settings: tuple[tuple[str, Iterable[ast.expr]], ...] = (
        ("rates", (*assigned(facts), *scheduled(facts))),
        ("weights", taken_back(facts)),
        ("layers trainable", thawed(facts)),
    )
    for what, places in settings:
        for place in places:
            found = (c for c in disagreements(facts, place) if is_own(facts, place, c))
            condition = next(found, None)
            if condition is not None:
                message = f"workers may answer this condition differently, and set different {what}"
                message += why_different(facts, condition)
                told = finding(facts, condition, "T07", message, agreed(facts, condition, FIX))
                is_known = is_by_rank(facts, condition) or decides_alone(facts, condition)
                yield told._replace(proves=is_known)


@restriction(code="T07", name="rates-of-own-values", proves=True)
def rates_of_own_values(facts: Facts) -> Iterator[Finding]:
    """Rates that are computed from a value of one worker's own."""
    for value in (*assigned(facts), *scheduled(facts)):
        is_said = any(True for _ in disagreements(facts, value))
        is_alike = is_said or is_shared(facts, value)
        is_alone = is_own(facts, value, value) or any(True for _ in clocks(facts, value))
        if not is_alike and decides_alone(facts, value) and is_alone:
            message = "each worker sets a rate of its own here" + why_different(facts, value)
            yield finding(facts, value, "T07", message, agreed(facts, value, FIX))


def taken_back(facts: Facts) -> Iterator[ast.Call]:
    """`model.set_weights(best)` and its like, within a loop that trains."""
    for call in facts.calls("set_weights", "load_weights", "restore"):
        loop = loop_around(facts, call)
        role = facts.role(call.func.value)  # type: ignore[attr-defined]
        is_known = role is Role.MODEL or role is Role.CHECKPOINT
        if is_known and loop is not None and trains(facts, loop):
            yield call


def thawed(facts: Facts) -> Iterator[ast.expr]:
    """`layer.trainable` that a loop sets which trains: it has gradients to average then."""
    for target, _ in facts.index.attribute_stores.get("trainable", ()):
        loops = (p for p in facts.parents(target) if isinstance(p, LOOPS))
        if any(trains(facts, loop) for loop in loops):
            yield target


def is_own(facts: Facts, place: ast.expr, condition: ast.expr) -> bool:
    """Whether the condition of a place may be another one on each worker.

    Between two `fit` most values come from metrics, which Horovod's callback has averaged; those of
    `evaluate` are every worker's own, as the moving statistics of BatchNorm are. Callbacks are
    given averages, too, but not behind a batch.
    """
    cls = facts.cls(place)
    if cls is not None and facts.role_of_class(cls) is Role.CALLBACK:
        return asks_batch(facts, place, condition)
    if answers_alike(facts, condition):
        return False
    if not any(True for _ in fits.fits(facts)) or any(True for _ in clocks(facts, condition)):
        return True
    return not set(fits.tests(facts)).isdisjoint(ingredients(facts, condition))


def answers_alike(facts: Facts, condition: ast.expr) -> bool:
    """Whether it is the models' answer to data that all have whole, equal but for rounding.

    That is near enough for a rate; whether a step is taken may not hang on it. A layer that keeps
    statistics, or draws, answers another way on each worker.
    """
    parts = list(ingredients(facts, condition))
    calls = [node for node in parts if isinstance(node, ast.Call)]
    asked = [call for call in calls if facts.role(call.func) is Role.MODEL]
    is_of_data = any(isinstance(n, ast.expr) and facts.role(n) is Role.DATASET for n in parts)
    names = (node for node in parts if isinstance(node, ast.Name))
    is_of_data |= any(b.kind == "for" for name in names for b in facts.names.bindings(name))
    is_training = any(call.keywords for call in asked)
    return bool(asked) and not is_of_data and not is_training and all(map(_is_alike(facts), calls))


@recorded
def _is_alike(facts: Facts) -> Callable[[ast.Call], bool]:
    """Whether a call on the way gives all the same: a plain layer, numbers that are seeded."""
    from ..library.layers import RANDOM, STATEFUL  # few programs ask

    def is_alike(call: ast.Call) -> bool:
        name = facts.name(call.func)
        if name is None:  # a method of what is on the way, too; no layer of the program's own
            return isinstance(call.func, ast.Attribute) or facts.role(call.func) is Role.MODEL
        is_layer = name.rpartition(".")[2] not in RANDOM | STATEFUL
        return is_layer and (is_seeded(facts, call) or table.agreement(name) != table.OWN)

    return is_alike


def asks_batch(facts: Facts, place: ast.expr, condition: ast.expr) -> bool:
    """Whether a hook of batches looks into its `logs`, the second thing that Keras passes."""
    function = facts.function(place)
    if function is None or function.name not in OF_BATCHES or len(function.args.args) < 3:
        return False
    logs = function.args.args[2].arg
    return any(isinstance(n, ast.Name) and n.id == logs for n in ingredients(facts, condition))


def disagreements(facts: Facts, rate: ast.expr) -> Iterator[ast.expr]:
    """The conditions under which the rate is set, or what it is made of is bound or chosen."""
    bound = (b.node for n in within(rate) for b in facts.names.bindings(n) if is_set(b.kind))
    chosen = (node.body for node in within(rate) if isinstance(node, ast.IfExp))
    for place in (rate, *bound, *chosen):
        for test in tests_around(facts, place):
            if not is_shared(facts, test):
                yield test


def is_set(kind: str) -> bool:
    """Whether a binding of that kind stores a value, as no import or parameter does."""
    return kind in ("assign", "aug")
