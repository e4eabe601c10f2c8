"""The rewrites in code order on one tree: their chains, and the text after each of them.

Architecture, "Decide on `ast`, edit with Bowler": the facts say where, the chains say how.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .facts import Facts
from .finding import Found, positions
from .model import Step, UnsoundResult
from .rewrites import Places, Rewrite
from .rewrites._layout import root
from .soundness import check
from .syntax import LN, Node, parse, resolve


def steps(facts: Facts, found: Sequence[Found], name: str) -> tuple[Step, ...]:
    """The text after every rule that changed something. Raises UnsoundResult."""
    tree = parse(facts.source.text, facts.module)
    nodes = resolve(tree, facts.source, [node for _, places in found for node in places.details])
    for _, places in found:
        places.resolve(nodes)
    texts = [_apply(rewrite, places, tree, name) for rewrite, places in found]
    changes = [(rule.code, text, at.details) for (rule, at), text in zip(found, texts)]
    check(facts.source, changes, facts.index.parents, name)
    before = [facts.source.text, *texts]
    return tuple(
        Step(rule.code, text, positions(facts, at.details))
        for (rule, at), text, previous in zip(found, texts, before)
        if text != previous
    )


def _apply(rewrite: Rewrite, places: Places[Any], tree: Node, name: str) -> str:
    """Run the rewrite's query on its places; the text afterwards. Raises UnsoundResult."""
    for node in places:
        if root(node) is not tree:
            line = places.line(node)
            raise UnsoundResult(rewrite.code, line, "an earlier rule took this place away")
    for fixer in [fixer({}, []) for fixer in rewrite.build(places).compile()]:
        fixer.set_filename(name)
        for node in places:
            _transform(fixer, node)
    for node in places.missed():
        line = places.line(node)
        raise UnsoundResult(rewrite.code, line, f"no pattern of {rewrite.name} matches this place")
    return str(tree)


def _transform(fixer: Any, node: LN) -> None:
    match = fixer.match(node)
    if not match:
        return
    new = fixer.transform(node, match)
    if new is not None and new is not node and node.parent is not None:
        node.replace(new)
