"""What is right with an Nth of each batch, and gives other numbers than one process has."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...library import losses
from ...library.words import words
from ..training import fits
from .own_rows import own_rows

if TYPE_CHECKING:
    from ..facts import Facts

NORMS = "each worker normalises by its own part of the batch: not the numbers of one process"
CHANCE = "each worker draws for its own part of the batch: not the numbers of one process"
ORDERS = "each worker shuffles its own rows: the same training, but other rows meet in a batch"
_CHANCE = words(
    "Dropout SpatialDropout1D SpatialDropout2D AlphaDropout GaussianNoise GaussianDropout "
    "RandomFlip RandomRotation RandomZoom RandomCrop RandomTranslation RandomContrast"
)


def unlike_layers(facts: Facts) -> Iterator[tuple[ast.AST, str]]:
    """The first of each kind, with words; nothing where batches stay each worker's own."""
    if not own_rows(facts).is_any:
        return
    found: dict[str, ast.AST] = {}
    for call in facts.index.calls:
        for why in _why(facts, call):
            found.setdefault(why, call)
    yield from ((node, why) for why, node in found.items())


def _why(facts: Facts, call: ast.Call) -> Iterator[str]:
    name = facts.name(call.func) or ""
    last = name.rpartition(".")[2]
    if ".layers." in name and last in losses.NORMS:
        yield NORMS
    if ".layers." in name and last in _CHANCE:
        yield CHANCE
    is_method = not name and isinstance(call.func, ast.Attribute) and call.func.attr == "shuffle"
    is_permuted = last in ("permutation", "shuffle") and ".random" in name
    if (is_method and call.args) or is_permuted or _shuffles(facts, call):
        yield ORDERS


def _shuffles(facts: Facts, call: ast.Call) -> bool:
    """Whether it is a `fit` on arrays, which Keras shuffles unless it is told otherwise."""
    calls = set(fits.fits(facts))
    if call not in calls or not any(each.call is call for each in own_rows(facts).taken):
        return False
    shuffle = fits.argument(facts, call, "shuffle")
    return shuffle is None or not (isinstance(shuffle, ast.Constant) and not shuffle.value)
