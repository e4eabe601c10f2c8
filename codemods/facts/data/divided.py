"""Which numbers of steps are divided by the number of workers, and how far down they may go.

Rule D106; seeds 000 and 001, `take` and `steps_per_epoch`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from enum import Enum

from ...library.decays import OLD_DECAYS
from ...library.names import in_v1
from ...library.optimizers import OPTIMIZERS
from ...library.updates import READING
from ...program.node_fields import within
from ..by_rank import depends_on_size
from ..facts import Facts
from ..roles import Role
from .counts import shrinks
from .remaining import total_of
from .saving_counts import saving_counts
from .steps import is_many, is_shorter, step_counts

_NUMBERS = READING | {"int", "round", "cast", "max", "min"}
_LARGE = 1000  # more than the workers that ever train together
# Where schedules take a number of steps: TensorFlow 2.4 to 2.15.
_DECAYS: Mapping[str, tuple[tuple[str, int | None], ...]] = {
    "ExponentialDecay": (("decay_steps", 1),),
    "InverseTimeDecay": (("decay_steps", 1),),
    "PolynomialDecay": (("decay_steps", 1),),
    "CosineDecay": (("decay_steps", 1), ("warmup_steps", 5)),
    "CosineDecayRestarts": (("first_decay_steps", 1),),
    "LinearCosineDecay": (("decay_steps", 1),),
    "NoisyLinearCosineDecay": (("decay_steps", 1),),
    "PiecewiseConstantDecay": (("boundaries", 0),),
    "RectifiedAdam": (("total_steps", 7),),  # of the add-ons: it warms up, and decays, by itself
}


class Share(Enum):
    """What a worker's share of a number of steps must be."""

    ANY = "nothing goes wrong if it is none"
    SOME = "at least one: none would be an error, or train nothing"
    EACH = "any, of each number of a sequence"


def divided(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """Every number of steps to divide."""
    totals = (total_of(facts, expr) for expr in step_counts(facts))
    found = [(expr, _share(facts, expr)) for expr in totals]
    if is_shorter(facts):
        found += [*_decays(facts), *_decays_of_graphs(facts), *_epochs_done(facts)]
        found += [(number, _share(facts, number)) for number in saving_counts(facts)]
    yield from ((expr, share) for expr, share in found if not depends_on_size(facts, expr))


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


def _share(facts: Facts, steps: ast.expr) -> Share:
    """Whoever skips no elements just sees all; nobody has as many workers as a large number."""
    made = facts.origins(steps)
    values = [getattr(node, "value", None) for node in made.nodes]
    is_large = made.complete and all(isinstance(v, int) and v >= _LARGE for v in values)
    return Share.ANY if (values and is_large) or _is_skipped(facts, steps) else Share.SOME


def _is_skipped(facts: Facts, count: ast.expr) -> bool:
    call = facts.parent(count)
    return isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "skip"


def _decays(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    for call in (*facts.creations(Role.SCHEDULE), *facts.creations(Role.OPTIMIZER)):
        if facts.classes.local(call.func) is not None:
            continue
        kind = (facts.kind(call) or "").rpartition(".")[2]
        for name, position in _DECAYS.get(kind, ()):
            value = facts.argument(call, name, position)
            if value is not None and is_many(facts, value) and not shrinks(facts, value):
                yield from _shares_of_decay(facts, name, value)


def _decays_of_graphs(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """The same for the functions of TensorFlow 1, which take the step as an argument."""
    for function, decay in OLD_DECAYS.items():
        for call in facts.calls_of(*in_v1(f"train.{function}")):
            value = facts.argument(call, decay.steps, decay.position)
            if value is not None and is_many(facts, value) and not shrinks(facts, value):
                yield from _shares_of_decay(facts, decay.steps, value)


def hastened(facts: Facts) -> Iterator[ast.expr]:
    """`decay=` of the optimizers before TensorFlow 2.11: what each step takes from the rate.

    The rate after n steps is `rate / (1 + decay * n)`, so fewer steps need a larger decay.
    """
    if not is_shorter(facts):
        return
    for call in facts.creations(Role.OPTIMIZER):
        value = facts.argument(call, "decay")
        is_library = (facts.name(call.func) or "").startswith(OPTIMIZERS)
        if value is not None and is_library and _is_decay(facts, value):
            yield value


def _is_decay(facts: Facts, value: ast.expr) -> bool:
    """Neither zero, nor reckoned with a length that has become smaller by itself."""
    nodes = (value, *facts.origins(value).nodes)
    is_off = any(isinstance(n, ast.Constant) and not n.value for n in nodes)
    is_known = is_off or depends_on_size(facts, value)
    return not is_known and not shrinks(facts, value)


def _shares_of_decay(facts: Facts, name: str, value: ast.expr) -> Iterator[tuple[ast.expr, Share]]:
    """What a rate is divided by is never 0; a boundary or a warm-up may be."""
    if name.endswith("decay_steps"):
        yield value, _share(facts, value)
    elif name == "boundaries" and not isinstance(value, (ast.List, ast.Tuple)):
        yield value, Share.EACH
    else:
        numbers = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
        yield from ((number, Share.ANY) for number in numbers)
