"""How many steps an Estimator makes, where every worker trains on examples of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..training.estimators import (
    estimator_trainings,
    given,
    is_endless_input,
    ready_input,
    served,
)
from .pipeline_shares import Shares
from .pipelines import is_endless
from .uses import End, Use

_COUNTS = ("steps", "max_steps")


def estimator_steps(facts: Facts, data: Shares) -> Iterator[ast.expr]:
    """The numbers of steps that the workers share: of `train`, and of hooks that stop it."""
    for call in estimator_trainings(facts):
        if shares_steps(facts, data, call):
            numbers = (given(facts, call, name) for name in _COUNTS)
            yield from (number for number in numbers if number is not None)


def shares_steps(facts: Facts, data: Shares, call: ast.Call) -> bool:
    """Whether each worker has examples of its own in every step of a `train`."""
    made = ready_input(facts, call)
    if made is not None:
        return is_endless_input(facts, made)
    ends = ends_of(facts, data, call)
    ways = [way for end in ends for way in end.ways]
    return bool(ways) and all(data.is_cut(way) or is_endless(way) for way in ways)


def ends_of(facts: Facts, data: Shares, call: ast.Call) -> list[End]:
    """The ends of the pipelines that a `train` takes its examples from."""
    ends = (end for end in data.ends if end.use is Use.TRAINING)
    return [end for end in ends if end.by is call or call in served(facts, end.by)]
