"""Which hooks a monitored session is given, and which of them only rank 0 may keep.

Horovod's hook broadcasts the variables of worker 0 once the session has made or restored them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.estimators import SPECS, TRAIN
from ...library.names import in_v1
from ...library.sessions import CREATORS, MONITORED, SUPERVISORS, is_hook, position
from ...library.sessions import SPECS as SPEC_HOOKS
from ...program.records import NamedTuple
from ..causes import cause_of
from ..facts import Facts, recorded
from ..output.callback_lists import CallbackList, ListForm, Where, list_of, verdict
from ..problems import Problem
from ..training.estimators import estimator_trainings, given
from .configs import argument

_NAN = in_v1("train.NanTensorHook", "estimator.NanTensorHook")
_FOLDERS = ("checkpoint_dir", "summary_dir", "chief_only_hooks", "logdir")
_FOLLOWED = (ListForm.MISSING, ListForm.DISPLAY, ListForm.NAMED)
_SINGLE = (ListForm.SINGLE, ListForm.WRITER)
_FOREIGN = "nobody can tell what this hook does, and whether all workers need it"
_OWN = "give the session hooks of TensorFlow's, or of a class of this file"
_UNKNOWN = "nobody can tell which hooks this session is given, and whether all workers need them"
_WRITE = "write the list of hooks here, or build it in this function by `append`"


class HookList(NamedTuple):
    """What takes hooks, as which argument, and what is known about what it is given."""

    call: ast.Call
    argument: str
    position: int | None
    given: CallbackList
    starts: bool = True  # whether Horovod's hook belongs there


@recorded
def hook_lists(facts: Facts) -> tuple[HookList, ...]:
    """The hooks of every monitored session, in the order of the text."""
    sessions = [_of_session(facts, call) for call in facts.calls_of(*MONITORED)]
    trainings = [_of_training(facts, call) for call in estimator_trainings(facts)]
    specs = [each for call in facts.calls_of(*SPECS) for each in _of_spec(facts, call)]
    return (*sessions, *trainings, *specs)


def _of_training(facts: Facts, call: ast.Call) -> HookList:
    return HookList(call, "hooks", TRAIN["hooks"], list_of(facts, given(facts, call, "hooks")))


def _of_spec(facts: Facts, call: ast.Call) -> Iterator[HookList]:
    """The hooks that a model asks for itself; Horovod's stands with `train`."""
    for name in SPEC_HOOKS:
        value = facts.argument(call, name)
        if value is not None:
            yield HookList(call, name, None, list_of(facts, value), starts=False)


def _of_session(facts: Facts, call: ast.Call) -> HookList:
    where = position(facts.name(call.func) or "", "hooks")
    return HookList(call, "hooks", where, list_of(facts, facts.argument(call, "hooks", where)))


def unseen_hooks(facts: Facts) -> Iterator[Problem]:
    """Lists of hooks of which one may be anything."""
    for one in hook_lists(facts):
        value = facts.argument(one.call, one.argument, one.position)
        foreign = [each for each, _ in one.given.judged if not _is_hook(facts, each)]
        if foreign:
            yield Problem(foreign[0], _FOREIGN, _OWN)
        elif value is None or one.given.form in _FOLLOWED:
            continue
        elif not one.starts or one.given.form in _SINGLE or not _is_seen(facts, value):
            yield Problem(value, _UNKNOWN, _WRITE, cause_of(facts, value))


def _is_seen(facts: Facts, value: ast.expr) -> bool:
    """Whether a value is made of lists that are written out, with hooks that are known."""
    origins = facts.origins(value)
    if not origins.complete:
        return False
    return all(_is_part(facts, node) for node in origins.nodes)


def _is_part(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_is_known(facts, element) for element in node.elts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_seen(facts, node.left) and _is_seen(facts, node.right)
    return isinstance(node, ast.Constant) and node.value is None


def _is_known(facts: Facts, element: ast.expr) -> bool:
    if isinstance(element, ast.Starred):
        return _is_seen(facts, element.value)
    return verdict(facts, element).where is not Where.UNKNOWN and _is_hook(facts, element)


def _is_hook(facts: Facts, element: ast.expr) -> bool:
    """Whether it is a hook of TensorFlow's, or of a class that is in sight."""
    made = facts.origins(element).nodes
    return all(isinstance(node, ast.Call) and is_hook(facts.kind(node) or "") for node in made)


def left_to_rank_zero(facts: Facts) -> Iterator[ast.expr]:
    """Folders for checkpoints and summaries, also a supervisor's, and hooks for the chief alone."""
    for session in facts.calls_of(*MONITORED, *CREATORS, *SUPERVISORS):
        for name in _FOLDERS:
            given = argument(facts, session, name)
            if given is not None and not (isinstance(given, ast.Constant) and given.value is None):
                yield given


def watched_losses(facts: Facts) -> Iterator[ast.Call]:
    """Hooks that end the training when a loss is no number: that of all workers, then."""
    yield from facts.calls_of(*_NAN)
