"""size: a step is as long as the examples that it covers, in the number N of workers.

Units, as in physics: the exponent of N of the rate and of the reduction, less that of what the loss
is divided by, is that of the examples of a step: 1 where the workers' batches hold other rows (a
share, picks of each worker's own, an order of its own), 0 where all have the same. A rate that is
kept is right by a person's word.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts.declared import has_own_rows, keeps_rate
from .case import Case, proved
from .exponents import POWERS
from .known import proof_at, wrapped
from .proof import NOT_PROVED, VIOLATED, Proof
from .rows import ALIKE, OTHERS, Rows, RowsOf, met
from .training_steps import Step, steps

if TYPE_CHECKING:
    from ..facts import Facts

NAME = "size"
_READ = Rows.FIXED | Rows.SAME
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
KEPT_HOW = "no learning rate grows with the number of workers"
HOW = "each rate that grows with the workers belongs to steps whose batches hold other examples on each"
TAKEN = "the lines with `# distify: rows=own` give each worker examples of its own"
SAME = (
    "every worker trains on the same examples in each step here, and the learning rate grows with "
    "the number of workers: it is that many times too large, and nothing gets faster"
)
UNKNOWN = (
    "nobody can tell which examples each worker trains on here, and the learning rate grows with "
    "the number of workers: it is that many times too large if they are the same"
)
WAYS = (
    "give each worker its share where the data is made (`x[hvd.rank()::hvd.size()]`, "
    "`.shard(hvd.size(), hvd.rank())`); say `# distify: rows=own` in this line if each has its own "
    "already; keep the rate, with `# distify: rate=kept` in the line of the optimizer or "
    'learning-rate = "none"; or train on one device'
)


def prove(case: Case) -> Iterator[Proof]:
    """Violated where steps on the same rows have a scaled rate, not proved where nobody can tell."""
    yield from wrapped(case, NAME)
    sizes = _Sizes(case)
    if not sizes.grows:
        yield proved(NAME, KEPT_HOW)
        return
    failures = list(sizes.failures())
    yield from failures
    if not failures:
        yield proved(NAME, HOW, *sizes.assumed)


class _Sizes:
    """The rates and steps of one program."""

    def __init__(self, case: Case) -> None:
        self._case, self._facts = case, case.facts
        self._rows = RowsOf(self._facts.program)
        self.assumed: list[str] = []

    @property
    def grows(self) -> bool:
        """Whether any rate grows with the workers."""
        program = self._facts.program
        return any(max(program.value(POWERS, rate), default=0) > 0 for rate in rates(self._facts))

    def failures(self) -> Iterator[Proof]:
        """The steps on rows that are the same, or that nobody can tell."""
        for step in steps(self._facts):
            found = self._found(step)
            if found & ~OTHERS:
                is_same = not found & ~ALIKE
                verdict, why = (VIOLATED, SAME) if is_same else (NOT_PROVED, UNKNOWN)
                yield proof_at(self._case, NAME, verdict, step.call, why, WAYS)

    def _found(self, step: Step) -> Rows:
        """The rows of a step, without the ways on which there are none."""
        if not self._case.options.shard or self._is_said(step):
            self.assumed += [TAKEN] if self._is_said(step) else []
            return Rows.SHARE
        rows = met(map(self._rows.of, step.data)) if step.data else Rows.UNKNOWN
        rows = rows & ~(Rows.NONE | Rows.FIXED) or rows
        if rows & _READ and step.is_fit and self._shuffles(step):
            rows = (rows & ~_READ) | Rows.ORDERED
        if rows & Rows.UNKNOWN and self._is_seen(step):
            rows = (rows & ~Rows.UNKNOWN) | Rows.SHARE
        return rows or Rows.UNKNOWN

    def _is_said(self, step: Step) -> bool:
        """Whether a person says that the rows of a step are each worker's own."""
        around = (each for each in self._facts.parents(step.call) if isinstance(each, _LOOPS))
        return any(has_own_rows(self._facts, node) for node in (step.call, *step.data, *around))

    def _shuffles(self, step: Step) -> bool:
        """Whether Keras puts arrays into an order of each worker's own before it takes batches."""
        from ..facts.data.arrays import is_array
        from ..facts.data.full_fits import full_fits
        from ..facts.training import fits

        shuffle = fits.argument(self._facts, step.call, "shuffle")
        is_on = shuffle is None or (isinstance(shuffle, ast.Constant) and shuffle.value is True)
        if not is_on or self._rows.is_seeded or step.call in full_fits(self._facts):
            return False
        return all(is_array(self._facts, each) for each in step.data)

    def _is_seen(self, step: Step) -> bool:
        """Whether the worker's number cuts something that the data is made of, or chance picks it."""
        made = self._facts.program.ingredients_of(step.data)
        return any(map(self._rows.cuts, made))


def rates(facts: Facts) -> Iterator[ast.AST]:
    """Whatever says how large a step is: of optimizers, schedules, callbacks, what is assigned."""
    from ..facts.optimizers import schedules
    from ..facts.optimizers.rate_arguments import given_rate, rate_arguments
    from ..facts.optimizers.rate_settings import assigned, scheduled

    for call, argument in rate_arguments(facts):
        rate = given_rate(facts, call, argument)
        if rate is not None and not keeps_rate(facts, call):
            yield rate
    for cls in schedules.outer_classes(facts):
        yield from schedules.rates_of(facts, cls)
    yield from scheduled(facts)
    yield from assigned(facts)
