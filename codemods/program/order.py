"""Reaching definitions: which bindings the value of each name may come from."""

from __future__ import annotations

import ast
from typing import cast

from . import branches, definitions, loops, tries
from .expressions import evaluate
from .holding import Holding
from .parts import FUNCTIONS, parameters
from .record import Record
from .scopes import Scopes
from .state import Key
from .versions import Version
from .walk import Rule, Walk

_RULES = {
    "Assert": definitions.walk_assert,
    "Assign": definitions.walk_assign,
    "AnnAssign": definitions.walk_assign,
    "AugAssign": definitions.walk_augmented,
    "AsyncFor": loops.walk_loop,
    "AsyncFunctionDef": definitions.walk_function,
    "AsyncWith": tries.walk_with,
    "Break": loops.walk_jump,
    "ClassDef": definitions.walk_class,
    "Continue": loops.walk_jump,
    "Delete": definitions.walk_delete,
    "Expr": definitions.walk_plain,
    "For": loops.walk_loop,
    "FunctionDef": definitions.walk_function,
    "Global": definitions.walk_plain,
    "If": branches.walk_if,
    "Import": definitions.walk_import,
    "ImportFrom": definitions.walk_import,
    "Match": branches.walk_match,
    "Nonlocal": definitions.walk_plain,
    "Pass": definitions.walk_plain,
    "Raise": loops.walk_jump,
    "Return": loops.walk_jump,
    "Try": tries.walk_try,
    "TryStar": tries.walk_try,
    "TypeAlias": definitions.walk_type,
    "While": loops.walk_loop,
    "With": tries.walk_with,
}


class Order:
    """What the order of statements says about the names of one module.

    - `module`: its tree. `scopes`: the scope of every node that makes one; `scopes[node]`.
    - `reads`: the version that each name sees which is owned in this module.
    - `cells`: by variable (scope, name), all of its bindings together; `foreign`: those that code
      of other frames makes (`global`, `nonlocal`).
    - `stores`: (target, value, path) of each assignment to an attribute or a subscript.
    - `stars`: the star imports. `loads`: by name, the nodes that read it.
    - `conditions`: by statement, target, binding and part of an expression that isn't always
      evaluated, the condition under which it runs, if any.
    - `iterables`: what loops run over, among the tests of conditions: their lengths decide.
    - `steps`: how much was done; it grows with the size of the text, not faster.
    """

    def __init__(self, module: ast.Module, scopes: Scopes | None = None) -> None:
        scopes = scopes or Scopes(module)
        self.module = module
        self._record = record = Record(scopes)
        self.scopes = scopes.of
        self.reads, self.cells, self.foreign = record.reads, record.cells, record.foreign
        self.stores, self.stars, self.loads = record.stores, record.stars, record.loads
        self.conditions, self.iterables = record.conditions, record.iterables
        self._holding = Holding(record)
        self.steps = 0
        record.frames.append(module)
        while record.frames:
            self._walk(record.frames.pop())
        self.steps += scopes.steps + record.outer.steps

    def _walk(self, node: ast.AST) -> None:
        """Walk over one frame; those inside of it are put into the queue."""
        walk = Walk(self._record, self.scopes[node], cast("dict[str, Rule]", _RULES))
        if isinstance(node, FUNCTIONS):
            for parameter in parameters(node):
                walk.bind(parameter.arg, Version("param", parameter))
        if isinstance(node, ast.Lambda):
            evaluate(walk, node.body)
        else:
            walk.block(node.body)  # type: ignore[attr-defined]
        if isinstance(node, ast.Module):
            walk.export()
        self.steps += walk.state.steps

    def cell(self, key: Key) -> Version:
        """All bindings of a variable together."""
        return self._record.cell(key)

    def at(self, statement: ast.stmt, name: str) -> Version | None:
        """What a name stands for where a statement begins; None if nobody can tell."""
        return self._holding.at(statement, name)
