"""Which scope owns a name; `tests/codemods/facts/test_scopes.py` asks Python's own symbol tables."""

from __future__ import annotations

import ast
import sys

import pytest

from distify.codemods.program.scope import Scope
from distify.codemods.program.scopes import Scopes


def owner(text: str) -> str:
    """The scope that owns `seen`, where the text reads it last."""
    found = Scopes(ast.parse(text))
    places = [(name.lineno, name.col_offset, s) for name, s in found.loads if name.id == "seen"]
    scope = max(places, key=lambda place: place[:2])[2].find("seen")
    return "nothing" if scope is None else named(scope)


def named(scope: Scope) -> str:
    return str(getattr(scope.node, "name", type(scope.node).__name__))


OWNERS = {
    "seen": "nothing",
    "seen: int\nseen": "Module",  # a name of the module, bound or not
    "seen = 1\ndef f():\n    seen": "Module",
    "def f():\n    seen\n    seen = 1": "f",
    "seen = 1\ndef f():\n    global seen\n    def g():\n        seen": "Module",
    "def f():\n    global seen\n    seen": "Module",
    "def f():\n    seen = 1\n    def g():\n        nonlocal seen\n        seen": "f",
    "def f():\n    seen = 1\n    class A:\n        seen = 2\n        def g(self):\n            seen": "f",
    "class A:\n    seen = 1\n    x = [seen for _ in y]": "nothing",
    "class A:\n    seen = 1\n    x = [y for _ in seen]": "A",
    "class A:\n    seen = 1\n    def f(self, x=seen): ...": "A",
    "def f(seen):\n    lambda: seen": "f",
    "lambda seen: seen": "Lambda",
    "[seen for seen in x]": "ListComp",
    "[y for seen in x for y in seen]": "ListComp",
    "[[(seen := y) for y in z] for z in x]\nseen": "Module",
    "def f():\n    global seen\n    [(seen := y) for y in x]\nseen": "Module",
}


@pytest.mark.parametrize("text", OWNERS)
def test_the_owner_of_a_name(text: str) -> None:
    assert owner(text) == OWNERS[text]


TYPES = {
    "def f[seen](x: seen): ...": "seen",
    "class A[seen](B[seen]): ...": "seen",
    "type X[seen] = list[seen]": "seen",
    "class A[seen]:\n    def f(self):\n        seen": "seen",
    "def f[T](seen):\n    seen": "f",
    "class A:\n    seen = 1\n    def f[T](self, x: seen): ...": "A",
    "class A:\n    seen = 1\n    def f[T](self):\n        seen": "nothing",
}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python has no def f[T]")
@pytest.mark.parametrize("text", TYPES)
def test_the_owner_of_the_parameter_of_a_type(text: str) -> None:
    assert owner(text) == TYPES[text]


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("a = 1\ndef f():\n    global a\n    a = 2", {"a"}),
        ("a = 1\ndef f():\n    a = 2", set()),
        ("x = ((a := y) for y in z)", {"a"}),  # it runs when somebody asks for the next one
        ("x = [(a := y) for y in z]", set()),
    ],
)
def test_what_other_code_may_bind_at_any_time(text: str, shared: set[str]) -> None:
    assert Scopes(ast.parse(text)).module.shared == shared


def test_a_yield_makes_a_generator_of_its_own_function_only() -> None:
    module = ast.parse("def f():\n    def g():\n        yield 1\n    return [x for x in g()]")
    found = {named(s): s.is_generator for s in Scopes(module).of.values()}
    assert found == {"Module": False, "f": False, "g": True, "ListComp": False}
