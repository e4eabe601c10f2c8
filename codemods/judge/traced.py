"""Branches by which workers meet with unlike tensors: gradients of other variables, other names.

A tape gives None for a variable that a worker's loss didn't use, Horovod skips None, and what is
averaged under one name belongs to different variables. A graph numbers its operations: one that a
worker alone traces shifts the names by which tensors meet.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from ..library import waiting_calls as table
from ..library.call_results import gives
from ..library.names import KERAS, normal
from ..library.tensorflow_names import VARIABLE
from ..program.node_fields import within
from ..program.parts import methods
from ..program.program import Program
from ..program.records import NamedTuple
from .meetings import Meetings
from .own import Level, Own, Owners

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_TAPED, _STEPPED = ("gradient",), ("minimize", "compute_gradients")
_PLAIN = (ast.Constant, ast.Name, ast.Attribute, ast.JoinedStr, ast.FormattedValue)
_SILENT = (ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal)
_WHILE_TRACING = ("rank", "clock", "chance")  # else a tensor, of which both ways are traced


class Unlike(NamedTuple):
    """A test at which the tensors of workers part: in a tape, or while a graph is traced."""

    test: ast.expr
    own: Own
    is_traced: bool


class Traces:
    """What is taped, and what is traced, in one program."""

    def __init__(self, program: Program, owners: Owners, meetings: Meetings) -> None:
        self._program, self._owners, self._meetings = program, owners, meetings

    def unlike(self) -> Iterator[Unlike]:
        """The tests that part the workers' tensors, each once."""
        found: dict[ast.AST, Unlike] = {}
        for root in self._taped():
            for test, yes, no, own in self._own_branches(root):
                is_tensor = self._is_traced(test) and own.kind not in _WHILE_TRACING
                if not is_tensor and self._used(yes) != self._used(no):
                    found.setdefault(test, Unlike(test, own, False))
        for root in self._in_graphs:
            for test, yes, no, own in self._own_branches(root):
                if own.kind in _WHILE_TRACING and not self._shows([*yes, *no]):
                    found.setdefault(test, Unlike(test, own, True))
        yield from found.values()

    def _own_branches(
        self, root: ast.AST
    ) -> Iterator[tuple[ast.expr, list[ast.AST], list[ast.AST], Own]]:
        """The branches in some code that each worker takes for itself: test, both sides."""
        for node in within(root):
            if not isinstance(node, (ast.If, ast.IfExp)):
                continue
            own = self._owners.of(node.test)
            if own.level is Level.OWN:
                yield node.test, _side(node.body), _side(node.orelse), own

    # -- taped ----------------------------------------------------------------------------------

    def _taped(self) -> list[ast.AST]:
        """The code that runs while a tape records whose gradients are averaged."""
        starts: list[ast.AST] = []
        for call, meeting in self._meetings.known.items():
            if meeting.what in _TAPED and isinstance(call.func, ast.Attribute):
                tapes = self._program.ingredients(call.func.value)
                blocks = (self._meetings.blocks.get(node) for node in tapes)
                starts += [s for block in blocks if block is not None for s in block.body]
            elif meeting.what in _STEPPED:
                starts += [f for arg in call.args[:1] for f in self._program.functions(arg).nodes]
        return self._with_called(starts)

    def _with_called(self, starts: list[ast.AST]) -> list[ast.AST]:
        """Some code, and the functions that it runs."""
        found = dict.fromkeys(starts)
        waiting = list(found)
        while waiting:
            calls = (n for n in within(waiting.pop()) if isinstance(n, ast.Call))
            further = [f for c in calls for f in self._meetings.run_by(c) if f not in found]
            found.update(dict.fromkeys(further))
            waiting += dict.fromkeys(further)
        return list(found)

    def _used(self, side: list[ast.AST]) -> frozenset[ast.AST]:
        """The models, layers and variables that a side of a branch uses."""
        nodes = (node for part in side for node in within(part))
        named = (node for node in nodes if isinstance(node, (ast.Name, ast.Attribute)))
        read = [node for node in named if isinstance(node.ctx, ast.Load)]
        return frozenset(filter(self._is_trained, self._program.ingredients_of(read)))

    def _is_trained(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        names = [normal(name) for name in self._program.names(node.func)]
        classes = self._program.classes(node.func).nodes
        is_layer = any(True for cls in classes for _ in methods(cls, ("call",)))
        return is_layer or any(map(_makes_variables, names))

    # -- traced ---------------------------------------------------------------------------------

    @cached_property
    def _traced(self) -> dict[ast.AST, None]:
        """The functions whose operations are traced into a graph."""
        starts: list[ast.AST] = [f for f in self._meetings.functions if self._is_start(f)]
        starts += handed_to_tracing(self._program, self._meetings.calls)
        return dict.fromkeys(self._with_called(starts))

    def _is_start(self, function: ast.AST) -> bool:
        return function in self._keras_steps or is_decorated(self._program, function)

    @cached_property
    def _keras_steps(self) -> set[ast.AST]:
        """The methods of Keras's models that `fit` traces."""
        classes = (n for n in self._meetings.nodes if isinstance(n, ast.ClassDef))
        models = (cls for cls in classes if self._is_keras(cls))
        return {method for cls in models for method in methods(cls, table.TRACED_METHODS)}

    def _is_keras(self, cls: ast.ClassDef) -> bool:
        seen: set[ast.AST] = set()
        waiting = [cls]
        while waiting:
            for base in waiting.pop().bases:
                if any(normal(name).startswith(KERAS) for name in self._program.names(base)):
                    return True
                further = [c for c in self._program.classes(base).nodes if c not in seen]
                seen.update(further)
                waiting += further  # type: ignore[arg-type]
        return False

    def _is_traced(self, node: ast.AST) -> bool:
        return self._meetings.around.get(node) in self._traced

    @property
    def _in_graphs(self) -> Iterator[ast.AST]:
        """The functions that are traced into a graph in which workers meet."""
        meeting = [f for f in self._traced if f in self._meetings.meeting]
        yield from dict.fromkeys(self._with_called(list(meeting)))

    def _shows(self, side: list[ast.AST]) -> bool:
        """Whether a side does no more than to show what is there: no operation gets a name."""
        return all(self._is_silent(part) for part in side)

    def _is_silent(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Assign):
            return self._is_silent(node.value)
        if isinstance(node, ast.If):
            parts = [node.test, *node.body, *node.orelse]
            return all(map(self._is_silent, parts))
        value = node.value if isinstance(node, ast.Expr) else node
        if isinstance(value, ast.Call) and isinstance(node, ast.Expr):
            return self._prints(value)
        return isinstance(value, _SILENT) or all(self._is_plain(n) for n in within(value))

    def _prints(self, call: ast.Call) -> bool:
        if not any(map(table.prints, self._program.names(call.func))):
            return False
        given = [*call.args, *(k.value for k in call.keywords)]
        return all(self._is_plain(node) for each in given for node in within(each))

    def _is_plain(self, node: ast.AST) -> bool:
        """Whether an expression is computed without an operation of the graph."""
        if isinstance(node, ast.Call):
            return any(name.startswith("horovod.") for name in self._program.names(node.func))
        return isinstance(node, (*_PLAIN, ast.Compare, ast.cmpop))


def is_decorated(program: Program, function: ast.AST) -> bool:
    """Whether a decorator has a function's operations traced into a graph."""
    for each in getattr(function, "decorator_list", ()):
        made = each.func if isinstance(each, ast.Call) else each
        given = [made, *(each.args[:1] if isinstance(each, ast.Call) else ())]
        if any(map(table.traces, (name for g in given for name in program.names(g)))):
            return True
    return False


def handed_to_tracing(program: Program, calls: Iterable[ast.Call]) -> Iterator[ast.AST]:
    """The functions that `tf.function(step)` has traced into a graph."""
    for call in calls:
        if any(map(table.traces, program.names(call.func))):
            yield from (f for arg in call.args[:1] for f in program.functions(arg).nodes)


def _makes_variables(name: str) -> bool:
    is_layer = name.startswith(f"{KERAS}.layers.") or gives(name) == "model"
    return is_layer or name == VARIABLE


def _side(body: list[ast.stmt] | ast.expr) -> list[ast.AST]:
    return list(body) if isinstance(body, list) else [body]
