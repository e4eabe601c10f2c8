"""In which form data is shared out at a place, or is shared out already."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from ...library.datasets import COUNTING, LENGTHLESS, READY_BATCHED, SEVERAL_SHAPES, SIFTING
from ...program.bindings import Binding
from ...program.call_sites import is_generator
from ...program.node_fields import within
from ...program.parts import COMPREHENSIONS
from ...program.records import NamedTuple
from ..by_rank import RANK, depends_on_rank, depends_on_size
from ..declared import has_own_rows
from ..facts import Facts
from ..horovod import member
from ..traced_code import is_traced
from ..training import fits
from ..training.pattern import runs_graph
from ..training.training_loops import rounds
from ..value_parts import can_be_named
from .arrays import means_the_same
from .data_lengths import Length, is_repeatable, length_of_way
from .orders import Orders, batch_stage, is_batched
from .pipelines import Stage, Way, is_endless
from .uses import End, Use

# -- whole batches -------------------------------------------------------------------------------
# Datasets whose elements are whole batches: taken apart, shared out, and batched as they were.
#
# A share of the batches themselves would leave out all batches that don't come out even, and be
# empty where there are fewer of them than workers.

_KEEPING = frozenset(["", "prefetch", "with_options", "cache", "take", "skip"])
_SIZES = (ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.operator, ast.expr_context)


class Batch(NamedTuple):
    """How batches are made: of how many examples, and whether a smaller last one is dropped."""

    size: ast.expr | int
    drops_last: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for batches that are made alike."""
        size = self.size
        return (size if isinstance(size, int) else ast.dump(size), self.drops_last)


def batch_of_all(facts: Facts, ways: Sequence[Way], expr: ast.expr) -> Batch | None:
    """How the elements of a place can be batched anew; None where that isn't known on some way."""
    found = [_batch(facts, way, expr) for way in ways]
    known = {batch.key for batch in found if batch is not None}
    return found[0] if len(known) == 1 and None not in found else None


def _batch(facts: Facts, way: Way, expr: ast.expr) -> Batch | None:
    """None as well where something since the batch may have made its elements others."""
    number = batch_stage(way, expr)
    place = next(n for n, stage in enumerate(way) if stage.expr is expr)
    if number is None or any(s.method not in _KEEPING for s in way[number + 1 : place + 1]):
        return None
    stage = way[number]
    size = _size(facts, stage)
    if isinstance(size, ast.expr):
        size = _at(facts, size, expr)
    drops = facts.argument(stage.call, "drop_remainder", 1) if stage.method == "batch" else None
    is_known = drops is None or isinstance(drops, ast.Constant)
    if size is None or not is_known:
        return None
    return Batch(size, isinstance(drops, ast.Constant) and drops.value is True)


def _size(facts: Facts, stage: Stage) -> ast.expr | int | None:
    if stage.method == "batch":
        return facts.argument(stage.call, "batch_size", 0)
    if stage.method not in READY_BATCHED or stage.method in SEVERAL_SHAPES:
        return None
    given = facts.argument(stage.call, "batch_size")
    return READY_BATCHED[stage.method] if given is None else given


def _at(facts: Facts, size: ast.expr, place: ast.expr) -> ast.expr | None:
    """The size as it can be written at the place: as it was, by its name, or its number."""
    statement = facts.statement(place)
    is_plain = all(isinstance(node, _SIZES) for node in ast.walk(size))
    is_here = facts.function(size) is facts.function(place)
    is_same = is_here and means_the_same(facts, size, statement)
    if is_plain and (is_same or (not is_here and _is_fixed(facts, size, place))):
        return size
    number = facts.origins(size).only
    if isinstance(number, ast.Constant) and isinstance(number.value, int):
        return _name(facts, number, place) or number
    return None


def _is_fixed(facts: Facts, size: ast.expr, place: ast.expr) -> bool:
    """Whether it says the same in each function of a file: `BATCH`, `Config.BATCH`."""
    names = [node for node in ast.walk(size) if isinstance(node, ast.Name)]
    is_told = bool(names) and isinstance(facts.origins(size).only, ast.Constant)
    is_variable = all(_of_module(facts, n.id) == facts.bindings(n) for n in names)
    return is_told and is_variable and _in_one_file(facts, size, place)


def _name(facts: Facts, number: ast.Constant, place: ast.expr) -> ast.expr | None:
    """The variable of the module by which its number goes there: `BATCH = 32`."""
    assign = facts.parent(number)
    if not isinstance(assign, ast.Assign) or not _in_one_file(facts, number, place):
        return None
    target = assign.targets[0]
    is_known = isinstance(target, ast.Name) and len(assign.targets) == 1
    is_known = is_known and facts.parent(assign) is facts.module
    return target if is_known and _of_module(facts, target.id) else None  # type: ignore[attr-defined]


def _of_module(facts: Facts, name: str) -> Sequence[Binding]:
    """What binds a variable of the module that is bound at one place; empty for all others."""
    found = facts.bound(facts.module).get(name, [])
    return found if len(found) == 1 else []


def _in_one_file(facts: Facts, one: ast.AST, other: ast.AST) -> bool:
    joined = facts.joined
    return joined is None or joined.home(one) == joined.home(other)


# -- cuts ----------------------------------------------------------------------------------------
# How the elements of a dataset are shared out, and what is left whole.

# Why a dataset is left whole.
UNNAMED = "unknown length: give the dataset a name first"
WHOLE_BATCHES = "it comes in whole batches, of which each worker would get some, or none"
ASKED = "the program asks for its length, which TensorFlow couldn't tell of a share of it"
STATE = "the model keeps its state from batch to batch"
BEHIND = "`{}` comes after the elements were shuffled, repeated or batched"


class ShareForm(Enum):
    """How the shares are made equally long."""

    COUNTED = "the length is known: the remainder is dropped first"
    COUNTED_UNNAMED = (
        "the dataset knows its length, and has no name: the remainder is dropped first"
    )
    COUNTED_NAMED = "the dataset knows its length, and gets a name: the remainder is dropped first"
    GROUPED = "an incomplete last group of elements is dropped"
    PAIRED = "each element is kept while the last worker has one too"
    ENDLESS = "the dataset never ends"
    BATCHES = "batches are taken apart, an incomplete last group of examples is dropped"
    ENDLESS_BATCHES = "batches are taken apart, and the dataset never ends"


class Cut(NamedTuple):
    """Where the elements are shared out: behind `expr`."""

    expr: ast.expr
    form: ShareForm
    length: Length | None = None  # for COUNTED
    batch: Batch | None = None  # for batches
    in_turns: bool = False  # whole batches are dealt out


class Whole(NamedTuple):
    """A dataset that every worker keeps all of, and why."""

    end: End
    reason: str


# -- share forms ---------------------------------------------------------------------------------
# In which form a dataset is shared out at a place, whichever way leads there.
#
# Every worker must take the same number of steps, whatever the length is.

UNCOUNTED = (ShareForm.GROUPED, ShareForm.PAIRED, ShareForm.BATCHES)


def _may_be_counted(way: Way) -> bool:
    """Whether TensorFlow may tell its length: not of files, of generators, of what is sifted."""
    return way[0].method not in LENGTHLESS and all(stage.method not in SIFTING for stage in way)


def _is_taken(way: Way) -> bool:
    """Whether so many are taken of what repeats for ever: that ends."""
    methods = [stage.method for stage in way]
    last = max((n for n, method in enumerate(methods) if method == "repeat"), default=0)
    return "take" in methods[last:]


def _taken(way: Way) -> ast.Constant | None:
    """How many are taken at the end of a way, if that is written there."""
    last = next((stage for stage in reversed(way) if stage.method), None)
    given = Facts.argument(last.call, "count", 0) if last and last.method == "take" else None
    is_number = isinstance(given, ast.Constant) and isinstance(given.value, int)
    return given if is_number else None  # type: ignore[return-value]


class Forms:
    """Answers for the ends of one module, and for what `zip` joins."""

    def __init__(self, facts: Facts, orders: Orders, ends: Iterable[End]) -> None:
        self._facts, self._orders = facts, orders
        self.look_at(ends)

    def look_at(self, ends: Iterable[End]) -> None:
        """Answer for these ends from now on."""
        self.ends = list(ends)
        self._through: dict[ast.expr, list[tuple[End, Way]]] = {}
        for end in self.ends:
            for way in end.ways:
                for expr in dict.fromkeys(stage.expr for stage in way):
                    self._through.setdefault(expr, []).append((end, way))

    def through(self, expr: ast.expr) -> list[tuple[End, Way]]:
        """Every way through a place, with its end."""
        return self._through.get(expr, [])

    def form(self, expr: ast.expr) -> Cut | None:
        """One form that is right on every way to the place, whichever branch is taken."""
        parts = self.parted(expr)
        if any(b[0].method in READY_BATCHED and len(b) == 1 and rest for b, rest in parts):
            return None  # its `class_names` are read off it
        ways = [(*before, *rest) for before, rest in parts]
        if any(is_batched(way, expr) for way in ways):
            return self._of_batches(expr, ways)
        if self._is_endless(expr):
            return Cut(expr, ShareForm.ENDLESS)
        length = self._length(before for before, _ in parts)
        is_eager = not runs_graph(self._facts)  # a graph has no len
        counted = is_eager and all(self._orders.is_counted(before) for before, _ in parts)
        is_part = length is not None and isinstance(length.of, ast.Subscript)
        if length is not None and not (is_part and counted and self._can_be_named(expr)):
            return Cut(expr, ShareForm.COUNTED, length)
        if counted and (found := self._counted(expr)) is not None:
            return found
        if any(before[0].method == "load" for before, _ in parts):  # images have many sizes
            return Cut(expr, ShareForm.COUNTED_UNNAMED) if counted else None
        uniform = all(self._orders.is_uniform(before, rest) for before, rest in parts)
        return Cut(expr, ShareForm.GROUPED if uniform else ShareForm.PAIRED)

    def of_turns(self, expr: ast.expr) -> Cut:
        """The form in which each worker takes its turns, whatever a batch is (rung 3)."""
        parts = self.parted(expr)
        if self._is_endless(expr):
            taken = {_taken(before) for before, _ in parts}
            number = next(iter(taken)) if len(taken) == 1 else None
            if number is not None:
                return Cut(expr, ShareForm.COUNTED, Length(number, is_number=True))
            if not any(_is_taken(before) for before, _ in parts):
                return Cut(expr, ShareForm.ENDLESS)
        if runs_graph(self._facts) or not all(self._orders.is_counted(b) for b, _ in parts):
            return Cut(expr, ShareForm.PAIRED)
        return (self._counted(expr) or Cut(expr, ShareForm.COUNTED_UNNAMED))._replace(in_turns=True)

    def _counted(self, expr: ast.expr) -> Cut | None:
        """By the length that the dataset knows: it has a name, or gets one in front."""
        if is_repeatable(self._facts, expr):
            return Cut(expr, ShareForm.COUNTED, Length(expr))
        return Cut(expr, ShareForm.COUNTED_NAMED) if self._can_be_named(expr) else None

    def _can_be_named(self, expr: ast.expr) -> bool:
        """Whether it can stand before its statement, in code that is no part of a graph."""
        return can_be_named(self._facts, expr) and not is_traced(self._facts, expr)

    def loses_length(self, cut: Cut) -> bool:
        """Whether the program asks how long something is of which TensorFlow can't tell it then."""
        asked = (way for end in self.ends if end.use is Use.LENGTH for way in end.ways)
        return cut.form in UNCOUNTED and any(
            stage.expr is cut.expr and _may_be_counted(way[: number + 1])
            for way in asked
            for number, stage in enumerate(way)
        )

    def _of_batches(self, expr: ast.expr, ways: list[Way]) -> Cut | None:
        """Examples are shared out, not batches."""
        batch = batch_of_all(self._facts, ways, expr)
        if batch is None:
            return None
        is_endless = self._is_endless(expr)
        form = ShareForm.ENDLESS_BATCHES if is_endless else ShareForm.BATCHES
        return Cut(expr, form, batch=batch)

    def _length(self, ways: Iterable[Way]) -> Length | None:
        """The length that is the same on every way, None where one is unknown or another."""
        lengths = [length_of_way(self._facts, self._orders, before) for before in ways]
        known = {length.key: length for length in lengths if length is not None}
        return next(iter(known.values())) if len(known) == 1 and None not in lengths else None

    def parted(self, expr: ast.expr) -> list[tuple[Way, Way]]:
        """Every way through a place, in two: up to it and behind it."""
        return [
            (way[: number + 1], way[number + 1 :])
            for _, way in self.through(expr)
            for number, stage in enumerate(way)
            if stage.expr is expr
        ]

    def _is_endless(self, expr: ast.expr) -> bool:
        """Whether all that follows is repeated for ever."""
        fed = (Use.TRAINING, Use.VALIDATION)
        return all(is_endless(way) for end, way in self.through(expr) if end.use in fed)


# -- hand shares ---------------------------------------------------------------------------------
# Data that a program shares out itself: by the worker's number, or by steps for each worker.


def is_shared_out(facts: Facts, stage: Stage) -> bool:
    """Whether each worker gets elements of its own here: an order of its own is no share."""
    if not facts.has_horovod or stage.method == "shuffle" or not isinstance(stage.expr, ast.Call):
        return False
    given = [*stage.call.args, *(k.value for k in stage.call.keywords)]
    return any(depends_on_rank(facts, value) or _asks_inside(facts, value) for value in given)


def _asks_inside(facts: Facts, value: ast.expr) -> bool:
    """`lambda ds: ds.shard(hvd.size(), hvd.rank())`; a generator that goes through a share."""
    calls = (node for node in within(value) if isinstance(node, ast.Call))
    if any(member(facts, call.func) in RANK for call in calls):
        return True
    functions = facts.program.functions(value).nodes
    giving = (f for f in functions if isinstance(f, ast.FunctionDef) and is_generator(f))
    nodes = (node for each in giving for node in within(each))
    return any(isinstance(n, ast.expr) and depends_on_rank(facts, n) for n in nodes)


def has_divided_steps(facts: Facts, end: End) -> bool:
    """Whether the program itself divides the number of steps for which it uses the data."""
    return facts.has_horovod and any(depends_on_size(facts, n) for n in _numbers(facts, end))


def _numbers(facts: Facts, end: End) -> Iterator[ast.expr]:
    for stage in (stage for way in end.ways for stage in way):
        if stage.method in COUNTING:
            yield from stage.call.args
    by = end.by
    if isinstance(by, ast.Call) and by in set(fits.fits(facts)):
        for name in ("steps_per_epoch", "validation_steps", "epochs"):
            yield from fits.arguments(facts, by, name)
    if isinstance(by, ast.Call):
        yield from rounds(facts, by)


def is_shared_by_hand(facts: Facts, fit: ast.Call) -> bool:
    """Whether the program itself gives each worker its data, or divides the steps of an epoch."""
    value = fits.data(facts, fit)
    if has_own_rows(facts, fit) or (value is not None and _is_of_share(facts, value)):
        return True
    given = (fits.arguments(facts, fit, name) for name in ("steps_per_epoch", "epochs"))
    return any(depends_on_size(facts, count) for counts in given for count in counts)


def _is_of_share(facts: Facts, value: ast.expr) -> bool:
    """Also of `[np.load(name) for name in names[hvd.rank() :: hvd.size()]]`."""
    if depends_on_rank(facts, value):
        return True
    if not facts.has_horovod:
        return False
    names = (n for n in facts.program.ingredients(value) if isinstance(n, ast.Name))
    around = dict.fromkeys(each for name in names for each in facts.parents(name))
    loops = [each.iter for each in around if isinstance(each, ast.For)]
    made = [each for each in around if isinstance(each, COMPREHENSIONS)]
    loops += [part.iter for each in made for part in each.generators]
    return any(depends_on_rank(facts, each) for each in loops)


def any_shared_by_hand(facts: Facts) -> bool:
    """Whether an epoch of some `fit` is made shorter by the program itself."""
    return any(is_shared_by_hand(facts, fit) for fit in fits.fits(facts))
