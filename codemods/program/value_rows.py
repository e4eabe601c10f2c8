"""The rows of expressions."""

from __future__ import annotations

import ast
from typing import Any

from .attribute_stores import update_attributes
from .box_changes import delete, grow, merge
from .boxes import box, part
from .core import AWAIT
from .edges import Edge
from .keys import add_key, constant_key
from .operators import BINARY, operate
from .origins import Call, Kind, Origin
from .parts import COMPREHENSIONS
from .rows import Rows, step_of
from .scope import BUILTINS
from .sizes import rounds, sized
from .versions import EACH


def constant(rows: Rows, node: ast.Constant) -> None:
    """A number, a text, None."""
    rows.core.create(rows.core.node(node), Origin(Kind.CONSTANT, node.value, node))


def name(rows: Rows, node: ast.Name) -> None:
    """The version of a variable, a builtin, or what a star import may bind."""
    if not isinstance(node.ctx, ast.Load):
        return
    core, n = rows.core, rows.core.node(node)
    modules, version = rows.engine.modules, rows.order.reads.get(node)
    if version is not None:
        core.edge(rows.variables.version(rows.source, version), n, Edge.ALIAS)
    elif node.id in BUILTINS and not modules.gives(rows.source, node.id):
        core.hold(n, core.library("builtins." + node.id))
    else:
        module = modules.of[rows.source.name]
        core.edge(modules.variable(module, node.id), n, Edge.ALIAS)


def attribute(rows: Rows, node: ast.Attribute) -> None:
    """`base.name`."""
    core = rows.core
    if isinstance(node.ctx, ast.Load):
        core.load(core.node(node.value), (".", node.attr), core.node(node))
    else:
        rows.remember(node)


def subscript(rows: Rows, node: ast.Subscript) -> None:
    """`base[key]`, `base[first:last]`."""
    if isinstance(node.ctx, ast.Load):
        rows.load_item(node)
    elif isinstance(node.ctx, ast.Del):
        rows.core.watch(rows.core.node(node.value), delete, rows.core, rows.conditions())
    else:
        rows.remember(node)


def call(rows: Rows, node: ast.Call) -> None:
    """`function(arguments)`."""
    core = rows.core
    args = [
        (core.node(a.value if isinstance(a, ast.Starred) else a), isinstance(a, ast.Starred))
        for a in node.args
    ]
    keywords = {k.arg: core.node(k.value) for k in node.keywords}
    doubled = [k.value for k in node.keywords if k.arg is None]
    if len(doubled) > 1:
        both = box(core, ("keywords", node), "dict")
        keywords[None] = core.node(("keywords", node))
        core.hold(keywords[None], both)
        for value in doubled:
            core.watch(core.node(value), merge, core, both)
    where = (node, rows.source, rows.around.cls, rows.conditions())
    made = Call(core.node(node), core.node(node.func), args, keywords, *where)
    core.call(made)
    update_attributes(core, node, made)


def alias(rows: Rows, node: ast.NamedExpr) -> None:
    """`(name := value)`."""
    rows.core.edge(rows.core.node(node.value), rows.core.node(node), Edge.ALIAS)


def awaited(rows: Rows, node: ast.Await) -> None:
    """`await value`."""
    rows.core.load(rows.core.node(node.value), AWAIT, rows.core.node(node))


def choice(rows: Rows, node: ast.IfExp) -> None:
    """`body if test else orelse`."""
    core, n = rows.core, rows.core.node(node)
    core.edge(core.node(node.body), n, Edge.CHOICE)
    core.edge(core.node(node.orelse), n, Edge.CHOICE)
    core.decide((core.node(node.test),), n)


def either(rows: Rows, node: ast.BoolOp) -> None:
    """`a or b`."""
    core, n = rows.core, rows.core.node(node)
    values = [core.node(value) for value in node.values]
    for value in values:
        core.edge(value, n, Edge.CHOICE)
    core.decide(tuple(values[:-1]), n)


def display(rows: Rows, node: Any) -> None:
    """`[a, b]`, `(a, b)`, `{a, b}`."""
    if not isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
        return
    core, kind = rows.core, type(node).__name__.lower()
    plain = kind != "set" and not any(isinstance(e, ast.Starred) for e in node.elts)
    made = box(core, node, kind, len(node.elts) if plain else None)
    for number, element in enumerate(node.elts):
        if isinstance(element, ast.Starred):
            core.edge(core.load(core.node(element.value), EACH), made.rest, Edge.ELEMENT)
            sized(core, made, core.node(element.value))
        else:
            place = part(core, made, number) if plain else made.rest
            core.edge(core.node(element), place, Edge.ELEMENT)
    core.hold(core.node(node), made)


def dictionary(rows: Rows, node: ast.Dict) -> None:
    """`{key: value, **other}`."""
    core, made = rows.core, box(rows.core, node, "dict")
    for key, value in zip(node.keys, node.values):
        if key is None:
            core.watch(core.node(value), merge, core, made)
            continue
        known = constant_key(key)
        add_key(core, made, None if known is not None else core.node(key))
        place = made.rest if known is None else part(core, made, known)
        core.edge(core.node(value), place, Edge.ELEMENT)
    core.hold(core.node(node), made)


def comprehension(rows: Rows, node: Any) -> None:
    """`[element for … in … if test]`."""
    core, is_dict = rows.core, isinstance(node, ast.DictComp)
    kinds = {ast.DictComp: "dict", ast.SetComp: "set", ast.GeneratorExp: "generator"}
    made = box(core, node, kinds.get(type(node), "list"))
    core.edge(core.node(node.value if is_dict else node.elt), made.rest, Edge.ELEMENT)
    add_key(core, made, core.node(node.key) if is_dict else None)
    tests = [core.node(test) for generator in node.generators for test in generator.ifs]
    core.decide(tuple(tests), made.rest)
    core.decide((*tests, *(rounds(core, each.iter) for each in node.generators)), made.size)
    core.hold(core.node(node), made)


def binary(rows: Rows, node: ast.BinOp) -> None:
    """`left + right`."""
    core, method = rows.core, BINARY.get(type(node.op), "")
    operate(core, node, method, core.node(node.left), core.node(node.right))


def augmented(rows: Rows, node: ast.AugAssign) -> None:
    """`target += value`: a list that grows stays the same list."""
    core, target = rows.core, node.target
    if isinstance(target, ast.Name):
        version = rows.order.reads.get(target)
        old = None if version is None else rows.variables.version(rows.source, version)
    else:
        old = core.load(core.node(target.value), step_of(target), core.node(("old", node)))
    added, n = core.node(node.value), core.node(node)
    if old is None:
        core.unknown(n)
        return
    core.edge(old, core.node(target), Edge.ALIAS)  # the target is read as well
    operate(core, node, BINARY.get(type(node.op), ""), old, added)
    core.watch(old, grow, core, n, added, rows.conditions())


def nothing(rows: Rows, node: ast.AST) -> None:
    """Syntax that is no value by itself."""


EXPRESSIONS: dict[type[ast.AST], Any] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Subscript: subscript,
    ast.Call: call,
    ast.NamedExpr: alias,
    ast.Await: awaited,
    ast.IfExp: choice,
    ast.BoolOp: either,
    ast.Tuple: display,
    ast.List: display,
    ast.Set: display,
    ast.Dict: dictionary,
    ast.BinOp: binary,
    ast.AugAssign: augmented,
    ast.Starred: nothing,
    ast.Slice: nothing,
    **dict.fromkeys(COMPREHENSIONS, comprehension),
}
