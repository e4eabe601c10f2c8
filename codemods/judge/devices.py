"""Whether TensorFlow has taken the GPUs already where a worker's own is chosen.

Choosing one does nothing to a program of one worker, but behind the first tensor TensorFlow raises
an error there, wherever there is a GPU at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from ..library.gpu_calls import takes_devices
from ..library.names import normal
from ..program.node_fields import within
from ..program.parts import FUNCTIONS
from .case import Case

PIN = "set_visible_devices"
_TRAINS = (
    "compile",
    "fit",
    "fit_generator",
    "train_on_batch",
    "trainable_variables",
    "trainable_weights",
)
LATE = (
    "`{}` has made TensorFlow take all GPUs: it stands above the line in which this worker "
    "chooses its own, and TensorFlow raises an error there"
)
FIX = "import TensorFlow above it, so that the choice can stand below the imports"


def taken_before(case: Case) -> Iterator[tuple[ast.Call, str]]:
    """The calls that take the GPUs above where a result chooses them, with their words."""
    search = _Search(case)
    for pin in search.pins():
        first = next(search.above(pin), None)
        if first is not None:
            yield first, LATE.format(ast.unparse(first.func))
            return


class _Search:
    """What runs above the choice of a GPU, in one program."""

    def __init__(self, case: Case) -> None:
        self._case, self._program, self._parents = case, case.program, case.parents
        self._seen: set[ast.AST] = set()

    def pins(self) -> Iterator[ast.Call]:
        """The calls that choose a GPU."""
        for source in self._case.after.values():
            for node in within(source.module):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == PIN:
                    yield node

    def above(self, node: ast.AST) -> Iterator[ast.Call]:
        """The calls that take them above a node, in its blocks and those of its callers."""
        if node in self._seen:
            return
        self._seen.add(node)
        while node in self._parents and not isinstance(node, FUNCTIONS):
            for earlier in self._earlier(node):
                yield from self._taking(earlier)
            node = self._parents[node]
        if isinstance(node, FUNCTIONS):
            for call in self._program.call_sites(node).nodes:
                yield from self.above(call)

    def _earlier(self, node: ast.AST) -> list[ast.stmt]:
        """The statements above a statement, in its block."""
        for _, block in ast.iter_fields(self._parents[node]):
            if isinstance(block, list) and node in block and isinstance(node, ast.stmt):
                return block[: block.index(node)]
        return []

    def _taking(self, statement: ast.AST) -> Iterator[ast.Call]:
        """The calls that take them while a statement runs, in functions of the program, too."""
        for call in _run(statement):
            called = self._program.functions(call.func).nodes
            if self._takes(call) or (call in self._models and not called):
                yield call
            for function in called if call not in self._seen else ():
                self._seen.add(call)
                if any(True for part in _body(function) for _ in self._taking(part)):
                    yield call

    def _takes(self, call: ast.Call) -> bool:
        return any(takes_devices(normal(name)) for name in self._program.names(call.func))

    @cached_property
    def _models(self) -> set[ast.AST]:
        """What makes the models that are trained: whatever library does, it asked TensorFlow."""
        nodes = (n for source in self._case.after.values() for n in within(source.module))
        models = [n.value for n in nodes if isinstance(n, ast.Attribute) and n.attr in _TRAINS]
        return {made for model in models for made in self._program.origins(model).nodes}


def _body(function: ast.AST) -> list[ast.AST]:
    body = getattr(function, "body", [])
    return body if isinstance(body, list) else [body]


def _run(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that a statement makes by itself: not those of the functions that it defines."""
    if isinstance(node, FUNCTIONS):
        for each in getattr(node, "decorator_list", []):
            yield from _run(each)
        return
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _run(child)
