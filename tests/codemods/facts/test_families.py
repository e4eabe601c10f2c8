"""Classes of a module by their bases."""

from __future__ import annotations

import ast

from distify.codemods.facts import Facts


class Asked:
    """The families of a text by the names of its classes."""

    def __init__(self, text: str) -> None:
        facts = Facts.of(text)
        self.classes = {each.name: each for each in facts.index.nodes(ast.ClassDef)}
        self.families = facts.classes

    def family(self, name: str) -> list[str]:
        return [each.name for each in self.families.family(self.classes[name])]


def test_a_family_is_what_stands_above_and_below() -> None:
    asked = Asked(
        "class A: pass\nclass B(A, X): pass\nclass C(B): pass\nclass D(A): pass\nclass E: pass\n"
    )
    assert asked.family("B") == ["B", "A", "C"]
    assert asked.family("A") == ["A", "B", "C", "D"]
    assert asked.family("E") == ["E"]


def test_classes_that_derive_from_each_other_end() -> None:
    text = "def f():\n    class A(B): pass\n    return A\nclass B(f()): pass\n"
    assert Asked(text).family("A") == ["A", "B"]


def test_a_decorator_leaves_a_base_what_it_is() -> None:
    asked = Asked("import six\n@six.add_metaclass(M)\nclass A: pass\nclass B(A): pass\n")
    assert asked.family("A") == ["A", "B"]
    assert not asked.families.has_unknown_base(asked.classes["B"])


def test_a_base_may_stand_in_a_variable() -> None:
    asked = Asked("class A: pass\nbox = [A]\nfor base in box:\n    class B(base): pass\n")
    assert asked.family("B") == ["B", "A"]


def test_a_mixin_stands_behind_what_the_first_base_derives_from() -> None:
    """`class D(B, M)`: Python looks for a method in A, above B, before it does in M."""
    asked = Asked("class A: pass\nclass M: pass\nclass B(A): pass\nclass D(B, M): pass\n")
    assert [each.name for each in asked.families.ancestors(asked.classes["D"])] == [*"DBAM"]


def test_what_two_bases_share_stands_behind_both() -> None:
    asked = Asked("class A: pass\nclass B(A): pass\nclass C(A): pass\nclass D(B, C): pass\n")
    assert [each.name for each in asked.families.ancestors(asked.classes["D"])] == [*"DBCA"]


def test_bases_that_have_no_order_are_all_there() -> None:
    asked = Asked("class A: pass\nclass B(A): pass\nclass D(A, B): pass\n")
    assert {each.name for each in asked.families.ancestors(asked.classes["D"])} == {*"DAB"}
