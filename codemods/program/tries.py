"""`try` and `with`: exceptions may come from anywhere inside."""

from __future__ import annotations

import ast
from typing import Union

from .branches import last_call
from .expressions import evaluate
from .loops import forward
from .state import Gates, Key, Meeting, Passage
from .targets import bind_target
from .versions import ENTER, UNBOUND, Version
from .walk import Walk

Bound = dict[Key, list[Version]]


def walk_try(walk: Walk, node: ast.Try) -> None:
    """`try` with or without `finally`."""
    if node.finalbody:
        _finally(walk, node)
    else:
        _guarded(walk, node)


def _guarded(walk: Walk, node: ast.Try) -> None:
    """The body, `else`, and the handlers, which may begin with anything bound in the body."""
    if not node.handlers:
        walk.block(node.body)
        return
    state, condition, start = walk.state, walk.state.condition, len(walk.state.log)
    state.open()
    ends = Meeting(state)
    state.open()
    inside, known = walk.under("branch", node), len(walk.exits)
    walk.block(node.body)
    raised = state.bound_since(start)
    walk.leave(walk.exits[known:])  # `else` runs only where no jump has left the body
    walk.block(node.orelse)
    state.condition = inside
    ends.arrive()
    state.undo()
    state.open()
    state.add(raised)
    if type(node).__name__ == "TryStar":
        _groups(walk, node, ends)
    else:
        is_one = len(node.handlers) == 1
        for handler in node.handlers:
            _handler(walk, handler, ends, last_call(handler.body) if is_one else ())
    state.undo()
    state.condition = condition
    ends.finish()


def _groups(walk: Walk, node: ast.Try, ends: Meeting) -> None:
    """`except*`: each handler may run, one after the other."""
    for handler in node.handlers:
        walk.state.open()
        step = Meeting(walk.state)
        step.arrive()
        _handler(walk, handler, step)
        step.finish()
    ends.arrive()


def _handler(walk: Walk, handler: ast.ExceptHandler, ends: Meeting, gates: Gates = ()) -> None:
    """One handler; its name is gone, whichever way it ends."""
    state = walk.state
    state.open()
    passage = Passage(Meeting(state), Meeting(state))
    evaluate(walk, handler.type)
    last = {}
    if handler.name:
        last = {walk.key(handler.name): UNBOUND}
        walk.bind(handler.name, Version("except", handler))
        walk.passages.append(passage)
    walk.block(handler.body)
    if handler.name:
        walk.unbind(handler.name)
        walk.passages.pop()
    ends.arrive(gates)
    state.undo()
    forward(walk, passage, {k: v for k, v in last.items() if k[0].frame is walk.frame})


def _finally(walk: Walk, node: ast.Try) -> None:
    """`finally` runs whatever happens, and begins with anything that was bound before it."""
    state, start = walk.state, len(walk.state.log)
    state.open()
    normal = Meeting(state)
    passage = Passage(Meeting(state), Meeting(state))
    walk.passages.append(passage)
    state.open()
    _guarded(walk, node)
    normal.arrive()
    state.undo()
    walk.passages.pop()
    last = _last(walk, node, state.bound_since(start))
    if last is not None:
        forward(walk, passage, last)
    normal.finish()
    if last is None:
        state.is_dead = True
    elif not state.is_dead:
        for key, version in last.items():
            state.set(key, version)


def _last(walk: Walk, node: ast.Try, bound: Bound) -> dict[Key, Version] | None:
    """What `finally` itself binds; None if it jumps, which cancels all that led to it."""
    state = walk.state
    was_dead = state.is_dead
    state.open()
    state.add(bound)
    state.is_dead = was_dead
    state.open()
    walk.block(node.finalbody)
    is_dead = state.is_dead
    changed = state.keep()
    last = {key: state.get(key) for key in changed}
    state.undo()
    return None if is_dead and not was_dead else last


With = Union[ast.With, ast.AsyncWith]


def walk_with(walk: Walk, node: With) -> None:
    """`with`; if a context manager swallows exceptions, only a part of the body may have run."""
    state, (first, *others) = walk.state, node.items
    evaluate(walk, first.context_expr)
    is_sure = first.optional_vars is None or isinstance(first.optional_vars, ast.Name)
    if is_sure:  # an exception before it is not raised inside
        _enter(walk, first)
    state.open()
    start = len(state.log)
    if not is_sure:
        _enter(walk, first)
    for item in others:
        evaluate(walk, item.context_expr)
        _enter(walk, item)
    walk.block(node.body)
    changed: dict[Key, Version] = {}
    if state.is_dead:
        state.undo()
    else:
        changed = state.keep()
    contexts = tuple(item.context_expr for item in node.items)
    for key, versions in state.bound_since(start).items():
        before = changed.get(key, state.get(key))
        args = list(dict.fromkeys([state.get(key), before, *versions]))
        if len(args) > 1:
            state.set(key, Version("swallow", args=args, tests=contexts))


def _enter(walk: Walk, item: ast.withitem) -> None:
    if item.optional_vars is not None:
        parts = bind_target(walk, item.optional_vars, item.context_expr, (ENTER,), "with")
        evaluate(walk, *parts)
