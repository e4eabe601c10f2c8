"""What a value may be made from, through containers and calls that `values` can't see into."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.value_parts import ingredients

HEAD = "import copy, types\nimport mine\none = object()\n"


def has_one(text: str) -> bool:
    """Whether the last expression may be made from the object of the head."""
    facts = Facts.of(HEAD + text)
    last = facts.module.body[-1]
    assert isinstance(last, ast.Expr)
    found = [ast.unparse(node) == "object()" for node in ingredients(facts, last.value)]
    is_sought = facts.program.sought(lambda node: ast.unparse(node) == "object()")
    assert is_sought(last.value) == any(found)
    return any(found)


@pytest.mark.parametrize(
    "text",
    [
        "one",
        "copy.deepcopy(one)",
        "mine.wrap(inner=one)",
        "{'a': one}['a']",
        "many = {'a': one}\nmany['a']",
        "many = {}\nmany['a'] = one\nmany['a']",
        "many = []\nmany.append(one)\nnext(iter(many))",
        "state = types.SimpleNamespace(it=one)\nstate.it",
        "state = mine.State()\nstate.it = one\nstate.it",
        "model = mine.Model()\nmodel.compile(it=one)\nmodel.it",
        "model = mine.Model()\nmodel.compile(one)\nmodel.it",
        "class C:\n    it: object\n\n\nc = C(one)\nc.it",
        "class C:\n    def __init__(self):\n        self.all = {}\n        self.all['a'] = one\n\n\nC().all['a']",
        "@mine.cached\ndef make():\n    return one\n\n\nmake()",
        "make = lambda: one\nmake()",
        "for it in (one, 2):\n    pass\nit",
        "[x for x in [one]][0]",
        "many = {}\nmany['a'] = many\nmany['b'] = one\nmany",
    ],
)
def test_what_it_is_made_from(text: str) -> None:
    assert has_one(text)


@pytest.mark.parametrize(
    "text",
    [
        "mine.make()",
        "mine.one",
        "def use():\n    return one\n\n\nmine.make(use)",
        "many = {}\nother = {'a': one}\nmany['a']",
        "def f():\n    many = {}\n    many['a'] = one\n\n\nmany = {}\nmany['a']",
        "many = []\nmany.remove(one)\nmany",
        "model = mine.Model()\nmodel.fit(it=one)\nmodel.it",
        "class C:\n    def __init__(self, it):\n        self.it = it\n\n\nmine.C().it\nC(one)\nmine.C().it",
    ],
)
def test_what_it_has_nothing_to_do_with(text: str) -> None:
    assert not has_one(text)
