"""Which bindings of a name can reach one of its uses, by the order of statements.

Pipelines are built by `ds = ds.batch(2)` line after line; where to cut depends on the order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from .facts import Facts
from .scopes import Binding, FunctionNode

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_WITHS = (ast.With, ast.AsyncWith)


def reaching(facts: Facts, use: ast.Name) -> tuple[Binding, ...]:
    """The bindings whose value `use` may load; all of them where the order can't be told."""
    bindings = facts.names.bindings(use)
    if len(bindings) < 2:
        return tuple(bindings)
    owner = facts.scope(use).find(use.id)
    assert owner is not None
    home = facts.function(use) or facts.module
    if owner.node is home:
        return tuple(dict.fromkeys(_before(facts, facts.statement(use), bindings)))
    return _from_outside(facts, use, owner.node, bindings)


def _before(facts: Facts, statement: ast.stmt, bindings: Sequence[Binding]) -> Iterator[Binding]:
    """Bindings that may hold when `statement` begins."""
    block, number = facts.block(statement)
    for earlier in reversed(block[:number]):
        found = [b for b in bindings if _is_within(facts, b.node, earlier)]
        yield from found
        if found and not _is_optional(earlier):
            return
    parent = facts.parent(statement)
    if isinstance(parent, ast.ExceptHandler):
        parent = facts.parent(parent)
    if isinstance(parent, _LOOPS):  # the round before
        yield from [b for b in bindings if _is_within(facts, b.node, parent)]
    elif isinstance(parent, _WITHS):
        yield from [b for b in bindings if b.node is parent]
    elif isinstance(parent, FunctionNode):
        yield from [b for b in bindings if b.kind == "param"]
    if isinstance(parent, ast.stmt) and not isinstance(parent, (*FunctionNode, ast.ClassDef)):
        yield from _before(facts, parent, bindings)


def _is_within(facts: Facts, node: ast.AST, statement: ast.stmt) -> bool:
    return node is statement or any(parent is statement for parent in facts.parents(node))


def _is_optional(statement: ast.stmt) -> bool:
    """Whether a binding inside of it may not happen, so that earlier ones still count."""
    compound = (*_LOOPS, *_WITHS, ast.If, ast.Try)
    return isinstance(statement, compound) or type(statement).__name__ in ("Match", "TryStar")


def _from_outside(
    facts: Facts, use: ast.Name, owner: ast.AST, bindings: Sequence[Binding]
) -> tuple[Binding, ...]:
    """A function sees what the module bound last, if it is only called after that."""
    last = max(bindings, key=_line)
    function = facts.function(use)
    is_plain = isinstance(owner, ast.Module) and all(b.node in owner.body for b in bindings)
    if not is_plain or function is None or facts.values.escapes(function):
        return tuple(bindings)
    sites = facts.call_sites(function)
    is_after = all(facts.function(c) is None and c.lineno > _line(last) for c in sites)
    return (last,) if sites and is_after else tuple(bindings)


def _line(binding: Binding) -> int:
    return int(getattr(binding.node, "lineno", 0))
