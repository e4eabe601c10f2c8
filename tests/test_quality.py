"""The judges of the judges: what compares two programs, and what makes mutants."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.mutants import interval, sample
from bench.mutations import Mutant, mutants
from bench.outside import differences

BEFORE = '''\
"""Docs."""
import tensorflow as tf
# rate
a = 1
if a:
    b = f(a, 2)
    print(b)
'''


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        ("2)", "2 * a)", [(6, 4)]),
        ("    print(b)\n", "    if hvd.rank() == 0:\n        print(b)\n", [(7, 4)]),
        ("    print(b)\n", "", [(7, 4)]),
        ("a = 1\n", "hvd.init()\na = 1\n", [(1, 0)]),
        ("if a:", "if a and hvd.rank() == 0:", [(5, 3)]),
    ],
)
def test_what_a_place_explains_is_no_difference(old: str, new: str, places: list) -> None:
    assert differences(BEFORE, BEFORE.replace(old, new), places) == []


@pytest.mark.parametrize(
    ("old", "new", "places", "wrong"),
    [
        ("2)", "3)", [], "a statement is gone"),
        ("2)", "3)", [(7, 4)], "a statement is gone"),
        ("    print(b)\n", "", [(6, 4)], "a statement is gone"),
        ("if a:", "if b:", [(6, 4), (7, 4)], "a statement is gone"),
        ("a = 1\n", "a  =  1\n", [], "a line is gone"),
        ("# rate", "# Rate", [(4, 0)], "a line is gone"),
        ("a = 1\n", "a = 1\na.b()\n", [(4, 0)], "a statement was added"),
        ("# rate\na = 1\n", "a = 1\n# rate\n", [], "a line is gone"),
    ],
)  # fmt: skip
def test_what_no_place_explains_is_told(old: str, new: str, places: list, wrong: str) -> None:
    found = differences(BEFORE, BEFORE.replace(old, new), places)
    assert found
    assert wrong in found[0]


def made(path: Path, text: str) -> list[str]:
    """The mutants of a module, as they read."""
    (path / "module.py").write_text(text, encoding="utf-8")
    return [f"{m.old} -> {m.new}" for m in mutants(path / "module.py", "module.py")[1]]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("a < 1", ["a < 1 -> pass", "a < 1 -> a <= 1", "1 -> 2"]),
        ("def f():\n    return a and b", ["return a and b -> return None", "a and b -> a or b"]),
        ("while a:\n    break", ["a -> not a", "break -> continue"]),
        ("if not a:\n    del b", ["not a -> a", "del b -> pass"]),
        ("a = b[c:]", ["a = b[c:] -> a = None", "c -> None"]),
        ("def f(a=True): ...", ["True -> False"]),
        ("a += b'x'", ["a += b'x' -> pass", "b'x' -> b'XXxXX'"]),
        ("a = any(b)", ["a = any(b) -> a = None", "any -> all"]),
    ],
)
def test_one_thing_is_changed_at_a_time(tmp_path: Path, text: str, changes: list[str]) -> None:
    assert made(tmp_path, text) == changes


@pytest.mark.parametrize(
    "text",
    [
        '"""Docs, 1 + 1."""',
        "def f(a: 'int') -> 'str': ...",
        "if TYPE_CHECKING:\n    a = 1",
        "assert a == 1",
        "@dataclass(frozen=True)\nclass A: ...",
        "class A(Enum):\n    B = 'b'",
        "__all__ = ['a']",
        "A = Callable['x', 1]",
        "@rewrite(code='D1', before='x')\ndef f(): ...",
        "import a.b",
    ],
)
def test_what_no_behaviour_hangs_on_is_left_alone(tmp_path: Path, text: str) -> None:
    assert made(tmp_path, text) == []


def test_a_mutant_is_that_change_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("a = 1 + 2\n", encoding="utf-8")
    tree, found = mutants(tmp_path / "module.py", "module.py")
    values: list[object] = []
    for mutant in found:
        names: dict[str, object] = {}
        exec(mutant.compiled(tree, "module.py"), names)
        values.append(names["a"])
    assert values == [None, -1, 4, 4]


def numbered(path: str, count: int) -> list[Mutant]:
    step = (None, "", None, None)
    return [Mutant(path, "", "", range(1), 1, str(n), "", 0, step) for n in range(count)]  # type: ignore[arg-type]


def test_a_sample_takes_the_same_share_of_every_module_and_says_which() -> None:
    there = [*numbered("a.py", 100), *numbered("b.py", 50), *numbered("c.py", 1)]
    chosen = sample(there, 30, "1")
    assert [sum(m.path == path for m in chosen) for path in ("a.py", "b.py", "c.py")] == [20, 10, 1]
    assert chosen == sample(there, 30, "1")
    assert chosen != sample(there, 30, "2")


def test_the_interval_is_wilsons_and_of_all_it_has_no_width() -> None:
    low, high = interval(85, 100, 1_000_000)
    assert (round(low, 3), round(high, 3)) == (0.767, 0.907)  # published for 85 of 100
    assert interval(85, 100, 100) == (0.85, 0.85)
