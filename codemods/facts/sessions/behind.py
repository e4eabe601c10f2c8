"""Behind which statement all workers come together again once some of them have restored.

`if checkpoint: saver.restore(…)` may hold on one worker alone. So may what a function does that
tells whether it has: `if checkpoint: saver.restore(…); return True`. All workers meet where it is
called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..agreement.control import disagreements
from ..facts import Facts
from ..passed_arguments import passed
from ..scopes import FunctionNode
from ..training.training_loops import trains

_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Raise)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Meeting(NamedTuple):
    """A statement, and the session of whoever comes there, with its text where it has no node.

    `site` is the call of a function that may have restored, and may tell how far it had come.
    """

    statement: ast.stmt
    session: ast.expr | None
    written: str = ""
    site: ast.Call | None = None


def meetings(facts: Facts, call: ast.Call, session: ast.expr | None) -> tuple[Meeting, ...]:
    """The places behind a call that every worker comes to, whoever has left it out."""
    here = Meeting(_around(facts, facts.statement(call)), session)
    return tuple(_outside(facts, here, ())) or (here,)


def _around(facts: Facts, statement: ast.stmt) -> ast.stmt:
    """The statement, or the outermost `if` or `try` around it in which nothing leaves the block."""
    for parent in facts.parents(statement):
        if isinstance(parent, ast.ExceptHandler):
            continue
        if not isinstance(parent, (ast.If, ast.Try)) or _leaves(facts, parent):
            break
        statement = parent
    return statement


def _leaves(facts: Facts, statement: ast.stmt) -> bool:
    """Whether the block may end in it; what is raised where nobody catches it ends the worker."""
    found = [type(node) for node in within(statement) if isinstance(node, _LEAVES)]
    return bool(found) and (
        any(kind is not ast.Raise for kind in found) or _is_caught(facts, statement)
    )


def _is_caught(facts: Facts, statement: ast.stmt) -> bool:
    around = (*within(statement), *facts.parents(statement))
    return any(isinstance(node, ast.Try) for node in around)


def _outside(facts: Facts, place: Meeting, seen: tuple[ast.AST, ...]) -> Iterator[Meeting]:
    """The place itself, or those behind the calls of a function that may not come to it.

    Nothing where one of these can't be told.
    """
    if not _may_be_left_out(facts, place.statement):
        yield place
        return
    function = facts.function(place.statement)
    if (
        not isinstance(function, ast.FunctionDef)
        or function in seen
        or not _returns(facts, function)
    ):
        return
    found: list[Meeting] = []
    for site in facts.call_sites(function):
        there = _at(facts, site, function, place)
        further = [] if there is None else [*_outside(facts, there, (*seen, function))]
        if not further:
            return
        found += further
    yield from found


def _may_be_left_out(facts: Facts, statement: ast.stmt) -> bool:
    return any(True for _ in disagreements(facts, statement))


def _returns(facts: Facts, function: ast.FunctionDef) -> bool:
    """Whether all its calls are seen, and nothing is trained before it comes back."""
    waits = (ast.Yield, ast.YieldFrom)
    is_plain = not any(isinstance(node, waits) for node in within(function))
    return is_plain and not trains(facts, function) and not facts.values.escapes(function)


def _at(facts: Facts, site: ast.Call, function: ast.FunctionDef, place: Meeting) -> Meeting | None:
    """What stands behind a call of a function, and which session that is there."""
    statement = facts.statement(site)
    is_plain = isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign, ast.If))
    if not is_plain or _lies_in_body(facts, site, statement) or place.written:
        return None
    if isinstance(statement, ast.If) and (_leaves(facts, statement) or trains(facts, statement)):
        return None
    named = _session(facts, site, function, place.session)
    return None if named is None else Meeting(_around(facts, statement), *named, site)


def _lies_in_body(facts: Facts, site: ast.Call, statement: ast.stmt) -> bool:
    """Whether it runs later than the statement: in a lambda."""
    around = []
    for parent in facts.parents(site):
        if parent is statement:
            break
        around.append(parent)
    return any(isinstance(parent, (ast.Lambda, *FunctionNode)) for parent in around)


def _session(
    facts: Facts, site: ast.Call, function: ast.FunctionDef, session: ast.expr | None
) -> tuple[ast.expr | None, str] | None:
    """The session of a function as its caller spells it; None where that can't be told."""
    if session is None:
        return None, ""
    root = session
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return None
    kinds = {binding.node for binding in facts.names.bindings(root)}
    parameter = next((a for a in _parameters(function) if a.arg == root.id and a in kinds), None)
    if parameter is None:
        return (session, "") if _is_of_module(facts, root) else None
    given = _given(facts, site, function, parameter)
    if not isinstance(given, (ast.Name, ast.Attribute)) or len(kinds) != 1:
        return None
    text = ast.unparse(given) + ast.unparse(session)[len(root.id) :]
    return (given if root is session else session), text


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _given(
    facts: Facts, site: ast.Call, function: ast.FunctionDef, parameter: ast.arg
) -> ast.AST | None:
    """What stands for a parameter; for `self` it is what the method is called on."""
    is_method = facts.classes.method_of(function) is not None
    if is_method and parameter is _parameters(function)[0]:
        return site.func.value if isinstance(site.func, ast.Attribute) else None
    return passed(site, function, parameter, facts.classes)


def _is_of_module(facts: Facts, name: ast.Name) -> bool:
    """Whether a name is one of the module, which every function sees that has none of its own."""
    return all(facts.function(binding.node) is None for binding in facts.names.bindings(name))
