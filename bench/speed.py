"""How fast distify is beside the parsers it could have been built on.

Everything runs on one core and in turns, several rounds, so that what else the machine does hits
all alike; the table shows medians and their ratio to `ast.parse`.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import platform
import resource
import statistics
import subprocess
import sys
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


def each_by_itself(contents: Sequence[bytes]) -> Callable[[], None]:
    """What becomes of every file, as if each was a program of its own; nothing is read twice."""
    from distify.assistant.files.source import decode
    from distify.codemods.migrate import migrate
    from distify.codemods.model import SyntaxProblem
    from distify.codemods.starting.prefilter import may_train

    def run() -> None:
        for data in contents:
            with contextlib.suppress(SyntaxProblem):
                if may_train(data):
                    migrate(decode(data).text)

    return run


def in_subprocess(command: Sequence[str]) -> Callable[[], None]:
    def run() -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        expect_answer(done.returncode)
        stumbles = [line for line in done.stderr.splitlines() if "stumble" in line]
        if stumbles:
            raise SystemExit("\n".join(["nothing was measured:", *stumbles]))

    return run


def expect_answer(code: object) -> None:
    """A check ends with 1 if it finds something, with 2 if there are files it can't read."""
    if code not in (None, 0, 1, 2):
        raise SystemExit(f"the command ended with {code}: nothing was measured")


def seconds(run: Callable[[], None]) -> float:
    """Of the processor, with those of processes that were waited for."""
    start = _spent()
    run()
    return _spent() - start


def _spent() -> float:
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in both)


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
    contents = [file.read_bytes() for file in sorted(folder.rglob("*.py"))]
    times = in_turns(
        {
            "`ast.parse`": parse_all(ast.parse, sources),
            "distify, each file by itself": each_by_itself(contents),
        },
        rounds,
    )
    lines = sum(source.count("\n") for source in sources)
    return table(times, lines, f"{len(sources):,} files that mention TensorFlow")


def project_table(folder: Path) -> list[str]:
    """Each package as a project, once: its entries together with what they import."""
    head = ["| package, as a project | files | seconds |", "|---|---:|---:|"]
    rows = []
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        progress(package.name)
        check = ["migrate", "--check", "--jobs", "1", str(package)]
        took = seconds(in_subprocess([sys.executable, "-m", "distify.assistant", *check]))
        count = sum(1 for _ in package.rglob("*.py"))
        rows.append(f"| {package.name} | {count:,} | {took:.1f} |")
    return [*head, *rows]


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


def report(rounds: int, projects: bool) -> str:
    folder = corpus()
    sources = texts(folder)
    machine = f"Python {platform.python_version()}, {platform.machine()}, one core, {rounds} rounds"
    parts = [
        [f"{machine}, medians of processor time."],
        whole_table(folder, sources, rounds),
        *([project_table(folder)] if projects else []),
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
        "--projects", action="store_true", help="each package as a project, too (ten minutes)"
    )
    parser.add_argument(
        "--write", action="store_true", help="put the tables into docs/benchmarks.md"
    )
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # the corpus has its share of invalid escapes
    one_core()
    figures = report(arguments.rounds, arguments.projects)
    print(figures)
    if arguments.write:
        put(PAGE, "figures", figures)


if __name__ == "__main__":
    main()
