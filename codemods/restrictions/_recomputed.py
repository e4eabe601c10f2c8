"""Findings of the restrictions of D501: the problems of one code, each in words."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.layers.recomputed_layers import recomputation
from ..model import Finding
from ._finding import finding


def refused(facts: Facts, code: str, message: str, fix: str) -> Iterator[Finding]:
    """What the problems of a code say; `{}` in the message is what stands there."""
    for problem in recomputation(facts).problems:
        if problem.code == code:
            node = problem.node
            assert isinstance(node, (ast.expr, ast.stmt))
            yield finding(facts, node, code, message.format(problem.what), fix)
