"""What becomes of projects in the shapes in which people write them: migrated, or refused for what.

`bench/wild` holds one file a kind, as many projects of it as its share of what was counted over
82 public projects. Each is checked, and again with the repairs that its report offers, as a reader
would. Prints migrated and refused by code, with the first line of each refusal, and seconds.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "bench" / "wild"
JUSTIFIED = " | rightly refused: "
THROWN_AWAY = {"A11", "A12"}  # of two loops one: nobody's wish
MOST_REPAIRS = 4  # rounds: what one repair uncovers, the next mends

# How many files each kind stood in the way of, over 82 public projects.
WEIGHTS = {
    "strategies": 79, "cascades": 45, "structure": 46, "starts": 27, "elsewhere": 26,
    "tensorflow_1": 17, "configuration": 12,
}  # fmt: skip


class Project(NamedTuple):
    """One generated project: its files by their paths."""

    kind: str
    name: str
    files: dict[str, str]
    justified: frozenset[str]  # what is rightly refused: each with a cause of its own


class Refusal(NamedTuple):
    """A file that stays as it was, and why."""

    code: str
    path: str
    message: str


class Outcome(NamedTuple):
    """What became of its programs."""

    project: Project
    migrated: int
    refusals: tuple[Refusal, ...]
    repairs: tuple[str, ...]
    seconds: float

    @property
    def is_migrated(self) -> bool:
        """Whether all that could be was."""
        is_whole = bool(self.migrated) or bool(self.project.justified)
        return is_whole and {each.path for each in self.refusals} <= self.project.justified


def projects() -> Iterator[Project]:
    """All of them, kind by kind."""
    parts = dict(_sections((HOME / "parts.txt").read_text(encoding="utf-8"), "%% "))
    for kind in WEIGHTS:
        text = (HOME / f"{kind}.txt").read_text(encoding="utf-8")
        for title, body in _sections(text, "## "):
            files = {path: _filled(code, parts) for path, code in _sections(body, "@@ ")}
            name, _, justified = title.partition(JUSTIFIED)
            yield Project(kind, name, files, frozenset(justified.split()))


def _sections(text: str, mark: str) -> Iterator[tuple[str, str]]:
    for section in re.split(rf"^{re.escape(mark)}", text, flags=re.MULTILINE)[1:]:
        name, _, body = section.partition("\n")
        yield name.strip(), body


def _filled(code: str, parts: dict[str, str]) -> str:
    return re.sub(r"^<<(\w+)>>\n", lambda m: parts[m[1]], code, flags=re.MULTILINE)


def write(project: Project, folder: Path) -> None:
    """Its files, below a folder."""
    for path, text in project.files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def outcome(project: Project, folder: Path) -> Outcome:
    """Checks it, and again with what is offered, until nothing more is."""
    write(project, folder)
    began = time.monotonic()
    repairs: list[str] = []
    for _ in range(MOST_REPAIRS):
        report = _report(folder, repairs)
        offered = {r["code"] for file in report["files"] for r in file["repairs"]}
        new = offered - {*repairs, *THROWN_AWAY}
        if not new:
            break
        repairs += sorted(new)
    seconds = time.monotonic() - began
    files = report["files"]
    migrated = sum(file["status"] == "would-change" for file in files)
    return Outcome(project, migrated, tuple(_refusals(files)), tuple(repairs), seconds)


def _report(folder: Path, repairs: Sequence[str]) -> dict[str, Any]:
    asked = ["--repair", ",".join(repairs)] if repairs else []
    command = [sys.executable, "-m", "distify", "check", "--no-cache", "--format", "json", *asked]
    done = subprocess.run([*command, "."], cwd=folder, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _refusals(files: Sequence[dict[str, Any]]) -> Iterator[Refusal]:
    for file in files:
        for each in file["blocked"][:1]:
            yield Refusal(each["code"], file["path"], f"line {each['line']}: {each['message']}")
        if file["error"]:
            yield Refusal("error", file["path"], file["error"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="only projects whose kind or name has one of them")
    parser.add_argument("--keep", type=Path, help="leave the projects in this folder")
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as top:
        for project in projects():
            title = f"{project.kind}: {project.name}"
            if not options.words or any(word in title for word in options.words):
                folder = (options.keep or Path(top)) / project.kind / project.name.replace(" ", "_")
                found.append(outcome(project, folder))
                _tell(found[-1])
    _sum_up(found)


def _tell(each: Outcome) -> None:
    what = "migrated" if each.is_migrated else "REFUSED" if each.refusals else "NOTHING FOUND"
    repairs = f" with {', '.join(each.repairs)}" if each.repairs else ""
    print(f"{each.project.kind}: {each.project.name}: {what}{repairs}, {each.seconds:.1f} s")
    for code, path, message in each.refusals:
        print(f"    {code} {path} {message}")
    sys.stdout.flush()


def _sum_up(found: Sequence[Outcome]) -> None:
    print("\n| kind | files counted | projects | migrated | refused |\n|---|---:|---:|---:|---|")
    share = 0.0
    kinds = [kind for kind in WEIGHTS if any(each.project.kind == kind for each in found)]
    for kind in kinds:
        of_kind = [each for each in found if each.project.kind == kind]
        done = sum(each.is_migrated for each in of_kind)
        share += WEIGHTS[kind] * done / len(of_kind)
        codes = Counter(code for each in of_kind for code in {told.code for told in each.refusals})
        told = ", ".join(f"{code} {number}" for code, number in codes.most_common())
        print(f"| {kind} | {WEIGHTS[kind]} | {len(of_kind)} | {done} | {told} |")
    done = sum(each.is_migrated for each in found)
    weighted = share / sum(WEIGHTS[kind] for kind in kinds)
    seconds = sum(each.seconds for each in found)
    print(
        f"\n{done} of {len(found)} projects are migrated ({done / len(found):.0%}; "
        f"{weighted:.0%} by the files counted), in {seconds:.0f} seconds."
    )


if __name__ == "__main__":
    main()
