"""`if` and `match`: one of several branches runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from .expressions import evaluate
from .node_fields import children, within
from .parts import bound_names
from .state import Gates, Meeting
from .targets import elements
from .versions import Path, Version, any_of
from .walk import Walk


def walk_if(walk: Walk, node: ast.If) -> None:
    """`if`, `elif` … are one choice with many branches: a long chain makes no deep nesting."""
    state, condition = walk.state, walk.state.condition
    state.open()
    ends = Meeting(state)
    first, is_plain = node, not _elif(node)  # of a chain nobody can tell which test is asked at all
    while True:
        evaluate(walk, node.test)
        walk.under("branch", node.test)
        gates = _gates("true", node) if is_plain else ()
        _arm(walk, ends, node.body, gates, never=is_false(node.test))
        if is_true(node.test):
            state.is_dead = True
        following = _elif(node)
        if following is None:
            break
        node = following
        walk.note(node)
    _arm(walk, ends, node.orelse, _gates("false", first) if is_plain else ())
    state.condition = condition
    ends.finish()


def _elif(node: ast.If) -> ast.If | None:
    is_chain = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
    return cast(ast.If, node.orelse[0]) if is_chain else None


def _arm(
    walk: Walk, ends: Meeting, body: list[ast.stmt], gates: Gates = (), never: bool = False
) -> None:
    walk.state.open()
    walk.state.is_dead |= never
    walk.block(body)
    ends.arrive(gates)
    walk.state.undo()


def _gates(kind: str, node: ast.If) -> Gates:
    """What decides later whether an arm runs and ends: its test, a call that may never return."""
    test = ((kind, node.test),) if _may_be_constant(node.test) else ()
    return (*test, *last_call(node.body if kind == "true" else node.orelse))


def last_call(body: list[ast.stmt]) -> Gates:
    """The call at the end of a block: if it never returns (`sys.exit`), the block has no end."""
    last = body[-1] if body else None
    is_call = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
    return (("returns", cast(ast.Expr, last).value),) if is_call else ()


def _may_be_constant(test: ast.AST) -> bool:
    """Whether a test looks like one whose outcome may be known: `DEBUG`, `__name__ == "x"`."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if isinstance(test, ast.Compare) and all(isinstance(c, ast.Constant) for c in test.comparators):
        test = test.left
    return isinstance(test, (ast.Name, ast.Attribute))


def is_true(test: ast.AST) -> bool:
    """Whether a test is a constant that is true (`while True:`)."""
    return isinstance(test, ast.Constant) and bool(test.value)


def is_false(test: ast.AST) -> bool:
    """Whether a test is a constant that is false (`if 0:`)."""
    return isinstance(test, ast.Constant) and not test.value


def walk_match(walk: Walk, node: ast.AST) -> None:
    """`match`: the first case that fits. One that doesn't may have bound names all the same."""
    state, condition = walk.state, walk.state.condition
    subject: ast.expr = node.subject  # type: ignore[attr-defined]
    evaluate(walk, subject)
    state.open()
    ends = Meeting(state)
    for case in node.cases:  # type: ignore[attr-defined]
        _case(walk, case, subject, ends)
    ends.arrive()
    state.condition = condition
    ends.finish()


def _case(walk: Walk, case: ast.AST, subject: ast.expr, ends: Meeting) -> None:
    """One case; behind it everything is as it was, but for what it may have bound."""
    state = walk.state
    pattern, guard = case.pattern, case.guard  # type: ignore[attr-defined]
    evaluate(walk, *_values(pattern))
    captures = list(_captures(pattern, subject))
    walk.under("branch", *filter(None, (subject, guard)))
    state.open()
    failed = Meeting(state)
    state.open()
    state.is_dead |= _fits_all(pattern)
    for name, version in captures:
        key = walk.key(name)
        if key[0].frame is walk.frame:
            state.set(key, any_of([state.get(key), version], [subject]))
    failed.arrive()
    state.undo()
    for name, version in captures:
        walk.bind(name, version)
    if guard is not None:
        evaluate(walk, guard)
        failed.arrive()
    _arm(walk, ends, case.body)  # type: ignore[attr-defined]
    failed.finish()


def _fits_all(pattern: ast.AST) -> bool:
    """Whether a pattern fits everything: `_`, a name, one of these behind `|`."""
    while type(pattern).__name__ in ("MatchAs", "MatchOr"):
        if isinstance(getattr(pattern, "patterns", None), list):
            pattern = pattern.patterns[-1]  # type: ignore[attr-defined]
        elif pattern.pattern is None:  # type: ignore[attr-defined]
            return True
        else:
            pattern = pattern.pattern  # type: ignore[attr-defined]
    return False


def _values(pattern: ast.AST) -> Iterator[ast.AST]:
    """The expressions that a pattern compares with."""
    for part in within(pattern):
        for child in children(part):
            if isinstance(child, ast.expr) and not isinstance(part, ast.expr):
                yield child


def _captures(pattern: ast.AST, subject: ast.AST) -> Iterator[tuple[str, Version]]:
    """The names that a pattern binds; the value is the subject where the path to it is known."""
    stack: list[tuple[ast.AST, Path | None]] = [(pattern, ())]
    while stack:
        part, path = stack.pop()
        for name in bound_names(part):
            inside = path is None or type(part).__name__ == "MatchMapping"
            value = None if inside else subject
            yield name, Version("match", part, value, path or ())
        stack += reversed(list(_parts(part, path)))


def _parts(part: ast.AST, path: Path | None) -> Iterator[tuple[ast.AST, Path | None]]:
    kind = type(part).__name__
    if kind == "MatchSequence" and path is not None:
        yield from elements(part.patterns, path)  # type: ignore[attr-defined]
    elif kind in ("MatchAs", "MatchOr"):
        yield from ((child, path) for child in children(part))
    else:
        yield from ((child, None) for child in children(part))
