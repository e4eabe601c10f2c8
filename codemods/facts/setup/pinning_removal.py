"""What goes with a program's own choice of a GPU: the statements that serve nothing else."""

from __future__ import annotations

import ast

from ...program.node_fields import within
from ..facts import Facts, recorded
from ..idle_sessions import idle_sessions, is_config, setting
from .pinning import is_device_list, is_pinned_here, repeats_init, statements


@recorded
def pinning(facts: Facts) -> dict[ast.AST, bool]:
    """The statements to remove: the choices, and what served nothing else than them.

    False for those that go with the statement they stand in.
    """
    gone = _with_left_overs(facts, {s for s in statements(facts) if _chooses(facts, s)})
    inside = {inner for s in gone for inner in within(s) if inner is not s}
    ordered = [s for s in statements(facts) if s in gone]
    return {s: s not in inside for s in sorted(ordered, key=lambda s: s not in inside)}


def _chooses(facts: Facts, statement: ast.stmt) -> bool:
    if is_pinned_here(facts, statement) or repeats_init(facts, statement):
        return True
    idle = idle_sessions(facts)
    if not idle or not isinstance(statement, (ast.Assign, ast.Expr)):
        return False
    value = statement.value
    given = value.args[0] if isinstance(value, ast.Call) and value.args else value
    return (facts.origins(given).only if isinstance(given, ast.Name) else given) in idle


def _with_left_overs(facts: Facts, gone: set[ast.stmt]) -> set[ast.stmt]:
    """The statements with all that have no purpose without them, and so on."""
    more = gone
    while more:
        rest = (s for s in statements(facts) if s not in gone)
        more = {s for s in rest if _is_left_over(facts, s, gone)}
        gone = gone | more
    return gone


def _is_left_over(facts: Facts, statement: ast.stmt, gone: set[ast.stmt]) -> bool:
    """Whether a statement has no purpose once those in `gone` have gone."""
    if isinstance(statement, ast.Assign):
        is_unused = _is_unused_list(facts, statement, gone)
        return is_unused or _is_unused_config(facts, statement, gone)
    if not isinstance(statement, (ast.If, ast.For, ast.Try)):
        return False
    if gone.isdisjoint(statement.body) or not gone.issuperset(statement.body + statement.orelse):
        return False
    if isinstance(statement, ast.Try):  # nothing is left for the handlers to catch
        return not statement.finalbody
    if isinstance(statement, ast.For):
        return is_device_list(facts, statement.iter) or _only_looks(statement.iter)
    return _only_looks(statement.test) and not _is_elif(facts, statement)


def _is_unused_list(facts: Facts, statement: ast.Assign, gone: set[ast.stmt]) -> bool:
    """`gpus = tf.config.list_physical_devices("GPU")`, read by nothing but what goes."""
    target = statement.targets[0]
    if len(statement.targets) > 1 or not isinstance(target, ast.Name):
        return False
    if not is_device_list(facts, statement.value):
        return False
    uses = facts.index.loads.get(target.id, [])
    return bool(uses) and all(_goes(facts, use, gone) for use in uses)


def _is_unused_config(facts: Facts, statement: ast.Assign, gone: set[ast.stmt]) -> bool:
    """The configuration of a session that goes, and what is set in it."""
    target = statement.targets[0]
    while isinstance(target, ast.Attribute):
        target = target.value
    made = facts.origins(target).only if isinstance(target, ast.Name) else None
    value = statement.value if statement.targets == [target] else made
    if not isinstance(target, ast.Name) or not is_config(facts, value):
        return False
    uses = [use for use in facts.readers(target) if not setting(facts, use)]
    return bool(uses) and all(_goes(facts, use, gone) for use in uses)


def _goes(facts: Facts, node: ast.AST, gone: set[ast.stmt]) -> bool:
    return any(parent in gone for parent in facts.parents(node))


def _only_looks(test: ast.expr) -> bool:
    return not any(
        isinstance(node, (ast.Call, ast.NamedExpr, ast.Await)) for node in within(test)
    ) or _is_len(test)


def _is_len(test: ast.expr) -> bool:
    calls = [node for node in within(test) if isinstance(node, ast.Call)]
    return all(isinstance(call.func, ast.Name) and call.func.id == "len" for call in calls)


def _is_elif(facts: Facts, statement: ast.If) -> bool:
    parent = facts.parent(statement)
    return isinstance(parent, ast.If) and parent.orelse == [statement]


def unused_names(facts: Facts, gone: dict[ast.AST, bool]) -> dict[ast.AST, tuple[str, ...]]:
    """Names that only the removed statements used, by the import that binds them."""
    removed = {node for statement in gone for node in within(statement)}
    left: dict[ast.AST, tuple[str, ...]] = {}
    for statement in facts.module.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names = (alias.asname or alias.name for alias in statement.names)
            unused = tuple(name for name in names if _is_unused(facts, name, removed))
            if unused:
                left[statement] = unused
    return left


def _is_unused(facts: Facts, name: str, removed: set[ast.AST]) -> bool:
    uses = [use for use in facts.index.loads.get(name, []) if isinstance(use, ast.Name)]
    return bool(uses) and all(use in removed for use in uses)
