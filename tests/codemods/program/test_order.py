"""Which bindings a name may see, case by case; `tests/properties/test_every_path.py` tries all paths."""

from __future__ import annotations

import ast
import sys

import pytest

from distify.codemods.program.order import Order
from distify.codemods.program.versions import ENTER, UNBOUND, Version, bindings

HAS_MATCH = pytest.mark.skipif(sys.version_info < (3, 10), reason="this Python has no match")
HAS_GROUPS = pytest.mark.skipif(sys.version_info < (3, 11), reason="this Python has no except*")
HAS_TYPES = pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python has no def f[T]")


def version(text: str) -> tuple[Order, Version]:
    """What the name in the last `use(…)` of a text sees."""
    module = ast.parse(text)
    order = Order(module)
    uses = [n for n in ast.walk(module) if isinstance(n, ast.Call) and ast.unparse(n.func) == "use"]
    name = max(uses, key=lambda n: (n.lineno, n.col_offset)).args[0]
    assert isinstance(name, ast.Name)
    return order, order.reads[name]


def lines(text: str) -> list[int]:
    """The lines of the bindings that the name in the last `use(…)` may see; 0: it is not bound."""
    found = bindings(version(text)[1])
    return sorted({0 if b is UNBOUND else b.node.lineno for b in found})  # type: ignore[union-attr]


CASES = {
    # where walking backwards over the blocks was wrong
    "else of try": ("a = 1\ntry:\n    a = 2\nexcept E:\n    pass\nelse:\n    use(a)\n", [3]),
    "finally": ("a = 1\ntry:\n    a = f()\nfinally:\n    use(a)\n", [1, 3]),
    "except": ("a = 1\ntry:\n    a = 2\n    f()\nexcept E:\n    use(a)\n", [1, 3]),
    "test of while": ("a = 1\nwhile use(a):\n    a = 2\n", [1, 3]),
    # branches
    "if": ("a = 1\nif f():\n    a = 2\nuse(a)\n", [1, 3]),
    "both arms": ("a = 1\nif f():\n    a = 2\nelse:\n    a = 3\nuse(a)\n", [3, 5]),
    "arm that leaves": ("a = 1\nif f():\n    a = 2\n    raise E\nuse(a)\n", [1]),
    "other arm": ("a = 1\nif f():\n    a = 2\nelse:\n    use(a)\n", [1]),
    "elif with walrus": ("a = 1\nif f():\n    pass\nelif (a := f()):\n    pass\nuse(a)\n", [1, 4]),
    "walrus and the arm before": ("a = 1\nif f():\n    use(a)\nelif (a := 2):\n    pass\n", [1]),
    "walrus and the arm behind": ("a = 1\nif f():\n    pass\nelif (a := 2):\n    use(a)\n", [4]),
    "walrus that came to nothing": ("a = 1\nif f():\n    pass\nelif (a := f()):\n    raise E\nelse:\n    raise E\nuse(a)\n", [1]),
    "constant test": ("a = 1\nif True:\n    a = 2\nuse(a)\n", [3]),
    "never": ("a = 1\nif 0:\n    a = 2\nuse(a)\n", [1]),
    # loops
    "for": ("a = 1\nfor x in f():\n    use(a)\n    a = 2\n", [1, 4]),
    "variable of a loop": ("for a in f():\n    pass\nuse(a)\n", [0, 1]),
    "else of a loop": ("a = 1\nfor x in f():\n    a = 2\n    break\nelse:\n    use(a)\n", [1]),
    "break": ("a = 1\nwhile True:\n    a = 2\n    if f():\n        break\n    a = 3\nuse(a)\n", [3]),
    "continue": ("a = 1\nfor x in f():\n    use(a)\n    if x:\n        a = 2\n        continue\n    a = 1\n", [1, 5, 7]),
    "break in finally": ("a = 1\nfor x in f():\n    try:\n        a = 2\n        break\n    finally:\n        a = 3\nuse(a)\n", [1, 7]),
    "finally that jumps": ("a = 1\nfor x in f():\n    try:\n        return_ = 1\n        break\n    finally:\n        a = 3\n        continue\nuse(a)\n", [1, 7]),
    # exceptions
    "handler and body": ("try:\n    a = f()\nexcept E:\n    a = 2\nuse(a)\n", [2, 4]),
    "name of a handler": ("e = 1\ntry:\n    f()\nexcept E as e:\n    pass\nuse(e)\n", [0, 1]),
    "name of a handler that breaks": ("e = 1\nwhile f():\n    try:\n        f()\n    except E as e:\n        break\nuse(e)\n", [0, 1]),
    "handler that leaves": ("a = 1\ntry:\n    a = 2\nexcept E:\n    raise\nuse(a)\n", [3]),
    "behind finally": ("a = 1\ntry:\n    a = 2\nfinally:\n    f()\nuse(a)\n", [3]),
    "bound by finally": ("a = 1\ntry:\n    f()\nfinally:\n    a = 2\nuse(a)\n", [5]),
    "with": ("a = 1\nwith f():\n    a = 2\n    f()\nuse(a)\n", [1, 3]),
    "name of with": ("a = 1\nwith f() as a:\n    f()\nuse(a)\n", [2]),
    "with that returns": ("a = 1\nwhile f():\n    with f():\n        a = 2\n        break\nuse(a)\n", [1, 4]),
    "assert": ("a = 1\nassert f(), (a := 2)\nuse(a)\n", [1]),
    # expressions
    "walrus in and": ("a = 1\nx = f() and (a := 2)\nuse(a)\n", [1, 2]),
    "walrus in a comparison": ("a = 1\nx = 1 < f() < (a := 2)\nuse(a)\n", [1, 2]),
    "walrus in a comprehension": ("a = 1\nx = [a := y for y in f()]\nuse(a)\n", [1, 2]),
    "walrus of the round before": ("a = 1\nx = [(use(a), a := y) for y in f()]\n", [1, 2]),
    "variable of a comprehension": ("a = 1\nx = [a for a in f()]\nuse(a)\n", [1]),
    "del": ("a = 1\ndel a\nuse(a)\n", [0]),
    "augmented": ("a = 1\na += 2\nuse(a)\n", [2]),
    "annotation alone": ("a = 1\na: int\nuse(a)\n", [1]),
    "generator, read later": ("a = 1\nx = (use(a) for y in f())\na = 2\n", [1, 3]),
    "generator, read at once": ("a = 1\nx = sum(use(a) for y in f())\na = 2\n", [1]),
    "generator for somebody": ("def sum(x): ...\na = 1\nx = sum(use(a) for y in f())\na = 3\n", [2, 4]),
    "generator in a loop": ("a = 1\nfor z in f():\n    a = 2\n    a = 3\n    x = (use(a) for y in f())\n", [1, 3, 4]),
    # frames
    "read by a function": ("a = 1\ndef g():\n    use(a)\na = 2\ng()\na = 3\n", [4, 6]),
    "two calls": ("a = 1\ndef g():\n    use(a)\ng()\na = 2\ng()\na = 3\n", [1, 5, 7]),
    "call from a function": ("a = 1\ndef g():\n    use(a)\ndef h():\n    g()\na = 2\nh()\na = 3\n", [6, 8]),
    "handed on": ("a = 1\na = 2\ndef g():\n    use(a)\nkeep(g)\na = 3\n", [2, 6]),
    "method": ("a = 1\na = 2\nclass A:\n    def g(self):\n        use(a)\na = 3\n", [2, 6]),
    "lambda": ("a = 1\na = 2\nx = lambda: use(a)\na = 3\n", [2, 4]),
    "lambda in a loop": ("a = 1\nfor y in f():\n    a = 2\n    a = 3\n    x = lambda: use(a)\n", [1, 3, 4]),
    "generator function": ("a = 1\na = 2\ndef g():\n    yield use(a)\nx = g()\na = 3\n", [2, 6]),
    "coroutine": ("a = 1\na = 2\nasync def g():\n    use(a)\nx = g()\na = 3\n", [2, 6]),
    "global": ("a = 1\ndef g():\n    global a\n    a = 2\ng()\nuse(a)\n", [1, 4]),
    "nonlocal": ("def h():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n    g()\n    use(a)\n", [2, 5]),
    "local of a function": ("a = 1\ndef g():\n    a = 2\n    use(a)\n", [3]),
    "body of a class": ("a = 1\nclass A:\n    a = a\n    use(a)\n", [3]),
    "body of a class, before": ("a = 1\nclass A:\n    use(a)\n    a = 2\n", [1]),
    "body of a class, perhaps": ("a = 1\nclass A:\n    if f():\n        a = 2\n    use(a)\n", [0, 1, 4]),
    "class around a method": ("a = 1\nclass A:\n    a = 2\n    def g(self):\n        use(a)\n", [1]),
    "default": ("a = 1\ndef g(x=use(a)): ...\na = 2\n", [1]),
    "async for": ("async def g():\n    a = 1\n    async for x in f():\n        a = 2\n    use(a)\n", [2, 4]),
    "async with": ("async def g():\n    async with f() as a:\n        use(a)\n", [2]),
}  # fmt: skip

MATCHES = {
    "inside": ("a = 1\nmatch f():\n    case 1:\n        use(a)\n", [1]),
    "behind": ("a = 1\nmatch f():\n    case 1:\n        a = 2\nuse(a)\n", [1, 4]),
    "every case": ("a = 1\nmatch f():\n    case 1:\n        a = 2\n    case _:\n        a = 3\nuse(a)\n", [4, 6]),
    "capture": ("a = 1\nmatch f():\n    case [a, 2]:\n        use(a)\n", [3]),
    "capture that failed": ("a = 1\nmatch f():\n    case [a, 2]:\n        pass\n    case _:\n        use(a)\n", [1, 3]),
    "star": ("match f():\n    case [1, *a]:\n        use(a)\n", [2]),
    "rest": ("match f():\n    case {1: 2, **a}:\n        use(a)\n", [2]),
    "guard": ("a = 1\nmatch f():\n    case 1 if (a := 2):\n        pass\nuse(a)\n", [1, 3]),
    "guard that is asked": ("a = 1\nmatch f():\n    case _ if (a := 2):\n        pass\nuse(a)\n", [3]),
    "alternatives": ("a = 1\nmatch f():\n    case 1 | _:\n        a = 2\nuse(a)\n", [4]),
}  # fmt: skip

GROUPS = {
    "one after the other": ("try:\n    a = 1\nexcept* E:\n    a = 2\nexcept* F:\n    use(a)\n", [0, 2, 4]),
    "behind": ("a = 1\ntry:\n    f()\nexcept* E:\n    a = 2\nexcept* F:\n    a = 3\nuse(a)\n", [1, 5, 7]),
}  # fmt: skip

TYPES = {
    "parameter of a type": ("a = 1\ndef f[a](x: use(a)): ...\n", [2]),
    "parameter of a class": ("a = 1\nclass A[a](use(a)): ...\n", [2]),
    "inside of the function": ("a = 1\ndef f[a]():\n    use(a)\n", [2]),
    "value of a type": ("a = 1\ntype X = use(a)\na = 2\n", [1, 3]),
    "name of a type": ("type a[T] = T\nuse(a)\n", [1]),
    "seen from a method": ("class A[a]:\n    def g(self):\n        use(a)\n", [1]),
    "not the name of the class": ("a = 1\nclass A:\n    a = 2\n    def g[T](self):\n        use(a)\n", [1]),
    "in an annotation of a method": ("a = 1\nclass A:\n    a = 2\n    def g[T](self, x: use(a)): ...\n", [3]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_name_sees_what_can_reach_it(case: str) -> None:
    text, expected = CASES[case]
    assert lines(text) == expected


@HAS_MATCH
@pytest.mark.parametrize("case", MATCHES)
def test_match(case: str) -> None:
    text, expected = MATCHES[case]
    assert lines(text) == expected


@HAS_GROUPS
@pytest.mark.parametrize("case", GROUPS)
def test_groups_of_exceptions(case: str) -> None:
    text, expected = GROUPS[case]
    assert lines(text) == expected


@HAS_TYPES
@pytest.mark.parametrize("case", TYPES)
def test_parameters_of_types(case: str) -> None:
    text, expected = TYPES[case]
    assert lines(text) == expected


@pytest.mark.parametrize("case", CASES)
def test_a_statement_sees_what_a_name_in_it_sees(case: str) -> None:
    order, seen = version(CASES[case][0])
    last = [n for n in ast.walk(order.module) if isinstance(n, ast.Expr) and is_use(n.value)]
    if last:
        statement = max(last, key=lambda n: n.lineno)
        found = order.at(statement, statement.value.args[0].id)  # type: ignore[attr-defined]
        assert found is None or set(bindings(found)) == set(bindings(seen))


def is_use(node: ast.AST) -> bool:
    """Whether it is `use(name)`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "use"


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\ndef f():\n    global a\n    a = 2\nf()\nuse(a)\n",
        "use(len)\n",
        "class C:\n    a = 1\n    use(a)\n",
    ],
)
def test_what_other_code_may_bind_is_known_at_no_statement(text: str) -> None:
    order = Order(ast.parse(text))
    uses = [n for n in ast.walk(order.module) if isinstance(n, ast.Expr) and is_use(n.value)]
    assert order.at(uses[-1], uses[-1].value.args[0].id) is None  # type: ignore[attr-defined]


def test_what_other_modules_see_is_marked() -> None:
    found = version("a = 1\ndef g():\n    use(a)\na = 2\ng()\na = 3\n")[1]
    here, elsewhere = found.args or []
    assert (here.kind, here.node.lineno) == ("assign", 4)  # type: ignore[union-attr]
    assert (elsewhere.kind, elsewhere.node.name) == ("imported", "g")  # type: ignore[union-attr]
    assert [b.node.lineno for b in bindings(elsewhere)] == [6]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a = 1\nif DEBUG:\n    a = 2\nuse(a)\n", ["true", "false"]),
        ("a = 1\nif not DEBUG:\n    a = 2\nuse(a)\n", ["true", "false"]),
        ('a = 1\nif __name__ == "x":\n    a = 2\nuse(a)\n', ["true", "false"]),
        ("a = 1\nif f():\n    a = 2\n    leave()\nuse(a)\n", ["returns", "assign"]),
        ("a = 1\nif f():\n    a = 2\nelse:\n    leave()\nuse(a)\n", ["assign", "returns"]),
        ("a = 1\ntry:\n    a = 2\nexcept E:\n    leave()\nuse(a)\n", ["assign", "returns"]),
        ("a = 1\nif f():\n    a = 2\nuse(a)\n", ["assign", "assign"]),
        ("a = 1\nif f():\n    a = 2\nelif A:\n    leave()\nuse(a)\n", ["assign", "assign"]),
    ],
)
def test_who_asks_decides_whether_tests_are_known_and_calls_return(
    text: str, kind: list[str]
) -> None:
    found = version(text)[1]
    assert [v.kind for v in found.args or []] == kind


def test_who_asks_decides_whether_with_swallows() -> None:
    found = version("a = 1\nwith f() as x, g():\n    a = 2\nuse(a)\n")[1]
    assert found.kind == "swallow"
    assert [b.node.lineno for b in found.args or [] if b.node] == [3, 1]  # type: ignore[attr-defined]
    assert [ast.unparse(test) for test in found.tests] == ["f()", "g()"]


def test_bindings_know_the_path_to_their_values() -> None:
    text = "with f() as (a, (b, *c), d): pass\n(x, *y, z), w[0] = g()\n"
    order = Order(ast.parse(text))
    paths = {name: cell.args[0].path for (_, name), cell in order.cells.items() if cell.args}
    assert paths["a"] == (ENTER, 0)
    assert paths["c"] == (ENTER, 1, ("rest", 1, 0))
    assert (paths["x"], paths["y"], paths["z"]) == ((0, 0), (0, ("rest", 1, 1)), (0, -1))
    assert [path for _, _, path in order.stores] == [(1,)]
