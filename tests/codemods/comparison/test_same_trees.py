"""Original and result side by side: what may differ is at a place, all else is there, in order."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import pytest

from distify.codemods.comparison.soundness import check
from distify.codemods.model import UnsoundResult
from distify.codemods.syntax import Source


def verdict(before: str, after: str, places: Iterable[str] = ()) -> tuple[int, str]:
    """The line and the message, (0, "") where the result is sound; the places by their texts."""
    source = Source(before)
    nodes = list(ast.walk(source.module))
    named = [next(n for n in nodes if ast.get_source_segment(before, n) == text) for text in places]
    parents = {c: n for n in nodes for c in ast.iter_child_nodes(n)}
    try:
        check(source, [("D999", after, named)], parents, "<test>")
    except UnsoundResult as error:
        return error.line, error.message
    return 0, ""


CHANGED = "a statement was changed outside of any place"
AWAY = "a statement was inserted away from any place"
LINE = "a line was changed outside of any place"
TWO = "a = 1\nprint(a)\n"
IF = "b = 0\nif b:\n    print(b)\nc = 2\n"

SOUND: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "nothing": (TWO, TWO, ()),
    "a place": (TWO, "a = 2\nprint(a)\n", ("1",)),
    "a statement beside a place": (TWO, "a = 1\nb = 1\nprint(a)\n", ("print(a)",)),
    "a statement behind a place": (TWO, "a = 1\nprint(a)\nb = 1\n", ("print(a)",)),
    "a place that is gone": (TWO, "a = 1\n", ("print(a)",)),
    "a guarded place": (TWO, "a = 1\nif a:\n    print(a)\n", ("print(a)",)),
    "one more condition": (IF, IF.replace("if b:", "if b and b > 1:"), ("print(b)",)),
    "a condition in the middle": (
        "b = 0\nif b and b:\n    print(b)\n",
        "b = 0\nif b and b and b > 1:\n    print(b)\n",
        ("print(b)",),
    ),
    "a block that is a place": (IF, "b = 0\nif b:\n    d = 1\n    print(b)\nc = 2\n", (IF[6:-7],)),
    "a block whose places are gone": (IF, "b = 0\nc = 2\n", (IF[6:-7], "print(b)")),
    "the statement that is inserted stands there already": (
        "a = 1\nprint(a)\na = 1\nb = 2\n",
        "a = 1\na = 1\nprint(a)\na = 1\nb = 2\n",
        ("print(a)",),
    ),
    "the last line gets its end": ("a = 1\nprint(a)", "a = 1\nprint(a)\nb = 1\n", ("print(a)",)),
    "a place in a list": ("a = [1, 2]\n", "a = [1, 3]\n", ("2",)),
    "a handler": (
        "try:\n    f = 1\nexcept OSError:\n    print(1)\n",
        "try:\n    f = 1\nexcept OSError:\n    print(2)\n",
        ("print(1)",),
    ),
    "at the end of a function": (
        "def f():\n    print(1)\n    return 2\n",
        "def f():\n    if 3:\n        print(1)\n    return 2\n",
        ("print(1)",),
    ),
}
UNSOUND: dict[str, tuple[str, str, tuple[str, ...], int, str]] = {
    "another number": (TWO, "a = 2\nprint(a)\n", (), 1, CHANGED),
    "true for one": (TWO, "a = True\nprint(a)\n", ("print(a)",), 1, CHANGED),
    "a fraction": (TWO, "a = 1.0\nprint(a)\n", ("print(a)",), 1, CHANGED),
    "gone": (TWO, "print(2)\n", ("print(a)",), 1, CHANGED),
    "gone behind": (TWO, "a = 1\n", ("1",), 2, CHANGED),
    "away before": (TWO, "b = 1\na = 1\nprint(a)\n", (), 1, AWAY),
    "away behind": (TWO, "a = 1\nprint(a)\nb = 1\n", (), 1, AWAY),
    "away between": ("a = 1\nb = 2\nc = 3\n", "a = 4\nb = 2\nd = 1\nc = 3\n", ("1",), 3, AWAY),
    "two change sides": ("a = 1\nb = 2\n", "b = 2\na = 1\n", (), 1, AWAY),
    "into an empty module": ("", "a = 1\n", (), 1, AWAY),
    "a longer list": ("a = [1, 2]\n", "a = [1, 2, 3]\n", ("2",), 1, CHANGED),
    "a shorter list": ("a = [1, 2]\n", "a = [1]\n", ("1",), 1, CHANGED),
    "another kind": ("a = [1]\n", "a = (1,)\n", ("1",), 1, CHANGED),
    "another header": (IF, IF.replace("if b:", "if not b:"), ("print(b)",), 2, CHANGED),
    "one condition less": (
        "b = 0\nif b and b:\n    print(b)\n",
        "b = 0\nif b:\n    print(b)\n",
        ("print(b)",),
        2,
        CHANGED,
    ),
    "or more": (IF, IF.replace("if b:", "if b or b > 1:"), ("print(b)",), 2, CHANGED),
    "narrowed with more inside": (
        "b = 0\nif b:\n    print(b)\n    b = 1\n",
        "b = 0\nif b and b > 1:\n    print(b)\n    b = 1\n",
        ("print(b)",),
        2,
        CHANGED,
    ),
    "narrowed with an else": (
        "b = 0\nif b:\n    print(b)\nelse:\n    b = 1\n",
        "b = 0\nif b and b > 1:\n    print(b)\nelse:\n    b = 1\n",
        ("print(b)",),
        2,
        CHANGED,
    ),
    "a loop for a condition": (IF, IF.replace("if b:", "while b:"), ("print(b)",), 2, CHANGED),
    "guarded without a place": (TWO, "if 1:\n    a = 1\nprint(a)\n", ("print(a)",), 1, CHANGED),
    "the docstring": ('"""D."""\nprint(1)\n', 'a = 1\n"""D."""\nprint(1)\n', (), 1, AWAY),
    "before the docstring": (
        '"""D."""\nprint(1)\n',
        'a = 1\n"""D."""\nprint(1)\n',
        ('"""D."""',),
        1,
        "the docstring is not the first statement any more",
    ),
    "a comment": ("a = 1  # why\nprint(a)\n", "a = 1\nprint(a)\n", ("print(a)",), 1, LINE),
    "the spaces": ("a = 1\nprint(a)\n", "a  = 1\nprint(a)\n", ("print(a)",), 1, LINE),
    "a name that nothing binds": (TWO, "a = 1\nprint(q, r)\n", ("print(a)",), 1, "nothing binds q, r"),
    "in a block that is not touched": (
        "def f():\n    return 1\nprint(1)\n",
        "def f():\n    return 2\nprint(1)\n",
        ("print(1)",),
        1,
        CHANGED,
    ),
    "in the block of a place": (
        "def f():\n    print(1)\n    return 1\n",
        "def f():\n    print(2)\n    return 2\n",
        ("print(1)",),
        3,
        CHANGED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SOUND)
def test_what_differs_at_a_place_is_sound(case: str) -> None:
    before, after, places = SOUND[case]
    assert verdict(before, after, places) == (0, "")


@pytest.mark.parametrize("case", UNSOUND)
def test_what_differs_elsewhere_is_told_with_its_line(case: str) -> None:
    before, after, places, line, message = UNSOUND[case]
    assert verdict(before, after, places) == (line, message)


@pytest.mark.parametrize(
    "binding",
    [
        "import q",
        "import q.r",
        "import r as q",
        "from r import q",
        "q = 1",
        "for q in []:\n    pass",
        "def q():\n    pass",
        "class q:\n    pass",
        "def f(q):\n    return q",
        "try:\n    pass\nexcept OSError as q:\n    pass",
    ],
)
def test_what_the_result_binds_may_be_read_there(binding: str) -> None:
    assert verdict("print(1)\n", f"{binding}\nprint(q)\n", ("print(1)",)) == (0, "")


def test_what_is_bound_as_a_keyword_only_is_not_bound() -> None:
    found = verdict("print(1)\n", "print(sep=q)\nprint(q=1)\n", ("print(1)",))
    assert found == (1, "nothing binds q")
