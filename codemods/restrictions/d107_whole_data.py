"""Data that every worker keeps all of: right, but no faster than before."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..facts import Facts
from ..facts.by_rank import depends_on_rank, depends_on_size
from ..facts.causes import Cause, spelled
from ..facts.data.batch_needs import order_matters, size_is_fixed
from ..facts.data.drawn_batches import (
    chooses_by_chance,
    is_invented,
    is_of_own_numbers,
    is_played,
    picks_by_chance,
)
from ..facts.data.full_batch import is_full_batch
from ..facts.data.handed_batches import Left, handed_batches
from ..facts.data.numbered_batches import is_numbered, is_own_order
from ..facts.data.orders import DIFFERENTLY, LOOSE
from ..facts.data.own_orders import common_seed, own_common_seed, parts_examples
from ..facts.data.pipeline_shares import Shares, shares_data, shares_of
from ..facts.data.share_forms import Whole
from ..facts.data.unknown_data import unknown_data
from ..facts.data.uses import End, Use
from ..facts.declared import has_own_rows
from ..facts.gradients.batch_rows import full_rows
from ..facts.optimizers.learning_rates import are_kept
from ..facts.training import fits
from ..facts.training.pattern import training_of
from ..library.draws import READ
from ..library.names import KERAS
from ..model import Finding
from . import restriction
from ._batches_told import is_of_batches, of_batches
from ._finding import COST, SIZE, moved, note, traced
from ._shares_by_hand import by_hand, each_of_loop, looped, part_of

FULL = (
    "there is nothing to share out: every step takes all of the data, so that all workers compute "
    "the same gradient, and the rate is not scaled"
)
SAID = ", as `# distify: rate=kept` says"
ALONE = "train it on one worker, or give each of them its share of the examples in every step"
ALIKE = "; they take the same batches, so that the scaled rate is too large for them"
HANDED = (
    "let it count by the length of what it holds, and give `{}` a part where it is made, "
    "`x[hvd.rank() : len(x) // hvd.size() * hvd.size() : hvd.size()]` of each array"
)
SAME = (
    "every worker draws the same examples, because of `{}`: all compute the same gradient, and the "
    "scaled rate is too large for it"
)
OWN_SEED = "write `{}({} + hvd.rank())` in the migrated file: no split and no order depends on it"
NEXT_SEED = (
    "write `seed={} + hvd.rank()` in the migrated file, and so for what goes with it: no split and "
    "no share depends on it"
)
GENERATOR = (
    "splits or orders may depend on this seed: draw the examples from a generator of their own, "
    "which the worker's number seeds, `np.random.default_rng(hvd.rank())`"
)
NOISE = (
    "every worker draws the same numbers here, because of the seed `{}`: a step of N workers has "
    "one worker's noise N times"
)
GENERATOR_OF_KERAS = f"{KERAS}.random.SeedGenerator"
IN_ORDER = (
    "keep the rate of one worker: `# distify: rate=kept` in the line of the optimizer; a part of "
    "the data would break the order that the state needs"
)
SEED = "give it a seed, `seed=0`, so that the workers can share it out"
ORDERED = "leave `with_options` out, so that the workers can share it out"
READ_ALIKE = f"{READ}; then the workers can share them out"


@restriction(code="D107", name="whole-data")
def whole_data(facts: Facts) -> Iterator[Finding]:
    """Notes for the training data that could not be shared out."""
    if not shares_data(facts):
        return
    data = shares_of(facts)
    for whole in data.whole:
        if whole.end.use is Use.TRAINING:
            message = f"every worker trains on all of this dataset: {whole.reason}"
            message += ALIKE if is_alike(data, whole.end) else ""
            fix = SEED if whole.reason.endswith(DIFFERENTLY) else by_hand(whole)
            fix = ORDERED if whole.reason == LOOSE else fix
            fix = READ_ALIKE if whole.reason.startswith("the files are shuffled") else fix
            remark = note(facts, whole.end.expr, "D107", message, fix, kind=SIZE)
            yield moved(facts, remark, whole.end.by, where(data, whole))
    if is_full_batch(facts):
        if full_rows(facts) is None:
            place, said = training_of(facts).places[0][0], SAID if are_kept(facts) else ""
            yield note(facts, place, "D107", FULL + said, ALONE, kind=COST)
        return
    handed = handed_batches(facts).left
    yield from of_handed(facts, handed) if handed else of_unknown(facts)


@restriction(code="D107", name="same-noise")
def same_noise(facts: Facts) -> Iterator[Finding]:
    """Notes for generators of Keras 3 with one seed: what they draw is no data that is cut."""
    if facts.has_horovod or not training_of(facts).places:
        return
    for call in facts.calls_of(GENERATOR_OF_KERAS):
        seed = facts.argument(call, "seed", 0)
        if isinstance(seed, ast.Constant) and seed.value is not None:
            text = spelled(seed)
            fix = f"write `{spelled(call.func)}({text} + hvd.rank())` in the migrated file"
            yield note(facts, call, "D107", NOISE.format(text), fix, kind=COST)


def of_handed(facts: Facts, left: Iterable[Left]) -> Iterator[Finding]:
    """Notes for what hands out batches and could not be given a share."""
    for each in left:
        made = spelled(each.made.func)
        message = f"every worker trains on all of what `{made}` hands out: {each.why}"
        yield note(facts, each.place, "D107", message, HANDED.format(made), kind=SIZE)


def of_unknown(facts: Facts) -> Iterator[Finding]:
    """Notes for data that can't be followed, but for what each worker has for itself."""
    steps: set[ast.expr] = {place for place, _ in training_of(facts).places}
    for value in unknown_data(facts):
        is_step = value in steps  # of a loop, the data of which nobody knows
        values = value.args if is_step and isinstance(value, ast.Call) else [value]
        seed, own = common_seed(facts, values), own_common_seed(facts, values)
        if seed is not None and not has_own_rows(facts, value):
            yield note(
                facts, seed, "D107", SAME.format(spelled(seed)), own_seed(facts, seed), kind=SIZE
            )
        elif own is not None and not is_own_by_number(facts, value):
            text = spelled(own)
            yield note(
                facts, own, "D107", SAME.format(f"seed={text}"), NEXT_SEED.format(text), kind=SIZE
            )
        elif is_own(facts, value, values, is_step):
            continue
        elif is_of_batches(facts, value):
            yield from of_batches(facts, value)
        else:
            message = f"every worker trains on all of this data: {why(facts)}"
            data = looped(facts, value) if is_step else value
            fix = part_of(facts, value) if data is value else each_of_loop(facts, data)
            fix = IN_ORDER if order_matters(facts) else fix
            place = value if data is None else data
            node = facts.index.parents[place] if is_step and data is not None else place
            yield traced(facts, note(facts, place, "D107", message, fix, kind=SIZE), node, data)


def is_own_by_number(facts: Facts, value: ast.expr) -> bool:
    """Whether a person says so, or Keras takes batches by number, on each worker in its own way."""
    if has_own_rows(facts, value) or not is_numbered(facts, value):
        return has_own_rows(facts, value)
    return all(is_own_order(facts, f) for f in fits.fits(facts) if fits.data(facts, f) is value)


def is_own(facts: Facts, value: ast.expr, values: list[ast.expr], is_step: bool) -> bool:
    """Whether each worker takes a share by its number, or draws or picks examples of its own."""
    if has_own_rows(facts, value):
        return True
    taken = looped(facts, value) if is_step else value
    if taken is not None and has_own_rows(facts, taken):
        return True
    if taken is not None and is_share(facts, taken):
        return True
    by_rank = any(depends_on_rank(facts, each) for each in values)
    if by_rank and is_of_own_numbers(facts, values):
        return True
    if is_step and (picks_by_chance(facts, values) or is_played(facts, values)):
        return True
    return chooses_by_chance(facts, value) or is_invented(facts, values)


def is_share(facts: Facts, value: ast.expr) -> bool:
    """Whether the program takes it by the worker's number and their count, as only shares are.

    By its number alone a worker may draw an order of its own, of all of the data.
    """
    return depends_on_rank(facts, value) and depends_on_size(facts, value)


def own_seed(facts: Facts, seed: ast.Call) -> str:
    """The seed that draws other examples on each worker, where nothing else depends on it."""
    if parts_examples(facts, seed):
        return GENERATOR
    return OWN_SEED.format(spelled(seed.func), spelled(seed.args[0]))


def where(data: Shares, whole: Whole) -> Cause | None:
    """The stage that makes the order another one on each worker, if that is the reason."""
    orders = data.orders
    differing = (way for way in whole.end.ways if orders.why_differs(way) == whole.reason)
    place = next(map(orders.where_differs, differing), None)
    return None if place is None else Cause(place)


def is_alike(data: Shares, end: End) -> bool:
    """Whether all workers see it in one order, so that each step trains on one batch only."""
    return all(data.orders.why_differs(way) is None for way in end.ways)


def why(facts: Facts) -> str:
    """The reason that holds for all arrays of the file."""
    if order_matters(facts):
        return "the model keeps its state from batch to batch"
    if size_is_fixed(facts):
        return "the model takes batches of one size only"
    return "it is of an unknown kind"
