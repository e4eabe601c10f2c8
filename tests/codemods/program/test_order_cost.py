"""The work on a program grows with its size, and the depth of the stack does not."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable

import pytest

from distify.codemods.program.order import Order


def repeat(count: int, text: str, head: str = "", tail: str = "") -> str:
    """The text so many times; `#` in it is the number."""
    return head + "".join(text.replace("#", str(i)) for i in range(count)) + tail


SHAPES = {
    "ifs": ("if f():\n    a = #\n", "a = 0\n", "use(a)\n"),
    "ifs of names": ("if f():\n    a# = a\n", "a = 0\n", ""),
    "ifs of a flag": ("if FLAG:\n    a = a + #\n    leave()\n", "a = 0\n", "use(a)\n"),
    "elif": ("elif a:\n    a = #\n", "if f():\n    pass\n", "use(a)\n"),
    "elif of names": ("elif a:\n    a# = 1\n", "if f():\n    pass\n", "use(a)\n"),
    "elif with walrus": ("elif (a := f(a)):\n    b = a\n", "if f():\n    pass\n", "use(b)\n"),
    "tries": (
        "try:\n    a = f(a)\nexcept E as e:\n    b# = a\nelse:\n    use(a)\nfinally:\n    use(a)\n",
        "a = 0\n",
        "",
    ),
    "handlers": ("except E#:\n    a# = a\n", "try:\n    a = f()\n", "use(a)\n"),
    "breaks": ("    a# = a\n    if f():\n        break\n", "a = 0\nfor x in y:\n", "use(a)\n"),
    "continues": (
        "    a# = a\n    if f():\n        a = #\n        continue\n",
        "a = 0\nwhile f():\n",
        "use(a)\n",
    ),
    "breaks through finally": (
        "        a# = a\n        if f():\n            break\n",
        "a = 0\nfor x in y:\n    try:\n",
        "    finally:\n        a = 1\nuse(a)\n",
    ),
    "returns": ("    a# = a\n    if a:\n        return a#\n", "def g(a):\n", "    return a\n"),
    "plain": ("a# = b\nb = a#\n", "b = 0\n", ""),
    "one name": ("a = f(a)\n", "a = 0\n", ""),
    "one name in a loop": ("    a = f(a)\n", "a = 0\nfor x in y:\n", "use(a)\n"),
    "one name in a try": ("    a = f(a)\n", "try:\n", "except E:\n    use(a)\n"),
    "withs": ("with f() as b#:\n    a = f(a)\n", "a = 0\n", ""),
    "functions": ("def f#(x):\n    return f(a, x)\na = f#(a)\n", "a = 0\n", ""),
    "functions that call": (
        "def f#(x):\n    return g#(a)\ndef g#(x):\n    return f#(b)\na = b = f#(0)\n",
        "a = b = 0\n",
        "",
    ),
    "callers of one function": ("a = f(a)\n", "a = 0\ndef f(x):\n    return a\n", ""),
    "lambdas": ("a = lambda: a\n", "a = 0\n", ""),
    "generators": ("a = (a for x in y)\n", "a = 0\n", ""),
    "globals": ("def f#():\n    global a\n    a = #\nuse(a)\n", "a = 0\n", ""),
    "classes": (
        "class A#(A):\n    x = a\n    def f(self):\n        return a\na = #\n",
        "a = 0\n",
        "",
    ),
}
if sys.version_info >= (3, 10):
    SHAPES["cases"] = ("    case [a#, #]:\n        b = a#\n", "match f():\n", "use(b)\n")


def steps(text: str) -> int:
    return Order(ast.parse(text)).steps


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_program_is_twice_the_work(shape: str) -> None:
    once, twice = (steps(repeat(count, *SHAPES[shape])) for count in (200, 400))
    assert math.log2(twice / once) <= 1.1


def test_nested_blocks_cost_their_depth() -> None:
    def nested(depth: int) -> str:
        lines = [" " * i + "for x in f(a):" for i in range(depth)]
        return "\n".join([*lines, " " * depth + "a = f(a)"]) + "\n"

    assert math.log2(steps(nested(80)) / steps(nested(40))) <= 2.1


FLAT: dict[str, Callable[[], str]] = {
    "elif": lambda: repeat(2_000, *SHAPES["elif"]),
    "elif with walrus": lambda: repeat(2_000, *SHAPES["elif with walrus"]),
    "lines": lambda: repeat(40_000, "a = f(a)\n"),
    "and": lambda: "x = " + " and ".join(["a"] * 5_000) + "\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", FLAT)
def test_flat_programs_need_no_deep_stack(shape: str) -> None:
    order = Order(ast.parse(FLAT[shape]()))
    assert order.steps


def binary(count: int) -> ast.expr:
    """`a + a + …`, as deep as this; the parser of some Pythons gives up earlier."""
    whole: ast.expr = ast.Name("a", ast.Load())
    for _ in range(count):
        whole = ast.BinOp(whole, ast.Add(), ast.Name("a", ast.Load()))
    return whole


def chain(count: int) -> ast.expr:
    """`a.map(f).map(f)…`"""
    whole: ast.expr = ast.Name("a", ast.Load())
    for _ in range(count):
        whole = ast.Call(ast.Attribute(whole, "map", ast.Load()), [], [])
    return whole


@pytest.mark.parametrize("deep", [binary(5_000), chain(5_000)], ids=["sum", "chain"])
def test_deep_expressions_need_no_deep_stack(deep: ast.expr) -> None:
    module = ast.parse("a = 1\n")
    module.body.append(ast.Expr(deep))
    assert len(Order(module).reads) >= 1


def test_blocks_may_be_as_deep_as_python_allows() -> None:
    kinds = ("if a:", "for a in a:", "while a:", "with a as a:", "try:")
    heads = [kinds[i % len(kinds)] for i in range(95)]
    lines = [" " * i + head for i, head in enumerate(heads)]
    ends = [" " * i + "finally: a" for i, head in reversed([*enumerate(heads)]) if head == "try:"]
    text = "a = 1\n" + "\n".join([*lines, " " * 95 + "a = 2", *ends, "a"]) + "\n"
    assert Order(ast.parse(text)).steps
