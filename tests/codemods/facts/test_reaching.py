"""Which bindings reach a use, and what calls pass."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.agreement.control import runs_alike
from distify.codemods.program.call_sites import passed


def lines(text: str) -> list[int]:
    """The lines of the bindings that reach the argument of the last `ask(…)`."""
    facts = Facts.of(text)
    asked = [call for call in facts.index.calls if getattr(call.func, "id", "") == "ask"]
    use = max(asked, key=lambda call: call.lineno).args[0]
    assert isinstance(use, ast.Name)
    return sorted(binding.node.lineno for binding in facts.reaching(use))  # type: ignore[attr-defined]


REACHING = {
    "ask(a)": [],
    "a = 1\nask(a)": [1],
    "a = 1\na = 2\nask(a)": [2],
    "a = 1\nask(a)\na = 2": [1],
    "a = 1\nif b:\n    a = 2\nask(a)": [1, 3],
    "a = 1\nif b:\n    a = 2\nelse:\n    a = 3\nask(a)": [3, 5],
    "a = 1\nif b:\n    a = 2\n    ask(a)": [3],
    "a = 1\nif b:\n    ask(a)\na = 2": [1],
    "a = 1\nfor b in c:\n    a = 2\nask(a)": [1, 3],
    "a = 1\nfor b in c:\n    ask(a)\n    a = 2": [1, 4],
    "a = 1\nwhile b:\n    ask(a)\n    a = 2": [1, 4],
    "a = 1\nfor a in c:\n    ask(a)": [2],
    "a = 1\nwith b as a:\n    ask(a)": [2],
    "a = 1\nwith b:\n    a = 2\nask(a)": [1, 3],
    "a = 1\nwith open(b):\n    a = 2\nask(a)": [3],
    "a = 1\nwith open(b), suppress(E):\n    a = 2\nask(a)": [1, 3],
    "with open(b):\n    with open(c) as a:\n        pass\n    a = 2\nask(a)": [4],
    "a = 1\ntry:\n    a = 2\nexcept E:\n    pass\nask(a)": [1, 3],
    "a = 1\ntry:\n    b = 2\nexcept E:\n    ask(a)\na = 3": [1],
    "def f(a):\n    if b:\n        a = 1\n    ask(a)": [1, 3],
    "def f(a):\n    a = 1\n    ask(a)": [2],
    "a = 1\na = 2\n\n\ndef f():\n    ask(a)\n\n\nf()": [2],
    "a = 1\n\n\ndef f():\n    ask(a)\n\n\nf()\na = 2": [1],
    "a = 1\na = 2\n\n\ndef f():\n    ask(a)": [2],
    "a = 1\na = 2\n\n\ndef f():\n    ask(a)\n\n\nf()\nrun(f)": [2],
    "a = 1\na = 2\n\n\ndef f():\n    ask(a)\n\n\ndef g():\n    f()\n\n\ng()": [2],
    "a = 1\nif b:\n    a = 2\n\n\ndef f():\n    ask(a)\n\n\nf()": [1, 3],
    "a = 1\ntry:\n    a = 2\nexcept E:\n    pass\nelse:\n    ask(a)": [3],
    "a = 1\ntry:\n    a = b()\nfinally:\n    ask(a)": [1, 3],
    "a = 1\ntry:\n    a = 2\n    b()\nexcept E:\n    ask(a)": [1, 3],
    "a = 1\nwhile ask(a):\n    a = 2": [1, 3],
    "def f():\n    ask(a)\n\n\na = 1\nf()\na = 2\ng = f": [5, 7],
}


@pytest.mark.parametrize("text", REACHING)
def test_which_bindings_reach_a_use(text: str) -> None:
    assert lines(text) == REACHING[text]


PASSED = {
    ("f(1, 2)", "a"): "1",
    ("f(1, 2)", "b"): "2",
    ("f(1)", "b"): "8",
    ("f(b=3, a=4)", "a"): "4",
    ("f(b=3, a=4)", "b"): "3",
    ("f()", "a"): None,
    ("f()", "c"): "9",
    ("f()", "d"): None,
    ("f(d=5)", "d"): "5",
    ("f(*x)", "a"): None,
    ("f(1, *x)", "a"): None,
    ("f(1, **x)", "b"): None,
    ("f(**x, b=2)", "b"): "2",
    ("f(1, 2, 3)", "rest"): None,
    ("f(1, e=3)", "more"): None,
    ("t.m(1, 2)", "a"): "1",
    ("t.m(1, 2)", "b"): "2",
    ("T.m(t, 1, 2)", "a"): "1",
    ("t.m(1)", "b"): "7",
    ("t.m(1)", "self"): None,
    ("T.m(t, 1)", "self"): "t",
    ("t.s(1, 2)", "a"): "1",
    ("T(1)", "n"): "1",
}
FUNCTIONS = """\
def f(a, /, b=8, *rest, c=9, d, **more):
    pass


class T:
    def __init__(self, n):
        pass

    def m(self, a, b=7):
        pass

    @staticmethod
    def s(a, b):
        pass


t = T(0)
"""


@pytest.mark.parametrize(("call", "parameter"), PASSED)
def test_what_a_call_passes(call: str, parameter: str) -> None:
    facts = Facts.of(FUNCTIONS + call)
    found = facts.module.body[-1].value  # type: ignore[attr-defined]
    cls = facts.classes.local(found.func)
    function = facts.callee(found) if cls is None else facts.classes.method(cls, "__init__")
    assert function is not None
    arg = next(n for n in ast.walk(function.args) if isinstance(n, ast.arg) and n.arg == parameter)
    value = passed(found, function, arg, facts.classes)
    assert (value and ast.unparse(value)) == PASSED[call, parameter]


HEAD = "import random\nfrom absl import app\n\n\n"
ALIKE = [
    "ask(1)",
    "def f():\n    ask(1)\n\n\nf()",
    "def main(argv):\n    ask(1)\n\n\napp.run(main)",
    "for a in range(9):\n    ask(a)",
    "if __name__ == '__main__':\n    ask(1)",
    "if random.random() > 0.5:\n    print(1)\nask(1)",
    "while True:\n    ask(1)",
    "with open('a') as file:\n    ask(file)",
    "if random.random() > 0.5:\n    raise ValueError\nask(1)",  # an error ends the others, too
    "class T:\n    def f(self):\n        ask(1)\n\n\nT().f()",
    "x = 1 if random.random() > 0.5 else 2\nask(x)",
]
UNLIKE = [
    "if random.random() > 0.5:\n    ask(1)",
    "def f():\n    ask(1)",
    "def f():\n    ask(1)\n\n\nds.map(f)",
    "def f():\n    ask(1)\n\n\nf()\nds.map(f)",
    "def f():\n    ask(1)\n    yield 1\n\n\nf()",
    "def f():\n    ask(1)\n    yield from a\n\n\nf()",
    "def f():\n    ask(1)\n\n\ng = f",
    "def f():\n    ask(1)\n\n\nif random.random() > 0.5:\n    f()",
    "def f():\n    ask(1)\n\n\ndef g():\n    f()\n\n\nThread(target=g)",
    "def f():\n    if random.random() > 0.5:\n        return\n    ask(1)\n\n\nf()",
    "if a:\n    print(1)\nelif random.random() > 0.5:\n    ask(1)",
    "if random.random() > 0.5:\n    exit()\nask(1)",
    "while random.random() > 0.5:\n    ask(1)",
    "while ask(1) > 3:\n    if random.random() > 0.5:\n        break",
    "x = ask(1) if random.random() > 0.5 else 2",
    "random.random() > 0.5 and ask(1)",
    "[ask(x) for x in range(9) if random.random() > 0.5]",
    "try:\n    load()\n    ask(1)\nexcept OSError:\n    pass",  # an error of one leads it past
    "if unknown():\n    ask(1)",  # nobody sees that all answer alike
    "class T:\n    ask(1)",  # no way leads there that anybody follows
]


@pytest.mark.parametrize(
    ("text", "expected"), [*((t, True) for t in ALIKE), *((t, False) for t in UNLIKE)]
)
def test_whether_every_worker_comes_by(text: str, expected: bool) -> None:
    facts = Facts.of(HEAD + text)
    asked = [call for call in facts.index.calls if getattr(call.func, "id", "") == "ask"]
    assert runs_alike(facts, asked[0]) is expected
