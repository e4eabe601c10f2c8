"""What of a program goes with its strategy, and what takes its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from ..edits import At, Remove, Replace
from ..facts import Facts
from ..program.node_fields import within
from ._strategies import OnOneDevice
from ._strategy_cluster import read_for
from ._strategy_names import Strategies

Asked = dict[ast.expr, str]


def new_code(facts: Facts, found: Strategies, asked: Asked) -> Iterator[tuple[ast.expr, str]]:
    """The expressions that others take the place of."""
    for call in found.made:
        if not isinstance(facts.parent(call), ast.Attribute):
            if not found.is_plain or is_named_elsewhere(facts, facts.statement(call)):
                yield call, "None"
    yield from ((each, "None") for each in found.classes if isinstance(each, ast.expr))
    for statement in _for_strategies(facts, found, asked):
        if is_named_elsewhere(facts, statement):
            yield statement.value, "None"
    for node, code in asked.items():
        if not _is_named_so(facts, node, code):
            yield node, code


def outermost(facts: Facts, edits: Iterable[At]) -> Iterator[At]:
    """The edits that stand in nothing that another one removes or replaces."""
    edits = list(edits)
    ways_out = {node for at in edits for node in at.along}
    places = {at.place for at in edits if isinstance(at.edit, (Remove, Replace))}
    for at in edits:
        for node in (at.place, *facts.parents(at.place)):
            if node in ways_out:
                yield at
                break
            if node in places and node is not at.place:
                break
        else:
            yield at


def gone(facts: Facts, found: Strategies, asked: Asked) -> set[ast.stmt]:
    """The statements that make strategies, and those that would put a value under its own name."""
    statements: set[ast.stmt] = set(_for_strategies(facts, found, asked))
    for call in found.made if found.is_plain else ():
        if not isinstance(facts.parent(call), ast.Attribute):
            statements.add(facts.statement(call))
    statements = {each for each in statements if not is_named_elsewhere(facts, each)}
    statements.update(
        facts.statement(n) for n, code in asked.items() if _is_named_so(facts, n, code)
    )
    return outer(facts, statements)


def _for_strategies(facts: Facts, found: Strategies, asked: Asked) -> set[ast.Assign]:
    """What gives a name to something of which nothing but strategies is made or asked."""
    return {*found.ingredients(), *read_for(facts, asked)}


def is_named_elsewhere(facts: Facts, statement: ast.stmt) -> bool:
    """Whether another module of the program may import what a module binds there."""
    joined = facts.joined
    if joined is None or not isinstance(statement, ast.Assign) or facts.function(statement):
        return False
    home = joined.home(statement)
    own = {new: target.name for target, new in joined.names.items() if target.path == home}
    nodes = (node for each in statement.targets for node in within(each))
    bound = [own.get(node.id, node.id) for node in nodes if isinstance(node, ast.Name)]
    words = "|".join(map(re.escape, bound))
    others = (text for path, text in joined.texts.items() if path != home)
    is_imported = bool(bound) and home != joined.entry.path
    return is_imported and any(re.search(rf"\b(?:{words})\b", text) for text in others)


def _is_named_so(facts: Facts, node: ast.expr, code: str) -> bool:
    """Whether a value goes to the one name that it has then."""
    parent = facts.parent(node)
    return isinstance(parent, ast.Assign) and [ast.unparse(t) for t in parent.targets] == [code]


def outer(facts: Facts, statements: set[ast.stmt]) -> set[ast.stmt]:
    """The same statements; an `if` that has nothing else goes as a whole."""
    left = set(statements)
    for choice in reversed(facts.index.nodes(ast.If)):  # inner ones first
        inside = {*choice.body, *choice.orelse}
        if inside <= left and is_harmless(choice.test):
            left = left - inside | {choice}
    return left


def is_harmless(test: ast.expr) -> bool:
    """Whether nothing is done where a test isn't asked."""
    calls = [node for node in within(test) if isinstance(node, ast.Call)]
    return all(isinstance(call.func, ast.Name) and call.func.id == "len" for call in calls)


def is_left(device: OnOneDevice, code: str) -> bool:
    """Whether code still asks for a strategy."""
    nodes = [
        node for node in within(ast.parse(code)) if isinstance(node, (ast.Name, ast.Attribute))
    ]
    return any(map(device.is_named, nodes))
