"""Classes of a module by their bases, each line looked for once."""

from __future__ import annotations

import ast

from distify.codemods.facts.families import Families


class Asked:
    """The families of a text, and how often a base was looked up."""

    def __init__(self, text: str) -> None:
        tree = ast.parse(text)
        self.classes = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}
        self.times = 0
        self.families = Families(self._local, lambda: iter(self.classes.values()))

    def _local(self, expr: ast.AST) -> ast.ClassDef | None:
        self.times += 1
        return self.classes.get(getattr(expr, "id", ""))

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
    assert Asked("class A(B): pass\nclass B(A): pass\n").family("A") == ["A", "B"]


def test_many_questions_look_up_each_base_once_for_each_class() -> None:
    asked = Asked("".join(f"class C{n}(A, B): pass\n" for n in range(50)))
    for _ in range(3):
        for name in asked.classes:
            asked.family(name)
    assert asked.times == 100


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
