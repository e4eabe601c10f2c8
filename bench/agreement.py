"""What it costs to tell whose own the values of a program are, beside its text and its graph.

    python bench/agreement.py [--rounds N] [--write]

Of each example, and of each place of the suite's written programs: the processor time and the
counted steps of what isn't the same on all workers. The graph is built before, and what rules ask
of the training is known. `ast.parse` and the building of the graph stand beside it, timed in the
same turns. Then programs of 1, 2, 4 and 8 times a size: the exponents of the counted steps, and of
the calls that Python's profiler counts, of the last doubling.
"""

from __future__ import annotations

import argparse
import ast
import cProfile
import gc
import math
import platform
import pstats
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.codemods.judge import agreement_programs as written  # noqa: E402

from bench.page import put  # noqa: E402  (run as a script, not as a module)
from bench.shapes import SHAPES  # noqa: E402
from distify.codemods.facts import Facts, training_of  # noqa: E402
from distify.codemods.facts.own_values import owners  # noqa: E402
from distify.codemods.judge.disagreements import disagreements  # noqa: E402
from distify.codemods.judge.own_sources import Sources  # noqa: E402
from distify.codemods.judge.training_steps import steps  # noqa: E402
from distify.codemods.model import Options  # noqa: E402
from distify.codemods.starting.prefilter import may_concern  # noqa: E402

PAGE = ROOT / "docs" / "benchmarks.md"
GOAL = 4.0  # milliseconds a program, on a quiet machine
LINEAR = 1.1
SIZES = (25, 50, 100, 200)
GROWING = (
    *("plain lines", "conditions", "layers called", "callbacks in a list", "optimizers in a loop"),
    *("pipeline in ifs", "pipeline in loops", "tape loops", "calls in a chain", "methods"),
)


class Cost(NamedTuple):
    """Of one program, in milliseconds: reading it, building its graph, and agreement alone."""

    parsed: float
    built: float
    agreed: float
    steps: int


def programs() -> dict[str, str]:
    """The examples, and the suite's written programs: each sink, and each way to one of them."""
    paths = sorted((ROOT / "examples").rglob("*.py"))
    texts = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}
    source = next(iter(written.SOURCES.values()))
    first = next(iter(written.SINKS))
    texts.update((f"written: {sink}", written.program(sink, source)) for sink in written.SINKS)
    texts.update((f"way: {flow}", written.program(first, source, flow)) for flow in written.FLOWS)
    return {name: text for name, text in texts.items() if may_concern(text.encode())}


def prepared(text: str) -> Facts:
    """A program whose graph is built, and of which is known what others ask for, too."""
    facts = Facts.of(text, Options())
    training_of(facts)
    sources = Sources(facts)
    for name in (name for name, each in vars(Sources).items() if hasattr(each, "attrname")):
        getattr(sources, name)
    list(sources.untrained())
    steps(facts)
    owners(facts)
    return facts


def agree(facts: Facts) -> None:
    """Find what isn't the same on all workers, as rules and the judge ask for it."""
    found = disagreements(facts)
    _ = found.found, list(found.unfollowed())


def cost(text: str) -> Cost:
    """The figures of one look."""
    start = time.process_time()
    ast.parse(text)
    parsed = time.process_time()
    facts = Facts.of(text, Options())
    begun = time.process_time()
    _ = facts.program
    built = time.process_time()
    facts = prepared(text)
    before, ready = facts.program.steps, time.process_time()
    agree(facts)
    agreed = time.process_time() - ready
    counted = facts.program.steps - before
    return Cost(1000 * (parsed - start), 1000 * (built - begun), 1000 * agreed, counted)


def costs(texts: Mapping[str, str], rounds: int) -> dict[str, Cost]:
    """The least of each figure in several rounds, the programs in turns."""
    found: dict[str, list[Cost]] = {name: [] for name in texts}
    for _ in range(rounds):
        for name, text in texts.items():
            found[name].append(cost(text))
            gc.collect()
    return {name: Cost(*map(min, zip(*each))) for name, each in found.items()}


def counted(text: str) -> tuple[int, int]:
    """The steps and the calls of a look at one program."""
    facts = prepared(text)
    before, profile = facts.program.steps, cProfile.Profile()
    profile.runcall(agree, facts)
    calls: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    return facts.program.steps - before, calls


def exponent(figures: Iterable[int]) -> float:
    """By which power the figures grew when the program was doubled for the last time."""
    *_, before, last = figures
    return math.log2(max(last, 1) / max(before, 1))


def growth(shape: str) -> tuple[float, float]:
    """The exponents of steps and calls of one shape."""
    pairs = [counted(SHAPES[shape].program(size)) for size in SIZES]
    return exponent(steps for steps, _ in pairs), exponent(calls for _, calls in pairs)


def table(kinds: Mapping[str, list[tuple[str, Cost]]]) -> Iterable[str]:
    """Means and the worst of each kind of program."""
    yield "| programs | mean, ms | worst, ms | steps | beside `ast.parse` | beside the graph |"
    yield "|---|---:|---:|---:|---:|---:|"
    for kind, found in kinds.items():
        parsed, built, agreed, steps = (sum(each) for each in zip(*(cost for _, cost in found)))
        worst, most = max(found, key=lambda pair: pair[1].agreed)
        figures = f"{agreed / len(found):.1f} | {most.agreed:.1f} ({worst})"
        ratios = f"{agreed / parsed:.1f} × | {agreed / built:.2f} ×"
        yield f"| {len(found)} {kind} | {figures} | {steps / len(found):.0f} | {ratios} |"


def page(rounds: int) -> tuple[str, bool]:
    """The figures in Markdown, and whether the goals are met."""
    prepared(next(iter(programs().values())))  # what is imported and compiled once
    found = costs(programs(), rounds).items()
    kinds = {
        "examples": [pair for pair in found if pair[0].startswith("examples")],
        "written programs": [pair for pair in found if not pair[0].startswith("examples")],
    }
    grown = {shape: growth(shape) for shape in GROWING}
    lines = [
        f"Python {platform.python_version()}, the least of {rounds} rounds.",
        "",
        *table(kinds),
    ]
    lines += ["", "| what is doubled three times | steps, exponent | calls, exponent |"]
    lines += ["|---|---:|---:|"]
    lines += [f"| {shape} | {steps:.2f} | {calls:.2f} |" for shape, (steps, calls) in grown.items()]
    is_quick = all(sum(c.agreed for _, c in each) <= GOAL * len(each) for each in kinds.values())
    is_linear = all(power <= LINEAR for powers in grown.values() for power in powers)
    return "\n".join(lines) + "\n", is_quick and is_linear


def main() -> None:
    """Print the tables; an exit code of 1 says that a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    arguments = parser.parse_args()
    gc.disable()
    figures, is_met = page(arguments.rounds)
    print(figures)
    if arguments.write:
        put(PAGE, "agreement", figures)
    raise SystemExit(not is_met)


if __name__ == "__main__":
    main()
