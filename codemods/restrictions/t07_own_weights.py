"""Weights that a callback puts back, though each worker has read, or drawn, some of its own.

The broadcast comes behind the first batch: what was read before is every worker's own, as is noise
that is added behind it, and nobody sends it once more, so that the workers drift apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.agreement.chance import ALL_SEEDS, draws, draws_tensors, seeded
from ..facts.value_parts import ingredients
from ..library.hooks import BEHIND_STEPS
from ..model import Finding
from . import restriction
from ._finding import drawn_at, finding

MESSAGE = (
    "these weights were read before Horovod broadcasts rank 0's: each worker puts back its own"
)
FIX = (
    "read them in `on_epoch_end` or `on_train_batch_end`, behind the broadcast; or start all "
    "workers from the same: `tf.keras.utils.set_random_seed(0)` before the model is made"
)
DRAWN = "each worker puts back weights with random numbers of its own in them"
GETS = ("get_weights", "numpy")


@restriction(code="T07", name="own-weights")
def own_weights(facts: Facts) -> Iterator[Finding]:
    """`set_weights` in callbacks of this module, of what is read elsewhere than behind a batch."""
    if seeded(facts) >= ALL_SEEDS:
        return
    for call in facts.calls("set_weights"):
        cls, given = facts.cls(call), facts.argument(call, "weights", 0)
        is_callback = cls is not None and facts.role_of_class(cls) is Role.CALLBACK
        if is_callback and given is not None:
            if any(is_early(facts, node) for node in ingredients(facts, given)):
                yield finding(facts, call, "T07", MESSAGE, FIX)
            for draw in drawn(facts, given)[:1]:
                yield drawn_at(facts, finding(facts, call, "T07", DRAWN, ""), call, draw)


def drawn(facts: Facts, weights: ast.expr) -> list[ast.AST]:
    """What each worker draws for itself on the way to weights, down to the model that has them."""
    found = ingredients(facts, weights, frozenset({Role.MODEL}))
    return [node for node in found if draws(facts, node) or draws_tensors(facts, node)]


def is_early(facts: Facts, node: ast.AST) -> bool:
    """Whether weights are read there, and not in a hook behind the broadcast."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    home = facts.function(node)
    return node.func.attr in GETS and (home is None or home.name not in BEHIND_STEPS)
