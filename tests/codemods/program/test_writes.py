"""What decides about a value besides its parts: writes, indices, functions given, conditions.

The domain says whether `own()` has a say in a value.
"""

from __future__ import annotations

import ast
from typing import Any

import pytest

from distify.codemods.library.changes import changed, depends_on_maker
from distify.codemods.program.core import Questions, knows_nothing
from distify.codemods.program.domain import Domain, Operands
from distify.codemods.program.edges import ANY
from distify.codemods.program.influences import GIVEN, KEY
from distify.codemods.program.origins import Kind, Origin
from distify.codemods.program.program import Program

QUESTIONS = Questions(
    knows_nothing,
    lambda name: True,
    lambda name: name != "random.shuffle",
    knows_nothing,
    keeps=lambda name: name in (".append", ".update"),
    changes=changed,
    depends_on_maker=depends_on_maker,
)
HEAD = "import numpy as np, pandas as pd, random, lib\nfrom lib import own, alike, c\n"


def domain(**options: Any) -> Domain[bool]:
    labels = (KEY, GIVEN) if options.get("has_influences") else ()

    def create(origin: Origin, operands: Operands[bool]) -> bool:
        is_own = origin.kind is Kind.CALL and origin.name in ("lib.own", "random.shuffle")
        asked = operands.of(origin, *labels) if labels else []
        return is_own or any(operands.of(origin)) or any(asked)

    return Domain(False, False, bool.__or__, create, ANY, suppose=create, **options)


PLAIN = domain()
WRITES = domain(has_writes=True)
INFLUENCES = domain(has_influences=True)


def has_say(text: str, asked: Domain[bool], questions: Questions = QUESTIONS) -> bool:
    found = Program({"main": HEAD + text}, questions)
    (target,) = [
        node.value
        for node in ast.walk(found.modules["main"])
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "SINK"
    ]
    return found.value(asked, target)


PUT = [
    "a = np.ones(3)\na[0] = own()\nSINK = a\n",
    "a = np.ones(3)\nb = a\nb[0] = own()\nSINK = a\n",
    "a = lib.table()\na.update(b=own())\nSINK = a\n",
    "a = np.ones(3)\nif own():\n    a[0] = 1\nSINK = a\n",
]
CHANGED = [
    "a = np.ones(3)\nrandom.shuffle(a)\nSINK = a\n",
    "a = np.ones(3)\ndef f(x):\n    random.shuffle(x)\nf(a)\nSINK = a.mean()\n",
    "a = [1, 2]\nrandom.shuffle(a)\nSINK = a[0]\n",
    "a = np.ones(3)\nnp.add(a, own(), out=a)\nSINK = a\n",
    "a = np.ones(3)\nnp.clip(own(), 0, 1, out=a)\nSINK = a\n",
    "a = np.ones(3)\nnp.copyto(a, own())\nSINK = a\n",
    "t = pd.read_csv('t')\nt.replace(own(), 2, inplace=True)\nSINK = t\n",
    "t = pd.read_csv('t')\nif own():\n    t.sort_values('a', inplace=True)\nSINK = t\n",
    "a = np.ones(3)\na.partition(own())\nSINK = a\n",
    "class T:\n    def __init__(self):\n        self.a = np.ones(3)\n    def go(self):\n        self.a.fill(own())\nt = T()\nt.go()\nSINK = t.a\n",
    "a = np.ones(3)\nr = np.random.default_rng(own())\nr.shuffle(a)\nSINK = a\n",
]


@pytest.mark.parametrize("text", [*PUT, *CHANGED])
def test_what_is_written_into_an_object_has_a_say_in_it(text: str) -> None:
    assert has_say(text, WRITES)


@pytest.mark.parametrize(
    "text",
    [
        "a, b = np.ones(3), np.ones(3)\nrandom.shuffle(b)\nSINK = a\n",
        "t = pd.read_csv('t')\nu = t.replace(own(), 2)\nSINK = t\n",
        "t = pd.read_csv('t')\nu = t.replace(own(), 2, inplace=False)\nSINK = t\n",
        "a = np.ones(3)\nb = np.clip(own(), 0, 1, out=None)\nSINK = a\n",
        "n = alike()\nd = lib.data(own()).shuffle(n)\nSINK = n\n",
        "a = np.ones(3)\nb = a.copy()\nb.fill(own())\nSINK = a\n",
        "a = np.ones(3)\nif own():\n    print(a)\nSINK = a\n",
    ],
)
def test_what_is_written_elsewhere_has_none(text: str) -> None:
    assert not has_say(text, WRITES)


@pytest.mark.parametrize("text", CHANGED)
def test_the_library_says_what_is_changed(text: str) -> None:
    assert not has_say(text, WRITES, QUESTIONS._replace(changes=lambda *_: ()))


@pytest.mark.parametrize(
    "text",
    [
        "a = np.ones(3)\nSINK = a[own()]\n",
        "a = np.ones(3)\nSINK = a[: own()]\n",
        "a = np.ones(3)\nSINK = a[1, own() :, None]\n",
        "from lib import a\nSINK = a[own()]\n",
        "a = np.ones(3)\ndef f(x, i):\n    return x[i]\nSINK = f(a, own())\n",
        "SINK = lib.data().map(lambda v: v + own())\n",
        "def f(v):\n    return own()\nSINK = lib.data().map(f)\n",
        "class T:\n    def f(self, v):\n        return own()\nSINK = lib.each(T().f, 3)\n",
        "from lib import d\nSINK = d.filter(lambda v: own())\n",
    ],
)
def test_an_index_and_what_functions_give_have_a_say_where_they_are_asked_for(text: str) -> None:
    assert has_say(text, INFLUENCES)
    assert not has_say(text, PLAIN)


@pytest.mark.parametrize(
    "text",
    [
        "a = np.ones(3)\nb = a[own()]\nSINK = a[0]\n",
        "d = lib.data()\ne = d.map(lambda v: own())\nSINK = d\n",
        "SINK = lib.data().map(lambda v: [own() for _ in v] and 1)\n",
    ],
)
def test_they_have_none_in_others(text: str) -> None:
    is_condition = "and 1" in text
    assert has_say(text, INFLUENCES) is is_condition


def test_a_condition_counts_as_the_domain_says() -> None:
    text = "a = 1\nif own():\n    a = 2\nSINK = a\n"
    assert has_say(text, PLAIN)
    assert not has_say(text, domain(decides=lambda key, value: False))


def test_a_condition_is_told_apart_by_what_it_decides() -> None:
    """The number of elements, or the elements."""
    text = "a = [x for x in c if own()]\nSINK = a\n"
    assert has_say(text, PLAIN)

    def outside(key: object, value: bool) -> bool:
        return value and not (isinstance(key, tuple) and key[0] in ("rest", "all", "size"))

    assert not has_say(text, domain(decides=outside))
