"""The diffs of the examples for Keras 3, as a reviewer would read them: `tests/golden/keras3`."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Migration, Options
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

from .test_examples import diff

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "keras3"
KERAS_3 = Options(tensorflow=(2, 20))
each_example = pytest.mark.parametrize(
    "example", sorted((ROOT / "examples" / "keras3").glob("*.py")), ids=lambda path: path.stem
)


@each_example
def test_the_diff_is_the_reviewed_one(example: Path, request: pytest.FixtureRequest) -> None:
    migration = migrate(example.read_text(encoding="utf-8"), KERAS_3)
    assert migration.blocked == ()
    golden = GOLDEN / f"{example.stem}.diff"
    found = diff(example, migration)
    if request.config.getoption("--golden"):
        golden.write_text(found, encoding="utf-8", newline="\n")
    assert found == golden.read_text(encoding="utf-8")


@each_example
def test_a_second_run_changes_nothing(example: Path) -> None:
    once = migrate(example.read_text(encoding="utf-8"), KERAS_3).after
    again = migrate(once, KERAS_3)
    assert (again.skipped, again.blocked) == (ALREADY_HOROVOD, ())


PROJECT, ENTRY = ROOT / "examples" / "keras3" / "two_phases", "train.py"


def of_project(texts: dict[str, str]) -> dict[str, Migration]:
    """What becomes of each file of the project that shares its forms."""
    found = migrate_project(Project(ENTRY, texts), KERAS_3, name=PROJECT.name)
    assert found is not None
    return {ENTRY: found, **{other.path: other.migration for other in found.others}}


def test_the_diff_of_the_project_is_the_reviewed_one(request: pytest.FixtureRequest) -> None:
    texts = {path.name: path.read_bytes().decode() for path in PROJECT.glob("*.py")}
    files = of_project(texts)
    assert [each.blocked for each in files.values()] == [()] * len(files)
    golden = GOLDEN / f"{PROJECT.name}.diff"
    found = "".join(diff(PROJECT / name, each) for name, each in sorted(files.items()))
    if request.config.getoption("--golden"):
        golden.write_text(found, encoding="utf-8", newline="\n")
    assert found == golden.read_text(encoding="utf-8")
    again = of_project({**texts, **{name: each.after for name, each in files.items()}})
    assert {each.skipped for each in again.values()} == {ALREADY_HOROVOD}
