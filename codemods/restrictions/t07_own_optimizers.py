"""Every worker trains with the same optimizer: none picks one by a value of its own.

Two classes keep other variables, in another number: the broadcast of these never ends, or gives an
optimizer what belongs to another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.agreement.chance import drawn
from ..facts.agreement.control import tests_around
from ..facts.agreement.reasons import is_own, why_different
from ..facts.optimizers.compiles import compiles
from ..facts.optimizers.optimizer_makers import innermost
from ..facts.training.optimizer_calls import applying
from ..facts.value_parts import ingredients
from ..facts.workers.rank_tests import is_by_rank
from ..model import Finding
from . import restriction
from ._finding import drawn_at, finding

MESSAGE = "each worker may pick another optimizer here, and they would not train alike"
FIX = "pick it by something that all workers share, as an option of the command line"


@restriction(code="T07", name="own-optimizers", proves=True)
def own_optimizers(facts: Facts) -> Iterator[Finding]:
    """Optimizers, or classes of them, that are picked by chance, a clock or a worker's number."""
    for pick in dict.fromkeys(_picks(facts)):
        draw = drawn(facts, pick)
        if draw is not None:
            yield drawn_at(facts, finding(facts, pick, "T07", MESSAGE, ""), pick, draw)
        elif is_by_rank(facts, pick) or is_own(facts, pick):
            message = MESSAGE + why_different(facts, pick)
            yield finding(facts, pick, "T07", message, FIX)


def _picks(facts: Facts) -> Iterator[ast.expr]:
    """What decides which optimizer it is that trains, where there are several."""
    for trained in _trained(facts):
        made = innermost(facts, trained)
        classes = [call for call in made if facts.choice(call)]
        if len(made) > 1:
            yield from _deciding(facts, [trained, *made])
        for call in classes:
            yield from _deciding(facts, [call.func, *facts.origins(call.func).nodes])


def _trained(facts: Facts) -> Iterator[ast.expr]:
    """The optimizers of `compile`, and those that are given gradients."""
    yield from (each.optimizer for each in compiles(facts) if each.optimizer is not None)
    for call in applying(facts):
        yield call.func.value  # type: ignore[attr-defined]


def _deciding(facts: Facts, places: list[ast.AST]) -> Iterator[ast.expr]:
    """The keys and the tests by which one of several gets there."""
    for place in places:
        for node in ingredients(facts, place) if place is places[0] else (place,):
            if isinstance(node, ast.Subscript):
                yield node.slice
            elif isinstance(node, ast.IfExp):
                yield node.test
            elif isinstance(node, ast.Call) and facts.name(node.func) == "builtins.getattr":
                yield from node.args[1:2]
        yield from tests_around(facts, place)
