"""Migrates every file of the pinned corpus in memory and checks the promises on each.

Nothing may crash; what is no Python is named with the line; a result compiles, a second run leaves
it alone, and outside of its places it is the original (`outside.py` judges that, not distify);
the search of the bytes refuses no file that would change; the concrete tree of every file gives
back its text; Horovod's own package comes out byte for byte.
"""

from __future__ import annotations

import argparse
import datetime
import difflib
import platform
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.corpus import corpus  # noqa: E402  (run as a script, not as a module)
from bench.outside import differences  # noqa: E402
from bench.page import PAGE, put  # noqa: E402
from distify.assistant.files.source import Unreadable, decode  # noqa: E402
from distify.codemods.migrate import migrate  # noqa: E402
from distify.codemods.model import Migration, Options, SyntaxProblem  # noqa: E402
from distify.codemods.starting.prefilter import may_train  # noqa: E402
from distify.codemods.syntax import Source, parse  # noqa: E402

UNTOUCHED = "horovod"  # the package that is Horovod already


@dataclass
class Result:
    """What became of one file: an outcome, what went wrong, and what was decided."""

    file: Path
    outcome: str = ""
    wrong: list[str] = field(default_factory=list)
    migration: Migration | None = None
    why: str = ""

    @property
    def rules(self) -> list[str]:
        return [step.code for step in self.migration.steps] if self.migration else []

    @property
    def reasons(self) -> set[str]:
        return {f.code for f in self.migration.blocked} if self.migration else set()


def examine(file: Path, package: str) -> Result:
    """Everything that is promised of one file; never raises for what distify does."""
    result = Result(file)
    data = file.read_bytes()
    try:
        text = decode(data).text
        result.migration = migration = migrate(text, name=file.name)
        result.wrong += judge(migration, may_train(data))
        result.wrong += round_trip(text)
    except (Unreadable, SyntaxProblem) as error:
        result.outcome, result.why = "no Python 3", f"{error} (line {error.line})"
        return result
    except Exception:  # whatever it is, it is a defect, and the next file is to be examined, too
        result.outcome, result.wrong = "crashed", [traceback.format_exc()]
        return result
    if package == UNTOUCHED and migration.after.encode(decode(data).encoding) != data:
        result.wrong.append("Horovod itself was changed")
    result.outcome = outcome(migration)
    return result


def outcome(migration: Migration) -> str:
    if migration.skipped:
        return migration.skipped
    return "blocked" if migration.blocked else "changed" if migration.steps else "nothing to do"


def judge(migration: Migration, searched: bool, looks: bool = True) -> Iterator[str]:
    """What is wrong with a result; `looks`: who only looks is asked, too."""
    if migration.blocked and not searched:
        yield "the search of the bytes refuses a file that has findings"
    if (
        looks
        and migrate(migration.before, Options(only_look=True)).changing_rules
        != migration.changing_rules
    ):
        yield "who only looks is told of other changes"
    if not migration.steps:
        return
    after = migration.after
    if not searched:
        yield "the search of the bytes refuses a file that changes"
    compile(after.lstrip("\ufeff"), "result", "exec", dont_inherit=True)
    if migrate(after).after != after:
        yield "a second run changes the result"
    places = [place for step in migration.steps for place in step.places]
    yield from differences(migration.before, after, places)


def round_trip(text: str) -> Iterator[str]:
    if str(parse(text, Source(text).module)) != text:
        yield "the concrete tree does not give back the text"


def examine_all(folder: Path) -> dict[str, list[Result]]:
    """Every file, by package."""
    found: dict[str, list[Result]] = {}
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = sorted(package.rglob("*.py"))
        found[package.name] = [examine(file, package.name) for file in files]
        print(f"{package.name}: {len(files):,}", file=sys.stderr, flush=True)
    return found


def table(found: dict[str, list[Result]]) -> list[str]:
    """Files of each package by outcome."""
    counts = {name: Counter(r.outcome for r in results) for name, results in found.items()}
    total = Counter(r.outcome for results in found.values() for r in results)
    columns = sorted(total, key=lambda outcome: -total[outcome])
    lines = [
        "| package | files | " + " | ".join(columns) + " | wrong |",
        "|---|" + "---:|" * (len(columns) + 2),
    ]
    wrong = {name: sum(bool(r.wrong) for r in results) for name, results in found.items()}
    wrong["**all**"] = sum(wrong.values())
    for name, count in [*counts.items(), ("**all**", total)]:
        cells = [sum(count.values()), *(count[column] for column in columns), wrong[name]]
        lines.append(f"| {name} | " + " | ".join(f"{cell:,}" for cell in cells) + " |")
    return lines


def tally(title: str, counts: Counter[str]) -> str:
    return f"{title}: " + ", ".join(f"{code} {n}" for code, n in sorted(counts.items())) + "."


def report(found: dict[str, list[Result]], seconds: float) -> str:
    """The figures of a run, in Markdown."""
    everything = [result for results in found.values() for result in results]
    rules = Counter(code for result in everything for code in result.rules)
    reasons = Counter(code for result in everything for code in result.reasons)
    unread = [f"- `{r.file.name}`: {r.why}" for r in everything if r.outcome == "no Python 3"]
    today, version = datetime.date.today().isoformat(), platform.python_version()
    parts = [
        f"{today}, Python {version}, {seconds:.0f} seconds on one core.",
        "\n".join(table(found)),
        tally("Files that a rule changes", rules),
        tally("Files that a restriction blocks (some have several reasons)", reasons),
        "\n".join([f"No Python 3, and named as such: {len(unread)} files.", *unread]),
    ]
    return "\n\n".join(parts) + "\n"


def show_diffs(found: dict[str, list[Result]]) -> Iterator[str]:
    for result in (r for results in found.values() for r in results if r.rules and r.migration):
        assert result.migration is not None
        texts = [result.migration.before, result.migration.after]
        old, new = (text.splitlines(keepends=True) for text in texts)
        yield from difflib.unified_diff(old, new, str(result.file), str(result.file))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="put the figures into the page")
    parser.add_argument("--diffs", type=Path, help="a file for the diffs of all that changes")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # the corpus has its share of invalid escapes
    start = time.process_time()
    found = examine_all(corpus())
    figures = report(found, time.process_time() - start)
    print(figures)
    if arguments.diffs:
        arguments.diffs.write_text("".join(show_diffs(found)), encoding="utf-8")
    wrong = [(r.file, text) for results in found.values() for r in results for text in r.wrong]
    for file, text in wrong:
        print(f"{file}: {text}", file=sys.stderr)
    if wrong:
        raise SystemExit(f"{len(wrong)} promises are broken")
    if arguments.write:
        put(PAGE, "corpus", figures)


if __name__ == "__main__":
    main()
