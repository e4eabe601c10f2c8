"""What programs are given is what the published schemas say: no key more, none less.

tests/data/sarif-2.1.0.json is the schema of OASIS (errata 01) without its descriptions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from distify.assistant.report.verdict_json import document
from distify.assistant.report.verify_report import Told
from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.record.events import Loss
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.run.job import Job
from distify.assistant.verify.run.scaling import Speed

from ..conftest import ALREADY, BLOCKED, BROKEN, MIGRATED, NO_LOOP, TRAIN, Call
from ..verify.build import evidence, sound, states

ROOT = Path(__file__).resolve().parents[3]
TEXTS = {"a": TRAIN, "b": BLOCKED, "c": BROKEN, "d": ALREADY, "e": NO_LOOP, "f": MIGRATED}


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "docs" / "schemas" / name).read_text())
    Draft202012Validator.check_schema(found)
    return found


def closed(node: Any) -> Any:
    """The same schema, in which no object has a key that is not named."""
    if isinstance(node, dict):
        found = {key: closed(value) for key, value in node.items()}
        if "required" in found:
            found.setdefault("additionalProperties", False)
        return found
    return list(map(closed, node)) if isinstance(node, list) else node


def check(document: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document)
    Draft202012Validator(schema(name)).validate(found)
    Draft202012Validator(closed(schema(name))).validate(found)
    return found


@pytest.fixture
def files(here: Path) -> Path:
    for name, text in TEXTS.items():
        (here / f"{name}.py").write_text(text)
    return here


@pytest.mark.parametrize("command", [["check"], ["migrate", "--check"], ["migrate"]])
def test_reports_are_what_their_schema_says(call: Call, files: Path, command: list[str]) -> None:
    found = check(call(*command, "--format", "json", ".", "none.py").stdout, "report-1.json")
    assert {each["status"] for each in found["files"]} > {"blocked", "error", "skipped"}
    assert any(each["edits"] for each in found["files"])


def test_what_the_real_engine_says_is_so_too(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(here)
    refused = ROOT / "examples" / "refused"
    for path in (*refused.glob("*.py"), ROOT / "examples" / "tape_function.py"):
        (here / path.name).write_bytes(path.read_bytes())
    (here / "taken.py").write_text(
        "import tensorflow as tf\nm = tf.keras.Sequential([])\nm.compile('sgd', 'mse')\n"
        "while True:\n    m.fit(x)\n    if stop(m):\n        break  # distify: ignore[T07] own\n"
    )
    (here / "pyproject.toml").write_text("")
    call("check")  # what it remembers has no texts
    assert (here / ".distify_cache").exists()
    found = check(call("check", "--format", "json").stdout, "report-1.json")
    assert found == json.loads(call("check", "--format", "json", "--no-cache").stdout)
    offers = [offer for file in found["files"] for offer in file["repairs"]]
    assert all(offer["edits"] for offer in offers)
    assert any(edit["text"] for offer in offers for edit in offer["edits"])
    for key in ("repairs", "suppressed", "notes", "blocked", "changes", "evidence"):
        assert any(each[key] for each in found["files"]), key
    pages = {each["page"] for file in found["files"] for each in file["blocked"]}
    assert pages
    assert None not in pages


def test_keys_that_nobody_promised_are_seen() -> None:
    from jsonschema import ValidationError

    told = json.loads(document(Told(evidence(), verdicts(evidence()))))
    with pytest.raises(ValidationError):
        Draft202012Validator(closed(schema("verify-1.json"))).validate({**told, "new": 1})
    with pytest.raises(ValidationError):
        Draft202012Validator(schema("verify-1.json")).validate({**told, "size": "2"})


def test_what_verify_says_is_what_its_schema_says() -> None:
    apart = Worker(1, tuple(states(differ="x")))
    losses = Worker(0, (*sound(0), Loss(1.5, 1, 0.5), Loss(2.5, 2, float("nan"))))
    for run in (evidence(), evidence(apart, losses), evidence(ending="failed", exit_codes={})):
        found = check(document(Told(run, verdicts(run))), "verify-1.json")
        assert found["workers"][0]["timeline"]
    run = evidence(job=Job(Path("train.py"), ranks=(0, 5), told=6))
    told = Told(run, verdicts(run), second=run, again=verdicts(run))
    assert check(document(told), "verify-1.json")["second_run"]["verdicts"]
    assert check(document(told._replace(second=None)), "verify-1.json")["as"]["size"] == 6
    told = Told(run, verdicts(run), speeds=(Speed(1, 2.0, 16.0), Speed(2, why="it hung")))
    assert check(document(told), "verify-1.json")["scaling"][1]["why"] == "it hung"


def test_sarif_is_what_oasis_says(call: Call, files: Path) -> None:
    official = json.loads((ROOT / "tests" / "data" / "sarif-2.1.0.json").read_text())
    Draft4Validator.check_schema(official)
    found = json.loads(call("check", "--format", "sarif", ".", "é b.py").stdout)
    Draft4Validator(official).validate(found)
    (run,) = found["runs"]
    assert any("fixes" in each for each in run["results"])
    run["results"][0]["level"] = "bad"
    assert not Draft4Validator(official).is_valid(found)
