"""Where the flags of broadcasts are made and set back, and what is broadcast at once instead."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from textwrap import dedent
from typing import TYPE_CHECKING

from ..facts.gradients.applied_variables import Part
from ..facts.gradients.broadcast_flags import Broadcast, Broadcasts, are_of_one_object
from ..facts.gradients.changed_state import assigns, sets_weights
from ..facts.keras_version import is_keras_3
from ..program.scope import Scope
from ._broadcasts import (
    FLAGS,
    attribute_of,
    by_objects,
    call_of,
    flag,
    flag_names,
    held,
    variables_of,
    weights_of,
)
from ._new_code import fresh, tape_module, tf

if TYPE_CHECKING:
    from ..facts import Facts


class FlagLines:
    """The statements that make (or reset) flags, by the statement before or after which they go."""

    def __init__(self, facts: Facts, found: Broadcasts) -> None:
        self.before: dict[ast.stmt, list[str]] = {}
        self.after: dict[ast.stmt, list[str]] = {}
        self._facts, self._names = facts, flag_names(facts, found)
        self._made = f"{tf(facts)}.Variable(False, trainable=False)"
        self._make_by_objects([*found.batches, *found.applications])
        for batch in found.batches:
            self._make(batch)
            self._set_back(batch)
        for application in found.applications:
            self._make(application)
        for application in found.applications:
            self._set_back(application)

    def _make_by_objects(self, found: Iterable[Broadcast]) -> None:
        """The function that gives each object its flag, once in each file."""
        places = (place for one in found if one.flag.keys for place in one.flag.before)
        first: dict[object, ast.stmt] = {}
        for place in sorted(places, key=self._facts.place):
            joined = self._facts.joined
            first.setdefault(joined and joined.home(place), place)
        for place in first.values():
            _append(self.before, place, by_objects(self._facts))

    def _make(self, broadcast: Broadcast) -> None:
        flag, name = broadcast.flag, self._names.get(broadcast.key, "")
        if flag.keys:
            return
        for statement, holder in flag.after.items():
            _append(self.after, statement, f"{attribute_of(holder, name)} = {self._made}\n")
        for statement in flag.before:
            _append(self.before, statement, f"{name} = {self._made}\n")

    def _set_back(self, broadcast: Broadcast) -> None:
        for statement in broadcast.resets:
            line = self._back(broadcast)
            for each in self._at_once(broadcast, statement) or [line]:
                _append(self.after, statement, each)

    def _back(self, broadcast: Broadcast) -> str:
        """What sets a flag back; of objects, all of them."""
        if not broadcast.flag.keys:
            return f"{flag(self._facts, broadcast, self._names)}.assign(False)\n"
        done, flags = fresh(self._facts, "done"), fresh(self._facts, FLAGS)
        return f"for {done} in {flags}.values():\n    {done}.assign(False)\n"

    def _at_once(self, broadcast: Broadcast, statement: ast.stmt) -> list[str]:
        """Values that variables have got are there: no step needs to be made with others."""
        facts, model = self._facts, sets_weights(statement)
        variables: list[str] = []
        if model is not None:
            is_held, v = is_keras_3(facts), fresh(facts, "v")
            variables = [
                held(v, weights_of(model)) if is_held else f"{ast.unparse(model)}.variables"
            ]
        elif assigns(statement) and _is_beside(facts, broadcast, statement):
            variables = list(variables_of(facts, broadcast, with_optimizer=False))
        function = f"{tape_module(facts)}.broadcast_variables"
        return [dedent(call_of(function, each)) for each in variables]


def _append(lines: dict[ast.stmt, list[str]], statement: ast.stmt, line: str) -> None:
    present = lines.setdefault(statement, [])
    if line not in present:
        present.append(line)


def _is_beside(facts: Facts, broadcast: Broadcast, statement: ast.stmt) -> bool:
    """Whether what the step trains has its name there, too."""
    variables = broadcast.applied.variables
    if not isinstance(variables, Part):
        return False
    home, there = facts.function(broadcast.call), facts.function(statement)
    if there is home:
        return True
    name, own = _named_by(facts, variables.owner)
    if own is not None and own is facts.scope(statement).find(name):
        return True
    is_method = there is not None and facts.cls(there) is not None
    return is_method and are_of_one_object(facts, name, home, there)


def _named_by(facts: Facts, path: ast.expr) -> tuple[str, Scope | None]:
    """The name at the beginning of a path, and the scope that binds it."""
    while isinstance(path, ast.Attribute):
        path = path.value
    name = path.id if isinstance(path, ast.Name) else ""
    return name, facts.scope(path).find(name)
