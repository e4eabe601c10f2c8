"""Calls of what stands outside of the project, and what a library says of its names."""

from __future__ import annotations

import pytest

from distify.codemods.program.core import NO_LIBRARY, Questions
from made import deciding, made

GIVING_BACK = [
    "abc.abstractmethod",
    "contextlib.asynccontextmanager",
    "contextlib.contextmanager",
    "copy.copy",
    "copy.deepcopy",
    "functools.cache",
    "functools.lru_cache",
    "functools.total_ordering",
    "typing.final",
    "typing.no_type_check",
    "typing.overload",
    "typing.override",
    "typing.runtime_checkable",
]


@pytest.mark.parametrize("name", GIVING_BACK)
def test_what_gives_back_what_it_is_called_with(name: str) -> None:
    module = name.partition(".")[0]
    assert made(f"import {module}\na = [1]\nSINK = {name}(a)[0]\n") == {"1"}
    assert made(f"import {module}\nSINK = {name}(maxsize=3)([1])[0]\n") == {"1"}
    assert made(f"import {module}\nSINK = {name}(3)([1])[0]\n") == {"1"}
    assert made(f"import {module}\n@{name}\ndef f():\n    return 1\nSINK = f()\n") == {"1"}


def library(**answers: str) -> Questions:
    """A library that says yes of one name each."""
    return NO_LIBRARY._replace(**{k: name.__eq__ for k, name in answers.items()})


SAID: dict[str, tuple[dict[str, str], set[str]]] = {
    "SINK = c(d)": ({"gives_back": "lib.c"}, {"lib.d"}),
    "SINK = c([2])[0]": ({"gives_back": "lib.c"}, {"2"}),
    "SINK = d([1])": ({"gives_back": "lib.c"}, {"lib.d()"}),
    "for a in c([1, 2]):\n    SINK = a": ({"iterates": "lib.c"}, {"1", "2"}),
    "a = 1\nif d():\n    a = 2\n    c()\nSINK = a": ({"never_returns": "lib.c"}, {"1"}),
    "a = 1\nif d():\n    a = 2\n    d()\nSINK = a": ({"never_returns": "lib.c"}, {"1", "2"}),
    "a = 1\nwith c():\n    d()\n    a = 2\nSINK = a": ({"swallows": "lib.d"}, {"2"}),
    "a = 1\nwith d():\n    d()\n    a = 2\nSINK = a": ({"swallows": "lib.d"}, {"1", "2"}),
    "a = 1\nwith d.x.e():\n    d()\n    a = 2\nSINK = a": ({"swallows": "lib.d"}, {"2"}),
    "a = 1\nwith c().e():\n    d()\n    a = 2\nSINK = a": ({"swallows": ".e"}, {"1", "2"}),
    "a = 1\nwith c().e():\n    d()\n    a = 2\nSINK = a ": ({"swallows": ".c"}, {"2"}),
    "a = 1\nwith c:\n    d()\n    a = 2\nSINK = a": ({"swallows": "lib.d"}, {"1", "2"}),
    "a = [1]\nc(a)\nSINK = a[0]": ({"leaves_alone": "lib.c"}, {"1"}),
    "a = [1]\nd(a)\nSINK = a[0]": ({"leaves_alone": "lib.c"}, {"1", "?"}),
    "a = c(x=1)\nSINK = a.x": ({"keeps_keywords": "lib.c"}, {"1"}),
    "a = c(x=1)\na.x = 2\nSINK = a.x": ({"keeps_keywords": "lib.c"}, {"1", "2"}),
    "a = c(x=1, **d)\nSINK = a.y": ({"keeps_keywords": "lib.c"}, {"?"}),
    "a = c(**{'x': 1})\nSINK = a.x": ({"keeps_keywords": "lib.c"}, {"1"}),
    "a = c(x=1)\nSINK = a": ({"keeps_keywords": "lib.c"}, {"lib.c()"}),
    "a = c(1)\na.put(2)\nSINK = a": ({"is_cell": "lib.c", "puts_in": ".put"}, {"lib.c()"}),
    "SINK = c(lambda x: [x], [1, 2])[0][0]": ({"maps": "lib.c"}, {"1", "2"}),
    "SINK = c(lambda x, y: y, (1,), (2,))[0]": ({"maps": "lib.c"}, {"2"}),
    "SINK = c(lambda x: x, iter([1]))[0]": ({"maps": "lib.c"}, {"1"}),
    "SINK = c(lambda x: x, {'a': 1})[0]": ({"maps": "lib.c"}, {"<key>", "?"}),
    "SINK = c(lambda x: x, *d)": ({"maps": "lib.c"}, {"?"}),
    "SINK = c()": ({"maps": "lib.c"}, {"?"}),
    "def main(a):\n    global SINK\n    SINK = a\nc(main)": ({"starts": "lib.c"}, {"lib.c()"}),
    "def main(*a):\n    global SINK\n    SINK = a[0]\nc(main)": ({"starts": "lib.c"}, {"lib.c()"}),
    "def main(**a):\n    global SINK\n    SINK = a['x']\nc(main)": ({"starts": "lib.c"}, {"lib.c()"}),
    "@c('x')\ndef main(a):\n    global SINK\n    SINK = a": ({"starts": "lib.c"}, {"lib.c()"}),
    "def main(a):\n    global SINK\n    SINK = a\nc()": (
        {"starts": "lib.c", "starts_main": "lib.c"},
        {"lib.c()"},
    ),
    "def main(a):\n    global SINK\n    SINK = a\nc(d)": (
        {"starts": "lib.c", "starts_main": "lib.c"},
        {"?"},
    ),
    "def main(a):\n    global SINK\n    SINK = a\nc(*d)": (
        {"starts": "lib.c", "starts_main": "lib.c"},
        {"?"},
    ),
    "def main(a):\n    global SINK\n    SINK = a\nc(main=d)": (
        {"starts": "lib.c", "starts_main": "lib.c"},
        {"?"},
    ),
    "def main(a):\n    global SINK\n    SINK = a\nc() ": ({"starts": "lib.c"}, {"?"}),
}  # fmt: skip


@pytest.mark.parametrize("text", SAID)
def test_what_a_library_says_of_a_name_counts(text: str) -> None:
    answers, expected = SAID[text]
    assert made(text, library(**answers)) == expected


def test_whether_something_is_put_into_a_cell_decides_about_it() -> None:
    questions = library(is_cell="lib.c", puts_in=".put")
    text = "a = c()\nif d():\n    a.put(1)\nSINK = a\n"
    assert "lib.d()" in deciding(text, questions)


IMPORTED: dict[str, set[str]] = {
    "from x import *\nfrom y import *\nSINK = a": {"x.a", "y.a"},
    "from x import *\nfrom y import *\nSINK = b": {"x.b"},
}


@pytest.mark.parametrize("text", IMPORTED)
def test_a_star_binds_what_its_module_is_known_to_have(text: str) -> None:
    questions = NO_LIBRARY._replace(exports=lambda module, name: (module, name) == ("x", "b"))
    assert made(text, questions) == IMPORTED[text]


def test_super_outside_of_a_class_is_unknown() -> None:
    assert made("def f():\n    return super()\nSINK = f()\n") == {"?"}
