"""Files and folders that all workers of a graph program write to.

https://horovod.readthedocs.io/en/stable/tensorflow.html, step 6; horovod/horovod#51, #58.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import partial

from ...judge.own import Level
from ...library.tensorflow_names import FILE_WRITER, MONITORED_TRAINING
from ..facts import Facts
from ..horovod import WRAPPERS, calls_of
from ..output.output_folders import is_temporary
from ..own_values import own
from ..roles import Role
from ..training.pattern import runs_graph
from ..walks import reached
from .rank_tests import rank_test_of

_FOLDERS = {
    MONITORED_TRAINING: ("checkpoint_dir", 2),
    "Estimator": ("model_dir", 1),
    FILE_WRITER: ("logdir", 0),
    "urlretrieve": ("filename", 1),
}


def shared_folders(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The calls that write for each worker, and the path that is the same for all of them."""
    if not runs_graph(facts) or not any(calls_of(facts, *WRAPPERS)):
        return
    for call in facts.index.calls:
        path = _path(facts, call)
        if path is not None and _is_for_all(facts, call, path):
            yield call, path


def _path(facts: Facts, call: ast.Call) -> ast.expr | None:
    name = (facts.name(call.func) or "").rpartition(".")[2]
    if name in _FOLDERS:
        return facts.argument(call, *_FOLDERS[name])
    if facts.name(call.func) == "builtins.open":
        mode = facts.argument(call, "mode", 1)
        is_written = isinstance(mode, ast.Constant) and "w" in str(mode.value)
        return facts.argument(call, "file", 0) if is_written else None
    is_save = isinstance(call.func, ast.Attribute) and call.func.attr == "save"
    if is_save and facts.role(call.func.value) is Role.CHECKPOINT:  # type: ignore[attr-defined]
        return facts.argument(call, "save_path", 1)
    return None


def _is_for_all(facts: Facts, call: ast.Call, path: ast.expr) -> bool:
    """Whether no rank is asked, neither for the path nor on some way to the call."""
    is_none = isinstance(path, ast.Constant) and path.value is None
    if is_none or own(facts, path).level is Level.OWN:
        return False
    if is_temporary(facts, path):
        return False
    unguarded = partial(_unguarded, facts)
    places = reached(unguarded([call]), lambda place: unguarded(_callers(facts, place)))
    return any(not _callers(facts, place) for place in places)


def _unguarded(facts: Facts, calls: Iterable[ast.Call]) -> list[ast.Call]:
    return [call for call in calls if rank_test_of(facts, call, None) is None]


def _callers(facts: Facts, call: ast.Call) -> list[ast.Call]:
    function = facts.function(call)
    return [] if function is None else facts.call_sites(function)
