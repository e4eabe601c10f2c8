"""The judges of the judges: what compares two programs, and what makes mutants."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from bench import mutant_judge
from bench.mutant_coverage import Coverage
from bench.mutant_judge import Judge, passes_unchanged, text_of
from bench.mutants import drawn, interval, parse, sample
from bench.mutations import Mutant, mutants
from bench.outside import differences

from distify.codemods.library import names

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
        ("f('if a is b:')", ["f('if a is b:') -> pass", "'if a is b:' -> 'XXif a is b:XX'"]),
        ("f('a b')", ["f('a b') -> pass", "'a b' -> 'XXa bXX'"]),
        ("f('a of b', c)", ["f('a of b', c) -> pass"]),
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
        "a = 'each worker writes this file'",
        "A = TypeVar('A')",
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


TESTS = {"a.py": {1: [""], 2: ["test_b.py::b", "test_a.py::a"], 3: ["test_b.py::c"], 4: []}}
SECONDS = {"test_a.py::a": 0.5, "test_b.py::b": 0.1, "test_b.py::c": 3.0}


def at(function: str, line: int) -> Mutant:
    return Mutant(
        "a.py", function, "", range(line, line + 1), line, "", "", 0, (None, "", None, None)
    )  # type: ignore[arg-type]


def test_the_tests_of_a_line_are_those_that_execute_it_those_of_its_own_file_first(
    tmp_path: Path,
) -> None:
    file = tmp_path / "build" / "coverage.json"
    Coverage.of_names(TESTS, SECONDS).save(file)
    coverage = Coverage.load(file)
    assert coverage.of(at("f", 2)) == ["test_a.py::a", "test_b.py::b"]
    assert coverage.of(at("f", 3)) == ["test_b.py::c"]  # though it takes more than the budget
    assert coverage.of(at("f", 4)) == coverage.of(at("f", 5)) == []
    assert coverage.of(at("", 1)) == [
        "test_a.py::a",
        "test_b.py::b",
    ]  # at import: those of any line
    assert [coverage.runs_at_import(at("f", line)) for line in (1, 2, 4)] == [True, False, False]


def test_those_that_say_what_is_changed_come_before_others_and_then_one_of_each_file() -> None:
    tests = [
        "test_b.py::x",
        "test_b.py::y",
        "test_c.py::x",
        "test_c.py::y",
        "test_c.py::a_writer_of_lines",
    ]
    seconds = dict.fromkeys(tests, 0.1)
    coverage = Coverage.of_names({"a.py": {1: tests}}, seconds)
    changed = dataclasses.replace(at("f", 1), old=r"a == r'(?:csv|tsv)\.writer$'")
    files = [test.partition("::")[0] for test in coverage.of(changed)[1:]]
    assert coverage.of(changed)[0] == "test_c.py::a_writer_of_lines"
    assert set(files[:2]) == set(files[2:]) == {"test_b.py", "test_c.py"}
    coverage.texts = {**dict.fromkeys(tests, ""), "test_b.py::y": "open(f).writer()"}
    assert coverage.of(changed)[0] == "test_b.py::y"


PROGRAM = "a known program"


@pytest.mark.parametrize("case", ["one case"])
def test_a_test_says_its_cases_its_texts_and_those_it_knows(
    case: str, request: pytest.FixtureRequest
) -> None:
    said = text_of(request.node)
    assert "a text of its own" in said
    assert case in said
    assert PROGRAM in said


def test_of_a_line_with_a_thousand_tests_little_is_kept(tmp_path: Path) -> None:
    seconds = {f"tests/test_long_name.py::test_{number}": 0.1 for number in range(1_000)}
    file = tmp_path / "coverage.json"
    Coverage.of_names({"a.py": {1: list(seconds)}}, seconds).save(file)
    names = len(json.dumps(list(seconds)))
    assert file.stat().st_size < 2 * names
    assert len(Coverage.load(file)._named([Coverage.load(file).lines["a.py"][1]])) == 1_000


def test_a_table_is_asked_by_tests_that_know_it_though_they_execute_nothing_of_it() -> None:
    coverage = Coverage.of_names(TESTS, SECONDS)
    table = dataclasses.replace(at("", 1), path="codemods/library/names.py", old="'json'")
    assert coverage.of(table) == []
    coverage.texts = {
        "test_a.py::a": "distify.codemods.library.names\n",
        "test_b.py::b": "distify.codemods.library.names\njson",
        "test_b.py::c": "distify.codemods.library.names_of\njs",
    }
    assert coverage.of(table) == ["test_b.py::b", "test_a.py::a"]
    assert coverage.of(dataclasses.replace(table, function="f")) == []
    coverage.texts = {"test_b.py::b": "json"}  # which comes by another way
    assert coverage.of(table) == ["test_b.py::b"]


def test_a_test_says_its_tables_and_whose_names_it_knows(request: pytest.FixtureRequest) -> None:
    said = text_of(request.node)
    assert str(TESTS) in said
    assert f"{names.__name__}\n" in said
    assert Path.__module__ not in said.splitlines()


class Item:
    """A test that passes or fails."""

    def __init__(self, does_pass: bool) -> None:
        self.does_pass, self.nodeid = does_pass, ""


@pytest.mark.parametrize("does_pass", [True, False])
def test_nothing_is_judged_where_tests_fail_without_a_mutant(
    does_pass: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant_judge, "passes", lambda item, following: item.does_pass)
    judge = Judge(lambda _: None)
    judge.items = {"a": Item(does_pass), "b": Item(True)}  # type: ignore[dict-item]
    assert passes_unchanged(judge, {"a": 0.1, "b": 0.2}) is does_pass


def test_a_sample_takes_the_same_share_of_every_module_and_says_which() -> None:
    there = [*numbered("a.py", 100), *numbered("b.py", 50), *numbered("c.py", 1)]
    chosen = sample(there, 30, "1")
    assert [sum(m.path == path for m in chosen) for path in ("a.py", "b.py", "c.py")] == [20, 10, 1]
    assert chosen == sample(there, 30, "1")
    assert chosen != sample(there, 30, "2")


def test_a_run_that_was_ended_early_says_how_much_of_its_sample_it_has_judged() -> None:
    assert drawn(parse(["--seed", "5"]), 30, 30) == "a sample (seed 5)"
    assert drawn(parse(["--seed", "5"]), 9, 1_200) == "the first 9 of 1,200 in a sample (seed 5)"
    assert drawn(parse(["--all"]), 3, 3) == "every one"


def test_the_interval_is_wilsons_and_of_all_it_has_no_width() -> None:
    low, high = interval(85, 100, 1_000_000)
    assert (round(low, 3), round(high, 3)) == (0.767, 0.907)  # published for 85 of 100
    assert interval(85, 100, 100) == (0.85, 0.85)
