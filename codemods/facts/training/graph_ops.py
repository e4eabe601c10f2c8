"""Training operations of TensorFlow 1: they only make a graph, which a session or Estimator runs.

`AdamOptimizer(0.1).minimize(loss)` is no loop, unlike `minimize(lambda: …)`, which trains at once.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Callable

from ...library.optimizers import V1
from ...program.node_fields import within
from ..facts import Facts, recorded
from ..roles import Role
from ..scopes import FunctionNode
from .sources import VARIABLES


def may_be_graph_op(facts: Facts, call: ast.Call) -> bool:
    """Whether a session of the same file can be what runs it: the call itself trains nothing."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr == "minimize":
        return not computes_gradients(facts, call)
    return not any(True for _ in facts.creations(Role.TAPE))


def is_graph_op(facts: Facts, call: ast.Call) -> bool:
    """Whether it is `minimize(loss)` of an optimizer of TensorFlow 1."""
    assert isinstance(call.func, ast.Attribute)
    is_op = call.func.attr == "minimize" and not computes_gradients(facts, call)
    return is_op and any(_is_v1(facts, n) for n in facts.origins(call.func.value).nodes)


def _is_v1(facts: Facts, node: ast.AST) -> bool:
    is_optimizer = isinstance(node, ast.Call) and facts.made_by(node) is Role.OPTIMIZER
    return is_optimizer and (facts.kind(node) or "").startswith(V1)  # type: ignore[arg-type]


def computes_gradients(facts: Facts, call: ast.Call) -> bool:
    """Whether `minimize` has the tape, or the function for a loss, that training at once needs."""
    if any(_is_tape(facts, value) for value in (*call.args, *(k.value for k in call.keywords))):
        return True
    loss = facts.argument(call, "loss", 0)
    if loss is None or not _may_be_function(facts)(loss):  # a graph's loss comes from afar
        return False
    made = facts.origins(loss).nodes
    functions = [node for node in made if _is_function(node)]
    return bool(functions) and not (len(made) > len(functions) and _are_hidden(facts, functions))


@recorded
def _may_be_function(facts: Facts) -> Callable[[ast.AST], bool]:
    return facts.program.arriving(_is_function)


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.Lambda, *FunctionNode))


def _are_hidden(facts: Facts, functions: Sequence[ast.AST]) -> bool:
    """Whether they are methods, one of which keeps its loss under its own name: `self.loss = …`."""
    return all(facts.classes.method_of(each) is not None for each in functions)


def _is_tape(facts: Facts, value: ast.expr) -> bool:
    return facts.role(value) is Role.TAPE


def names_variables(facts: Facts, call: ast.Call) -> bool:
    """Whether `minimize` is told which variables to change, as only an optimizer is."""
    given = facts.argument(call, "var_list", 1)
    by_name = given is not None and given not in call.args
    return by_name or (given is not None and any(_is_variable(facts, n) for n in within(given)))


def _is_variable(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in VARIABLES
    made = facts.origins(node).nodes if isinstance(node, ast.Name) else ()
    makers = (facts.name(n.func) for n in made if isinstance(n, ast.Call))
    return "tensorflow.Variable" in makers
