"""Migrates programs that nobody wrote, and settings that nobody meant, and checks the promises.

`make fuzz` tries 200,000 programs and 20,000 in another layout, `make test` 2,000 of the small
ones. A number stands for a text (`scrambling.py`, `boundaries.py`); `--only NUMBER` prints one with
what is wrong. What was found and mended is kept in tests/data/found, which the tests try again.
"""

from __future__ import annotations

import argparse
import cProfile
import multiprocessing
import os
import pstats
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.boundaries import laid_out  # noqa: E402
from bench.corpus import HOME  # noqa: E402  (run as a script, not as a module)
from bench.fuzz_settings import KINDS, judge_settings  # noqa: E402
from bench.scrambling import scrambled  # noqa: E402
from bench.whole_corpus import judge, outcome, round_trip  # noqa: E402
from distify.assistant.files.source import Unreadable, decode  # noqa: E402
from distify.assistant.interpreter import prepare  # noqa: E402
from distify.codemods import rewrites  # noqa: E402
from distify.codemods.migrate import migrate  # noqa: E402
from distify.codemods.model import SyntaxProblem  # noqa: E402
from distify.codemods.starting.prefilter import may_concern, may_train  # noqa: E402

FOUND = ROOT / "build" / "fuzz"
PROGRAM, LAYOUT, NAMED = "program", "layout", "named as no Python"
# Calls that one `migrate` may take: the examples take less than 2,000 for each of their bytes.
CALLS, CALLS_A_BYTE = 2_000_000, 5_000
LAYOUTS = 20_000
THOROUGH = 20  # every 20th is asked by who only looks, and its calls are counted: it costs double
LARGEST = 20_000  # bytes of a file of the corpus that is taken
# Of two spellings of a text Python writes none; bytes in comments it minds in files alone.
SPELLED = ("written back exactly", "is not valid", "continues an indentation")


class Verdict(NamedTuple):
    """What became of one text, and what is wrong with that."""

    outcome: str
    wrong: tuple[str, ...] = ()


@cache
def small() -> tuple[str, ...]:
    """Programs of a screen: before and after each rule, and what it leaves alone."""
    return tuple(text for rule in rewrites.all() for text in (rule.before, rule.after, *rule.noop))


@cache
def programs() -> tuple[str, ...]:
    """These, the examples, and what trains in the corpus, where that is unpacked."""
    corpus = [path for path in sorted((HOME / "sources").glob("*/**/*.py")) if _trains(path)]
    cases = [*(ROOT / "examples").glob("*.py"), *(ROOT / "tests/distributed").glob("*/**/*.py")]
    texts = [path.read_text(encoding="utf-8") for path in [*sorted(cases), *corpus]]
    return (*small() * 4, *texts)


def _trains(path: Path) -> bool:
    data = path.read_bytes()
    return len(data) < LARGEST and data.isascii() and may_train(data)


def judge_program(data: bytes, thorough: bool = False) -> Verdict:
    """Everything that is promised of one file; never raises for what distify does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what is compiled
            return _judged(data, thorough)
    except Exception:  # whatever it is, it is a defect, and the next one is to be tried, too
        return Verdict("crashed", (traceback.format_exc(),))


def _judged(data: bytes, thorough: bool) -> Verdict:
    try:
        text = decode(data).text
        migration = migrate(text)
    except (Unreadable, SyntaxProblem) as error:
        return Verdict(NAMED, tuple(_named(data, error)))
    wrong = [*judge(migration, may_concern(data), looks=thorough), *round_trip(text)]
    if thorough:
        wrong += _laboured(text, len(data))
    return Verdict(outcome(migration), tuple(wrong))


def _named(data: bytes, error: Unreadable | SyntaxProblem) -> Iterator[str]:
    """A line that is there is named, in one line; and Python can't run it either."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 2
    if not 0 <= error.line <= lines or "\n" in str(error) or not str(error):
        yield f"named as {str(error)!r} in line {error.line} of {lines}"
    if any(part in str(error) for part in SPELLED):
        return
    try:
        compile(data, "text", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError, UnicodeError):
        return
    yield f"Python takes it, but: {error}"


def _laboured(text: str, size: int) -> Iterator[str]:
    profile = cProfile.Profile()
    profile.runcall(migrate, text)
    calls = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    if calls > CALLS + CALLS_A_BYTE * size:
        yield f"{calls:,} calls for {size:,} bytes"


def made(kind: str, number: int, texts: Sequence[str] | None = None) -> bytes:
    """The text that a number stands for."""
    if kind == LAYOUT:
        return laid_out(number, texts or programs(), kind).encode()
    return scrambled(number, texts or (programs() if kind == PROGRAM else KINDS[kind].texts), kind)


def tried(kind: str, number: int, texts: Sequence[str] | None = None) -> Verdict:
    """What becomes of the text that a number stands for."""
    data = made(kind, number, texts)
    if kind in (PROGRAM, LAYOUT):
        return judge_program(data, thorough=number % THOROUGH == 0)
    return Verdict(*judge_settings(kind, data))


Share = tuple[str, int, int]  # a kind, the first number, the one behind the last


def share(one: Share) -> tuple[str, Counter[str], dict[int, tuple[str, ...]]]:
    """The outcomes of a few numbers, and what is wrong."""
    prepare()
    kind, first, end = one
    outcomes: Counter[str] = Counter()
    wrong: dict[int, tuple[str, ...]] = {}
    for number in range(first, end):
        verdict = tried(kind, number)
        outcomes[verdict.outcome] += 1
        if verdict.wrong:
            wrong[number] = verdict.wrong
    return kind, outcomes, wrong


def shares(count: int, first: int) -> Iterator[Share]:
    """Programs, as many in other layouts (20,000 are enough), a tenth of each kind of settings."""
    layouts = (LAYOUT, min(count, LAYOUTS))
    for kind, many in ((PROGRAM, count), layouts, *((kind, count // 10) for kind in KINDS)):
        for at in range(first, first + many, 100):
            yield kind, at, min(at + 100, first + many)


def campaign(count: int, first: int, minutes: float, jobs: int) -> dict[str, Counter[str]]:
    """All of it, or as much as there is time for; tells how far it is."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in (PROGRAM, LAYOUT, *KINDS)}
    todo, start = list(shares(count, first)), time.monotonic()
    with multiprocessing.Pool(jobs) as pool:
        for done, (kind, outcomes, wrong) in enumerate(pool.imap_unordered(share, todo), 1):
            found[kind].update(outcomes)
            found[kind]["wrong"] += len(wrong)
            for number, reasons in wrong.items():
                keep(kind, number, reasons)
            print(f"\r{done:,} of {len(todo):,} shares", end="", file=sys.stderr, flush=True)
            if time.monotonic() - start > 60 * minutes:
                break
    print(file=sys.stderr)
    return found


def keep(kind: str, number: int, reasons: tuple[str, ...]) -> None:
    """Puts the text aside and says why."""
    FOUND.mkdir(parents=True, exist_ok=True)
    (FOUND / f"{kind}-{number}").write_bytes(made(kind, number))
    print(f"\n{kind} {number}: {reasons[0][-400:]}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=200_000, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the first number")
    parser.add_argument("--minutes", type=float, default=600, help="stop after so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--only", help="KIND-NUMBER: print that text and what is wrong with it")
    wishes = parser.parse_args()
    if wishes.only:
        kind, _, number = wishes.only.rpartition("-")
        sys.stdout.write(made(kind, int(number)).decode("utf-8", "backslashreplace"))
        sys.exit("\n".join(tried(kind, int(number)).wrong) or 0)
    found = campaign(wishes.count, wishes.first, wishes.minutes, wishes.jobs)
    for kind, outcomes in found.items():
        print(f"{kind}: {sum(outcomes.values()) - outcomes['wrong']:,}", dict(outcomes))
    sys.exit(any(outcomes["wrong"] for outcomes in found.values()))


if __name__ == "__main__":
    main()
