"""The rows of functions, classes, `return` and `yield`."""

from __future__ import annotations

import ast
from typing import Any

from .boxes import box
from .edges import Edge
from .node_fields import children
from .origins import Call, Kind, Origin
from .parts import parameters
from .rows import Rows
from .sources import AnyFunction
from .things import Class, Function, Record, Thing
from .versions import EACH

_KINDS = {
    "property": "property",
    "cached_property": "property",
    "abstractproperty": "property",
    "staticmethod": "static",
    "classmethod": "class",
    "setter": "setter",
    "deleter": "setter",
}
_DATACLASSES = frozenset({"dataclass"})


def function(rows: Rows, node: AnyFunction) -> None:
    """A function, method or lambda."""
    core, decorators = rows.core, getattr(node, "decorator_list", [])
    kinds = [_KINDS[n] for n in map(_last_name, decorators) if n in _KINDS]
    parent = rows.source.scope(node).parent
    cls = rows.classes.get(parent.node) if parent is not None else None
    thing = Function(node, rows.source, kinds[0] if kinds else "plain", cls)
    rows.functions[node] = thing
    _parameters(rows, thing)
    _first_parameter(rows, thing)
    result = core.result(thing)
    if rows.source.scope(node).is_generator:
        thing.yields = box(core, (node, "yields"), "generator")
        core.hold(result, thing.yields)
    elif isinstance(node, ast.Lambda):
        core.edge(core.node(node.body), result, Edge.RETURN)
    elif isinstance(node, ast.AsyncFunctionDef):
        thing.coroutine = box(core, (node, "coroutine"), "coroutine")
        core.hold(result, thing.coroutine)
    elif not _returns(node):
        core.create(result, Origin(Kind.CONSTANT))
    _decorate(rows, node, thing, [] if kinds else decorators)


def _parameters(rows: Rows, thing: Function) -> None:
    core, a = rows.core, thing.node.args
    positional = [*a.posonlyargs, *a.args]
    pairs = [
        *zip(positional[len(positional) - len(a.defaults) :], a.defaults),
        *zip(a.kwonlyargs, a.kw_defaults),
    ]
    thing.defaults = {p.arg: core.node(d) for p, d in pairs if d is not None}
    for parameter in parameters(thing.node):
        rows.variables.parameters.add(core.node(parameter))
    if a.vararg is not None:
        thing.vararg = box(core, a.vararg, "tuple")
        core.hold(core.node(a.vararg), thing.vararg)
    if a.kwarg is not None:
        thing.kwarg = box(core, a.kwarg, "dict")
        thing.kwarg.hidden = frozenset(p.arg for p in (*a.args, *a.kwonlyargs))
        core.hold(core.node(a.kwarg), thing.kwarg)


def _first_parameter(rows: Rows, thing: Function) -> None:
    """`self` or `cls`."""
    core, cls = rows.core, thing.cls
    first = [*thing.node.args.posonlyargs, *thing.node.args.args][:1]
    if cls is None or not first or isinstance(thing.node, ast.Lambda):
        return
    is_new = thing.node.name in ("__new__", "__init_subclass__", "__class_getitem__")
    if thing.kind == "class" or is_new:
        core.hold(core.node(first[0]), cls)
    elif thing.kind != "static":
        operands = [("base", rows.engine.classes.libraries(cls))]
        core.hold(core.node(first[0]), cls.this, Origin(Kind.THING, None, None, operands, cls.this))


def _decorate(rows: Rows, node: Any, thing: Thing, decorators: list[ast.expr]) -> None:
    """What the name is bound to: the thing, or what the last decorator makes of it."""
    core = rows.core
    inner = core.node((node, "plain")) if decorators else core.node(node)
    if isinstance(thing, Function) and thing.kind in ("property", "setter"):
        core.place(("property", node))
        core.add(inner, thing)  # never a value: reading it calls it
        core.origins[inner] = core.origins[inner] or []
    else:
        core.hold(inner, thing, Origin(Kind.THING, None, node, thing=thing))
    for number, decorator in enumerate(reversed(decorators)):
        is_last = number == len(decorators) - 1
        outer = core.node(node if is_last else (node, number))
        conditions = rows.conditions()
        func = core.node(decorator)
        core.call(Call(outer, func, [(inner, False)], {}, decorator, rows.source, None, conditions))
        inner = outer


def class_(rows: Rows, node: ast.ClassDef) -> None:
    """A class; a data class keeps the names of its fields."""
    core = rows.core
    cls = Class(node, rows.source, [core.node(base) for base in node.bases])
    rows.classes[node] = cls
    fields = [
        s for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
    ]
    names = [s.target.id for s in fields if isinstance(s.target, ast.Name)]
    decorators = [d for d in node.decorator_list if _last_name(d) not in _DATACLASSES]
    if len(decorators) < len(node.decorator_list):
        cls.fields = names
    rows.engine.classes.declare(cls)
    if any(_last_name(base) == "NamedTuple" for base in node.bases):
        pairs = zip(names, fields)
        defaults = {n: core.node(s.value) for n, s in pairs if s.value is not None}
        _decorate(rows, node, Record(names, defaults), decorators)
    else:
        _decorate(rows, node, cls, decorators)


def returned(rows: Rows, node: ast.Return) -> None:
    """`return value`; whether it runs decides the result too."""
    function = rows.around.function
    if function is None or function.yields is not None:
        return
    core, result = rows.core, rows.core.result(function)
    if function.coroutine is not None:
        result = function.coroutine.rest
    if node.value is None:
        core.create(result, Origin(Kind.CONSTANT))
    else:
        core.edge(core.node(node.value), result, Edge.RETURN)
    core.decide(rows.inside(), result)


def yielded(rows: Rows, node: ast.Yield | ast.YieldFrom) -> None:
    """`yield value`; what is sent into the generator is unknown."""
    core, function = rows.core, rows.around.function
    if node.value is not None and function is not None and function.yields is not None:
        value = core.node(node.value)
        if isinstance(node, ast.YieldFrom):
            value = core.load(value, EACH)
        core.put(value, function.yields.rest, Edge.RETURN, rows.inside())
        core.decide(rows.inside(), function.yields.size)
    core.unknown(core.node(node))


def _last_name(expr: ast.expr) -> str:
    """`dataclass` of `@dataclasses.dataclass(frozen=True)`."""
    if isinstance(expr, ast.Call):
        expr = expr.func
    return getattr(expr, "attr", getattr(expr, "id", ""))


def _returns(function: ast.AST) -> bool:
    """Whether a function has a `return` of its own."""
    waiting: list[ast.AST] = [*function.body]  # type: ignore[attr-defined]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            return True
        if isinstance(node, ast.stmt) and not isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        ):
            waiting += [c for c in children(node) if not isinstance(c, ast.expr)]
        elif not isinstance(node, ast.stmt):
            waiting += [c for c in children(node) if isinstance(c, ast.stmt)]
    return False


DEFINITIONS: dict[type[ast.AST], Any] = {
    ast.FunctionDef: function,
    ast.AsyncFunctionDef: function,
    ast.Lambda: function,
    ast.ClassDef: class_,
    ast.Return: returned,
    ast.Yield: yielded,
    ast.YieldFrom: yielded,
}
