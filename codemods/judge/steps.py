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
from ..program.node_fields import within
from .case import Case, proved
from .known import proof_at, wrapped
from .lengths import Count, Lengths
from .own import Level, Owners
from .proof import NOT_PROVED, Proof
from .reported import averaged_fits
from .training_steps import Step, steps

if TYPE_CHECKING:
    from ..facts import Facts

NAME = "steps"
HOW = "what counts the steps, or how long the data is, is the same on all workers"
UNEVEN = (
    "nobody can tell whether this is equally long on all workers: where the number of examples "
    "doesn't go round, some get one more, and where that is a step more they wait for the others"
)
FIX = (
    "leave out what doesn't go round, `n // hvd.size() * hvd.size()` examples, or count the steps "
    "alike on all workers (`steps_per_epoch=`)"
)


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, and whatever may not be equally long."""
    found = list(wrapped(case, NAME))
    if not _joins(case.facts):
        told = {proof.line for proof in found}  # of where the data is cut
        for place in dict.fromkeys(_uneven(case.facts)):
            made = case.facts.program.ingredients(place)
            if told.isdisjoint(getattr(node, "lineno", 0) for node in made):
                found.append(proof_at(case, NAME, NOT_PROVED, place, UNEVEN, FIX))
    yield from found
    if not found:
        yield proved(NAME, HOW)


def _joins(facts: Facts) -> bool:
    """Whether who comes first waits: `hvd.join()`."""
    from ..facts.horovod import calls_of

    return any(True for _ in calls_of(facts, "join"))


def _uneven(facts: Facts) -> Iterator[ast.expr]:
    from ..facts.training import fits
    from ..facts.training.training_loops import trains

    lengths = Lengths(facts.program)
    for step in steps(facts):
        if step.is_fit:
            counts = [n for n in fits.arguments(facts, step.call, "steps_per_epoch") if _is_set(n)]
            yield from (n for n in counts if lengths.number(n) is Count.OWN)
            yield from [] if counts else _of_data(lengths, step)
    loops = (n for n in within(facts.module) if isinstance(n, (ast.For, ast.While)))
    trained = [loop for loop in loops if trains(facts, loop)]
    yield from (p for n in trained if isinstance(n, ast.While) for p in _of_while(lengths, n))
    rounds = (loop for loop in trained if isinstance(loop, ast.For))
    uneven = [loop for loop in rounds if lengths.of(loop.iter) is Count.OWN]
    if uneven:
        owners = _owners(facts)
        yield from (loop.iter for loop in uneven if not _leaves_alike(facts, owners, loop))


def _of_while(lengths: Lengths, loop: ast.While) -> Iterator[ast.expr]:
    """`while i < len(mine):`, and what it draws until there is no more."""
    for asked in (n for n in within(loop.test) if isinstance(n, ast.Compare)):
        sides = (asked.left, *asked.comparators)
        yield from (each for each in sides if lengths.number(each) is Count.OWN)
    for call in (n for n in within(loop) if isinstance(n, ast.Call)):
        if getattr(call.func, "id", "") == "next" and len(call.args) == 1:
            yield from [call] if lengths.of(call.args[0]) is Count.OWN else []
        elif isinstance(call.func, ast.Attribute) and call.func.attr in DRAWN_BY:
            yield from [call] if lengths.of(call.func.value) is Count.OWN else []


def _owners(facts: Facts) -> Owners:
    nodes = list(within(facts.module))
    return Owners(facts.program, told=averaged_fits(facts.program, nodes))


def _of_data(lengths: Lengths, step: Step) -> Iterator[ast.expr]:
    yield from [each for each in step.data if lengths.of(each) is Count.OWN][:1]


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
    return all(owners.of(test).level <= Level.SAME for test in tests)
