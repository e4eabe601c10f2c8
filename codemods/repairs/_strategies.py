"""What is asked of a strategy of `tf.distribute`, and what that is on one device."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from ..program.node_fields import within

COUNT = "num_replicas_in_sync"
RUN = ("run", "experimental_run_v2")
GIVES_BACK = ("experimental_distribute_dataset", "experimental_local_results")


class OnOneDevice(ast.NodeTransformer):
    """Puts what a strategy gives on one device in the place of each of its uses."""

    def __init__(self, names: set[str], tensorflow: str) -> None:
        self._names, self._tensorflow = names, tensorflow

    def uses(self, tree: ast.AST) -> Iterator[ast.AST]:
        """The places that read a strategy."""
        for node in within(tree):
            is_load = isinstance(getattr(node, "ctx", None), ast.Load)
            if is_load and ast.unparse(node) in self._names:
                yield node

    def is_member(self, node: ast.AST, *members: str) -> bool:
        """Whether it is one of these members of a strategy."""
        is_one = isinstance(node, ast.Attribute) and node.attr in members
        return is_one and ast.unparse(node.value) in self._names  # type: ignore[attr-defined]

    def is_use(self, node: ast.AST) -> bool:
        """Whether the node itself is one of the uses that are known."""
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, (ast.Mult, ast.FloorDiv)) and any(
                self.is_member(side, COUNT) for side in (node.left, node.right)
            )
        if isinstance(node, ast.Call):
            return self.is_member(node.func, *RUN, *GIVES_BACK, "reduce")
        if isinstance(node, ast.JoinedStr):  # it is edited as a whole
            return any(self.is_use(part) for part in within(node) if part is not node)
        return self.is_member(node, COUNT)

    def code(self, node: ast.expr) -> str:
        """The code that takes the place of a use."""
        return ast.unparse(self.visit(copy.deepcopy(node)))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """`batch * strategy.num_replicas_in_sync` is `batch`."""
        if self.is_use(node) and self.is_member(node.right, COUNT):
            return self._visited(node.left)
        if self.is_use(node) and isinstance(node.op, ast.Mult):
            return self._visited(node.right)
        return self._inside(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """There is one replica."""
        return ast.Constant(1) if self.is_member(node, COUNT) else self._inside(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`run` calls, `reduce` gives what there is, datasets stay what they are."""
        if any(isinstance(each, ast.Starred) for each in node.args):
            return self._inside(node)
        if self.is_member(node.func, *RUN):
            return self._run(node)
        if self.is_member(node.func, "reduce"):
            return self._reduced(node)
        if self.is_member(node.func, *GIVES_BACK) and len(node.args) == 1 and not node.keywords:
            value = self._visited(node.args[0])
            is_tuple = node.func.attr == GIVES_BACK[1]  # type: ignore[attr-defined]
            return ast.Tuple([value], ast.Load()) if is_tuple else value
        return self._inside(node)

    def _run(self, node: ast.Call) -> ast.expr:
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        given.update(zip(("fn", "args", "kwargs"), node.args))
        arguments = given.get("args", ast.Tuple([], ast.Load()))
        if set(given) - {"fn", "args", "kwargs"} or "fn" not in given:
            return self._inside(node)
        named = [ast.keyword(None, self._visited(given["kwargs"]))] if "kwargs" in given else []
        if isinstance(arguments, (ast.Tuple, ast.List)):
            values = [self._visited(each) for each in arguments.elts]
        else:
            values = [ast.Starred(self._visited(arguments), ast.Load())]
        return ast.Call(self._visited(given["fn"]), values, named)

    def _reduced(self, node: ast.Call) -> ast.expr:
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        given.update(zip(("reduce_op", "value", "axis"), node.args))
        axis = given.get("axis", ast.Constant(None))
        if "value" not in given or not isinstance(axis, ast.Constant):
            return self._inside(node)
        value = self._visited(given["value"])
        if axis.value is None:
            return value
        kind = ast.unparse(given.get("reduce_op", axis)).rpartition(".")[2].strip("'\"").lower()
        if kind not in ("sum", "mean"):
            return self._inside(node)
        name = f"{self._tensorflow}.reduce_{kind}"
        return ast.Call(ast.Name(name, ast.Load()), [value], [ast.keyword("axis", axis)])

    def _visited(self, node: ast.expr) -> ast.expr:
        found: ast.expr = self.visit(node)
        return found

    def _inside(self, node: ast.expr) -> ast.expr:
        found: ast.expr = self.generic_visit(node)  # type: ignore[assignment]
        return found
