"""Python's functions that make something of each part of a file by code of the program."""

from __future__ import annotations

from functools import partial

from .calls import outside
from .core import Core
from .edges import Edge
from .origins import Call
from .python_rules import PythonRule
from .things import Bound, Class, Function, Partial, Thing

_WORDS = ("object_hook", "object_pairs_hook")
_CODE = (Function, Class, Bound, Partial)


def _parsed(name: str, core: Core, call: Call) -> None:
    """`json.load(file, object_hook=make)` gives what `make` does of each of its dictionaries."""
    hooks = [call.keywords[word] for word in _WORDS if word in call.keywords]
    if not hooks:
        outside(core, call, name)
        return
    rest = {word: n for word, n in call.keywords.items() if word not in _WORDS}
    plain = core.node(("parsed", call.result))
    outside(core, call.again(plain, call.func, None, rest), name)
    for hook in hooks:
        core.watch(hook, _hooked, core, call, plain, hook)


def _hooked(thing: Thing, core: Core, call: Call, plain: int, hook: int) -> None:
    """A class from outside of the project holds what was read."""
    if isinstance(thing, _CODE):
        core.call_thing(thing, call.again(call.result, hook, [(plain, False)], {}))
    else:
        core.edge(plain, call.result, Edge.CHOICE)


HOOKS: dict[str, PythonRule] = {
    name: partial(_parsed, name) for name in ("json.load", "json.loads")
}
