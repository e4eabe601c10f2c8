"""`distify verify --resume`: a program is run twice in one folder, and both runs are judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from distify.assistant.cli.verify import verify
from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.record.events import Applied, Callbacks, Optimizer, Reduce, State
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.record.verdict import CONVICTED, FINE, Verdict
from distify.assistant.verify.run import second_run as resumed
from distify.assistant.verify.run.interrupt import Interrupt

from .build import NAMES, changed, evidence, hashes, sound, states, without
from .conftest import World
from .test_cli_verify import call, installed

__all__ = ["installed"]  # a fixture

# A worker that leaves records; those of a second run differ where `apart` says so.
TRAINS = """
import json
resumes = os.path.exists("saved")
open(f"looked{RANK}", "w")
def told(event, **fields):
    with open(os.path.join(os.environ["DISTIFY_PROBE"], f"rank{RANK}.jsonl"), "a") as file:
        file.write(json.dumps({"event": event, "t": time.time(), **fields}) + "\\n")
told("start", rank=RANK, size=2, host="here")
for step in (1, 2, 3):
    value = f"{step} {RANK}" if resumes and APART else str(step)
    told("state", steps=[step], hashes={"0/w#0": value})
told("reduce", by="tape", of="variables", count=1, where="train.py:1")
told("broadcast", count=1, root=0)
told("end", steps=3)
if resumes:
    print("resumes")
elif RANK == 0:
    while not os.path.exists("looked1"):
        time.sleep(0.02)
    open("saved", "w")
"""


def judged(world: World, apart: bool) -> tuple[int, str, str]:
    world.program(f"APART = {apart}\n{TRAINS}")
    return call("train.py", "--resume", "--no-reference")


def test_a_second_run_that_drifts_is_convicted(installed: World) -> None:
    code, out, _ = judged(installed, apart=True)
    assert code == 1
    assert "train.py on 2 workers: IN STEP" in out
    assert "train.py on 2 workers, second run: NOT IN STEP" in out
    assert "second run: the workers drift apart" in out


def test_two_runs_in_step_are_acquitted(installed: World) -> None:
    code, out, _ = judged(installed, apart=False)
    assert code == 0, out
    assert "second run: the workers are in step" in out


def test_the_document_has_both(installed: World) -> None:
    installed.program(f"APART = True\n{TRAINS}")
    code, out, _ = call("train.py", "--resume", "--no-reference", "--format", "json")
    document = json.loads(out)
    assert document["exit_code"] == code == 1
    assert document["verdict"] == "in step"
    assert document["second_run"]["verdict"] == "not in step"
    assert document["second_run"]["exit_code"] == 1
    assert [worker["rank"] for worker in document["second_run"]["workers"]] == [0, 1]


def test_where_the_first_run_fails_no_second_one_is_made(installed: World) -> None:
    installed.program("open(f'ran{RANK}', 'a').write('x')\nsys.exit(3)\n")
    code, out, _ = call("train.py", "--resume", "--no-reference", "--format", "json")
    second = json.loads(out)["second_run"]
    assert code == 2
    assert second["ending"] is None
    assert second["workers"] == []
    assert "did not come to its end" in second["verdicts"][0]["text"]
    assert {path.read_text() for path in installed.folder.glob("ran*")} == {"x"}


def test_the_second_run_has_no_reference(world: World) -> None:
    first = world.run("", reference=True)
    second = resumed.again(first, world.folder, Interrupt())
    assert first.reference is not None
    assert second is not None
    assert second.reference is None
    assert second.folder != first.folder


@pytest.mark.parametrize("other", [["--limit-steps", "2"], ["--model"], ["--baseline", "old.py"]])
def test_it_comes_to_its_end(other: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(verify, ["train.py", "--resume", *other])
    assert done.exit_code == 2
    assert "to its end" in done.output


# -- the phases of one run --------------------------------------------------------------------


def two_fits(rank: int, loaded: bool = False) -> Worker:
    """A fit in step, and one that drifts; `loaded`: with an optimizer of its own."""
    own = Optimizer(2.6, 1, "Adam", False, NAMES, api="keras")
    late = [
        State(
            float(n), (n, n - 2) if loaded else (n,), hashes=hashes(n, f" {rank}", id=int(loaded))
        )
        for n in (3, 4)
    ]
    return Worker(
        rank,
        (
            *without(sound(rank), State, Optimizer, Reduce, Applied),
            Optimizer(0.3, 0, "Adam", False, NAMES, distributed=True, api="keras"),
            Callbacks(0.3, (), "fit", "train.py:12"),
            Reduce(0.4, "optimizer", "variables", 2, True, "train.py:12"),
            Applied(0.5, 0, True, "train.py:12"),
            *states(2),
            Callbacks(2.5, (), "fit", "train.py:29"),
            *([own, Applied(2.7, 1, True, "train.py:29")] if loaded else []),
            *late,
        ),
    )


def drift(loaded: bool) -> Verdict:
    found = evidence(*(two_fits(rank, loaded) for rank in (0, 1)))
    (fault,) = [each for each in verdicts(found) if each.grade == CONVICTED]
    return fault


def test_the_second_fit_is_named() -> None:
    assert "in the second fit (train.py:29)" in drift(loaded=False).text


def test_an_optimizer_that_nobody_wrapped_is_the_cause() -> None:
    fault = drift(loaded=True)
    assert fault.code == "D105"
    assert fault.where == "train.py:29"
    assert "Adam is a plain one there" in fault.text
    assert "hvd.DistributedOptimizer(optimizer)" in fault.fix


def test_nothing_is_fine_about_averaging_then() -> None:
    found = evidence(*(two_fits(rank, loaded=True) for rank in (0, 1)))
    assert not [v for v in verdicts(found) if v.question == "averaging" and v.grade == FINE]


def test_one_fit_needs_no_name() -> None:
    alone = [Callbacks(0.3, (), "fit", "train.py:12"), *states(differ=" apart")]
    fault = next(v for v in verdicts(evidence(changed(1, *alone))) if v.grade == CONVICTED)
    assert "fit (" not in fault.text


def test_a_program_that_loads_models_is_told_of_that(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("model = load_model(path)\n")
    found = evidence(*(two_fits(rank, loaded=True) for rank in (0, 1)), folder=tmp_path)
    (fault,) = [each for each in verdicts(found) if each.grade == CONVICTED]
    assert "distify explain D206" in fault.fix
