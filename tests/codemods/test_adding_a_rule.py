"""The page that tells how to add a rule, a row or an obligation: its examples work."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from distify.codemods import rewrites
from distify.codemods.edits import kinds
from distify.codemods.library import agreement, file_effects, file_rows
from distify.codemods.library.first_row import Rows
from distify.codemods.library.words import table
from distify.codemods.migrate import migrate
from distify.codemods.model import Options
from distify.codemods.rewrites import Rewrite
from distify.codemods.rewrites._rewrite import REGISTRY

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-rule.md").read_text(encoding="utf-8")
(CODE,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.S | re.M)
(FILE,) = set(re.findall(r"`codemods/rewrites/(d\d+_\w+\.py)`", PAGE))


@pytest.fixture(scope="module")
def rule(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rewrite]:
    """The rule, found among all others as the page says: by the name of its file."""
    folder = tmp_path_factory.mktemp("rewrites")
    (folder / FILE).write_text(CODE, encoding="utf-8")
    known = {rule.code for rule in rewrites.all()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rewrites, "__path__", [*rewrites.__path__, str(folder)])
        rewrites.all.cache_clear()
        (found,) = (rule for rule in rewrites.all() if rule.code not in known)
        yield found
    del REGISTRY[found.code]
    rewrites.all.cache_clear()
    del sys.modules[found.module]


def changed(rule: Rewrite, text: str) -> str:
    """What the rule makes of a text, alone."""
    return migrate(text, Options(frozenset({rule.code}), unsound=True)).after


def test_it_is_registered_under_the_name_of_its_file(rule: Rewrite) -> None:
    assert f"{rule.code.lower()}_{rule.name.replace('-', '_')}.py" == FILE
    assert f"`codemods/pages/{rule.code}.md`" in PAGE
    assert f"test_{FILE}" in PAGE


def test_the_example_works(rule: Rewrite) -> None:
    assert rule.before != rule.after
    assert changed(rule, rule.before) == rule.after


def test_a_second_run_changes_nothing(rule: Rewrite) -> None:
    assert changed(rule, rule.after) == rule.after
    everything = migrate(rule.before).after
    assert rule.code in [step.code for step in migrate(rule.before).steps]
    assert migrate(everything).after == everything


def test_what_it_leaves_alone_it_leaves_alone(rule: Rewrite) -> None:
    assert rule.noop
    for text in rule.noop:
        assert changed(rule, text) == text


CALLS = {
    "summary()": "summary(line_length=80)",
    "summary(60)": "summary(80)",
    "summary(60, None)": "summary(80, None)",
    "summary(line_length=60)": "summary(line_length=80)",
    "summary(None)": "summary(80)",
    "summary(80)": "summary(80)",
    "summary(*options)": "summary(*options)",
    "summary(print_fn=print, **options)": "summary(print_fn=print, **options)",
}


@pytest.mark.parametrize("call", CALLS)
def test_no_argument_is_given_twice(rule: Rewrite, call: str) -> None:
    head, _, _ = rule.before.partition("model.summary")
    tail = 'model.compile("sgd", "mse")\nmodel.fit(1, 2)\n'
    before = f"{head}model.{call}\n{tail}"
    assert changed(rule, before) == before.replace(call, CALLS[call])


def test_every_kind_of_edit_is_in_the_table() -> None:
    table = PAGE[PAGE.index("| edit (") : PAGE.index("### 3.")]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(kind.__name__ for kind in get_args(kinds.Edit))


def block(name: str) -> str:
    """A program, or a row, of the page."""
    (found,) = re.findall(rf"^```py {name}\n(.*?)^```$", PAGE, flags=re.S | re.M)
    return str(found)


def add_file_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the page's row to what calls do to files."""
    row = re.fullmatch(r'FileCall\((\w+), (\w+), (\d)\), table\("(.*)"\)\n', block("row"))
    assert row
    effect, names = getattr(file_rows, row[1]), getattr(file_rows, row[2])
    for name in table(row[4]):
        assert not file_effects.file_calls(name)
        monkeypatch.setitem(
            file_effects._KNOWN, name, file_rows.FileCall(effect, names, int(row[3]))
        )


def test_a_row_of_the_library_lets_one_worker_write(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = block("before"), block("after")
    call = after.splitlines()[-1].strip()
    assert call in before
    assert f"\n{call}\n" in migrate(before).after
    add_file_row(monkeypatch)
    assert after in migrate(before).after


def test_a_row_tells_the_judge_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    program = block("clock")
    assert not migrate(program).blocked
    row = re.fullmatch(r'\(r"(.*)", (\w+)\),\n', block("answer"))
    assert row
    rows = ((row[1], getattr(agreement, row[2])), *agreement._ROWS)
    monkeypatch.setattr(agreement, "_GIVES", Rows(rows))
    assert [(each.code, each.line) for each in migrate(program).blocked] == [("T07", 8)]
    printed = program.replace(
        "rate = 0.1 if labtools.now().hour < 12 else 0.01", "print(labtools.now())\nrate = 0.1"
    )
    assert not migrate(printed).blocked
