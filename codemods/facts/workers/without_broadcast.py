"""Broadcasts that come to nothing: graph programs whose workers start apart all the same.

horovod/horovod#202, #348, #1238, #1402, #2587; the forms were run on two workers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts
from ..horovod import WRAPPERS, calls_of, member
from ..training.pattern import GRAPHS, training_of
from .rank_tests import rank_test_of

_MAKES_NONE = ("append", "extend", "insert")
_ALL = "broadcast_global_variables"
_LISTS = ("hooks", "callbacks", "chief_only_hooks", "training_hooks")
_OTHERS = ("horovod.", "tensorflow.", "numpy.", "os.", "argparse.", "builtins.")
_PREPARES = (
    "ConfigProto",
    "GPUOptions",
    "disable_v2_behavior",
    "disable_eager_execution",
    "set_verbosity",
    "placeholder",
    "set_random_seed",
    "reset_default_graph",
    "Graph",
)
_INITIALIZERS = ("global_variables_initializer", "initialize_all_variables")


def lost_hooks(facts: Facts) -> Iterator[ast.Call]:
    """`hooks=hooks.append(…)`, which is None: a hook or a callback of Horovod's is lost with it."""
    for call in facts.calls(*_MAKES_NONE):
        keyword = facts.parent(call)
        if isinstance(keyword, ast.keyword) and keyword.arg in _LISTS:
            yield call


def without_broadcast(facts: Facts) -> Iterator[ast.Call]:
    """The wrapper of a program that trains a graph here and has no word of a broadcast."""
    training = training_of(facts)
    if training.pattern not in GRAPHS or not training.starts_here:
        return
    if not any("roadcast" in name for name in facts.index.loads):
        yield from list(calls_of(facts, *WRAPPERS))[:1]


def made_early(facts: Facts) -> Iterator[ast.Call]:
    """`broadcast_global_variables` above all that makes variables: it sends none."""
    if training_of(facts).pattern not in GRAPHS:
        return
    calls = list(calls_of(facts, _ALL))
    made = [(c.lineno, c.col_offset) for c in facts.index.calls if _makes_variables(facts, c)]
    for call in calls if len(calls) == 1 else ():
        is_plain = facts.function(call) is None and not facts.in_loop(call)
        if is_plain and made and (call.lineno, call.col_offset) < min(made):
            yield call


def _makes_variables(facts: Facts, call: ast.Call) -> bool:
    """Whether a call may make variables: any but those that prepare a session, or Horovod's."""
    name = facts.name(call.func)
    if name is None or not name.startswith(_OTHERS):
        return True
    parts = name.rpartition(".")
    return name.startswith("tensorflow.") and parts[2] not in _PREPARES


def overwritten(facts: Facts) -> Iterator[tuple[ast.Call, ast.Call]]:
    """What sets variables in the statements behind the last broadcast, with that broadcast.

    A restore of all workers alike from one file keeps them together; that of some doesn't.
    """
    for broadcast in _runs(facts, _is_broadcast):
        block, number = facts.block(facts.statement(broadcast))
        later = [call for s in block[number + 1 :] for call in _calls(s)]
        if any(_sends(facts, call) for call in later):
            continue
        for call in later:
            is_set = _is_run_of(facts, call, _is_initializer) or _is_restored_by_some(facts, call)
            if is_set and _session(call) == _session(broadcast):
                yield call, broadcast


def _runs(facts: Facts, is_wanted: object) -> Iterator[ast.Call]:
    for call in facts.calls("run"):
        if _is_run_of(facts, call, is_wanted):
            yield call


def _is_run_of(facts: Facts, call: ast.Call, is_wanted: object) -> bool:
    is_run = isinstance(call.func, ast.Attribute) and call.func.attr == "run" and bool(call.args)
    if not is_run:
        return False
    made = facts.origins(call.args[0]).nodes
    return any(isinstance(n, ast.Call) and is_wanted(facts, n) for n in made)  # type: ignore[operator]


def _sends(facts: Facts, call: ast.Call) -> bool:
    """Whether it is a broadcast, or runs one that is made elsewhere."""
    return _is_broadcast(facts, call) or _is_run_of(facts, call, _is_broadcast)


def _is_broadcast(facts: Facts, call: ast.Call) -> bool:
    return member(facts, call.func) == _ALL


def _is_initializer(facts: Facts, call: ast.Call) -> bool:
    return (facts.name(call.func) or "").rpartition(".")[2] in _INITIALIZERS


def _is_restored_by_some(facts: Facts, call: ast.Call) -> bool:
    is_restore = isinstance(call.func, ast.Attribute) and call.func.attr == "restore"
    return is_restore and rank_test_of(facts, call, None) is not None


def _session(call: ast.Call) -> str:
    """The session that is run, or into which is restored."""
    assert isinstance(call.func, ast.Attribute)
    is_run = call.func.attr == "run"
    return ast.unparse(call.func.value if is_run or not call.args else call.args[0])


def _calls(statement: ast.stmt) -> list[ast.Call]:
    return [node for node in within(statement) if isinstance(node, ast.Call)]
