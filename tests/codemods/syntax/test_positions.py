"""Which node of the concrete tree an `ast` node is."""

from __future__ import annotations

import ast
import sys
from typing import Any

import pytest
from fissix.pygram import python_symbols as syms

from distify.codemods.syntax import LN, Leaf, Node, Source, parse, resolve


def find(text: str, kind: type[ast.AST], index: int = 0) -> LN:
    """The node for the index-th `ast` node of a kind, in the order of the text."""
    source = Source(text)
    tree = parse(text, source.module)
    nodes: list[Any] = [node for node in ast.walk(source.module) if isinstance(node, kind)]
    node = sorted(nodes, key=lambda node: (node.lineno, node.col_offset, -node.end_col_offset))[
        index
    ]
    found = resolve(tree, source, [node])[node]
    assert str(tree) == text
    return found


def code(node: LN) -> str:
    return str(node)[len(node.prefix) :]


EXPRESSIONS = [
    ("x = (a + b) * c\n", ast.BinOp, 1, "a + b"),
    ("x = (a, b)\n", ast.Tuple, 0, "(a, b)"),
    ("x = a, b,\n", ast.Tuple, 0, "a, b,"),
    ("f(a for a in b)\n", ast.GeneratorExp, 0, "a for a in b"),
    ("f( # why\n a for a in b )\n", ast.GeneratorExp, 0, "a for a in b"),
    ("f((a for a in b))\n", ast.GeneratorExp, 0, "(a for a in b)"),
    ("f((a for a in b), c)\n", ast.GeneratorExp, 0, "(a for a in b)"),
    ("x = ('a'\n  f'b' 'c')\n", ast.JoinedStr, 0, "'a'\n  f'b' 'c'"),
    ("f(a, lr=1, **c)\n", ast.keyword, 0, "lr=1"),
    ("f(a, lr=1, **c)\n", ast.keyword, 1, "**c"),
    ("f(*a)\n", ast.Starred, 0, "*a"),
    ("@a.b(c)\ndef f(): pass\n", ast.Call, 0, "a.b(c)"),
    ("@a.b(c)\ndef f(): pass\n", ast.Attribute, 0, "a.b"),
    ("a.b(c).d[e](f)\n", ast.Call, 0, "a.b(c).d[e](f)"),
    ("a.b(c).d[e](f)\n", ast.Subscript, 0, "a.b(c).d[e]"),
    ("a.b(c).d[e](f)\n", ast.Call, 1, "a.b(c)"),
    ("a.b(c).d[e](f)\n", ast.Attribute, 1, "a.b"),
    ("a + b + c - d\n", ast.BinOp, 2, "a + b"),
    ("a * b / c\n", ast.BinOp, 1, "a * b"),
    ("-a.b ** c\n", ast.Attribute, 0, "a.b"),
    ("é = 'ü' + a.b('ß', ç)\n", ast.Attribute, 0, "a.b"),
    ("é = 'ü' + a.b('ß', ç)\n", ast.Name, 2, "ç"),
    ("a[b:c, d]\n", ast.Slice, 0, "b:c"),
    ("x = yield a, b\n", ast.Yield, 0, "yield a, b"),
    ("def f(a: int = 1, *b): pass\n", ast.arg, 0, "a: int"),
    ("lambda: (a := 1)\n", ast.NamedExpr, 0, "a := 1"),
]


@pytest.mark.parametrize(("text", "kind", "index", "expected"), EXPRESSIONS)
def test_an_expression_is_what_has_its_start_and_end(
    text: str, kind: type[ast.AST], index: int, expected: str
) -> None:
    text = f"async def g():\n    {text}" if kind is ast.Yield else text
    assert code(find(text, kind, index)) == expected


def test_awaited_expressions_have_a_node() -> None:
    assert code(find("async def f():\n    await a.b(c)\n", ast.Call)) == "a.b(c)"
    assert code(find("async def f():\n    await a ** b\n", ast.Await)) == "await a"


STATEMENTS = [
    ("import a; x = 1 ; y\n", ast.Assign, "x = 1"),
    ("(a)\n", ast.Expr, "(a)"),
    ("if x: pass\n", ast.Pass, "pass"),
    ("while x:\n    a = 1\n    break  # b\n", ast.Break, "break"),
    ("def f(): return a, b\n", ast.Return, "return a, b"),
    ("from a import (b,  # c\n  d)\n", ast.ImportFrom, "from a import (b,  # c\n  d)"),
    ("x: int = 1\n", ast.AnnAssign, "x: int = 1"),
]


@pytest.mark.parametrize(("text", "kind", "expected"), STATEMENTS)
def test_a_simple_statement_is_the_small_statement(
    text: str, kind: type[ast.AST], expected: str
) -> None:
    assert code(find(text, kind)) == expected


def test_an_expression_statement_is_its_expression() -> None:
    text = "f(a)\n"
    source = Source(text)
    statement = source.module.body[0]
    assert isinstance(statement, ast.Expr)
    found = resolve(parse(text), source, [statement, statement.value])
    assert found[statement] is found[statement.value]


COMPOUND = [
    ("# a\nif x:\n    y\n\nz\n", ast.If, syms.if_stmt),
    ("for a in b: c\n", ast.For, syms.for_stmt),
    ("@a\n@b(c)\ndef f(): pass\n", ast.FunctionDef, syms.funcdef),
    ("@a\nclass A: pass\n", ast.ClassDef, syms.classdef),
    ("async def f(): pass\n", ast.AsyncFunctionDef, syms.async_stmt),
    ("@a\nasync def f(): pass\n", ast.AsyncFunctionDef, syms.async_funcdef),
    ("async def f():\n    async with a: b\n", ast.AsyncWith, syms.async_stmt),
    ("with a: b\n", ast.With, syms.with_stmt),
    ("try: a\nfinally: b\n", ast.Try, syms.try_stmt),
    ("try: a\nexcept B as c: d\n", ast.ExceptHandler, syms.except_clause),
]


@pytest.mark.parametrize(("text", "kind", "symbol"), COMPOUND)
def test_a_compound_statement_is_its_own_node(text: str, kind: type[ast.AST], symbol: int) -> None:
    found = find(text, kind)
    assert isinstance(found, Node)
    assert found.type == symbol


def test_a_bare_except_is_its_word() -> None:
    assert isinstance(find("try: a\nexcept: b\n", ast.ExceptHandler), Leaf)


def test_the_module_is_the_tree() -> None:
    source = Source("a\n")
    tree = parse("a\n")
    assert resolve(tree, source, [source.module])[source.module] is tree


def test_parts_of_one_chain_nest_whatever_the_order_they_are_asked_for() -> None:
    text = "a.b(c).d(e).f\n"
    for backwards in (False, True):
        source = Source(text)
        nodes = [node for node in ast.walk(source.module) if isinstance(node, ast.expr)]
        tree = parse(text, source.module)
        spans = {node: source.offsets(node) for node in nodes}
        found = resolve(tree, source, reversed(nodes) if backwards else nodes)
        assert all(code(found[node]) == text[slice(*spans[node])] for node in nodes)
        assert str(tree) == text


UNRESOLVED = [
    ("if a: b\nelif c: d\n", ast.If, 1, "If at 2:0"),
    ("x = f'{a=}'\n", ast.Name, 1, "a field of this f-string"),  # it says its own code
    ("x = f'{1:{a}}'\n", ast.Name, 1, "Name in an f-string"),
    ("x = f'{a, b}'\n", ast.Tuple, 0, "a field of this f-string"),
]


@pytest.mark.parametrize(("text", "kind", "index", "message"), UNRESOLVED)
def test_what_has_no_node_is_named(
    text: str, kind: type[ast.AST], index: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        find(text, kind, index)


def test_what_has_no_position_is_named() -> None:
    source = Source("a + b\n")
    operator = next(node for node in ast.walk(source.module) if isinstance(node, ast.Add))
    with pytest.raises(ValueError, match="Add nodes have no position"):
        resolve(parse("a + b\n"), source, [operator])


@pytest.mark.skipif(sys.version_info < (3, 10), reason="match")
def test_patterns_have_nodes() -> None:
    text = "match a:\n    case B.C(d, e=[f, *_]) as g if h: pass\n"
    assert code(find(text, ast.MatchAs)) == "B.C(d, e=[f, *_]) as g"
    assert code(find(text, ast.MatchClass)) == "B.C(d, e=[f, *_])"
    assert code(find(text, ast.Attribute)) == "B.C"
    assert find(text, ast.Match).type > max(vars(syms).values())
