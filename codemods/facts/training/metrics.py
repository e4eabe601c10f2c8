"""Whether what a validation says may be averaged over the shares of the workers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import IntEnum

from ...library.metrics import is_mean
from ...library.names import normal
from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ...program.things import Box, Library
from ..facts import Facts, recorded

_OF_COMPILE = (("metrics", 2), ("weighted_metrics", 4))


class _Metric(IntEnum):
    """What a metric is; the larger one wins where values meet, and in containers."""

    NOTHING = 0
    MEAN = 1
    OTHER = 2


def _join(a: _Metric, b: _Metric) -> _Metric:
    return max(a, b)


def _create(origin: Origin, operands: Operands[_Metric]) -> _Metric:
    if origin.kind is Kind.CONSTANT:
        return _named(origin.name) if origin.name is not None else _Metric.MEAN
    if isinstance(origin.thing, Box):
        return max(operands.of(origin), default=_Metric.MEAN) or _Metric.MEAN
    if isinstance(origin.thing, Library):
        return _named(origin.thing.name)
    return _named(origin.name) if origin.kind is Kind.CALL else _Metric.OTHER


def _named(name: object) -> _Metric:
    is_one = isinstance(name, str) and is_mean(normal(name))
    return _Metric.MEAN if is_one else _Metric.OTHER


_MEANS = Domain(_Metric.NOTHING, _Metric.OTHER, _join, _create)


@recorded
def are_means(facts: Facts) -> bool:
    """Whether all metrics that models are compiled with are certainly means over examples."""
    return all(facts.program.value(_MEANS, value) is _Metric.MEAN for value in _given(facts))


def _given(facts: Facts) -> Iterator[ast.expr]:
    for call in facts.calls("compile"):
        if facts.name(call.func) is None and facts.callee(call) is None:
            values = (facts.argument(call, *each) for each in _OF_COMPILE)
            yield from (value for value in values if value is not None)
