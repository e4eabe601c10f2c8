"""What each worker trains on by its number: shares that differ in steps, batches drawn alike."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.agreement import is_rank
from ...library.array_names import GENERATORS, SPLIT
from ...library.draws import NUMPY, PYTHON, TENSORFLOW
from ...library.element_counts import is_made
from ...library.seeds import SEEDS
from ...library.tensorflow_names import OUT_OF_RANGE
from ...program.node_fields import within
from ..by_rank import TAINTED, Taint, depends_on_rank, depends_on_size
from ..data.drawn_batches import is_environment_in
from ..data.numbered_batches import is_of_own_order
from ..data.orders import DIFFERENTLY
from ..data.pipeline_shares import shares_of
from ..data.pipelines import Stage, Way, is_endless
from ..data.uses import End, Use
from ..facts import Facts
from ..horovod import calls_of
from ..training import fits
from ..training.pattern import training_of
from ..training.session_runs import training_runs
from ..training.training_loops import trains
from .collective_calls import names_of
from .horovod_parts import is_whole

# -- uneven shares -------------------------------------------------------------------------------
# Shares of the data by the worker's number that may give one worker a step more than another.
#
# horovod/horovod#832, #2629; two workers were seen to hang in such a program.

_ALIKE = ("astype", "copy")  # methods of arrays that keep their length
_EVEN = 8  # a number that this divides goes round for the usual numbers of workers


def uneven_shares(facts: Facts) -> Iterator[tuple[ast.expr, str]]:
    """Where the data is cut, and what is wrong: "rest", or "lost" with other numbers of shares."""
    if any(True for _ in calls_of(facts, "join")):
        return
    for end in shares_of(facts).ends:
        if end.use is Use.TRAINING:
            yield from _of_end(facts, end)
    yield from _arrays(facts)
    for loop in facts.index.nodes(ast.For):
        if _is_own_count(facts, loop.iter) and trains(facts, loop) and not _is_left(loop):
            yield loop.iter, "rest"


def _arrays(facts: Facts) -> Iterator[tuple[ast.expr, str]]:
    """`x[hvd.rank() :: hvd.size()]` of a `fit` whose steps nobody counts."""
    for call in fits.fits(facts):
        given, steps = fits.data(facts, call), fits.arguments(facts, call, "steps_per_epoch")
        parts: Iterable[ast.AST] = facts.program.ingredients_of(steps)  # `len` of one's own share
        if not steps:
            parts = () if given is None else facts.origins(given).nodes
        for made in parts:
            if isinstance(made, ast.Subscript):
                if _is_strided(facts, made) or _is_split(facts, made):
                    yield made, "rest"


def _is_strided(facts: Facts, cut: ast.Subscript) -> bool:
    part = cut.slice
    if not isinstance(part, ast.Slice) or part.lower is None or part.step is None:
        return False
    is_cut = depends_on_rank(facts, part.lower) and depends_on_size(facts, part.step)
    evened = [cut.value] if part.upper is None else [cut.value, part.upper]
    made = (node for node in facts.origins(cut.value).nodes if isinstance(node, ast.Call))
    sizes = [size for node in made for size in _numbers(node)[:1]]
    is_odd = any(size % _EVEN for size in sizes)
    return is_cut and is_odd and not any(depends_on_size(facts, each) for each in evened)


def _is_split(facts: Facts, cut: ast.Subscript) -> bool:
    """`np.array_split(x[:241], hvd.size())[hvd.rank()]`: the first parts may be longer by one."""
    parts = cut.value
    if not isinstance(parts, ast.Call) or len(parts.args) < 2:
        return False
    if facts.name(parts.func) != SPLIT or not depends_on_rank(facts, cut.slice):
        return False
    whole, count = parts.args[:2]
    made = facts.origins(whole).nodes
    uppers = [n.slice.upper for n in made if isinstance(n, ast.Subscript) and _is_slice(n.slice)]  # type: ignore[attr-defined]
    sizes = [each.value for each in uppers if isinstance(each, ast.Constant)]
    sizes += [size for n in made if isinstance(n, ast.Call) for size in _numbers(n)[:1]]
    is_odd = any(isinstance(size, int) and size % _EVEN for size in sizes)
    return is_odd and depends_on_size(facts, count) and not depends_on_size(facts, whole)


def _is_slice(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice)


def _numbers(call: ast.Call) -> list[int]:
    """The sizes that are written down: `np.ones((64, 4))`."""
    values = [n.value for n in within(call) if isinstance(n, ast.Constant)]
    return [value for value in values if isinstance(value, int)]


def _of_end(facts: Facts, end: End) -> Iterator[tuple[ast.expr, str]]:
    for way in end.ways:
        cut = next((stage for stage in way if _is_cut(facts, stage)), None)
        if cut is None:
            continue
        if not depends_on_size(facts, cut.call):
            yield cut.expr, "lost"
        elif not _is_evened(facts, way, cut) and not _is_bounded(facts, end):
            yield cut.expr, "rest"


def overlapping_shares(facts: Facts) -> Iterator[ast.expr | ast.keyword]:
    """What puts the examples in an order of each worker's own, before it takes its share of them.

    Of endless data everybody draws anew.
    """
    data = shares_of(facts)
    for way in (way for end in data.ends if end.use is Use.TRAINING for way in end.ways):
        cut = next((stage for stage in way if _is_cut(facts, stage)), None)
        before = () if cut is None else way[: way.index(cut)]
        if before and not is_endless(before):
            why = data.orders.why_differs(before, as_written=True) or ""
            place = data.orders.where_differs(before) if why.endswith(DIFFERENTLY) else None
            if place is not None:
                yield place


def _is_cut(facts: Facts, stage: Stage) -> bool:
    """`shard(…, hvd.rank())`."""
    if stage.method != "shard" or not isinstance(stage.expr, ast.Call):
        return False
    index = facts.argument(stage.call, "index", 1)
    return index is not None and depends_on_rank(facts, index)


def _is_evened(facts: Facts, way: Way, cut: Stage) -> bool:
    """Whether it never ends, or another stage counts what is there."""
    others = [s for s in way if s is not cut and isinstance(s.expr, ast.Call)]
    counted = ("take", "skip", "filter", "batch" if _drops(way) else "take")
    if is_endless(way) or any(s.method in counted for s in others):
        return True
    before = way[: way.index(cut)]
    files = any("iles" in s.method or "TFRecord" in s.method for s in before)
    return files or _goes_round(facts, before)


def _drops(way: Way) -> bool:
    return any(
        k.arg == "drop_remainder"
        for s in way
        if isinstance(s.expr, ast.Call)
        for k in s.call.keywords
    )


def _goes_round(facts: Facts, before: Way) -> bool:
    """Whether so many elements are made that the usual numbers of workers get the same."""
    source = before[0].expr if before else None
    if not isinstance(source, ast.Call) or not source.args:
        return True
    numbers = [n.value for n in _constants(facts, source) if isinstance(n.value, int)]
    return not numbers or numbers[0] % _EVEN == 0


def _constants(facts: Facts, source: ast.Call) -> Iterator[ast.Constant]:
    """The numbers that say how much there is: of `range(n)`, a slice `x[:n]`, `np.ones((n, 4))`."""
    for arg in source.args[:1]:
        if isinstance(arg, ast.Constant):
            yield arg
        for node in within(arg):
            upper = node.upper if isinstance(node, ast.Slice) else None
            if isinstance(upper, ast.Constant):
                yield upper
        for node in within(arg):
            made = facts.origins(node).nodes if isinstance(node, ast.Name) else (node,)
            yield from (size for each in made for size in _made_so_long(facts, each))


def _made_so_long(facts: Facts, made: ast.AST) -> Iterator[ast.Constant]:
    """How many the numbers say that something makes: `np.zeros((64, 4))`, `generator.rand(64)`."""
    if isinstance(made, ast.Subscript) and isinstance(made.slice, ast.Slice):
        yield from [made.slice.upper] if isinstance(made.slice.upper, ast.Constant) else []
    if not isinstance(made, ast.Call) or not made.args:
        return
    name, func = facts.name(made.func), made.func
    if name is None and isinstance(func, ast.Attribute):
        if facts.name(getattr(func.value, "func", func)) in GENERATORS:
            name = f"numpy.random.{func.attr}"
        elif isinstance(func.value, ast.Call) and func.attr in _ALIKE:
            yield from _made_so_long(facts, func.value)
    first = made.args[0].elts[0] if isinstance(made.args[0], ast.Tuple) else made.args[0]
    if name is not None and is_made(name) and isinstance(first, ast.Constant):
        yield first


def _is_bounded(facts: Facts, end: End) -> bool:
    """Whether steps are counted: `steps_per_epoch=`, a `break`, not until the data ends."""
    if isinstance(end.by, ast.Call):
        is_fit = end.by in list(fits.fits(facts))
        is_counted = is_fit and bool(fits.arguments(facts, end.by, "steps_per_epoch"))
        return is_counted if is_fit else not _goes_to_its_end(facts)
    return not isinstance(end.by, ast.For) or _is_left(end.by)


def _goes_to_its_end(facts: Facts) -> bool:
    """Whether a session trains until the data has no more: `except tf.errors.OutOfRangeError`."""
    runs = training_runs(facts)
    for attempt in facts.index.nodes(ast.Try):
        names = [facts.name(h.type) or "" for h in attempt.handlers if h.type is not None]
        if any(name.endswith(OUT_OF_RANGE) for name in names):
            return any(node in runs for s in attempt.body for node in within(s))
    return False


def _is_left(loop: ast.For) -> bool:
    return any(isinstance(node, (ast.Break, ast.Return)) for node in within(loop))


def _is_own_count(facts: Facts, iterable: ast.expr) -> bool:
    """`range(hvd.rank(), n, hvd.size())`, unless `n` goes round."""
    is_range = isinstance(iterable, ast.Call) and facts.name(iterable.func) == "builtins.range"
    if not is_range or len(iterable.args) != 3:  # type: ignore[attr-defined]
        return False
    start, stop, step = iterable.args  # type: ignore[attr-defined]
    number = stop.value if isinstance(stop, ast.Constant) else None
    is_even = isinstance(number, int) and number % _EVEN == 0
    by_hand = depends_on_rank(facts, start) and depends_on_size(facts, step)
    return by_hand and not is_even and not depends_on_size(facts, stop)


# -- same draws ----------------------------------------------------------------------------------
# Batches that all workers draw alike: one seed for all, and nothing of the data is cut by rank.

_DRAWS = {
    NUMPY: ("permutation", "shuffle", "choice", "randint"),
    PYTHON: ("shuffle", "sample", "choice", "choices", "randrange", "randint"),
}
_IN_ORDER = (
    *("batch", "cache", "enumerate", "map", "padded_batch", "prefetch", "repeat", "take"),
    *("from_tensor_slices", "range", "with_options", ""),  # the last: only another name
)
_PLAIN = (ast.Compare, ast.UnaryOp, ast.If, ast.IfExp, ast.BoolOp)


def same_draws(facts: Facts) -> Iterator[tuple[ast.Call, ast.Call]]:
    """A draw of examples, and what seeds it for all workers alike."""
    if not is_whole(facts) or shares_of(facts).has_any or _is_data_by_rank(facts):
        return
    if all(is_of_own_order(facts, call) for call, _ in training_of(facts).places):
        return
    seeds = {m: call for call in facts.index.calls for m in _seeded_by(facts, call)}
    for call in facts.index.calls:
        seed = _seed_of(facts, call, seeds)
        if seed is not None:
            yield call, seed
            return  # one seed mends them all


def same_beginnings(facts: Facts) -> Iterator[ast.Call]:
    """`data.take(n // hvd.size())` of what nobody shuffles or shares: all take the first ones."""
    if is_whole(facts) and not shares_of(facts).has_any and not _is_data_by_rank(facts):
        for end in shares_of(facts).ends:
            ways = end.ways if end.use is Use.TRAINING else ()
            taken = (_fewer(facts, way) for way in ways if _is_in_order(way))
            yield from (call for call in taken if call is not None)


def _is_in_order(way: Way) -> bool:
    """Whether every run of it begins with the same elements."""
    return all(stage.method in _IN_ORDER for stage in way)


def _fewer(facts: Facts, way: Way) -> ast.Call | None:
    """The stage that leaves each worker its part of the steps."""
    calls = (s.call for s in way if s.method == "take" and isinstance(s.expr, ast.Call))
    return next((c for c in calls if c.args and depends_on_size(facts, c.args[0])), None)


def _seeded_by(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The modules that a call seeds, with what is the same for all workers."""
    modules = SEEDS.get(facts.name(call.func) or "", ()) if call.args else ()
    own = any(facts.program.value(TAINTED, arg) > Taint.SHARED for arg in call.args)
    return () if own else modules


def _seed_of(facts: Facts, call: ast.Call, seeds: dict[str, ast.Call]) -> ast.Call | None:
    """What seeds a draw, None for other calls."""
    module, _, name = (facts.name(call.func) or "").rpartition(".")
    if name in _DRAWS.get(module, ()):
        return None if is_environment_in(facts, _given(call)) else seeds.get(module)
    is_shuffle = isinstance(call.func, ast.Attribute) and call.func.attr == "shuffle"
    if not is_shuffle or not any(
        call is s.expr for e in shares_of(facts).ends for w in e.ways for s in w
    ):
        return None
    given = facts.argument(call, "seed", 1)
    return (
        call
        if isinstance(given, ast.Constant) and given.value is not None
        else seeds.get(TENSORFLOW)
    )


def _given(call: ast.Call) -> list[ast.expr]:
    """What a call is given, which may be a worker's own: `np.random.choice(2, p=policy(state))`."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_data_by_rank(facts: Facts) -> bool:
    """Whether the worker's number goes anywhere but into conditions and the choice of a GPU."""
    calls = (c for c in facts.index.calls if any(is_rank(n) for n in names_of(facts, c)))
    return any(not _is_for_itself(facts, call) for call in calls)


def _is_for_itself(facts: Facts, call: ast.Call) -> bool:
    parent = facts.parent(call)
    if isinstance(parent, _PLAIN):
        return True
    if not any(name.endswith("local_rank") for name in names_of(facts, call)):
        return False
    return isinstance(parent, (ast.Subscript, ast.Call))  # `gpus[hvd.local_rank()]`, `str(…)`
