"""The diffs of the example notebooks, as a reviewer would read them: `tests/golden/notebooks`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distify.assistant.report.diff import unified

from .books import looked_at

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "notebooks"
EXAMPLES = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


@each_example
def test_the_diff_is_the_reviewed_one(example: Path, request: pytest.FixtureRequest) -> None:
    golden = GOLDEN / f"{example.stem}.diff"
    found = b"".join(unified(looked_at(example.read_bytes(), example.name)))
    if request.config.getoption("--golden"):
        golden.write_bytes(found)
    assert found == golden.read_bytes()


@each_example
def test_only_code_is_changed(example: Path) -> None:
    outcome = looked_at(example.read_bytes(), example.name)
    assert outcome.migration is not None
    assert outcome.migration.blocked == outcome.migration.notes == ()
    old, new = json.loads(example.read_bytes()), json.loads(outcome.after or b"")
    for one, other in zip(old.pop("cells"), new.pop("cells")):
        assert one["cell_type"] == "code" or one == other
        assert {**one, "source": 0} == {**other, "source": 0}
        assert magics(one["source"]) == magics(other["source"])
    assert old == new


def magics(source: list[str]) -> list[str]:
    return [line.rstrip("\n") for line in source if line[:1] in "%!" or line.endswith("?")]


def test_no_golden_diff_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.diff")} == {path.stem for path in EXAMPLES}
