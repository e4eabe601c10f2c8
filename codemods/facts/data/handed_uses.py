"""Whether anything needs all of the examples that an object hands out batches of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.things import Instance
from ..facts import Facts, recorded
from ..functions import returns
from ..scopes import Function, FunctionNode
from .handed_arrays import Inside, is_slice
from .sizes import is_size

_WHOLE = ("__getitem__", "__iter__", "__call__")  # which hand out without a name


def needed_whole(
    facts: Facts, made: ast.Call, inside: Inside, arrays: tuple[ast.expr, ...]
) -> ast.AST | None:
    """Where all of the arrays may be used, or nobody sees what for; None where nothing does."""
    cls = inside.cls
    if cls is None:
        return None  # a generator hands out what it yields
    special = [facts.classes.method(cls, name) for name in _WHOLE]
    if any(special):
        return next(filter(None, special))
    if cls in given_away(facts):
        return made
    for use in _uses(facts, made, cls, set(inside.functions)):
        if not isinstance(use.ctx, ast.Load) or _is_all(facts, use, cls, frozenset(arrays)):
            return use
    return None


@recorded
def given_away(facts: Facts) -> frozenset[ast.ClassDef]:
    """The classes of which code out of sight gets an object."""
    things = (t for n in facts.program.taken for t in facts.program.things(n))
    return frozenset(t.cls.node for t in things if isinstance(t, Instance))


def _uses(
    facts: Facts, made: ast.Call, cls: ast.ClassDef, inside: set[Function]
) -> Iterator[ast.Attribute]:
    """The attributes that are read of such an object from outside of its class."""
    for node in facts.index.nodes(ast.Attribute):
        things = facts.program.things(node.value)
        if not any(isinstance(t, Instance) and t.cls.node is cls for t in things):
            continue
        around = {p for p in facts.parents(node) if isinstance(p, FunctionNode)}
        if inside.isdisjoint(around) and made in facts.origins(node.value).nodes:
            yield node


def _is_all(
    facts: Facts, use: ast.Attribute, cls: ast.ClassDef, arrays: frozenset[ast.AST]
) -> bool:
    """Whether all of an array comes out of it, and not only its length or a slice."""

    def is_end(node: ast.AST) -> bool:
        is_part = isinstance(node, ast.Subscript) and is_slice(facts, node)
        return is_part or is_size(facts, node)

    parent = facts.parent(use)
    if parent is not None and (is_size(facts, parent) or is_end(parent)):
        return False
    method = facts.classes.method(cls, use.attr)
    if method is None:
        return not arrays.isdisjoint(facts.program.sources(use, (), is_end))
    given = [n.value for n in within(method) if isinstance(n, (ast.Yield, ast.YieldFrom))]
    given += [each.value for each in returns(method)]
    found = (facts.program.ingredients(each, is_end) for each in given if each is not None)
    return any(not arrays.isdisjoint(nodes) for nodes in found)
