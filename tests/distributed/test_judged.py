"""Programs that were judged wrongly: each comes out as its docstring says, and with its words.

`Convicted: D104`, `Sound` or `Open`; `At:` the line that is to be pointed at, `Says:` what the
verdicts say, `Never:` what they don't, `Options:` of the command.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from proof import CODE, Proof, options, verify

HERE = Path(__file__).parent / "judged"
PROGRAMS = sorted(path.stem for path in HERE.glob("*.py") if path.stem != "problem")
# The gate runs one of each kind; whoever changes a judge or the probe runs all of them.
QUICK = {
    "best_at_the_end",
    "divided_loss",
    "one_of_two_plain",
    "own_name",
    "second_fit",
    "shuffled_before",
    "two_sets",
}


def told(program: Path, what: str) -> list[str]:
    """What a docstring says of that."""
    return re.findall(rf"^{what}: (.+)$", program.read_text(encoding="utf-8"), re.MULTILINE)


def line_of(program: Path, text: str) -> int:
    lines = program.read_text(encoding="utf-8").splitlines()
    (found,) = [n for n, line in enumerate(lines, 1) if line.strip() == text.strip()]
    return found


def check(proof: Proof, program: Path) -> None:
    code = CODE.search(program.read_text(encoding="utf-8"))
    if "\nOpen\n" in program.read_text(encoding="utf-8"):
        assert (proof.code, proof.convicted) == (2, set()), str(proof)
    elif code is None:
        assert not proof.convicted, str(proof)
        assert proof.code == 0, str(proof)
        assert "drift" in proof.fine, str(proof)
    else:
        assert proof.code == 1, str(proof)
        assert proof.convicted == {code[1]}, str(proof)


def check_words(proof: Proof, program: Path) -> None:
    verdicts = proof.report["verdicts"]
    said = "\n".join(
        " ".join([each["title"], each["text"], *each["evidence"], each["fix"] or ""])
        for each in verdicts
    )
    for words in told(program, "Says"):
        assert words in said, said
    for words in told(program, "Never"):
        assert words not in said, said
    for text in told(program, "At"):
        places = [each["where"] for each in verdicts if each["grade"] == "convicted"]
        assert {"path": program.name, "line": line_of(program, text)} in places, str(proof)


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in PROGRAMS]
)
def test_it_is_judged_as_it_should(name: str, tmp_path: Path) -> None:
    program = HERE / f"{name}.py"
    given = options(program)
    workers = 0 if "-np" in given else 2
    proof = verify(program, tmp_path, *given, workers=workers)
    check(proof, program)
    check_words(proof, program)
