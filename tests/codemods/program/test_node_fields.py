"""Walks over the abstract tree that know which fields hold nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

from distify.codemods.program.node_fields import children, nodes_in, within

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
