"""Which gradients reach `apply_gradients`: the data flow backwards, stopping at `tape.gradient(…)`.

Where `values` keeps to what *is* the value, this follows everything that it is computed from:
clipping, scaling, accumulating, `zip`, comprehensions, functions of the module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .facts import Facts
from .scopes import EACH, Binding, FunctionNode
from .values import passed, returns

GRADIENT = ("gradient", "jacobian", "batch_jacobian")
OTHER_GRADIENTS = ("get_gradients", "compute_gradients", "_compute_gradients")
# `total.append(g)`, `total[i].assign_add(g)`: what is put into a container or variable.
PUTS = ("append", "extend", "insert", "assign", "assign_add", "assign_sub", "update", "setdefault", "add")


class Flow:
    """One walk backwards from an expression."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._seen: set[ast.AST] = set()
        self.gradients: dict[ast.Call, None] = {}  # calls of a tape's `gradient`
        self.foreign: dict[ast.Call, None] = {}  # gradients that no tape computes
        self.calls: set[ast.Call] = set()  # calls of functions of the module on the way

    def follow(self, node: ast.AST) -> None:
        """Add what `node` is computed from."""
        if node in self._seen:
            return
        self._seen.add(node)
        if isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Name):
            self._name(node)
        elif isinstance(node, ast.Attribute):
            self._attribute(node)
        else:
            for child in ast.iter_child_nodes(node):
                self.follow(child)

    def _call(self, call: ast.Call) -> None:
        attribute = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if attribute in GRADIENT and self._facts.name(call.func) is None and self._facts.callee(call) is None:
            self.gradients[call] = None
            return
        if attribute in OTHER_GRADIENTS or self._facts.name(call.func) == "tensorflow.gradients":
            self.foreign[call] = None
            return
        function = self._facts.callee(call)
        if function is not None:
            self.calls.add(call)
            for statement in returns(function):
                if statement.value is not None:
                    self.follow(statement.value)
            return
        for child in ast.iter_child_nodes(call):
            if child is not call.func:
                self.follow(child)
        if isinstance(call.func, ast.Attribute) and self._facts.name(call.func) is None:
            self.follow(call.func.value)

    def _name(self, node: ast.Name) -> None:
        for binding in self._facts.names.bindings(node):
            self._binding(binding)
        scope = self._facts.scope(node).find(node.id)
        for other in self._facts.index.loads.get(node.id, []):
            if isinstance(other, ast.Name) and self._facts.scope(other).find(node.id) is scope:
                for value in self._put(other):
                    self.follow(value)

    def _binding(self, binding: Binding) -> None:
        if binding.kind == "param":
            self._parameter(binding.node)
        elif binding.kind in ("assign", "for"):
            self.follow(_part(binding))
        elif binding.kind == "aug":
            self.follow(binding.node.value)  # type: ignore[attr-defined]

    def _parameter(self, arg: ast.AST) -> None:
        function = self._facts.index.parents[self._facts.index.parents[arg]]
        for call in self._facts.call_sites(function):
            value = passed(call, function, arg, self._facts.classes)
            if value is not None:
                self.follow(value)

    def _attribute(self, node: ast.Attribute) -> None:
        cls = self._facts.values.instance_of(node.value)
        if cls is None:
            return  # `model.trainable_variables`: no gradient comes from there
        family = self._facts.classes.family(cls)
        for target, binding in self._facts.index.attribute_stores.get(node.attr, []):
            if self._facts.values.instance_of(target.value) in family:
                self._binding(binding)
        for other in self._facts.index.loads.get(node.attr, []):
            if isinstance(other, ast.Attribute) and self._facts.values.instance_of(other.value) in family:
                for value in self._put(other):
                    self.follow(value)

    def _put(self, use: ast.AST) -> Iterator[ast.AST]:
        """What is put into a container at this use of it."""
        node, parent = use, self._facts.parent(use)
        while isinstance(parent, ast.Subscript) and parent.value is node:
            node, parent = parent, self._facts.parent(parent)
        if isinstance(parent, (ast.Assign, ast.AugAssign)) and isinstance(node, ast.Subscript):
            if isinstance(node.ctx, ast.Store):
                yield parent.value
        if isinstance(parent, ast.Attribute) and parent.attr in PUTS:
            call = self._facts.parent(parent)
            if isinstance(call, ast.Call) and call.func is parent:
                yield from call.args


def _part(binding: Binding) -> ast.AST:
    """`grads` in `loss, grads = a, b` is `b`; other parts are not told apart."""
    value = binding.value
    assert value is not None
    for step in binding.path:
        elements = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
        if step == EACH or not isinstance(step, int) or step >= len(elements):
            break
        value = elements[step]
    return value


def functions_around(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """The functions that hold `node`, innermost first."""
    return [parent for parent in facts.parents(node) if isinstance(parent, FunctionNode)]
