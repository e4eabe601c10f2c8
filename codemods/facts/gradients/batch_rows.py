"""Where a batch takes its rows, and what becomes of them if each worker takes an Nth."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...library import losses
from ...library.displays import ALL_SHOWN
from ...library.layers import RANDOM
from ...library.tensorflow_names import TENSOR_SPEC
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..causes import Problem
from ..data.array_loops import Sliced, loops, sliced_loops
from ..data.arrays import is_array
from ..data.batch_needs import full_fits, order_matters, size_is_fixed
from ..data.data_lengths import TRAINING
from ..data.fit_arrays import arrays_of_fits
from ..data.full_batch import code_of_steps, is_full_batch
from ..data.pipeline_shares import Shares, shares_data, shares_of
from ..data.pipelines import Stage, Way
from ..data.uses import End, Use
from ..facts import Facts, recorded
from ..roles import Role
from ..training import fits
from ..training.pattern import Pattern, training_of
from ..training.training_loops import trains
from .loss_averages import is_counted, together, unlike
from .mean_losses import losses_of
from .row_kinds import CONST, MEAN, OWN, PER_ROW, whole_reads

# -- own rows ------------------------------------------------------------------------------------
# Where a batch takes its rows, for the setting by which all workers together take each batch.
#
# A place that is known to take B rows of a worker's share takes B / N of them; of whatever else
# trains, it is said why that can't be written.

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


# -- unlike layers -------------------------------------------------------------------------------
# What is right with an Nth of each batch, and gives other numbers than one process has.

NORMS = "each worker normalises by its own part of the batch: not the numbers of one process"
CHANCE = "each worker draws for its own part of the batch: not the numbers of one process"
ORDERS = "each worker shuffles its own rows: the same training, but other rows meet in a batch"


def unlike_layers(facts: Facts) -> Iterator[tuple[ast.AST, str]]:
    """The first of each kind, with words; nothing where batches stay each worker's own."""
    if not own_rows(facts).is_any:
        return
    found: dict[str, ast.AST] = {}
    for call in facts.index.calls:
        for why in _why(facts, call):
            found.setdefault(why, call)
    yield from ((node, why) for why, node in found.items())


def _why(facts: Facts, call: ast.Call) -> Iterator[str]:
    name = facts.name(call.func) or ""
    last = name.rpartition(".")[2]
    if ".layers." in name and last in losses.NORMS:
        yield NORMS
    if ".layers." in name and last in RANDOM:
        yield CHANCE
    is_method = not name and isinstance(call.func, ast.Attribute) and call.func.attr == "shuffle"
    is_permuted = last in ("permutation", "shuffle") and ".random" in name
    if (is_method and call.args) or is_permuted or _shuffles(facts, call):
        yield ORDERS


def _shuffles(facts: Facts, call: ast.Call) -> bool:
    """Whether it is a `fit` on arrays, which Keras shuffles unless it is told otherwise."""
    calls = set(fits.fits(facts))
    if call not in calls or not any(each.call is call for each in own_rows(facts).taken):
        return False
    shuffle = fits.argument(facts, call, "shuffle")
    return shuffle is None or not (isinstance(shuffle, ast.Constant) and not shuffle.value)


# -- met again -----------------------------------------------------------------------------------
# Where what is computed of a share of the rows meets all of them, or goes on behind the steps.
#
# `plt.plot(x, pred)`: after the cut `pred` has a row of each example of this worker's, `x` of
# all.

_CHANGING = (ast.Store, ast.Del)
_MEETS = (
    "this is computed of the rows of one worker, where it meets those of all, or is taken for them"
)
_APART = "compute it anew of all rows, outside of the training steps"
_PUT_IN = "a step changes the array of which it takes the rows"
_BEFORE = "change it before the steps, or a copy of it"
_SO_MANY = "this takes tensors of so many rows, and a share has fewer"
_ANY = "let the number of rows be None"


def met_again(facts: Facts, reads: Sequence[ast.expr]) -> Iterator[Problem]:
    """Why something else than the loss needs all of the rows that a step reads."""
    yield from (Problem(each, _SO_MANY, _ANY) for each in _of_so_many(facts))
    yield from (Problem(each, _PUT_IN, _BEFORE) for each in _put_in(facts, reads))
    yield from (Problem(each, _MEETS, _APART) for each in _met(facts, reads))


def _met(facts: Facts, reads: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """Reads of shares where an array is read whole, and those that are made behind the steps."""
    cut, steps = frozenset(reads), code_of_steps(facts)
    arrays = {node for each in reads for node in _made(facts, each)}
    loads = [n for nodes in facts.index.loads.values() for n in nodes if isinstance(n, ast.Name)]
    others = [name for name in loads if arrays.isdisjoint(_made(facts, name))]
    same = set(loads) - cut - set(others)
    beside = {facts.statement(n) for n in loads if n in same or _is_whole(facts, n, cut)}
    for name in (*others, *_kept(facts)):
        is_beside = facts.statement(name) in beside
        is_out = is_beside or name not in steps or _is_shown(facts, name)
        if is_out and _is_share(facts, name, cut, is_beside):
            yield name


def _is_whole(facts: Facts, name: ast.Name, cut: frozenset[ast.expr]) -> bool:
    """Whether it is an array, maybe another name of one, and none of a share."""
    is_other = name not in cut and is_array(facts, name)
    if not is_other or losses_of(facts).kinds(name) <= {CONST, OWN}:
        return False
    return cut.isdisjoint(facts.program.ingredients(name))


def _is_shown(facts: Facts, name: ast.expr) -> bool:
    """Whether it is written to a file, or shown: `np.save("pred", pred)`, `plt.plot(pred)`."""
    calls = (each for each in facts.parents(name) if isinstance(each, ast.Call))
    names = (facts.name(call.func) or "" for call in calls)
    return any(each.startswith(ALL_SHOWN) for each in names)


def _kept(facts: Facts) -> Iterator[ast.Attribute]:
    """What objects keep: `self.pred`, and no method that is called."""
    for node in facts.index.nodes(ast.Attribute):
        call = facts.parent(node)
        is_method = isinstance(call, ast.Call) and call.func is node
        if isinstance(node.ctx, ast.Load) and not is_method:
            yield node


def _made(facts: Facts, name: ast.expr) -> Iterator[ast.AST]:
    """Where a name is bound: `y` of the program is another one than that of a function."""
    yield from (each.node for each in facts.bindings(name))


def _is_share(facts: Facts, name: ast.expr, cut: frozenset[ast.expr], is_beside: bool) -> bool:
    """Whether it has the rows of a share; beside all rows what nobody knows may have them."""
    kinds = losses_of(facts).kinds(name)
    may_be = not kinds <= {MEAN, CONST, OWN} if is_beside else bool(kinds & {*PER_ROW})
    is_model = facts.role(name) is not None or bool(facts.program.functions(name).nodes)
    return may_be and not is_model and not cut.isdisjoint(facts.program.ingredients(name))


def _put_in(facts: Facts, reads: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """Where a step changes an array in place: `x[:] = …`, `x[0] += 1`."""
    spelled = {each.id for each in reads if isinstance(each, ast.Name)}
    parts = (node for node in code_of_steps(facts) if isinstance(node, ast.Subscript))
    for part in (each for each in parts if isinstance(each.ctx, _CHANGING)):
        if any(getattr(node, "id", "") in spelled for node in within(part.value)):
            yield part


def _of_so_many(facts: Facts) -> Iterator[ast.expr]:
    """Where a function takes tensors of a written number of rows: `tf.TensorSpec([100, 3])`."""
    for call in facts.calls_of(TENSOR_SPEC):
        shape = facts.argument(call, "shape", 0)
        made = facts.origins(shape).only if shape is not None else None
        first = made.elts[:1] if isinstance(made, (ast.List, ast.Tuple)) else [shape]
        if not all(isinstance(n, ast.Constant) and n.value is None for n in first):
            yield call


# -- full rows -----------------------------------------------------------------------------------
# The arrays of which every step of a tape takes all rows, if an Nth of them is a share.
#
# That is where the loss is a mean over them, each term of one row: the average of the gradients
# of equal shares is the gradient of all, so the rate and the number of steps stay.


class FullRows(NamedTuple):
    """The reads that are cut; `behind`: the statement that makes the last of them."""

    reads: tuple[ast.expr, ...]
    behind: ast.stmt


@recorded
def full_rows(facts: Facts) -> FullRows | None:
    """What each worker takes its rows of; None where there is nothing to share out."""
    reads = whole_reads(facts) if shares_data(facts) and not facts.has_horovod else ()
    if not reads or order_matters(facts) or size_is_fixed(facts):
        return None
    if any(True for _ in unlike(facts)) or any(True for _ in met_again(facts, reads)):
        return None
    first = _makers(facts, reads[:1])
    if len({id(facts.block(each)[0]) for each in first}) != 1:
        return None
    everything = _makers(facts, reads)
    is_one = len({id(facts.block(each)[0]) for each in everything}) == 1
    return FullRows(reads, (everything if is_one else first)[-1])


def _makers(facts: Facts, reads: tuple[ast.expr, ...]) -> list[ast.stmt]:
    """The statements that make arrays, the last one last."""
    bindings = (each for read in reads for each in facts.bindings(read))
    return sorted({facts.statement(each.node) for each in bindings}, key=facts.place)
