"""The arrays that a `fit` takes, as far as each certainly has one entry per example."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ..by_rank import depends_on_rank
from ..facts import Facts, recorded
from ..roles import Role
from ..training import fits
from ..training.fits import are_means
from ..training.training_loops import is_delayed
from .arrays import is_array, stay_bound
from .batch_needs import order_matters, size_is_fixed
from .data_lengths import TRAINING, VALIDATION, Arrays, Container, Length, collect
from .pipeline_shares import shares_data
from .share_forms import is_shared_by_hand

_OF_ARRAYS = ("batch_size", "validation_split")
_CUT_ALIKE = {"x", "y", "sample_weight"}


@recorded
def arrays_of_fits(facts: Facts) -> tuple[Arrays, ...]:
    """The arrays of every `fit` of the module that can be cut."""
    if not shares_data(facts) or order_matters(facts) or size_is_fixed(facts):
        return ()
    found: list[Arrays] = []
    for call in fits.fits(facts):
        if not is_delayed(facts, call) and not is_shared_by_hand(facts, call):
            for arrays in of_fit(facts, call):
                if any(depends_on_rank(facts, held) for held in arrays.held):
                    continue  # shared out by the program itself
                arrays.fit = call
                arrays.is_first = not any(
                    _still_holds(facts, earlier, arrays) for earlier in _last(found, arrays)
                )
                found.append(arrays)
    return tuple(found)


def _last(found: list[Arrays], arrays: Arrays) -> list[Arrays]:
    return [earlier for earlier in found if earlier.purpose == arrays.purpose][-1:]


def _still_holds(facts: Facts, earlier: Arrays, arrays: Arrays) -> bool:
    """Whether the slice of an earlier call in the same block is right for this one too."""
    if earlier.length is None or arrays.length is None or earlier.length.key != arrays.length.key:
        return False
    block, number = facts.block(facts.statement(arrays.call))
    before = facts.statement(earlier.call)
    if before not in block[:number]:
        return False
    return stay_bound(facts, arrays.length.of, before, facts.statement(arrays.call))


def of_fit(facts: Facts, call: ast.Call) -> Iterator[Arrays]:
    """The arrays to cut for training and for validation."""
    flow = flow_call(facts, call)
    if Role.DATASET in facts.roles(fits.data(facts, call) or call):
        return
    x, y = fits.data(facts, call), fits.argument(facts, call, "y")
    weights = fits.argument(facts, call, "sample_weight")
    if flow is not None:
        found = None if _is_of_others(facts, flow, call) else _of_flow(facts, flow)
    elif fits.has_rest(call) or fits.hidden(facts, call) & _CUT_ALIKE:
        found = None  # labels in `*rest`; a dictionary is made before the slice is
    else:
        found = collect(facts, call, TRAINING, (x, y, weights), _takes_arrays(facts, call))
    if found is not None:
        yield found
    validation = fits.argument(facts, call, "validation_data")
    if validation is not None and are_means(facts):
        held = _validation(facts, call, validation)
        if held is not None:
            yield held


def _takes_arrays(facts: Facts, call: ast.Call) -> bool:
    """Whether Keras takes arrays alone there: beside targets, or in batches of a size.

    Of a batch that a loop gives, each worker would take a part, and the rate is not that of one.
    """
    y = fits.argument(facts, call, "y")
    has_targets = y is not None and not (isinstance(y, ast.Constant) and y.value is None)
    is_sized = any(fits.argument(facts, call, name) is not None for name in _OF_ARRAYS)
    given = [value for value in (fits.data(facts, call), y) if value is not None]
    return (has_targets or is_sized) and not any(map(partial(_is_of_loop, facts), given))


def _is_of_loop(facts: Facts, value: ast.expr) -> bool:
    """Whether a loop binds a name that it is made of."""
    parts = facts.program.ingredients(value)
    seen = (n for n in parts if isinstance(n, ast.Name))
    return any(b.kind == "for" for name in seen for b in facts.bindings(name))


def _validation(facts: Facts, call: ast.Call, value: ast.expr) -> Arrays | None:
    if isinstance(value, (ast.Tuple, ast.List)):
        return collect(facts, call, VALIDATION, value.elts)
    held = facts.origins(value).only
    if not isinstance(value, ast.Name) or not isinstance(held, (ast.Tuple, ast.List)):
        return None
    if not held.elts or not all(is_array(facts, e) for e in held.elts):
        return None
    found = Arrays(call, VALIDATION)
    found.held[value] = Container.TUPLE
    found.length = Length(value, part=0)
    return found


def flow_call(facts: Facts, call: ast.Call) -> ast.Call | None:
    """`ImageDataGenerator(…).flow(x, y)`, written in the call or bound to a name just for it."""
    value = fits.data(facts, call)
    made = facts.origins(value).only if value is not None else None
    if (
        not isinstance(made, ast.Call)
        or not isinstance(made.func, ast.Attribute)
        or made.func.attr != "flow"
    ):
        return None
    maker = facts.origins(made.func.value).only
    name = facts.name(maker.func) if isinstance(maker, ast.Call) else None
    return made if (name or "").endswith("image.ImageDataGenerator") else None


def _is_of_others(facts: Facts, flow: ast.Call, fit: ast.Call) -> bool:
    """Whether a function makes it that makes another one, for tests say, too."""
    function = facts.function(flow)
    return function is not facts.function(fit) and (
        function is None or len(facts.call_sites(function)) > 1
    )


def _of_flow(facts: Facts, flow: ast.Call) -> Arrays | None:
    arguments = (
        facts.argument(flow, "x", 0),
        facts.argument(flow, "y", 1),
        facts.argument(flow, "sample_weight", 4),
    )
    return collect(facts, flow, TRAINING, arguments)
