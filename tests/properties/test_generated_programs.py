"""The promises of the architecture, over programs that Hypothesis writes.

`make test` runs the same 60 each time, `make test-nightly` the same 1,000 and other 20,000. A
program counts once, however often it is drawn.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest
from hypothesis import HealthCheck, event, given, seed, settings

from distify.codemods import rewrites
from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE
from properties.program import NOTHING, TRAINS, Program
from properties.programs import programs
from properties.verdict import OF_ALL, Seen, judge
from repeated import migrated

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = 1_000
SHARDS = 4
# The profile for the night asks for more examples of every test.
FACTOR = 20 if settings.default and settings.default.max_examples > 100 else 1
EACH = PROGRAMS * FACTOR // SHARDS
SAMPLE = 60

# What is measured of the rules' own code comes from their own tests, four times as fast.
uncovered = pytest.mark.no_cover
slow = pytest.mark.slow


def shard(number: int, seen: Seen, count: int) -> Callable[[], None]:
    """A property over so many of a share of the programs, which it also counts."""

    @settings(
        max_examples=count * 3 // 2,  # some are drawn twice
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(programs())
    def every_promise_holds(program: Program) -> None:
        event(f"family: {program.family}")
        if program.text in seen.texts or len(seen.texts) == count:
            return
        migration = judge(program, seen)
        for step in migration.steps if migration else ():
            event(f"rule: {step.code}")
        for finding in migration.blocked if migration else ():
            event(f"finding: {finding.code}")

    return seed(number)(every_promise_holds) if FACTOR == 1 else every_promise_holds


@uncovered
@pytest.mark.parametrize(
    ("number", "count"),
    [(0, SAMPLE), *(pytest.param(n, EACH, marks=slow) for n in range(SHARDS))],
)
def test_every_promise_holds(number: int, count: int) -> None:
    seen = Seen()
    shard(number, seen, count)()
    assert len(seen.texts) == count, f"{len(seen.texts)} programs: the generator repeats itself"
    trained = seen.kinds[TRAINS]
    assert seen.changed >= 0.8 * trained, seen
    assert 0.2 <= 1 - trained / count <= 0.65, seen.kinds
    assert seen.kinds[NOTHING] >= 0.05 * count, seen.kinds
    assert len(seen.rules) >= 12, seen.rules
    assert len(seen.findings) >= 5, seen.findings


def some(count: int) -> list[Program]:
    """The same programs in every run."""
    found: list[Program] = []

    @seed(99)
    @settings(max_examples=count)
    @given(programs())
    def collect(program: Program) -> None:
        found.append(program)

    collect()
    return found


@pytest.mark.slow
@uncovered
def test_every_rule_has_its_turn() -> None:
    # Two have to be asked for, and no program here has a session, as examples/tf1 have.
    left = {rule.code for rule in rewrites.all() if not rule.code.startswith("D4")}
    left -= {RECOMPUTE, "D208"}
    for program in some(400):
        if left and program.kind == TRAINS:
            left -= {step.code for step in migrate(program.text, program.options).steps}
    assert not left


DIGEST = """
import hashlib, json, sys
from distify.codemods.migrate import migrate
from distify.codemods.model import Options, SyntaxProblem
total = hashlib.sha256()
for text, tensorflow in json.load(sys.stdin):
    try:
        told = repr(migrate(text, Options(tensorflow=tuple(tensorflow))))
    except SyntaxProblem as problem:
        told = repr(problem)
    total.update(told.encode())
print(total.hexdigest())
"""


@pytest.mark.slow
@uncovered
def test_the_seed_of_hashes_changes_nothing() -> None:
    batch = json.dumps([(p.text, p.options.tensorflow) for p in some(100)])
    told = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            input=batch,
            env={"PYTHONHASHSEED": hash_seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "4294967295")
    }
    assert len(told) == 1


# Sessions, Keras 3 and projects have forms that no generated program has.
@uncovered
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_the_oracles_know_the_examples(path: Path) -> None:
    for promise in OF_ALL:
        promise(migrated(path))


def test_a_generator_of_its_own_spells_everything() -> None:
    """The surface that is asked for is there: else the promises are kept too easily."""
    texts = "".join(program.text for program in some(300))
    for part in (
        "\t",
        "\r\n",
        "\f",
        "\ufeff",
        "; ",
        " \\\n",
        "async ",
        ":= ",
        "nonlocal ",
        "größe",
    ):
        assert part in texts, part
