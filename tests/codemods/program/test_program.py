"""What can be asked of a program: where values come from, which functions run, who calls them."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.program.core import NO_LIBRARY
from distify.codemods.program.creations import Creations
from distify.codemods.program.domain import Domain, Operands
from distify.codemods.program.edges import ANY, Edge
from distify.codemods.program.origins import Kind, Origin
from distify.codemods.program.program import Found, Program
from distify.codemods.program.things import Library


class Asked:
    """A program of one module, with its names by line."""

    def __init__(self, text: str) -> None:
        self.program = Program({"main": text}, NO_LIBRARY)
        self.nodes = list(ast.walk(self.program.modules["main"]))

    def value(self, name: str = "SINK") -> ast.expr:
        stores = [n for n in self.nodes if isinstance(n, ast.Assign)]
        return [s.value for s in stores if getattr(s.targets[0], "id", "") == name][-1]

    def call(self) -> ast.Call:
        found = self.value()
        assert isinstance(found, ast.Call)
        return found

    def function(self, name: str) -> ast.FunctionDef:
        found = [n for n in self.nodes if isinstance(n, ast.FunctionDef) and n.name == name]
        return found[0]

    def texts(self, found: Found | Creations) -> list[str]:
        return sorted(ast.unparse(node).splitlines()[0] for node in found.nodes)


@pytest.mark.parametrize(
    ("text", "created"),
    [
        ("SINK = 1\n", ["1"]),
        ("a = 1\nb = a\nSINK = b\n", ["1"]),
        ("a = 1 if x else 2\nSINK = a\n", ["1", "2"]),
        ("def f():\n    return [3]\nSINK = f()\n", ["[3]"]),
        ("def f(a):\n    return a\nf('x')\nSINK = f('y')\n", ["'x'", "'y'"]),
        ("SINK = lambda x: 1\n", ["lambda x: 1"]),
        ("a = 1\nfor b in x:\n    a = a + 1\nSINK = a\n", ["1", "a + 1"]),
    ],
)
def test_what_creates_a_value(text: str, created: list[str]) -> None:
    asked = Asked(text)
    found = asked.program.origins(asked.value())
    assert asked.texts(found) == created
    assert found.complete


@pytest.mark.parametrize(
    "text",
    [
        "def f(a):\n    global SINK\n    b = a\n    SINK = b\n",
        "SINK = not_bound\n",
        "a = 1\nif x:\n    a = not_bound\nSINK = a\n",
    ],
)
def test_what_is_not_known_to_be_all(text: str) -> None:
    asked = Asked(text)
    known = asked.program.origins(asked.value())
    inside = [asked.program.origins(n) for n in ast.walk(asked.value()) if isinstance(n, ast.Name)]
    assert not all(found.complete for found in (known, *inside))
    assert known.only is None or not all(found.complete for found in inside)


@pytest.mark.parametrize(
    "text", ["SINK = ([1] + a)[1]", "SINK = ({'a': 1} | a)['a']", "b = [1] + a\n    SINK = b[0]"]
)
def test_what_is_joined_with_what_nobody_knows_is_not_known_to_be_all(text: str) -> None:
    asked = Asked(f"def f(a):\n    global SINK\n    {text}\n")
    assert not asked.program.origins(asked.value()).complete
    asked = Asked(f"def f(a):\n    global SINK\n    {text}\nf([2] if {{}} else {{'a': 2}})\n")
    assert asked.program.origins(asked.value()).complete


def test_what_is_joined_with_what_a_library_gives_may_be_of_that() -> None:
    asked = Asked("import lib\nSINK = ([1] + lib.f())[1]\n")
    assert asked.texts(asked.program.origins(asked.value())) == ["([1] + lib.f())[1]", "1"]


def test_a_way_ends_where_it_is_told_to() -> None:
    asked = Asked("a = f(1)\nb = [a]\nSINK = b[0] + 2\n")
    program, sink = asked.program, asked.value()
    ends = program.follow(sink, ANY, until=lambda key: isinstance(key, ast.Call))
    keys = [program.key(n) for n in ends]
    assert any(isinstance(key, ast.Call) for key in keys)
    assert not any(isinstance(key, ast.Constant) and key.value == 1 for key in keys)
    assert [program.key(n) for n in program.follow(sink)] == [sink]


def test_only_edges_of_these_labels_are_followed() -> None:
    asked = Asked("a = [1]\nSINK = a[0]\n")
    program, sink = asked.program, asked.value()
    parts = [program.key(n) for n in program.follow(sink, Edge.PART | Edge.ELEMENT)]
    assert not any(isinstance(key, ast.Constant) for key in program.follow(sink, Edge.ALIAS))
    assert any(isinstance(key, ast.Constant) for key in parts)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f():\n    pass\nSINK = f()\n", ["f"]),
        ("class T:\n    def f(self):\n        pass\nSINK = T().f()\n", ["f"]),
        ("def f():\n    pass\ndef g():\n    pass\nh = f if x else g\nSINK = h()\n", ["f", "g"]),
        ("def f():\n    def g():\n        pass\n    return g\nSINK = f()()\n", ["g"]),
        (
            "class B:\n    def f(self):\n        pass\nclass T(B):\n    pass\nSINK = T().f()\n",
            ["f"],
        ),
        ("d = {'k': print}\ndef f():\n    pass\nd['k'] = f\nSINK = d['k']()\n", ["f", "?"]),
        (
            "def f():\n    pass\nclass T:\n    @property\n    def k(self):\n        return f\n    @k.setter\n    def k(self, value):\n        pass\nSINK = T().k()\n",
            ["f"],
        ),
        ("from somewhere import g\nSINK = g()\n", ["?"]),
        (
            "from somewhere import g\ndef f():\n    pass\nh = f if x else g\nSINK = h()\n",
            ["f", "?"],
        ),
    ],
)
def test_which_functions_a_call_runs(text: str, names: list[str]) -> None:
    asked = Asked(text)
    found = asked.program.functions(asked.call().func)
    assert [getattr(node, "name", "") for node in found.nodes] == [n for n in names if n != "?"]
    assert found.is_complete == ("?" not in names)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("def f():\n    pass\nf()\nf()\n", ["f()", "f()"]),
        ("def f():\n    pass\ng = f\ng()\n", ["g()"]),
        ("class T:\n    def f(self):\n        pass\nT().f()\n", ["T().f()"]),
        (
            "import functools\ndef f(a):\n    pass\nfunctools.partial(f, 1)()\n",
            ["functools.partial(f, 1)()"],
        ),
        ("def f():\n    pass\nfrom somewhere import g\ng(f)\nf()\n", ["f()", "?"]),
        ("def f():\n    pass\nfrom somewhere import g\ng.h = f\nf()\n", ["f()", "?"]),
        ("def f():\n    pass\nfrom somewhere import g\ng([f])\nf()\n", ["f()", "?"]),
        ("from somewhere import g\n@g\ndef f():\n    pass\n", ["?"]),
        ("def f():\n    pass\n", ["?"]),
    ],
)
def test_which_calls_run_a_function(text: str, calls: list[str]) -> None:
    asked = Asked(text)
    found = asked.program.call_sites(asked.function("f"))
    shown = [text for text in asked.texts(found) if text.endswith(")")]
    assert shown == [call for call in calls if call != "?"]
    assert found.is_complete == ("?" not in calls)


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("class T:\n    pass\nSINK = T()\n", "T"),
        ("class T:\n    pass\na = [T()]\nSINK = a[0]\n", "T"),
        ("class B:\n    pass\nclass T(B):\n    pass\nSINK = T()\n", "T"),
        ("class T:\n    pass\nclass U:\n    pass\nSINK = T() if x else U()\n", None),
        ("class T:\n    pass\nSINK = T() if x else load()\n", None),
        ("class T:\n    pass\nSINK = T\n", None),
    ],
)
def test_what_an_instance_is_of(text: str, only: str | None) -> None:
    asked = Asked(text)
    assert getattr(asked.program.instances(asked.value()).only, "name", None) == only


def test_a_class_is_no_instance_of_itself() -> None:
    asked = Asked("class T:\n    pass\nSINK = T\n")
    assert getattr(asked.program.classes(asked.value()).only, "name", None) == "T"


def test_a_name_of_a_library_is_said_in_full() -> None:
    asked = Asked("from a.b import c as d\nSINK = d.e\n")
    assert asked.program.names(asked.value()) == ("a.b.c.e",)


def largest(origin: Origin, operands: Operands[int]) -> int:
    if origin.kind is Kind.CONSTANT:
        return origin.name if isinstance(origin.name, int) else 0
    if origin.kind is Kind.COMPUTED:
        return min(sum(operands.of(origin)), 100)
    return 0


LARGEST: Domain[int] = Domain(-1, 1000, max, largest)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("SINK = 3\n", 3),
        ("a = 3\nSINK = a + 4\n", 7),
        ("a = 3\nwhile x:\n    a = a + 1\nSINK = a\n", 100),  # a circle, up to the highest value
        ("def f(n):\n    return f(n) if n else 3\nSINK = f(2)\n", 3),
        ("def f(n):\n    return f(n)\nSINK = f(2)\n", 1000),  # nothing is known to get there
        ("SINK = not_bound\n", 1000),
        ("def f(a):\n    global SINK\n    SINK = a + 1\n", 100),
    ],
)
def test_the_value_of_a_domain(text: str, value: int) -> None:
    asked = Asked(text)
    assert asked.program.value(LARGEST, asked.value()) == value
    assert asked.program.value(LARGEST, asked.value()) == value


def test_every_result_of_a_domain_is_kept() -> None:
    asked = Asked("a = 1\nfor b in x:\n    a = a + 1\nSINK = a\n")
    asked.program.value(LARGEST, asked.value())
    before = asked.program.steps
    asked.program.value(LARGEST, asked.value())
    assert asked.program.steps == before


def test_a_library_thing_arrives_as_itself() -> None:
    asked = Asked("import a\nSINK = a\n")
    assert [type(t) for t in asked.program.things(asked.value())] == [Library]


@pytest.mark.parametrize(
    ("text", "may_be_anything"),
    [
        ("d = {'a': 1}\nf(**d)\nSINK = d['b']", False),  # `f` gets a dictionary of its own
        ("d = {'a': 1}\nf(d)\nSINK = d['b']", True),
        ("d = [1]\nf(*d)\nSINK = d[0]", False),
        ("d = {'a': {}}\nf(**d)\nSINK = d['a']['b']", True),
        ("d = [{}]\nf(*d)\nSINK = d[0]['b']", True),
    ],
)
def test_outside_code_gets_what_stars_spread_out(text: str, may_be_anything: bool) -> None:
    asked = Asked(text)
    nodes = asked.program.follow(asked.value())
    kinds = [origin.kind for n in nodes for origin in asked.program.created(n)]
    assert (Kind.UNKNOWN in kinds) is may_be_anything
