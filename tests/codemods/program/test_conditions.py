"""Under which tests a statement, a binding or a store runs, and which tests choose a version."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.program.order import Order
from distify.codemods.program.versions import Condition


def way_to(text: str, kinds: tuple[str, ...] = ("branch", "loop", "exit")) -> list[str]:
    """The tests under which the last statement that says `here` runs, the innermost first."""
    module = ast.parse(text)
    order = Order(module)
    places = [n for n in ast.walk(module) if isinstance(n, ast.stmt) and is_here(n)]
    condition = order.conditions.get(max(places, key=lambda n: n.lineno))
    return [found for c in chain(condition) if c.kind in kinds for found in map(unparse, c.tests)]


def is_here(node: ast.stmt) -> bool:
    return "here" in ast.unparse(node) and not hasattr(node, "body")


def unparse(test: ast.AST) -> str:
    return "try" if isinstance(test, ast.Try) else ast.unparse(test)


def chain(condition: Condition | None) -> list[Condition]:
    found: list[Condition] = []
    while condition is not None:
        found.append(condition)
        condition = condition.outer
    return found


UNDER = {
    "always": ("here()\n", []),
    "if": ("if a:\n    here()\n", ["a"]),
    "else": ("if a:\n    pass\nelse:\n    here()\n", ["a"]),
    "elif": ("if a:\n    pass\nelif b:\n    here()\n", ["b", "a"]),
    "behind an if": ("if a:\n    pass\nhere()\n", []),
    "nested": ("if a:\n    if b:\n        here()\n", ["b", "a"]),
    "for": ("for x in y:\n    here()\n", ["y"]),
    "while": ("while a:\n    here()\n", ["a"]),
    "behind a loop": ("while a:\n    if b:\n        break\nhere()\n", []),
    "early return": ("def f():\n    if a:\n        return 1\n    return here\n", ["a"]),
    "early return, deeper": ("def f():\n    if a:\n        if b:\n            return 1\n    return here\n", ["b", "a"]),
    "return in a loop": ("def f():\n    for x in y:\n        if a:\n            return 1\n    return here\n", ["y", "a"]),
    "continue": ("for x in y:\n    if a:\n        continue\n    here()\n", ["a", "y"]),
    "break before": ("for x in y:\n    if a:\n        break\n    here()\n", ["a", "y", "a"]),
    "break of the round before": ("for x in y:\n    here()\n    if a:\n        break\n", ["y", "a"]),
    "else of a loop": ("for x in y:\n    if a:\n        break\nelse:\n    here()\n", ["y", "a"]),
    "handler": ("try:\n    f()\nexcept E:\n    here()\n", ["try"]),
    "behind a return in try": ("def f():\n    try:\n        return 1\n    except E:\n        pass\n    return here\n", ["try"]),
    "inner function": ("if a:\n    def f():\n        here()\n", []),
}  # fmt: skip


@pytest.mark.parametrize("case", UNDER)
def test_the_tests_on_the_way_to_a_statement(case: str) -> None:
    text, expected = UNDER[case]
    assert sorted(way_to(text)) == sorted(expected)


@pytest.mark.parametrize("jump", ["raise E", "assert 1"])
def test_raises_are_told_apart(jump: str) -> None:
    text = f"if a:\n    {jump}\nhere()\n"
    assert way_to(text) == []
    assert "a" in way_to(text, ("raise",))


def test_a_raise_beside_a_return_counts() -> None:
    text = "def f():\n    if a:\n        if b:\n            raise E\n        return 1\n    return here\n"
    assert {"a", "b"} <= set(way_to(text))


def joined(text: str) -> set[str]:
    """The tests that choose the value of the last name `here`."""
    module = ast.parse(text)
    order = Order(module)
    names = [n for n in order.reads if n.id == "here"]
    version = order.reads[max(names, key=lambda n: n.lineno)]
    return {unparse(test) for test in version.tests}


JOINED = {
    "if": ("if a:\n    here = 1\nelse:\n    here = 2\nuse(here)\n", {"a"}),
    "elif": ("here = 0\nif a:\n    here = 1\nelif b:\n    here = 2\nuse(here)\n", {"a", "b"}),
    "nested": ("here = 0\nif a:\n    if b:\n        here = 1\n    f()\nuse(here)\n", {"a"}),
    "break": ("here = 0\nfor x in y:\n    if a:\n        break\n    here = 1\nuse(here)\n", {"y", "a"}),
    "rounds": ("here = 0\nwhile a:\n    use(here)\n    here = 1\n    if b:\n        break\n", {"a", "b"}),
    "continue": ("here = 0\nwhile a:\n    use(here)\n    if b:\n        continue\n    here = 1\n", {"a", "b"}),
    "try": ("try:\n    here = 1\nexcept E:\n    here = 2\nuse(here)\n", {"try"}),
    "walrus": ("here = 0\na and b and (here := 1)\nuse(here)\n", {"a", "b"}),
    "choice": ("here = 0\nf(1 if a else (here := 1))\nuse(here)\n", {"a"}),
    "sure": ("here = 0\nuse(here)\n", set()),
    "one arm goes on": ("if a:\n    raise E\nelse:\n    here = 1\nuse(here)\n", set()),
}  # fmt: skip


@pytest.mark.parametrize("case", JOINED)
def test_the_tests_that_choose_a_version(case: str) -> None:
    text, expected = JOINED[case]
    assert joined(text) == expected


def test_bindings_and_stores_know_their_conditions() -> None:
    module = ast.parse("if a:\n    x.y, z = f()\nb and d and (c := 1)\n")
    order = Order(module)
    (target, _, _), *_ = order.stores
    assert [unparse(t) for t in order.conditions[target].tests] == ["a"]
    nodes = {name: cell.args[0].node for (_, name), cell in order.cells.items() if cell.args}
    assert [unparse(t) for t in order.conditions[nodes["z"]].tests] == ["a"]  # type: ignore[index]
    inner = order.conditions[nodes["c"]]
    assert inner.outer is not None
    assert [unparse(t) for t in (*inner.tests, *inner.outer.tests)] == ["d", "b"]  # type: ignore[index]
