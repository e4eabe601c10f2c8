"""Where values are created, with the path inside of what holds them, and what nobody can follow."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.program.creations import MOST, Creations
from distify.codemods.program.program import Program


def created(text: str) -> Creations:
    """The creations of the value of the last statement."""
    tree = ast.parse(text)
    last = tree.body[-1]
    while not isinstance(last, ast.Expr):
        last = last.body[-1]  # type: ignore[attr-defined]
    return Program({"": tree}).origins(last.value)


def texts(found: Creations) -> list[tuple[str, object]]:
    return [(ast.unparse(item.node), item.path) for item in found.items]


HEAD = "from somewhere import make, load\n"
CREATED: dict[str, list[tuple[str, object]]] = {
    "a = make()\na": [("make()", ())],
    "a = make\na": [("make", ())],
    "make.b.c": [("make.b.c", ())],
    "a, b = make()\nb": [("make()", (1,))],
    "a, *b = make()\nb": [("make()", ("each",))],
    "for a, (b, c) in make():\n    c": [("make()", ("each", 1, 1))],
    "for n, (b, c) in enumerate(make()):\n    c": [("make()", ("each", 1))],
    "for n, b in enumerate(make()):\n    n": [("enumerate(make())", ("each",))],
    "for a, b in zip(make(), load()):\n    b": [("load()", ("each",))],
    "for k in {'a': 1}:\n    k": [("{'a': 1}", ("each",))],
    "for k, v in {'a': 1}.items():\n    v": [("1", ())],
    "with make() as a:\n    a": [("make()", ())],
    "with make() as (a, b):\n    b": [("make()", (1,))],
    "a = make()\na = a.b()\na": [("a.b()", ())],
    "a = make()\nif a:\n    a = load()\na": [("load()", ()), ("make()", ())],
    "a = next(make())\na": [("next(make())", ())],
    "def f(a):\n    return a, 2\nb, c = f(make())\nb": [("make()", ())],
    "def f():\n    yield 1\nf()": [("f()", ())],
    "d = {'k': {'l': make()}}\nd['k']['l']": [("make()", ())],
    "a = 1\na += 2\na": [("a += 2", ())],
}  # fmt: skip


@pytest.mark.parametrize("text", CREATED)
def test_where_a_value_is_created(text: str) -> None:
    found = created(HEAD + text)
    assert texts(found) == CREATED[text]
    assert found.complete


UNKNOWN = {
    "def f(a):\n    a": "a",
    "def f(a):\n    b, c = a\n    c": "a",
    "def f(*a):\n    a": "a",
    "def f(**a):\n    a": "a",
    "class C:\n    def f(self):\n        self": "self",
    "nowhere": "nowhere",
    "a = nowhere\na": "nowhere",
    "a = []\na[0]": "a[0]",
}


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_nobody_can_follow_is_unknown(text: str) -> None:
    found = created(text)
    assert [ast.unparse(node) for node in found.unknown] == [UNKNOWN[text]]
    assert not found.complete
    assert not found.items


def test_what_is_unknown_stands_beside_what_is_known() -> None:
    found = created("import x\na = [1]\nx.y(a)\na[0]")
    assert texts(found) == [("1", ())]
    assert not found.complete
    assert found.only is None


def test_a_path_that_grows_for_ever_is_cut_and_unknown() -> None:
    found = created("import m\nx = m.f()\nwhile m.g():\n    x, y = x\nx")
    assert len(found.items) == MOST + 1
    assert not found.complete


@pytest.mark.parametrize("text", [*(HEAD + text for text in CREATED), *UNKNOWN])
def test_the_only_origin_is_found_without_the_others(text: str) -> None:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            only = Program({"": tree}).origins(node).only  # of a program that knows nothing yet
            assert only is Program({"": tree}).origins(node).only
