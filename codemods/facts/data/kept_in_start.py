"""What `__init__` keeps on an object: what is read of it before a cut, and counted behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..facts import Facts


def stores_in_start(facts: Facts, cls: ast.ClassDef, name: str) -> Iterator[ast.stmt | None]:
    """The statements of `__init__` that keep a value under a name; None for one elsewhere."""
    init = facts.classes.method(cls, "__init__")
    own = init if init is not None and facts.classes.method_of(init) is cls else None
    for target, _ in facts.index.attribute_stores.get(name, []):
        statement = facts.statement(target)
        is_plain = isinstance(statement, ast.Assign) and own is not None and statement in own.body
        is_selfs = own is not None and ast.unparse(target.value) == own.args.args[0].arg
        yield statement if is_plain and is_selfs else None


def is_before(facts: Facts, node: ast.AST, last: ast.stmt) -> bool:
    """Whether something of `__init__` runs before the cut behind a statement, or in a method then.

    A method that is called up to there only sees all of the arrays: it counts as before.
    """
    init = facts.function(last)
    home = facts.function(node)
    if home is init:
        return getattr(node, "lineno", 0) <= (last.end_lineno or last.lineno)
    calls = facts.call_sites(home) if home is not None else []
    is_called = [facts.function(call) is init and is_before(facts, call, last) for call in calls]
    return bool(calls) and all(is_called)


def is_measured(facts: Facts, node: ast.AST) -> bool:
    """Whether no more is asked of an array than how long it is: `len(x)`, `x.shape`."""
    parent = facts.parent(node)
    called = facts.name(parent.func) if isinstance(parent, ast.Call) else None
    is_shape = isinstance(parent, ast.Attribute) and parent.attr == "shape"
    is_len = called == "builtins.len" and node in parent.args  # type: ignore[union-attr]
    return is_len or is_shape


def are_counts(facts: Facts, number: ast.expr, lengths: Sequence[ast.AST], loop: ast.AST) -> bool:
    """Whether a number of rounds is reckoned from these lengths alone, and made for the loop.

    Elsewhere it may be kept under a name that this function alone reads: `self.n = len(self.x)`.
    """
    measured = [n for n in facts.program.ingredients(number) if is_measured(facts, n)]
    if any(node not in lengths for node in measured):
        return False
    home = facts.function(loop)
    return all(facts.function(n) is home or _is_kept_for(facts, n, home) for n in lengths)


def _is_kept_for(facts: Facts, length: ast.AST, home: ast.AST | None) -> bool:
    statement = facts.statement(length)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Attribute):
        return False
    reads = (n for n in facts.index.nodes(ast.Attribute) if n.attr == target.attr)
    return all(facts.function(n) is home for n in reads if isinstance(n.ctx, ast.Load))
