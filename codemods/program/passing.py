"""Which argument of a call gets to which parameter of a function."""

from __future__ import annotations

import ast

from .boxes import inherit, part
from .core import Core
from .edges import Edge
from .origins import Call
from .things import Box, Function, Thing
from .versions import EACH


def pass_arguments(core: Core, function: Function, call: Call, skip: int) -> None:
    """Let the arguments flow to the parameters, of which the first `skip` have theirs."""
    a = function.node.args
    positional = [*a.posonlyargs, *a.args][skip:]
    _by_position(core, function, call, positional)
    filled = {p.arg for p in positional[: _plain(call)]}
    named = {
        p.arg: p for p in [*a.args, *a.kwonlyargs] if p not in [*a.posonlyargs, *a.args][:skip]
    }
    filled |= _by_name(core, function, call, named)
    for number, parameter in enumerate([*positional, *a.kwonlyargs]):
        if parameter.arg not in filled:
            spread = _spread(core, call, number) if number < len(positional) else []
            _rest(core, function, call, parameter, spread)


def _plain(call: Call) -> int:
    """How many arguments come before the first star."""
    stars = (number for number, (_, star) in enumerate(call.args) if star)
    return next(stars, len(call.args))


def _by_position(core: Core, function: Function, call: Call, positional: list[ast.arg]) -> None:
    """Pass arguments by position, and those behind a star to the starred parameter."""
    plain, further = _plain(call), function.vararg
    for number, (argument, star) in enumerate(call.args):
        if number >= plain:
            if further is not None:
                source = core.load(argument, EACH) if star else argument
                core.edge(source, further.rest, Edge.PARAMETER)
        elif number < len(positional):
            core.edge(argument, core.node(positional[number]), Edge.PARAMETER)
        elif further is not None:
            place = part(core, further, number - len(positional))
            core.edge(argument, place, Edge.PARAMETER)


def _spread(core: Core, call: Call, number: int) -> list[int]:
    """What the arguments from the first star on may give to the parameter of that number."""
    plain, found = _plain(call), []
    for place, (argument, star) in enumerate(call.args[plain:]):
        if star:
            step = EACH if place else number - plain
            found.append(core.load(argument, step))
        else:
            found.append(argument)
    return found


def _by_name(core: Core, function: Function, call: Call, named: dict[str, ast.arg]) -> set[str]:
    """Pass arguments by keyword; the names of the parameters that got one."""
    filled = set()
    for name, argument in call.keywords.items():
        if name in named:
            filled.add(name)
            core.edge(argument, core.node(named[name]), Edge.PARAMETER)
        elif name is not None and function.kwarg is not None:
            core.edge(argument, part(core, function.kwarg, name), Edge.PARAMETER)
        elif name is None and function.kwarg is not None:
            core.watch(argument, _take_up, core, function.kwarg, argument)
    return filled


def _take_up(thing: Thing, core: Core, owner: Box, source: int) -> None:
    """`**options` that a function takes up again: what a dictionary has at a key stays there."""
    if isinstance(thing, Box) and thing.kind == "dict":
        inherit(core, owner, thing)
    else:
        core.edge(core.load(source, ("[", None)), owner.rest, Edge.PARAMETER)


def _rest(
    core: Core, function: Function, call: Call, parameter: ast.arg, spread: list[int]
) -> None:
    """What a parameter may get that no argument names: from stars, from its default."""
    place = core.node(parameter)
    for source in spread:
        core.edge(source, place, Edge.PARAMETER)
    if None in call.keywords:
        given = core.load(call.keywords[None], ("[", parameter.arg))
        core.edge(given, place, Edge.PARAMETER)
    default = function.defaults.get(parameter.arg)
    if default is not None:
        core.edge(default, place, Edge.PARAMETER)
