"""Reports for other programs: each says all of it, escapes what files may hold, and can be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from junitparser import JUnitXml

from distify.assistant.files.discovery import Target
from distify.assistant.files.examine import examine_bytes
from distify.assistant.files.result import Result
from distify.assistant.report.formats import NAMES
from distify.assistant.report.remarks import of
from distify.assistant.report.result_report import Report
from distify.assistant.report.terminal import Terminal
from distify.codemods.model import Options

from ..conftest import BLOCKED, BROKEN, MIGRATED, TRAIN, Call

STRANGE = "a,b:c%d`|<b>&\x1b[31m\n::error::x é.py"
NOTED = TRAIN.replace("opt", "# noted\nopt")


@pytest.fixture
def files(here: Path) -> Path:
    texts = {"train.py": TRAIN, "blocked.py": BLOCKED, "broken.py": BROKEN, "noted.py": NOTED}
    for name, text in texts.items():
        (here / name).write_text(text)
    return here


def sarif(call: Call, *words: str) -> dict[str, Any]:
    (run,) = json.loads(call("check", "--format", "sarif", *words).stdout)["runs"]
    assert isinstance(run, dict)
    return run


def test_concise_has_a_line_for_each_finding(call: Call, files: Path) -> None:
    result = call("check", "--format", "concise")
    assert result.exit_code == 2
    assert result.stdout.splitlines() == [
        "blocked.py:1:1: D107 note: every worker trains on all of it",
        "blocked.py:2:6: R20 error: runs under tf.distribute (fix: remove the strategy)",
        "broken.py:3:5: unreadable error: can't be parsed: invalid syntax",
        "noted.py:1:1: D101 warning: Import Horovod beside TensorFlow.",
        "noted.py:1:1: D107 note: every worker trains on all of it",
        "noted.py:2:7: D104 warning: Scale the learning rate by the number of workers.",
        "train.py:1:1: D101 warning: Import Horovod beside TensorFlow.",
        "train.py:2:7: D104 warning: Scale the learning rate by the number of workers.",
    ]


def test_github_shows_the_worst_first(call: Call, files: Path) -> None:
    lines = call("check", "--format", "github").stdout.splitlines()
    assert [line.partition(" ")[0] for line in lines] == [
        *["::error"] * 2,
        *["::warning"] * 4,
        *["::notice"] * 2,
    ]
    assert lines[0] == (
        "::error file=blocked.py,line=2,col=6,title=distify R20"
        "::runs under tf.distribute%0Afix: remove the strategy"
    )


def test_gitlab_has_an_issue_for_each_finding(call: Call, files: Path) -> None:
    issues = json.loads(call("check", "--format", "gitlab").stdout)
    (rate,) = (e for e in issues if e["check_name"] == "D104" and "train" in str(e["location"]))
    assert (rate["severity"], rate["location"]) == (
        "minor",
        {"path": "train.py", "lines": {"begin": 2}},
    )
    assert [e["severity"] for e in issues if e["check_name"] in ("R20", "D107")] == [
        "info",
        "major",
        "info",
    ]


def test_findings_are_told_apart_by_content_wherever_they_stand(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # the real engine
    loop = "import tensorflow as tf\nm = tf.keras.Sequential([])\nm.compile('sgd', 'mse')\n"
    text = (
        loop
        + "m.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))\nprint(1)\nx = 2\nprint(1)\n"
    )

    def prints(text: str) -> list[str]:
        outcome = examine_bytes(Target("a.py", str(here / "a.py")), text.encode(), Options())
        report = Report(Terminal("never"), "check", Result([outcome], [], 1), False)
        return [each.fingerprint for each in of(report)]

    assert len(set(prints(text))) == len(prints(text)) > 4
    assert set(prints("# moved\n\n" + text)) == set(prints(text))


def test_paths_are_from_the_root_of_the_repository(
    call: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / ".git").mkdir()
    (files / "src").mkdir()
    (files / "src" / "a b.py").write_text(TRAIN)
    monkeypatch.chdir(files / "src")
    (issue, _) = json.loads(call("check", "--format", "gitlab").stdout)
    assert issue["location"]["path"] == "src/a b.py"
    (place,) = sarif(call)["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "src/a%20b.py"}


def test_junit_counts_files(call: Call, files: Path) -> None:
    (files / "fine.py").write_text(MIGRATED)
    suites = ElementTree.fromstring(call("check", "--format", "junit", ".").stdout_bytes)
    (suite,) = suites
    assert suite.attrib == {"name": "distify", "tests": "5", "failures": "3", "errors": "1"}
    kinds = {case.get("name"): [each.tag for each in case] for case in suite}
    assert kinds == {
        "blocked.py": ["failure"],
        "broken.py": ["error"],
        "fine.py": [],
        "noted.py": ["failure"],
        "train.py": ["failure"],
    }


def test_junit_is_what_programs_read(call: Call, files: Path) -> None:
    (suite,) = JUnitXml.fromstring(call("check", "--format", "junit").stdout_bytes)
    assert (suite.name, suite.tests, suite.failures, suite.errors) == ("distify", 4, 3, 1)
    (result,) = next(case for case in suite if case.name == "blocked.py").result
    assert (result.message, result.type) == ("R20: runs under tf.distribute", "R20")


def test_markdown_is_a_table(call: Call, files: Path) -> None:
    lines = call("check", "--format", "markdown").stdout.splitlines()
    assert lines[0].startswith("2 files would be rewritten, 1 blocked")
    assert len([line for line in lines if line.startswith("| `")]) == 8
    assert all(line.count(" | ") == 4 for line in lines if line.startswith("| `"))


def test_sarif_names_rules_results_and_fixes(call: Call, files: Path) -> None:
    run = sarif(call)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted({"D101", "D104", "D107", "R20", "unreadable"})
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    assert run["invocations"] == [{"executionSuccessful": False}]
    fixed = [each for each in run["results"] if "fixes" in each]
    assert [each["ruleId"] for each in fixed] == ["D101", "D101"]  # the first of each file
    pages = {rule["id"] for rule in run["tool"]["driver"]["rules"] if "help" in rule}
    assert {"D101", "D104", "D107"} <= pages


def test_the_fix_of_sarif_makes_what_migrate_writes(call: Call, files: Path) -> None:
    (result, *_) = (each for each in sarif(call, "train.py")["results"] if "fixes" in each)
    (change,) = result["fixes"][0]["artifactChanges"]
    lines = TRAIN.splitlines(keepends=True)
    for each in reversed(change["replacements"]):
        region = each["deletedRegion"]
        lines[region["startLine"] - 1 : region["endLine"] - 1] = [each["insertedContent"]["text"]]
    call("migrate", "train.py")
    assert "".join(lines) == (files / "train.py").read_text()


@pytest.mark.parametrize("form", NAMES)
def test_nothing_is_left_to_do(call: Call, here: Path, form: str) -> None:
    (here / "fine.py").write_text(MIGRATED)
    result = call("check", "--format", form)
    assert result.exit_code == 0
    assert "D10" not in result.stdout
    if form in ("gitlab", "sarif"):
        json.loads(result.stdout)


@pytest.mark.parametrize("form", NAMES)
def test_whatever_a_name_holds_it_stays_one(call: Call, here: Path, form: str) -> None:
    (here / STRANGE).write_text(TRAIN)
    printed = call("check", "--format", form).stdout
    assert "\x1b" not in printed
    assert "\n::error::x" not in printed
    if form in ("gitlab", "sarif"):
        assert json.loads(printed)
    if form == "junit":
        (suite,) = ElementTree.fromstring(printed)
        assert len(suite) == 1


LOOP = """import tensorflow as tf
from own import stop

model = tf.keras.Sequential([tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
while True:
    model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))
    if stop(model):
        model.optimizer.learning_rate = 0.1 * model.test_on_batch(stop.x, stop.y)
"""
REASON = "it counts files that all workers have"
TAKEN = LOOP.rstrip("\n") + f"  # distify: ignore[T07] {REASON}\n"


def test_what_a_person_takes_on_them_is_left_out_or_said_to_be(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # the real engine
    monkeypatch.chdir(here)
    (here / "train.py").write_text(LOOP)
    assert "T07" in call("check", "--format", "concise").stdout
    (here / "train.py").write_text(TAKEN)
    for form in ("concise", "github", "gitlab", "junit"):
        assert "T07" not in call("check", "--format", form).stdout, form
    assert "T07" not in call("check", "--statistics").stdout
    assert "| T07 | suppressed |" in call("check", "--format", "markdown").stdout
    taken = [each["suppressions"] for each in sarif(call)["results"] if each["ruleId"] == "T07"]
    assert taken
    assert all(each == [{"kind": "inSource", "justification": REASON}] for each in taken)


def test_what_the_settings_take_away_is_no_comment(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(here)
    (here / "train.py").write_text(LOOP)
    text = '[tool.distify]\nper-file-ignores = {"train.py" = ["T07"]}\n'
    (here / "pyproject.toml").write_text(text)
    taken = [each["suppressions"] for each in sarif(call)["results"] if each["ruleId"] == "T07"]
    assert taken
    assert all([each["kind"] for each in one] == ["external"] for one in taken)


def test_a_fingerprint_is_the_same_from_every_folder(
    call: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / ".git").mkdir()
    (files / "src").mkdir()
    (files / "src" / "a.py").write_text(TRAIN)
    above = json.loads(call("check", "--format", "gitlab", "src").stdout)
    monkeypatch.chdir(files / "src")
    assert json.loads(call("check", "--format", "gitlab").stdout) == above


def test_migrate_tells_only_what_is_left(call: Call, files: Path) -> None:
    result = call("migrate", "--format", "concise", "train.py", "blocked.py")
    assert result.exit_code == 1
    assert [line.partition(":")[0] for line in result.stdout.splitlines()] == ["blocked.py"] * 2
    assert (files / "train.py").read_text() == MIGRATED


def test_statistics_count_codes(call: Call, files: Path) -> None:
    lines = call("check", "--statistics").stdout.splitlines()
    assert [line.split() for line in lines[:-1]] == [
        ["2", "D101", "import-horovod"],
        ["2", "D104", "scale-learning-rate"],
        ["2", "D107", "shard-data"],
        ["1", "R20"],
        ["1", "unreadable"],
    ]
    assert lines[-1].startswith("2 files would be rewritten")


@pytest.mark.parametrize("options", [["--format", "sarif"], ["--statistics"]])
def test_a_filter_writes_no_document(call: Call, options: list[str]) -> None:
    result = call("migrate", *options, "-")
    assert result.exit_code == 2
    assert "a report there needs --check" in result.stderr
