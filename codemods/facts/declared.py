"""What comments declare of lines of the program: rows of each worker's own, a rate that stays."""

from __future__ import annotations

import ast

from ..suppressions.declarations import KEPT_RATE, OWN_ROWS, Declarations
from .facts import Facts, recorded


@recorded
def declarations(facts: Facts) -> Declarations:
    """All that the text declares."""
    return Declarations(facts.source.text)


def has_own_rows(facts: Facts, node: ast.AST) -> bool:
    """Whether a person says that each worker has examples of its own there."""
    return _says(facts, node, OWN_ROWS)


def keeps_rate(facts: Facts, node: ast.AST) -> bool:
    """Whether a person says that the rate which is set there stays as it is."""
    return _says(facts, node, KEPT_RATE)


def _says(facts: Facts, node: ast.AST, what: str) -> bool:
    if not declarations(facts).all or not hasattr(node, "lineno"):
        return False
    said = declarations(facts)
    of_statement = said.says(what, facts.place(facts.statement(node))[0])
    return said.says(what, facts.place(node)[0]) or of_statement
