"""The domain of agreement: whether every worker computes the same value."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Sequence
from enum import IntEnum

from ..library.agreement import (
    COLLECTIVES,
    COUNTERS,
    LENGTHS,
    OWN,
    READ,
    SAME,
    SHARED_MEMBERS,
    agreement,
)
from ..library.names import normal
from ..library.updates import FIT_WORDS, FITS
from ..program.core import AWAIT
from ..program.domain import Domain, Operands
from ..program.edges import ANY
from ..program.origins import Kind, Label, Origin
from ..program.sizes import ROUNDS
from ..program.things import Bound, Box, Function, Instance, Library, Partial, Thing
from ..syntax.agreed import is_agreed


class Agreement(IntEnum):
    """Whether all workers have the same value; the larger one wins where values meet."""

    NOTHING = 0
    SAME = 1
    UNLESS_RAISED = 2  # the same, if what is caught was raised on all workers or on none
    IMPORTED = 3  # of a module that is not seen: it is the same file on all of them
    READ = 4  # from a file: it is the same on all of them, if no worker writes it
    UNSURE = 5
    DIFFERS = 6


_ANSWERS = {SAME: Agreement.SAME, READ: Agreement.READ, OWN: Agreement.DIFFERS}
_CODE = (Function, Bound, Partial, Instance)  # outside code that gets it may call it


def _join(a: Agreement, b: Agreement) -> Agreement:
    return max(a, b)


def _create(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    return _ROWS.get(origin.kind, _unsure)(origin, operands)


def _unsure(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    return Agreement.UNSURE


def _constant(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    return Agreement.SAME


def _exception(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    return Agreement.UNLESS_RAISED


def _thing(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    """A container is what it holds; a class of the project has what its outside bases bring."""
    if isinstance(origin.thing, Library):
        return _named(origin.thing.name, Agreement.IMPORTED)
    return max(operands.of(origin), default=Agreement.SAME) or Agreement.SAME


def _named(name: str, otherwise: Agreement) -> Agreement:
    found = agreement(normal(name))
    if found is None:
        return otherwise
    return _ANSWERS[found]


def _computed(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    if origin.name == ROUNDS:
        return _rounds(origin, operands)
    return max(operands.of(origin), default=Agreement.SAME) or Agreement.SAME


def _rounds(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    """Only a count is asked how far it goes: other rules see to it that data has equal lengths."""
    functions = operands.things(origin, "func")
    names = [normal(thing.name) for thing in functions if isinstance(thing, Library)]
    if COUNTERS.isdisjoint(names):
        return Agreement.SAME
    return max(operands.of(origin, "argument"), default=Agreement.SAME)


def _call(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    """What a function of its arguments gives; a method is as its receiver."""
    if origin.name in LENGTHS or origin.name in COLLECTIVES:
        return Agreement.SAME
    if origin.name is not None:
        called = _named(origin.name, Agreement.UNSURE)
    else:
        called = max(operands.of(origin, "func"), default=Agreement.UNSURE)
        called = Agreement.UNSURE if called is Agreement.IMPORTED else called
    labels = [label for label, _ in origin.operands if label not in ("func", "receiver")]
    is_special = origin.name is None and not isinstance(origin.node, ast.Call)  # `inherited[0]`
    if is_special or _is_given_code(operands, origin, labels):
        called = max(called, Agreement.UNSURE)
    return max([called, *(operands.of(origin, *labels) if labels else [])])


def _is_given_code(operands: Operands[Agreement], origin: Origin, labels: Sequence[Label]) -> bool:
    """Whether outside code gets code of the project, which it may call."""
    return any(isinstance(t, _CODE) for label in labels for t in operands.things(origin, label))


def _member(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    """A part is as the whole; what a class gets from outside of the project may be anything.

    So may an attribute that a function has been given, or a namespace out of sight.
    """
    step = origin.name
    if isinstance(step, tuple) and step[0] == "." and step[1] in SHARED_MEMBERS:
        return Agreement.SAME
    whole = max(operands.of(origin), default=Agreement.UNSURE)  # nothing: not known as yet
    is_inherited = any(label == "base" for label, _ in origin.operands)
    is_hidden = any(_is_bag(thing) for thing in operands.things(origin, "of"))
    if step == AWAIT or is_hidden or (is_inherited and whole is not Agreement.SAME):
        return max(whole, Agreement.UNSURE)
    return whole


def _is_bag(thing: Thing) -> bool:
    return isinstance(thing, Function) or (isinstance(thing, Box) and thing.kind == "record")


def _suppose(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    """Of an unknown value: `x.shape`, a part of that, its methods."""
    if not origin.operands:
        return Agreement.UNSURE
    return _member(origin, operands) if origin.name is not None else _call(origin, operands)


def _at(key: Hashable, value: Agreement) -> Agreement:
    """Behind a check at run time that all workers have the same, or an average of all of them."""
    return min(value, Agreement.SAME) if is_agreed(key) or _is_fit(key) else value


def _is_fit(key: Hashable) -> bool:
    """`fit(x, epochs=3)` of Keras: its history holds means of all workers (D302, J12)."""
    if not isinstance(key, ast.Call) or not isinstance(key.func, ast.Attribute):
        return False
    words = {keyword.arg for keyword in key.keywords}
    return key.func.attr in FITS and not FIT_WORDS.isdisjoint(words)


_ROWS = {
    Kind.CONSTANT: _constant,
    Kind.THING: _thing,
    Kind.COMPUTED: _computed,
    Kind.CALL: _call,
    Kind.MEMBER: _member,
    Kind.EXCEPTION: _exception,
}
AGREES: Domain[Agreement] = Domain(
    Agreement.NOTHING, Agreement.UNSURE, _join, _create, through=ANY, suppose=_suppose, at=_at
)
