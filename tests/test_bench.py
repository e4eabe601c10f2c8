"""The benches: what comes out of an archive of the corpus, and what the growing programs are."""

from __future__ import annotations

import ast
import io
import math
import tarfile
import zipfile
from pathlib import Path

import pytest
from bench.corpus import PINS, unpack
from bench.long_scripts import SCRIPTS
from bench.scale import Row, Run, exponent, measured, migrated
from bench.shapes import SHAPES
from bench.typed_edits import EDITS, edited, typed_words

FILES = {
    "pkg/a.py": b"a = 1\n",
    "pkg/data.bin": b"\0",
    "../outside.py": b"evil = 1\n",
    "/absolute.py": b"evil = 1\n",
}


def wheel(path: Path) -> Path:
    with zipfile.ZipFile(path / "pkg-1.0-py3-none-any.whl", "w") as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
    return path / "pkg-1.0-py3-none-any.whl"


def sdist(path: Path) -> Path:
    with tarfile.open(path / "pkg-1.0.tar.gz", "w:gz") as archive:
        for name, data in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path / "pkg-1.0.tar.gz"


@pytest.mark.parametrize("pack", [wheel, sdist])
def test_only_python_files_are_unpacked_and_only_below(pack, tmp_path: Path) -> None:
    archive = pack(tmp_path)
    unpack(archive, tmp_path / "deep" / "into")
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path != archive]
    assert written == [tmp_path / "deep" / "into" / "pkg" / "a.py"]
    assert written[0].read_bytes() == FILES["pkg/a.py"]


def test_every_pin_has_a_hash() -> None:
    pins = PINS.read_text(encoding="utf-8").splitlines()
    assert len(pins) == 13
    assert all("==" in pin and "--hash=sha256:" in pin for pin in pins)


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_a_program_that_is_migrated(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is refused by a restriction would look linear, whatever the size."""
    monkeypatch.setattr("distify.codemods.gate.judging.judge", lambda case: [])
    program = SHAPES[shape].program
    assert migrated(program(2)) == "migrated"
    assert len(program(8)) > len(program(4)) > len(program(2))


@pytest.mark.parametrize(
    ("small", "large", "wanted"), [(10, 20, 1.0), (10, 40, 2.0), (5, 5, 0.0), (0, 5, None)]
)
def test_the_exponent_is_that_of_a_doubled_program(
    small: float, large: float, wanted: float | None
) -> None:
    found = exponent(small, large)
    assert math.isnan(found) if wanted is None else found == wanted


@pytest.mark.parametrize(
    ("steps", "seconds", "outcome", "wanted"),
    [
        (1.1, 10.0, "migrated", True),
        (1.2, 1.0, "migrated", False),
        (1.0, 11.0, "migrated", False),
        (1.0, 1.0, "T01", False),
        (math.nan, 1.0, "stopped after 120 s", False),
    ],
)
def test_a_goal_that_is_missed_is_seen(
    steps: float, seconds: float, outcome: str, wanted: bool
) -> None:
    assert Row("a shape", 8, steps, 1.0, Run(100, seconds, outcome)).is_linear is wanted


def test_a_program_that_never_ends_is_stopped_and_told() -> None:
    assert measured("plain lines", 2, limit=0.001).outcome == "stopped after 0 s"


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_edit_of_a_long_script_is_one_and_only_a_half_typed_line_is_no_program(
    name: str,
) -> None:
    text = SCRIPTS[name]()
    assert 250 < text.count("\n") < 350
    ast.parse(text)
    for kind, edit in EDITS.items():
        first, second = (edited(text, edit, number) for number in range(2))
        assert len({text, first, second}) == 3
        if "half" in kind:
            with pytest.raises(SyntaxError):
                ast.parse(first)
        else:
            ast.parse(first)
    *_, last = typed_words(text)
    ast.parse(last)
