"""Do all workers have a value, as far as the program says by itself? The judge's domain answers.

Asked before anything is known of how it trains, and without the judge's assumption that code out
of sight gives all the same: a value is *shared* where that is seen, as constants are, arguments of
the command line, counters, lengths, and what stands in files that a run only reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ..judge.own import EVERY, READ, TEXT, Level, Own, Owners
from ..library import agreement as table
from ..library.draws import GENERATORS, SAMPLERS, STUDIES, SUGGESTIONS
from ..library.names import normal
from ..library.seeds import ALL_SEEDED
from ..library.updates import FIT_WORDS, FITS
from .facts import Facts, recorded

CHANCE, RANK = "chance", "rank"
NUMBERS = frozenset({RANK, TEXT})
KINDS = EVERY | {RANK, "model", READ}
ALL_SEEDS = frozenset(ALL_SEEDED)


@recorded
def owners(facts: Facts) -> Owners:
    """Whose own the values of a program are."""
    return owners_if(facts, frozenset(), lambda name: False)


def owners_if(facts: Facts, told: frozenset[ast.AST], assumed: Callable[[str], bool]) -> Owners:
    """The same if all have some values alike, and what outside functions give for the same."""
    averaged = frozenset(call for call in facts.index.calls if _is_fit(call))
    return Owners(
        *(facts.program, KINDS, facts.joined is None),
        told=told | averaged,
        own=dict.fromkeys(proposals(facts), CHANCE),
        assumed=assumed,
    )


def _is_fit(call: ast.Call) -> bool:
    """`fit(x, epochs=3)` of Keras: its history holds means of all workers (D302, J12)."""
    words = {keyword.arg for keyword in call.keywords}
    is_named = isinstance(call.func, ast.Attribute) and call.func.attr in FITS
    return is_named and not FIT_WORDS.isdisjoint(words)


def own(facts: Facts, expr: ast.AST | int) -> Own:
    """Whose own a value is."""
    return owners(facts).of(expr)


@recorded
def _of_numbers(facts: Facts) -> Owners:
    """What workers have by their numbers; what nobody knows counts as what all have."""
    return Owners(facts.program, NUMBERS, facts.joined is None)


def own_number(facts: Facts, expr: ast.AST | int) -> Own:
    """Whether the worker's number decides a value: `RANK`; the text of one, or what is made of it.

    It is asked for a proof of harm, as a hazard must: what is unknown counts as what all have.
    """
    return _of_numbers(facts).of(expr)


def is_seen_alike(facts: Facts, expr: ast.AST | int) -> bool:
    """Whether every worker computes the same, and no file says it."""
    return own(facts, expr).level <= Level.SAME


def proposals(facts: Facts) -> Iterator[ast.Call]:
    """What studies propose, where nothing makes those of all workers propose alike."""
    asked = facts.calls(*SUGGESTIONS)
    return iter(()) if _propose_alike(facts) else asked


@recorded
def _propose_alike(facts: Facts) -> bool:
    """Whether samplers are seeded, and no study is kept where the workers would share it."""
    studies = facts.calls_of(*STUDIES)
    if any(facts.argument(study, "storage", 0) is not None for study in studies):
        return False
    made = (c for c in facts.index.calls if (facts.name(c.func) or "").startswith(SAMPLERS))
    return any(facts.argument(sampler, "seed") is not None for sampler in made)


# -- chance: random numbers that nobody seeded, so that every worker draws its own -----------------


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
    return _gives(name) == table.CHANCE and own(facts, node).source is node


def is_seeded(facts: Facts, call: ast.Call) -> bool:
    """Whether it draws numbers that all workers draw alike, or makes what does."""
    is_drawn = _gives(facts.name(call.func) or "") in (table.CHANCE, table.GENERATOR)
    return is_drawn and own(facts, call).kind != CHANCE


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
    return found.source if found.kind == CHANCE else None


def _gives(canonical: str) -> str | None:
    return table.gives(normal(canonical))
