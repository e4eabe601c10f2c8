"""The diffs of the examples, as a reviewer would read them: `tests/golden/<example>.diff`.

`make golden` writes them anew; the diff of those diffs is then what the review is about.
"""

from __future__ import annotations

import difflib
import io
import json
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

import pytest

from distify.codemods.model import Migration
from repeated import migrated

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
# Those for Keras 3 are migrated for another version (`test_keras_3_examples`), projects together.
FOLDER = ROOT / "examples"
EXAMPLES = sorted([*FOLDER.glob("*.py"), *FOLDER.glob("tf1/*.py")])
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


def diff(example: Path, migration: Migration) -> str:
    """A unified diff without dates; carriage returns are shown so that no tool loses them."""
    before, after = (text.splitlines(keepends=True) for text in (migration.before, migration.after))
    name = example.relative_to(ROOT).as_posix()
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


@pytest.mark.slow
def test_ruff_finds_nothing_in_the_results_that_it_did_not_find_before(tmp_path: Path) -> None:
    for example in EXAMPLES:
        migration = migrated(example)
        for folder, text in (("before", migration.before), ("after", migration.after)):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / example.name).write_bytes(text.encode())
    assert not ruff(tmp_path / "after") - ruff(tmp_path / "before")


def ruff(folder: Path) -> Counter[tuple[str, str]]:
    """How often its default rules find what in which file; a line that got too long is broken."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache"]
    command += ["--exit-zero", "--output-format=json", str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(result.stdout)
    return Counter((Path(each["filename"]).name, each["code"]) for each in found)


def test_no_golden_diff_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.diff")} == {path.stem for path in EXAMPLES}
