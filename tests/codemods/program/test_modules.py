"""A project is one program: imports lead from module to module."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts.role_domain import ROLE
from distify.codemods.program.program import Program
from flows.asking import QUESTIONS, sink

ADAM = "from tensorflow.keras.optimizers import Adam\n"


def role(modules: dict[str, str], main: str = "main") -> frozenset[str]:
    found = Program(modules, QUESTIONS)
    found.modules["main"] = found.modules[main]
    return found.value(ROLE, sink(found)) - {"none"}


@pytest.mark.parametrize(
    "modules",
    [
        {"other": ADAM + "a = Adam()\n", "main": "import other\nSINK = other.a\n"},
        {"other": ADAM + "a = Adam()\n", "main": "import other as o\nSINK = o.a\n"},
        {"other": ADAM + "a = Adam()\n", "main": "from other import a as b\nSINK = b\n"},
        {"other": ADAM + "a = Adam()\n", "main": "from other import *\nSINK = a\n"},
        {"other": ADAM + "max = Adam()\n", "main": "from other import *\nSINK = max\n"},
        {"p.other": ADAM + "a = Adam()\n", "main": "import p.other\nSINK = p.other.a\n"},
        {"p.other": ADAM + "a = Adam()\n", "main": "from p import other\nSINK = other.a\n"},
        {
            "p.__init__": "from .other import a\n",
            "p.other": ADAM + "a = Adam()\n",
            "main": "import p\nSINK = p.a\n",
        },
        {
            "p.__init__": "from .other import *\n",
            "p.other": "from .third import *\n",
            "p.third": ADAM + "a = Adam()\n",
            "main": "from p import a\nSINK = a\n",
        },
        {
            "p.__init__": "",
            "p.q.__init__": "from ..r import a\n",
            "p.r": ADAM + "a = Adam()\n",
            "main": "from p.q import a\nSINK = a\n",
        },
        {
            "p.__init__": "",
            "p.q": "from . import r\ndef make():\n    return r.a\n",
            "p.r": ADAM + "a = Adam()\n",
            "main": "from p.q import make\nSINK = make()\n",
        },
        # a circle of imports
        {
            "one": "import two\n" + ADAM + "a = Adam()\ndef get():\n    return two.b\n",
            "two": "import one\nb = one.a\n",
            "main": "import one\nSINK = one.get()\n",
        },
        {
            "other": "from main import *\nfrom third import *\n",
            "third": ADAM + "a = Adam()\n",
            "main": "from other import *\nSINK = a\n",
        },
        # beside the importing script, and below a folder that is no package
        {"tools.other": ADAM + "a = Adam()\n", "tools.main": "import other\nSINK = other.a\n"},
        {
            "src.p.__init__": "",
            "src.p.o": ADAM + "a = Adam()\n",
            "main": "from p.o import a\nSINK = a\n",
        },
        {
            "other": ADAM + "class T:\n    def __init__(self, a):\n        self.a = a\n",
            "main": "from other import T, Adam\nclass U(T):\n    pass\nSINK = U(Adam()).a\n",
        },
        {
            "other": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from tensorflow.keras.optimizers import Adam\nelse:\n    from tensorflow.keras.optimizers import Adam\n",
            "main": "from other import Adam\nSINK = Adam()\n",
        },
        {
            "other": "a = None\ndef get():\n    return a\n" + ADAM + "a = Adam()\n",
            "main": "from other import get\nSINK = get()\n",
        },
        {"other": "", "main": "import other\n" + ADAM + "other.a = Adam()\nSINK = other.a\n"},
    ],
)
def test_a_value_of_another_module_is_followed(modules: dict[str, str]) -> None:
    main = next(name for name in modules if name.endswith("main"))
    assert role(modules, main) == {"optimizer"}


@pytest.mark.parametrize(
    "modules",
    [
        {"main": "from other import a\nSINK = a\n"},
        {
            "other": ADAM + "a = Adam()\ndef get():\n    return a\nget()\na = 1\n",
            "main": "from other import get\nSINK = get()\n",
        },
        {"other": "", "main": "from other import a\nSINK = a\n"},
        {
            "other": ADAM + "a = Adam()\n",
            "third": "import other\nother.a = 1\n",
            "main": "import other\nSINK = other.a\n",
        },
        {
            "other": "import main\nmain.a = 1\n",
            "main": ADAM + "import other\na = Adam()\nSINK = a\n",
        },
        {"other": ADAM + "_a = Adam()\n", "main": "from other import *\nSINK = _a\n"},
        {
            "p.__init__": "",
            "p.other": ADAM + "a = Adam()\n",
            "main": "import other\nSINK = other.a\n",
        },
        {"p.other": ADAM + "a = Adam()\n", "p.main": "from ...other import a\nSINK = a\n"},
        {
            "a.other": ADAM + "x = Adam()\n",
            "b.other": "x = 1\n",
            "main": "import other\nSINK = other.x\n",
        },
    ],
)
def test_what_may_be_something_else_is_not_said(modules: dict[str, str]) -> None:
    main = next(name for name in modules if name.endswith("main"))
    assert role(modules, main) != {"optimizer"}


def test_a_tree_does_as_well_as_a_text() -> None:
    tree = ast.parse("a = 1\nSINK = a\n")
    found = Program({"main": tree}, QUESTIONS)
    assert found.modules["main"] is tree
    assert found.value(ROLE, sink(found)) == {"number"}


def test_a_module_may_have_any_name() -> None:
    for name in ("", "main", "a.b", "__init__"):
        found = Program({name: "from . import x\na = 1\nSINK = a\n"}, QUESTIONS)
        found.modules["main"] = found.modules[name]
        assert found.value(ROLE, sink(found)) == {"number"}
