"""Whether workers that go different ways meet in a collective all the same."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ...program.records import NamedTuple
from ..agreement.control import Decision
from ..facts import Facts
from .collectives import Collective, held_by


class Way(NamedTuple):
    """A collective that only some workers come to: `decision` stands before `place`.

    `place` is the collective, or the call in its function that leads there. A decision is the
    test, or a jump that it leads to.
    """

    collective: Collective
    place: ast.Call
    decision: Decision
    test: ast.expr


def meets(facts: Facts, way: Way, ways: Iterable[Way]) -> bool:
    """Whether the workers that don't come this way call one of the same kind on theirs."""
    kind = way.collective.kind
    if any(other.kind == kind for other in held_by(facts, _other_arms(facts, way))):
        return True
    function = facts.function(way.place)
    return any(
        other.collective.kind == kind
        and facts.function(other.place) is function
        and _side(facts, other) != _side(facts, way)
        for other in ways
    )


def _other_arms(facts: Facts, way: Way) -> list[ast.AST]:
    """What stands in the arms of the `if`, or of the choice, that this way doesn't take."""
    chain = facts.parent(way.test)
    if not isinstance(chain, (ast.If, ast.IfExp)) or way.test is not chain.test:
        return []
    inside = _around(facts, way.place)
    arms = (arm if isinstance(arm, list) else [arm] for arm in (chain.body, chain.orelse))
    return [part for arm in arms if not inside & set(arm) for part in arm]


def _side(facts: Facts, way: Way) -> tuple[str, bool]:
    """The text of a test, and whether it holds there: a worker that leaves doesn't come."""
    chain, text = facts.parent(way.test), ast.unparse(way.test)
    is_jump = isinstance(way.decision, ast.stmt)
    inside = _around(facts, way.decision if is_jump else way.place)
    if not isinstance(chain, ast.If):
        return text, not is_jump
    return text, not inside & set(chain.body if is_jump else chain.orelse)


def _around(facts: Facts, node: ast.AST) -> set[ast.AST]:
    return {node, *facts.parents(node)}
