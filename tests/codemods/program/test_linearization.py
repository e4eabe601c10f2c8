"""The order of a class and its bases is Python's own, and found once for all classes."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distify.codemods.program.program import Program

BASES = st.lists(st.lists(st.integers(0, 7), max_size=3, unique=True), min_size=2, max_size=8)


def text(bases: list[list[int]]) -> str:
    """Classes that each derive from some of those before, and have a method of their own."""
    lines = []
    for number, above in enumerate(bases):
        names = ", ".join(f"C{each}" for each in above if each < number)
        lines.append(
            f"class C{number}({names}):\n    def m{number % 3}(self):\n        return {number}\n"
        )
    return "".join(lines)


@given(BASES)
def test_a_method_is_that_of_the_first_class_that_has_it(bases: list[list[int]]) -> None:
    program = text(bases)
    made: dict[str, type] = {}
    try:
        exec(program, made)
    except TypeError:  # Python finds no order
        return
    last = f"C{len(bases) - 1}"
    calls = "".join(f"{last}().m{n}()\n" for n in range(3) if hasattr(made[last], f"m{n}"))
    tree = ast.parse(program + calls)
    found = Program({"m": tree})
    for statement in tree.body[len(bases) :]:
        call = statement.value  # type: ignore[attr-defined]
        expected = getattr(made[last](), call.func.attr)()
        values = [getattr(node, "value", None) for node in found.origins(call).nodes]
        assert values == [expected]


@pytest.mark.parametrize(
    "program",
    [
        "class A(B):\n    pass\nclass B(A, C):\n    pass\nclass C(B):\n    pass\nB().m()\n",
        "class A(f(), object):\n    pass\nclass B(A, f()):\n    pass\nclass C(B, A):\n    pass\nC().m()\n",
        "class A:\n    pass\nclass B(A, A):\n    pass\nclass C(B, A):\n    pass\nC().m()\n",
    ],
)
def test_where_python_finds_no_order_nothing_is_known(program: str) -> None:
    tree = ast.parse(program)
    call = tree.body[-1].value  # type: ignore[attr-defined]
    assert not Program({"m": tree}).functions(call.func).is_complete


def steps(levels: int) -> int:
    """The steps for a lattice, in which each class has both classes above for its bases."""
    lines = ["class A0: pass\nclass B0: pass\n"]
    for n in range(1, levels):
        bases = f"A{n - 1}, B{n - 1}"
        lines.append(f"class A{n}({bases}): pass\nclass B{n}({bases}): pass\n")
    return Program({"m": "".join(lines)}).steps


def test_the_orders_of_a_lattice_take_no_more_than_their_length() -> None:
    """Each class has as many bases as levels are above it: twice the levels, four times that."""
    assert steps(80) < 4.5 * steps(40)
