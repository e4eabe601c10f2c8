"""What changes a model while it trains, beside its steps: where, to what, and by which tests.

Before the first step it does no harm: the broadcast makes the workers alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Callable

from ..library import updates as table
from ..library.roles import gives
from ..program.node_fields import within
from ..program.program import Program
from ..program.records import NamedTuple
from .meetings import Meetings

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_TESTS = (ast.If, ast.While, ast.IfExp)
_JUMPS = (ast.Return, ast.Continue, ast.Break)
_START = ("on_train_begin",)  # Horovod's callbacks tell all what it sets
WEIGHTS, NUMBER, LOGS = "weights", "number", "logs"


class Change(NamedTuple):
    """A change, at `place`, of weights, of a number of an optimizer or of what steers training."""

    what: str
    place: ast.AST
    values: tuple[ast.expr, ...]


class Beside:
    """The changes of one program that happen while it trains."""

    def __init__(self, program: Program, tree: ast.Module) -> None:
        self._program, self._tree = program, tree
        self._meetings = Meetings(program, [tree])
        self._nodes = self._meetings.nodes
        self._known: dict[ast.AST, bool] = {}

    def changes(self) -> Iterator[Change]:
        """All of them."""
        for each in (*self._calls(), *self._stores(), *self._constraints()):
            if each.what == LOGS or self.is_while_training(each.place):
                yield each

    # -- which ----------------------------------------------------------------------------------

    def _calls(self) -> Iterator[Change]:
        for call in self._meetings.calls:
            values = tuple(self._set_by(call))
            if values:
                yield Change(WEIGHTS, call, values)

    def _set_by(self, call: ast.Call) -> Iterator[ast.expr]:
        """The values that a call gives to weights."""
        given = [*call.args, *(k.value for k in call.keywords)]
        if any(map(table.sets_value, self._program.names(call.func))):
            yield from given if given and self._is_of_weights(given[0]) else ()
            return
        func = call.func
        if not isinstance(func, ast.Attribute) or not given:
            return
        is_of_model = func.attr in table.OF_MODELS and not self._program.functions(func).nodes
        if is_of_model or (func.attr in table.OF_VARIABLES and self._is_of_weights(func.value)):
            yield given[0]

    def _stores(self) -> Iterator[Change]:
        for node in self._nodes:
            if not isinstance(node, (ast.Assign, ast.AugAssign)):
                continue
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                what = self._stored(target)
                if what:
                    yield Change(what, node, (node.value,))

    def _stored(self, target: ast.expr) -> str:
        if isinstance(target, ast.Attribute) and target.attr in table.NUMBERS:
            return NUMBER if self._is_of_optimizer(target.value) else ""
        if isinstance(target, ast.Subscript) and self._is_logs(target.value):
            return LOGS if _text(target.slice) in self._steering else ""
        return ""

    def _constraints(self) -> Iterator[Change]:
        """What a constraint says that weights become behind each step."""
        for cls in self._nodes:
            bases = cls.bases if isinstance(cls, ast.ClassDef) else ()
            if any(table.is_constraint(n) for base in bases for n in self._program.names(base)):
                for node in within(cls):
                    if isinstance(node, ast.Return) and node.value is not None:
                        home = self._meetings.around.get(node)
                        if getattr(home, "name", "") == "__call__":
                            yield Change(WEIGHTS, node, (node.value,))

    @cached_property
    def _is_of_weights(self) -> Callable[[ast.expr], bool]:
        return self._program.sought(_names_weights)

    @cached_property
    def _is_of_optimizer(self) -> Callable[[ast.expr], bool]:
        return self._program.sought(self._makes_optimizer)

    def _makes_optimizer(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr in table.OPTIMIZERS
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(gives(name) == "optimizer" for name in names)

    def _is_logs(self, expr: ast.expr) -> bool:
        """Whether it is what Keras hands to a callback at the end of an epoch."""
        home = self._meetings.around.get(expr)
        args = home.args.args if isinstance(home, ast.FunctionDef) else []
        is_hook = getattr(home, "name", "") == "on_epoch_end"
        return is_hook and isinstance(expr, ast.Name) and any(a.arg == expr.id for a in args[2:])

    @cached_property
    def _steering(self) -> frozenset[str]:
        """The names of `logs` by which training ends, or its rate changes."""
        calls = self._meetings.calls
        steering = (c for c in calls if any(map(table.steers, self._program.names(c.func))))
        given = ([k.value for k in c.keywords if k.arg == "monitor"] or c.args for c in steering)
        return frozenset(_text(values[0]) if values else "val_loss" for values in given) - {""}

    # -- when -----------------------------------------------------------------------------------

    def is_while_training(self, node: ast.AST) -> bool:
        """Whether a node runs between steps, or as a part of one."""
        home = self._meetings.around.get(node)
        if any(isinstance(up, _LOOPS) and self._trains(up) for up in self._ways_up(node)):
            return True
        return home is not None and self._is_run_beside(home)

    def _is_run_beside(self, function: ast.AST) -> bool:
        if function not in self._known:
            self._known[function] = False  # where it calls itself
            self._known[function] = self._is_hook(function) or any(
                map(self.is_while_training, self._callers(function))
            )
        return self._known[function]

    def _callers(self, function: ast.AST) -> tuple[ast.AST, ...]:
        return self._program.call_sites(function).nodes  # type: ignore[arg-type]

    def _is_hook(self, function: ast.AST) -> bool:
        """Whether Keras calls it while it trains."""
        parent = self._parents.get(function)
        name = getattr(function, "name", None) or getattr(parent, "arg", None) or ""
        if name in _START:
            return False
        is_hook = name.startswith("on_") and name.endswith(("_begin", "_end"))
        return is_hook or name in table.OF_STEPS or self._is_constraint(function)

    def _is_constraint(self, function: ast.AST) -> bool:
        cls = self._parents.get(function)
        bases = cls.bases if isinstance(cls, ast.ClassDef) else ()
        return any(table.is_constraint(n) for base in bases for n in self._program.names(base))

    def _trains(self, loop: ast.AST) -> bool:
        known, meeting = self._meetings.known, self._meetings.meeting
        calls = (n for n in within(loop) if isinstance(n, ast.Call))
        return any(
            (c in known and not known[c].is_perhaps)
            or any(f in meeting for f in self._meetings.run_by(c))
            for c in calls
        )

    # -- by which tests -------------------------------------------------------------------------

    def tests(self, node: ast.AST, depth: int = 2) -> Iterator[ast.expr]:
        """What decides whether a node is reached, within its function and those that call it."""
        below = node
        for up in self._ways_up(node):
            if isinstance(up, _TESTS) and below is not up.test:
                yield up.test
            yield from _jumped_past(up, below)
            below = up
        home = self._meetings.around.get(node)
        if depth and home is not None:
            for call in self._callers(home):
                yield from self.tests(call, depth - 1)

    def _ways_up(self, node: ast.AST) -> Iterator[ast.AST]:
        """What stands around a node, up to its function."""
        up = self._parents.get(node)
        while up is not None:
            yield up
            up = None if isinstance(up, _FUNCTIONS) else self._parents.get(up)

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in self._nodes for child in ast.iter_child_nodes(node)}


def _jumped_past(up: ast.AST, below: ast.AST) -> Iterator[ast.expr]:
    """`if test: return` before a statement of the same block."""
    for field in ("body", "orelse"):
        block = getattr(up, field, None)
        if not isinstance(block, list) or below not in block:
            continue
        for before in block[: block.index(below)]:
            if isinstance(before, ast.If) and any(isinstance(s, _JUMPS) for s in before.body):
                yield before.test


def _names_weights(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in table.WEIGHTS


def _text(expr: ast.AST) -> str:
    value = expr.value if isinstance(expr, ast.Constant) else None
    return value if isinstance(value, str) else ""
