"""What `fit(**options)` passes: the dictionaries that may get there, as far as they are seen."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...program.origins import Kind
from ...program.things import Box, Key
from ..facts import Facts
from ..scopes import FunctionNode
from ..walks import reached

Values = dict[str, tuple[ast.expr, ...]]
Keys = frozenset[Key]
NO_KEYS: Keys = frozenset()
_TAKES_OUT = ("clear", "pop", "popitem")
PLAIN = (ast.Name, ast.Attribute, ast.expr_context)


class Options(NamedTuple):
    """The values by name; others than these may be passed if it isn't complete."""

    values: Mapping[str, tuple[ast.expr, ...]]
    is_complete: bool
    certain: frozenset[str]  # names that are passed whatever happens


def options(facts: Facts, call: ast.Call) -> Options:
    """What the `**options` of a call hold, whichever dictionaries they are."""
    found: Values = {}
    certain: set[str] = set()
    is_complete = True
    for keyword in call.keywords:
        if keyword.arg is None:
            boxes = list(_boxes(facts, keyword.value))
            for box, hidden in boxes:
                is_complete &= box is not None and _add(facts, box, hidden, found)
            is_one = len(boxes) == 1 and not _loses_keys(facts, boxes[0][0])
            certain |= _written(facts, boxes[0][0]) if is_one else set()
            own = _own(keyword.value)
            found.update({name: (value,) for name, value in own.items()})
            certain |= own.keys()
    return Options(found, is_complete, frozenset(certain))


def holder(call: ast.Call) -> ast.expr | None:
    """The name of `**options`, if it is the only one of a call, and can be written once more."""
    given = [keyword.value for keyword in call.keywords if keyword.arg is None]
    is_one = len(given) == 1 and isinstance(given[0], (ast.Name, ast.Attribute))
    is_plain = all(isinstance(n, PLAIN) for value in given for n in ast.walk(value))
    return given[0] if is_one and is_plain else None


def is_gathered(facts: Facts, call: ast.Call) -> bool:
    """Whether its `**options` are those that the function around takes: `def train(**options)`."""
    given, function = holder(call), facts.function(call)
    if not isinstance(given, ast.Name) or not isinstance(function, FunctionNode):
        return False
    bindings = facts.names.bindings(given)
    return len(bindings) == 1 and bindings[0].node is function.args.kwarg


def _own(value: ast.expr) -> dict[str, ast.expr]:
    """What `**{**options, "callbacks": []}` passes whatever its other dictionaries hold."""
    if not isinstance(value, ast.Dict):
        return {}
    last = max((n for n, key in enumerate(value.keys) if key is None), default=-1)
    pairs = zip(value.keys[last + 1 :], value.values[last + 1 :])
    return {
        key.value: given
        for key, given in pairs
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def _boxes(facts: Facts, value: ast.expr) -> Iterator[tuple[Box | None, Keys]]:
    """The dictionaries that a value may be, and what filled them but for what some keys hide.

    None: something else, too.
    """
    program = facts.program
    made = [origin for n in program.follow(value) for origin in program.created(n)]
    is_none = (origin.kind is Kind.CONSTANT and origin.name is None for origin in made)
    found = [each.thing for each, none in zip(made, is_none) if not none] or [None]
    known = [thing for thing in found if isinstance(thing, Box) and thing.kind == "dict"]
    yield from reached([(box, NO_KEYS) for box in known], _filling)
    if len(known) < len(found):
        yield None, NO_KEYS


def _filling(filled: tuple[Box, Keys]) -> list[tuple[Box, Keys]]:
    """What filled a dictionary: parameters of a function take of its `**options` what is theirs."""
    box, hidden = filled
    return [(parent, hidden | box.hidden) for parent in box.parents]


def _add(facts: Facts, box: Box, hidden: Keys, found: Values) -> bool:
    """Whether all keys are known: add what is stored at them."""
    program, is_known = facts.program, _is_called_in_sight(facts, box)
    for key, place in box.fields.items():
        values = () if key in hidden else tuple(_stored(facts, place))
        is_known &= isinstance(key, str) or not values
        if isinstance(key, str) and values:
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), *values)))
    return is_known and not any(program.created(n) for n in program.follow(box.rest))


def _is_called_in_sight(facts: Facts, box: Box) -> bool:
    """Whether the `**options` of a function come from calls that are all seen."""
    if not isinstance(box.origin, ast.arg):
        return True
    function = facts.parent(facts.index.parents[box.origin])
    return facts.program.call_sites(function).is_complete  # type: ignore[arg-type]


def _written(facts: Facts, box: Box | None) -> set[str]:
    """The keys in the text of a dictionary."""
    made: object = None if box is None else box.origin
    if isinstance(made, tuple):  # ("dict", the node of its call)
        made = facts.program.key(made[1])
    if isinstance(made, ast.arg):
        return _passed_by_all(facts, made)
    if isinstance(made, ast.Call):
        return {keyword.arg for keyword in made.keywords if keyword.arg is not None}
    keys = made.keys if isinstance(made, ast.Dict) else []
    return {k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}


def _loses_keys(facts: Facts, box: Box | None) -> bool:
    """Whether something may be taken out of it: `options.pop("callbacks")`, `del options[key]`."""
    targets = (target for node in facts.index.nodes(ast.Delete) for target in node.targets)
    emptied = [target.value for target in targets if isinstance(target, ast.Subscript)]
    emptied += [call.func.value for call in facts.calls(*_TAKES_OUT)]  # type: ignore[attr-defined]
    return any(box in facts.program.things(value) for value in emptied)


def _passed_by_all(facts: Facts, gathered: ast.arg) -> set[str]:
    """The keywords that every call of a function passes, and its `**options` take up."""
    args = facts.index.parents[gathered]
    function = facts.parent(args)
    if not isinstance(args, ast.arguments) or not isinstance(function, FunctionNode):
        return set()
    own = {arg.arg for arg in (*args.args, *args.kwonlyargs)}
    sites = facts.program.call_sites(function)
    calls = [node for node in sites.nodes if isinstance(node, ast.Call)]
    if not sites.is_complete or len(calls) < len(sites.nodes):
        return set()
    given = [{keyword.arg for keyword in call.keywords if keyword.arg} - own for call in calls]
    return set.intersection(*given)


def _stored(facts: Facts, place: int) -> Iterator[ast.expr]:
    program = facts.program
    for n in program.follow(place, until=lambda key: isinstance(key, ast.expr)):
        expr = program.key(n)
        if isinstance(expr, ast.expr):
            yield expr
