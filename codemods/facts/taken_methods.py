"""Methods that are taken as values: `train = model.fit`, `getattr(model, "fit")`, `methodcaller`.

Where they are called, and with what, isn't followed.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ..program.records import NamedTuple
from .facts import Facts

_BY_NAME = ("operator.attrgetter", "operator.methodcaller")


class Taken(NamedTuple):
    """The expression that takes a method, its name, and its object, where one is named."""

    use: ast.expr
    method: str
    owner: ast.expr | None


def taken_methods(facts: Facts, names: Collection[str]) -> Iterator[Taken]:
    """The methods of these names that are taken and not called on the spot."""
    called = {call.func for call in facts.index.calls}
    for use in (use for name in names for use in facts.index.loads.get(name, ())):
        if isinstance(use, ast.Attribute) and use not in called:
            yield Taken(use, use.attr, use.value)
    for call in facts.calls_of("builtins.getattr"):
        for method in _one_of(call.args[1:2], names):
            yield Taken(call, method, call.args[0])
    for call in facts.calls_of(*_BY_NAME):
        for method in _one_of(call.args[:1], names):
            yield Taken(call, method, None)


def _one_of(given: list[ast.expr], names: Collection[str]) -> list[str]:
    """The name that is given, if it is one of these."""
    values = [node.value for node in given if isinstance(node, ast.Constant)]
    return [value for value in values if isinstance(value, str) and value in names]
