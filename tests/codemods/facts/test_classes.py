"""Classes of the module, import order, shapes of sources, names for values."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.value_parts import bound_to, can_be_named
from distify.codemods.program.parts import is_first_parameter, is_property, is_static

TEXT = """\
import functools
import tensorflow as tf
from other import Mixin


class A(tf.keras.Model):
    def __init__(self):
        self.a = 1

    def f(this, self):
        def inner():
            return this, self
        return inner

    @staticmethod
    def s(x):
        return x

    @classmethod
    def c(cls):
        return cls

    @property
    def p(self):
        return 1

    @functools.cached_property
    def q(self):
        return 1


class B(A):
    def f(self):
        return self


class C(B, Mixin):
    class D:
        def g(self):
            return self


class E(unknown()):
    pass


def step(x):
    return x


fast = tf.function(step)
step = tf.function(step)
slow = tf.functional(step)
twice = step if x else step
twice = 1
"""


@pytest.fixture(scope="module")
def facts() -> Facts:
    return Facts.of(TEXT)


def cls(facts: Facts, name: str) -> ast.ClassDef:
    found = [n for n in ast.walk(facts.module) if isinstance(n, ast.ClassDef) and n.name == name]
    return found[0]


def expr(text: str) -> tuple[Facts, ast.expr]:
    """The expression at the end of the module."""
    facts = Facts.of(TEXT + text)
    return facts, facts.module.body[-1].value  # type: ignore[attr-defined]


def test_the_hierarchy(facts: Facts) -> None:
    classes = facts.classes
    names = {n: [c.name for c in classes.ancestors(cls(facts, n))] for n in "ABCDE"}
    assert names == {"A": ["A"], "B": ["B", "A"], "C": ["C", "B", "A"], "D": ["D"], "E": ["E"]}
    assert classes.library_bases(cls(facts, "B")) == ("tensorflow.keras.Model",)
    assert classes.library_bases(cls(facts, "C")) == ("other.Mixin", "tensorflow.keras.Model")
    assert [n for n in "ABCDE" if classes.has_unknown_base(cls(facts, n))] == ["E"]
    family = {n: sorted(c.name for c in classes.family(cls(facts, n))) for n in "ABD"}
    assert family == {"A": ["A", "B", "C"], "B": ["A", "B", "C"], "D": ["D"]}


def test_methods(facts: Facts) -> None:
    classes = facts.classes
    assert classes.method(cls(facts, "C"), "f") is cls(facts, "B").body[0]
    assert classes.method(cls(facts, "C"), "s") is cls(facts, "A").body[2]
    assert classes.method(cls(facts, "C"), "g") is None
    functions = {f.name: f for f in ast.walk(facts.module) if isinstance(f, ast.FunctionDef)}
    assert [n for n, f in functions.items() if is_static(f)] == ["s"]
    assert [n for n, f in functions.items() if is_property(f)] == ["p", "q"]
    assert classes.method_of(functions["s"]) is None
    assert classes.method_of(functions["step"]) is None
    assert classes.method_of(functions["g"]) is cls(facts, "D")
    assert is_first_parameter(functions["g"], "self")
    assert not is_first_parameter(functions["inner"], "self")
    assert not is_first_parameter(ast.parse("lambda self: 1").body[0].value, "self")  # type: ignore[attr-defined]
    inside = functions["inner"].body[0]
    assert facts.cls(inside) is cls(facts, "A")
    assert facts.cls(functions["g"]) is cls(facts, "D")
    assert facts.cls(functions["step"]) is None


def test_self_is_the_first_parameter_whatever_it_is_called(facts: Facts) -> None:
    pairs = [n for n in ast.walk(facts.module) if isinstance(n, ast.Tuple) and len(n.elts) == 2]
    this, self = pairs[0].elts
    assert facts.classes.self_class(this) is cls(facts, "A")
    assert facts.classes.self_class(self) is None
    assert facts.classes.self_class(pairs[0]) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("step", "step"),
        ("fast", "step"),
        ("slow", None),
        ("twice", None),
        ("unknown", None),
        ("a.step", None),
        ("A", None),
    ],
)
def test_a_function_under_its_names(text: str, expected: str | None) -> None:
    facts, found = expr(text)
    function = facts.classes.function(found)
    assert (function and function.name) == expected


@pytest.mark.parametrize(("text", "expected"), [("A", "A"), ("step", None), ("tf", None)])
def test_a_class_under_its_name(text: str, expected: str | None) -> None:
    facts, found = expr(text)
    local = facts.classes.local(found)
    assert (local and local.name) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a = ask()", "a"),
        ("a: int = ask()", "a"),
        ("self.model.a = ask()", "self.model.a"),
        ("a = b = ask()", None),
        ("a[0] = ask()", None),
        ("f().a = ask()", None),
        ("a, b = ask()", None),
        ("a = f(ask())", None),
        ("ask()", None),
        ("a += ask()", None),
    ],
)
def test_what_a_value_is_bound_to(text: str, name: str | None) -> None:
    facts = Facts.of(text)
    call = next(c for c in facts.index.calls if getattr(c.func, "id", "") == "ask")
    assert bound_to(facts, call) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ask()", True),
        ("a = f(ask())", True),
        ("a += ask()", True),
        ("a: int = ask()", True),
        ("def f():\n    return g(ask())", True),
        ("lambda: ask()", False),
        ("a if ask() else b", False),
        ("a or ask()", False),
        ("[ask() for a in b]", False),
        ("[a for a in ask()]", False),
        ("list(ask() for a in b)", False),
        ("{a: ask() for a in b}", False),
        ("if ask():\n    pass", False),
        ("while ask():\n    pass", False),
        ("for a in ask():\n    pass", False),
        ("with ask():\n    pass", False),
        ("assert ask()", False),
        ("if a:\n    b = ask()", True),
    ],
)
def test_whether_a_value_can_be_named_before(text: str, expected: bool) -> None:
    facts = Facts.of(text)
    call = next(c for c in facts.index.calls if getattr(c.func, "id", "") == "ask")
    assert can_be_named(facts, call) is expected


def class_of(facts: Facts, name: str) -> ast.ClassDef:
    return next(n for n in ast.walk(facts.module) if isinstance(n, ast.ClassDef) and n.name == name)


BASES = """\
import tensorflow as tf
from other import Mixin
class A(tf.keras.Model, Mixin):
    pass
class B(A):
    pass
class C(B, tf.Module):
    pass
class D(C, A):
    pass
class E(D):
    pass
class F(get()):
    pass
class G(F, object):
    pass
class H(I):
    pass
class I(H):
    pass
"""


@pytest.mark.parametrize("order", ["ABCDEFGHI", "IHGFEDCBA", "EBHDGACFI"])
def test_bases_from_outside_are_those_of_all_ancestors_whoever_is_asked_first(order: str) -> None:
    facts = Facts.of(BASES)
    for name in order:
        cls = class_of(facts, name)
        above = [base for each in facts.classes.ancestors(cls) for base in each.bases]
        named = [facts.name(base) for base in above]
        assert facts.classes.library_bases(cls) == tuple(n for n in named if n is not None)
        unknown = [facts.classes.local(b) is None and facts.name(b) is None for b in above]
        assert facts.classes.has_unknown_base(cls) is any(unknown)


def test_names_that_are_compiled_from_each_other_mean_nothing() -> None:
    text = "import tensorflow as tf\nf = tf.function(g)\ng = tf.function(f)\nf()\n"
    facts = Facts.of(text)
    (call,) = [c for c in facts.index.calls if isinstance(c.func, ast.Name)]
    assert facts.classes.function(call.func) is None


def test_of_two_methods_with_one_name_the_nearest_class_has_it() -> None:
    facts = Facts.of(
        "class A:\n    def f(self): 1\n    def g(self): 2\nclass B(A):\n    def f(self): 3\n"
    )
    a, b = class_of(facts, "A"), class_of(facts, "B")
    assert facts.classes.method(b, "f") is b.body[0]
    assert facts.classes.method(b, "g") is a.body[1]
    assert facts.classes.method(b, "h") is None
