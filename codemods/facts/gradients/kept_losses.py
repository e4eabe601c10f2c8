"""Why the average of the workers' gradients isn't known to be that of one batch they share out.

It is where each loss is a mean over rows, each term of one row, with a constant divisor. Whether
something is clipped before the average is asked by the obligation *averaged*; what an optimizer
clips by itself, as by `clipnorm`, comes behind it (run on two workers: equal to 1e-7).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library import losses
from ..optimizers.compiles import compiles
from ..problems import Problem
from ..roles import Role
from .loss_kinds import (
    CONST,
    COUPLED,
    DIVIDED,
    FUNCTION,
    LOSS_OF_MEANS,
    LOSS_OF_SUMS,
    LOSS_OF_TERMS,
    MASKED,
    MEAN,
    ROWS,
    SUM,
    TERMS,
    VECTOR,
)
from .mean_losses import given_by, losses_of
from .own_code import COUPLES, NAME_IT, OUT, own_code
from .row_counts import row_counts

if TYPE_CHECKING:
    from ..facts import Facts

_SUMMED = (
    "this loss is a sum over the rows: with an Nth of them its gradients are N times too small"
)
_DIVIDED = (
    "this loss is a sum over the rows, divided by a number that stays: with an Nth of the rows its "
    "gradients are N times too small"
)
_MASKED = (
    "this loss is divided by a sum of the batch's own (of a mask, or of weights): the mean of the "
    "workers' quotients is another number than the quotient of the sums"
)
_UNKNOWN = "nobody can tell whether this loss is a mean over rows, each term of one row alone"
_ADDED = "`add_loss` and activity regularizers add a number of which nobody knows what divides it"
_USE_MEAN = "let it be a mean over the rows (`tf.reduce_mean`, or Keras' `sum_over_batch_size`)"
_WHY = {
    SUM: (_SUMMED, _USE_MEAN),
    TERMS: (_SUMMED, _USE_MEAN),
    ROWS: (_SUMMED, _USE_MEAN),
    VECTOR: (_SUMMED, _USE_MEAN),
    LOSS_OF_SUMS: (_SUMMED, _USE_MEAN),
    LOSS_OF_TERMS: (_SUMMED, _USE_MEAN),
    DIVIDED: (_DIVIDED, _USE_MEAN),
    MASKED: (_MASKED, "divide by the number of rows, which all workers have alike"),
    COUPLED: (COUPLES, "leave the batch whole on each worker"),
}
_ORDER = (DIVIDED, SUM, LOSS_OF_SUMS, LOSS_OF_TERMS, MASKED, COUPLED)
_SCALARS = frozenset({MEAN, CONST})
_LOSS = ("loss", 1)
_HOLDING = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.DictComp, ast.ListComp)


def unlike(facts: Facts) -> Iterator[Problem]:
    """Each place by which the average of the gradients may be another one than the batch's."""
    yield from _compiled(facts)
    yield from _taped(facts)
    yield from _added(facts)
    yield from own_code(facts)
    yield from row_counts(facts)


def problem(node: ast.expr, kinds: frozenset[str], allowed: frozenset[str]) -> Problem | None:
    """Why what a loss may be is no mean over rows."""
    wrong = kinds - allowed
    if kinds and not wrong:
        return None
    worst = next((kind for kind in (*_ORDER, *_WHY) if kind in wrong), "")
    why, fix = _WHY.get(worst, (_UNKNOWN, NAME_IT))
    return Problem(node, why, f"{fix}; {OUT}")


# -- what losses are ------------------------------------------------------------------------------


def _compiled(facts: Facts) -> Iterator[Problem]:
    """The losses that models are compiled with."""
    for compiled in compiles(facts):
        given = facts.argument(compiled.call, *_LOSS)
        if compiled.own_signature or (given is None and not compiled.own_step):
            yield Problem(compiled.call, _UNKNOWN, f"{NAME_IT}; {OUT}")
        for each in _each(facts, given):
            found = _of_compile(facts, each)
            if found is not None:
                yield found


def _each(facts: Facts, given: ast.expr | None) -> Iterator[ast.expr]:
    """One loss, or those of a list or dictionary that nothing changes on its way."""
    made = _written(facts, given) if given is not None else None
    if isinstance(made, ast.Dict):
        yield from made.values
    elif isinstance(made, (ast.List, ast.Tuple)):
        yield from made.elts
    elif given is not None:
        yield given


def _written(facts: Facts, given: ast.expr) -> ast.AST | None:
    """A literal: written there, or the only value of a name which is read nowhere else."""
    if not isinstance(given, ast.Name):
        return given
    made = facts.origins(given).only
    stored = [n for n in facts.index.nodes(ast.Name) if n.id == given.id and n is not given]
    return made if len(stored) == 1 and isinstance(stored[0].ctx, ast.Store) else None


def _of_compile(facts: Facts, given: ast.expr) -> Problem | None:
    """What Keras makes a mean of: names, functions of each row, losses that are means."""
    found = facts.origins(given)
    made = found.only
    if isinstance(made, ast.Constant):
        is_known = made.value is None or losses.is_named(str(made.value))
        return None if is_known else Problem(given, _UNKNOWN, f"{NAME_IT}; {OUT}")
    functions = facts.program.functions(given)
    if functions.nodes and functions.is_complete:
        kinds = frozenset().union(*(given_by(facts, each) for each in functions.nodes))
        return problem(given, kinds, frozenset({MEAN, TERMS, ROWS, CONST}))
    if functions.nodes or any(isinstance(each, _HOLDING) for each in found.nodes):
        return Problem(given, _UNKNOWN, f"{NAME_IT}; {OUT}")  # what is put into it, who knows
    allowed = frozenset({LOSS_OF_MEANS, FUNCTION})
    return problem(given, losses_of(facts).kinds(given), allowed)


def _taped(facts: Facts) -> Iterator[Problem]:
    """What tapes take gradients of, and what `minimize` does."""
    for call in facts.calls("gradient", "jacobian"):
        is_tape = Role.TAPE in facts.roles(call.func.value)  # type: ignore[attr-defined]
        given = facts.argument(call, "target", 0) if is_tape else None
        found = given and problem(given, losses_of(facts).kinds(given), _SCALARS)
        if found:
            yield found
        weighed = facts.argument(call, "output_gradients", 2) if is_tape else None
        if weighed is not None:
            yield Problem(weighed, _UNKNOWN, f"leave `output_gradients` out; {OUT}")
    for call in facts.calls("minimize"):
        yield from _minimized(facts, call)


def _minimized(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    given = facts.argument(call, "loss", 0)
    if given is None or Role.OPTIMIZER not in facts.roles(call.func.value):  # type: ignore[attr-defined]
        return
    functions = facts.program.functions(given).nodes
    kinds = frozenset().union(*(given_by(facts, each) for each in functions))
    found = problem(given, kinds if functions else losses_of(facts).kinds(given), _SCALARS)
    if found is not None:
        yield found


# -- what else there is ---------------------------------------------------------------------------


def _added(facts: Facts) -> Iterator[Problem]:
    """What is added to a loss in ways of its own, and masks that divide it."""
    yield from _set_later(facts)
    for call in facts.calls("add_loss"):
        yield Problem(call, _ADDED, OUT.partition(" ")[2])
    rows: tuple[tuple[str, str], ...] = (("activity_regularizer", _ADDED), ("mask_zero", _MASKED))
    for call in facts.index.calls:
        for keyword in call.keywords:
            why = dict(rows).get(keyword.arg or "")
            if why and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value):
                yield Problem(keyword.value, why, OUT.partition(" ")[2])
        name = facts.name(call.func) or ""
        if name.rpartition(".")[2] in losses.MASKS and ".layers." in name:
            yield Problem(call, _MASKED, OUT.partition(" ")[2])


def _set_later(facts: Facts) -> Iterator[Problem]:
    """`loss.reduction = "sum"`, `setattr(loss, "reduction", "sum")`."""
    places: list[ast.expr] = [t for t, _ in facts.index.attribute_stores.get("reduction", ())]
    for call in facts.index.calls:
        words = (each.value for each in call.args if isinstance(each, ast.Constant))
        if facts.name(call.func) == "builtins.setattr" and "reduction" in words:
            places.append(call)
    for place in places:
        yield Problem(place, _UNKNOWN, f"give `reduction=` where the loss is made; {OUT}")
