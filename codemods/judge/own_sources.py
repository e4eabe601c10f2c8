"""What each worker of a program has for itself, beside what the names of functions say.

Batches, and what a session computes of them; what a study proposes; what stands in a file that the
run itself writes. And what is alike though it looks so: the step that a session counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Callable

from ..library.hooks import BEHIND_STEPS
from ..library.sessions import FINDERS
from ..library.updates import OF_ALL_WEIGHTS, OF_APPLYING, OF_GRADIENTS, OF_WEIGHTS
from ..program.node_fields import within

if TYPE_CHECKING:
    from ..facts import Facts

BATCH, CHANCE, FILE, WEIGHTS = "batch", "chance", "file", "weights"
_CHOOSING = (ast.If, ast.Try, ast.For, ast.While)
_ITERATING = (ast.For, ast.AsyncFor, ast.comprehension)


class Sources:
    """Those of one program."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._program = facts, facts.program

    # -- where it trains ------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[ast.Call]:
        """The calls in which workers are going to meet; none where they do so already."""
        if self._is_wrapped:
            return []
        calls = (*self._places, *self.gradients, *self._waiting())
        return [call for call in calls if not self._is_keras(call)]

    @cached_property
    def applied(self) -> list[ast.Call] | None:
        """The calls that are going to apply averaged gradients; None: Horovod is there."""
        applying = [call for call in self._places if _method(call) in OF_APPLYING]
        return None if self._is_wrapped else applying

    @cached_property
    def _places(self) -> list[ast.Call]:
        """The calls that train; Keras makes those of a `train_step`, once a batch."""
        from ..facts.training.pattern import training_of

        return [call for call, _ in training_of(self._facts).places]

    def _is_keras(self, call: ast.Call) -> bool:
        from ..facts.training.pattern import training_of

        return training_of(self._facts).in_train_step(call)

    @cached_property
    def _is_wrapped(self) -> bool:
        from ..facts.horovod import is_wrapped

        return is_wrapped(self._facts)

    def _waiting(self) -> Iterator[ast.Call]:
        """What all workers have to come to equally often beside the steps of a session.

        Behind some statements each waits for a broadcast; some runs take examples from steps.
        """
        from ..facts.data.session_steps import drawing_runs
        from ..facts.sessions.session_starts import broadcasts
        from ..facts.sessions.supervisor_sessions import supervised
        from ..facts.training.pattern import runs_sessions

        if not runs_sessions(self._facts):
            return
        yield from drawing_runs(self._facts)
        managed = supervised(self._facts).found.values()
        for place in (*(s.behind for s in broadcasts(self._facts)), *(m.place for m in managed)):
            yield from self._met_at(place)

    def _met_at(self, place: ast.stmt) -> list[ast.Call]:
        """The last call up to a statement that runs whenever that does: none inside of a choice."""
        block, number = self._facts.block(place)
        near = [each for each in block[number::-1] if not isinstance(each, _CHOOSING)]
        inside = (node for each in near for node in within(each))
        return [node for node in inside if isinstance(node, ast.Call)][:1]

    @cached_property
    def gradients(self) -> frozenset[ast.Call]:
        """The calls of tapes whose gradients steps apply: the average is to be taken there."""
        calls = (node for node in self._learned if isinstance(node, ast.Call))
        found = frozenset(call for call in calls if _method(call) in OF_GRADIENTS)
        return frozenset() if self._is_wrapped else found

    @cached_property
    def _learned(self) -> frozenset[ast.AST]:
        """What the gradients that steps apply are made of."""
        given = [arg for call in self._places for arg in call.args[:1]]
        return frozenset(self._program.ingredients_of(given)) if given else frozenset()

    def is_before(self, place: ast.AST) -> bool:
        """Whether a step may come behind a place."""
        steps = self._places
        return (
            not steps
            or place in steps
            or any(self._facts.may_precede(place, step) for step in reversed(steps))
        )

    # -- what is a worker's own -----------------------------------------------------------------

    @cached_property
    def own(self) -> dict[ast.AST, str]:
        """The nodes whose value is each worker's own, with its kind."""
        from ..facts.own_values import proposals

        found = dict.fromkeys(self._batches(), BATCH)
        found.update(dict.fromkeys(proposals(self._facts), CHANCE))
        found.update(dict.fromkeys(self._written(), FILE))
        return found

    def _batches(self) -> Iterator[ast.AST]:
        from ..facts.roles import Role
        from ..facts.sessions.session_starts import asks_counter
        from ..facts.training.session_runs import session_runs

        for node in within(self._facts.module):
            parts = within(node.iter) if isinstance(node, _ITERATING) else ()
            found = (part for part in parts if isinstance(part, ast.expr))
            yield from (part for part in found if self._facts.role(part) is Role.DATASET)
        calls = (node for node in self._learned if isinstance(node, ast.Call))
        yield from (call for call in calls if self._facts.role(call.func) is Role.MODEL)
        runs = (run for run in session_runs(self._facts) if not asks_counter(self._facts, run))
        yield from (run.call for run in runs)

    @cached_property
    def inputs(self) -> dict[ast.AST, str]:
        """What layers of the program are called with."""
        from ..facts.gradients.own_updates import inputs

        return dict.fromkeys(inputs(self._facts), BATCH)

    def _written(self) -> Iterator[ast.AST]:
        """What opens files that are not there before the run, or looks for the last checkpoint."""
        from ..facts.input_files import new_files

        calls = (n for n in within(self._facts.module) if isinstance(n, ast.Call))
        yield from (c for c in calls if FINDERS.intersection(self._program.names(c.func)))
        yield from new_files(self._facts)

    @cached_property
    def early_weights(self) -> dict[ast.AST, str]:
        """Where weights are read that no broadcast has made alike as yet."""
        from ..facts.own_values import ALL_SEEDS, seeded

        calls = (n for n in within(self._facts.module) if isinstance(n, ast.Call))
        reads = (call for call in calls if _method(call) in OF_WEIGHTS)
        late = {n for n in within(self._facts.module) if getattr(n, "name", "") in BEHIND_STEPS}
        behind = {inside for function in late for inside in within(function)}
        is_alike = seeded(self._facts) >= ALL_SEEDS
        return {call: WEIGHTS for call in reads if not is_alike and call not in behind}

    def early_reads(self, is_behind: Callable[[ast.AST], bool]) -> list[ast.AST]:
        """The reads of a model's weights that may come before the first step and its broadcast."""
        from ..facts.own_values import ALL_SEEDS, seeded

        if not self.applied or seeded(self._facts) >= ALL_SEEDS:
            return []
        nodes = (n for n in within(self._facts.module) if isinstance(n, (ast.Attribute, ast.Call)))
        reads = (n for n in nodes if _names_weights(n) and isinstance(n, ast.expr))
        return [read for read in reads if not is_behind(read)]

    def untrained(self) -> Iterator[ast.expr]:
        """The uses of models that `fit` doesn't train, by which it may learn: they begin unlike."""
        from ..facts.gradients.untrained_models import untrained
        from ..facts.own_values import ALL_SEEDS, seeded
        from ..facts.training import fits
        from ..facts.training.pattern import Pattern, training_of

        facts, fitted = self._facts, fits.fits(self._facts)
        if training_of(facts).pattern is Pattern.KERAS and not seeded(facts) >= ALL_SEEDS:
            for uses in untrained(facts).values():
                found = (use for use in uses if any(self._is_used(use, fit) for fit in fitted))
                yield from [*found][:1]

    def _is_used(self, use: ast.expr, fit: ast.Call) -> bool:
        """Whether a model is asked before a `fit` has run, or for what that is given."""
        return fit in self._facts.parents(use) or self._facts.may_precede(use, fit)

    # -- what is alike --------------------------------------------------------------------------

    @cached_property
    def told(self) -> frozenset[ast.AST]:
        """The values that all workers have, or are going to have.

        Global steps that a session says alone; orders and picks that a rule seeds; the numbers that
        a data set gives its elements; the epochs of a `fit` that goes on.
        """
        from ..facts.data.own_orders import alike
        from ..facts.steps.each_step import numbers_of_elements
        from ..facts.training.pattern import runs_sessions
        from ..facts.training.session_runs import is_global_step

        seeded = frozenset() if self._is_wrapped else frozenset(alike(self._facts))
        seeded |= frozenset(numbers_of_elements(self._facts))
        seeded |= frozenset() if self._is_wrapped else frozenset(self._told_epochs())
        if not runs_sessions(self._facts):
            return seeded
        nodes = (n for n in within(self._facts.module) if isinstance(n, (ast.Name, ast.Call)))
        return seeded | frozenset(n for n in nodes if is_global_step(self._facts, n))

    def _told_epochs(self) -> Iterator[ast.AST]:
        """At which epoch a `fit` goes on, and ends, where worker 0 is going to tell it."""
        from ..facts.training import fits

        for fit in fits.fits(self._facts):
            bound = fits.start_to_send(self._facts, fit)
            names = fits.epochs_to_send(self._facts, fit) if bound is None else ()
            told = [fits.argument(self._facts, fit, name) for name in names]
            yield from (each for each in (*told, bound and bound.value) if each is not None)

    @cached_property
    def told_rounds(self) -> frozenset[ast.AST]:
        """What loops run over that go on where files say: worker 0 is going to tell it."""
        from ..facts.sessions.session_starts import counts, is_told
        from ..facts.training.pattern import waits_in_graph
        from ..facts.training.training_loops import told_counts

        facts = self._facts
        told = {rounds for rounds, count in counts(facts) if is_told(facts, count)}
        return frozenset([*told, *(() if waits_in_graph(facts) else told_counts(facts))])


def _names_weights(node: ast.Attribute | ast.Call) -> bool:
    """`model.trainable_variables`, `model.get_weights()`."""
    if isinstance(node, ast.Call):
        return _method(node) == "get_weights"
    return node.attr in OF_ALL_WEIGHTS and isinstance(node.ctx, ast.Load)


def _method(call: ast.Call) -> str:
    return getattr(call.func, "attr", "")
