"""Code under `tf.distribute` is distributed already; two strategies at once deadlock."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..facts import Facts
from ..library.device_strategies import STRATEGY
from ..library.names import in_v1
from ..model import Finding
from ..program.node_fields import within
from ..program.parts import FunctionNode
from . import restriction
from ._finding import finding

FIX = "take the strategy out: repair A00 does, where it is offered; or leave Horovod out"
METHODS = (
    "scope",
    "experimental_distribute_dataset",
    "distribute_datasets_from_function",
    "experimental_run_v2",
)
SERVERS = in_v1("train.Server", "train.replica_device_setter")
CLUSTER = "makes this program one of a cluster, whose servers distribute it already"
FIX_CLUSTER = (
    "take the cluster out: no server, no `replica_device_setter`, no target of a session; "
    "or leave Horovod out"
)
ON_TPU = "keep `tf.distribute` and leave Horovod out: Horovod has no collectives for TPUs"


@restriction(code="N01", name="other-strategy", settles=True)
def other_strategy(facts: Facts) -> Iterator[Finding]:
    """The first use of a distribution strategy."""
    first = min(uses(facts), key=_position, default=None)
    if first is not None:
        what = ast.unparse(first).splitlines()[0]
        yield finding(
            facts,
            first,
            "N01",
            f"`{what}` already distributes this program",
            ON_TPU if "TPU" in what else FIX,
        )


@restriction(code="N01", name="cluster", settles=True)
def cluster(facts: Facts) -> Iterator[Finding]:
    """The first call by which a program of TensorFlow 1 is one of a cluster."""
    calls = sorted(facts.calls_of(*SERVERS), key=_position)
    for call in calls[:1]:
        what = ast.unparse(call.func)
        yield finding(facts, call, "N01", f"`{what}` {CLUSTER}", FIX_CLUSTER)


def uses(facts: Facts) -> Iterator[ast.expr]:
    """Where a module of strategies is named, or a method that only they have is called."""
    is_mentioned = "distribut" in facts.source.text  # else no name need be looked up
    loads = facts.index.loads.values() if is_mentioned else ()
    for node in (use for uses in loads for use in uses):
        name = facts.name(node) or ""
        if "distribut" in name and re.search(STRATEGY, name) and not only_names(facts, node):
            yield node  # type: ignore[misc]
    for call in facts.calls(*METHODS):
        is_entered = isinstance(facts.parent(call), ast.withitem)
        if call.func.attr != "scope" or (is_entered and facts.callee(call) is None):  # type: ignore[attr-defined]
            yield call


def only_names(facts: Facts, node: ast.AST) -> bool:
    """Whether a class is named for readers, or to ask for it: nothing is distributed by that."""
    for parent in facts.parents(node):
        if isinstance(parent, (ast.arg, ast.AnnAssign)):
            return parent.annotation is not None and node in within(parent.annotation)
        if isinstance(parent, FunctionNode):
            return parent.returns is not None and node in within(parent.returns)
        if isinstance(parent, ast.Call) and node in parent.args[1:]:
            return facts.name(parent.func) == "builtins.isinstance"
        if isinstance(parent, (ast.stmt, ast.Call)):
            return False
    return False


def _position(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset
