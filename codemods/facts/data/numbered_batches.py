"""Batches by number with Keras 2: of image generators (`flow_from_directory`), and of `Sequence`s.

Keras shuffles their order with Python's random numbers, on each worker in its own way: fewer of
them in an epoch are a share, as in Horovod's example keras_imagenet_resnet50.py.
"""

from __future__ import annotations

import ast

from ...library.draws import NUMPY, PYTHON
from ...program.call_sites import is_generator
from ..facts import Facts, recorded
from ..keras_version import is_keras_3
from ..names import KERAS
from ..own_values import seeded
from ..training import fits
from ..value_parts import can_be_named
from .batch_givers import classes_of
from .batch_needs import keeps_batch
from .data_lengths import is_repeatable
from .pipeline_shares import shares_data
from .unknown_data import known_data

FLOWS = frozenset({"flow", "flow_from_directory", "flow_from_dataframe"})
_MAKER = f"{KERAS}.preprocessing.image.ImageDataGenerator"


def is_numbered(facts: Facts, value: ast.expr) -> bool:
    """Whether Keras asks what is given to `fit` for batches by number, in whatever order."""
    if is_keras_3(facts):
        return False
    origins = facts.origins(value)
    made = [node for node in origins.nodes if isinstance(node, ast.Call)]
    is_flow = bool(made) and origins.complete and all(_is_flow(facts, call) for call in made)
    return (is_flow and len(made) == len(origins.nodes)) or classes_of(facts, value) is not None


def _is_flow(facts: Facts, call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in FLOWS:
        return False
    makers = facts.origins(call.func.value).nodes
    names = [facts.name(m.func) if isinstance(m, ast.Call) else None for m in makers]
    return bool(names) and set(names) == {_MAKER}


def is_own_order(facts: Facts, fit: ast.Call) -> bool:
    """Whether each worker takes them in an order of its own.

    An image generator shuffles what is in them as well, with NumPy's random numbers.
    """
    shuffle, data = fits.argument(facts, fit, "shuffle"), fits.data(facts, fit)
    streams = {PYTHON, NUMPY} if data is not None and _shuffles(facts, data) else {PYTHON}
    return not _is_off(shuffle) and not streams <= seeded(facts)


def is_of_own_order(facts: Facts, step: ast.Call) -> bool:
    """Whether a step is a `fit` that draws batches by number, whatever else is drawn alike."""
    data = fits.data(facts, step) if step in fits.fits(facts) else None
    return data is not None and is_numbered(facts, data) and is_own_order(facts, step)


def _shuffles(facts: Facts, data: ast.expr) -> bool:
    """Whether an image generator does, without a seed of its own."""
    made = [node for node in facts.origins(data).nodes if isinstance(node, ast.Call)]
    return bool(made) and all(
        _is_flow(facts, call)
        and facts.argument(call, "seed") is None
        and not _is_off(facts.argument(call, "shuffle"))
        for call in made
    )


def _is_off(value: ast.AST | None) -> bool:
    return isinstance(value, ast.Constant) and not value.value


@recorded
def shortened(facts: Facts) -> dict[ast.Call, ast.expr]:
    """The data of each `fit` that has no number of steps and gets one: a share of all there are."""
    if facts.has_horovod or not shares_data(facts) or keeps_batch(facts):
        return {}
    known = known_data(facts)  # arrays that are shared out before they are drawn from
    found = ((c, fits.data(facts, c)) for c in fits.fits(facts) if c not in known)
    return {call: data for call, data in found if data is not None and _may(facts, call, data)}


def _may(facts: Facts, fit: ast.Call, data: ast.expr) -> bool:
    if fits.hidden(facts, fit) & {"*", "steps_per_epoch"} or not is_numbered(facts, data):
        return False
    is_counted = fits.is_given(facts, fit, "steps_per_epoch")
    has_name = is_repeatable(facts, data) or can_get_name(facts, data)
    return not is_counted and has_name and is_own_order(facts, fit)


def can_get_name(facts: Facts, data: ast.expr) -> bool:
    """Whether the call that makes it can go before its `fit`, under a name."""
    return isinstance(data, ast.Call) and can_be_named(facts, data)


def is_made_by_generator(facts: Facts, value: ast.expr) -> bool:
    """Whether a function of the file yields the batches."""
    made = facts.origins(value).only
    function = facts.callee(made) if isinstance(made, ast.Call) else None
    return function is not None and is_generator(function)
