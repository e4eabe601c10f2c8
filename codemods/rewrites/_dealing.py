"""How the batches of a generator are dealt out, one of each turn to each worker (D107)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, FoldCall, Wrap
from ..facts.data.dealt import turns_of
from ..facts.data.dealt_picks import dealt_picks
from ._batch_datasets import alike
from ._keras_3_forms import definitions
from ._new_code import fresh, hvd

if TYPE_CHECKING:
    from ..facts import Facts

SHARE = "share"
_SHARE = '''\
def {name}(batches):
    """Of each turn of a batch for every worker, this worker's; a part of a turn is left out."""
    turn = None
    for turn in zip(*[iter(batches)] * {hvd}.size()):
        yield turn[{hvd}.rank()]
    if turn is None and {hvd}.size() > 1:
        raise ValueError(f"fewer batches than {{{hvd}.size()}} workers")
'''


def dealt_out(facts: Facts) -> Iterator[At]:
    """Each generator that a loop or a `fit` uses up, and the function that deals it out."""
    turns = turns_of(facts)
    if turns:
        yield definitions(facts, _SHARE.format(name=fresh(facts, SHARE), hvd=hvd(facts)))
    for each in turns.values():
        yield At(each.value, Wrap(f"{fresh(facts, SHARE)}(_)"))
    calls = (by for by in turns if isinstance(by, ast.Call))
    yield from (At(by, FoldCall()) for by in calls if turns[by].value in _given(by))
    orders = dict.fromkeys(call for each in turns.values() for call in each.orders)
    yield from (alike(facts, call) for call in orders)


def dealt_out_picks(facts: Facts) -> Iterator[At]:
    """Each draw by which all workers would pick the same examples in a step."""
    turn, size, rank = fresh(facts, "turn"), f"{hvd(facts)}.size()", f"{hvd(facts)}.rank()"
    for call in dealt_picks(facts):
        yield At(call, Wrap(f"[_ for {turn} in range({size})][{rank}]"))


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
