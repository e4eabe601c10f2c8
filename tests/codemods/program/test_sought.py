"""What is asked of many values is looked for once in each part of the program."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.program.core import NO_LIBRARY, Core
from distify.codemods.program.edges import Edge
from distify.codemods.program.ingredients import Ingredients
from distify.codemods.program.program import Program
from distify.codemods.program.sought import Sought

CHAIN = "v{j} = f(v{i})\n"
# name: (before, each); `{i}` is the number, `{j}` the next one
SHAPES = {
    "a chain": ("v0 = 1\n", CHAIN),
    "put into what goes on": ("v0 = mine.State()\n", "v{j} = v{i}\nv{i}.a = g({i})\n"),
    "wrapped functions": (
        "v0 = 1\n",
        "@mine.cached\ndef f{i}(x):\n    return x\nv{j} = f{i}(v{i})\n",
    ),
    "a cycle": ("v0 = 1\nwhile c:\n    v0 = f(v0)\n", CHAIN),
}


def is_two(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == 2


def asked(shape: str, size: int) -> int:
    """The steps that it takes to ask every value for something that isn't there."""
    before, each = SHAPES[shape]
    text = before + "".join(each.format(i=i, j=i + 1) for i in range(3, size)).replace("v3", "v0")
    tree = ast.parse("import mine\n" + text)
    program = Program({"m": tree})
    has_two = program.sought(lambda node: isinstance(node, ast.Constant) and node.value == -1)
    before_asking = program.steps
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    assert not any(has_two(name) for name in names)
    return program.steps - before_asking


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_program_takes_twice_the_steps(shape: str) -> None:
    assert asked(shape, 400) < 2.2 * asked(shape, 200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", True),
        ("1", False),
        ("a = 2\na", True),
        ("a = 1\nfor x in y:\n    a = f(a)\na", False),
        ("a = 1\nfor x in y:\n    a = f(a, b)\n    b = g(a, 2)\na", True),
        ("a = mine.A()\nb = a\nb.c = 2\na", True),
        ("a = mine.A()\nb = a.b\na.c = 2\nb", True),
        ("a = mine.A()\nb = mine.A()\nb.c = 2\na", False),
        ("@mine.cached\ndef f():\n    return 2\nf()", True),
        ("@mine.cached\ndef f():\n    return 2\ng()", False),
    ],
)
def test_it_says_of_each_value_whether_that_is_there(text: str, expected: bool) -> None:
    tree = ast.parse("import mine\n" + text)
    last = tree.body[-1]
    assert isinstance(last, ast.Expr)
    assert Program({"m": tree}).sought(is_two)(last.value) is expected


def test_a_way_ends_where_it_is_told_to() -> None:
    tree = ast.parse("f(g(2))\nf(2)")
    first, second = (node.value for node in tree.body if isinstance(node, ast.Expr))
    program = Program({"m": tree})
    has_two = program.sought(is_two, lambda node: ast.unparse(node).startswith("g("))
    assert not has_two(first)
    assert has_two(second)


def test_what_comes_later_is_found() -> None:
    core = Core(NO_LIBRARY)
    one, two = (core.node(ast.parse(text, mode="eval").body) for text in ("1", "2"))
    sought = Sought(core, Ingredients(core).links, is_two)
    assert not sought.value(one)
    assert sought.value(two)
    core.edge(two, one, Edge.ALIAS)
    assert sought.value(one)


def test_what_was_found_is_found_again_on_the_way_of_another_value() -> None:
    tree = ast.parse("a = f(2)\nb = g(a)\nc = g(1)\nb, c")
    program = Program({"m": tree})
    has_two = program.sought(is_two)
    first = next(n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.lineno == 1)
    both = tree.body[-1].value  # type: ignore[attr-defined]
    assert has_two(first)
    assert [has_two(each) for each in both.elts] == [True, False]


def test_what_runs_behind_something_counts_as_made_of_that() -> None:
    tree = ast.parse("a = f(1)\nb = f(2)\nc = g(a)\nc, f(a)")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    behind = {call: [calls[1]] for call in calls if call.lineno == 3}
    has_two = Program({"m": tree}).sought(is_two, behind=behind)
    both = tree.body[-1].value  # type: ignore[attr-defined]
    assert [has_two(each) for each in both.elts] == [True, False]


def test_further_gives_what_nobody_before_has_had() -> None:
    tree = ast.parse("a = 1\nb = f(a)\nc = g(b)\nb\nc")
    first, second = (node.value for node in tree.body[-2:] if isinstance(node, ast.Expr))
    program = Program({"m": tree})
    before, all_of_second = list(program.ingredients(first)), list(program.ingredients(second))
    further = program.further()
    assert list(further(first)) == before
    assert list(further(second)) == [node for node in all_of_second if node not in before]
