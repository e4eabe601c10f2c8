"""Programs that are blocked: repaired, migrated, and in step on two workers.

A program of `repairs/` names in its docstring the repairs that take away what blocks it, and those
that do so in another way.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from proof import verify
from test_hazards import check_acquitted

from distify.codemods import repairs

PROGRAMS = sorted((Path(__file__).parent / "repairs").glob("*.py"))
CODES = re.compile(r"(?:^Repair:| Or:) ((?:A\d\d(?:, )?)+)\.", re.MULTILINE)
# A08 in examples/refused; for Keras 3 and tf_keras there is another environment. With the rate
# that A27 keeps all train on the same examples, which `verify` tells as what it is: no faster.
ELSEWHERE = ("A08", "A17", "A23", "A27")
REMARKED = "old_session.py"  # TensorFlow 1.15 runs it as it stands, as a note says
QUICK = ("leaves_by_own_loss", "without_strategy")


def ways(program: Path) -> list[list[str]]:
    """The repairs that take away what blocks a program, in each way."""
    found = CODES.findall(program.read_text(encoding="utf-8"))
    assert found, program
    return [codes.split(", ") for codes in found]


def chosen(codes: list[str]) -> list[str]:
    return [word for code in codes for word in ("--repair", code)]


WAYS = [(program, codes) for program in PROGRAMS for codes in ways(program)]
each_way = pytest.mark.parametrize(
    ("program", "codes"),
    [pytest.param(*way, marks=[] if way[0].stem in QUICK else pytest.mark.slow) for way in WAYS],
    ids=[f"{program.stem}-{'-'.join(codes)}" for program, codes in WAYS],
)


def test_check_offers_the_repairs(distify: Any) -> None:
    done = distify("check", "--format", "json", *map(str, PROGRAMS))
    found = {Path(file["path"]).name: file for file in json.loads(done.stdout)["files"]}
    assert found.keys() == {program.name for program in PROGRAMS}
    remarked = found.pop(REMARKED)
    assert remarked["status"] == "would-change"
    assert "repair A18 writes" in remarked["notes"][0]["fix"]
    for program in PROGRAMS:
        if program.name in found:
            check_offered(program, found[program.name])


def check_offered(program: Path, file: dict[str, Any]) -> None:
    assert file["status"] == "blocked", program.name
    offered = {repair["code"] for repair in file["repairs"]}
    for codes in ways(program):
        assert offered & set(codes), program.name


def test_every_repair_has_its_program() -> None:
    proved = {code for _, codes in WAYS for code in codes}
    assert {each.code for each in repairs.all()} - proved == set(ELSEWHERE)


@each_way
def test_what_is_repaired_is_in_step(
    program: Path, codes: list[str], distify: Any, tmp_path: Path
) -> None:
    copy = tmp_path / program.name
    copy.write_bytes(program.read_bytes())
    done = distify("migrate", *chosen(codes), str(copy))
    assert done.returncode == 0, done.stdout + done.stderr
    check_acquitted(verify(copy, tmp_path, "--no-reference"))


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.stem in QUICK], ids=lambda p: p.stem)
def test_the_walk_by_itself_makes_the_same(program: Path, distify: Any, tmp_path: Path) -> None:
    walked, other = tmp_path / program.name, tmp_path / "other.py"
    for copy in (walked, other):
        copy.write_bytes(program.read_bytes())
    done = distify("migrate", *chosen(ways(program)[0]), str(other), "--format", "json")
    codes = [change["code"] for change in json.loads(done.stdout)["files"][0]["changes"]]
    answers = [f'[[answers]]\nfile = "{program.name}"\nrule = "{c}"\napply = true' for c in codes]
    (tmp_path / "answers.toml").write_text("\n".join(["version = 1", *answers]), encoding="utf-8")
    done = distify("migrate", "-i", "--answers", str(tmp_path / "answers.toml"), str(walked))
    assert done.returncode == 0, done.stdout + done.stderr
    assert walked.read_bytes() == other.read_bytes() != program.read_bytes()


REFUSED = Path(__file__).parents[2] / "examples" / "refused"


@pytest.fixture(scope="module")
def walked(distify: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The refused project behind its recorded session, which tests/assistant/walk records anew."""
    folder: Path = tmp_path_factory.mktemp("refused")
    for path in REFUSED.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    done = distify("migrate", "-i", "--answers", str(folder / "answers.toml"), str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


# The gate trains two of them.
@pytest.mark.parametrize(
    "name",
    [
        n if n in ("by_hand.py", "strategy.py") else pytest.param(n, marks=pytest.mark.slow)
        for n in sorted(path.name for path in REFUSED.glob("*.py"))
    ],
)
def test_a_refused_project_is_taken_in_step_by_the_walk(
    name: str, walked: Path, distify: Any, tmp_path: Path
) -> None:
    assert distify("check", str(REFUSED / name)).returncode == 1
    check_acquitted(verify(walked / name, tmp_path, "--no-reference"))


AVERAGE = "    tape = hvd_tf.DistributedGradientTape(tape)\n"


def test_two_loops_that_have_nothing_in_common_are_in_step(distify: Any, tmp_path: Path) -> None:
    copy = tmp_path / "two_loops.py"
    copy.write_bytes((Path(__file__).parent / "apart" / copy.name).read_bytes())
    done = distify("migrate", str(copy))
    assert done.returncode == 0, done.stdout + done.stderr
    check_acquitted(verify(copy, tmp_path, "--no-reference"))
    text = copy.read_text(encoding="utf-8")
    assert AVERAGE in text
    copy.write_text(text.replace(AVERAGE, ""), encoding="utf-8")
    assert verify(copy, tmp_path, "--no-reference").convicted  # the replicas come apart


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "ours", "broken"),
    [
        ("tape", f"            {AVERAGE.lstrip()}", ""),
        ("fit", "hvd.DistributedOptimizer(optimizer)", "optimizer"),
    ],
)
def test_one_model_that_fit_or_a_tape_trains_is_in_step_by_both(
    mode: str, ours: str, broken: str, distify: Any, tmp_path: Path
) -> None:
    copy = tmp_path / "fit_or_tape.py"
    text = (Path(__file__).parent / "apart" / copy.name).read_text(encoding="utf-8")
    copy.write_text(text.replace('else "fit"', f'else "{mode}"'), encoding="utf-8")
    done = distify("migrate", str(copy))
    assert done.returncode == 0, done.stdout + done.stderr
    check_acquitted(verify(copy, tmp_path, "--no-reference"))
    text = copy.read_text(encoding="utf-8")
    assert text.count(ours) == 1
    copy.write_text(text.replace(ours, broken), encoding="utf-8")
    assert verify(copy, tmp_path, "--no-reference").convicted  # the replicas come apart


def test_workers_that_disagree_fail_all_of_them(
    distify: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loudly, and none waits for another: without the line one would wait for ever."""
    program = tmp_path / "asks_elsewhere.py"
    text = (Path(__file__).parent / "repairs" / program.name).read_text(encoding="utf-8")
    program.write_text(text, encoding="utf-8")
    done = distify("migrate", "--repair", "A26", "--unsound=writers", str(program))  # it only tells
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.setenv("ASKED", "echo $((HOROVOD_RANK + 5))")
    proof = verify(program, tmp_path, "--no-reference")
    assert proof.code == 2, str(proof)  # it is the program that fails, and says why
    assert not proof.convicted, str(proof)
    (ended,) = [each for each in proof.of("unchecked") if each["question"] == "ended"]
    assert "workers disagree about enough; on all workers" in ended["title"] + ended["text"]
