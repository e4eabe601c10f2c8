"""All workers take the same number of steps: none has another number of examples to begin with.

Pipelines that end at another step on each worker, as chance decides how many elements they have;
data that can't be followed, which isn't proved to be as long on all of them; and data and loops of
which the judge's search says that each worker has its own number. Who ends first hangs the others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.by_rank import depends_on_rank
from ..facts.causes import Cause, spelled
from ..facts.data.arrays import is_array
from ..facts.data.drawn_batches import is_endless as is_drawn_on_and_on
from ..facts.data.numbered_batches import is_numbered
from ..facts.data.orders import Orders
from ..facts.data.pipeline_shares import shares_of
from ..facts.data.pipelines import Way, is_endless
from ..facts.data.unknown_data import unknown_data, unknown_loops
from ..facts.data.uses import Use
from ..facts.training import fits
from ..judge.disagreements import disagreements
from ..judge.lengths import Count
from ..judge.own import SAME as ALIKE
from ..judge.own import Level
from ..judge.own_sources import CHANCE
from ..judge.steps import cuts, is_share, uneven
from ..library.datasets import COUNTING, METHODS, SIFTING
from ..model import Finding
from . import restriction
from ._disagreement import of_code
from ._finding import LOOK, UPDATE, finding, moved, note, traced

FIX = "give it a `seed`, or repeat the dataset and train for a fixed number of steps"
RANDOM = ("rejection_resample", "sample_from_datasets")
CHOSEN = (
    "`{}` chooses other elements on every worker, and it can't be followed whether the training "
    "takes them: the workers may take different numbers of steps, and wait for ever"
)
SEED = "give it a `seed`, or give the dataset a name and train on that name"
UNKNOWN = "nobody can tell what this is; every worker has to take the same number of steps on it"
MADE = "nobody can tell how much `{}` gives, and all workers need the same number of steps on it"
SAME = "make sure that no worker filters or takes elements by chance"
_TOGETHER = (frozenset(["shuffle"]), COUNTING, SIFTING)


@restriction(code="K04", name="uneven-steps")
def uneven_steps(facts: Facts) -> Iterator[Finding]:
    """Training data whose number of elements depends on a random choice of each worker."""
    data = shares_of(facts)
    for end in data.ends:
        ways = end.ways if end.use is Use.TRAINING else ()
        reason = next((r for r in (why_uneven(way, data.orders) for way in ways) if r), None)
        if reason is not None:
            yield _uneven(facts, end.expr, end.by, reason)


def _uneven(facts: Facts, place: ast.expr, by: ast.AST, reason: Cause) -> Finding:
    why = f"{reason.why}: they would take different numbers of steps, and wait for ever"
    return moved(facts, finding(facts, place, "K04", why, FIX), by, Cause(reason.place))


def why_uneven(way: Way, orders: Orders) -> Cause | None:
    """What is random about the number of elements, and what needs a seed."""
    if is_endless(way):
        return None
    for step in way:
        if step.method in RANDOM and not any(k.arg == "seed" for k in step.call.keywords):
            return Cause(step.expr, f"`{step.method}` chooses other elements on every worker")
    stage, place = 0, way[0].expr  # 1: shuffled, 2: and some of them taken
    for step in way:
        if step.method == "shuffle" and not orders.is_seeded_shuffle(step):
            place = place if stage else step.expr
            stage = max(stage, 1)
        elif step.method in COUNTING and stage == 1:
            stage = 2
        elif step.method in SIFTING and stage == 2:
            return Cause(place, f"`{step.method}` sees other elements on every worker")
    return None


@restriction(code="K04", name="chosen-behind")
def chosen_behind(facts: Facts) -> Iterator[Finding]:
    """What chooses among the elements of a share, of which each worker's has another number."""
    for each in (each for each in uneven(facts) if each.length is Count.CHOSEN):
        for place in cuts(facts, each):
            name = method(facts, place) if isinstance(place, ast.Call) else ""
            why = f"`{name or spelled(place)}` gives another number of each worker's share"
            yield _uneven(facts, each.place, each.place, Cause(place, why))


@restriction(code="K04", name="unfollowed-data")
def unfollowed_data(facts: Facts) -> Iterator[Finding]:
    """Where chance decides in a file that trains on unknown data; else notes for such data."""
    yield from of_factories(facts)
    unknown = dict.fromkeys((*unknown_data(facts), *unknown_loops(facts)))
    if not unknown:
        return
    place = decided_by_chance(facts)
    if place is not None:
        yield finding(facts, place, "K04", CHOSEN.format(method(facts, place)), SEED)
        return
    given = {value for call in fits.fits(facts) for value in fits.examples(facts, call)}
    for value in unknown_data(facts):
        is_known = is_drawn_on_and_on(facts, value) or is_numbered(facts, value)
        is_known = is_known or is_share(facts, value)
        if value in given and not is_array(facts, value) and not is_known:
            kind = LOOK if depends_on_rank(facts, value) else UPDATE  # a person's share is as long
            yield traced(facts, note(facts, value, "K04", UNKNOWN, SAME, kind=kind), value, value)


def of_factories(facts: Facts) -> Iterator[Finding]:
    """Notes for datasets of factories that the settings name: nobody knows their lengths."""
    for end in (end for end in shares_of(facts).ends if end.use is Use.TRAINING):
        sources = (way[0].expr for way in end.ways)
        given = (facts.factories.outside(c) for c in sources if isinstance(c, ast.Call))
        for name in {name for name in given if name is not None}:
            yield note(facts, end.by, "K04", MADE.format(name), SAME, kind=UPDATE)


def decided_by_chance(facts: Facts) -> ast.Call | None:
    """A call by which chance may decide how many elements a dataset out of sight has.

    Either it resamples or draws, or what is shuffled, counted off and sifted may be one dataset.
    """
    calls = [call for call in out_of_sight(facts) if not is_seeded(facts, call)]
    drawing = (call for call in calls if method(facts, call) in RANDOM or _draws(facts, call))
    found = [[c for c in calls if method(facts, c) in methods] for methods in _TOGETHER]
    return next(drawing, found[-1][0] if all(found) else None)


def _draws(facts: Facts, call: ast.Call) -> bool:
    """Whether a dataset's method takes a number of elements that nobody seeded."""
    own = disagreements(facts).amounts.of(call) if method(facts, call) in METHODS else ALIKE
    return own.level is Level.OWN and own.kind == CHANCE


def out_of_sight(facts: Facts) -> Iterator[ast.Call]:
    """Calls of methods of datasets that no followed use is known to go through."""
    data = shares_of(facts)
    followed = (end for end in data.ends if end.use is not Use.OTHER or is_loop(end.by))
    seen = {stage.expr for end in followed for way in end.ways for stage in way}
    return (call for call in facts.index.calls if call not in seen and method(facts, call))


def is_loop(node: ast.AST) -> bool:
    """Whether a dataset is used up here, and goes nowhere else."""
    return isinstance(node, (ast.For, ast.AsyncFor))


def method(facts: Facts, call: ast.Call) -> str:
    """The name of a method that may be a dataset's, else an empty text."""
    name = facts.name(call.func)
    if name is None:
        return call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return name.rpartition(".")[2] if name.startswith("tensorflow.data.") else ""


def is_seeded(facts: Facts, call: ast.Call) -> bool:
    """Whether all workers choose alike."""
    orders = shares_of(facts).orders
    return orders.is_seeded or any(keyword.arg == "seed" for keyword in call.keywords)


@restriction(code="K04", name="unlike-amounts")
def unlike_amounts(facts: Facts) -> Iterator[Finding]:
    """Data of `fit`, and of loops that train, of which chance, say, decides how much there is."""
    return of_code(facts, "K04")
