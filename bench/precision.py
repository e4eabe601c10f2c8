"""Writes docs/precision.md: each finding on the Horovod programs of this repository, judged.

    python bench/precision.py > docs/precision.md
    python bench/precision.py --scan FOLDER…      # what is found in other people's code

What `tests/distributed` says of a program was seen on two workers. A finding of a kind that nobody
has judged is printed as such, which a test doesn't let through.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from distify.codemods.migrate import migrate
from distify.codemods.model import BLOCKED, Finding, SyntaxProblem

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import rungs  # noqa: E402  (run as a script, not as a module)
from bench.notes import table  # noqa: E402

PROGRAMS = ROOT / "tests" / "distributed"
FOLDERS = ("hazards", "published", "half")
HAZARD = re.compile(r"H(?:0[5-9]|1\d)")
UNJUDGED = "to be judged"
RIGHT, LOOSE = "right", "needless"
# Code, what the message begins with, the verdict and why.
JUDGED: tuple[tuple[str, str, str, str], ...] = (
    ("J02", "", RIGHT, "a worker finds no value for the name: run on two"),
    ("J03", "", RIGHT, "one worker waits for ever: run on two"),
    ("J06", "", RIGHT, "the shares of two workers were seen to overlap"),
    ("J08", "", RIGHT, "the workers train on the same numbers, or a step is too long: run on two"),
    ("J12", "", RIGHT, "the metrics that are shown are of one share"),
    ("K04", "unknown", LOOSE, "the data of each worker has the same length there"),
    ("H06", "", RIGHT, "the gradients were seen to be averaged twice"),
    ("H05", "", RIGHT, "one worker waits for ever: run on two"),
    ("H07", "", RIGHT, "the workers drift apart from the first step on: run on two"),
    ("H08", "", RIGHT, "one worker waits for ever, or the weights drift: run on two"),
    ("H10", "", RIGHT, "the rate that is seen is four times that of one worker: run on two"),
    ("H11", "", RIGHT, "the workers start with different values and keep them: run on two"),
    ("H16", "", RIGHT, "the graph has no broadcast: run on two"),
    ("H17", "", RIGHT, "the rate that is seen is that of one worker"),
    ("H18", "", RIGHT, "every worker trains on the same numbers"),
    ("H19", "the number of", RIGHT, "nobody trains on two of four shares: run on two"),
    ("H19", "", RIGHT, "one worker waits for ever: run on two"),
    ("H14", "", RIGHT, "both workers were seen to write these files"),
    ("H01", "", RIGHT, "the shares of two workers were seen to overlap"),
    ("P02", ".*same GPU", RIGHT, "no line of the program chooses a GPU"),
    (
        "P02",
        ".*trains on all of the data",
        RIGHT,
        "both workers take the same examples",
    ),
    ("P02", ".*learning rate", RIGHT, "the rate that is seen is that of one worker"),
    ("P02", ".*takes all of these steps", RIGHT, "no count of steps is divided by the workers"),
    ("P02", ".*write the same files", RIGHT, "both workers were seen to write these files"),
    ("P02", ".*nobody averages", RIGHT, "the workers were seen to drift apart"),
    ("P02", ".*same start", RIGHT, "no broadcast reaches these variables"),
    ("P02", ".*can't be loaded", RIGHT, "loading it raises an error on every worker: run on two"),
    ("P02", ".*may read this file", RIGHT, "a worker finds no file: run on two"),
    ("P03", "every worker takes the same share", RIGHT, "the number of the share is a constant"),
    ("P03", "this optimizer is wrapped", RIGHT, "the workers drift apart: run on two"),
    ("P03", "nobody can tell which callbacks", RIGHT, "the list can't be followed"),
    ("P03", "Horovod's optimizer", RIGHT, "the workers drift apart: run on two"),
    ("T06", "", RIGHT, "no rule is made for programs of TensorFlow 1"),
    ("T07", "", RIGHT, "one worker restores other weights: run on two"),
    ("D206", "this goes on with", RIGHT, "the rate is that of the workers who saved the file"),
    ("D206", "", RIGHT, "the file names a class that plain Keras doesn't know"),
    ("D302", "a custom callback", RIGHT, "every worker prints its line"),
    ("D302", "these callbacks", RIGHT, "the list can't be followed"),
    ("D107", "there is nothing", RIGHT, "a step takes all of the data"),
    (
        "D107",
        "",
        LOOSE,
        "the program draws or cuts the data by rank itself",
    ),
)
ALIKE = (RIGHT, "every worker trains on the same numbers")
CONSTANT = (
    "hazards/tape_noise_of_one_seed/broken.py",
    "published/guarded_print.py",
    "published/python_flag.py",
    "published/rate_without_parentheses.py",
)
HEAD = """\
# Precision

What distify says of Horovod programs that a person has written, finding by finding, and whether
it is right. The table is made by `python bench/precision.py`, from the programs of
`tests/distributed`: each defect stands there beside its repair, and both were run on two workers.
A test keeps it up to date.

Beside them stand 35 programs that are right, in the forms of Horovod's own examples and of public
code, in which nothing is an error (`tests/data/horovod`, `test_sound_horovod.py`).

In other people's code the hazards H05 to H15, as they were then, were looked for in every file
that names Horovod: in the sources and tests of Horovod 0.18.2, 0.19.5, 0.21.3, 0.26.1 and
0.28.1, in the pinned corpus, and in deepmd-kit 2.2.7, ludwig 0.4.1, tensorpack 0.11,
neural-compressor 2.4, nvtabular, determined, tf-yarn, OpenNMT-tf, tensorlayer, elasticdl,
nocturne, maggy, bigdl-orca and Intel's Horovod: 627 files, in which nothing was told, neither
an error nor a warning. What distify makes of its own examples was looked at as well: 83
programs, nothing told. Horovod's own `examples` are in no package that it publishes; their
forms are those of `tests/data/horovod`.

Verdicts: *right*, the thing is so; *needless*, it is a note on something that does no harm there.

"""

NOTES = """
## Notes beside what is written

Each note is about what a result costs, about what a person has to look at though the steps are
right (a schedule that counts steps, loggers in a list that can't be seen), or it is a doubt: then
it names the obligation that decides it of the result, and either falls away or becomes a refusal,
which `# distify: accept[…]` takes on you. What falls away rests on the assumptions that are
printed with the proof. A test lists them, so that a new one is decided, too.

"""


class Row(NamedTuple):
    """A finding of a program, and what was made of it."""

    program: str
    finding: Finding
    verdict: str
    why: str


def rows() -> Iterator[Row]:
    """Every finding in the programs of this repository."""
    for path in sorted(p for name in FOLDERS for p in (PROGRAMS / name).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "horovod" in text and path.parent.name != "single":
            for finding in found(text):
                name = path.relative_to(PROGRAMS).as_posix()
                yield Row(name, finding, *judged_there(name, finding))


def found(text: str) -> list[Finding]:
    """Errors first, then the others."""
    migration = migrate(text)
    return [*migration.blocked, *migration.notes]


def judged_there(name: str, finding: Finding) -> tuple[str, str]:
    """The verdict on a finding of one program."""
    if finding.code == "D107" and name in CONSTANT:
        return ALIKE
    return judged(finding)


def judged(finding: Finding) -> tuple[str, str]:
    """The verdict on findings of that kind, and why."""
    for code, words, verdict, why in JUDGED:
        if finding.code == code and re.match(words, finding.message):
            return verdict, why
    return UNJUDGED, ""


def page() -> Iterator[str]:
    """The lines of the page."""
    yield from HEAD.splitlines()
    all_rows = list(rows())
    counts = Counter((_severity(row.finding), row.verdict) for row in all_rows)
    yield f"{len(all_rows)} findings:"
    yield ""
    for (severity, verdict), count in sorted(counts.items()):
        yield f"- {count} of severity {severity}: {verdict}"
    yield ""
    yield "| Program | Line | Code | Severity | Verdict | Because |"
    yield "|---|---|---|---|---|---|"
    for row in all_rows:
        cells = (row.program, row.finding.line, row.finding.code, _severity(row.finding))
        yield "| " + " | ".join(map(str, (*cells, row.verdict, row.why))) + " |"
    yield from NOTES.splitlines()
    yield from table()
    yield from rungs.table()


def _severity(finding: Finding) -> str:
    return "error" if finding.severity == BLOCKED else finding.severity


def scanned(folders: Iterable[str]) -> Iterator[str]:
    """The hazards in files that name Horovod, and how many files that were."""
    count = 0
    for path in (path for folder in folders for path in sorted(Path(folder).rglob("*.py"))):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        if "horovod" not in text:
            continue
        count += 1
        try:
            findings = found(text)
        except SyntaxProblem:
            continue
        for each in findings:
            if HAZARD.fullmatch(each.code):
                yield f"{path}:{each.line}: {_severity(each)} {each.code} {each.message}"
    yield f"{count} files name Horovod"


if __name__ == "__main__":
    is_scan = sys.argv[1:2] == ["--scan"]
    print("\n".join(scanned(sys.argv[2:]) if is_scan else page()))
