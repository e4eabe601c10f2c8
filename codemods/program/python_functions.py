"""What Python's own functions do with the values that they are called with: one rule a function."""

from __future__ import annotations

import ast
from typing import Any

from .boxes import box, inherit, part
from .core import Core, Store
from .edges import Edge
from .origins import Call, Kind, Origin
from .python_contexts import CONTEXTS
from .python_counts import COUNTS
from .python_hooks import HOOKS
from .python_iterators import ITERATORS
from .python_itertools import ITERTOOLS
from .python_rules import PythonRule, hold
from .things import OPAQUE, WRAPPER, Box, Library, Partial, Record, Thing


def _text(core: Core, n: int | None) -> str | None:
    """The text that stands at a node."""
    expr = None if n is None else core.keys[n]
    value = expr.value if isinstance(expr, ast.Constant) else None
    return value if isinstance(value, str) else None


def _getattr(core: Core, call: Call) -> None:
    name, base = _text(core, call.argument(1)), call.argument(0)
    if name is None or base is None:
        core.unknown(call.result)
        if base is not None:
            core.watch(base, _any_member, core, call)
            text = call.argument(1)
            core.decide(() if text is None else (text,), call.result)
    else:
        core.load(base, (".", name), call.result)
    default = call.argument(2)
    if default is not None:
        core.edge(default, call.result, Edge.CHOICE)


def _import_module(core: Core, call: Call) -> None:
    """`importlib.import_module("lib")`, where a library is known to be one."""
    name = _text(core, call.argument(0)) or ""
    if core.questions.takes_attributes(name):
        core.hold(call.result, core.library(name))
    else:
        core.unknown(call.result)


def _any_member(thing: Thing, core: Core, call: Call) -> None:
    """`getattr(optimizers, name)`: one of those that the library has, beside what is unknown."""
    name = core.questions.any_member(thing.name) if isinstance(thing, Library) else None
    if name is not None:
        core.hold(call.result, core.library(name))


def _setattr(core: Core, call: Call) -> None:
    base, value = call.argument(0), call.argument(2)
    core.create(call.result, Origin(Kind.CONSTANT))
    if base is not None and value is not None:
        core.store(base, Store((".", _text(core, call.argument(1))), value, call.conditions))


def _partial(core: Core, call: Call) -> None:
    func = call.argument(0)
    if func is None:
        core.unknown(call.result)
    else:
        hold(core, call, Partial(func, call.args[1:], call.keywords))


def _namespace(core: Core, call: Call) -> None:
    made = box(core, ("namespace", call.result), "record")
    for name, value in call.keywords.items():
        if name is None:
            core.watch(value, _namespaced, core, made, value)
        else:
            core.edge(value, part(core, made, name), Edge.ELEMENT)
    hold(core, call, made)


def _namespaced(thing: Thing, core: Core, made: Box, value: int) -> None:
    if isinstance(thing, Box) and thing.kind == "dict":
        inherit(core, made, thing)
    elif thing is OPAQUE:  # `SimpleNamespace(**json.load(file))`: parts of what others made
        core.load(value, ("[", None), made.rest)
    else:
        core.unknown(made.rest)


def _namedtuple(core: Core, call: Call) -> None:
    n = call.argument(1, "field_names")
    names = _names(None if n is None else core.keys[n])
    if names is None or "defaults" in call.keywords:
        core.unknown(call.result)
    else:
        hold(core, call, Record(names))


def _names(expr: Any) -> list[str] | None:
    if isinstance(expr, ast.Constant) and isinstance(expr.value, str):
        return expr.value.replace(",", " ").split()
    if isinstance(expr, (ast.List, ast.Tuple)):
        values = [getattr(element, "value", None) for element in expr.elts]
        names = [value for value in values if isinstance(value, str)]
        return names if len(names) == len(values) else None
    return None


def _argument(number: int) -> PythonRule:
    """It gives back this argument."""

    def rule(core: Core, call: Call) -> None:
        value = call.argument(number)
        if value is None:
            core.unknown(call.result)
        else:
            core.edge(value, call.result, Edge.ALIAS)

    return rule


def _wraps(core: Core, call: Call) -> None:
    hold(core, call, WRAPPER)


def _field(core: Core, call: Call) -> None:
    """`dataclasses.field(default=…, default_factory=…)`."""
    default, factory = call.keywords.get("default"), call.keywords.get("default_factory")
    if default is not None:
        core.edge(default, call.result, Edge.ALIAS)
    elif factory is not None:
        core.call(call.again(call.result, factory, [], {}))
    else:
        core.origins[call.result] = core.origins[call.result] or []


def _vars(core: Core, call: Call) -> None:
    """What it gives of an object of the project may be written to: nobody follows that."""
    for argument, _ in call.args[:1]:
        core.watch(argument, _attributes, core, call, argument)
    if not call.args:
        core.unknown(call.result)


def _attributes(thing: Thing, core: Core, call: Call, argument: int) -> None:
    if thing is OPAQUE:  # `vars(parser.parse_args())`: a part of what others made
        core.load(argument, (".", "__dict__"), call.result)
    else:
        core.unknown(call.result)
        core.hand_out(argument, True)


FUNCTIONS: dict[str, PythonRule] = {
    **ITERATORS,
    **ITERTOOLS,
    **CONTEXTS,
    **COUNTS,
    **HOOKS,
    "argparse.Namespace": _namespace,
    "builtins.__import__": _import_module,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    "builtins.vars": _vars,
    "collections.namedtuple": _namedtuple,
    "dataclasses.field": _field,
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "types.SimpleNamespace": _namespace,
    "importlib.import_module": _import_module,
    "typing.cast": _argument(1),
}
