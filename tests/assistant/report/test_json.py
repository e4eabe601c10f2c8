"""The report for programs keeps the shape that docs/json.md promises."""

from __future__ import annotations

import json
from pathlib import Path

from distify import __version__
from distify.assistant.report.extents import Extents
from distify.assistant.report.json import _findings
from distify.codemods.model import BLOCKED as BLOCKS
from distify.codemods.model import Finding

from ..conftest import ALREADY, BLOCKED, BROKEN, TRAIN, Call

OTHERS = "Slurm, MPI, Kubernetes, Ray"


def test_the_document(call: Call) -> None:
    for name, text in (("a", TRAIN), ("b", BLOCKED), ("c", BROKEN), ("d", ALREADY)):
        Path(f"{name}.py").write_text(text)
    result = call("check", "--format", "json", ".", "é.py")
    document = json.loads(result.stdout)
    files = document.pop("files")
    assert document == {
        "schema": 1,
        "distify": __version__,
        "command": "check",
        "totals": {
            "searched": 5,
            "changed": 1,
            "unsound": 0,
            "suppressed": 0,
            "blocked": 1,
            "skipped": 1,
            "errors": 2,
        },
        "next": [
            {"purpose": purpose, "command": command, "remark": remark}
            for purpose, command, remark in (
                ("read", "distify explain R20", None),
                ("see", "distify migrate --diff . 'é.py'", None),
                ("apply", "distify migrate . 'é.py'", "--verify proves it at once"),
                ("prove", "distify verify a.py -np 2", None),
                ("train", "horovodrun -np 2 python a.py", None),
                ("elsewhere", "distify launch-lines a.py -np 8 --gpus-per-node 4", OTHERS),
            )
        ],
        "exit_code": 2,
    }
    empty = {
        "reason": None,
        "pattern": None,
        "evidence": [],
        "changes": [],
        "edits": [],
        "blocked": [],
        "notes": [],
        "repairs": [],
        "left_out": [],
        "suppressed": [],
        "proofs": [],
        "taken_on": [],
        "error": None,
    }
    fit = {"line": 3, "column": 1, "end_line": 3, "end_column": 13}
    evidence = [{**fit, "pattern": "Keras", "what": "model.fit(...)"}]
    inside = [{**evidence[0], "end_column": 17}]  # nothing begins there: the line
    assert files == [
        {
            **empty,
            "path": "a.py",
            "status": "would-change",
            "pattern": "Keras",
            "evidence": evidence,
            "changes": [
                {
                    "code": "D101",
                    "name": "import-horovod",
                    "page": "codes/D101/",
                    "places": [{"line": 1, "column": 1, "end_line": 1, "end_column": 24}],
                },
                {
                    "code": "D104",
                    "name": "scale-learning-rate",
                    "page": "codes/D104/",
                    "places": [{"line": 2, "column": 7, "end_line": 2, "end_column": 16}],
                },
            ],
            "edits": [
                {
                    "line": 2,
                    "column": 1,
                    "end_line": 3,
                    "end_column": 1,
                    "text": "import horovod\nopt = Adam(0.1 * hvd.size())\n",
                }
            ],
        },
        {
            **empty,
            "path": "b.py",
            "status": "blocked",
            "pattern": "Keras",
            "evidence": inside,
            "blocked": [
                {
                    "line": 2,
                    "column": 6,
                    "end_line": 2,
                    "end_column": 22,
                    "code": "R20",
                    "page": None,
                    "message": "runs under tf.distribute",
                    "fix": "remove the strategy",
                    "obligation": None,
                    "becomes": None,
                    "reaches": None,
                }
            ],
            "notes": [
                {
                    "line": 1,
                    "column": 1,
                    "end_line": 1,
                    "end_column": 24,
                    "code": "D107",
                    "page": "codes/D107/",
                    "message": "every worker trains on all of it",
                    "fix": "",
                    "obligation": None,
                    "becomes": None,
                    "reaches": None,
                }
            ],
        },
        {
            **empty,
            "path": "c.py",
            "status": "error",
            "error": {"message": "can't be parsed: invalid syntax", "line": 3, "column": 5},
        },
        {
            **empty,
            "path": "d.py",
            "status": "skipped",
            "reason": "already Horovod",
            "pattern": "Keras",
        },
        {
            **empty,
            "path": "é.py",
            "status": "error",
            "error": {"message": "no such file or folder", "line": None, "column": None},
        },
    ]
    assert result.stdout.isascii()


def test_migrate_says_what_it_wrote(call: Call) -> None:
    Path("a.py").write_text(TRAIN)
    for option, status in (("--check", "would-change"), ("-q", "changed")):
        document = json.loads(call("migrate", option, "--format", "json").stdout)
        assert document["command"] == "migrate"
        assert document["files"][0]["status"] == status


def test_a_finding_names_the_line_that_its_cause_reaches() -> None:
    def found(line: int, reaches: int) -> object:
        finding = Finding(line, 0, "R05", "unknown", "make it here", BLOCKS, reaches=reaches)
        (only,) = _findings([finding], Extents("model.fit(x)\n"))
        return only["reaches"]

    assert found(2, 9) == 9
    assert found(2, 2) is found(2, 0) is None
