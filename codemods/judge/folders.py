"""Folders that are made where they are not there yet, in the form in which programs are compared.

`if not os.path.exists(path): os.makedirs(path)` is `os.makedirs(path, exist_ok=True)` on one
worker; `os.makedirs(path)` by itself is neither.
"""

from __future__ import annotations

import ast

from ..library.horovod_alone import MAKES_FOLDERS
from ..program.node_fields import Transformer, within
from .expressions import constant_of, method_of
from .one_worker import Imports, shape

IF_NEEDED = "<folder>"  # the name of what makes a folder that is not there yet
_THERE = ("exists", "isdir", "is_dir")
_MODULES = ("os.path.", "tensorflow.io.gfile.")
_ASKING = (*_THERE, "isfile", "is_file")


class Folders(Transformer):
    """Gives both spellings one name."""

    def __init__(self, imports: Imports) -> None:
        self._imports = imports

    def visit_If(self, node: ast.If) -> ast.AST:
        """A test goes that does nothing but that; in others it is as good as `exist_ok=True`."""
        if not any(self._called(each) in _ASKING for each in within(node.test)):
            return self.generic_visit(node)
        calls = (each for each in within(node) if isinstance(each, ast.Call))
        made = [call for call in calls if self._makes(call)]
        for call in made:
            call.keywords = [k for k in call.keywords if not _is_lenient(k)]
        only = node.body[0]
        is_lone = len(node.body) == 1 and not node.orelse and isinstance(only, ast.Expr)
        if is_lone and only.value in made and self._is_of_it(node.test, only.value):  # type: ignore[attr-defined]
            only.value.func = self._named(only.value)  # type: ignore[attr-defined]
            return only
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """`os.makedirs(path, exist_ok=True)`."""
        self.generic_visit(node)
        lenient = [k for k in node.keywords if _is_lenient(k)]
        if lenient and self._makes(node):
            node.keywords = [k for k in node.keywords if k not in lenient]
            node.func = self._named(node)
        return node

    def _makes(self, call: ast.Call) -> bool:
        return method_of(call) == "mkdir" or self._is_function(call)

    def _called(self, node: ast.AST) -> str:
        """The last name of what a call calls."""
        name = self._imports.full(node.func) if isinstance(node, ast.Call) else None
        return (name or method_of(node)).rpartition(".")[2]

    def _is_function(self, call: ast.Call) -> bool:
        return self._imports.full(call.func) in MAKES_FOLDERS

    def _named(self, call: ast.Call) -> ast.expr:
        """What a call of either spelling calls: of a path with methods, one of its own."""
        if self._is_function(call):
            return ast.Name(IF_NEEDED, ast.Load())
        return ast.Attribute(call.func.value, IF_NEEDED, ast.Load())  # type: ignore[attr-defined]

    def _is_of_it(self, test: ast.expr, made: ast.Call) -> bool:
        """Whether the test is that the folder is not there, and nothing else."""
        is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        asked = test.operand if is_not else None  # type: ignore[attr-defined]
        if not isinstance(asked, ast.Call) or self._called(asked) not in _THERE:
            return False
        return self._path(asked) is not None and self._path(asked) == self._path(made)

    def _path(self, call: ast.Call) -> object:
        """What a call is asked for, if it takes nothing but texts to compute."""
        name = self._imports.full(call.func) or ""
        is_function = self._is_function(call) or name.startswith(_MODULES)
        path = call.args[0] if is_function and call.args else getattr(call.func, "value", None)
        calls = [] if path is None else [n for n in within(path) if isinstance(n, ast.Call)]
        if any(not (self._imports.full(n.func) or "").startswith("os.path.") for n in calls):
            return None
        return None if path is None else shape(path)


def _is_lenient(keyword: ast.keyword) -> bool:
    return keyword.arg == "exist_ok" and constant_of(keyword.value) is True
