"""Datasets whose elements a graph takes itself, by an iterator of TensorFlow 1.

A session's run takes the next batch; the loop around it ends by its count, or where the data ends.
"""

from __future__ import annotations

import ast

from ..facts import Facts
from ..stops import is_until_stop
from ..training.estimators import trains_on
from ..training.session_runs import ingredients_of_steps, training_runs
from ..training.training_loops import loop_around
from .stages import Way, is_endless

MAKERS = ("make_one_shot_iterator", "make_initializable_iterator")
_FUNCTIONS = frozenset(f"tensorflow.data.{maker}" for maker in MAKERS)


def makes_iterator(facts: Facts, call: ast.Call) -> bool:
    """Whether a function of TensorFlow makes an iterator of the dataset that it is given."""
    return facts.name(call.func) in _FUNCTIONS


def feeds_loops(facts: Facts, iterator: ast.Call, ways: tuple[Way, ...]) -> bool:
    """Whether steps are computed from what an iterator gives, in loops that go on as long."""
    if trains_on(facts, iterator) is not None:
        return True
    if iterator not in ingredients_of_steps(facts):
        return False
    loops = [loop_around(facts, call) for call in training_runs(facts)]
    return all(map(is_endless, ways)) or (
        bool(loops) and all(_goes_on(facts, loop) for loop in loops)
    )


def _goes_on(facts: Facts, loop: ast.AST | None) -> bool:
    """`while True:`, which the end of the data ends by an exception; so it does a session."""
    if not isinstance(loop, ast.While):
        return False
    is_endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return is_endless or is_until_stop(facts, loop.test)
