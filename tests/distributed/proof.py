"""`distify verify` as the tests ask it: its exit code and its report for programs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent
# On a busy machine: DISTIFY_PATIENCE=4 waits four times as long before a job counts as hung.
PATIENCE = float(os.environ.get("DISTIFY_PATIENCE", "1"))
TIMEOUT = 25 * PATIENCE
CODE = re.compile(r"Convicted: ([A-Z]\d+)")
OPTIONS = re.compile(r"^Options: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Proof:
    """What distify said about one run."""

    code: int
    report: dict[str, Any]
    said: str

    def of(self, grade: str) -> list[dict[str, Any]]:
        """The verdicts of that grade."""
        return [each for each in self.report["verdicts"] if each["grade"] == grade]

    @property
    def convicted(self) -> set[str]:
        """The codes of what was found."""
        return {str(each["code"]) for each in self.of("convicted")}

    @property
    def fine(self) -> set[str]:
        """The questions that were answered well, and not also left open."""
        fine = {str(each["question"]) for each in self.of("fine")}
        return fine - {str(each["question"]) for each in self.of("unchecked")}

    @property
    def steps(self) -> list[int]:
        """Optimizer steps of each worker."""
        return [worker["steps"] for worker in self.report["workers"]]

    def __str__(self) -> str:
        verdicts = [
            f"{each['grade']} {each['code']} {each['question']}: {each['title']}: {each['text']}"
            for each in self.report.get("verdicts", [])
            if each["grade"] != "fine"
        ]
        return "\n".join([f"exit code {self.code}", *verdicts, self.said[-3000:]])


def verify(program: Path, folder: Path, *options: str, workers: int = 2, python: str = "") -> Proof:
    """Runs it in `folder` on so many workers; 0: it is said otherwise."""
    command = [str(BIN / "distify"), "verify", "--format", "json"]
    command += ["-np", str(workers)] if workers else []
    command += ["--timeout", str(TIMEOUT), "--python", python or sys.executable]
    done = subprocess.run(
        [*command, *options, str(program)], cwd=folder, capture_output=True, text=True,
        timeout=20 * TIMEOUT, check=False,
    )  # fmt: skip
    report = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return Proof(done.returncode, report, done.stdout[:200] + done.stderr if not report else "")


def crime(program: Path) -> str:
    """The code that must convict a program, as its docstring says."""
    found = CODE.search(program.read_text(encoding="utf-8"))
    assert found, f"{program} does not say what is wrong with it"
    return found[1]


def options(program: Path) -> list[str]:
    """More options for it, as its docstring says; paths are beside the program."""
    found = OPTIONS.search(program.read_text(encoding="utf-8"))
    words = found[1].split() if found else []
    return [str(program.parent / word) if word.endswith(".py") else word for word in words]
