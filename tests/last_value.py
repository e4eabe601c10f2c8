"""The expression at the end of a text, and the facts of the text, for tests that ask about it."""

from __future__ import annotations

import ast

from distify.codemods.facts import Facts


def last_value(text: str) -> tuple[Facts, ast.expr]:
    """The facts of a text that ends with an expression statement, and that expression."""
    facts = Facts.of(text + "\n")
    statement = facts.module.body[-1]
    assert isinstance(statement, ast.Expr)
    return facts, statement.value
