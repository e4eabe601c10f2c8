"""Code under `tf.distribute` is distributed already; two strategies at once deadlock."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..model import Finding
from . import restriction
from ._finding import finding

STRATEGIES = ("tensorflow.distribute.", "tensorflow.compat.v1.distribute.", "tensorflow.contrib.distribute.")


@restriction(code="N01", name="other-strategy")
def other_strategy(facts: Facts) -> Iterator[Finding]:
    """The first mention of a distribution strategy."""
    for uses in facts.index.loads.values():
        for node in uses:
            if (facts.name(node) or "").startswith(STRATEGIES) and isinstance(node, (ast.Attribute, ast.Name)):
                yield finding(
                    facts,
                    node,
                    "N01",
                    f"`{ast.unparse(node)}` already distributes this program",
                    "remove the strategy (and its scope) first, or keep it and leave Horovod out",
                )
                return
