"""Which gradients reach `apply_gradients`: the data flow backwards, stopping at `tape.gradient(…)`.

Where `values` keeps to what *is* the value, this follows everything that it is computed from:
clipping, scaling, accumulating, `zip`, comprehensions, functions of the module.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from .call_sites import passed
from .facts import Facts
from .functions import returns
from .horovod import AVERAGES, member_of
from .reaching import reaching
from .scopes import EACH, Binding, Path

GRADIENT = ("gradient", "jacobian", "batch_jacobian")
OTHER_GRADIENTS = ("get_gradients", "compute_gradients", "_compute_gradients")
# `total.append(g)`, `total[i].assign_add(g)`: what is put into a container or variable.
PUTS = (
    "append",
    "extend",
    "insert",
    "assign",
    "assign_add",
    "assign_sub",
    "update",
    "setdefault",
    "add",
)


class Flow:
    """One walk backwards from an expression."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._seen: set[tuple[ast.AST, Path]] = set()
        self.gradients: dict[ast.Call, None] = {}  # calls of a tape's `gradient`
        self.averaged: dict[ast.Call, None] = {}  # of these, those that the program averages itself
        self.foreign: dict[ast.Call, None] = {}  # gradients that no tape computes
        self.calls: set[ast.Call] = set()  # calls of functions of the module on the way

    def follow(self, node: ast.AST, path: Path = ()) -> None:
        """Add what the part of `node` at `path` is computed from."""
        if (node, path) in self._seen:
            return
        self._seen.add((node, path))
        step = _STEPS.get(type(node))
        if step is not None:
            step(self, node, path)
        else:
            for child in ast.iter_child_nodes(node):
                self.follow(child)

    def _call(self, call: ast.Call, path: Path) -> None:
        attribute = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        name, function = self._facts.name(call.func), self._facts.callee(call)
        if attribute in GRADIENT and name is None and function is None:
            self.gradients[call] = None
        elif attribute in OTHER_GRADIENTS or name == "tensorflow.gradients":
            self.foreign[call] = None
        elif function is not None:
            self.calls.add(call)
            for statement in returns(function):
                if statement.value is not None:
                    self.follow(statement.value, path)
        elif name == "builtins.zip":
            self._zip(call, path)
        elif member_of(name) in AVERAGES:
            self._average(call)
        else:
            self._library(call, name)

    def _average(self, call: ast.Call) -> None:
        """`hvd.allreduce(gradient)`: what it is given is averaged by hand."""
        before = Flow(self._facts)
        for argument in call.args:
            before.follow(argument)
        self.averaged.update(before.gradients)
        self.foreign.update(before.foreign)
        self.calls |= before.calls

    def _zip(self, call: ast.Call, path: Path) -> None:
        """Of `for g, v in zip(gradients, variables)` one argument gives the gradients."""
        wanted = [step for step in path if isinstance(step, int)][:1]
        is_plain = not any(isinstance(a, ast.Starred) for a in call.args)
        for number, argument in enumerate(call.args):
            if not (wanted and is_plain) or number == wanted[0]:
                self.follow(argument)

    def _library(self, call: ast.Call, name: str | None) -> None:
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            self.follow(argument)
        if isinstance(call.func, ast.Attribute) and name is None:
            self.follow(call.func.value)

    def _name(self, node: ast.Name, path: Path) -> None:
        for binding in reaching(self._facts, node):
            self._binding(binding, path)
        scope = self._facts.scope(node).find(node.id)
        for other in self._facts.index.loads.get(node.id, []):
            if isinstance(other, ast.Name) and self._facts.scope(other).find(node.id) is scope:
                for value in self._put(other):
                    self.follow(value)

    def _binding(self, binding: Binding, path: Path) -> None:
        if binding.kind == "param":
            self._parameter(binding.node, path)
        elif binding.kind in ("assign", "for") and binding.value is not None:
            self.follow(binding.value, binding.path + path)
        elif binding.kind == "aug":
            self.follow(binding.node.value)  # type: ignore[attr-defined]
            self.follow(binding.node.target, path)  # type: ignore[attr-defined]

    def _parameter(self, arg: ast.AST, path: Path) -> None:
        function = self._facts.index.parents[self._facts.index.parents[arg]]
        for call in self._facts.call_sites(function):
            value = passed(call, function, arg, self._facts.classes)
            if value is not None:
                self.follow(value, path)

    def _attribute(self, node: ast.Attribute, path: Path) -> None:
        cls = self._facts.values.instance_of(node.value)
        if cls is None:
            return  # `model.trainable_variables`: no gradient comes from there
        family = self._facts.classes.family(cls)
        for target, binding in self._facts.index.attribute_stores.get(node.attr, []):
            if self._facts.values.instance_of(target.value) in family:
                self._binding(binding, path)
        for other in self._facts.index.loads.get(node.attr, []):
            if (
                isinstance(other, ast.Attribute)
                and self._facts.values.instance_of(other.value) in family
            ):
                for value in self._put(other):
                    self.follow(value)

    def _display(self, node: ast.AST, path: Path) -> None:
        """`grads` in `loss, grads = a, b` is `b`."""
        elements = node.elts  # type: ignore[attr-defined]
        plain = not any(isinstance(e, ast.Starred) for e in elements)
        if path and plain and isinstance(path[0], int) and path[0] < len(elements):
            self.follow(elements[path[0]], path[1:])
            return
        for element in elements:
            self.follow(element, path[1:] if path[:1] == (EACH,) else ())

    def _comprehension(self, node: ast.AST, path: Path) -> None:
        self.follow(node.elt, path[1:])  # type: ignore[attr-defined]

    def _put(self, use: ast.AST) -> Iterator[ast.AST]:
        """What is put into a container at this use of it."""
        node, parent = use, self._facts.parent(use)
        while isinstance(parent, ast.Subscript) and parent.value is node:
            node, parent = parent, self._facts.parent(parent)
        if isinstance(parent, (ast.Assign, ast.AugAssign)) and _is_store(node):
            yield parent.value
        if isinstance(parent, ast.Attribute) and parent.attr in PUTS:
            call = self._facts.parent(parent)
            if isinstance(call, ast.Call) and call.func is parent:
                yield from call.args
        yield from self._put_in_elements(use)

    def _put_in_elements(self, use: ast.AST) -> Iterator[ast.AST]:
        """`for total, g in zip(totals, gradients): total.assign_add(g)` changes `totals`."""
        node, parent = use, self._facts.parent(use)
        while isinstance(parent, ast.Call) and node is not parent.func:
            node, parent = parent, self._facts.parent(parent)
        if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node:
            for target in ast.walk(parent.target):
                for other in self._facts.index.loads.get(getattr(target, "id", ""), []):
                    if other is not use and parent in (
                        *self._facts.parents(other),
                        *_generators(self._facts, other),
                    ):
                        yield from self._put(other)


_STEPS: dict[type, Callable[[Flow, Any, Path], None]] = {
    ast.Call: Flow._call,
    ast.Name: Flow._name,
    ast.Attribute: Flow._attribute,
    ast.Tuple: Flow._display,
    ast.List: Flow._display,
    ast.ListComp: Flow._comprehension,
    ast.GeneratorExp: Flow._comprehension,
}


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)


def _generators(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    """The `for` parts of the comprehensions around `node`."""
    for parent in facts.parents(node):
        yield from getattr(parent, "generators", ())
