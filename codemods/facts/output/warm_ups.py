"""Where a rate can be led up to what it is for all workers: in a `fit`, or in a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library.agreement import COUNTERS
from ...program.call_sites import passed
from ...program.node_fields import within
from ...program.parts import Function, FunctionNode
from ...program.records import NamedTuple
from ..causes import Problem
from ..data.arrays import means_the_same
from ..data.batch_givers import are_shared_by_class, batch_datasets
from ..data.data_lengths import TRAINING, is_repeatable
from ..data.fit_arrays import arrays_of_fits
from ..data.pipeline_shares import shares_of
from ..data.share_forms import ShareForm
from ..data.unknown_data import known_data
from ..data.uses import End, Use
from ..facts import recorded
from ..gradients.state_broadcasts import is_same_model
from ..gradients.tapes import applications
from ..optimizers.compiles import compiles
from ..optimizers.learning_rates import assigned, keeps_rates
from ..optimizers.rate_carriers import given_rate, rate_arguments
from ..optimizers.rate_values import Nature, nature
from ..optimizers.wrapped_optimizers import loads_to_distribute, minimizing_calls
from ..roles import Role
from ..traced_code import is_traced
from ..training import fits
from ..training.pattern import Pattern, runs_graph, training_of
from ..training.training_loops import runs_once

if TYPE_CHECKING:
    from ..facts import Facts


# -- warm-ups of fits ----------------------------------------------------------------------------
# Which `fit` calls lead their rate up to what it is for all workers, and what keeps others back.
#
# Goyal et al., Accurate, Large Minibatch SGD (2017), 2.2; LearningRateWarmupCallback of Horovod
# 0.28 sets the rate before each batch, from the number of steps of an epoch, and fails where
# Keras can't tell it before the first one.

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


# -- loops around --------------------------------------------------------------------------------
# The loops around a training step, through calls, and what its optimizer is called in each.


class Spelled(NamedTuple):
    """An optimizer in the words of some function: `root` is what its name begins with."""

    root: ast.expr
    rest: str  # `.optimizer` behind it, or nothing


class Inside(NamedTuple):
    """A loop around a step, and the optimizer of the step as it is called there."""

    loop: ast.AST
    optimizer: Spelled | None


def around(facts: Facts, call: ast.Call) -> Iterator[Inside]:
    """The loops around a step, the innermost first, through functions that are called once."""
    optimizer, node, seen = _spelled(call), call, set()
    while node not in seen:
        seen.add(node)
        for parent in facts.parents(node):
            if isinstance(parent, FunctionNode):
                break
            if isinstance(parent, (ast.For, ast.While)):
                yield Inside(parent, optimizer)
        function = facts.function(node)
        sites = facts.call_sites(function) if function is not None else []
        if function is None or len(sites) != 1 or facts.escapes(function):
            return
        node = sites[0]
        optimizer = None if optimizer is None else _as_called(facts, function, node, optimizer)


def _spelled(call: ast.Call) -> Spelled | None:
    """`self.optimizer` of `self.optimizer.apply_gradients(…)`, `model.optimizer` of a model."""
    assert isinstance(call.func, ast.Attribute)
    is_model = call.func.attr == "train_on_batch"
    return _parted(call.func.value, ".optimizer" if is_model else "")


def _parted(expr: ast.expr, rest: str) -> Spelled | None:
    while isinstance(expr, ast.Attribute):
        rest = f".{expr.attr}{rest}"
        expr = expr.value
    return Spelled(expr, rest) if isinstance(expr, ast.Name) else None


def _as_called(
    facts: Facts, function: Function, site: ast.Call, optimizer: Spelled
) -> Spelled | None:
    """What a function calls the optimizer, in the words of who calls the function."""
    name = optimizer.root.id  # type: ignore[attr-defined]
    if facts.scope(optimizer.root).find(name) is not facts.index.scopes.of[function]:
        return optimizer  # of the module, or of a function around this one
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    parameter = next((each for each in parameters if each.arg == name), None)
    if parameter is None or _is_rebound(facts, optimizer.root):
        return None
    is_self = parameter is parameters[0] and facts.classes.method_of(function) is not None
    method = site.func.value if isinstance(site.func, ast.Attribute) else None
    given = method if is_self else passed(site, function, parameter, facts.classes)
    return _parted(given, optimizer.rest) if isinstance(given, ast.expr) else None


def _is_rebound(facts: Facts, name: ast.expr) -> bool:
    """Whether a parameter may hold something else than what was given for it."""
    return [binding.kind for binding in facts.bindings(name)] != ["param"]


# -- warm up loops -------------------------------------------------------------------------------
# Loops over epochs at whose head the rate of an optimizer can be set, for training without `fit`.
#
# A step is followed outwards to its loop over the data, through the calls of its functions, and
# on to the loop around that; the optimizer is followed along, under the names that it has there.

NO_EPOCHS = "nobody can tell which loop counts the epochs around this step"
COUNT = (
    "`for epoch in range(n):` around the loop over the data, with the step inside or called once"
)
NO_OPTIMIZER = "the optimizer of this step has no name at the loop over the epochs"
NAME = "make it above the loop, and give it to the function of the step, or use it as a global name"
TRACED = "the loop over the epochs runs in a graph, which reads its rates once"
OWN_RATE = "the program sets this rate itself"
RESTORED = "a checkpoint may bring back a rate that was still growing"
LEAVE = "leave the setting out"


class Epochs(NamedTuple):
    """A loop over epochs, the optimizer as it is called there, and the number of the first one."""

    loop: ast.For
    optimizer: Spelled
    counter: str
    first: int


@recorded
def warm_up_loops(facts: Facts) -> tuple[Epochs, ...]:
    """The loops whose heads set a rate, each with its optimizer once."""
    if any(True for _ in unwarmed_loops(facts)):
        return ()
    found = (_epochs(facts, call) for call in _steps(facts))
    kept = [each for each in found if isinstance(each, Epochs)]
    named = {(e.loop, ast.unparse(e.optimizer.root), e.optimizer.rest): e for e in kept}
    return tuple(named.values())


def unwarmed_loops(facts: Facts) -> Iterator[Problem]:
    """What keeps training without `fit` from leading its rates up."""
    if not wants_warm_up(facts):
        return
    steps = _steps(facts)
    others = [call for call, pattern in training_of(facts).places if pattern is not Pattern.KERAS]
    for call in steps or others[:1]:
        found = _epochs(facts, call)
        if isinstance(found, Problem):
            yield found
    if steps:
        yield from (Problem(value, OWN_RATE, LEAVE) for value in assigned(facts))
        yield from (Problem(call, RESTORED, LEAVE) for call in facts.calls("restore"))
        yield from scheduled(facts)


def _steps(facts: Facts) -> list[ast.Call]:
    """The calls that train by themselves, one step at a time."""
    if not wants_warm_up(facts) or runs_graph(facts):
        return []
    is_loop = training_of(facts).pattern is not Pattern.KERAS
    found = [*applications(facts), *minimizing_calls(facts)] if is_loop else []
    places = (call for call, _ in training_of(facts).places)
    return [*found, *(c for c in places if getattr(c.func, "attr", "") == "train_on_batch")]


def _epochs(facts: Facts, call: ast.Call) -> Epochs | Problem:
    loops, data = list(around(facts, call)), known_data(facts)
    number = next((i for i, each in enumerate(loops) if each.loop in data), 0)
    is_plain = len(loops) == 2 or any(each.loop in data for each in loops)
    loop, optimizer = loops[number + 1] if number + 1 < len(loops) else (None, None)
    first = _first(facts, loop) if isinstance(loop, ast.For) and is_plain else None
    if not isinstance(loop, ast.For) or first is None:
        return Problem(call, NO_EPOCHS, COUNT)
    if is_traced(facts, loop):
        return Problem(call, TRACED, LEAVE)
    if optimizer is None or not _is_known(facts, optimizer.root, loop):
        return Problem(call, NO_OPTIMIZER, NAME)
    if not runs_once(facts, loop) and not _is_made_with(facts, optimizer.root, loop):
        return Problem(call, IN_ROUNDS, LEAVE)
    return Epochs(loop, optimizer, loop.target.id, first)  # type: ignore[attr-defined]


# -- at the loop -------------------------------------------------------------------------------


def _first(facts: Facts, loop: ast.For) -> int | None:
    """The number of the first epoch, 0 where the program goes on from a later one."""
    counted = loop.iter
    if isinstance(counted, ast.Call) and (facts.name(counted.func) or "").endswith("tqdm"):
        counted = counted.args[0] if counted.args else counted
    if not isinstance(counted, ast.Call) or facts.name(counted.func) not in COUNTERS:
        return None
    if not isinstance(loop.target, ast.Name) or not 1 <= len(counted.args) <= 2:
        return None
    start = counted.args[0] if len(counted.args) == 2 else None
    number = start.value if isinstance(start, ast.Constant) else 0
    return number if isinstance(number, int) else 0


def _is_known(facts: Facts, root: ast.expr, loop: ast.For) -> bool:
    """Whether the name means the same optimizer where the loop begins."""
    name = root.id  # type: ignore[attr-defined]
    if facts.scope(root).find(name) is not facts.scope(loop).find(name):
        return False
    if facts.function(root) is facts.function(loop):
        return means_the_same(facts, root, loop)
    return facts.function(loop) is not None or facts.order.at(loop, name) is not None


def _is_made_with(facts: Facts, root: ast.expr, loop: ast.For) -> bool:
    """Whether each training makes an optimizer of its own: in the block of the loop."""
    block, number = facts.block(loop)
    above = {node for statement in block[:number] for node in within(statement)}
    made = facts.origins(root).nodes
    return bool(made) and all(node in above for node in made)
