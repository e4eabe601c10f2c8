"""Uses of a strategy of `tf.distribute`, and what they are on one device."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator

from ..facts import Facts
from ..program.node_fields import within

# On one device they give the values that this module writes; others (TPU, parameter servers) don't.
MIRRORED = re.compile(
    r"tensorflow\.distribute\.(?:experimental\.)?"
    r"(?:Mirrored|MultiWorkerMirrored|CentralStorage|OneDevice)Strategy$"
    r"|tensorflow\.distribute\.get_strategy$"
)
COUNT = "num_replicas_in_sync"
RUN = ("run", "experimental_run_v2")
GIVES_BACK = ("experimental_distribute_dataset", "experimental_local_results")
Assigned = dict[ast.stmt, str]


def strategies(facts: Facts) -> Assigned:
    """The statements that make one, each with what it is called from there on."""
    found: Assigned = {}
    for call in facts.index.calls:
        statement = facts.parent(call)
        if not MIRRORED.match(facts.name(call.func) or "") or not isinstance(statement, ast.Assign):
            continue
        if len(statement.targets) == 1 and isinstance(
            statement.targets[0], (ast.Name, ast.Attribute)
        ):
            found[statement] = ast.unparse(statement.targets[0])
    return found


class OnOneDevice(ast.NodeTransformer):
    """Puts what a strategy gives on one device in the place of each of its uses."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def uses(self, tree: ast.AST) -> Iterator[ast.AST]:
        """The places that name a strategy."""
        for node in within(tree):
            if isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in self._names:
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
        names = ("fn", "args", "kwargs")
        given.update(zip(names, node.args))
        arguments = given.get("args", ast.Tuple([], ast.Load()))
        if set(given) - {"fn", "args"} or "fn" not in given:
            return self._inside(node)
        if isinstance(arguments, (ast.Tuple, ast.List)):
            values = [self._visited(each) for each in arguments.elts]
        else:
            values = [ast.Starred(self._visited(arguments), ast.Load())]
        return ast.Call(self._visited(given["fn"]), values, [])

    def _reduced(self, node: ast.Call) -> ast.expr:
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        given.update(zip(("reduce_op", "value", "axis"), node.args))
        axis = given.get("axis", ast.Constant(None))
        is_whole = isinstance(axis, ast.Constant) and axis.value is None
        if not is_whole or "value" not in given:
            return self._inside(node)
        return self._visited(given["value"])

    def _visited(self, node: ast.expr) -> ast.expr:
        found: ast.expr = self.visit(node)
        return found

    def _inside(self, node: ast.expr) -> ast.expr:
        found: ast.expr = self.generic_visit(node)  # type: ignore[assignment]
        return found
