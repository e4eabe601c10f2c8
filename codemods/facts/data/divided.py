"""Which numbers of steps are divided by the number of workers, and how far down they may go.

Rule D106: where to write that each worker takes its share. Seeds 000 and 001, `take` and
`steps_per_epoch`; numbers that shrink with the data by themselves are left.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from typing import Callable

from ...library.datasets import COUNTING
from ...library.updates import READING
from ...program.node_fields import within
from ..by_rank import depends_on_size
from ..facts import Facts, recorded
from ..steps.each_step import counts_steps
from ..training import fits
from ..training.fits import are_means
from .array_loops import Loop, loops
from .batch_givers import batch_datasets
from .batch_needs import keeps_batch
from .data_lengths import TRAINING, VALIDATION
from .dealt import limits_of_turns, rounds_of_turns, turns_of
from .dealt_picks import rounds_of_picks
from .fit_arrays import arrays_of_fits
from .handed_batches import handed_batches
from .loop_ends import limits_of
from .numbered_batches import shortened
from .pipeline_shares import Shares, shares_of
from .pipelines import Way, is_endless
from .session_steps import graph_rounds
from .share_forms import any_shared_by_hand, is_shared_out
from .uses import End, Use

_NUMBERS = READING | {"int", "round", "cast", "max", "min"}
MANY = 1000  # more than the workers that ever train together


class Share(Enum):
    """What a worker's share of a number of steps must be."""

    ANY = "nothing goes wrong if it is none"
    SOME = "at least one: none would be an error, or train nothing"
    EACH = "any, of each number of a sequence"
    LAST = "the number of the last step of the share, counted from nought"


def step_counts(facts: Facts) -> Iterator[ast.expr]:
    """The numbers of steps of every `fit`, of `take`, and of loops that draw batches."""
    if keeps_batch(facts):  # each worker takes all of the steps, an Nth of each
        return
    data = shares_of(facts)
    seen: dict[ast.expr, None] = {}
    for call in fits.fits(facts):
        for name, use in (("steps_per_epoch", Use.TRAINING), ("validation_steps", Use.VALIDATION)):
            if _shares(facts, data, call, use):
                given = fits.arguments(facts, call, name)
                seen.update(dict.fromkeys(n for n in given if _is_divided(facts, n)))
    slices = [loop.steps for loop in loops(facts) if loop.steps is not None]
    numbers = [*taken_counts(facts), *data.rounds(), *graph_rounds(facts, data), *slices]
    numbers += [*loop_limits(facts), *rounds_of_turns(facts), *rounds_of_picks(facts)]
    seen.update(dict.fromkeys(n for n in numbers if _is_divided(facts, n)))
    yield from seen


@recorded
def loop_limits(facts: Facts) -> dict[ast.expr, ast.AST]:
    """The numbers at which loops over shares are left, each with its loop."""
    data = shares_of(facts)
    loops = (_loop(facts, end) for end in data.ends if _is_share(data, end))
    found = dict.fromkeys(loop for loop in loops if loop is not None)
    limits = {number: loop for loop in found for number in limits_of(facts, loop)}
    return limits | dict(limits_of_turns(facts))


def _is_share(data: Shares, end: End) -> bool:
    """Whether D107 shares it out: what a program has shared itself ends as it says."""
    is_cut = bool(end.ways) and all(data.cuts_in(way) == 1 for way in end.ways)
    return end.use is Use.TRAINING and is_cut


def _loop(facts: Facts, end: End) -> ast.AST | None:
    """The loop that runs over a dataset itself, or over a call around it: `enumerate(ds)`."""
    parent: ast.AST | None = end.by
    while isinstance(parent, ast.Call):
        parent = facts.parent(parent)
    return parent if isinstance(parent, (ast.For, ast.AsyncFor)) else None


def _is_divided(facts: Facts, steps: ast.expr) -> bool:
    return is_many(facts, steps) and not shrinks(facts, steps)


def is_many(facts: Facts, steps: ast.expr) -> bool:
    """Not `None`, no single step, of which no worker could take a share, none, and not -1: all."""
    nodes = (steps, *facts.origins(steps).nodes)
    if any(isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub) for n in nodes):
        return False
    return not any(isinstance(n, ast.Constant) and n.value in (None, 0, 1) for n in nodes)


def _ends(data: Shares, call: ast.Call, use: Use) -> list[End]:
    return [end for end in data.ends if end.by is call and end.use is use]


def _shares(facts: Facts, data: Shares, call: ast.Call, use: Use) -> bool:
    """Not where all of a finite dataset is seen by every worker: its steps would run out.

    Neither where validation data can't be followed: generators give it in order, so that fewer
    steps would only ever look at the beginning.
    """
    if use is Use.VALIDATION and not are_means(facts):
        return False
    ends = _ends(data, call, use)
    if use is Use.VALIDATION and not ends:
        return any(a.fit is call and a.purpose == VALIDATION for a in arrays_of_fits(facts))
    return all(data.is_cut(way) or is_endless(way) for end in ends for way in end.ways)


def repeated(facts: Facts) -> Iterator[ast.expr]:
    """Finite datasets of a `fit` with explicit steps: a share may have one batch more than that.

    Keras only begins anew each epoch while the steps are exactly all there are.
    """
    if keeps_batch(facts):  # its batches are as many as before
        return
    data = shares_of(facts)
    for call in fits.fits(facts):
        steps = fits.arguments(facts, call, "steps_per_epoch")
        is_counted = fits.is_given(facts, call, "steps_per_epoch")
        if not is_counted or not all(is_many(facts, each) for each in steps):
            continue
        for end in _ends(data, call, Use.TRAINING):
            if not all(map(is_endless, end.ways)) and all(map(data.is_cut, end.ways)):
                yield end.expr


def is_shorter(facts: Facts) -> bool:
    """Whether an epoch has fewer steps than before."""
    if keeps_batch(facts):
        return False
    data = shares_of(facts)
    cut = any(_ends_sooner(facts, data, end) for end in data.ends if end.use is Use.TRAINING)
    arrays = (
        bool(loops(facts) or batch_datasets(facts) or shortened(facts) or turns_of(facts))
        or bool(handed_batches(facts).arrays)
        or any_shared_by_hand(facts)
        or any(a.purpose == TRAINING for a in arrays_of_fits(facts))
    )
    return cut or arrays or any(True for _ in step_counts(facts))


def _ends_sooner(facts: Facts, data: Shares, end: End) -> bool:
    """Whether less data makes fewer steps: not in a loop that a count of its own ends."""
    is_kept = end in kept_counts(facts) and keeps_count(facts)
    return any(map(data.is_cut, end.ways)) and not is_kept


def kept_counts(facts: Facts) -> list[End]:
    """Shares without an end that a loop runs over, until `if step >= n: break` ends it."""
    data = shares_of(facts)
    ends = (e for e in data.ends if e.use is Use.TRAINING and e.by not in set(fits.fits(facts)))
    return [e for e in ends if all(data.is_cut(way) and _never_ends(way) for way in e.ways)]


def _never_ends(way: Way) -> bool:
    """Whether it repeats for ever, and nothing is counted off after that."""
    methods = [stage.method for stage in way]
    repeats = [number for number, method in enumerate(methods) if method == "repeat"]
    return is_endless(way) and "take" not in methods[max(repeats, default=0) :]


def keeps_count(facts: Facts) -> bool:
    """Whether no loop is seen that draws a number of batches: that number would be divided."""
    data = shares_of(facts)
    return not any(True for _ in (*data.rounds(), *graph_rounds(facts, data), *loop_limits(facts)))


def divided(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """Every number of steps to divide."""
    totals = (_total(facts, expr) for expr in step_counts(facts))
    found = [(expr, share(facts, expr)) for expr in totals]
    if is_shorter(facts):
        found += _epochs_done(facts)
    yield from ((expr, part) for expr, part in found if not depends_on_size(facts, expr))


def _total(facts: Facts, steps: ast.expr) -> ast.expr:
    """`total` of `total - ckpt.step`: a checkpoint of the job holds what each worker has done."""
    made = facts.origins(steps)
    values = (steps, *made.nodes) if made.complete and len(made.nodes) == 1 else (steps,)
    sums = (n for each in values for n in within(each) if isinstance(n, ast.BinOp))
    rests = (n for n in sums if isinstance(n.op, ast.Sub) and counts_steps(facts, n.right))
    totals = dict.fromkeys(n.left for n in rests if not counts_steps(facts, n.left))
    return next(iter(totals)) if len(totals) == 1 else steps


def _epochs_done(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """`optimizer.iterations // steps`: the epoch that a run goes on with, in steps of this job."""
    for use in facts.index.loads.get("iterations", ()):
        for parent in facts.parents(use):
            if isinstance(parent, ast.BinOp) and _is_quotient(parent, use):
                is_whole = is_many(facts, parent.right) and not shrinks(facts, parent.right)
                yield from [(parent.right, Share.SOME)] if is_whole else []
            if isinstance(parent, ast.stmt) or not _is_number(parent, use):
                break


def _is_number(node: ast.AST, use: ast.AST) -> bool:
    """Whether what is reckoned from a count still is one: a schedule gives a rate for it."""
    if not isinstance(node, ast.Call) or use in within(node.func):  # `iterations.numpy()`
        return True
    return getattr(node.func, "attr", getattr(node.func, "id", "")) in _NUMBERS


def _is_quotient(operation: ast.BinOp, use: ast.AST) -> bool:
    """Whether it divides what stands in `use` by a number of steps; a rate is no such number."""
    is_ratio = isinstance(operation.op, ast.Div) and not isinstance(operation.right, ast.Constant)
    is_division = isinstance(operation.op, ast.FloorDiv) or is_ratio
    return is_division and use in within(operation.left)


def share(facts: Facts, steps: ast.expr) -> Share:
    """Whoever skips no elements just sees all; nobody has as many workers as a large number."""
    made = facts.origins(steps)
    values = [getattr(node, "value", None) for node in made.nodes]
    is_large = made.complete and all(isinstance(v, int) and v >= MANY for v in values)
    return Share.ANY if (values and is_large) or _is_skipped(facts, steps) else Share.SOME


def _is_skipped(facts: Facts, count: ast.expr) -> bool:
    call = facts.parent(count)
    return isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "skip"


def taken_counts(facts: Facts) -> Iterator[ast.expr]:
    """Arguments of `take` and `skip` behind a cut, or of `take` from a dataset without end."""
    data = shares_of(facts)
    for end in data.ends:
        if end.use in (Use.TRAINING, Use.VALIDATION):
            for way in end.ways:
                yield from _counts_of(facts, data, way)


def _counts_of(facts: Facts, data: Shares, way: Way) -> Iterator[ast.expr]:
    starts = [
        number
        for number, stage in enumerate(way)
        if data.cuts_in((stage,)) or is_shared_out(facts, stage)
    ]
    for number, stage in enumerate(way):
        if stage.method not in COUNTING or not (starts or is_endless(way[:number])):
            continue
        if starts and number <= starts[0]:  # the cut stands behind its stage
            continue
        count = facts.argument(stage.call, "count", 0)
        if count is not None and not shrinks(facts, count):
            yield count


def shrinks(facts: Facts, expr: ast.AST) -> bool:
    """Whether a number is computed from how long data is that was cut."""
    if handed_batches(facts).is_share(expr):
        return True
    return _is_of_shares(facts)(expr) or _is_of_cut_arrays(facts)(expr)


@recorded
def _is_of_shares(facts: Facts) -> Callable[[ast.AST], bool]:
    """Whether the length of a share is among what something is computed from."""
    data = shares_of(facts)
    lengths = (end for end in data.ends if end.use is Use.LENGTH)
    shares = frozenset(end.expr for end in lengths if any(map(data.cuts_in, end.ways)))
    return facts.program.sought(shares.__contains__)


@recorded
def _is_of_cut_arrays(facts: Facts) -> Callable[[ast.AST], bool]:
    """The same of arrays that a loop takes slices of: whatever stands behind their cut is shorter.

    Only lengths are asked of them there, so that a number that they are in is one.
    """
    cut = frozenset(
        name
        for loop in loops(facts)
        for array in loop.arrays
        for name in facts.index.loads.get(array, ())
        if _is_behind(facts, name, loop)
    )
    return facts.program.sought(cut.__contains__) if cut else lambda node: False


def _is_behind(facts: Facts, name: ast.AST, loop: Loop) -> bool:
    is_here = facts.function(name) is facts.function(loop.before)
    first = loop.before.end_lineno + 1 if loop.is_behind else loop.before.lineno  # type: ignore[operator]
    return is_here and name.lineno >= first  # type: ignore[attr-defined]
