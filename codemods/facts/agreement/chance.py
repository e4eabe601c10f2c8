"""Random numbers that nobody seeded: every worker draws its own, as the judge's domain tells."""

from __future__ import annotations

import ast

from ...library.agreement import CHANCE, GENERATOR, gives
from ...library.draws import GENERATORS
from ...library.names import normal
from ...library.seeds import SEEDS
from .. import own_values
from ..facts import Facts
from ..own_values import own, owners

ALL_SEEDS = frozenset(SEEDS["tensorflow.keras.utils.set_random_seed"])


def seeded(facts: Facts) -> frozenset[str]:
    """The streams of chance that are seeded somewhere."""
    return owners(facts).seeded


def draws(facts: Facts, node: ast.AST) -> bool:
    """Whether the call gives each worker a random number of its own."""
    if not isinstance(node, ast.Call):
        return False
    name = facts.name(node.func)
    if name is None:
        return unseeded_generator(facts, node) is not None
    return _gives(name) == CHANCE and own(facts, node).source is node


def is_seeded(facts: Facts, call: ast.Call) -> bool:
    """Whether it draws numbers that all workers draw alike, or makes what does."""
    is_drawn = _gives(facts.name(call.func) or "") in (CHANCE, GENERATOR)
    return is_drawn and own(facts, call).kind != own_values.CHANCE


def unseeded_generator(facts: Facts, call: ast.Call) -> str | None:
    """What makes the generator of such a method: `default_rng()` begins anew in every process."""
    if not isinstance(call.func, ast.Attribute):
        return None
    made = own(facts, call.func.value).source
    name = facts.name(made.func) if isinstance(made, ast.Call) else None
    return name if name in GENERATORS else None


def drawn(facts: Facts, expr: ast.AST) -> ast.AST | None:
    """The draw that makes a value each worker's own."""
    found = own(facts, expr)
    return found.source if found.kind == own_values.CHANCE else None


def _gives(canonical: str) -> str | None:
    return gives(normal(canonical))
