"""The diffs of examples with what settings ask for: `tests/golden/wished/<example>.diff`."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Options

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "wished"
WISHED = {
    "keras_callbacks": Options(warmup=3),
    "keras_transfer_two_phases": Options(warmup=3, compression="fp16"),
    "keras_dict_inputs": Options(passes=4, learning_rate="sqrt", compression="fp16"),
    "tape_gan": Options(warmup=3),
    "tape_trainer_class": Options(warmup=3, learning_rate="sqrt"),
}


@pytest.mark.parametrize("name", WISHED)
def test_the_diff_is_the_reviewed_one(name: str, request: pytest.FixtureRequest) -> None:
    text, options = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8"), WISHED[name]
    found, plain = migrate(text, options), migrate(text, options._replace(warmup=0, passes=1))
    lines = (found.before.splitlines(keepends=True), found.after.splitlines(keepends=True))
    diff = "".join(difflib.unified_diff(*lines, f"a/{name}.py", f"b/{name}.py"))
    golden = GOLDEN / f"{name}.diff"
    if request.config.getoption("--golden"):
        golden.write_text(diff, encoding="utf-8", newline="\n")
    assert diff == golden.read_text(encoding="utf-8")
    assert found.after != plain.after
    again = migrate(found.after, options)
    assert (again.skipped, again.blocked) == (ALREADY_HOROVOD, ())


def test_no_golden_diff_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.diff")} == set(WISHED)
