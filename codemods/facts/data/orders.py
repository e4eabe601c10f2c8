"""Whether every worker sees the elements of a pipeline in one order, and where a cut may stand."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from ...library.datasets import (
    BATCHING,
    BUCKETING,
    COUNTING,
    PLAIN,
    READY_BATCHED,
    REGROUPING,
    SIFTING,
)
from ...library.tensorflow_names import FILE_DATASETS, SET_SEED
from ...program.node_fields import within
from ..agreement.orders_by_chance import own_draw
from ..facts import Facts
from ..names import KERAS
from ..own_values import draws
from ..training.training_loops import is_for_a_round
from ..value_parts import changes
from .arrays import rows_of
from .pipelines import Pipelines, Stage, Way, is_endless

# -- cut places ----------------------------------------------------------------------------------
# Between which stages of a pipeline a cut may stand, and which place of those comes first.

MANY = 256  # files: four for each of 64 workers
_NAMING = ("from_tensor_slices", "list_files")
READING = frozenset(["interleave", "flat_map"])
_OF_NAMES = frozenset(["", "map", "shuffle", "repeat", "prefetch", "with_options", "cache"])
_NUMBERING = COUNTING | {"enumerate"}
_REORDERING = ("sort", "reverse")


def allowed_cut_range(way: Way) -> tuple[int, int]:
    """Between which stages cuts may stand: behind what regroups, before what mixes."""
    methods = [stage.method for stage in way]
    batches = [n for n, method in enumerate(methods) if method in BATCHING]
    upper = min([*_mixing_rows(way), *batches[-1:]], default=len(way))
    regrouping = REGROUPING | SIFTING | BATCHING
    after = [
        n
        for n, method in enumerate(methods)
        if n and method in regrouping and n not in batches[-1:]
    ]
    return max(after, default=0), upper


def of_many(facts: Facts, way: Way) -> Iterator[int]:
    """The stages of names of files, before these are read: many for each worker, by the text.

    Files hold more or fewer elements, so that shares are equal only where a way never ends.
    """
    source = way[0]
    given = source.call.args[:1] if source.method in _NAMING and is_endless(way) else []
    number = rows_of(facts, given[0]) if given and _stays_as_long(facts, given[0]) else None
    if isinstance(number, int) and number >= MANY and _leaves_names(way):
        reading = (n for n, stage in enumerate(way) if stage.method in READING)
        yield from range(min([*_mixing(way), *reading], default=0))


def _leaves_names(way: Way) -> bool:
    """Whether nothing counts, picks, groups or numbers the names before they are read.

    Nor may anything count or join what is read of them, until it is repeated: `skip(1000)` skips
    other examples of each worker's files, and what `concatenate` adds all workers would have whole.
    """
    methods = [stage.method for stage in way[1:]]
    first = next((n for n, method in enumerate(methods) if method in READING), len(methods))
    repeat = methods.index("repeat") if "repeat" in methods else len(methods)
    read = set(methods[first:]) - BUCKETING
    counted = set(methods[: max(first, repeat)])
    return set(methods[:first]) <= _OF_NAMES and not read & REGROUPING and not counted & _NUMBERING


def _stays_as_long(facts: Facts, names: ast.expr) -> bool:
    """Whether nothing puts names into a list, or takes some out: `del files[4:]`."""
    known = facts.index.loads.get(names.id, ()) if isinstance(names, ast.Name) else ()
    return not any(_lengthens(facts, facts.parent(each)) for each in known)


def _lengthens(facts: Facts, use: ast.AST | None) -> bool:
    if isinstance(use, ast.Subscript):
        return not isinstance(use.ctx, ast.Load)
    call = facts.parent(use) if isinstance(use, ast.Attribute) else None
    is_changed = isinstance(call, ast.Call) and call.func is use and bool(changes(facts, call))
    return is_changed and getattr(use, "attr", "") not in _REORDERING


def in_all(ways: Sequence[Way]) -> set[ast.expr]:
    """The datasets that every one of these ways comes through."""
    return set.intersection(*({stage.expr for stage in way} for way in ways))


def made_by(way: Way) -> list[ast.expr]:
    """The calls of functions of the program on a way."""
    return [
        stage.expr for stage in way[1:] if isinstance(stage.expr, ast.Call) and not stage.method
    ]


def behind_all(ways: Sequence[Way]) -> list[ast.expr]:
    """The places on all ways behind everything that a method does, the first one first."""
    common = in_all(ways)
    last = [max(n for n, s in enumerate(way) if s.method or not n) for way in ways]
    return [
        stage.expr
        for stage in ways[0][last[0] :]
        if stage.is_whole
        and stage.expr in common
        and all(stage.expr in [s.expr for s in way[n:]] for way, n in zip(ways, last))
    ]


def is_batched(way: Way, expr: ast.expr) -> bool:
    """Whether the elements of a stage are the batches of the data, which are few."""
    return batch_stage(way, expr) is not None


def is_few(way: Way, expr: ast.expr) -> bool:
    """Whether the elements of a stage are batches of any kind, of which none may be left out."""
    place = next(number for number, stage in enumerate(way) if stage.expr is expr)
    return is_batched(way, expr) or any(s.method in BUCKETING for s in way[: place + 1])


def batch_stage(way: Way, expr: ast.expr) -> int | None:
    """The number of the stage that made the batches which a stage of the way gives.

    The last batch of a way makes those; what is batched earlier are examples, of characters say.
    """
    place = next(number for number, stage in enumerate(way) if stage.expr is expr)
    methods = [stage.method for stage in way]
    batches = [n for n, method in enumerate(methods) if method in BATCHING][-1:]
    batches += [0] if _is_ready_batched(way[0]) else []
    parted = [n for n, method in enumerate(methods[: place + 1]) if method == "unbatch"]
    return next((n for n in batches if max(parted, default=-1) < n <= place), None)


def _is_ready_batched(source: Stage) -> bool:
    size = Facts.argument(source.call, "batch_size")
    is_none = isinstance(size, ast.Constant) and size.value is None
    return source.method in READY_BATCHED and not is_none


def preferred(way: Way, lower: int, upper: int) -> Iterator[int]:
    """First single elements; else whole batches, where a cut before them was not possible."""
    yield from _behind_counts(way, lower, upper)
    yield from _behind_counts(way, upper, min(_mixing_rows(way), default=len(way)))


def _mixing(way: Way) -> Iterator[int]:
    """Stages that give each epoch another order; one that is shuffled once and for all has one."""
    for number, stage in enumerate(way):
        if stage.method == "repeat" or (stage.method == "shuffle" and not _is_once(stage)):
            yield number


def _mixing_rows(way: Way) -> Iterator[int]:
    """Those that mix what is read; names of files in one order (D108) are read in one order."""
    reading = max((n for n, stage in enumerate(way) if stage.method in READING), default=0)
    return (n for n in _mixing(way) if n > reading or way[n].method == "repeat")


def _is_once(shuffle: Stage) -> bool:
    again = Facts.argument(shuffle.call, "reshuffle_each_iteration", 2)
    return isinstance(again, ast.Constant) and again.value is False


def _behind_counts(way: Way, lower: int, upper: int) -> Iterator[int]:
    """Behind `take` and `skip`, whose counts then stay as they are; else before them."""
    counts = [n for n in range(lower, upper) if way[n].method in COUNTING]
    start = max(counts, default=lower)
    yield from range(start, upper)
    yield from range(lower, start)


# -- settings of order ---------------------------------------------------------------------------
# Settings that decide whether tf.data gives the elements of a dataset in one order.
#
# https://www.tensorflow.org/api_docs/python/tf/data/Options (deterministic)

SEEDED = ("list_files", *READY_BATCHED)  # sources that shuffle names, and take a seed
LOADS, READ_CONFIG = "load", "read_config"  # of TensorFlow Datasets, and what says how it reads
_LOOSE = ("deterministic", "experimental_deterministic")
_PARALLEL = ("num_parallel_calls", "num_parallel_reads")


def takes_seed(facts: Facts, source: Stage) -> bool:
    """Whether a source that has no seed can be given one, for all workers to share it out."""
    if facts.has_horovod or source.method not in (*SEEDED, LOADS):
        return False
    if source.method == LOADS and not _takes_config(facts, source.call):
        return False
    return not facts.has_hidden_arguments(source.call) and not is_for_a_round(facts, source.call)


def _takes_config(facts: Facts, load: ast.Call) -> bool:
    """Whether the module that it is called of is in sight, and nothing says how it reads."""
    is_member = isinstance(load.func, ast.Attribute)
    return is_member and facts.argument(load, READ_CONFIG) is None


def loosens(facts: Facts, stage: Stage) -> bool:
    """Whether it is `with_options` of options that let elements overtake each other."""
    given = facts.argument(stage.call, "options", 0) if stage.method == "with_options" else None
    if given is None:
        return False
    made = set(facts.origins(given).nodes)
    return any(not made.isdisjoint(facts.origins(base).nodes) for base in _loosened(facts))


def _loosened(facts: Facts) -> list[ast.expr]:
    """The options that an assignment lets forget the order: `o.deterministic = False`."""
    return [
        target.value
        for node in facts.index.nodes(ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr in _LOOSE and not _is_true(node.value)
    ]


def _is_true(expr: ast.expr) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is True


def is_parallel(way: Way) -> bool:
    """Whether elements are made by several threads, one of which may be the first."""
    calls = [stage.expr for stage in way if isinstance(stage.expr, ast.Call)]
    return any(keyword.arg in _PARALLEL for call in calls for keyword in call.keywords)


# -- orders --------------------------------------------------------------------------------------
# Whether every worker sees the elements of a dataset in the same order, and their shapes.
#
# Only then are the shares that the workers take disjoint.

_UNIFORM = FILE_DATASETS | {"from_tensor_slices", "range", "list_files"}
_ORDERED = _UNIFORM | {"from_generator"}
_COUNTED = frozenset(["from_tensor_slices", "range", "load"])
_SEEDS = (SET_SEED, f"{KERAS}.utils.set_random_seed")
_NUMPY_TOO = f"{KERAS}.utils.set_random_seed"
_SETTINGS = ("shuffle_files", "deterministic", "shuffle")
DIFFERENTLY = "differently on every worker"
SPLITTING = ("take", "skip")
LOOSE = "its options give the elements in no fixed order"


class Orders:
    """Answers for one module."""

    def __init__(self, facts: Facts, pipelines: Pipelines) -> None:
        self._facts, self._pipelines = facts, pipelines
        # whether TensorFlow itself is seeded
        self.is_seeded = any(True for _ in facts.calls_of(*_SEEDS))
        self._numpy_seeded = any(True for _ in facts.calls_of(_NUMPY_TOO))
        # Of each `zip`: one may join another twice, and that one a third.
        self._differing: dict[ast.Call, str | None] = {}
        self._counted: dict[ast.Call, bool] = {}

    def why_differs(
        self, way: Way, further: Way = (), as_written: bool = False, is_dealt: bool = False
    ) -> str | None:
        """What makes the order another one on each worker, None if it is the same.

        `further`: the stages behind, whose options hold for all; `as_written`: without D107;
        `is_dealt`: it is dealt out behind them, where D108 gives its shuffles a seed.
        """
        if is_parallel(way) and any(loosens(self._facts, s) for s in (*way, *further) if s.method):
            return LOOSE
        seeded = () if as_written else (*self.splits((*way, *further)), *self.names(way))
        seeded = (*seeded, *self.seedable(way)) if is_dealt else seeded
        for stage in way:
            if self._is_loose(stage):
                return f"`{stage.method}` gives the elements in no fixed order"
            is_own = stage.method == "shuffle" and not self.is_seeded_shuffle(stage)
            if is_own and stage.expr not in seeded:
                return f"it is shuffled {DIFFERENTLY}"
        is_seeded = not as_written and takes_seed(self._facts, way[0])
        return None if is_seeded else self._source(way[0])

    def where_differs(self, way: Way) -> ast.expr | ast.keyword | None:
        """The stage from which on the order is another one on each worker, or its setting."""
        for number, stage in enumerate(way):
            if self.why_differs(way[: number + 1], as_written=True) is not None:
                return self._setting(stage)
        return None

    def _setting(self, stage: Stage) -> ast.expr | ast.keyword:
        if not isinstance(stage.expr, ast.Call):
            return stage.expr
        given = (keyword for keyword in stage.expr.keywords if keyword.arg in _SETTINGS)
        return next(given, stage.expr)

    def _why_arms_differ(self, call: ast.Call) -> str | None:
        """`zip` keeps the order if none of its datasets was shuffled, batched or repeated."""
        if call not in self._differing:
            self._differing[call] = self._why_joined_differ(call)
        return self._differing[call]

    def _why_joined_differ(self, call: ast.Call) -> str | None:
        plain = PLAIN | COUNTING | {""}
        for ways in self._pipelines.arms(call):
            if not ways or any(stage.method not in plain for way in ways for stage in way[1:]):
                return "`zip` joins datasets that can't be followed, or were mixed before"
            reasons = (self.why_differs(way, as_written=True) for way in ways)
            reason = next(filter(None, reasons), None)
            if reason is not None:
                return reason
        return None

    def splits(self, way: Way) -> list[ast.Call]:
        """The shuffles without a seed that decide what is taken from it and what is left (D108)."""
        return self._before(way, SPLITTING)

    def names(self, way: Way) -> list[ast.Call]:
        """Those that decide in which order files are read, which is one for all (D108)."""
        before = self._before(way, READING)
        return [call for call in self.seedable(way) if call in before]

    def _before(self, way: Way, methods: Collection[str]) -> list[ast.Call]:
        """Of what is no share yet: the order of a worker's own share is its own."""
        found: list[ast.Call] = []
        is_ours = self._facts.options.applies("D108") and not self._facts.has_horovod
        for number, stage in enumerate(way):
            if stage.method == "shard" or not is_ours:
                return []
            is_own = stage.method == "shuffle" and not self.is_seeded_shuffle(stage)
            if is_own and any(each.method in methods for each in way[number + 1 :]):
                found.append(stage.call)
        return found

    def seedable(self, way: Way) -> Iterator[ast.Call]:
        """The shuffles that D108 can give a seed; one in each epoch would be the same for all."""
        is_ours = self._facts.options.applies("D108") and not self._facts.has_horovod
        for call, _ in self.shuffles(way) if is_ours else ():
            is_known = call is not way[0].expr and not self._facts.has_hidden_arguments(call)
            if is_known and not is_for_a_round(self._facts, call):
                yield call

    def shuffles(self, way: Way) -> Iterator[tuple[ast.Call, int | None]]:
        """The calls without a seed that make the order each worker's own; where a seed goes."""
        for stage in way:
            if stage.method == "shuffle" and not self.is_seeded_shuffle(stage):
                yield stage.call, 1
        if way[0].method != LOADS:
            yield from self.unseeded(way[0])

    def unseeded(self, source: Stage) -> Iterator[tuple[ast.Call, int | None]]:
        """The call of a source that shuffles names without a seed; where a seed goes."""
        if source.method in (*SEEDED, LOADS) and self._source(source) is not None:
            yield source.call, 2 if source.method == "list_files" else None

    def _is_loose(self, stage: Stage) -> bool:
        if not stage.method or not isinstance(stage.expr, ast.Call):
            return False
        return any(
            not (isinstance(k.value, ast.Constant) and k.value.value in (True, None))
            for k in stage.call.keywords
            if k.arg == "deterministic"
        )

    def is_seeded_shuffle(self, stage: Stage) -> bool:
        """Whether a `shuffle` is the same one on every worker."""
        return self.is_seeded or _given(self._facts.argument(stage.call, "seed", 1))

    def _source(self, source: Stage) -> str | None:
        call, method = source.call, source.method
        argument = self._facts.argument
        if method == "zip":
            return self._why_arms_differ(call)
        if method == "from_generator":
            is_own = call.args and self._draws_order(call.args[0])
            return f"its generator draws an order {DIFFERENTLY}" if is_own else None
        if method == "list_files":
            is_fixed = _is_constant(argument(call, "shuffle", 1), False)
            is_same = is_fixed or _given(argument(call, "seed", 2)) or self.is_seeded
            return None if is_same else f"`list_files` shuffles the names {DIFFERENTLY}"
        if method in READY_BATCHED:
            is_same = self._is_batched_alike(call, method)
            return None if is_same else f"`{method}` shuffles {DIFFERENTLY}"
        if method == LOADS:
            shuffled = argument(call, "shuffle_files")
            fixed = shuffled is None or _is_constant(shuffled, False) or self._is_read_alike(call)
            return None if fixed else f"the files are shuffled {DIFFERENTLY}"
        return None if method in _ORDERED else f"what `{method}` gives can't be told apart"

    def _draws_order(self, given: ast.expr, depth: int = 3) -> bool:
        """Whether the code of a generator, as far as it calls, draws by chance of each worker's."""
        functions = self._facts.program.functions(given).nodes
        inside = [n for f in functions for n in within(f) if isinstance(n, ast.Call)]
        if any(own_draw(self._facts, call) or draws(self._facts, call) for call in inside):
            return True
        return bool(depth) and any(self._draws_order(c.func, depth - 1) for c in inside)

    def _is_read_alike(self, call: ast.Call) -> bool:
        """Whether shuffled files are read in one order.

        A global seed is not enough: without one of its own TensorFlow Datasets reads several files
        in no fixed order (tensorflow_datasets/core/reader.py).
        """
        config = self._facts.argument(call, "read_config")
        made = self._facts.origins(config).only if config is not None else None
        if not isinstance(made, ast.Call):
            return False
        is_config = (self._facts.name(made.func) or "").endswith(".ReadConfig")
        return is_config and _given(self._facts.argument(made, "shuffle_seed"))

    def _is_batched_alike(self, call: ast.Call, method: str) -> bool:
        """Whether `image_dataset_from_directory` and its like give one order to all workers."""
        shuffle = self._facts.argument(call, "shuffle")
        default = method == "timeseries_dataset_from_array"
        is_fixed = _is_constant(shuffle, False) or (shuffle is None and default)
        return is_fixed or _given(self._facts.argument(call, "seed")) or self._numpy_seeded

    # -- sizes --------------------------------------------------------------------------------

    def is_counted(self, way: Way) -> bool:
        """Whether tf.data itself knows how many elements there are."""
        known = PLAIN | COUNTING | BATCHING | {"shuffle", ""}
        counted = way[0].method in _COUNTED or way[0].method in READY_BATCHED
        if way[0].method == "zip":
            counted = self._are_counted(way[0].call)
        return counted and all(stage.method in known for stage in way[1:])

    def _are_counted(self, call: ast.Call) -> bool:
        if call not in self._counted:
            arms = self._pipelines.arms(call)
            self._counted[call] = bool(arms) and all(
                ways and all(map(self.is_counted, ways)) for ways in arms
            )
        return self._counted[call]

    def is_uniform(self, way: Way, rest: Way) -> bool:
        """Whether all elements have one shape, so that some of them can be put in one batch."""
        if way[0].method in _UNIFORM and all(self._keeps_shape(stage) for stage in way[1:]):
            return True
        following = [stage.method for stage in rest if stage.method]
        batches = [n for n, method in enumerate(following) if method in BATCHING]
        if not batches or following[batches[0]] != "batch":
            return False
        return all(
            method in ("shuffle", "repeat", "prefetch", "cache", "take", "skip")
            for method in following[: batches[0]]
        )

    def _keeps_shape(self, stage: Stage) -> bool:
        if stage.method == "window":
            return _is_constant(self._facts.argument(stage.call, "drop_remainder", 3), True)
        if stage.method in ("flat_map", "interleave"):
            if any(isinstance(n, ast.Attribute) and n.attr == "batch" for n in within(stage.call)):
                return True  # windows of one size, each made one element
            names = (self._facts.name(node) or "" for node in within(stage.call))
            return any(name.rpartition(".")[2] in FILE_DATASETS for name in names)
        return stage.method in (
            "",
            "filter",
            "take",
            "skip",
            "prefetch",
            "with_options",
            "cache",
            "concatenate",
            "shuffle",
        )


def _is_constant(expr: ast.expr | None, value: object) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is value


def _given(expr: ast.expr | None) -> bool:
    return expr is not None and not _is_constant(expr, None)
