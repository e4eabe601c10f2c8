"""Every defect is convicted by the code that explains it, and what repairs it is acquitted.

A folder of `hazards/` holds a program with one defect, which its docstring names with the code,
and the same program without it. `published/` holds the forms that the published rules (or the
guides) write, `published/single/` the programs they were made from: ours is what distify makes of
those.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from proof import Proof, crime, options, verify

HERE = Path(__file__).parent
HAZARDS = sorted(path.name for path in (HERE / "hazards").iterdir() if path.is_dir())
PUBLISHED = sorted(path.stem for path in (HERE / "published").glob("*.py"))
# Here ours is to leave the file alone, and to say what to write instead.
REFUSED = ("unconnected_gradients",)
# The same defect written the same way, as a hazard.
TWINS = {
    "data_not_sharded": "tape_not_sharded",
    "downloaded_by_all": "fit_downloads_everywhere",
    "early_stopping_on_one_worker": "fit_early_stopping_on_one_worker",
    "plateau_on_one_worker": "fit_plateau_on_one_worker",
    "split_by_chance": "fit_split_by_chance",
}


def once() -> set[str]:
    """The first program of each code: the gate convicts these, `make test-distributed` all."""
    programs = {name: HERE / "hazards" / name / "broken.py" for name in HAZARDS}
    programs |= {form: HERE / "published" / f"{form}.py" for form in PUBLISHED}
    first: dict[str, str] = {}
    for name, program in programs.items():
        first.setdefault(crime(program), name)
    return set(first.values())


def marked(names: Iterable[str]) -> list[Any]:
    """The names as parameters: what repeats a code is slow."""
    return [n if n in ONCE else pytest.param(n, marks=pytest.mark.slow) for n in names]


ONCE = once()


def check_convicted(proof: Proof, program: Path) -> None:
    """The code of its docstring, and no sign that it would be fine."""
    assert proof.code == 1, str(proof)
    assert crime(program) in proof.convicted, str(proof)


def check_acquitted(proof: Proof) -> None:
    """Nothing is held against it, and its workers were seen to be in step."""
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
    assert "drift" in proof.fine, str(proof)


def quickly(program: Path, folder: Path, code: str) -> Proof:
    """Only a wrong rate needs the run on one worker to compare with."""
    alone = [] if code == "D104" else ["--no-reference"]
    return verify(program, folder, *alone, *options(program))


@pytest.mark.parametrize("name", marked(HAZARDS))
def test_the_hazard_is_convicted(name: str, tmp_path: Path) -> None:
    program = HERE / "hazards" / name / "broken.py"
    check_convicted(quickly(program, tmp_path, crime(program)), program)


@pytest.mark.slow
@pytest.mark.parametrize("name", HAZARDS)
def test_its_repair_is_acquitted(name: str, tmp_path: Path) -> None:
    folder = HERE / "hazards" / name
    check_acquitted(quickly(folder / "repaired.py", tmp_path, crime(folder / "broken.py")))


@pytest.mark.parametrize("form", marked(PUBLISHED))
def test_the_published_form_is_convicted(form: str, tmp_path: Path) -> None:
    program = HERE / "published" / f"{form}.py"
    check_convicted(quickly(program, tmp_path, crime(program)), program)


@pytest.mark.slow
@pytest.mark.parametrize("form", [form for form in PUBLISHED if form not in REFUSED])
def test_ours_is_acquitted(form: str, tmp_path: Path, migrate: Any) -> None:
    program = migrate(HERE / "published" / "single" / f"{form}.py")
    check_acquitted(quickly(program, tmp_path, crime(HERE / "published" / f"{form}.py")))


@pytest.mark.parametrize("form", REFUSED)
def test_what_cannot_be_written_soundly_is_refused(form: str, tmp_path: Path, distify: Any) -> None:
    program = HERE / "published" / "single" / f"{form}.py"
    copy = tmp_path / program.name
    copy.write_bytes(program.read_bytes())
    done = distify("migrate", str(copy))
    assert done.returncode == 1
    assert "    fix: " in done.stdout
    assert copy.read_bytes() == program.read_bytes()


def test_a_second_global_does_not_compile() -> None:
    """Published: each apply_gradients of a function brings a `global` of its own."""
    once = "    global broadcast_done\n    broadcast_done = True\n"
    compile(f"def train():\n{once}", "once", "exec")
    with pytest.raises(SyntaxError, match="global declaration"):
        compile(f"def train():\n{once}{once}", "twice", "exec")


@pytest.mark.parametrize("form", TWINS)
def test_a_twin_is_convicted_by_the_same_code(form: str) -> None:
    hazard = HERE / "hazards" / TWINS[form] / "broken.py"
    assert crime(HERE / "published" / f"{form}.py") == crime(hazard)


def test_every_form_has_its_program() -> None:
    assert sorted(path.stem for path in (HERE / "published/single").glob("*.py")) == PUBLISHED
    for name in HAZARDS:
        assert (HERE / "hazards" / name / "repaired.py").is_file()
    for program in [*(HERE / "published").glob("*.py"), *(HERE / "hazards").glob("*/broken.py")]:
        assert crime(program)
