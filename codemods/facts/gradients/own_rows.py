"""Where a batch takes its rows, for the setting by which all workers together take each batch.

A place that is known to take B rows of a worker's share takes B / N of them; of whatever else
trains, it is said why that can't be written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..data.array_loops import loops
from ..data.containers_of_arrays import TRAINING
from ..data.fit_arrays import arrays_of_fits
from ..data.full_batch import is_full_batch
from ..data.full_fits import full_fits
from ..data.own_slices import Sliced, sliced_loops
from ..data.shares import Shares, shares_of
from ..data.stages import Stage, Way
from ..data.uses import End, Use
from ..facts import Facts, recorded
from ..problems import Problem
from ..roles import Role
from ..training import fits
from ..training.pattern import Pattern, training_of
from ..training.training_loops import trains
from .own_code import together
from .row_counts import is_counted

BY_DEFAULT = "32"  # https://keras.io/api/models/model_training_apis: `batch_size`
_BEHIND = frozenset(["", "map", "prefetch", "with_options", "cache", "repeat", "take", "skip"])
_BETWEEN = frozenset(["", "map", "prefetch", "with_options", "cache", "repeat", "shuffle"])
WHOLE = "each worker would take whole batches here, and the rate is that of one process"
CUT_FIRST = (
    "let it take a data set that is batched by `.batch(…)` with a number in the program, or arrays "
    'with `batch_size=…`; or leave `batch = "global"` out'
)
PADDED = "batches are padded to their longest row: an Nth of one is padded to another length"
PAD_ALIKE = "give `padded_batch` the whole shape in `padded_shapes`, or pad before `batch`"
COUNTED = "behind the cut `{}` counts the rows of one worker"
COUNT_FIRST = (
    "let it count before the data is shuffled or batched; or count batches, behind `batch`"
)
OTHER = "nobody can tell which number here counts the rows of a batch"
GO_BY = "let the loop go by one name: `for i in range(0, len(x), BATCH)`, `x[i : i + BATCH]`"
SHAPE = "this is the size of a whole batch, in a step that takes an Nth of its rows"
TAKE_SHAPE = "ask the batch itself, as by `tf.shape(x)[0]`"
MAPPED = "nobody can tell whether this function leaves each row of a batch to itself"
MAP_FIRST = "let it map single rows, before `batch`"
HIDDEN = "nobody can tell the size of the batches that `fit` takes"
GIVE = "give `batch_size=` in the call"
COMPUTED = "the size of these batches is computed from a length: which number counts their rows?"
GIVE_NUMBER = 'write it as a number of the program; or leave `batch = "global"` out'
BY_STEPS = "`steps_per_epoch` says how large the batches of these arrays are"
OLD = "sessions and estimators have no form for an Nth of each batch"
NEWER = 'leave `batch = "global"` out for this file'
UNSEEN = "nobody sees which rows this step takes"


class Taken(NamedTuple):
    """A call that takes the rows of a batch; `size` is None where it takes those by default."""

    call: ast.Call
    size: ast.expr | None
    argument: str = "batch_size"
    position: int | None = None


class OwnRows(NamedTuple):
    """All places that take the rows of batches, and those for which there is no form."""

    taken: tuple[Taken, ...]
    problems: tuple[Problem, ...]
    sliced: tuple[Sliced, ...] = ()  # loops that take them as slices

    @property
    def is_any(self) -> bool:
        """Whether any step takes an Nth of a batch."""
        return bool(self.taken or self.sliced)


@recorded
def own_rows(facts: Facts) -> OwnRows:
    """What becomes of the batches of a program by that setting; nothing without it."""
    if not facts.options.keeps_batch or facts.has_horovod:
        return OwnRows((), ())
    found = [*_Rows(facts).found()]
    taken = {id(each.call): each for each in found if isinstance(each, Taken)}
    problems = dict.fromkeys(each for each in found if isinstance(each, Problem))
    sliced = tuple(each for each in found if isinstance(each, Sliced))
    places = {id(place) for loop in sliced for place in loop.places}
    sizes = [each.size for each in taken.values() if each.size is not None]
    sizes += [loop.places[0] for loop in sliced]
    others = (Problem(use, SHAPE, TAKE_SHAPE) for use in _in_tapes(facts, sizes, places))
    return OwnRows(tuple(taken.values()), (*problems, *others), sliced)


def _in_tapes(facts: Facts, sizes: list[ast.expr], places: set[int]) -> Iterator[ast.Name]:
    """Where the size of a whole batch is read while a tape records a step on an Nth of it."""
    names = {n.id for size in sizes for n in within(size) if isinstance(n, ast.Name)}
    for use in (n for name in names for n in facts.index.loads.get(name, ())):
        around = (each for each in facts.parents(use) if isinstance(each, ast.With))
        items = (item.context_expr for each in around for item in each.items)
        if id(use) not in places and any(Role.TAPE in facts.roles(each) for each in items):
            if isinstance(use, ast.Name):
                yield use


class _Rows:
    """The steps of one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._shares: Shares = shares_of(facts)
        self._ends = [end for end in self._shares.ends if end.use is Use.TRAINING]

    def found(self) -> Iterator[Taken | Sliced | Problem]:
        """Each place that takes rows, and each step of which nobody knows."""
        training = training_of(self._facts)
        if training.pattern is Pattern.KERAS:
            yield from self._of_fits()
        elif training.pattern is Pattern.GRADIENT_TAPE:
            yield from self._of_loops()
        else:
            yield from (Problem(call, OLD, NEWER) for call, _ in training.places)

    # -- fit ------------------------------------------------------------------------------------

    def _of_fits(self) -> Iterator[Taken | Problem]:
        calls = set(fits.fits(self._facts))
        if full_fits(self._facts):
            return  # all of the data in a step: a share of it is an Nth of the batch
        for call in calls:
            ends = [end for end in self._ends if end.by is call]
            if ends:
                yield from (found for end in ends for found in self._of_end(end))
            else:
                yield self._of_arrays(call)
        for call, _ in training_of(self._facts).places:
            if call not in calls:
                yield Problem(call, WHOLE, CUT_FIRST)

    def _of_arrays(self, call: ast.Call) -> Taken | Problem:
        found = arrays_of_fits(self._facts)
        if not any(a.call is call and a.purpose == TRAINING for a in found):
            return Problem(call, WHOLE, CUT_FIRST)
        if fits.arguments(self._facts, call, "steps_per_epoch"):
            return Problem(call, BY_STEPS, GIVE)
        size = fits.argument(self._facts, call, "batch_size")
        if size is None and {"batch_size", "*"} & fits.hidden(self._facts, call):
            return Problem(call, HIDDEN, GIVE)
        is_default = isinstance(size, ast.Constant) and size.value is None
        if size is not None and is_counted(self._facts, size):
            return Problem(size, COMPUTED, GIVE_NUMBER)
        position = fits.position(call, "batch_size")
        return Taken(call, None if is_default else size, position=position)

    # -- loops ----------------------------------------------------------------------------------

    def _of_loops(self) -> Iterator[Taken | Sliced | Problem]:
        if is_full_batch(self._facts):
            return
        for end in self._ends:
            yield from self._of_end(end)
        sliced = list(sliced_loops(self._facts))
        for s in sliced:
            is_seen = s.places and not is_counted(self._facts, s.places[0])
            yield s if is_seen else Problem(s.loop.iter, OTHER, GO_BY)
        seen = {end.by for end in self._ends} | {each.loop for each in sliced}
        if not seen or len(sliced) != len(loops(self._facts)):
            yield from (Problem(call, UNSEEN, CUT_FIRST) for call in self._steps())
            return
        for loop in self._facts.index.nodes(ast.For):
            is_inner = trains(self._facts, loop) and not self._holds(loop, seen)
            if is_inner and not any(self._holds(each, {loop}) for each in seen):
                yield Problem(loop.iter, UNSEEN, CUT_FIRST)

    def _steps(self) -> Iterator[ast.Call]:
        yield from (call for call, _ in training_of(self._facts).places)

    def _holds(self, outer: ast.AST, inner: set[ast.AST]) -> bool:
        """Whether a loop is one of others, or stands around one of them."""
        return any(each is outer or outer in self._facts.parents(each) for each in inner)

    # -- data sets ------------------------------------------------------------------------------

    def _of_end(self, end: End) -> Iterator[Taken | Problem]:
        for way in end.ways:
            yield from self._of_way(end, way)
        if not end.ways:
            yield Problem(end.expr, WHOLE, CUT_FIRST)

    def _of_way(self, end: End, way: Way) -> Iterator[Taken | Problem]:
        number = next((n for n, stage in enumerate(way) if stage.expr in self._shares.cuts), None)
        if number is None:
            yield Problem(end.expr, WHOLE, CUT_FIRST)
            return
        cut, behind = self._shares.cuts[way[number].expr], way[number + 1 :]
        if cut.batch is not None:
            yield Problem(end.expr, WHOLE, CUT_FIRST)
            return
        batches = [n for n, stage in enumerate(behind) if stage.method == "batch"]
        padded = [stage for stage in behind if stage.method in ("padded_batch", "ragged_batch")]
        yield from (Problem(stage.expr, PADDED, PAD_ALIKE) for stage in padded)
        if len(batches) != 1 and not padded:
            yield Problem(end.expr, WHOLE, CUT_FIRST)
        for n in batches[:1]:
            yield from self._counted(behind[:n], _BETWEEN)
            yield from self._counted(behind[n + 1 :], _BEHIND)
            yield from self._mapped(behind[n + 1 :])
            yield self._batch(behind[n])

    def _batch(self, stage: Stage) -> Taken | Problem:
        size = self._facts.argument(stage.call, "batch_size", 0)
        if size is None or self._facts.name(stage.call.func) is not None:
            return Problem(stage.expr, HIDDEN, CUT_FIRST)
        if is_counted(self._facts, size):
            return Problem(size, COMPUTED, GIVE_NUMBER)
        return Taken(stage.call, size, position=0)

    def _mapped(self, stages: Way) -> Iterator[Problem]:
        """The functions that get whole batches, and may bring their rows together."""
        for stage in (each for each in stages if each.method == "map"):
            given = self._facts.argument(stage.call, "map_func", 0)
            functions = self._facts.program.functions(given) if given is not None else None
            for each in functions.nodes if functions is not None else ():
                yield from together(self._facts, given or stage.expr, each)
            if functions is None or not functions.nodes or not functions.is_complete:
                yield Problem(given or stage.expr, MAPPED, MAP_FIRST)

    def _counted(self, stages: Way, known: frozenset[str]) -> Iterator[Problem]:
        """The stages that count rows, or make other batches of what they get."""
        for stage in stages:
            if stage.method not in known:
                yield Problem(stage.expr, COUNTED.format(stage.method), COUNT_FIRST)
