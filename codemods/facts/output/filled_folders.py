"""Folders that are made and filled where a test has not found them: for rank 0 alone.

A worker that made the folder first would let rank 0 find it, and write nothing into it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...library import files
from ...library.downloads import BUILDS, UNPACKS, download
from ...program.node_fields import within
from ..by_rank import depends_on_rank
from ..facts import Facts
from ..training.call_graph import CallGraph, call_graph
from .folders import asks_for_existence, is_temporary
from .path_domain import is_path

Writes = Callable[[ast.Call], bool]


def makes_folder(facts: Facts, call: ast.Call) -> bool:
    """Whether a call makes a folder."""
    name, func = facts.name(call.func), call.func
    if name is not None:
        return files.makes_folder(name)
    return isinstance(func, ast.Attribute) and func.attr == "mkdir" and is_path(facts, func.value)


def filled(facts: Facts, writes: Writes) -> frozenset[ast.Call]:
    """The calls that make a folder only where a test has not found it, as what fills it."""
    made = {c for c in facts.index.calls if makes_folder(facts, c) and not _is_own(facts, c)}
    if not made:
        return frozenset()
    graph = call_graph(facts)
    found: set[ast.Call] = set()
    for block in _unless_there(facts):
        calls = _calls(block)
        run = [*calls, *_calls(home for call in calls for home in _running(graph, call))]
        if any(map(writes, run)) and not any(_downloads(facts, call) for call in run):
            found.update(calls)
    return frozenset(made & _with_helpers(facts, found))


def _is_own(facts: Facts, call: ast.Call) -> bool:
    """Whether every worker has such a folder of its own."""
    given = [*call.args, call.func]
    return any(depends_on_rank(facts, path) or is_temporary(facts, path) for path in given)


def _unless_there(facts: Facts) -> Iterator[list[ast.stmt]]:
    """What is only run where a test has not found a file or a folder."""
    for node in within(facts.module):
        if not isinstance(node, ast.If):
            continue
        tested = list(facts.program.ingredients(node.test))
        if not any(asks_for_existence(facts, each) for each in tested):
            continue
        if any(map(_negates, tested)):
            yield node.body
        else:
            yield node.orelse
            if isinstance(node.body[-1], (ast.Return, ast.Continue)):
                block, number = facts.block(node)
                yield block[number + 1 :]


def _negates(node: ast.AST) -> bool:
    """`not found`, `found is False`."""
    if isinstance(node, ast.Compare):
        return any(isinstance(c, ast.Constant) and c.value is False for c in node.comparators)
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _calls(nodes: Iterator[ast.AST] | list[ast.stmt]) -> list[ast.Call]:
    return [node for each in nodes for node in within(each) if isinstance(node, ast.Call)]


def _running(graph: CallGraph, call: ast.Call) -> Iterator[ast.AST]:
    for function in graph.called(call):
        yield from graph.running(function)


def _downloads(facts: Facts, call: ast.Call) -> bool:
    """Whether the workers take turns there (D207), so that each finds what is missing."""
    name = facts.name(call.func)
    if name is None:
        return isinstance(call.func, ast.Attribute) and call.func.attr in (BUILDS, UNPACKS)
    return download(name) is not None


def _with_helpers(facts: Facts, found: set[ast.Call]) -> set[ast.Call]:
    """With the calls in functions that are called from nowhere else."""
    rest = list(found)
    while rest:
        home = facts.callee(rest.pop())
        sites = [] if home is None else facts.call_sites(home)
        if home is None or not found.issuperset(sites) or facts.values.escapes(home):
            continue
        inner = [call for call in _calls([*_body(home)]) if call not in found]
        found.update(inner)
        rest.extend(inner)
    return found


def _body(home: ast.AST) -> list[ast.stmt]:
    body = getattr(home, "body", [])
    return body if isinstance(body, list) else []
