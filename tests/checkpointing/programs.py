"""Programs of the core language: how loops and lists are written in it, and generated programs."""

from __future__ import annotations

from hypothesis import strategies as st

from checkpointing.language import Expression, If, Lambda
from checkpointing.written import add, apply, binary, constant, less, let, loop, unary, variable

NUMBERS = st.floats(-2.0, 2.0, allow_nan=False).map(lambda value: round(value, 3))


def leaf(names: tuple[str, ...]) -> st.SearchStrategy[Expression]:
    return st.one_of(st.sampled_from(names).map(variable), NUMBERS.map(constant))


@st.composite
def expressions(draw: st.DrawFn, names: tuple[str, ...], depth: int, iterations: int) -> Expression:
    """A number from numbers: bounded, so that no loop makes it overflow."""
    if depth == 0:
        return draw(leaf(names))
    part = expressions(names, depth - 1, iterations)
    kind = draw(st.sampled_from(["one", "two", "if", "let", "call", "loop", "recursion", "pair"]))
    if kind == "one":
        return unary(draw(st.sampled_from(["-", "sin", "cos", "tanh"])), draw(part))
    if kind == "two":
        return unary("sin", binary(draw(st.sampled_from(["+", "-", "*"])), draw(part), draw(part)))
    if kind == "if":
        return If(less(draw(part), draw(leaf(names))), draw(part), draw(part))
    return draw(binders(kind, names, depth, iterations))


@st.composite
def binders(
    draw: st.DrawFn, kind: str, names: tuple[str, ...], depth: int, iterations: int
) -> Expression:
    """What binds a name: by `let`, a function called twice, a loop, a recursion, a pair."""
    new = f"x{len(names)}"
    part = expressions(names, depth - 1, iterations)
    inner = expressions((*names, new), depth - 1, max(1, iterations // 4))
    count = draw(st.integers(1, iterations))
    if kind == "let":
        return let(new, draw(part), draw(inner))
    if kind == "call":
        twice = apply(variable("f"), apply(variable("f"), draw(part)))
        return let("f", Lambda(new, unary("tanh", draw(inner))), twice)
    if kind == "loop":
        return loop(count, new, draw(part), unary("sin", draw(inner)))
    if kind == "recursion":
        return deep(count, new, draw(part), draw(inner))
    pair = binary("cons", draw(part), draw(leaf(names)))
    return let("p", pair, let(new, unary("car", variable("p")), draw(inner)))


def deep(count: int, name: str, first: Expression, body: Expression) -> Expression:
    """sin(body + sin(body + …)): the continuation grows with every call."""
    return unary("sin", add(loop(count, name, first, unary("cos", body), is_tail=False), first))
