"""Horovod 0.28 wraps and calls back for Keras 2 alone: under Keras 3 nothing is averaged.

Keras 3 calls `optimizer.apply`, which `DistributedOptimizer` leaves as it is: no error, no average.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.horovod import KERAS, WRAPPERS, member
from ..facts.keras_version import is_keras_3
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._finding import finding

WRAPPED = "Horovod's {} doesn't know Keras 3: nothing would be averaged or broadcast"
IMPORTED = "this part of Horovod is for Keras 2"
LEAVE_OUT = "leave Horovod out, and distify writes all of it for Keras 3"


@restriction(code="N02", name="horovods-own", proves=True)
def horovods_own(facts: Facts) -> Iterator[Finding]:
    """Its wrappers and callbacks, and the module that they come from."""
    if not (facts.has_horovod and is_keras_3(facts)):
        return
    for call in facts.index.calls:
        name = member(facts, call.func) or ""
        if name in WRAPPERS or name.startswith("callbacks."):
            yield finding(facts, call, "N02", WRAPPED.format(name), LEAVE_OUT)
    for node in within(facts.module):
        if _modules(node) & set(KERAS):
            yield finding(facts, node, "N02", IMPORTED, LEAVE_OUT)


def _modules(node: ast.AST) -> set[str]:
    """The modules that an import names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if not isinstance(node, ast.ImportFrom) or node.level:
        return set()
    return {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
