"""Values of which nobody can tell whether all workers have the same, and where each is made."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.agreement.control import runs_alike
from ..facts.own_values import own
from ..judge.disagreements import disagreements
from ..judge.own import RAISED, Level
from ..judge.own_sources import FILE
from ..library.element_counts import COUNTING
from ..program.node_fields import within
from ._decisions import own_tests

# What may be the same, for all that is known, as what a server says; a draw, a clock or a rank is
# not.
OPEN = (Level.READ, Level.UNKNOWN)
KINDS = (FILE, RAISED)
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def made(facts: Facts) -> Iterator[tuple[ast.stmt, set[str]]]:
    """The statements that make such values once, in code that all workers reach."""
    found: dict[ast.stmt, set[str]] = {}
    for name, spelled in (*decisions(facts), *choices(facts)):
        statement = binding(facts, name)
        if statement is not None and runs_alike(facts, statement):
            found.setdefault(statement, set()).add(spelled)
    yield from found.items()


def decisions(facts: Facts) -> Iterator[tuple[ast.Name, str]]:
    """The names in tests on the way to a step of which nobody knows whether all have the same."""
    for test in own_tests(facts):
        for name in within(test):
            if isinstance(name, ast.Name):
                found = own(facts, name)
                if found.level in OPEN or found.kind in KINDS:
                    yield name, name.id


def choices(facts: Facts) -> Iterator[tuple[ast.Name, str]]:
    """The names of masks and numbers that say how many examples there are, drawn without a seed.

    What another module has seeded is the same on all workers all the same.
    """
    asked = disagreements(facts)
    for each in (each for each in asked.found if each.sink.code == "K04"):
        draw, whole = each.own.source, each.value
        made = facts.program.ingredients(whole) if isinstance(whole, ast.expr) else ()
        for place in made:
            for name in (n for part in chosen_by(place) for n in within(part)):
                if isinstance(name, ast.Name) and asked.owners.of(name).source is draw and draw:
                    is_mask = isinstance(place, ast.Subscript) and is_numpys(facts, draw)
                    yield name, f"{name.id}.tolist()" if is_mask else name.id


def chosen_by(place: ast.AST) -> Iterator[ast.expr]:
    """What says which elements are kept, or how many: `mask` of `x[mask]`, `n` of `take(n)`."""
    if isinstance(place, ast.Subscript):
        yield place.slice
    elif getattr(getattr(place, "func", None), "attr", "") in COUNTING:
        yield from place.args  # type: ignore[attr-defined]


def is_numpys(facts: Facts, draw: ast.AST) -> bool:
    """Whether NumPy draws, so that what comes of it is an array."""
    name = facts.name(draw.func) if isinstance(draw, ast.Call) else None
    return (name or "").startswith("numpy.random.")


def binding(facts: Facts, name: ast.Name) -> ast.stmt | None:
    """The one assignment of a name, which runs once; None where there are others."""
    bound = facts.bindings(name)
    if len(bound) != 1 or bound[0].kind != "assign" or bound[0].value is None:
        return None
    statement = facts.statement(bound[0].node)
    around = facts.parents(statement)
    is_once = not any(isinstance(each, LOOPS) for each in around)
    return statement if is_once and facts.function(name) is facts.function(statement) else None
