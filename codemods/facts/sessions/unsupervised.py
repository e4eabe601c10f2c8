"""What of a supervisor can't be followed, or would be done by one worker alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.sessions import MANAGED, SUPERVISORS
from ..agreement.control import disagreements
from ..data.graph_iterators import MAKERS
from ..data.stages import has_no_count
from ..facts import Facts
from ..output.outputs import is_output
from ..output.rank_zero_guards import is_left_to_rank_zero
from ..problems import Problem
from ..roles import Role
from ..training.training_loops import trains
from .configs import HIDDEN, PASS, argument, why_clustered
from .monitored import BY_STEPS, STOPS, averaged_summaries
from .starts import starts
from .supervised import manager_of, reaches, supervised

_ASKED = frozenset({"global_step", "request_stop", "saver", "should_stop", "start_queue_runners"})
_ALIKE = _ASKED | {"start_standard_services", "stop", "summary_op", "coord", "stop_on_exception"}
_THERE = frozenset({"save_path", "summary_writer", "summary_computed", "logdir"})  # on worker 0
_STOPPING = frozenset({"request_stop", "stop"})
_USED = "nobody can tell what is done with this supervisor"
_HERE = "ask it for its session, `should_stop()`, `saver`, `global_step`, in this file"
_ABSENT = "only worker 0 has the folder and the writer of this supervisor"
_KNOWN = "keep what is needed of them under a name before the supervisor is made"
_OWN_MANAGER = "nobody can tell how this supervisor gets its session"
_LEAVE = "leave `{}` out"
_WAITS = "only worker 0 has a folder with checkpoints: the others would wait for one for ever"
_FINAL = "a supervisor finishes the graph: no operation that broadcasts can be made here"
_BY_INIT = "restore in the function that makes the supervisor, or by its `init_fn=`"
_IN_THREAD = "this runs steps in a thread of its own, at other times on each worker"
_IN_LOOP = "do it in the loop of the session, every so many steps"
_TAKES = "worker 0 alone would take data for these summaries, which would end there first"
_BY_HAND = (
    "pass `summary_op=None`, fetch the summaries along with a step, and hand them to "
    "`sv.summary_computed(sess, summaries)`"
)


def of_supervisors(facts: Facts) -> Iterator[Problem]:
    """Everything that is in the way of supervisors and of the sessions that they make."""
    made = [*facts.calls_of(*SUPERVISORS)]
    if not made:
        return
    yield from supervised(facts).problems
    for supervisor in made:
        yield from _of_arguments(facts, supervisor)
    for session in supervised(facts).found:
        if argument(facts, session, "wait_for_checkpoint") is not None:
            yield Problem(session, _WAITS, _LEAVE.format("wait_for_checkpoint"))
    yield from _of_starts(facts)
    yield from _of_uses(facts)
    yield from averaged_summaries(facts)
    yield from _of_ending_data(facts, made)


def _of_arguments(facts: Facts, supervisor: ast.Call) -> Iterator[Problem]:
    if facts.has_hidden_arguments(supervisor):
        yield Problem(supervisor, HIDDEN, PASS)
    elsewhere = why_clustered(facts, supervisor)
    if elsewhere is not None:
        yield elsewhere
    manager = argument(facts, supervisor, "session_manager")
    if manager is not None:
        yield Problem(manager, _OWN_MANAGER, _LEAVE.format("session_manager"))


def _of_starts(facts: Facts) -> Iterator[Problem]:
    """What is restored where the broadcast that was made before can't be seen."""
    for start in starts(facts):
        managed = manager_of(facts, start.session)
        is_told = start.site is not None or start.written
        if managed is not None and (is_told or not reaches(facts, start.call, managed)):
            yield Problem(start.call, _FINAL, _BY_INIT)


def _of_uses(facts: Facts) -> Iterator[Problem]:
    """Supervisors that are asked for something else, stop one worker alone, or are handed out."""
    for node in facts.index.nodes(ast.Attribute):
        if facts.role(node.value) is Role.SUPERVISOR:
            yield from _of_use(facts, node)
    for call in facts.index.calls:
        if facts.callee(call) is None and facts.classes.local(call.func) is None:
            given = (*call.args, *(keyword.value for keyword in call.keywords))
            if any(Role.SUPERVISOR in facts.roles(value) for value in given):
                yield Problem(call, _USED, _HERE)


def _of_use(facts: Facts, node: ast.Attribute) -> Iterator[Problem]:
    call = facts.parent(node)
    if node.attr in _STOPPING and any(disagreements(facts, node)):
        yield Problem(node, STOPS, BY_STEPS)
    elif node.attr == "loop" and isinstance(call, ast.Call):
        yield from _of_thread(facts, call)
    elif node.attr in _THERE:
        is_there = is_left_to_rank_zero(facts, node) or node.attr == "summary_writer"
        if not is_there and not (isinstance(call, ast.Call) and is_output(facts, call)):
            yield Problem(node, _ABSENT, _KNOWN)
    elif node.attr not in _ALIKE and node.attr not in MANAGED:
        yield Problem(node, _USED, _HERE)


def _of_thread(facts: Facts, call: ast.Call) -> Iterator[Problem]:
    """What a supervisor runs every so many seconds: no steps, nor anything out of sight."""
    target = facts.argument(call, "target", 1)
    function = None if target is None else facts.classes.function(target)
    if function is None or trains(facts, function):
        yield Problem(call, _IN_THREAD, _IN_LOOP)


def _of_ending_data(facts: Facts, made: list[ast.Call]) -> Iterator[Problem]:
    """Summaries that a thread of worker 0 computes of data which ends: it would end earlier."""
    if not any(_computes_summaries(facts, supervisor) for supervisor in made):
        return
    for call in facts.index.calls:
        if (facts.name(call.func) or "").startswith(_SUMMARIES) and _ends(facts, call):
            yield Problem(call, _TAKES, _BY_HAND)


_SUMMARIES = ("tensorflow.summary.", "tensorflow.compat.v1.summary.")


def _computes_summaries(facts: Facts, supervisor: ast.Call) -> bool:
    """Whether it has a folder, and isn't told to leave its summaries to the program."""
    folder, summary = (argument(facts, supervisor, name) for name in ("logdir", "summary_op"))
    return folder is not None and not (isinstance(summary, ast.Constant) and summary.value is None)


def _ends(facts: Facts, summary: ast.Call) -> bool:
    """Whether it is computed of an iterator's data that nothing repeats for ever."""
    made = [n for n in facts.program.ingredients(summary) if isinstance(n, ast.Call)]
    names = [facts.name(call.func) or getattr(call.func, "attr", "") for call in made]
    is_fed = any(name.endswith(MAKERS) for name in names)
    methods = (call for call in made if getattr(call.func, "attr", "") == "repeat")
    return is_fed and not any(map(has_no_count, methods))
