"""Whether every worker takes the same path to the training step.

Each training step averages gradients, and waits for all workers. A worker that leaves its loop, or
skips a step, because of a value of its own (its loss, its clock, its random numbers) leaves the
others waiting for ever. A value is *shared* when every worker computes the same one: constants,
arguments of the command line, counters, lengths.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ..facts import Facts
from ..scopes import FunctionNode
from .shared_values import SharedValues

Exit = Union[ast.Break, ast.Continue, ast.Return]
Condition = Union[ast.expr, Exit]
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Control:
    """Decides which conditions on the way to a training call every worker answers alike."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.is_shared = SharedValues(facts, self).has

    def disagreements(self, place: ast.AST) -> Iterator[Condition]:
        """Conditions around `place`, and exits before it, that workers may decide differently."""
        seen: set[ast.AST] = set()
        queue: list[ast.AST] = [place]
        while queue:
            node = queue.pop()
            if node in seen:
                continue
            seen.add(node)
            yield from self._around(node)
            function = self._facts.function(node)
            if function is not None:
                yield from self._exits(function, node)
                queue.extend(self._facts.call_sites(function))

    # -- conditions around a node, up to its function -----------------------------------------

    def _around(self, node: ast.AST) -> Iterator[Condition]:
        child = node
        for parent in self._facts.parents(node):
            if isinstance(parent, (*FunctionNode, ast.Lambda, ast.ClassDef)):
                return
            test = _test(parent, child)
            if test is not None and not self.is_shared(test):
                yield test
            if isinstance(parent, _LOOPS) and child not in parent.orelse:
                yield from self._exits(parent, child)
            child = parent

    def _exits(self, home: ast.AST, node: ast.AST) -> Iterator[Exit]:
        """`break`, `continue`, `return` of a loop or function under a condition of one's own."""
        for found in _exits_of(home):
            harmless = isinstance(found, ast.Continue) or home not in self._facts.index.parents
            comes_later = found.lineno > (getattr(node, "end_lineno", None) or 0)
            if comes_later and (harmless or not isinstance(home, _LOOPS)):
                continue
            if not all(self.is_shared(test) for test in self.tests_between(found, home)):
                yield found

    def tests_between(self, node: ast.AST, home: ast.AST | None) -> Iterator[ast.expr]:
        """The conditions around a node, up to `home` or its function."""
        child = node
        for parent in self._facts.parents(node):
            if parent is home or isinstance(parent, FunctionNode):
                return
            test = _test(parent, child)
            if test is not None:
                yield test
            child = parent


def runs_alike(facts: Facts, place: ast.AST) -> bool:
    """Whether every worker comes to a place equally often: a collective may stand there."""
    seen: set[ast.AST] = set()
    queue: list[ast.AST] = [place]
    while queue:
        home = facts.function(queue.pop())
        if home is not None and home not in seen:
            seen.add(home)
            sites = facts.call_sites(home)
            if not _is_plainly_called(facts, home, bool(sites)):
                return False
            queue.extend(sites)
    return not any(True for _ in Control(facts).disagreements(place))


def _is_plainly_called(facts: Facts, function: ast.AST, has_sites: bool) -> bool:
    """Not by a dataset, a thread or Keras; `app.run(main)` is a call."""
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function)):
        return False
    if not facts.values.escapes(function):
        return has_sites
    uses = facts.index.loads.get(function.name, [])  # type: ignore[attr-defined]
    return all(_is_started(facts, facts.parent(use), use) for use in uses)


def _is_started(facts: Facts, call: ast.AST | None, use: ast.AST) -> bool:
    if not isinstance(call, ast.Call):
        return False
    return call.func is use or (facts.name(call.func) or "").endswith("app.run")


def _test(parent: ast.AST, child: ast.AST) -> ast.expr | None:
    """The condition of `parent` under which `child` runs."""
    if isinstance(parent, ast.While):
        return parent.test  # what stands in the test runs again while it holds
    if isinstance(parent, (ast.If, ast.IfExp)) and child is not parent.test:
        return parent.test
    if isinstance(parent, ast.BoolOp) and child is not parent.values[0]:
        return parent.values[0]
    return None


def _exits_of(home: ast.AST) -> Iterator[Exit]:
    """Statements that leave a loop (or a round of it) or a function early."""
    stack = [(node, isinstance(home, _LOOPS)) for node in ast.iter_child_nodes(home)]
    while stack:
        node, is_own_loop = stack.pop()
        if isinstance(node, ast.Return) or (
            is_own_loop and isinstance(node, (ast.Break, ast.Continue))
        ):
            yield node
        elif isinstance(node, ast.stmt) and not isinstance(node, (*FunctionNode, ast.ClassDef)):
            inner = is_own_loop and not isinstance(node, _LOOPS)
            stack.extend((child, inner) for child in ast.iter_child_nodes(node))
        elif isinstance(node, ast.ExceptHandler) or type(node).__name__ == "match_case":
            stack.extend((child, is_own_loop) for child in ast.iter_child_nodes(node))
