"""**update**: all else that reaches an update is the same on all workers.

Weights that are set beside the steps, numbers of an optimizer, what steers training, which numbers
stand for texts in the data: none of it comes from a worker's own chance or clock. What today's
checks find of rates, steps and ends is found by them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ..library.updates import TARGETS
from ..program.node_fields import within
from .beside import Change
from .case import Case, proved
from .disagreements import Disagreement, disagreements
from .known import OBLIGATION_OF, doubted, findings, placed, proof, proof_at
from .own import EVERY, Level
from .population import Population
from .proof import NOT_PROVED, VIOLATED, Proof
from .set_rates import unscaled
from .sinks import COLLECTIVE, OF_CHANGES, STEP
from .states import States
from .training_steps import Step, steps

if TYPE_CHECKING:
    from ..model import Finding

NAME = "update"
HOW = "what is set beside the steps, and what steers them, comes from what all workers share"
ASSUMED = (
    "what all workers find in files, arguments and the environment is the same",
    "code outside of the project gives the same for the same arguments",
)
_OF_COUNTS = ("K04", "T07")  # the doubts that are looked at here, beside those about orders
STATE = (
    "the training reads this, and each worker computes it from what it has for itself (`{}`): from "
    "the next step on each learns by another one"
)
AVERAGE = "average what comes of the batch first, on every worker: `hvd.allreduce(…)`"
FIX = (
    "draw it alike on all workers (a generator with a seed, made before), or let worker 0 tell it "
    "to all: `hvd.broadcast_object(…, root_rank=0)`"
)


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, and, of a result, whatever is set by a worker's own."""
    answers: dict[Proof, None] = {}
    if case.is_result:
        search = _Search(case)
        answers = dict.fromkeys((*search.answers(), *search.doubted()))
    lines = {(each.path, each.line) for each in answers}
    asked = (each for each in findings(case) if OBLIGATION_OF.get(each.code) == NAME)
    further = [each for each in asked if not _is_told(case, each, lines)]
    found = [*(proof(case, NAME, each) for each in further), *answers]
    yield from found
    if not found:
        yield proved(NAME, HOW, *ASSUMED)


def prove_by_hand(case: Case) -> Iterator[Proof]:
    """Who gets to see what; of rates, steps and ends older checks speak."""
    found = list(_Search(case).orders())
    yield from found or [proved(NAME, HOW, *ASSUMED)]


def _is_told(case: Case, finding: Finding, lines: set[tuple[str, int]]) -> bool:
    """Whether an answer says the same: T07 stands at the draw that reaches its line."""
    line = finding.reaches or finding.line
    return finding.code == "T07" and placed(case.facts, case.entry, line) in lines


class _Search:
    """The changes of one program, and the data that its steps take."""

    def __init__(self, case: Case) -> None:
        self._case, self._facts = case, case.facts
        self._asked = disagreements(case.facts)

    @cached_property
    def _population(self) -> Population:
        return Population(self._facts, lambda: self._asked.owners)

    @cached_property
    def _data(self) -> list[ast.expr]:
        """What the steps are given."""
        return [value for step in steps(self._facts) for value in (*step.data, *_beside(step))]

    def answers(self) -> Iterator[Proof]:
        """What isn't the same on all workers."""
        told: set[ast.AST | None] = set()  # one seed mends all that comes of a draw
        for each in self._asked.found:
            is_known = each.sink in (STEP, COLLECTIVE)  # of these J03 tells
            if not is_known and each.own.kind in EVERY and each.own.source not in told:
                told.add(each.own.source)
                yield self._told(each)
        changes = [*self._asked.beside.changes()]
        yield from (self._doubt(c) for c in changes if not c.is_asked and self._is_open(c))
        yield from self._of_states()
        population = self._population.unlike(self._data)
        for found in (*population, *unscaled(self._facts, changes)):
            verdict = VIOLATED if found.is_certain else NOT_PROVED
            yield proof_at(self._case, NAME, verdict, found.place, found.why, found.fix)

    def _of_states(self) -> Iterator[Proof]:
        """States of a worker's own by which it learns."""
        tree, beside = self._facts.module, self._asked.beside
        states = States(self._facts.program, tree, beside, lambda: self._asked.of_shares)
        for state in states.own():
            why = STATE.format(_spelled(state.batch))
            yield proof_at(self._case, NAME, VIOLATED, state.place, why, AVERAGE)

    def doubted(self) -> Iterator[Proof]:
        """Orders, counts and states that today's checks doubt, where they may differ."""
        yield from self.orders()
        for doubt in doubted(self._case, NAME):
            if doubt.code in _OF_COUNTS and not self._is_alike(doubt):
                yield proof(self._case, NAME, doubt)._replace(verdict=NOT_PROVED)

    def orders(self) -> Iterator[Proof]:
        """Orders of each worker's own that decide who gets to see what."""
        for order in self._population.orders(self._data):
            yield proof_at(self._case, NAME, NOT_PROVED, order.place, order.why, order.fix)

    def _is_alike(self, doubt: Finding) -> bool:
        """Whether all workers have the count, or the data, that a check has not followed.

        Data of code outside is as long on all unless it is told what a worker has for itself.
        """
        if doubt.code == "K04":
            given = [self._asked.owners.rounds(v) for s in steps(self._facts) for v in s.data]
            return all(own.level < Level.OWN for own in given)
        places = (n for n in within(self._facts.module) if isinstance(n, ast.expr))
        found = [n for n in places if self._facts.place(n) == (doubt.line, doubt.column)]
        if any(getattr(getattr(n, "func", n), "attr", "").startswith("assign") for n in found):
            return True  # whether a loss reads a state of its own batches is asked by itself
        return all(self._asked.owners.of(n).level < Level.UNKNOWN for n in found)

    def _is_open(self, change: Change) -> bool:
        """Whether nobody can tell if all workers do it, and alike."""
        asked = (*change.values, *self._asked.beside.tests(change.place))
        found = [self._asked.owners.of(each).level for each in asked]
        return max(found, default=Level.SAME) is Level.UNKNOWN

    def _doubt(self, change: Change) -> Proof:
        sink = OF_CHANGES[change.what]
        why = f"{sink.subject}, and nobody can tell whether all workers do it alike"
        return proof_at(self._case, NAME, NOT_PROVED, change.place, f"{why}: {sink.harm}", FIX)

    def _told(self, each: Disagreement) -> Proof:
        own, sink = each.own, each.sink
        why = f"{sink.subject}, and each worker has its own `{_spelled(own.source)}`: {sink.harm}"
        return proof_at(self._case, NAME, VIOLATED, each.place, why, FIX)


def _beside(step: Step) -> Iterator[ast.expr]:
    """What a step is given beside its inputs: targets and weights of examples."""
    if step.is_fit or step.call.args[1:]:
        yield from step.call.args[1:3]
        yield from (k.value for k in step.call.keywords if k.arg in TARGETS)


def _spelled(node: ast.AST | None) -> str:
    if isinstance(node, ast.arg):
        return node.arg
    return ast.unparse(node) if isinstance(node, ast.expr) else "numbers"
