"""Datasets whose elements a graph takes itself, by an iterator of TensorFlow 1.

A session's run takes the next batch; the loop around it ends by its count, or where the data ends.
"""

from __future__ import annotations

import ast

from ...library.names import in_v1
from ...program.node_fields import within
from ..facts import Facts, recorded
from ..should_stop_tests import is_until_stop
from ..training.estimators import trains_on
from ..training.session_runs import Run, fed, ingredients_of_steps, session_runs, training_runs
from ..training.training_loops import loop_around
from .stages import Way, is_endless

MAKERS = ("make_one_shot_iterator", "make_initializable_iterator")
_STRUCTURE, _INITIALIZER = in_v1("data.Iterator.from_structure"), "make_initializer"
_FUNCTIONS = frozenset(f"tensorflow.data.{maker}" for maker in MAKERS)


def makes_iterator(facts: Facts, call: ast.Call) -> bool:
    """Whether a function of TensorFlow makes an iterator of the dataset that it is given."""
    return facts.name(call.func) in _FUNCTIONS


def feeds_loops(facts: Facts, iterator: ast.Call, ways: tuple[Way, ...]) -> bool:
    """Whether steps are computed from what an iterator gives, in loops that go on as long."""
    if trains_on(facts, iterator) is not None:
        return True
    if iterator not in iterators_of_steps(facts):
        return False
    loops = [loop_around(facts, call) for call in training_runs(facts)]
    return all(map(is_endless, ways)) or (
        bool(loops) and all(_goes_on(facts, loop) for loop in loops)
    )


@recorded
def iterators_of_steps(facts: Facts) -> frozenset[ast.AST]:
    """All that steps are computed from, and the iterators whose handles they are fed."""
    fed_ones = (each for run in training_runs(facts).values() for each in handles(facts, run))
    return ingredients_of_steps(facts) | frozenset(fed_ones)


def handles(facts: Facts, run: Run) -> list[ast.AST]:
    """The iterators by whose handles a run takes from one of several data sets."""
    given = fed(facts, run)
    parts = () if given is None else facts.program.ingredients(given)
    return [node for node in parts if getattr(getattr(node, "func", None), "attr", "") in MAKERS]


def is_initializer(facts: Facts, call: ast.Call) -> bool:
    """Whether it lets an iterator, which may have several data sets one after another, begin."""
    if getattr(call.func, "attr", "") != _INITIALIZER:
        return False
    made = facts.origins(call.func.value).nodes  # type: ignore[attr-defined]
    return any(isinstance(n, ast.Call) and facts.name(n.func) in _STRUCTURE for n in made)


def begins_training(facts: Facts, initializer: ast.Call) -> bool:
    """Whether whatever runs an initializer goes on to train until its data ends."""
    made = facts.origins(initializer.func.value).nodes  # type: ignore[attr-defined]
    is_step = not ingredients_of_steps(facts).isdisjoint(made)
    runs = [r.call for r in session_runs(facts) if initializer in _fetched(facts, r.fetches)]
    return is_step and bool(runs) and all(_trains_behind(facts, call) for call in runs)


def _fetched(facts: Facts, fetches: ast.expr) -> frozenset[ast.AST]:
    return frozenset(facts.program.ingredients(fetches))


def _trains_behind(facts: Facts, run: ast.Call) -> bool:
    """Whether the next loop behind a run trains, before an iterator begins anew."""
    statements, number = facts.block(facts.statement(run))
    for statement in statements[number + 1 :]:
        calls = {node for node in within(statement) if isinstance(node, ast.Call)}
        trained = calls & training_runs(facts).keys()
        if trained:
            return all(_goes_on(facts, loop_around(facts, call)) for call in trained)
        if calls & {each.call for each in session_runs(facts)}:
            return False
    return False


def _goes_on(facts: Facts, loop: ast.AST | None) -> bool:
    """`while True:`, which the end of the data ends by an exception; so it does a session."""
    if not isinstance(loop, ast.While):
        return False
    is_endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return is_endless or is_until_stop(facts, loop.test)
