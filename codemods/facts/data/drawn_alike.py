"""Examples that every worker draws alike, because one seed is given to all of them.

All workers then compute the same gradient, as if there was one of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.draws import TENSORFLOW, draw
from ...library.seeds import SEEDS
from ..facts import Facts
from .invented import drawn_from, is_invented, seed_of_generator, seeded_draws
from .unknown_data import known_data

_TENSORS = f"{TENSORFLOW}."
_FLOWS = frozenset({"flow", "flow_from_directory", "flow_from_dataframe"})  # of Keras' generators
_ORDERS = frozenset({"shuffle", "list_files", "image_dataset_from_directory", "train_test_split"})


def common_seed(facts: Facts, values: Iterable[ast.expr]) -> ast.Call | None:
    """The call that seeds what the values are drawn from; None where they are read, or unseeded."""
    given = list(values)
    if is_invented(facts, given) or not is_invented(facts, given, seeds_count=False):
        return None
    return seed_of(facts, given)


def seed_of(facts: Facts, values: Iterable[ast.expr]) -> ast.Call | None:
    """The call that seeds what is drawn for the values, whatever else they are made of."""
    modules = set(drawn_from(facts, values))
    return next((call for call in _seeds(facts) if modules & set(_seeded_by(facts, call))), None)


def own_common_seed(facts: Facts, values: Iterable[ast.expr]) -> ast.expr | None:
    """The seed of a draw, or of an order of batches, that gives all workers the same examples."""
    given = list(values)
    for call in seeded_draws(facts, given):
        name, method = facts.name(call.func) or "", getattr(call.func, "attr", "")
        is_drawn = name.startswith(_TENSORS) and is_invented(facts, given, seeds_count=False)
        if (is_drawn and not is_invented(facts, given)) or (method in _FLOWS and not name):
            return seed_of_generator(call)
    return None


def parts_examples(facts: Facts, seed: ast.Call) -> bool:
    """Whether a split, an order, or data that is shared out may depend on the same seed."""
    modules = set(_seeded_by(facts, seed))
    if known_data(facts):
        return True
    for call in facts.index.calls:
        name = facts.name(call.func)
        drawn = None if name is None else draw(name)
        if drawn is not None and drawn.numbers in modules:
            return True
        method = call.func.attr if isinstance(call.func, ast.Attribute) else (name or "")
        if method in _ORDERS:
            return True
    return False


def _seeds(facts: Facts) -> Iterator[ast.Call]:
    for call in facts.index.calls:
        if facts.name(call.func) in SEEDS and len(call.args) == 1 and not call.keywords:
            yield call


def _seeded_by(facts: Facts, seed: ast.Call) -> tuple[str, ...]:
    return SEEDS[facts.name(seed.func) or ""]
