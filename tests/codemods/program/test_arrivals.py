"""Which functions and classes may come to many expressions is told as `origins` tells it of each."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.program.program import Program

DEFINITIONS = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
PROGRAMS = {
    "names and branches": "def f(): pass\ndef g(): pass\na = f if c else g\nb = a\na()\nb()\n",
    "decorated": "import mine\n@mine.cached\ndef f(): pass\ng = f\ng()\n",
    "decorated and given back": "import functools\n@functools.cache\ndef f(): pass\nf()\n",
    "decorated by its own": "def twice(f):\n    return f\n@twice\ndef g(): pass\ng()\n",
    "a table": "t = {'a': lambda: 1, 'b': dict}\nt['a']()\nt[k]()\nfor f in t.values():\n    f()\n",
    "a ring": "def f(): pass\na = f\nwhile c:\n    a, b = b, a\n    b = lambda: a\na()\nb()\n",
    "classes": "class A:\n    def m(self): pass\nmake = A\nmake()\na = A()\na.m()\na()\n",
    "entered": "with (lambda: 1) as f, g() as h:\n    f()\n    h()\n",
    "given": "def run(job):\n    job()\ndef f(): pass\nrun(f)\nrun(lambda: run)\nrun(run)\n",
    "nothing of its own": "import mine\nmine.f()\nx = 1\nx()\nunbound()\n",
}


def is_definition(node: ast.AST) -> bool:
    return isinstance(node, DEFINITIONS)


def funcs(tree: ast.Module) -> list[ast.expr]:
    return [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_what_origins_tells(name: str) -> None:
    tree = ast.parse(PROGRAMS[name])
    program = Program({"m": tree})
    arriving = program.arrivals(is_definition)
    for func in funcs(tree):
        expected = {node for node in program.origins(func).nodes if is_definition(node)}
        assert set(arriving(func)) == expected, ast.unparse(func)


def steps(size: int) -> int:
    """What it takes to ask of all names of a long chain."""
    lines = [f"if c:\n    v{i + 1} = v{i}\nelse:\n    v{i + 1} = g\n" for i in range(size)]
    calls = [f"v{i}()\n" for i in range(size)]
    tree = ast.parse("def f(): pass\ndef g(): pass\nv0 = f\n" + "".join((*lines, *calls)))
    program = Program({"m": tree})
    before, arriving = program.steps, program.arrivals(is_definition)
    assert [len(arriving(func)) for func in funcs(tree)] == [1, *[2] * (size - 1)]
    return program.steps - before


def test_no_part_is_searched_twice() -> None:
    assert steps(200) < 2.1 * steps(100)
