"""Data that each worker invents for itself: batches of random numbers, and nothing that is read.

No worker trains on all of it, as there is no whole; unseeded, each of them has examples of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from ...library.draws import TENSORFLOW
from ..agreement.chance import draws, seeded
from ..facts import Facts
from ..ingredients import ingredients
from ..roles import Role

_PICKS = r"\.(?:choices?|sample|shuffle|permut\w+|categorical)$"  # of what is there
_DRAWN = r"(?:numpy\.random|random)\.(?!seed|default_rng|[A-Z])\w+$"
_TENSORS = "tensorflow.random."
_COMPUTES = r"^(?:tensorflow|numpy|math|builtins)\."
_READS = r"load|read|open|file|data|input|memmap|iter|next"
_OPAQUE = frozenset({Role.MODEL, Role.OPTIMIZER, Role.TAPE})


def is_invented(facts: Facts, values: Iterable[ast.expr], seeds_count: bool = True) -> bool:
    """Whether the values are made of random numbers and constants only; of unseeded ones, if told.

    A seed makes them the same on all workers.
    """
    nodes = list(_made_of(facts, values))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    if any(isinstance(node, ast.Subscript) for node in nodes):
        return False
    drawn = [call for call in calls if _draws(facts, call, seeds_count)]
    return bool(drawn) and all(call in drawn or _computes(facts, call) for call in calls)


def is_of_own_numbers(facts: Facts, values: Iterable[ast.expr]) -> bool:
    """Whether nothing is read and nothing picked: whoever seeds by the worker's number invents."""
    nodes = (node for node in _made_of(facts, values) if isinstance(node, ast.Call))
    names = [(call, str(facts.name(call.func) or _method(call))) for call in nodes]
    return not any(re.search(_PICKS, f".{name}") for _, name in names) and all(
        name.startswith("horovod.") or _computes(facts, call) for call, name in names
    )


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def seeded_draws(facts: Facts, values: Iterable[ast.expr]) -> Iterator[ast.Call]:
    """The calls that draw the values with a seed of their own."""
    for node in _made_of(facts, values):
        if isinstance(node, ast.Call) and has_own_seed(node):
            yield node


def has_own_seed(call: ast.Call) -> bool:
    """Whether it is given the seed by which it draws: `tf.random.normal([8], seed=1)`."""
    return seed_of_generator(call) is not None


def seed_of_generator(call: ast.Call) -> ast.expr | None:
    """That seed."""
    seeds = (keyword.value for keyword in call.keywords if keyword.arg == "seed")
    return next((s for s in seeds if not isinstance(s, ast.Constant) or s.value is not None), None)


def drawn_from(facts: Facts, values: Iterable[ast.expr]) -> Iterator[str]:
    """The modules whose global numbers the values are made of."""
    for node in _made_of(facts, values):
        if isinstance(node, ast.Call) and _draws(facts, node, seeds_count=False):
            yield (facts.name(node.func) or "").rpartition(".")[0]


def _made_of(facts: Facts, values: Iterable[ast.expr]) -> Iterator[ast.AST]:
    return (node for value in values for node in ingredients(facts, value, _OPAQUE))


def _draws(facts: Facts, call: ast.Call, seeds_count: bool = True) -> bool:
    """Whether it gives numbers, other ones on every worker, or where no seed counts."""
    name = facts.name(call.func) or f".{getattr(call.func, 'attr', '')}"
    if re.search(_PICKS, name):
        return False
    if name.startswith(_TENSORS):
        return not (seeds_count and (TENSORFLOW in seeded(facts) or has_own_seed(call)))
    return draws(facts, call) or (not seeds_count and re.match(_DRAWN, name) is not None)


def _computes(facts: Facts, call: ast.Call) -> bool:
    """Whether nothing comes in by a call but what it is given."""
    name = facts.name(call.func)
    if name is not None:
        return re.match(_COMPUTES, name) is not None and not re.search(_READS, name, re.IGNORECASE)
    if facts.callee(call) is not None or facts.role(call.func) in _OPAQUE:
        return True
    return isinstance(call.func, ast.Attribute)  # of a value that is looked at by itself
