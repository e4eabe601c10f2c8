"""Models that hold a layer's table of words among their variables, which Horovod can't broadcast.

Keras 2 has such a table for a layer that finds its words by `adapt`, and it is no variable of
TensorFlow (keras/src/layers/preprocessing/index_lookup.py: `VocabWeightHandler`).
"""

from __future__ import annotations

import ast

from ..facts import Facts, recorded
from ..keras_version import is_keras_3
from ..names import KERAS
from .trained_models import LAYERS, name_of, parts_of

_FINDING = frozenset({"StringLookup", "IntegerLookup", "TextVectorization"})
_OWN = (LAYERS, f"{KERAS}.Sequential", f"{KERAS}.Model", f"{KERAS}.models.")


def holds_words(facts: Facts, model: ast.expr) -> bool:
    """Whether a layer of the model may have such a table: all are asked for where one is unseen."""
    if is_keras_3(facts) or not _tables(facts):
        return False
    parts = parts_of(facts, model)
    if not parts.isdisjoint(_tables(facts)):
        return True
    made = facts.origins(model).nodes
    return not made or any(not (name_of(facts, node) or "").startswith(_OWN) for node in made)


@recorded
def _tables(facts: Facts) -> frozenset[ast.Call]:
    """The calls that make a layer which has to find its words."""
    return frozenset(call for call in facts.index.calls if _finds_words(facts, call))


def _finds_words(facts: Facts, call: ast.Call) -> bool:
    kind = facts.kind(call) or ""
    if not kind.startswith(LAYERS) or kind.rpartition(".")[2] not in _FINDING:
        return False
    given = facts.argument(call, "vocabulary")
    return given is None or (isinstance(given, ast.Constant) and given.value is None)
