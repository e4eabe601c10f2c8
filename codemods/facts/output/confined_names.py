"""Which names that some statements bind are used elsewhere as well, and which stay inside."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...library.words import table
from ...program.node_fields import within
from ..facts import Facts
from ..scopes import FunctionNode

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_CONTAINERS = table("""
builtins: dict list set
collections: Counter OrderedDict defaultdict deque
numpy: empty empty_like full full_like ones ones_like zeros zeros_like
""")


def is_rebound_elsewhere(facts: Facts, name: ast.Name) -> bool:
    """Whether a call may change what a name means: some function declares it global or nonlocal."""
    return any(scope.declares(name.id) for scope in facts.index.scopes.values())


def is_own_container(facts: Facts, expr: ast.AST, inside: ast.AST) -> bool:
    """Whether a name is that of a list, dictionary or array which is made new in there alone."""
    bound = facts.names.bindings(expr)
    if not bound or not all(b.kind == "assign" and _is_new(facts, b.part) for b in bound):
        return False
    nodes = {*within(inside)}
    return all(binding.node in nodes for binding in bound)


def _is_new(facts: Facts, value: ast.AST | None) -> bool:
    if isinstance(value, ast.BinOp):  # [0] * n
        return isinstance(value.op, ast.Mult) and isinstance(value.left, ast.List)
    if isinstance(value, ast.Call):
        return facts.name(value.func) in _CONTAINERS
    return isinstance(value, _DISPLAYS)


def stays_inside(
    facts: Facts, statements: Sequence[ast.stmt], hoisted: Sequence[ast.expr] = ()
) -> bool:
    """Whether no other code reads what these statements of one block bind.

    What `hoisted` expressions bind, `print((n := len(a)))`, everybody has: they go in front.
    """
    inside = {node for statement in statements for node in within(statement)}
    binding = inside - {node for expr in hoisted for node in within(expr)}
    bound = {n.id for n in binding if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return all(
        use in inside or _is_bound_nearer(facts, use, name, statements)
        for name in bound
        for use in facts.index.loads.get(name, [])
        if isinstance(use, ast.Name)
        and facts.scope(use).find(name) is facts.scope(statements[0]).find(name)
    )


def _is_bound_nearer(facts: Facts, use: ast.AST, name: str, others: Sequence[ast.stmt]) -> bool:
    """Whether the use reads a binding on its own way there, which always runs before it.

    `others` end the search: they bind it themselves, and what stands before them comes too early.
    """
    child: ast.AST = use
    for parent in facts.parents(use):
        if isinstance(parent, FunctionNode):
            return False
        if _binds_for_body(parent, child, name):
            return True
        if isinstance(parent, _LOOPS) and others[0] in within(parent):
            return False  # the next round reads what this one bound
        for earlier in _before(parent, child):
            if earlier in others:
                return False
            if _binds(earlier, name):
                return True
        child = parent
    return False


def _binds_for_body(parent: ast.AST, child: ast.AST, name: str) -> bool:
    """`with … as name:` and `for name in …:` bind for the statements inside."""
    if not isinstance(child, ast.stmt) or child not in getattr(parent, "body", ()):
        return False
    if isinstance(parent, (ast.With, ast.AsyncWith)):
        return any(_has(item.optional_vars, name) for item in parent.items if item.optional_vars)
    return isinstance(parent, (ast.For, ast.AsyncFor)) and _has(parent.target, name)


def _before(parent: ast.AST, child: ast.AST) -> Iterator[ast.stmt]:
    """The statements before `child` in its block, the nearest first."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if isinstance(block, list) and child in block:
            yield from reversed(block[: block.index(child)])


def _binds(statement: ast.stmt, name: str) -> bool:
    """A plain assignment, a `with` or an import: it binds whenever it runs."""
    if isinstance(statement, ast.Assign):
        return any(_has(target, name) for target in statement.targets)
    if isinstance(statement, ast.With):
        return any(_has(item.optional_vars, name) for item in statement.items if item.optional_vars)
    return (
        isinstance(statement, ast.AnnAssign)
        and statement.value is not None
        and _has(statement.target, name)
    )


def _has(target: ast.AST, name: str) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(_has(element, name) for element in target.elts)
    return isinstance(target, ast.Name) and target.id == name
