"""The domain of agreement: whether every worker computes the same value."""

from __future__ import annotations

from enum import IntEnum

from ..library.agreement import OWN, agreement
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.edges import ANY
from ..program.origins import Kind, Origin
from ..program.things import Library


class Agreement(IntEnum):
    """Whether all workers have the same value; the larger one wins where values meet."""

    NOTHING = 0
    SAME = 1
    UNSURE = 2
    DIFFERS = 3


def _join(a: Agreement, b: Agreement) -> Agreement:
    return max(a, b)


def _create(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    parts = [value for value in operands.of(origin) if value is not Agreement.NOTHING]
    kind = origin.kind
    if kind in (Kind.CONSTANT, Kind.THING):
        return _thing(origin)
    if kind is Kind.COMPUTED:
        return max(parts, default=Agreement.SAME)
    if kind is Kind.CALL:
        return max([_call(origin), *_arguments(origin, operands)])
    if kind is Kind.MEMBER:
        return max(parts, default=Agreement.UNSURE)
    return Agreement.UNSURE


def _thing(origin: Origin) -> Agreement:
    if not isinstance(origin.thing, Library):
        return Agreement.SAME
    found = agreement(normal(origin.thing.name))
    if found is None:
        return Agreement.UNSURE
    return Agreement.DIFFERS if found == OWN else Agreement.SAME


def _call(origin: Origin) -> Agreement:
    found = None if origin.name is None else agreement(normal(origin.name))
    if found is None:
        return Agreement.UNSURE
    return Agreement.DIFFERS if found == OWN else Agreement.SAME


def _arguments(origin: Origin, operands: Operands[Agreement]) -> list[Agreement]:
    skipped = ("func",) if origin.name is None else ("func", "receiver")
    labels = [label for label, _ in origin.operands if label not in skipped]
    return operands.of(origin, *labels) if labels else []


AGREES: Domain[Agreement] = Domain(Agreement.NOTHING, Agreement.UNSURE, _join, _create, through=ANY)
