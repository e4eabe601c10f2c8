"""Whether every worker takes the same path to the training step.

Each training step averages gradients, and waits for all workers. A worker that leaves its loop, or
skips a step, because of a value of its own (its loss, its clock, its random numbers) leaves the
others waiting for ever. A value is *shared* when every worker computes the same one: constants,
arguments of the command line, counters, lengths.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Union

from .roles import Role
from .scopes import EACH, Binding, FunctionNode
from .values import Origin

if TYPE_CHECKING:
    from .facts import Facts

Exit = Union[ast.Break, ast.Continue, ast.Return]
Condition = Union[ast.expr, Exit]
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
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
_COUNTERS = ("builtins.range", "tensorflow.range", "numpy.arange", "tqdm.trange")
_WRAPPERS = ("tqdm.", "builtins.enumerate", "builtins.reversed", "builtins.sorted", "builtins.list")


class Control:
    """Decides which conditions on the way to a training call every worker answers alike."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[ast.AST, bool] = {}

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
            if not all(self.is_shared(test) for test in self._tests_between(found, home)):
                yield found

    def _tests_between(self, node: ast.AST, home: ast.AST | None) -> Iterator[ast.expr]:
        child = node
        for parent in self._facts.parents(node):
            if parent is home or isinstance(parent, FunctionNode):
                return
            test = _test(parent, child)
            if test is not None:
                yield test
            child = parent

    # -- values -------------------------------------------------------------------------------

    def is_shared(self, expr: ast.AST) -> bool:
        """Whether every worker computes the same value."""
        if expr not in self._known:
            self._known[expr] = True  # a counter that depends on itself
            origins = self._facts.origins(expr)
            values = origins.complete and all(self._from(o, expr) for o in origins.items)
            self._known[expr] = values and all(map(self._is_bound_alike, self._bindings(expr)))
        return self._known[expr]

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
        if not all(map(self.is_shared, self._tests_between(binding.node, None))):
            return False
        if binding.kind == "aug" and any(True for _ in self.disagreements(binding.node)):
            return False  # it counts the steps of an episode
        return (
            not isinstance(binding.value, ast.expr)
            or bool(binding.path)
            or self.is_shared(binding.value)
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
            return self.is_shared(node)
        return self._made_of_shared(node)

    def _element(self, iterable: ast.AST, path: tuple[int | str, ...]) -> bool:
        """An element of `range(…)`, the number in `enumerate(…)`, an element of a shared list."""
        if isinstance(iterable, ast.Call):
            name = self._facts.name(iterable.func) or ""
            if name in _COUNTERS or (name == "builtins.enumerate" and path[1:2] == (0,)):
                return True
            if name.startswith(_WRAPPERS) and iterable.args:
                rest = path[:1] + path[2:] if name == "builtins.enumerate" else path
                return all(
                    self._element(o.node, rest) for o in self._facts.origins(iterable.args[0]).items
                )
        return self._facts.role(iterable) is not Role.DATASET and self.is_shared(iterable)

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
            self.is_shared(getattr(n, "value", n) if isinstance(n, ast.keyword) else n)
            for n in children
        )

    def _holds_shared(self, container: ast.AST) -> bool:
        """Whether `losses = []` gets the same values on every worker later on."""
        for call in self._facts.calls(*_FILLS):
            receiver = call.func.value  # type: ignore[attr-defined]
            if container in self._facts.origins(receiver).nodes:
                if not all(map(self.is_shared, call.args)):
                    return False
        return True

    def _attribute(self, node: ast.Attribute) -> bool:
        if self._facts.name(node) is not None or node.attr in ("shape", "iterations"):
            return True
        return self.is_shared(node.value)

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
            name is None
            and isinstance(node.func, ast.Attribute)
            and self.is_shared(node.func.value)
        )
        if not (is_known or is_numpy or is_method):
            return False
        return all(self.is_shared(a) for a in [*node.args, *(k.value for k in node.keywords)])

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
                if any(True for _ in self.disagreements(call)):
                    return False
        return True

    def _is_assigned_shared(self, variable: ast.Call) -> bool:
        """A `tf.Variable` that counts: whatever is assigned to it is shared."""
        for call in self._facts.calls(*_ASSIGNS):
            receiver = call.func.value  # type: ignore[attr-defined]
            if variable in self._facts.origins(receiver).nodes:
                if not all(self.is_shared(a) for a in call.args):
                    return False
        return True


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
