"""Expressions, in the order in which Python evaluates them; no depth of nesting costs recursion."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Optional, Union, cast

from .node_fields import nodes_in
from .parts import COMPREHENSIONS, results
from .scope import around
from .targets import bind_target
from .versions import EACH, Condition, Version
from .walk import Walk

Part = Union[ast.AST, Callable[[], None]]  # what is evaluated next, or done then
Item = tuple[Part, Optional[Condition]]
_CONSUMERS = frozenset(
    [
        "all",
        "any",
        "bytes",
        "dict",
        "frozenset",
        "list",
        "max",
        "min",
        "set",
        "sorted",
        "sum",
        "tuple",
    ]
)
_CHOICES = (ast.BoolOp, ast.IfExp, ast.Compare)
_SPECIAL = frozenset((ast.NamedExpr, ast.Lambda, ast.Call, *COMPREHENSIONS, *_CHOICES))


def evaluate(walk: Walk, *roots: ast.AST | None) -> None:
    """Walk over expressions, one after the other."""
    condition = walk.state.condition
    stack: list[Item] = [(root, condition) for root in reversed(roots) if root is not None]
    while stack:
        part, here = stack.pop()
        walk.state.steps += 1
        if type(part) is ast.Name:
            if isinstance(part.ctx, ast.Load):
                walk.read(part)
            continue
        walk.state.condition = here
        if here is not condition and isinstance(part, ast.AST):
            walk.note(part)
        if type(part) in _SPECIAL:
            stack += reversed(list(_parts(walk, cast(ast.AST, part), condition)))
        elif isinstance(part, ast.AST):
            stack += [(inner, here) for inner in nodes_in(part)]
        else:
            part()
    walk.state.condition = condition


def _parts(walk: Walk, node: ast.AST, certain: Condition | None) -> Iterator[Item]:
    here = walk.state.condition
    if isinstance(node, ast.NamedExpr):
        yield node.value, here
        yield lambda: _bind_walrus(walk, node, certain), here
    elif isinstance(node, ast.Lambda):
        yield from ((d, here) for d in (*node.args.defaults, *node.args.kw_defaults) if d)
        yield lambda: walk.define(node), here
    elif isinstance(node, COMPREHENSIONS):
        yield from _comprehension(walk, node)
    elif isinstance(node, ast.Call):
        if node.args and _consumes(walk, node.func):
            walk.consumed.add(node.args[0])
        yield from ((part, here) for part in reversed(nodes_in(node)))
        yield lambda: walk.call(node.func), here
    else:
        yield from _choice(node, here)


def _consumes(walk: Walk, function: ast.expr) -> bool:
    """Whether a call goes through its first argument at once, if that is a generator."""
    if isinstance(function, ast.Attribute):  # ", ".join
        return function.attr == "join" and isinstance(function.value, ast.Constant)
    is_known = isinstance(function, ast.Name) and function.id in _CONSUMERS
    return is_known and walk.scope.find(cast(ast.Name, function).id) is None


def _choice(node: ast.AST, here: Condition | None) -> Iterator[Item]:
    """What is always evaluated, and what only if that comes out so."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield value, here
            here = Condition("branch", [value], here)
    elif isinstance(node, ast.IfExp):
        yield node.test, here
        choice = Condition("branch", [node.test], here)
        yield node.body, choice
        yield node.orelse, choice
    else:
        assert isinstance(node, ast.Compare)
        yield node.left, here
        yield node.comparators[0], here
        choice = Condition("branch", [node], here)
        yield from ((value, choice) for value in node.comparators[1:])


def _bind_walrus(walk: Walk, node: ast.NamedExpr, certain: Condition | None) -> None:
    """`:=`; where it may not be evaluated at all, the variable may keep what it held."""
    scope = around(walk.scope)
    key = scope.find(node.target.id) or scope.module, node.target.id
    before, tests = walk.state.get(key), []
    condition = walk.state.condition
    walk.bind(node.target.id, Version("assign", node.target, node.value), scope)
    while condition is not None and condition is not certain:
        tests += condition.tests
        condition = condition.outer
    if tests and key[0].frame is walk.frame:
        walk.state.set(key, Version("join", args=[before, walk.state.get(key)], tests=tests))


def _comprehension(walk: Walk, node: ast.AST) -> Iterator[Item]:
    """The first iterable, then inside: each target, its tests, the others, and the element."""
    outside, was_lazy, is_consumed = walk.scope, walk.is_lazy, node in walk.consumed
    scope = walk.record.scopes.of[node]
    heads = {}
    here = walk.state.condition

    def enter() -> None:
        walk.scope = scope
        walk.is_lazy = was_lazy or (isinstance(node, ast.GeneratorExp) and not is_consumed)
        for name in sorted(scope.walruses):  # the round before may have bound them
            key = walk.key(name)
            heads[key] = Version("join", args=[walk.state.get(key)], tests=[node])
            if key[0].frame is walk.frame:
                walk.state.set(key, heads[key])

    def leave() -> None:
        walk.scope, walk.is_lazy = outside, was_lazy
        for key, head in heads.items():
            assert head.args is not None
            if walk.state.get(key) is not head:
                head.args.append(walk.state.get(key))

    for number, generator in enumerate(node.generators):  # type: ignore[attr-defined]
        walk.record.iterables[generator.iter] = None
        yield generator.iter, here
        here = Condition("loop", [generator.iter], here)
        if number == 0:
            yield enter, here
        yield _binder(walk, generator), here
        for test in generator.ifs:
            yield test, here
            here = Condition("branch", [test], here)
    yield from ((result, here) for result in results(node))
    yield leave, here


def _binder(walk: Walk, generator: ast.comprehension) -> Callable[[], None]:
    def bind() -> None:
        for part in bind_target(walk, generator.target, generator.iter, (EACH,), "for"):
            evaluate(walk, part)

    return bind
