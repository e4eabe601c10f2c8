"""Where functions are called, and whether other code may call them, as the engine follows them."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.program.parts import FunctionNode

HEAD = "import click, functools, lib\nfrom absl import app\nfrom threading import Thread\n\n\n"


def calls(text: str, name: str = "f") -> tuple[list[str], bool]:
    """The calls of the first function of the name, and whether it escapes."""
    facts = Facts.of(HEAD + text)
    named = (n for n in ast.walk(facts.module) if isinstance(n, FunctionNode) and n.name == name)
    function = next(named)
    sites = facts.call_sites(function)
    assert all(facts.callee(call) in (function, None) for call in sites)
    return [ast.unparse(call) for call in sites], facts.escapes(function)


SEEN = {
    "def f(a): pass\nf(1)\nf(2)\n": ["f(1)", "f(2)"],
    "def f(a): pass\ng = f\ng(1)\n": ["g(1)"],
    "def f(a): pass\ntable = {'f': f}\ntable['f'](1)\n": ["table['f'](1)"],
    "def f(a): pass\nfor g in [f]:\n    g(1)\n": ["g(1)"],
    "def f(a): pass\ndef run(g): g(1)\nrun(f)\n": ["g(1)"],
    "class A:\n    def f(self, a): pass\nA().f(1)\n": ["A().f(1)"],
    "class A:\n    def f(self, a): pass\nclass B(A): pass\nB().f(1)\nB.f(B(), 2)\n": [
        "B().f(1)",
        "B.f(B(), 2)",
    ],
    "class A:\n    def f(self): pass\n    def go(self): self.f()\nA().go()\n": ["self.f()"],
    "class A:\n    def f(self): pass\nclass C:\n    def f(self): pass\nC().f()\n": [],
    "class A:\n    @staticmethod\n    def f(a): pass\nA.f(1)\n": ["A.f(1)"],
    "class A:\n    def f(self): pass\nclass B(A):\n    def f(self): super().f()\nB().f()\n": [
        "super().f()"
    ],
    "def f(): pass\n": [],
    "@click.command()\ndef f(): pass\nf()\n": ["f()"],
}


@pytest.mark.parametrize(("text", "sites"), SEEN.items())
def test_every_call_is_seen(text: str, sites: list[str]) -> None:
    assert calls(text) == (sites, False)


MADE = {
    "class A:\n    def __init__(self, a): pass\nA(1)\n": ["A(1)"],
    "class A:\n    def __init__(self, a): pass\nclass B(A): pass\nB(1)\nA(2)\n": ["B(1)", "A(2)"],
    "class A:\n    def __init__(self, a): pass\nclass B(A):\n    def __init__(self):\n        super().__init__(1)\nB()\n": [
        "super().__init__(1)"
    ],
}


@pytest.mark.parametrize(("text", "sites"), MADE.items())
def test_a_call_of_a_class_runs_its_init(text: str, sites: list[str]) -> None:
    assert calls(text, "__init__") == (sites, False)


def test_a_call_of_an_object_runs_its_call() -> None:
    text = "class A:\n    def __call__(self, a): pass\na = A()\na(1)\n"
    assert calls(text, "__call__") == (["a(1)"], False)


ELSEWHERE = {
    "def f(a): pass\nThread(target=f)\n": [],
    "def f(a): pass\nf(1)\nlib.run(f)\n": ["f(1)"],
    "def f(a): pass\napp.run(f)\n": [],
    "def f(a, b): pass\ng = functools.partial(f, 1)\ng(2)\n": [],  # 2 is not for `a`
    "def f(a): pass\nlist(map(f, [1]))\n": [],
    "def f(a): pass\nsorted([1], key=f)\n": [],
    "class A:\n    @property\n    def f(self): pass\nA().f\n": [],
    "@lib.wrapped\ndef f(): pass\nf()\n": ["f()"],
}


@pytest.mark.parametrize(("text", "sites"), ELSEWHERE.items())
def test_other_code_may_call_it(text: str, sites: list[str]) -> None:
    assert calls(text) == (sites, True)
