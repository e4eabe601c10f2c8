"""A loop that goes on at the step of a checkpoint, which each worker reads for itself.

Where a worker sees another folder, or an older file in it, it takes more steps than the others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ..facts import Facts
from ..facts.horovod import member
from ..facts.training.training_loops import is_counter_of_checkpoint, told_counts, trains
from ..library.agreement import COUNTERS
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._finding import UPDATE, note

MESSAGE = (
    "each worker goes on at the step of the checkpoint that it sees: with another one it hangs"
)
READS = ("restore", "restore_or_initialize", "read")
DECIDES = (
    "each worker decides by the step of the checkpoint that it sees: with another one it hangs"
)
FIX = "let rank 0 tell the step: `int(hvd.broadcast({}, root_rank=0))`"
ASSIGN = (
    "behind the restore let rank 0 tell the step: `{0}.assign(hvd.broadcast({0}, root_rank=0))`"
)


@restriction(code="H01", name="own-start")
def own_start(facts: Facts) -> Iterator[Finding]:
    """Notes: on one machine, or with one file system, all of them see the same."""
    reads = any(True for _ in facts.calls(*READS))
    for expr in starts(facts) if reads else ():
        for node in facts.program.ingredients(expr, lambda each: is_sent(facts, each)):
            if is_counter_of_checkpoint(facts, node):
                yield note(facts, node, "H01", MESSAGE, FIX.format(ast.unparse(node)), kind=UPDATE)
                return


@restriction(code="H01", name="own-decision")
def own_decision(facts: Facts) -> Iterator[Finding]:
    """Notes: `if ckpt.step % n_critic == 0`, where one of several optimizers steps."""
    if not any(True for _ in facts.calls(*READS)):
        return
    counts = facts.program.sought(partial(_is_own_counter, facts))
    for branch in facts.index.nodes(ast.If):
        if trains(facts, branch) and counts(branch.test):
            parts = facts.program.ingredients(branch.test)
            own = next(node for node in parts if _is_own_counter(facts, node))
            yield note(
                facts, branch.test, "H01", DECIDES, ASSIGN.format(ast.unparse(own)), kind=UPDATE
            )


def _is_own_counter(facts: Facts, node: ast.AST) -> bool:
    return is_counter_of_checkpoint(facts, node) and not is_assigned(facts, node)


def is_assigned(facts: Facts, counter: ast.AST) -> bool:
    """Whether rank 0 gives it to all: `ckpt.step.assign(hvd.broadcast(ckpt.step, root_rank=0))`."""
    name = ast.unparse(counter)
    calls = (call for call in facts.calls("assign") if ast.unparse(call.func) == f"{name}.assign")
    return any(is_sent(facts, node) for call in calls for node in within(call))


def starts(facts: Facts) -> Iterator[ast.expr]:
    """What decides where loops that train begin, but for those that rank 0 is going to tell."""
    for loop in facts.index.nodes(ast.For):
        if loop.iter in told_counts(facts):
            continue
        call = loop.iter
        if isinstance(call, ast.Call) and facts.name(call.func) in COUNTERS and trains(facts, loop):
            yield from call.args
    yield from (loop.test for loop in facts.index.nodes(ast.While) if trains(facts, loop))


def is_sent(facts: Facts, node: ast.AST) -> bool:
    """Whether rank 0 tells it."""
    return isinstance(node, ast.Call) and (member(facts, node.func) or "").startswith("broadcast")
