"""What the methods of containers do with values: one rule a method."""

from __future__ import annotations

import ast
from typing import Any

from .box_changes import merge
from .boxes import MethodRule, box, inherit, mix, part, read
from .core import Core
from .edges import Edge
from .keys import add_key, key_of
from .origins import Call, Kind, Origin
from .python_contexts import enter, keep
from .python_rules import rows_of
from .sizes import sized
from .things import Box, Key
from .versions import EACH


def _nothing(core: Core, owner: Box, call: Call) -> None:
    core.create(call.result, Origin(Kind.CONSTANT))


def _put(number: int, many: bool = False) -> MethodRule:
    """It adds an argument, or the elements of it."""

    def rule(core: Core, owner: Box, call: Call) -> None:
        _nothing(core, owner, call)
        for argument, star in call.args[number : number + 1]:
            value = core.load(argument, EACH) if many or star else argument
            core.put(value, owner.rest, Edge.STORED, call.conditions)

    return rule


def _moves(rule: MethodRule) -> MethodRule:
    """It also changes the numbers of the elements."""

    def moved(core: Core, owner: Box, call: Call) -> None:
        rule(core, owner, call)
        mix(core, owner)
        core.decide(call.conditions, owner.rest)

    return moved


def _update(core: Core, owner: Box, call: Call) -> None:
    _nothing(core, owner, call)
    if owner.kind == "set":
        for argument, _ in call.args:
            core.put(core.load(argument, EACH), owner.rest, Edge.STORED, call.conditions)
        return
    for argument, _ in call.args[:1]:
        core.watch(argument, merge, core, owner, call.conditions)
        core.note(argument, owner.rest, Edge.COMPUTED)
    for name, value in call.keywords.items():
        if name is None:
            core.watch(value, merge, core, owner, call.conditions)
        else:
            core.put(value, part(core, owner, name), Edge.STORED, call.conditions)


def _constant_key(core: Core, owner: Box, call: Call) -> Any:
    n = call.argument(0)
    expr = None if n is None else core.keys[n]
    value = expr.value if isinstance(expr, ast.Constant) else None
    return value if isinstance(value, (int, str)) and owner.kind == "dict" else None


def _get(core: Core, owner: Box, call: Call) -> None:
    key: Key | None = _constant_key(core, owner, call)
    source, asked = owner.all if key is None else read(core, owner, key), call.argument(0)
    core.edge(source, call.result, Edge.PART)
    if key is None and asked is not None:
        core.decide((asked,), call.result)
    default = call.argument(1)
    if default is not None:
        core.edge(default, call.result, Edge.CHOICE)


def _set_default(core: Core, owner: Box, call: Call) -> None:
    _get(core, owner, call)
    key, default = _constant_key(core, owner, call), call.argument(1)
    add_key(core, owner, call.argument(0))
    if default is not None:
        place = owner.rest if key is None else part(core, owner, key)
        core.put(default, place, Edge.STORED, call.conditions)


def _items(core: Core, owner: Box, call: Call) -> None:
    made = rows_of(core, call, [_key(core, owner, call), owner.all], [])
    core.note(owner.size, made.size, Edge.CONDITION)


def _key(core: Core, owner: Box, call: Call) -> int:
    key = core.place(("key", call.result))
    core.create(key, key_of(owner, call.node))
    return key


def _keys(core: Core, owner: Box, call: Call) -> None:
    _all_of(core, owner, call, "generator", _key(core, owner, call))


def _all_of(core: Core, owner: Box, call: Call, kind: str, element: int) -> Box:
    """As many as the container has."""
    made = box(core, ("all of", call.result), kind)
    core.edge(element, made.rest, Edge.ELEMENT)
    core.note(owner.size, made.size, Edge.CONDITION)
    core.hold(call.result, made)
    return made


def _united(core: Core, owner: Box, call: Call) -> None:
    """`one.union(other)`: of both; which of them are left, the elements decide."""
    made = _all_of(core, owner, call, owner.kind, owner.all)
    for argument, star in call.args:
        source = core.load(argument, EACH) if star else argument
        core.edge(core.load(source, EACH), made.rest, Edge.ELEMENT)
        sized(core, made, source)


def _pop_item(core: Core, owner: Box, call: Call) -> None:
    made = box(core, ("pair", call.result), "tuple", 2)
    core.create(part(core, made, 0), key_of(owner, call.node))
    core.edge(owner.all, part(core, made, 1), Edge.ELEMENT)
    core.hold(call.result, made)


def _values(core: Core, owner: Box, call: Call) -> None:
    _all_of(core, owner, call, "generator", owner.all)


def _copy(core: Core, owner: Box, call: Call) -> None:
    made = box(core, ("copy", call.result), owner.kind, owner.length)
    inherit(core, made, owner)
    core.hold(call.result, made)


def _replace(core: Core, owner: Box, call: Call) -> None:
    """`record._replace(name=value)`."""
    made = box(core, ("replaced", call.result), owner.kind, owner.length)
    inherit(core, made, owner)
    for name, value in call.keywords.items():
        if name is None:
            core.watch(value, merge, core, made)
        else:
            core.edge(value, part(core, made, name), Edge.ELEMENT)
    core.edge(made.all, made.rest, Edge.ELEMENT)
    core.hold(call.result, made)


def _send(core: Core, owner: Box, call: Call) -> None:
    core.edge(owner.all, call.result, Edge.ELEMENT)


METHODS: dict[str, MethodRule] = {
    "__next__": _send,
    "_replace": _replace,
    "add": _put(0),
    "append": _put(0),
    "appendleft": _moves(_put(0)),
    "clear": _nothing,
    "copy": _copy,
    **dict.fromkeys(("difference", "intersection", "symmetric_difference", "union"), _united),
    **dict.fromkeys(("difference_update", "discard", "intersection_update"), _nothing),
    **dict.fromkeys(("add_done_callback", "callback", "push"), keep),
    "enter_context": enter,
    "extend": _put(0, many=True),
    "extendleft": _moves(_put(0, many=True)),
    "get": _get,
    "insert": _moves(_put(1)),
    "items": _items,
    "keys": _keys,
    "pop": _moves(_get),
    "popitem": _pop_item,
    "popleft": _moves(_get),
    "remove": _moves(_nothing),
    "result": _send,
    "reverse": _moves(_nothing),
    "rotate": _moves(_nothing),
    "send": _send,
    "setdefault": _set_default,
    "sort": _moves(_nothing),
    **dict.fromkeys(("symmetric_difference_update", "update"), _update),
    "values": _values,
}
