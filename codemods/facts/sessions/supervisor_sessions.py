"""Sessions that a supervisor makes: where their variables are broadcast, and what is in the way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.sessions import MANAGED, SUPERVISORS
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..agreement.control import is_left_out
from ..causes import Problem, cause_of
from ..data.pipelines import MAKERS, has_no_count
from ..facts import Facts, recorded
from ..output.outputs import is_output
from ..output.rank_zero_guards import is_left_to_rank_zero
from ..roles import Role
from ..training.training_loops import trains
from .monitored_sessions import BY_STEPS, STOPS, averaged_summaries
from .session_configurations import HIDDEN, PASS, argument, is_first, why_clustered
from .session_starts import starts

# -- where variables are broadcast ---------------------------------------------------------------
# Sessions that a supervisor makes, and where their variables are broadcast.
#
# `Supervisor` finishes the graph: what broadcasts is made in front of it, and the session that
# has initialised or restored the variables runs it first of all. What a supervisor does by
# itself, in threads of its own, it does in its folder: worker 0 alone has one.
# https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Supervisor.

_MADE = "nobody can tell which supervisor makes this session, whose graph is finished"
_MAKE = "make the supervisor in the function that makes its session: `sv = tf.train.Supervisor(…)`"
_UNNAMED = "this session has no name by which its variables could be broadcast"
_NAME = "`with sv.managed_session() as sess:`, or `sess = sv.prepare_or_wait_for_session()`"
_NESTED = "no statement can be put before this supervisor to make what broadcasts"
_ALONE = "make the supervisor in a statement of its own"


class Managed(NamedTuple):
    """A session that a supervisor makes, the statement that gives it its name, and that name.

    The broadcast goes behind it, or begins its block where that is a `with`.
    What is kept beside a supervisor that is an attribute is one, too: `made` and `asked` say of
    what, as their own places spell it (`self.`).
    """

    session: ast.Call
    supervisor: ast.Call
    place: ast.stmt
    name: str
    made: str = ""
    asked: str = ""


class Supervised(NamedTuple):
    """The sessions of supervisors, by the calls that make them, and those not followed."""

    found: dict[ast.Call, Managed]
    problems: tuple[Problem, ...]


@recorded
def supervised(facts: Facts) -> Supervised:
    """Every session that a supervisor makes."""
    found: dict[ast.Call, Managed] = {}
    problems: list[Problem] = []
    for session in facts.calls(*MANAGED):
        if facts.made_by(session) is Role.SESSION:
            one = _managed(facts, session)
            if isinstance(one, Managed):
                found[session] = one
            else:
                problems.append(one)
    return Supervised(found, tuple(problems))


def manager_of(facts: Facts, session: ast.expr | None) -> Managed | None:
    """How a supervisor makes a session; None where none does."""
    if session is None:
        return None
    made = facts.origins(session).nodes
    for one in supervised(facts).found.values():
        if one.session in made or _is_same(facts, session, one):
            return one
    return None


def _is_same(facts: Facts, session: ast.expr, managed: Managed) -> bool:
    """`self.sess` of `with sv.managed_session() as self.sess`, in the same function."""
    home = facts.function(session)
    is_attribute = isinstance(session, ast.Attribute) and home is facts.function(managed.session)
    return is_attribute and ast.unparse(session) == managed.name


def is_managed(facts: Facts, session: ast.expr | None) -> bool:
    """Whether a supervisor makes a session, followed or not."""
    made = () if session is None else facts.origins(session).nodes
    is_made = any(n in made for n in facts.calls(*MANAGED))
    return is_made or manager_of(facts, session) is not None


def reaches(facts: Facts, node: ast.AST, managed: Managed) -> bool:
    """Whether code sees what stands beside the supervisor under the name that the session uses."""
    home = facts.function(managed.session if managed.asked else managed.supervisor)
    return home is facts.function(node) or (home is None and not managed.asked)


def own_graph(facts: Facts, supervisor: ast.Call) -> ast.expr | None:
    """The graph that a supervisor is given under a name, which may not be the default one."""
    graph = argument(facts, supervisor, "graph")
    return graph if isinstance(graph, (ast.Name, ast.Attribute)) else None


def _managed(facts: Facts, session: ast.Call) -> Managed | Problem:
    receiver: ast.expr = session.func.value  # type: ignore[attr-defined]
    supervisor = facts.origins(receiver).only
    if not isinstance(supervisor, ast.Call) or facts.made_by(supervisor) is not Role.SUPERVISOR:
        return Problem(receiver, _MADE, _MAKE, cause_of(facts, receiver))
    if not is_first(facts, supervisor):
        return Problem(supervisor, _NESTED, _ALONE)
    place = _place(facts, session)
    if place is None:
        return Problem(session, _UNNAMED, _NAME)
    kept = _attribute(facts.statement(supervisor))
    is_kept = kept is not None and isinstance(receiver, ast.Attribute)
    found = Managed(session, supervisor, *place, _owner(kept), _owner(receiver) if is_kept else "")
    is_seen = is_kept or (kept is None and reaches(facts, session, found))
    return found if is_seen else Problem(receiver, _MADE, _MAKE)


def _place(facts: Facts, session: ast.Call) -> tuple[ast.stmt, str] | None:
    """The statement that gives the session a name, and the name."""
    statement = facts.statement(session)
    names: list[ast.expr | None] = []
    if isinstance(statement, ast.With):
        names = [i.optional_vars for i in statement.items if i.context_expr is session]
    elif isinstance(statement, ast.Assign) and statement.value is session:
        is_entered = getattr(session.func, "attr", "") == "managed_session"
        names = [] if is_entered else [statement.targets[0]]
    is_named = bool(names) and isinstance(names[0], (ast.Name, ast.Attribute))
    return (statement, ast.unparse(names[0])) if is_named and names[0] is not None else None


def _attribute(statement: ast.stmt) -> ast.expr | None:
    """`self.sv` of `self.sv = …`."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return target if isinstance(target, ast.Attribute) else None


def _owner(kept: ast.expr | None) -> str:
    """`self.` of `self.sv`."""
    return f"{ast.unparse(kept.value)}." if isinstance(kept, ast.Attribute) else ""


# -- what can't be followed ----------------------------------------------------------------------
# What of a supervisor can't be followed, or would be done by one worker alone.

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
    if node.attr in _STOPPING and is_left_out(facts, node):
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
    if function is None or trains(facts, function) or any(map(_is_run, within(function))):
        yield Problem(call, _IN_THREAD, _IN_LOOP)


def _is_run(node: ast.AST) -> bool:
    """`sess.run(…)`, whichever session that is."""
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "run"


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
