"""Whether a value only moves on at a place, so that the engine says where it goes."""

from __future__ import annotations

import ast

from ..program.parts import FUNCTIONS
from ..program.things import Bound, Box, Class, Function, Instance, Method, Partial, Record, Thing
from .facts import Facts

_PASSING = (ast.NamedExpr, ast.IfExp, ast.BoolOp, ast.arguments)
_GIVING = (ast.Return, ast.Yield, ast.Lambda)
_HOLDING = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.GeneratorExp)
_CALLED = (Function, Bound, Record, Method)
_RECORDS = ("types.SimpleNamespace", "argparse.Namespace", "builtins.dict")


class Moves:
    """Answers for one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def to(self, parent: ast.AST | None, node: ast.expr) -> bool:
        """Whether the syntax around hands the value on: to a name, a result, a container."""
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            return all(map(self._holds, targets))
        if isinstance(parent, _HOLDING):
            return not isinstance(self._facts.parent(parent), ast.Expr)
        if isinstance(parent, ast.DictComp):
            return parent.value is node
        if isinstance(parent, _GIVING):
            return self._is_ours(parent)
        return isinstance(parent, _PASSING)

    def _is_ours(self, giving: ast.AST) -> bool:
        """Whether only code of the module gets what a function gives here."""
        around = (giving, *self._facts.parents(giving))
        function = next((node for node in around if isinstance(node, FUNCTIONS)), None)
        return function is None or not self._facts.program.is_handed_out(function)

    def _holds(self, target: ast.expr) -> bool:
        """Whether the engine finds what is stored there wherever it is read."""
        is_part = isinstance(target, (ast.Attribute, ast.Subscript))
        return not is_part or self._is_found_again(target.value)  # type: ignore[attr-defined]

    def _is_found_again(self, holder: ast.expr) -> bool:
        things = self._facts.program.things(holder)
        return bool(things) and all(isinstance(t, (Instance, Class, Box)) for t in things)

    def into(self, call: ast.Call, node: ast.expr) -> bool:
        """Whether an argument gets to a parameter of the module's, or into a container."""
        name = self._facts.name(call.func)
        if name == "builtins.setattr":
            return node is not call.args[0] and self._is_found_again(call.args[0])
        if name in _RECORDS:
            return node not in call.args
        things = self._facts.program.things(call.func)
        return bool(things) and all(map(self._takes, things))

    def _takes(self, thing: Thing) -> bool:
        if isinstance(thing, Partial):
            inner = self._facts.program.things(thing.func)
            return bool(inner) and all(isinstance(t, _CALLED) for t in inner)
        if not isinstance(thing, Class):
            return isinstance(thing, _CALLED)
        init = self._facts.classes.method(thing.node, "__init__")
        return init is not None or bool(thing.fields)
