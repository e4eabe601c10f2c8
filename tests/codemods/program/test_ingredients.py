"""The ways back from a value are found once, and again where the graph has grown."""

from __future__ import annotations

import ast

from distify.codemods.program.core import NO_LIBRARY, Core
from distify.codemods.program.edges import Edge
from distify.codemods.program.ingredients import Ingredients


def test_ways_that_come_later_are_gone() -> None:
    core = Core(NO_LIBRARY)
    first, last = ast.parse("a").body[0], ast.parse("b").body[0]
    ways, target = Ingredients(core), core.node(last)
    assert list(ways.of([target])) == [last]
    core.edge(core.node(first), target, Edge.ALIAS)
    assert list(ways.of([target])) == [last, first]
