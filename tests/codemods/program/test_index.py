"""What one walk over a module notes down."""

from __future__ import annotations

import ast

from distify.codemods.program.bindings import Bindings
from distify.codemods.program.index import Index
from distify.codemods.program.order import Order


def test_what_stands_where() -> None:
    text = "a.b = c.d\na.e, (a.f, g) = h\n@i\ndef f():\n    a.k: int = 1\n    from x import *\n"
    index = Index(ast.parse(text))
    found = Bindings(index, Order(index.module, index.scopes)).of_attributes
    stores = {n: [(b.kind, b.path) for _, b in s] for n, s in found.items()}
    assert stores == {
        "b": [("assign", ())],
        "e": [("assign", (0,))],
        "f": [("assign", (1, 0))],
        "k": [("assign", ())],
    }
    assert set(index.loads) == {"c", "d", "a", "h", "i", "int"}
    assert [node.module for node in index.star_imports] == ["x"]
    assert {ast.unparse(node) for node in index.imports} == {"from x import *"}
    assert index.names >= {"a", "c", "g", "h", "i", "f", "int"}
    for parent in ast.walk(index.module):
        for child in ast.iter_child_nodes(parent):
            assert index.parents.get(child, parent) is parent


def test_paths_lead_to_the_part_of_the_value() -> None:
    index = Index(ast.parse("a, (b, *c), d = e\nfor f, g in h: pass\n[i for i, j in k]"))
    found = Bindings(index, Order(index.module, index.scopes)).inside(index.scopes.module)
    paths = {name: bindings[0].path for name, bindings in found.items()}
    assert paths == {
        "a": (0,),
        "b": (1, 0),
        "c": (1, "each"),
        "d": (2,),
        "f": ("each", 0),
        "g": ("each", 1),
    }
