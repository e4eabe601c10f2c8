"""How the model's answer is told: below that of the run, and with its own exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.report import model, verdict_json
from distify.assistant.report.verify_report import Told
from distify.assistant.verify.judges._by_model import modelled
from distify.assistant.verify.model.fault import Answer
from distify.assistant.verify.record.endings import Blind
from distify.assistant.verify.record.events import Applied, State
from distify.assistant.verify.record.verdict import convicted, fine, unchecked

from ..build import Worker, evidence, hashes, sound
from .recorded import lines


def recorded(folder: Path, name: str, ranks: int = 2) -> None:
    for rank, mine in enumerate(lines(name)[:ranks]):
        text = "".join(json.dumps(each) + "\n" for each in mine)
        (folder / f"rank{rank}.graphs.jsonl").write_text(text)


def seen(folder: Path, **more: Any) -> Any:
    """A run whose trained variable is the one of the recorded graph."""
    found = {rank: Worker(rank, tuple(sound(rank))) for rank in (0, 1)}
    renamed = {
        rank: Worker(rank, tuple(_renamed(each) for each in worker.events))
        for rank, worker in found.items()
    }
    return evidence(*renamed.values(), folder=folder, **more)


def _renamed(event: Any) -> Any:
    values = dict(vars(event))
    if "variables" in values:
        values["variables"] = ("Variable:0",)
    if isinstance(event, Applied):
        values["traced"] = True
    return type(event)(**values)


def told(folder: Path, answer: Answer) -> str:
    lines = model.lines(seen(folder), answer, 100)
    return " ".join("".join(span.text for span in line).strip() for line in lines)


def test_a_proof_says_for_whom_it_holds_and_what_it_stands_on(tmp_path: Path) -> None:
    recorded(tmp_path, "spike_repaired")
    answer = modelled(seen(tmp_path), ())
    text = told(tmp_path, answer)
    assert "as a model: SAFE" in text
    assert "holds for any number of workers and any data" in text
    assert "all 3 trained variables and slots are changed alike" in text
    assert "equal variables" in text
    assert answer.exit_code == 0


def test_a_fault_has_its_way_with_the_lines_of_the_program(tmp_path: Path) -> None:
    recorded(tmp_path, "spike_drift")
    source = [""] * 32
    source[23] = "    if decides < 100.0:"
    (tmp_path / "spike.py").write_text("\n".join(source))
    answer = modelled(seen(tmp_path), ())
    text = told(tmp_path, answer)
    assert "as a model: NOT SAFE" in text
    assert "possible; this run did not see it" in text
    assert "- if decides < 100.0: (spike.py:24): Less" in text
    assert "distify explain M01" in text
    assert "holds for any number" not in text
    assert "changed alike on all workers" not in text


def test_a_drift_of_the_run_convicts(tmp_path: Path) -> None:
    recorded(tmp_path, "spike_drift")
    names = ("Variable:0",)
    mine = [
        Worker(rank, (State(1.0, (1,), hashes=hashes(1, str(rank), names)),)) for rank in (0, 1)
    ]
    answer = modelled(evidence(*mine, folder=tmp_path), ())
    assert {fault.grade for fault in answer.faults} == {"convicted"}
    assert "this run saw it" in told(tmp_path, answer)


@pytest.mark.parametrize(
    ("name", "ending", "words"),
    [
        ("spike_hang", "done", "this run did not see it"),
        ("spike_hang", "hang", "this run stood still, which may be why"),
        ("spike_drift", "hang", "this run did not see it"),
    ],
)
def test_a_run_that_stood_still_may_have_stood_at_it(
    tmp_path: Path, name: str, ending: str, words: str
) -> None:
    recorded(tmp_path, name)
    found = seen(tmp_path, ending=ending)
    text = " ".join(
        "".join(span.text for span in line).strip()
        for line in model.lines(found, modelled(found, ()), 100)
    )
    assert words in " ".join(text.split())


def test_what_is_told_of_one_is_not_told_of_many() -> None:
    from .made import answer, graph

    text = """
        x = Placeholder()
        g = HorovodAllreduce(x)
        u = AssignSubVariableOp(w, {})
    """
    safe = [*model._proof_lines(answer(graph(text.format("g"))))]
    assert safe[0] == "the trained variable is changed alike on all workers"
    (fault,) = answer(graph(text.format("x"))).faults
    assert fault.text.startswith("w is written with a value of the worker's own")
    both = text.format("x") + "u2 = AssignSubVariableOp(v, x)"
    (fault,) = answer(graph(both, captures="w v", trained="w v")).faults
    assert fault.text.startswith("w and 1 more are written with a value of the worker's own")


def test_variables_that_are_local_on_purpose_are_counted(tmp_path: Path) -> None:
    recorded(tmp_path, "session_local")
    answer = modelled(seen(tmp_path), ())
    assert "2 variables local on purpose, as the program told Horovod" in told(tmp_path, answer)


def test_what_has_no_graph_is_never_safe(tmp_path: Path) -> None:
    answer = modelled(seen(tmp_path), ())
    assert "COULD NOT BE MODELLED" in told(tmp_path, answer)
    assert answer.exit_code == 2


@pytest.mark.parametrize(
    "event",
    [
        Applied(0.5, 0, False, "train.py:7"),
        Blind(0.5, "model", "a training graph is too large to be written"),
    ],
)
def test_a_part_outside_of_the_graphs_leaves_it_open(tmp_path: Path, event: Any) -> None:
    recorded(tmp_path, "spike_repaired")
    found = seen(tmp_path)
    workers = {**found.workers, 1: Worker(1, (*found.workers[1].events, event))}
    answer = modelled(type(found)(**{**vars(found), "workers": workers}), ())
    assert answer.headline == "COULD NOT BE MODELLED"


def test_an_optimizer_beside_the_graphs_leaves_it_open(tmp_path: Path) -> None:
    recorded(tmp_path, "spike_repaired")
    answer = modelled(evidence(folder=tmp_path), ())  # this one trains dense/kernel
    assert any("outside of the graphs" in why for why in answer.unmodelled)


def test_programs_get_it_too(tmp_path: Path) -> None:
    recorded(tmp_path, "spike_drift")
    found = seen(tmp_path)
    answer = modelled(found, ())
    data = json.loads(verdict_json.document(Told(found, (), answer)))
    assert data["exit_code"] == 1
    assert data["model"]["verdict"] == "not safe"
    (fault,) = data["model"]["faults"]
    assert (fault["code"], fault["grade"]) == ("M01", "possible")
    assert fault["where"] == {"path": "spike.py", "line": 25}
    assert fault["path"][-1]["where"] == {"path": "spike.py", "line": 32}
    assert "model" not in json.loads(verdict_json.document(Told(found, ())))


@pytest.mark.parametrize(
    ("run", "answer", "code"),
    [
        (fine("good"), 0, 0),
        (fine("good"), 1, 1),
        (fine("good"), 2, 2),
        (convicted("H02", "bad", ""), 0, 1),
        (convicted("H02", "bad", ""), 2, 1),
        (unchecked("open", "", question="drift"), 0, 2),
        (unchecked("open", "", question="drift"), 1, 1),
    ],
)
def test_the_exit_code_of_both(run: Any, answer: int, code: int) -> None:
    from distify.assistant.verify.model.fault import Fault

    known = {
        0: Answer(graphs=1),
        1: Answer(graphs=1, faults=(Fault("M01", "bad"),)),
        2: Answer(graphs=1, unmodelled=("why",)),
    }
    assert Told(evidence(), (run,), known[answer]).exit_code == code
