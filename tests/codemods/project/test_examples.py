"""The diffs of the projects, as a reviewer would read them: `tests/golden/projects/<name>.diff`."""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path

import pytest

from distify.codemods.model import Migration
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

ROOT = Path(__file__).parents[3]
PROJECTS = ROOT / "examples" / "projects"
GOLDEN = ROOT / "tests" / "golden" / "projects"
ENTRIES = {
    "absl_flags": "train.py",
    "console_script": "src/harbour/cli.py",
    "gan": "train.py",
    "own_callbacks": "main.py",
    "package": "digits/train.py",
    "split_files": "train.py",
    "train_step": "run.py",
    "trainer_class": "main.py",
    "two_entries": "train.py",
}
STARTED = {"console_script": ("main",)}  # by commands of the project
each_project = pytest.mark.parametrize("name", sorted(ENTRIES))


def project(name: str) -> Project:
    """A project as its entry sees it."""
    folder = PROJECTS / name
    paths = [path.relative_to(folder).as_posix() for path in folder.rglob("*.py")]
    texts = {path: (folder / path).read_bytes().decode() for path in paths}
    return Project(ENTRIES[name], texts, STARTED.get(name, ()))


@cache
def migrated(name: str) -> Migration:
    """The migration of the entry of a project."""
    found = migrate_project(project(name), name=name)
    assert found is not None
    return found


def files(name: str) -> dict[str, Migration]:
    """What becomes of each file of a project that changes."""
    entry = migrated(name)
    return {ENTRIES[name]: entry, **{other.path: other.migration for other in entry.others}}


def diff(path: str, migration: Migration) -> str:
    """A unified diff without dates."""
    before, after = (text.splitlines(keepends=True) for text in (migration.before, migration.after))
    return "".join(difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"))


@each_project
def test_the_diff_is_the_reviewed_one(name: str, request: pytest.FixtureRequest) -> None:
    golden = GOLDEN / f"{name}.diff"
    found = "".join(diff(path, each) for path, each in sorted(files(name).items()))
    if request.config.getoption("--golden"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found, encoding="utf-8", newline="\n")
    assert found == golden.read_text(encoding="utf-8")


@each_project
def test_every_step_of_every_file_is_a_program(name: str) -> None:
    for path, migration in files(name).items():
        assert migration.steps
        for step in migration.steps:
            compile(step.text, path, "exec")


@each_project
def test_only_the_entry_starts_horovod(name: str) -> None:
    started = [path for path, each in files(name).items() if "hvd.init()" in each.after]
    assert started == [ENTRIES[name]]


@each_project
def test_the_report_knows_only_lines_of_the_entry(name: str) -> None:
    entry = migrated(name)
    lines = entry.before.count("\n")
    assert entry.before == (PROJECTS / name / ENTRIES[name]).read_text("utf-8")
    assert all(each.line <= lines for each in (*entry.notes, *entry.evidence))
    assert entry.blocked == ()


def test_no_project_is_forgotten() -> None:
    assert sorted(path.name for path in PROJECTS.iterdir() if path.is_dir()) == sorted(ENTRIES)
