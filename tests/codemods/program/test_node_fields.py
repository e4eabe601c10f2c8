"""Walks over the abstract tree that know which fields hold nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from distify.codemods.program.node_fields import Transformer, children, nodes_in, within

LEFT_OUT = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
FILES = sorted((Path(__file__).parents[1]).rglob("*.py"))
SOURCES = [
    "{**a, 'b': [1, *c], 'd': {e: f async for e, f in g if h}}",
    "lambda a, *, b, c=1: -a < b",
]


def kept(nodes: Iterable[ast.AST]) -> list[ast.AST]:
    return [node for node in nodes if not isinstance(node, LEFT_OUT)]


@pytest.mark.parametrize("text", [*SOURCES, *(file.read_text("utf-8") for file in FILES[::4])])
def test_they_go_as_those_of_ast(text: str) -> None:
    module = ast.parse(text)
    assert list(within(module)) == kept(ast.walk(module))
    for node in ast.walk(module):
        assert children(node) == kept(ast.iter_child_nodes(node))


def test_what_is_evaluated_first_stands_last() -> None:
    comprehension = ast.parse("[a for b in c]", mode="eval").body
    assert [type(node) for node in nodes_in(comprehension)] == [ast.Name, ast.comprehension]
    assert [type(node) for node in children(comprehension)] == [ast.Name, ast.comprehension]
    keys = ast.parse("{**a, b: c}", mode="eval").body
    assert [ast.unparse(node) for node in nodes_in(keys)] == ["c", "a", "b"]


def changed(node: ast.AST) -> Any:
    """Another node for a name, nothing for a call and an import, two statements for `pass`."""
    if isinstance(node, ast.Name):
        return ast.copy_location(ast.Name(f"{node.id}_", node.ctx), node)
    return [ast.Break(), ast.Continue()] if isinstance(node, ast.Pass) else None


class Slow(ast.NodeTransformer):
    visit_Name = visit_Call = visit_Pass = visit_Import = staticmethod(changed)


class Fast(Transformer):
    visit_Name = visit_Call = visit_Pass = visit_Import = staticmethod(changed)


@pytest.mark.parametrize("text", [*SOURCES, *(file.read_text("utf-8") for file in FILES[::9])])
def test_a_transformer_makes_what_that_of_ast_makes(text: str) -> None:
    trees = [ast.parse(text) for _ in range(2)]
    fast, slow = Fast().visit(trees[0]), Slow().visit(trees[1])
    assert fast is trees[0]
    assert ast.dump(fast) == ast.dump(slow)


def test_a_transformer_finds_the_methods_of_its_own_class() -> None:
    class Faster(Fast):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            return ast.Constant(2)

    text = "a = [1, b]"
    assert ast.unparse(Fast().visit(ast.parse(text))) == "a_ = [1, b_]"
    assert ast.unparse(Faster().visit(ast.parse(text))) == "a_ = [2, b_]"
    assert ast.unparse(Fast().visit(ast.parse(text))) == "a_ = [1, b_]"
