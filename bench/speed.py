"""How fast `distify migrate --check` is beside the parsers it could have been built on.

Everything runs on one core and in turns, several rounds, so that what else the machine does hits
all alike; the table shows medians and their ratio to `ast.parse`.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import platform
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.corpus import corpus  # noqa: E402  (run as a script, not as a module)
from bench.page import put  # noqa: E402

SAMPLE = 10  # the slow parsers read every tenth file; `ast` reads the same ones beside them
STARTS = 21
PAGE = ROOT / "docs" / "benchmarks.md"

Parser = Callable[[str], object]


def texts(folder: Path) -> list[str]:
    """The files that mention TensorFlow, as far as this Python's own parser can read them."""
    readable = []
    for file in sorted(folder.rglob("*.py")):
        data = file.read_bytes()
        with contextlib.suppress(SyntaxError, UnicodeDecodeError):
            if b"tensorflow" in data:
                text = data.decode()
                ast.parse(text)
                readable.append(text)
    return readable


def fissix_parser() -> Parser:
    from fissix import pygram, pytree
    from fissix.pgen2.driver import Driver

    driver = Driver(pygram.python_grammar_no_print_and_exec_statement, convert=pytree.convert)
    return lambda text: driver.parse_string(text + "\n")


def libcst_parser() -> Parser:
    import libcst

    return libcst.parse_module


def parse_all(parse: Parser, sources: Iterable[str]) -> Callable[[], None]:
    def run() -> None:
        for source in sources:
            # What fissix does not know (`match`, …) costs it the time up to that place.
            with contextlib.suppress(Exception):
                parse(source)

    return run


def in_process(arguments: Sequence[str]) -> Callable[[], None]:
    """The command itself, without the start of an interpreter."""
    from distify.assistant.cli.commands import distify

    def run() -> None:
        quiet = io.StringIO()
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            try:
                distify(list(arguments), prog_name="distify")
            except SystemExit as end:
                expect_answer(end.code)

    return run


def in_subprocess(command: Sequence[str]) -> Callable[[], None]:
    def run() -> None:
        expect_answer(subprocess.run(command, capture_output=True, check=False).returncode)

    return run


def expect_answer(code: object) -> None:
    """A check ends with 1 if it finds something, with 2 if there are files it can't read."""
    if code not in (None, 0, 1, 2):
        raise SystemExit(f"the command ended with {code}: nothing was measured")


def found(folder: Path) -> str:
    """What the command that is measured has to say about the corpus; a stumble ends it here."""
    ask = [sys.executable, "-m", "distify.assistant", "check", "--format", "json", str(folder)]
    answer = json.loads(subprocess.run(ask, capture_output=True, text=True, check=False).stdout)
    errors = [file for file in answer["files"] if file["error"]]
    stumbles = [f"{f['path']}: {f['error']['message']}" for f in errors if _stumble(f)]
    if stumbles:
        raise SystemExit("\n".join(["nothing was measured:", *stumbles]))
    return ", ".join(f"{count:,} {name}" for name, count in answer["totals"].items())


def _stumble(file: dict[str, dict[str, str]]) -> bool:
    return "stumble" in file["error"]["message"]


def seconds(run: Callable[[], None]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def in_turns(subjects: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """The median seconds of each subject, measured one after the other in every round."""
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(rounds):
        for name, run in subjects.items():
            progress(f"round {number + 1} of {rounds}: {name}")
            times[name].append(seconds(run))
    progress("")
    return {name: statistics.median(measured) for name, measured in times.items()}


def progress(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{what:70}\r", end="", file=sys.stderr, flush=True)


def whole_table(folder: Path, sources: Sequence[str], rounds: int) -> list[str]:
    check = ["migrate", "--check", str(folder)]
    distify = [sys.executable, "-m", "distify.assistant", *check]
    times = in_turns(
        {
            "`ast.parse`": parse_all(ast.parse, sources),
            "`distify migrate --check`, in process": in_process(check),
            "`distify migrate --check`, the command": in_subprocess(distify),
        },
        rounds,
    )
    lines = sum(source.count("\n") for source in sources)
    return table(times, lines, f"{len(sources):,} files that mention TensorFlow")


def sample_table(sources: Sequence[str], rounds: int) -> list[str]:
    sample = sources[::SAMPLE]
    times = in_turns(
        {
            "`ast.parse`": parse_all(ast.parse, sample),
            "LibCST, parsing only": parse_all(libcst_parser(), sample),
            "fissix, parsing only": parse_all(fissix_parser(), sample),
        },
        rounds,
    )
    lines = sum(source.count("\n") for source in sample)
    return table(times, lines, f"{len(sample):,} of them, every {SAMPLE}th")


def table(times: dict[str, float], lines: int, title: str) -> list[str]:
    base = next(iter(times.values()))
    head = [f"| {title} ({lines:,} lines) | seconds | × `ast.parse` |", "|---|---:|---:|"]
    return [*head, *(f"| {name} | {t:.2f} | {t / base:.2f} |" for name, t in times.items())]


def start_table() -> list[str]:
    """Starting the command beside starting Python."""
    commands = {
        "`python -c pass`": [sys.executable, "-c", "pass"],
        "`distify --version`": [str(Path(sys.executable).with_name("distify")), "--version"],
    }
    times = in_turns({name: in_subprocess(c) for name, c in commands.items()}, STARTS)
    bare, ours = times.values()
    rows = [f"| {name} | {t * 1000:.0f} ms |" for name, t in times.items()]
    return [
        "| start | time |",
        "|---|---:|",
        *rows,
        f"| difference | {(ours - bare) * 1000:.0f} ms |",
    ]


def one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def report(rounds: int) -> str:
    folder = corpus()
    sources = texts(folder)
    machine = f"Python {platform.python_version()}, {platform.machine()}, one core, {rounds} rounds"
    parts = [
        [f"{machine}, medians. The corpus as distify sees it: {found(folder)}."],
        whole_table(folder, sources, rounds),
        sample_table(sources, rounds),
        start_table(),
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--write", action="store_true", help="put the tables into docs/benchmarks.md"
    )
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # the corpus has its share of invalid escapes
    one_core()
    figures = report(arguments.rounds)
    print(figures)
    if arguments.write:
        put(PAGE, "figures", figures)


if __name__ == "__main__":
    main()
