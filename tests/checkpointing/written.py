"""How a person writes in the core language: names for its forms, `let`, loops, a determinant."""

from __future__ import annotations

from functools import reduce

from checkpointing.language import (
    Apply,
    Binary,
    Constant,
    Expression,
    If,
    Lambda,
    Unary,
    Variable,
)

constant, variable, unary, binary = Constant, Variable, Unary, Binary


def apply(function: Expression, *arguments: Expression) -> Expression:
    return reduce(Apply, arguments, function)


def function(names: str, body: Expression) -> Expression:
    """λx.λy.e for the names `x y`."""
    return reduce(lambda inner, name: Lambda(name, inner), reversed(names.split()), body)


def let(name: str, value: Expression, body: Expression) -> Expression:
    return apply(Lambda(name, body), value)


def add(left: Expression, right: Expression) -> Expression:
    return binary("+", left, right)


def less(left: Expression, right: Expression) -> Expression:
    return binary("<", left, right)


def recursive(name: str, body: Expression) -> Expression:
    """The function that its body knows by this name, by the fixed point of call by value."""
    itself = Lambda("v", apply(variable("s"), variable("s"), variable("v")))
    twice = Lambda("s", apply(variable("g"), itself))
    return apply(Lambda("g", apply(twice, twice)), Lambda(name, body))


def loop(
    count: int, name: str, first: Expression, body: Expression, is_tail: bool = True
) -> Expression:
    """`first`, and so many times the body of what came before; or half of them in recursion."""
    less_one = binary("-", variable("n"), constant(1.0))
    again = apply(variable("go"), less_one, body)
    if not is_tail:
        again = binary("*", again, constant(0.5))
    step = If(less(variable("n"), constant(0.5)), variable(name), again)
    return apply(recursive("go", function(f"n {name}", step)), constant(float(count)), first)


def chain(count: int) -> Lambda:
    """λx. y ← sin(x · y + 0.3), so many times: a loop in which each value needs the one before."""
    body = binary("+", binary("*", variable("x"), variable("y")), constant(0.3))
    return Lambda("x", loop(count, "y", variable("x"), unary("sin", body)))
