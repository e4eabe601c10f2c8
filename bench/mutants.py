"""How much of `codemods/` the tests hold: it is changed in one place, and a test must fail.

No kept tool fits: mutmut 3 and cosmic-ray know a module by the path of its file, not by the package
it is installed as, and start every mutant by importing everything; mutmut leaves alone what runs at
import, where the tables of names are. What is changed is said in `mutations.py`, how it is judged
in `mutant_judge.py`; here the sample is drawn and the score is told.

Without `--all` a sample is judged, the same share of every module, drawn by the hash of what each
mutant says and a seed.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import hashlib
import json
import math
import os
import platform
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.mutant_coverage import BUDGET, Coverage  # noqa: E402
from bench.mutant_judge import (  # noqa: E402
    HOME,
    TESTS,
    Judge,
    Verdict,
    modules,
    passes_unchanged,
    run_pytest,
    text_of,
)
from bench.mutations import Mutant  # noqa: E402
from bench.page import PAGE, put  # noqa: E402

EQUIVALENT = ROOT / "bench" / "equivalent_mutants.txt"
SURVIVORS = HOME / "survivors.txt"
MODULES = HOME / "modules.md"
VERDICTS = HOME / "verdicts.json"
SIZE = 1300  # judged in a sample: the interval is ± 2 points at a score of 85 %
Z = 1.96  # of a 95 % interval

Verdicts = dict[str, Verdict]


def equivalents() -> dict[str, str]:
    """The mutants that no test can notice, each with the reason: a line, and an indented one."""
    lines = [line for line in EQUIVALENT.read_text("utf-8").splitlines() if line[:1] != "#"]
    pairs = zip(lines[::2], lines[1::2])
    return {key: reason.strip() for key, reason in pairs}


def sample(found: Sequence[Mutant], size: int, seed: str) -> list[Mutant]:
    """The same share of every module, at least one of each; mixed: its beginning is one, too."""
    draw = functools.partial(_draw, seed)
    by_module: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in found:
        by_module[mutant.path].append(mutant)
    chosen: list[Mutant] = []
    for group in by_module.values():
        count = math.ceil(size * len(group) / len(found))
        chosen += sorted(group, key=draw)[:count]
    return sorted(chosen, key=draw)


def _draw(seed: str, mutant: Mutant) -> str:
    return hashlib.sha256(f"{seed} {mutant.key}".encode()).hexdigest()


def interval(killed: int, judged: int, there: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; of a sample without replacement, so all have none."""
    if not judged or judged == there:
        return (killed / judged, killed / judged) if judged else (0.0, 1.0)
    share, z = killed / judged, Z * math.sqrt((there - judged) / (there - 1))
    middle = (share + z * z / (2 * judged)) / (1 + z * z / judged)
    spread = math.sqrt(share * (1 - share) / judged + z * z / (4 * judged * judged))
    half = z * spread / (1 + z * z / judged)
    return middle - half, middle + half


class Run:
    """Judges mutants and remembers what was said of them."""

    def __init__(
        self,
        choose: Callable[[list[Mutant]], list[Mutant]],
        known: Verdicts,
        budget: float = BUDGET,
        minutes: float = math.inf,
    ) -> None:
        self.choose, self.known, self.budget = choose, known, budget
        self.until = time.monotonic() + 60 * minutes
        self.found: list[Mutant] = []
        self.chosen: list[Mutant] = []
        self.wanted = 0
        self.verdicts: Verdicts = {}
        self.terminal = os.fdopen(os.dup(2), "w")  # pytest takes the one there is

    def __call__(self, judge: Judge) -> None:
        coverage = Coverage.load(HOME / "coverage.json")
        coverage.budget = self.budget
        coverage.texts = {test: text_of(item) for test, item in judge.items.items()}
        if not passes_unchanged(judge, coverage.seconds):
            raise SystemExit("tests fail in a fork without a mutant")
        excused = equivalents()
        for path in modules():
            self.found += [m for m in judge.tree(path)[1] if m.key not in excused]
        wanted = self.choose(self.found)
        self.wanted = len(wanted)
        for number, mutant in enumerate(wanted, 1):
            start = time.monotonic()
            if start > self.until:
                break
            self.chosen.append(mutant)
            before = self.known.get(mutant.key)
            verdict = before if before and before.killed else judge.judge(mutant, coverage)
            self.verdicts[mutant.key] = verdict
            self.keep()
            state = "killed" if verdict.killed else "SURVIVED"
            print(
                f"{number}/{len(wanted)} {state} {time.monotonic() - start:.1f}s "
                f"{verdict.why}: {mutant.line}: {mutant.key}"[:220],
                file=self.terminal,
                flush=True,
            )

    def keep(self) -> None:
        """Write down what is known so far: a run that is ended early was not in vain."""
        verdicts = {key: list(verdict) for key, verdict in self.verdicts.items()}
        VERDICTS.write_text(json.dumps(verdicts, indent=1), encoding="utf-8")


def survivors(run: Run) -> list[str]:
    """What lives, with its line, as a person reads it."""
    lived = [m for m in run.chosen if not run.verdicts[m.key].killed]
    return [f"{m.path}:{m.line}\t{m.key}\t{run.verdicts[m.key].why}" for m in lived]


def share(run: Run, mutants: Sequence[Mutant]) -> tuple[int, int]:
    killed = [m for m in mutants if run.verdicts[m.key].killed]
    return len(killed), len(mutants)


def overall(run: Run) -> str:
    killed, judged = share(run, run.chosen)
    low, high = interval(killed, judged, len(run.found))
    percent = 100 * killed / judged
    return f"{percent:.1f} % ({100 * low:.1f} to {100 * high:.1f} %): {killed:,} of {judged:,}"


def table(run: Run, part: Callable[[str], str]) -> list[str]:
    """Each part of the package, the weakest first."""
    by_part: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in run.chosen:
        by_part[part(mutant.path)].append(mutant)
    scores = {name: share(run, mutants) for name, mutants in by_part.items()}
    there = Counter(part(mutant.path) for mutant in run.found)
    rows = sorted(scores, key=lambda name: (scores[name][0] / scores[name][1], name))
    lines = ["| | mutants | judged | killed | 95 % interval |", "|---|---:|---:|---:|---|"]
    for name in rows:
        killed, judged = scores[name]
        low, high = (f"{100 * end:.0f}" for end in interval(killed, judged, there[name]))
        percent = f"{100 * killed / judged:.0f} %"
        lines.append(f"| `{name}` | {there[name]:,} | {judged:,} | {percent} | {low} to {high} % |")
    return lines


def folder(path: str) -> str:
    return path.rpartition("/")[0] + "/"


def module(path: str) -> str:
    return path


def report(run: Run, seconds: float, how: str) -> str:
    today, version = datetime.date.today().isoformat(), platform.python_version()
    head = (
        f"Killed: **{overall(run)}** judged, {how}, of {len(run.found):,} mutants "
        f"({len(equivalents())} more are equivalent). "
        f"{today}, Python {version}, {seconds / 60:.0f} minutes on one core."
    )
    return "\n".join([head, "", *table(run, folder)]) + "\n"


def drawn(arguments: argparse.Namespace, judged: int, wanted: int) -> str:
    """Which mutants were judged; time may have ended before the sample did."""
    which = "every one" if arguments.all else f"a sample (seed {arguments.seed})"
    return which if judged == wanted else f"the first {judged:,} of {wanted:,} in {which}"


def chooser(arguments: argparse.Namespace) -> Callable[[list[Mutant]], list[Mutant]]:
    def choose(found: list[Mutant]) -> list[Mutant]:
        found = [m for m in found if m.path.startswith(tuple(arguments.only or [""]))]
        return found if arguments.all else sample(found, arguments.size, arguments.seed)

    return choose


def parse(arguments: Iterable[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="every mutant (hours)")
    parser.add_argument("--size", type=int, default=SIZE, help="how many a sample holds")
    parser.add_argument("--seed", default="1", help="which sample")
    parser.add_argument("--only", nargs="*", help="only files whose path begins so")
    parser.add_argument(
        "--again", action="store_true", help="what the last run has killed stays so"
    )
    parser.add_argument(
        "--budget", type=float, default=BUDGET, help="seconds of tests asked about each mutant"
    )
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="how long; what was judged then is told"
    )
    parser.add_argument("--keep-coverage", action="store_true", help="do not measure it anew")
    parser.add_argument("--write", action="store_true", help="put the score into the page")
    return parser.parse_args(None if arguments is None else list(arguments))


def main() -> None:
    arguments = parse()
    start = time.monotonic()
    known = json.loads(VERDICTS.read_text("utf-8")) if arguments.again else {}
    known = {key: Verdict(*verdict) for key, verdict in known.items()}
    run = Run(chooser(arguments), known, arguments.budget, arguments.minutes)
    file = HOME / "coverage.json"
    if not (arguments.keep_coverage and file.exists()):
        command = [sys.executable, "-m", "bench.mutant_judge", "measure", str(file)]
        subprocess.run(command, cwd=ROOT, check=True)
    code = run_pytest(Judge(run), TESTS)
    if code or not run.verdicts:
        raise SystemExit(
            "the tests could not be collected, or fail without a mutant: nothing was judged"
        )
    SURVIVORS.write_text("\n".join(survivors(run)) + "\n", encoding="utf-8")
    MODULES.write_text("\n".join(table(run, module)) + "\n", encoding="utf-8")
    how = drawn(arguments, len(run.chosen), run.wanted)
    figures = report(run, time.monotonic() - start, how)
    print(figures)
    names = " and ".join(str(file.relative_to(ROOT)) for file in (SURVIVORS, MODULES))
    print(f"What lives, and the score of each module, is in {names}", file=sys.stderr)
    if arguments.write:
        put(PAGE, "mutants", figures)


if __name__ == "__main__":
    main()
