"""Where a program starts Horovod itself, and what of it runs before that."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts, recorded
from ..horovod import calls_of
from ..scopes import FunctionNode
from ..training.pattern import training_of

_CONDITIONS = (ast.If, ast.IfExp, ast.For, ast.While, ast.Try, ast.Lambda)


def starts(facts: Facts) -> list[ast.Call]:
    """The calls of `hvd.init()`."""
    return list(calls_of(facts, "init"))


@recorded
def way_to_start(facts: Facts) -> list[ast.Call]:
    """The first call of `hvd.init()`, that of the function around it, and so on to the module.

    Empty where it may be left out, or where it can't be told when it runs.
    """
    found = starts(facts)[:1]
    while found and facts.function(found[-1]) is not None:
        function = facts.function(found[-1])
        sites = facts.call_sites(function) if function is not None else []
        if len(sites) != 1 or facts.values.escapes(function) or sites[0] in found:  # type: ignore[arg-type]
            return []
        found.append(sites[0])
    return [] if any(_is_conditional(facts, call) for call in found) else found


def _is_conditional(facts: Facts, call: ast.Call) -> bool:
    for parent in facts.parents(call):
        if isinstance(parent, FunctionNode):
            return False
        if isinstance(parent, _CONDITIONS) and not _is_main(parent):
            return True
    return False


def _is_main(node: ast.AST) -> bool:
    test = getattr(node, "test", None)
    return test is not None and any(getattr(n, "id", "") == "__name__" for n in within(test))


def started_in(facts: Facts) -> ast.stmt | None:
    """The statement of the module in which Horovod is started."""
    way = way_to_start(facts)
    if not way:
        return None
    inside = [s for s in facts.module.body if s in set(_around(facts, way[-1]))]
    return inside[0] if inside else None


def _around(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    yield node
    yield from facts.parents(node)


def is_before_start(facts: Facts, node: ast.AST) -> bool:
    """Whether it runs before a `hvd.init()` that stands in a function: a call there is an error."""
    for call in way_to_start(facts):
        home = facts.function(call)
        if home is facts.function(node) and home is not None:
            return _position(node) < _position(call)
    early = _early(facts)
    return bool(early) and any(parent in early for parent in facts.parents(node))


@recorded
def _early(facts: Facts) -> frozenset[ast.AST]:
    """The functions that run before Horovod is started."""
    return frozenset(f for call in way_to_start(facts) for f in _run_before(facts, call))


def _run_before(facts: Facts, call: ast.Call) -> set[ast.AST]:
    """The functions that are called above a call in the same function."""
    home = facts.function(call)
    earlier = (c for c in facts.index.calls if facts.function(c) is home and c is not call)
    called = (facts.callee(c) for c in earlier if _position(c) < _position(call))
    around = set(_around(facts, call))
    found = {f for each in called if each is not None for f in training_of(facts).reached(each)}
    return found - around - {facts.module}


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
