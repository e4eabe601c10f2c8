"""Picks of examples that one seed makes alike on all workers, in every step.

Each worker makes as many of them as there are workers, and takes its own: all draw equally often,
so that their streams of chance stay alike. Rule D107.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library import examples
from ...library.draws import NUMPY, PYTHON
from ...program.node_fields import within
from ...program.parts import LOOPS
from ..by_rank import depends_on_rank
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..own_values import is_seeded, seeded
from ..training.pattern import Pattern, training_of
from ..training.training_loops import rounds_of, trains, turns
from .array_loops import loops
from .batch_givers import batch_datasets
from .batch_needs import order_matters
from .dealt import turns_of
from .drawn_batches import picks_by_chance
from .fit_arrays import arrays_of_fits
from .handed_batches import handed_batches
from .pipeline_shares import shares_data, shares_of

_SKIPPED = (ast.If, ast.Try, ast.Lambda, ast.IfExp, ast.comprehension)


@recorded
def dealt_picks(facts: Facts) -> tuple[ast.Call, ...]:
    """The calls that draw an index of the examples of a step, alike on all workers."""
    if facts.has_horovod or not shares_data(facts) or order_matters(facts):
        return ()
    cut = shares_of(facts).has_any or loops(facts) or handed_batches(facts).arrays
    if cut or batch_datasets(facts) or turns_of(facts) or arrays_of_fits(facts):
        return ()  # a share is taken once
    found = tuple(call for call in facts.index.calls if _is_pick(facts, call))
    return found if all(_is_of_each_step(facts, call) for call in found) else ()


@recorded
def rounds_of_picks(facts: Facts) -> tuple[ast.expr, ...]:
    """How many rounds loops have that train on picks of each worker's own: together one's."""
    return tuple(_rounds_of_picks(facts))


def _rounds_of_picks(facts: Facts) -> Iterator[ast.expr]:
    for call, pattern in training_of(facts).places:
        is_step = pattern is Pattern.GRADIENT_TAPE or call.func.attr == "train_on_batch"  # type: ignore[attr-defined]
        if is_step and (dealt_picks(facts) or picks_by_chance(facts, call.args)):
            for turn in turns(facts, call):
                yield from rounds_of(facts, turn, with_while=True)


def _is_pick(facts: Facts, call: ast.Call) -> bool:
    """Whether it draws numbers by a seed, that do nothing but pick."""
    if not _draws_alike(facts, call) or depends_on_rank(facts, call):
        return False
    if isinstance(facts.parent(call), ast.Subscript):
        return True
    statement = facts.parent(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    name = targets[0] if len(targets) == 1 else None
    if not isinstance(name, ast.Name) or len(facts.bindings(name)) != 1:
        return False
    around = facts.function(call) or facts.module
    uses = [n for n in within(around) if isinstance(n, ast.Name) and n.id == name.id]
    loads = [n for n in uses if n is not name]
    return bool(loads) and all(_picks(facts, each) for each in loads)


def _picks(facts: Facts, use: ast.Name) -> bool:
    around = facts.parent(use)
    return isinstance(around, ast.Subscript) and around.slice is use


def _draws_alike(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name is not None:
        module = next((m for m in (NUMPY, PYTHON) if name.startswith(f"{m}.")), "")
        return examples.gives(name) == examples.PICKS and module in seeded(facts)
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in examples.PICKING:
        return False
    made = facts.origins(call.func.value).only
    return isinstance(made, ast.Call) and is_seeded(facts, made)


def _is_of_each_step(facts: Facts, call: ast.Call) -> bool:
    """Whether a round of a loop that trains draws it, or a function does that is called there."""
    if _is_in_step(facts, call):
        return True
    function = facts.function(call)
    if not isinstance(function, ast.FunctionDef) or not _runs_through(facts, call, function):
        return False
    sites = facts.call_sites(function)
    return bool(sites) and all(_is_in_step(facts, site) for site in sites)


def _is_in_step(facts: Facts, call: ast.Call) -> bool:
    """Whether each round of the innermost loop around it draws, and trains by what it picks."""
    for parent in facts.parents(call):
        if isinstance(parent, LOOPS):
            return (
                trains(facts, parent)
                and not _is_said(facts, parent)
                and not _is_inner(facts, parent)
            )
        if isinstance(parent, (*_SKIPPED, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return False
    return False


def _is_said(facts: Facts, loop: ast.AST) -> bool:
    nodes: Iterator[ast.AST] = within(loop)
    return any(has_own_rows(facts, node) for node in nodes if isinstance(node, (ast.Call, *LOOPS)))


def _is_inner(facts: Facts, loop: ast.AST) -> bool:
    """Whether a loop in it trains, many times for one pick."""
    inside = (n for n in within(loop) if n is not loop and isinstance(n, LOOPS))
    return any(trains(facts, each) for each in inside)


def _runs_through(facts: Facts, call: ast.Call, function: ast.FunctionDef) -> bool:
    """Whether a function, which nothing makes a graph of, draws whenever it is called."""
    around = list(facts.parents(call))
    inside = around[: around.index(function)]
    return not function.decorator_list and not any(
        isinstance(n, (*_SKIPPED, *LOOPS)) for n in inside
    )
