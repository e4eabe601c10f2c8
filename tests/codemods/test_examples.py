"""The diffs of the examples, as a reviewer would read them: `tests/golden/<example>.diff`.

`make golden` writes them anew; the diff of those diffs is then what the review is about.
"""

from __future__ import annotations

import difflib
import io
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

from distify.codemods.model import Migration
from repeated import migrated

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


def diff(example: Path, migration: Migration) -> str:
    """A unified diff without dates; carriage returns are shown so that no tool loses them."""
    before, after = (text.splitlines(keepends=True) for text in (migration.before, migration.after))
    name = f"examples/{example.name}"
    lines = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(lines).replace("\r", "␍")


@each_example
def test_the_diff_is_the_reviewed_one(example: Path, request: pytest.FixtureRequest) -> None:
    golden = GOLDEN / f"{example.stem}.diff"
    found = diff(example, migrated(example))
    if request.config.getoption("--golden"):
        golden.write_text(found, encoding="utf-8", newline="\n")
    assert found == golden.read_text(encoding="utf-8")


@each_example
def test_nothing_is_blocked_and_everything_is_migrated(example: Path) -> None:
    migration = migrated(example)
    assert migration.blocked == ()
    assert migration.steps


@each_example
def test_every_comment_survives_in_order(example: Path) -> None:
    migration = migrated(example)
    before, after = comments(migration.before), comments(migration.after)
    kept = [comment for comment in after if comment in before]
    assert kept == before


def comments(text: str) -> list[str]:
    """The comments of a program."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def test_the_results_pass_the_default_rules_of_ruff(tmp_path: Path) -> None:
    for example in EXAMPLES:
        (tmp_path / example.name).write_bytes(migrated(example).after.encode())
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_no_golden_diff_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.diff")} == {path.stem for path in EXAMPLES}
