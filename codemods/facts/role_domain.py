"""The domain of roles: what a value is for the training, wherever it comes from."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from ..library.agreement import SAME, agreement
from ..library.call_results import ENTERS_ITSELF, FACTORIES, gives, method_gives, part_gives
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.node_fields import is_placeholder
from ..program.origins import Kind, Origin
from ..program.things import Box, Library
from ..program.versions import ENTER
from .factories import Factories

Roles = frozenset[str]

NOTHING: Roles = frozenset()
UNKNOWN: Roles = frozenset({"unknown"})
OTHER: Roles = frozenset({"other"})
NONE: Roles = frozenset({"none"})
NUMBER: Roles = frozenset({"number"})


def _union(a: Roles, b: Roles) -> Roles:
    return a | b


def _create(origin: Origin, operands: Operands[Roles]) -> Roles:
    return _ROWS[origin.kind](origin, operands)


def _constant(origin: Origin, operands: Operands[Roles]) -> Roles:
    value = origin.name
    if value is None:
        return NONE
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return NUMBER if is_number else OTHER


def _thing(origin: Origin, operands: Operands[Roles]) -> Roles:
    """A class of the project has the roles of its outside bases; a library's thing is anything."""
    if isinstance(origin.thing, Library):
        return OTHER if agreement(normal(origin.thing.name)) == SAME else UNKNOWN
    bases = operands.things(origin, "base")
    found = {gives(normal(base.name)) for base in bases if isinstance(base, Library)}
    return frozenset(role for role in found if role is not None) or OTHER


def _call(origin: Origin, operands: Operands[Roles]) -> Roles:
    if origin.name is not None:
        return _of_name(normal(origin.name))
    method = getattr(getattr(origin.node, "func", None), "attr", "")
    receivers = operands.of(origin, "receiver")
    if not receivers:
        return UNKNOWN
    return _union_of(_method(role, method) for role in receivers[0])


def _of_name(name: str) -> Roles:
    role = gives(name)
    head, _, last = name.rpartition(".")
    if role is None and last in FACTORIES:
        role = gives(head)
    if role is not None:
        return frozenset({role})
    return OTHER if agreement(name) == SAME else UNKNOWN


def _method(role: str, method: str) -> Roles:
    found = method_gives(role, method)
    return UNKNOWN if found is None else frozenset({found})


def _computed(origin: Origin, operands: Operands[Roles]) -> Roles:
    """An operator on one role keeps it; anything unknown may bring its own operators."""
    parts = operands.of(origin)
    if not all(parts):
        return NOTHING
    joined = _union_of(parts)
    if origin.name in ("BinOp", "UnaryOp"):
        if "array" in joined and joined <= {"array", "number", "other"}:
            return frozenset({"array"})
        return joined if len(joined) == 1 else UNKNOWN
    return UNKNOWN if "unknown" in joined and origin.name != "Compare" else OTHER


def _union_of(parts: object) -> Roles:
    return frozenset().union(*parts)  # type: ignore[misc]


def _member(origin: Origin, operands: Operands[Roles]) -> Roles:
    """`with tape as t`: some things enter as themselves."""
    if origin.name != ENTER:
        return UNKNOWN
    roles = _union_of(operands.of(origin, "of"))
    return frozenset(role if role in ENTERS_ITSELF else "unknown" for role in roles)


def _unknown(origin: Origin, operands: Operands[Roles]) -> Roles:
    return UNKNOWN


_ROWS = {
    Kind.CONSTANT: _constant,
    Kind.THING: _thing,
    Kind.CALL: _call,
    Kind.COMPUTED: _computed,
    Kind.MEMBER: _member,
    Kind.EXCEPTION: _unknown,
    Kind.UNKNOWN: _unknown,
}
ROLE: Domain[Roles] = Domain(NOTHING, UNKNOWN, _union, _create)


def _known(origin: Origin, operands: Operands[Roles]) -> Roles:
    """The roles that are known to get there; OTHER for anything else that does."""
    if origin.kind is Kind.CALL and origin.name is None:
        receivers = operands.of(origin, "receiver")
        method = getattr(getattr(origin.node, "func", None), "attr", "")
        words = receivers[0] if receivers else OTHER
        return frozenset(_kept(word, method) for word in words)
    made = origin.thing.origin if isinstance(origin.thing, Box) else None
    is_empty = isinstance(made, ast.AST) and is_placeholder(made)
    if is_empty or (origin.kind is Kind.CONSTANT and not origin.name):
        return NOTHING  # `self.model = None` first, 0 or []: nothing is lost
    if origin.kind is Kind.MEMBER and origin.name == ENTER:
        return _union_of(operands.of(origin, "of"))
    if origin.kind is Kind.MEMBER:
        return _parts(origin, operands)
    if origin.kind in (Kind.CALL, Kind.THING):
        found = _create(origin, operands)
        return OTHER if found == UNKNOWN else found
    return OTHER


def _kept(role: str, method: str) -> str:
    found = method_gives(role, method) if role in ("dataset", "supervisor") else None
    return found or "other"


def _parts(origin: Origin, operands: Operands[Roles]) -> Roles:
    """The saver of a supervisor is one like any other."""
    step = origin.name
    name = step[1] if isinstance(step, tuple) and step[0] == "." else ""
    return frozenset(part_gives(word, name) or "other" for word in _union_of(operands.of(origin)))


# What is unknown adds nothing: for rules that ask what a value is known to be.
KNOWN_ROLES: Domain[Roles] = Domain(NOTHING, NOTHING, _union, _known)


def known_roles(factories: Factories) -> Domain[Roles]:
    """The same domain, where factories of the settings give what these say, unless more is seen."""
    if not factories:
        return KNOWN_ROLES

    def at(key: Hashable, found: Roles) -> Roles:
        role = factories.word(key) if isinstance(key, ast.Call) else None
        return found if role is None or found - OTHER else frozenset({role})

    return Domain(NOTHING, NOTHING, _union, _known, at=at)
