"""Where the chosen rewrites have something to do: the deciding half, without a tree to edit."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ..edits import Places
from ..facts import Facts
from ..model import Due, SyntaxProblem, UnsoundResult
from ..program.graph import TooLarge
from ..rewrites import Rewrite
from .unmade import line_of, unsound

Found = tuple[Rewrite, Places]


def find(facts: Facts, chosen: Iterable[Rewrite]) -> list[Found]:
    """The rewrites that have places, in the order in which they come. Raises UnsoundResult."""
    found = [(rewrite, _places(facts, rewrite)) for rewrite in chosen]
    return [(rewrite, places) for rewrite, places in found if places]


def _places(facts: Facts, rewrite: Rewrite) -> Places:
    try:
        return Places(rewrite.find(facts))
    except (TooLarge, SyntaxProblem, UnsoundResult, MemoryError):
        raise
    except Exception as error:
        raise unsound(rewrite.code, line_of(facts, error), error) from error


def due(facts: Facts, found: Iterable[Found]) -> tuple[Due, ...]:
    """The same for a report."""
    return tuple(Due(rule.code, positions(facts, at.nodes)) for rule, at in found)


def positions(facts: Facts, places: Iterable[ast.AST]) -> tuple[tuple[int, int], ...]:
    """Line and column of each place in the original text; those of a module are its beginning."""
    spans = (facts.source.span(place) for place in places if not isinstance(place, ast.Module))
    return tuple(sorted(span[:2] for span in spans)) or ((1, 0),)
