"""Flags of Python's around a broadcast in a function that becomes a graph.

The flag is read while TensorFlow traces: where variables are made in the first call it traces
twice, and the graph that runs has no broadcast. A global was run on two workers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts
from ..horovod import calls_of
from ..roles import Role
from ..scopes import Function, FunctionNode

_GRAPH = "tensorflow.function"
_BROADCASTS = ("broadcast_variables", "broadcast_global_variables", "broadcast")


def graph_flags(facts: Facts) -> Iterator[ast.expr]:
    """The tests of such flags: a global, one of an outer function, an attribute, an entry."""
    for call in calls_of(facts, *_BROADCASTS):
        function = facts.function(call)
        if function is not None and _is_graph(facts, function):
            yield from (test for test in _tests(facts, call) if _is_flag(facts, test, function))


def _tests(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    for parent in facts.parents(call):
        if isinstance(parent, FunctionNode):
            return
        if isinstance(parent, ast.If):
            yield parent.test


def _is_flag(facts: Facts, test: ast.expr, function: ast.AST) -> bool:
    """Whether the function sets what the test reads, for the calls that come."""
    outer = {name for node in within(function) for name in _outer_names(node)}
    targets = (t for node in within(function) for t in _targets(node))
    stored = {ast.unparse(t) for t in targets if not isinstance(t, ast.Name) or t.id in outer}
    reads = (n for n in within(test) if isinstance(n, (ast.Name, ast.Attribute, ast.Subscript)))
    return any(ast.unparse(node) in stored for node in reads)


def _outer_names(node: ast.AST) -> list[str]:
    return node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else []


def _targets(node: ast.AST) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else []


def _is_graph(facts: Facts, function: Function) -> bool:
    """Whether TensorFlow makes a graph of it: by a decorator, a call, or Keras' `fit`."""
    decorators = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    if any(facts.name(each) == _GRAPH for each in decorators) or _is_handed_on(facts, function):
        return True
    cls = facts.cls(function) if function.name == "train_step" else None
    return cls is not None and facts.role_of_class(cls) is Role.MODEL


def _is_handed_on(facts: Facts, function: Function) -> bool:
    """`step = tf.function(step)`."""
    given = [arg for call in facts.calls_of(_GRAPH) for arg in call.args[:1]]
    return any(function in facts.program.functions(arg).nodes for arg in given)
