"""Every example, migrated with the command line, trains in step on two and on three workers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SLACK = 4  # a last batch that isn't full, in each of at most four epochs


@dataclass(frozen=True)
class Case:
    """What is special about an example; most have nothing special."""

    layered: bool = True  # there is a Keras model, whose inputs the probe sees
    noise: bool = False  # the model is also fed with random numbers


SPECIAL = {
    "tape_bare_variables": Case(layered=False),
    "tape_gan": Case(noise=True),
    "tape_gradient_penalty": Case(noise=True),
}


@dataclass(frozen=True)
class Exact:
    """A deterministic program with plain SGD, and how it is told batch, rate and examples."""

    batch: int
    rate: float
    by_environment: bool = False

    def options(self, workers: int) -> dict[str, Any]:
        """Those that make one process do what `workers` processes do by default."""
        values = (self.batch * workers, self.rate * workers, 1001 // workers * workers)
        names = ("batch-size", "learning-rate", "examples")
        if self.by_environment:
            names = tuple(name.upper().replace("-", "_") for name in names)
            return {"environment": {n: str(v) for n, v in zip(names, values)}}
        return {"arguments": [f"--{n}={v}" for n, v in zip(names, values)]}


EXACT = {
    "keras_fit_arrays": Exact(25, 0.02),
    "keras_fit_dataset": Exact(25, 0.02),
    "tape_module_level": Exact(20, 0.05, by_environment=True),
    "tape_trainer_class": Exact(30, 0.03),
}

each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory, launch: Any) -> Callable[[Path], Any]:
    """Runs an original on one process, once."""
    runs: dict[Path, Any] = {}

    def once(program: Path) -> Any:
        if program not in runs:
            runs[program] = launch(program, folder=tmp_path_factory.mktemp("original"))
        return runs[program]

    return once


def check_shards(result: Any, before: Any, case: Case) -> None:
    """No two workers trained on the same example, and together they saw what one process sees."""
    shards = [rank.examples for rank in result.ranks]
    assert all(shards), "a worker trained on nothing"
    union = frozenset().union(*shards)
    assert sum(map(len, shards)) == len(union), "the workers' shards overlap"
    if not case.noise:
        assert len(union) >= 0.85 * len(before.ranks[0].examples), "examples were lost"


def check_steps(result: Any, before: Any, workers: int) -> None:
    for after, once in zip(result.ranks[0].steps, before.ranks[0].steps):
        assert abs(after - once / workers) <= SLACK, f"{once} steps became {after}"


@each_example
def test_the_original_runs(example: Path, original: Callable[[Path], Any]) -> None:
    result = original(example)
    assert result.code == 0, result.output[-3000:]
    assert min(result.ranks[0].steps) > 0


@each_example
@pytest.mark.parametrize("workers", [2, 3])
def test_trains_in_step(
    example: Path, workers: int, migrate: Any, original: Any, run: Any, in_step: Any
) -> None:
    case = SPECIAL.get(example.stem, Case())
    program = migrate(example)
    # Exact programs seed themselves: with two workers they keep their own initial weights.
    perturb = not (workers == 2 and example.stem in EXACT)
    result = run(program, workers=workers, perturb=perturb)
    in_step(result, workers)
    check_steps(result, original(example), workers)
    if case.layered:
        check_shards(result, original(example), case)
    if example.stem in EXACT and not perturb:
        check_equivalent(run, example, result)


def check_equivalent(run: Any, example: Path, result: Any) -> None:
    """N workers x B and one process with N x B (and an N times higher rate) end alike."""
    options = EXACT[example.stem].options(len(result.ranks))
    arguments = options.pop("arguments", [])
    alone = run(example, *arguments, **options)
    assert alone.code == 0, alone.output[-3000:]
    once, many = alone.ranks[0], result.ranks[0]
    assert once.steps == many.steps
    trained = [name for name in once.values if "-trainable-" in name]
    assert trained
    for name in trained:
        np.testing.assert_allclose(once.values[name], many.values[name], atol=1e-5, rtol=0)


def test_the_tables_name_examples_that_exist() -> None:
    stems = {path.stem for path in EXAMPLES}
    assert set(SPECIAL) | set(EXACT) <= stems
    assert len(stems) >= 14
