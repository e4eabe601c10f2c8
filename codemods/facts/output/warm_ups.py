"""Which `fit` calls lead their rate up to what it is for all workers, and what keeps others back.

Goyal et al., Accurate, Large Minibatch SGD (2017), 2.2; LearningRateWarmupCallback of Horovod 0.28
sets the rate before each batch, from the number of steps of an epoch, and fails where Keras can't
tell it before the first one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..data.batch_datasets import are_shared_by_class, batch_datasets
from ..data.containers_of_arrays import TRAINING
from ..data.cuts import ShareForm
from ..data.fit_arrays import arrays_of_fits
from ..data.lengths import is_repeatable
from ..data.shares import shares_of
from ..data.uses import End, Use
from ..facts import recorded
from ..gradients.broadcast_already import is_same_model
from ..optimizers.compiles import compiles
from ..optimizers.kept_rates import keeps_rates
from ..optimizers.loaded_models import loads_to_distribute
from ..optimizers.rate_arguments import given_rate, rate_arguments
from ..optimizers.rate_values import Nature, nature
from ..problems import Problem
from ..roles import Role
from ..training import fits
from ..training.repetition import runs_once

if TYPE_CHECKING:
    from ..facts import Facts

IN_ROUNDS = "one optimizer trains in several rounds: in each the rate would begin anew"
IN_ONE = "train all epochs in one `fit`, or compile the model where each training begins"
NO_NAME = "the model has no name by which its rate could be read"
FROM_FILE = (
    "the rate of a model that was saved while it was warming up would be taken for the whole"
)
SCHEDULED = "a schedule sets this rate at every step, and would set aside what a warm-up sets"


def wants_warm_up(facts: Facts) -> bool:
    """Whether rates are to grow, and do so with the workers."""
    return bool(facts.options.warmup) and not facts.has_horovod and not keeps_rates(facts)


@recorded
def warmed_up(facts: Facts) -> frozenset[ast.AST]:
    """The `fit` calls whose rate is led up to its full value."""
    begins = _beginnings(facts)
    if not begins or any(True for _ in _fixed_rates(facts)):
        return frozenset()
    return frozenset(call for call in begins if not any(True for _ in _in_the_way(facts, call)))


def unwarmed_fits(facts: Facts) -> Iterator[Problem]:
    """What keeps a `fit` from leading its rate up."""
    begins = _beginnings(facts)
    for call in begins:
        yield from _in_the_way(facts, call)
    if begins:
        yield from _fixed_rates(facts)


def _beginnings(facts: Facts) -> list[ast.Call]:
    """Where a model begins to train, and does not go on."""
    fitting = fits.fits(facts) if wants_warm_up(facts) else ()
    return [call for call in fitting if not _goes_on(facts, call)]


def _in_the_way(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    model = call.func.value  # type: ignore[attr-defined]
    if not is_repeatable(facts, model):
        yield Problem(model, NO_NAME, "give it one: `model = …`")
    if not runs_once(facts, call) and not _begins_with(facts, call):
        yield Problem(call, IN_ROUNDS, IN_ONE)


def _fixed_rates(facts: Facts) -> Iterator[Problem]:
    fix = "compile it anew with its whole rate: `model.compile(optimizer, …)`"
    yield from (Problem(load, FROM_FILE, fix) for load in loads_to_distribute(facts))
    yield from scheduled(facts)


def scheduled(facts: Facts) -> Iterator[Problem]:
    """Rates of optimizers that are no numbers."""
    for call, argument in rate_arguments(facts):
        rate = given_rate(facts, call, argument)
        if facts.made_by(call) is not Role.OPTIMIZER or rate is None:
            continue
        if nature(facts, rate) is not Nature.NUMBER:
            yield Problem(rate, SCHEDULED, "let the schedule itself begin with a warm-up")


def has_counted_steps(facts: Facts, call: ast.Call) -> bool:
    """Whether Keras 2 can tell Horovod's callback the steps of an epoch before the first one."""
    given = fits.arguments(facts, call, "steps_per_epoch")
    if fits.is_given(facts, call, "steps_per_epoch"):
        return not any(isinstance(e, ast.Constant) and e.value is None for e in given)
    if fits.argument(facts, call, "y") is not None:  # arrays or tensors: all else brings its labels
        return True
    if any(each.fit is call and each.purpose == TRAINING for each in arrays_of_fits(facts)):
        return True
    if call in batch_datasets(facts) or are_shared_by_class(facts, call):
        return True
    ends = [e for e in shares_of(facts).ends if e.by is call and e.use is Use.TRAINING]
    return bool(ends) and all(_is_counted(facts, end) for end in ends)


def _goes_on(facts: Facts, call: ast.Call) -> bool:
    """Whether another `fit` of the same model stands above, with no `compile` between them."""
    block, number = facts.block(facts.statement(call))
    above = block[:number]
    for other in fits.fits(facts):
        if facts.statement(other) in above and is_same_model(facts, other, call):
            between = above[above.index(facts.statement(other)) :]
            return not any(facts.statement(each.call) in between for each in compiles(facts))
    return False


def _begins_with(facts: Facts, call: ast.Call) -> bool:
    """Whether the model is made, or compiled, in the very block that trains it, round by round."""
    block, number = facts.block(facts.statement(call))
    model = call.func.value  # type: ignore[attr-defined]
    version = facts.order.reads.get(model) if isinstance(model, ast.Name) else None
    made = version.node if version is not None and version.kind == "assign" else None
    if made is not None and facts.statement(made) in block[:number]:
        return True
    return any(
        facts.statement(each.call) in block[:number] and is_same_model(facts, each.call, call)
        for each in compiles(facts)
    )


def _is_counted(facts: Facts, end: End) -> bool:
    """Whether TensorFlow can tell how many elements it has, once it is shared out."""
    data = shares_of(facts)
    cuts = [data.cuts[stage.expr] for way in end.ways for stage in way if stage.expr in data.cuts]
    counted = (ShareForm.COUNTED, ShareForm.COUNTED_NAMED)
    is_plain = all(cut.form in counted for cut in cuts)
    return is_plain and all(data.orders.is_counted(way) for way in end.ways)
