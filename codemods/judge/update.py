"""**update**: all else that reaches an update is the same on all workers.

Weights that are set beside the steps, numbers of an optimizer, what steers training, which numbers
stand for texts in the data: none of it comes from a worker's own chance or clock. What today's
checks find of rates, steps and ends is found by them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ..library.files import asks_for_existence
from ..library.updates import TARGETS
from ..program.node_fields import within
from .amounts import Amounts
from .beside import LOGS, NUMBER, WEIGHTS, Beside, Change
from .case import Case, proved
from .known import doubted, proof, proof_at, wrapped
from .own import ALL_KINDS, SAME, Level, Own, Owners
from .population import Population
from .proof import NOT_PROVED, VIOLATED, Proof
from .set_rates import unscaled
from .sinks import EVERY, GRADIENTS, STOP, Reached, Sinks
from .states import States
from .training_steps import Step, steps

if TYPE_CHECKING:
    from ..model import Finding
    from ..program.program import Program

NAME = "update"
HOW = "what is set beside the steps, and what steers them, comes from what all workers share"
ASSUMED = (
    "what all workers find in files, arguments and the environment is the same",
    "code outside of the project gives the same for the same arguments",
)
KINDS, MODEL = EVERY, "model"
_OF_COUNTS = ("K04", "T07")  # the doubts that are looked at here, beside those about orders
_SUBJECTS: Mapping[str, str] = {
    WEIGHTS: "this sets weights while the model trains",
    NUMBER: "this is a number of the optimizer while the model trains",
    LOGS: "this steers the training, behind the callback that averages",
}
_HARM: Mapping[str, str] = {
    WEIGHTS: "the models of the workers drift apart",
    NUMBER: "the models of the workers drift apart",
    LOGS: "one worker ends, or slows down, before the others, which wait for ever or drift apart",
}
AMOUNT = (
    "how many examples there are hangs on each worker's own `{}`: the workers would take different "
    "numbers of steps, and wait for ever"
)
STATE = (
    "the training reads this, and each worker computes it from what it has for itself (`{}`): from "
    "the next step on each learns by another one"
)
AVERAGE = "average what comes of the batch first, on every worker: `hvd.allreduce(…)`"
FIX = (
    "draw it alike on all workers (a generator with a seed, made before), or let worker 0 tell it "
    "to all: `hvd.broadcast_object(…, root_rank=0)`"
)
BY_MEANS = (
    "decide by what is averaged: the `logs` of `on_epoch_end`, or `hvd.allreduce(…)` of the value; "
    "or let worker 0 tell it to all: `hvd.broadcast_object(…, root_rank=0)`"
)


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, and, of a result, whatever is set by a worker's own."""
    found = list(wrapped(case, NAME))
    if case.is_result:
        search = _Search(case)
        found += dict.fromkeys((*search.answers(), *search.doubted()))
    yield from found
    if not found:
        yield proved(NAME, HOW, *ASSUMED)


def prove_by_hand(case: Case) -> Iterator[Proof]:
    """Who gets to see what; of rates, steps and ends older checks speak."""
    found = list(_Search(case).orders())
    yield from found or [proved(NAME, HOW, *ASSUMED)]


class _Search:
    """The changes of one program, and the data that its steps take."""

    def __init__(self, case: Case) -> None:
        self._case, self._facts = case, case.facts
        self._program: Program = case.facts.program

    @cached_property
    def _owners(self) -> Owners:
        return self._asked(KINDS)

    @cached_property
    def _askers(self) -> Owners:
        """The same, of what each worker asks its own model, or sees of its own batches, too."""
        return self._asked(KINDS | {MODEL})

    def _asked(self, kinds: frozenset[str]) -> Owners:
        nodes = list(within(self._facts.module))
        is_in_order = self._facts.joined is None
        return Owners(self._program, nodes, kinds, is_in_order, self._beside.averages)

    @cached_property
    def _beside(self) -> Beside:
        return Beside(self._program, self._facts.module)

    @cached_property
    def _amounts(self) -> Amounts:
        return Amounts(self._program, self._owners)

    @cached_property
    def _population(self) -> Population:
        return Population(self._facts, lambda: self._owners)

    @cached_property
    def _data(self) -> list[ast.expr]:
        """What the steps are given."""
        return [value for step in steps(self._facts) for value in (*step.data, *_beside(step))]

    def answers(self) -> Iterator[Proof]:
        """What isn't the same on all workers."""
        beside = self._beside
        changes = list(beside.changes())
        for change in changes:
            own = self._worst(beside, change)
            if own.level >= (Level.OWN if change.is_asked else Level.UNKNOWN):
                yield self._told(change, own)
        yield from self._before(beside)
        yield from self._counted()
        yield from self._of_states(beside)
        population = self._population.unlike(self._data)
        for found in (*population, *unscaled(self._facts, changes)):
            verdict = VIOLATED if found.is_certain else NOT_PROVED
            yield proof_at(self._case, NAME, verdict, found.place, found.why, found.fix)

    def _of_states(self, beside: Beside) -> Iterator[Proof]:
        """States of a worker's own by which it learns."""
        tree = self._facts.module

        def owners() -> Owners:
            return self._askers_of_data

        for state in States(self._program, tree, beside, owners).own():
            why = STATE.format(_spelled(state.batch))
            yield proof_at(self._case, NAME, VIOLATED, state.place, why, AVERAGE)

    @cached_property
    def _askers_of_data(self) -> Owners:
        """Whose own a value is, if each worker has its share of the data."""
        return self._asked(ALL_KINDS)

    def _before(self, beside: Beside) -> Iterator[Proof]:
        """What a worker has for itself where all must train one model in one way."""
        fits = [step.call for step in steps(self._facts) if step.is_fit]
        told: set[ast.AST | None] = set()  # one seed mends all that comes of a draw
        for each in Sinks(self._program, self._facts.module, beside).reached(fits):
            own = self._reaching(each)
            if own is not None and own.source not in told:
                told.add(own.source)
                subject, harm = each.sink.subject, each.sink.harm
                why = f"{subject}, and each worker has its own `{_spelled(own.source)}`: {harm}"
                yield proof_at(self._case, NAME, VIOLATED, each.place, why, FIX)

    def _counted(self) -> Iterator[Proof]:
        """Data of which each worker has its own number of examples, before any of it is cut."""
        fits = [value for step in steps(self._facts) if step.is_fit for value in step.data]
        for each in (*fits, *(loop.iter for loop in self._beside.loops)):
            own = self._amounts.of(each)
            if own.level is Level.OWN:
                why = AMOUNT.format(_spelled(own.source))
                yield proof_at(self._case, NAME, VIOLATED, each, why, FIX)

    def _reaching(self, each: Reached) -> Own | None:
        """What is a worker's own of what gets to a sink; None where nothing is that counts."""
        found = [self._owners.of(value) for value in each.values]
        found += [_by_value(test, self._owners.of(test)) for test in each.tests]
        first = self._beside.first_numbers if each.sink is GRADIENTS else frozenset()
        found = [own for own in found if own.source not in first]
        found += [*self._seen_at_times(each)] if each.sink is STOP else []
        own = (o for o in found if o.level is Level.OWN and o.kind in each.sink.kinds)
        return next(own, None)

    def _seen_at_times(self, each: Reached) -> Iterator[Own]:
        """Whether a file is there, which each worker asks at a time of its own while it trains."""
        is_late = self._beside.is_while_training(each.place)
        nodes = (n for v in (*each.values, *each.tests) for n in self._program.ingredients(v))
        for node in nodes if is_late else ():
            names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
            if any(asks_for_existence(name, is_method=False) for name in names):
                yield Own(Level.OWN, "clock", node)

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
            given = [self._owners.rounds(v) for s in steps(self._facts) for v in s.data]
            return all(own.level < Level.OWN for own in given)
        places = (n for n in within(self._facts.module) if isinstance(n, ast.expr))
        found = [n for n in places if self._facts.place(n) == (doubt.line, doubt.column)]
        if any(getattr(getattr(n, "func", n), "attr", "").startswith("assign") for n in found):
            return True  # whether a loss reads a state of its own batches is asked by itself
        return all(self._owners.of(n).level < Level.UNKNOWN for n in found)

    def _worst(self, beside: Beside, change: Change) -> Own:
        """Whose own a change is: what is set, and whether it is."""
        asked = (*change.values, *beside.tests(change.place))
        own = max(map(self._owners.of, asked), key=lambda own: own.level, default=SAME)
        if own.level < Level.OWN and beside.is_in_hook(change.place):
            found = (self._askers.of(each) for each in asked)
            own = next((o for o in found if o.level is Level.OWN and o.kind == MODEL), own)
        return own

    def _told(self, change: Change, own: Own) -> Proof:
        is_own = own.level is Level.OWN
        subject, harm = _SUBJECTS[change.what], _HARM[change.what]
        if is_own:
            why = f"{subject}, and each worker does it by its own `{_spelled(own.source)}`: {harm}"
        else:
            why = f"{subject}, and nobody can tell whether all workers do it alike, else {harm}"
        verdict = VIOLATED if is_own else NOT_PROVED
        fix = BY_MEANS if own.kind == MODEL else FIX
        return proof_at(self._case, NAME, verdict, change.place, why, fix)


def _beside(step: Step) -> Iterator[ast.expr]:
    """What a step is given beside its inputs: targets and weights of examples."""
    if step.is_fit or step.call.args[1:]:
        yield from step.call.args[1:3]
        yield from (k.value for k in step.call.keywords if k.arg in TARGETS)


def _by_value(test: ast.expr, own: Own) -> Own:
    """What a test asks; whether there is anything in a list says nothing of its order."""
    test = test.operand if isinstance(test, ast.UnaryOp) else test
    is_bare = not isinstance(test, (ast.Compare, ast.BoolOp))
    return SAME if own.kind == "order" and is_bare else own


def _spelled(node: ast.AST | None) -> str:
    if isinstance(node, ast.arg):
        return node.arg
    return ast.unparse(node) if isinstance(node, ast.expr) else "numbers"
