"""Loops, and the jumps that leave them or the function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from .branches import is_false, is_true
from .expressions import evaluate
from .node_fields import children, nodes_in
from .parts import (
    COMPREHENSIONS,
    FUNCTIONS,
    SCOPES,
    TYPE_PARAMETERS,
    bound_names,
    inner_parts,
    outer_parts,
    typed_parts,
)
from .scope import Scope
from .scopes import Scopes
from .state import Key, Meeting, Passage
from .targets import bind_target
from .versions import EACH, Condition, Exit, Version
from .walk import Walk

For = Union[ast.For, ast.AsyncFor]
_JUMPS: dict[type, str] = {
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Return: "return",
    ast.Raise: "raise",
}


def walk_loop(walk: Walk, node: For | ast.While) -> None:
    """A loop: at its head the state before it meets those at the ends of its rounds."""
    state, condition = walk.state, walk.state.condition
    if not isinstance(node, ast.While):
        walk.record.iterables[node.iter] = None
        evaluate(walk, node.iter)
    state.open()
    behind = Meeting(state)
    heads = _heads(walk, node)
    test = node.test if isinstance(node, ast.While) else node.iter
    tests = _rounds(walk, node, test, behind, heads)
    state.condition = condition
    walk.under("loop", *tests)
    state.is_dead |= is_true(test) and isinstance(node, ast.While)
    walk.block(node.orelse)
    behind.arrive()
    state.condition = condition
    behind.finish()


def _heads(walk: Walk, node: For | ast.While) -> dict[Key, Version]:
    """A version at the head of the loop for each variable that it binds."""
    state, scopes = walk.state, walk.record.scopes
    keys = dict.fromkeys(_assigned(node, walk.scope, scopes))
    heads = {key: Version("join", args=[state.get(key)]) for key in keys}
    for key, head in heads.items():
        state.set(key, head)
    return heads


def _assigned(statement: ast.AST, scope: Scope, scopes: Scopes) -> Iterator[Key]:
    """Each variable that code of a statement binds in the frame of `scope`, with its owner."""
    stack = [(part, scope) for part in nodes_in(statement)]
    while stack:
        node, scope = stack.pop()
        scopes.steps += 1
        if isinstance(node, TYPE_PARAMETERS):
            continue
        for name in bound_names(node):
            owner = scope.find(name) or scope.module
            if owner.frame is scope.frame and not isinstance(owner.node, COMPREHENSIONS):
                yield owner, name
        if not isinstance(node, SCOPES):
            stack += [(part, scope) for part in nodes_in(node)]
            continue
        stack += [(part, scope) for part in (*outer_parts(node), *typed_parts(node))]
        if not isinstance(node, FUNCTIONS):
            stack += [(part, scopes.of[node]) for part in inner_parts(node)]


def _rounds(
    walk: Walk, node: For | ast.While, test: ast.expr, behind: Meeting, heads: dict[Key, Version]
) -> list[ast.AST]:
    """One round, for all; returns the tests that decide whether there is another one."""
    state, known = walk.state, len(walk.exits)
    walk.loops += 1
    state.open()
    again = Meeting(state)
    if isinstance(node, ast.While):
        evaluate(walk, node.test)
    inside = walk.under("loop", test)
    state.open()
    state.is_dead |= is_false(test) and isinstance(node, ast.While)
    walk.passages.append(Passage(behind, again))
    if not isinstance(node, ast.While):
        evaluate(walk, *bind_target(walk, node.target, node.iter, (EACH,), "for"))
    walk.block(node.body)
    again.arrive()
    walk.passages.pop()
    state.undo()
    state.keep()
    walk.loops -= 1
    _close(walk, inside, known)
    behind.add_tests(inside)
    _feed(walk, heads, again, behind)
    return inside.tests


def _close(walk: Walk, inside: Condition, known: int) -> None:
    """What leaves the loop ends its rounds, so all of a round depends on that too."""
    exits = walk.exits[known:]
    leaving = [found for found in exits if found.kind in ("break", "return")]
    tests = walk.tests_between(leaving, inside)
    inside.tests.extend(test for test in tests if test not in inside.tests[:1])
    inside.jumps = [found.node for found in leaving]
    walk.exits[known:] = [found for found in exits if found.kind in ("return", "raise")]


def _feed(walk: Walk, heads: dict[Key, Version], again: Meeting, behind: Meeting) -> None:
    """Let the heads stand for the ends of the rounds too."""
    tests = tuple(dict.fromkeys([*again.tests, *behind.tests]))
    for key, head in heads.items():
        assert head.args is not None
        head.tests = tests
        for version in again.versions.get(key, ()):
            walk.state.steps += 1
            if version is not head and version is not head.args[0]:
                head.args.append(version)


def walk_jump(walk: Walk, node: ast.AST) -> None:
    """`break`, `continue`, `return`, `raise`: nothing gets behind it."""
    for child in children(node):
        evaluate(walk, child)
    if walk.state.is_dead:
        return
    kind = _JUMPS[type(node)]
    walk.exits.append(Exit(kind, walk.state.condition, node))
    if kind in ("break", "continue") and walk.passages:
        passage = walk.passages[-1]
        (passage.breaks if kind == "break" else passage.continues).arrive()
    walk.state.is_dead = True


def forward(walk: Walk, passage: Passage, last: dict[Key, Version]) -> None:
    """Let the jumps that left a block go on, when what it does at its end is done too."""
    state = walk.state
    if not walk.passages:
        return
    to = walk.passages[-1]
    for meeting, target in ((passage.breaks, to.breaks), (passage.continues, to.continues)):
        if not meeting.count:
            continue
        state.open()
        state.is_dead = False
        meeting.lay()
        for key, version in last.items():
            state.set(key, version)
        target.arrive()
        target.add_tests(_chain(meeting))
        state.undo()


def _chain(meeting: Meeting) -> Condition | None:
    return Condition("branch", list(meeting.tests), None) if meeting.tests else None
