"""What keeps a strategy of `tf.distribute` from being taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..facts import Facts
from ..facts.facts import recorded
from ..program.node_fields import within
from ..restrictions.n01_other_strategy import uses as strategies_used
from ._strategies import OnOneDevice, is_truth
from ._strategy_cluster import read_for, reads
from ._strategy_contexts import contexts, is_unknown
from ._strategy_edits import Asked, is_left
from ._strategy_names import Strategies


@recorded
def looked_at(facts: Facts) -> tuple[OnOneDevice, list[ast.With], Asked]:
    """The strategies of a program, their scopes, and what is asked of them."""
    found = Strategies(facts)
    device = OnOneDevice(facts, found, contexts(facts, found.uses))
    scopes = [each for each in facts.index.nodes(ast.With) if device.is_scope(each)]
    return device, scopes, dict(device.outermost(facts.module))


@recorded
def first_in_the_way(facts: Facts) -> ast.AST | None:
    """The first place at which nobody knows what a strategy is, or does; it is asked again."""
    return next(in_the_way(*looked_at(facts)), None)


def in_the_way(device: OnOneDevice, scopes: Sequence[ast.With], asked: Asked) -> Iterator[ast.AST]:
    """The places that nobody can follow, or of which nobody knows what they are on one device."""
    facts, found = device.facts, device.found
    yield from found.unknown()
    yield from found.tpus.unknown()
    known = _known(facts, device, scopes, asked)
    asking = {*device.uses(facts.module), *found.unfollowed()}
    named = {*asking, *strategies_used(facts), *reads(facts)} - found.handed_on
    yield from sorted((node for node in named if node not in known), key=facts.source.offsets)
    yield from (
        each
        for each in sorted(device.contexts, key=facts.source.offsets)
        if is_unknown(facts, each)
    )
    yield from (node for node, code in asked.items() if is_left(device, code))


def _known(
    facts: Facts, device: OnOneDevice, scopes: Sequence[ast.With], asked: Asked
) -> set[ast.AST]:
    found = device.found
    for_strategies = [*found.made, *found.classes, *found.ingredients(), *read_for(facts, asked)]
    heads = (scope.items[0].context_expr for scope in scopes)
    known = {inner for place in (*for_strategies, *heads, *asked) for inner in within(place)}
    optional = filter(found.may_be_none, found.uses)
    known.update(n for n in (*device.contexts, *optional) if is_truth(facts.parent(n), n))
    return known | found.tpus.gone
