"""The rewrites in code order on one tree: their chains, and the text after each of them.

Architecture, "Decide on `ast`, edit with Bowler": the facts say where, the chains say how.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Sequence

from ..comparison.soundness import check
from ..edits import NameArgument, Places, Remove
from ..edits.layout import root, statement_around
from ..edits.limit import limit, longest, set_limit
from ..edits.width import fold_lines
from ..facts import Facts
from ..model import Step, UnsoundResult
from ..rewrites import Rewrite
from ..syntax import LN, Node, Unmade, parse, resolve
from .matching import Walks
from .places_to_edit import Found, positions
from .unmade import line_of, unsound


def steps(facts: Facts, found: Sequence[Found], name: str) -> tuple[Step, ...]:
    """The text after every rule that changed something. Raises UnsoundResult."""
    tree = parse(facts.source.text, facts.module)
    set_limit(tree, facts.options.width, facts.source.text)
    _resolve(facts, found, tree)
    walks = Walks(tree)
    texts = [
        _apply(facts, *each, tree, walks, name, _named_later(found[position:]))
        for position, each in enumerate(found, 1)
    ]
    changes = [(rule.code, text, at.nodes) for (rule, at), text in zip(found, texts)]
    check(facts.source, changes, facts.index.parents, name, _with_comments(found))
    before = [facts.source.text, *texts]
    return tuple(
        Step(rule.code, text, positions(facts, at.nodes))
        for (rule, at), text, previous in zip(found, texts, before)
        if text != previous
    )


def _resolve(facts: Facts, found: Sequence[Found], tree: Node) -> None:
    """Find every place in the tree. Raises UnsoundResult."""
    try:
        nodes = resolve(tree, facts.source, [node for _, places in found for node in places.nodes])
        for _, places in found:
            places.resolve(nodes)
    except Unmade as error:
        rules = (rule.code for rule, places in found if error.node in places.nodes)
        raise unsound(next(rules), line_of(facts, error), error) from error


def _with_comments(found: Sequence[Found]) -> frozenset[ast.AST]:
    """The statements that go with the comments above them."""
    edits = (at for _, places in found for at in places.edits)
    every = (at for at in edits if isinstance(at.edit, Remove) and at.edit.commented)
    return frozenset(node for at in every for node in (at.place, *at.along))


def _named_later(later: Sequence[Found]) -> list[LN]:
    """The places where something gets a name yet, and leaves the line shorter than before."""
    pairs = [(at.edit, at.place, places) for _, places in later for at in places.edits]
    return [places.node(place) for edit, place, places in pairs if isinstance(edit, NameArgument)]


def _apply(
    facts: Facts,
    rewrite: Rewrite,
    places: Places,
    tree: Node,
    walks: Walks,
    name: str,
    named: Sequence[LN],
) -> str:
    """Run the rewrite's query on the tree; the text afterwards. Raises UnsoundResult."""
    for line, node in places:
        if root(node) is not tree:
            raise UnsoundResult(rewrite.code, line, "an earlier rule took this place away")
    around = {id(node): statement_around(node) for _, node in places if node is not tree}
    query = rewrite.build(places)
    for link, fixer in zip(query.transforms, query.compile()):
        if link.filters[0].__name__ not in places.kinds():
            continue  # its filter would refuse every node
        due = len(places.left())
        try:
            walks.run(fixer, name)
        except Exception as error:
            raise unsound(rewrite.code, places.line, error) from error
        if len(places.left()) < due:
            walks.changed()
    for line, _ in places.left():
        raise UnsoundResult(rewrite.code, line, f"no pattern of {rewrite.name} matches this place")
    left = {id(statement_around(node)) for node in named}
    _fold(facts, [(n, node, around.get(id(node), node)) for n, node in places], tree, left)
    return str(tree)


def _fold(
    facts: Facts, places: Iterable[tuple[int, LN, LN]], tree: Node, passed: Container[int]
) -> None:
    """Break the lines that the edits have made too long; the author's own long lines may stay.

    Where something else stands in the place of a node, its statement is looked at.
    """
    short, most, lines = limit(tree), longest(tree), facts.source.lines
    for line, node, statement in places:
        place = node if root(node) is tree else statement
        if root(place) is tree and place is not tree and id(statement_around(place)) not in passed:
            fold_lines(place, short if len(lines[line - 1].rstrip()) <= short else most)
