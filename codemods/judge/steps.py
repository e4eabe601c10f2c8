"""**steps**: all workers take the same number of steps, in each epoch.

Where nothing counts the steps, the data does: a share that isn't equally long on all of them gives
one worker a step more, for which it waits. Today's checks find some data that certainly isn't.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from ..library.datasets import DRAWN_BY
from ..library.names import in_v1
from ..library.tensorflow_names import OUT_OF_RANGE
from ..program.node_fields import within
from ..program.records import NamedTuple
from .case import Case, proved
from .known import proof_at, wrapped
from .lengths import Count, Lengths
from .own import Level, Owners
from .proof import NOT_PROVED, Proof
from .reported import averaged_fits
from .training_steps import steps

if TYPE_CHECKING:
    from ..facts import Facts

NAME = "steps"
STOPS = in_v1("train.StopAtStepHook", "estimator.StopAtStepHook")
OF_TRAIN = ("steps", "max_steps")
HOW = "what counts the steps, or how long the data is, is the same on all workers"
UNEVEN = (
    "nobody can tell whether this is equally long on all workers: where the number of examples "
    "doesn't go round, some get one more, and where that is a step more they wait for the others"
)
FIX = (
    "leave out what doesn't go round, `n // hvd.size() * hvd.size()` examples, or count the steps "
    "alike on all workers (`steps_per_epoch=`)"
)


class Uneven(NamedTuple):
    """What has another number of elements on some worker: data of a step, or how many there are."""

    place: ast.expr
    length: Count


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, and whatever may not be equally long."""
    found = list(wrapped(case, NAME))
    told = {proof.line for proof in found}  # of where the data is cut
    for place in dict.fromkeys(each.place for each in uneven(case.facts)):
        made = case.facts.program.ingredients(place)
        if told.isdisjoint(getattr(node, "lineno", 0) for node in made):
            found.append(proof_at(case, NAME, NOT_PROVED, place, UNEVEN, FIX))
    yield from found
    if not found:
        yield proved(NAME, HOW)


def uneven(facts: Facts) -> tuple[Uneven, ...]:
    """What may give one worker another number of steps than another, unless that one joins."""
    return facts.record(_found)


def is_share(facts: Facts, data: ast.expr) -> bool:
    """Whether it is followed as a worker's share, of which `uneven` tells if it isn't as long."""
    return facts.record(_lengths).of(data) >= Count.SHARE


def cuts(facts: Facts, found: Uneven) -> Iterator[ast.expr]:
    """Where it is cut, or chosen, so that it is not as long on all workers; else what it is."""
    lengths, made = facts.record(_lengths), [*facts.program.ingredients(found.place)]
    places = [node for node in made if lengths.cuts(node, found.length)]
    yield from places or [found.place]  # type: ignore[misc]


def without_any(facts: Facts) -> Iterator[tuple[ast.expr, int]]:
    """Numbers of steps that are 0 with more workers than so many, unless one is the least."""
    lengths = facts.record(_lengths)
    for place in facts.record(_counted):
        for node in facts.program.ingredients(place):
            around = facts.parent(node)
            name = facts.name(around.func) if isinstance(around, ast.Call) else ""
            most = None if name == "builtins.max" else lengths.most_workers(node)
            if most is not None:
                yield node, most  # type: ignore[misc]


def _counted(facts: Facts) -> list[ast.expr]:
    """What says how many steps there are: of `fit`, and of loops that train."""
    from ..facts.training import fits
    from ..facts.training.training_loops import trains

    called = [step.call for step in steps(facts) if step.is_fit]
    given = [n for call in called for n in fits.arguments(facts, call, "steps_per_epoch")]
    loops = (n for n in within(facts.module) if isinstance(n, ast.For) and trains(facts, n))
    return [*given, *(loop.iter for loop in loops)]


def _found(facts: Facts) -> tuple[Uneven, ...]:
    from ..facts.horovod import calls_of

    if any(True for _ in calls_of(facts, "join")):
        return ()
    lengths = facts.record(_lengths)
    kinds = (_of_fits, _of_sessions, _of_estimators, _of_loops)
    found = (each for kind in kinds for each in kind(facts, lengths))
    return tuple(each for each in found if each.length >= Count.OWN)


def _lengths(facts: Facts) -> Lengths:
    return Lengths(facts.program)


def _of_fits(facts: Facts, lengths: Lengths) -> Iterator[Uneven]:
    from ..facts.training import fits

    for step in (step for step in steps(facts) if step.is_fit):
        given = fits.arguments(facts, step.call, "steps_per_epoch")
        counts = [each for each in given if _is_set(each)]
        yield from (Uneven(each, lengths.number(each)) for each in counts)
        if not counts:
            data = (*fits.examples(facts, step.call), *step.data)
            known = (Uneven(each, lengths.of(each)) for each in data)
            yield from sorted(known, key=lambda each: -each.length)[:1]


def _of_sessions(facts: Facts, lengths: Lengths) -> Iterator[Uneven]:
    """What a session takes its examples from until there are no more."""
    if _goes_to_its_end(facts) or _goes_until_stop(facts):
        for call in facts.calls("get_next"):
            given = call.func.value  # type: ignore[attr-defined]
            yield Uneven(given, lengths.of(given))


def _of_estimators(facts: Facts, lengths: Lengths) -> Iterator[Uneven]:
    """What an Estimator trains on until there is no more, where nobody says how many steps."""
    from ..facts.training.estimator_training import estimator_trainings, given

    counted = [c for c in estimator_trainings(facts) if any(given(facts, c, n) for n in OF_TRAIN)]
    endless = set(estimator_trainings(facts)).difference(counted)
    if not any(True for _ in facts.calls_of(*STOPS)):
        data = (each for step in steps(facts) if step.call in endless for each in step.data)
        yield from (Uneven(each, lengths.of(each)) for each in data)


def _goes_until_stop(facts: Facts) -> bool:
    """Whether a session that is asked for its end, `should_stop()`, comes there by data alone."""
    from ..facts.should_stop_tests import asks_for_stop
    from ..facts.training.training_loops import trains

    if any(True for _ in facts.calls_of(*STOPS)):
        return False
    loops = (n for n in within(facts.module) if isinstance(n, ast.While))
    tests = ((n, n.test.operand) for n in loops if isinstance(n.test, ast.UnaryOp))
    asked = (n for n, test in tests if asks_for_stop(facts, test))
    return any(trains(facts, n) and not any(map(_is_left, within(n))) for n in asked)


def _is_left(node: ast.AST) -> bool:
    return isinstance(node, (ast.Break, ast.Return))


def _goes_to_its_end(facts: Facts) -> bool:
    """Whether a session trains until the data has no more: `except tf.errors.OutOfRangeError`."""
    from ..facts.training.session_runs import training_runs

    runs = training_runs(facts)
    attempts = [n for n in within(facts.module) if isinstance(n, ast.Try)] if runs else []
    for attempt in attempts:
        names = [facts.name(h.type) or "" for h in attempt.handlers if h.type is not None]
        if any(name.endswith(OUT_OF_RANGE) for name in names):
            return any(node in runs for s in attempt.body for node in within(s))
    return False


def _of_loops(facts: Facts, lengths: Lengths) -> Iterator[Uneven]:
    from ..facts.training.training_loops import trains

    loops = (n for n in within(facts.module) if isinstance(n, (ast.For, ast.While)))
    trained = [loop for loop in loops if trains(facts, loop)]
    yield from (each for n in trained if isinstance(n, ast.While) for each in _of_while(lengths, n))
    rounds = (loop for loop in trained if isinstance(loop, ast.For))
    found = [loop for loop in rounds if lengths.of(loop.iter) >= Count.OWN]
    if found:
        owners = _owners(facts)
        kept = (loop for loop in found if not _leaves_alike(facts, owners, loop))
        yield from (Uneven(loop.iter, _of_numbers(lengths, loop.iter)) for loop in kept)


def _of_numbers(lengths: Lengths, numbers: ast.expr) -> Count:
    """Numbers that are dealt out are steps: one more of them certainly is a step more."""
    found = lengths.of(numbers)
    return Count.REST if found is Count.OWN and lengths.deals(numbers) else found


def _of_while(lengths: Lengths, loop: ast.While) -> Iterator[Uneven]:
    """`while i < len(mine):`, and what it draws until there is no more."""
    for asked in (n for n in within(loop.test) if isinstance(n, ast.Compare)):
        sides = (asked.left, *asked.comparators)
        yield from (Uneven(each, lengths.number(each)) for each in sides)
    for call in (n for n in within(loop) if isinstance(n, ast.Call)):
        if getattr(call.func, "id", "") == "next" and len(call.args) == 1:
            yield Uneven(call, lengths.of(call.args[0]))
        elif isinstance(call.func, ast.Attribute) and call.func.attr in DRAWN_BY:
            yield Uneven(call, lengths.of(call.func.value))


def _owners(facts: Facts) -> Owners:
    nodes = list(within(facts.module))
    return Owners(facts.program, told=averaged_fits(facts.program, nodes))


def _is_set(number: ast.expr) -> bool:
    return not (isinstance(number, ast.Constant) and number.value is None)


def _leaves_alike(facts: Facts, owners: Owners, loop: ast.For) -> bool:
    """Whether a count of its own, or a test that all share, ends it before the data does."""
    leaving = [node for node in within(loop) if _leaves(facts, node, loop)]
    return bool(leaving) and all(_is_alike(facts, owners, node, loop) for node in leaving)


def _leaves(facts: Facts, node: ast.AST, loop: ast.For) -> bool:
    from ..facts.training.training_loops import loop_around

    if isinstance(node, ast.Return):
        return facts.function(node) is facts.function(loop)
    return isinstance(node, ast.Break) and loop_around(facts, node) is loop


def _is_alike(facts: Facts, owners: Owners, node: ast.AST, loop: ast.For) -> bool:
    """Whether all workers come to a statement of a loop, or none: not where something is raised."""
    around = list(takewhile(lambda each: each is not loop, facts.parents(node)))
    if any(isinstance(parent, ast.ExceptHandler) for parent in around):
        return False
    tests = [parent.test for parent in around if isinstance(parent, (ast.If, ast.While))]
    tests += [parent.iter for parent in around if isinstance(parent, ast.For)]
    lengths = facts.record(_lengths)
    return all(owners.of(t).level <= Level.SAME and not lengths.asks(t) for t in tests)
