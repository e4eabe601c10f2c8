"""Which values every worker computes alike: constants, arguments, counters, lengths.

What a worker reads from its own data, clock or random numbers is its own, and so is a name that is
bound where not every worker comes by.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts import Facts
from ..functions import returns
from ..origins import Origin
from ..roles import Role
from ..scopes import EACH, Binding, FunctionNode

if TYPE_CHECKING:
    from .control import Control

_SHARED_CALLS = (
    "argparse.",
    "math.",
    "builtins.",
    "absl.flags.",
    "os.environ",
    "os.getenv",
    "os.path.join",
    "pathlib.",
)
_OWN_CALLS = frozenset(
    {"builtins.next", "builtins.input", "builtins.iter", "builtins.open", "builtins.id"}
)
_TENSORS = frozenset(
    "tensorflow." + name
    for name in [
        "cast",
        "constant",
        "convert_to_tensor",
        "equal",
        "not_equal",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "logical_and",
        "logical_or",
        "logical_not",
        "identity",
        "size",
        "shape",
        "rank",
        "minimum",
        "maximum",
        "zeros",
        "ones",
    ]
)
_ASSIGNS = ("assign", "assign_add", "assign_sub")
_RESIZES = (
    "append",
    "appendleft",
    "extend",
    "insert",
    "add",
    "update",
    "pop",
    "popleft",
    "remove",
    "clear",
)
_MAKERS = ("builtins.list", "builtins.dict", "builtins.set")
_CONTAINERS = (ast.List, ast.Dict, ast.Set)
_FILLS = ("append", "extend", "insert", "add", "update", "appendleft")
COUNTERS = ("builtins.range", "tensorflow.range", "numpy.arange", "tqdm.trange")
_WRAPPERS = ("tqdm.", "builtins.enumerate", "builtins.reversed", "builtins.sorted", "builtins.list")


class SharedValues:
    """Decides about values; whether every worker comes to a place is asked from `control`."""

    def __init__(self, facts: Facts, control: Control) -> None:
        self._facts, self._control = facts, control
        self._known: dict[ast.AST, bool] = {}

    def has(self, expr: ast.AST) -> bool:
        """Whether every worker computes the same value."""
        if expr not in self._known:
            self._known[expr] = True  # a counter that depends on itself
            origins = self._facts.origins(expr)
            values = origins.complete and all(self._from(o, expr) for o in origins.items)
            values = values and all(map(self.has, self._choices(expr)))
            self._known[expr] = values and all(map(self._is_bound_alike, self._bindings(expr)))
        return self._known[expr]

    def _choices(self, expr: ast.AST) -> Iterator[ast.expr]:
        """The conditions that decide which value it is."""
        if isinstance(expr, ast.IfExp):
            yield expr.test
        function = self._facts.callee(expr) if isinstance(expr, ast.Call) else None
        for result in returns(function) if function is not None else ():
            yield from self._control.tests_between(result, function)

    def _bindings(self, expr: ast.AST) -> list[Binding]:
        if (
            isinstance(expr, ast.Attribute)
            and self._facts.classes.self_class(expr.value) is not None
        ):
            stores = self._facts.index.attribute_stores.get(expr.attr, [])
            return [binding for _, binding in stores]
        return self._facts.names.bindings(expr)

    def _is_bound_alike(self, binding: Binding) -> bool:
        """`wait += 1` is a shared value; under `if loss < best:` not every worker adds it."""
        if binding.kind not in ("assign", "aug"):
            return True
        if not all(map(self.has, self._control.tests_between(binding.node, None))):
            return False
        if binding.kind == "aug" and any(True for _ in self._control.disagreements(binding.node)):
            return False  # it counts the steps of an episode
        return (
            not isinstance(binding.value, ast.expr) or bool(binding.path) or self.has(binding.value)
        )

    def _from(self, origin: Origin, expr: ast.AST) -> bool:
        node = origin.node
        if origin.path and origin.path[0] == EACH:
            return self._element(node, origin.path)
        if (
            node is not expr
            and isinstance(node, ast.expr)
            and not isinstance(node, (ast.Call, ast.Attribute))
        ):
            return self.has(node)
        return self._made_of_shared(node)

    def _element(self, iterable: ast.AST, path: tuple[int | str, ...]) -> bool:
        """An element of `range(…)`, the number in `enumerate(…)`, an element of a shared list."""
        if isinstance(iterable, ast.Call):
            name = self._facts.name(iterable.func) or ""
            if name in COUNTERS or (name == "builtins.enumerate" and path[1:2] == (0,)):
                return True
            if name.startswith(_WRAPPERS) and iterable.args:
                rest = path[:1] + path[2:] if name == "builtins.enumerate" else path
                return all(
                    self._element(o.node, rest) for o in self._facts.origins(iterable.args[0]).items
                )
        return self._facts.role(iterable) is not Role.DATASET and self.has(iterable)

    def _made_of_shared(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)):
            return False
        if isinstance(node, (*FunctionNode, ast.ClassDef, ast.Name)):
            return True  # a function, a class, something imported
        if isinstance(node, _CONTAINERS) and not self._holds_shared(node):
            return False
        children = [n for n in ast.iter_child_nodes(node) if isinstance(n, (ast.expr, ast.keyword))]
        return all(
            self.has(getattr(n, "value", n) if isinstance(n, ast.keyword) else n) for n in children
        )

    def _holds_shared(self, container: ast.AST) -> bool:
        """Whether `losses = []` gets the same values on every worker later on."""
        for call in self._facts.calls(*_FILLS):
            receiver = call.func.value  # type: ignore[attr-defined]
            if container in self._facts.origins(receiver).nodes:
                if not all(map(self.has, call.args)):
                    return False
        return True

    def _attribute(self, node: ast.Attribute) -> bool:
        if self._facts.name(node) is not None or node.attr in ("shape", "iterations"):
            return True
        return self.has(node.value)

    def _call(self, node: ast.Call) -> bool:
        name = self._facts.name(node.func)
        if name == "builtins.len" and node.args:
            return self._is_filled_alike(node.args[0])
        if name in ("builtins.range", "tensorflow.executing_eagerly"):
            return True
        if name in _MAKERS and not self._holds_shared(node):
            return False
        if name == "tensorflow.Variable" and not self._is_assigned_shared(node):
            return False
        is_known = name is not None and self._is_pure_library(name)
        is_numpy = (
            name is not None and name.startswith("numpy.") and not name.startswith("numpy.random")
        )
        is_method = (
            name is None and isinstance(node.func, ast.Attribute) and self.has(node.func.value)
        )
        if not (is_known or is_numpy or is_method):
            return False
        return all(self.has(a) for a in [*node.args, *(k.value for k in node.keywords)])

    @staticmethod
    def _is_pure_library(name: str) -> bool:
        if name in _TENSORS or name == "tensorflow.Variable" or name.startswith("tensorflow.math."):
            return True
        return name.startswith(_SHARED_CALLS) and name not in _OWN_CALLS

    def _is_filled_alike(self, container: ast.AST) -> bool:
        """Whether every worker puts as many elements in: a replay buffer is filled by episodes."""
        made = set(self._facts.origins(container).nodes)
        for call in self._facts.calls(*_RESIZES):
            receiver = call.func.value  # type: ignore[attr-defined]
            if made & set(self._facts.origins(receiver).nodes):
                if any(True for _ in self._control.disagreements(call)):
                    return False
        return True

    def _is_assigned_shared(self, variable: ast.Call) -> bool:
        """A `tf.Variable` that counts: whatever is assigned to it is shared."""
        for call in self._facts.calls(*_ASSIGNS):
            receiver = call.func.value  # type: ignore[attr-defined]
            if variable in self._facts.origins(receiver).nodes:
                if not all(self.has(a) for a in call.args):
                    return False
        return True
