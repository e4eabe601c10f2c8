"""What of a program's training isn't the same on all workers: each sink that something gets to.

Asked of a result, and of a program that is yet to be rewritten: of that as if its steps waited for
all workers, and as if each worker had batches of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ..library.agreement import lists
from ..library.file_effects import asks_for_existence
from ..program.node_fields import within
from ..program.records import NamedTuple
from .amounts import Amounts
from .beside import Beside
from .fillings import Fillings
from .meetings import PERHAPS, Meetings
from .meetings import STEP as A_STEP
from .own import ALL_KINDS, EVERY, SAME, Level, Own, Owners
from .own_sources import WEIGHTS, Sources
from .sinks import (
    AMOUNT,
    COLLECTIVE,
    EXAMPLES,
    FOUND,
    GRADIENTS,
    LAYERS,
    OF_BATCHES,
    ROUNDS,
    STEP,
    UNTRAINED,
    WEIGHTS_SET,
    WHICH,
    Reached,
    Sink,
    Sinks,
)
from .splits import Search, Split
from .training_steps import steps

if TYPE_CHECKING:
    from ..facts import Facts


_CHOOSING = (ast.If, ast.IfExp, ast.Try)
_TESTING = (ast.If, ast.While, ast.IfExp, ast.Compare, ast.BoolOp, ast.UnaryOp)


class Disagreement(NamedTuple):
    """A sink, at `place`, that a `value` gets to of which workers have their `own`.

    `is_test`: it doesn't go in there, but decides whether the place is reached. A number stands for
    how often a loop goes round.
    """

    sink: Sink
    place: ast.AST
    value: ast.AST | int
    own: Own
    is_test: bool = False


def disagreements(facts: Facts) -> Disagreements:
    """Those of a program, whose answers several questions ask for."""
    return facts.record(Disagreements)


class Disagreements:
    """Those of one program."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._program = facts, facts.program
        self._sources = Sources(facts)

    @cached_property
    def _meetings(self) -> Meetings:
        return Meetings(self._program, [self._facts.module], self._sources.steps)

    @cached_property
    def beside(self) -> Beside:
        """What the program changes beside its steps."""
        applied = self._sources.applied
        return Beside(self._program, self._meetings, self._facts.module, applied)

    @cached_property
    def owners(self) -> Owners:
        """Whose own values are, but for what comes of batches."""
        return self._asked(EVERY | {FOUND}) if self._lengths else self._valued

    @cached_property
    def askers(self) -> Owners:
        """The same of what comes of a worker's own batches, too."""
        return self._asked(EVERY | OF_BATCHES | {FOUND})

    @cached_property
    def weights(self) -> Owners:
        """Which values come of weights from before the broadcast."""
        return self._asked(frozenset({WEIGHTS}), self._sources.early_weights)

    @cached_property
    def _by_rank(self) -> Owners:
        """Which values a worker has by its number."""
        return self._asked(frozenset({"rank"}), {})

    @cached_property
    def _deciders(self) -> Owners:
        """The same, and of weights that are read before the first step of a loop."""
        early = self._sources.early_reads(self._is_behind_step)
        if not early:
            return self.askers
        own: dict[ast.AST, str | Own] = {**self._own, **self._lengths}
        own.update(dict.fromkeys(early, WEIGHTS))
        return self._asked(EVERY | OF_BATCHES | {FOUND, WEIGHTS}, own)

    @cached_property
    def of_shares(self) -> Owners:
        """Whose own a value is, if each worker has its share of the data."""
        return self._asked(ALL_KINDS)

    @cached_property
    def of_batches(self) -> Owners:
        """Which values come of a worker's own batches, what layers are called with among these."""
        return self._asked(OF_BATCHES, {**self._sources.own, **self._sources.inputs})

    @cached_property
    def amounts(self) -> Amounts:
        """How many elements values have, and by what."""
        is_same = self.owners is self._valued
        return self._valued_amounts if is_same else self._amounts_of(self.owners)

    @cached_property
    def _valued_amounts(self) -> Amounts:
        return self._amounts_of(self._valued)

    def _amounts_of(self, owners: Owners) -> Amounts:
        return Amounts(self._program, owners, self.fillings)

    @cached_property
    def _valued(self) -> Owners:
        """Whose own values are, but for the numbers of elements that are asked for."""
        return self._asked(EVERY | {FOUND}, self._own)

    @cached_property
    def _lengths(self) -> dict[ast.AST, Own]:
        """Where it is asked how many elements there are, and each worker has its own number."""
        return dict(self._valued_amounts.lengths(self._meetings.nodes))

    @cached_property
    def fillings(self) -> Fillings:
        """By which tests containers are filled."""
        return Fillings(self._program, self.beside)

    @cached_property
    def _own(self) -> dict[ast.AST, str]:
        """What is a worker's own, and what it finds on a disk at a time of its own."""
        calls = (call for call in self._meetings.calls if self._looks(call))
        late = (call for call in calls if self.beside.is_while_training(call))
        return {**self._sources.own, **dict.fromkeys(late, FOUND)}

    def _looks(self, call: ast.Call) -> bool:
        """Whether it asks if a file is there, or how many there are."""
        names = self._program.names(call.func)
        if any(asks_for_existence(name, is_method=False) for name in names):
            return True
        if not isinstance(self.beside.parents.get(call), _TESTING):
            return False
        is_len = "builtins.len" in names and bool(call.args)
        listed = call.args[0] if is_len else call
        listing = self._program.names(listed.func) if isinstance(listed, ast.Call) else ()
        return any(map(lists, listing))

    def _asked(
        self, kinds: frozenset[str], own: Mapping[ast.AST, str | Own] | None = None
    ) -> Owners:
        return Owners(
            *(self._program, kinds, self._facts.joined is None),
            told=self.beside.averages | self._sources.gradients | self._sources.told,
            own={**self._own, **self._lengths} if own is None else own,
            is_averaged=bool(self._sources.steps),
        )

    @cached_property
    def found(self) -> tuple[Disagreement, ...]:
        """All of them, each sink and value once."""
        every = (*self._splits(), *self._counted(), *self._reached(), *self._untrained())
        return tuple(dict.fromkeys(each for each in every if not self._is_told(each)))

    def unfollowed(self) -> Iterator[ast.expr]:
        """What training loops run over, of which nobody knows if all go as many rounds."""
        for loop in self.beside.loops:
            is_unknown = self.askers.rounds(loop.iter).level is Level.UNKNOWN
            if is_unknown and loop.iter not in self._sources.told_rounds:
                yield loop.iter

    def _is_told(self, each: Disagreement) -> bool:
        """Whether a rule lets worker 0 tell it."""
        places = (each.value, each.place, getattr(each.place, "iter", None))
        return each.sink in (STEP, AMOUNT) and not self._sources.told_rounds.isdisjoint(places)

    def _splits(self) -> Iterator[Disagreement]:
        """The tests that lead some workers past a step."""
        if not self._meetings.certain:
            return
        parents = self.beside.parents
        trees = [self._facts.module]
        search = Search(self._program, trees, parents, self._meetings, lambda: self._deciders)
        for split in search.splits():
            is_stop = isinstance(split.place, ast.stmt)  # STOP tells
            is_other = isinstance(split.test, ast.stmt) or split.own.kind == "rank"
            if not is_stop and not is_other and not self._is_met_by_all(split):
                test = self._whole(split.test)
                if not self._is_collective(split.place):
                    yield Disagreement(STEP, split.place or test, test, split.own, is_test=True)
                for place in dict.fromkeys(filter(self._is_collective, search.further(split))):
                    yield Disagreement(COLLECTIVE, place, test, split.own, is_test=True)

    def _is_met_by_all(self, split: Split) -> bool:
        """Whether it asks of each of some names, which all workers go through in another order."""
        around = self.beside.around(split.test)
        loops = (up for up in around if isinstance(up, (ast.For, ast.AsyncFor)))
        branch = next((up for up in around if isinstance(up, ast.stmt)), split.test)
        is_left = any(isinstance(n, (ast.Break, ast.Return, ast.Raise)) for n in within(branch))
        is_named = any(self.askers.of(loop.iter).kind == "order" for loop in loops)
        return split.own.kind == "order" and is_named and not is_left

    def _is_collective(self, place: ast.AST | None) -> bool:
        """Whether workers meet there in a call of Horovod's own."""
        meeting = self._meetings.known.get(place)  # type: ignore[call-overload]
        return meeting is not None and meeting.sign[0] not in (A_STEP, PERHAPS)

    def _whole(self, test: ast.AST) -> ast.AST:
        """The test of which one is a part: `a < 1` of `a < 1 and not b`."""
        parent = self.beside.parents[test]
        while isinstance(parent, ast.BoolOp) or isinstance(getattr(parent, "op", None), ast.Not):
            test, parent = parent, self.beside.parents[parent]
        return test

    def _counted(self) -> Iterator[Disagreement]:
        """Data of which each worker has another number of examples, before any of it is cut."""
        fitted = [value for step in steps(self._facts) if step.is_fit for value in step.data]
        loops = [loop.iter for loop in self.beside.loops]
        rounds = [n for n in loops if self.askers.rounds(n).level is not Level.OWN]  # STEP tells
        asked = self._amounts_of(self.askers)
        for sink, amounts, exprs in ((EXAMPLES, self.amounts, fitted), (ROUNDS, asked, rounds)):
            for each in exprs:
                own = amounts.of(each)
                if own.level is Level.OWN and own.kind in sink.kinds:
                    yield Disagreement(sink, each, each, own)

    def _reached(self) -> Iterator[Disagreement]:
        fits = [step.call for step in steps(self._facts) if step.is_fit]
        for each in Sinks(self._program, self.beside).reached(fits):
            if not self._is_asked(each):
                continue
            yield from self._reaching(each)

    def _is_behind_step(self, place: ast.AST, depth: int = 2) -> bool:
        """Whether a step, and with it the broadcast, stands before a place, or before its calls."""
        home = self._meetings.around.get(place)
        calls = () if home is None else self._program.call_sites(home).nodes  # type: ignore[arg-type]
        if depth and calls and all(self._is_behind_step(c, depth - 1) for c in calls):
            return True
        around = set(self._choices(place))
        steps = (step for step in self._stepping.get(home, ()) if step.lineno < place.lineno)  # type: ignore[attr-defined]
        return any(around.issuperset(self._choices(step)) for step in steps)

    def _choices(self, node: ast.AST) -> Iterator[ast.AST]:
        """The statements in a function by which a node is reached, or isn't."""
        return (up for up in self.beside.around(node) if isinstance(up, _CHOOSING))

    @cached_property
    def _stepping(self) -> dict[ast.AST | None, list[ast.Call]]:
        """The calls of each function that take a step, or lead to one."""
        found: dict[ast.AST | None, list[ast.Call]] = {}
        known, meeting = self._meetings.known, self._meetings.meeting
        for call in self._meetings.calls:
            if call in known or not meeting.isdisjoint(self._meetings.run_by(call)):
                found.setdefault(self._meetings.around.get(call), []).append(call)
        return found

    def _untrained(self) -> Iterator[Disagreement]:
        """The models that nobody trains, and what is trained learns by what they say."""
        for use in self._sources.untrained():
            yield Disagreement(UNTRAINED, use, use, Own(Level.OWN, WEIGHTS, use))

    def _is_asked(self, each: Reached) -> bool:
        """Whether it does harm there; of weights that a rule may broadcast the result is asked."""
        if each.sink is LAYERS:
            return self._sources.is_before(each.place)
        if each.sink is WEIGHTS_SET and self._sources.steps:
            return self.beside.is_of_keras(each.place)
        return True

    def _reaching(self, each: Reached) -> Iterator[Disagreement]:
        """What gets to a sink of what is a worker's own, and counts there."""
        first = self.beside.first_numbers if each.sink is GRADIENTS else frozenset()
        for owners in self._asking(each):
            for value in (*each.values, *each.tests):
                own = (
                    _by_value(value, owners.of(value)) if value in each.tests else owners.of(value)
                )
                counts = own.level is Level.OWN and own.kind in each.sink.kinds
                if counts and own.source not in first:
                    yield Disagreement(each.sink, each.place, value, own, value in each.tests)

    def _asking(self, each: Reached) -> Iterator[Owners]:
        yield self.owners
        if each.sink.kinds & OF_BATCHES:
            yield self.askers
        is_put_back = each.sink is WEIGHTS_SET and self.beside.is_in_hook(each.place)
        if is_put_back and self._sources.early_weights:
            yield self.weights
        if each.sink is WHICH and "rank" in self._facts.source.text.lower():
            yield self._by_rank


def _by_value(test: ast.AST | int, own: Own) -> Own:
    """What a test asks; whether there is anything in a list says nothing of its order."""
    test = test.operand if isinstance(test, ast.UnaryOp) else test
    is_bare = not isinstance(test, (ast.Compare, ast.BoolOp))
    return SAME if own.kind == "order" and is_bare else own
