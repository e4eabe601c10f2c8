"""What of a program with sessions can't be followed, or can't be had by each worker for itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...library.file_effects import OF_EVENT_WRITERS
from ...library.horovod_names import BROADCAST_OBJECT
from ...library.names import in_v1
from ...library.sessions import MONITORED, OWN_SESSIONS, SUPERVISORS
from ..causes import Problem, cause_of, spelled
from ..facts import Facts
from ..output.rank_zero_guards import is_left_to_rank_zero
from ..roles import Role
from ..training.pattern import training_of
from ..training.session_runs import (
    TAKE_SESSION,
    feeds_back_state,
    leads_to_step,
    session_runs,
    training_runs,
    unseen_fetch,
)
from ..training.training_loops import told_counts
from .graph_steps import puts_between, unaveraged_steps
from .monitored_sessions import is_monitored, unmonitored
from .session_configurations import configs
from .session_starts import Start, broadcasts, is_told, starts, untold_counts
from .supervisor_sessions import is_managed, manager_of, of_supervisors, own_graph, supervised

# -- graph places --------------------------------------------------------------------------------
# Devices, queues, loops that go on, and finished graphs: what no worker can have for itself.

_DEVICES = re.compile(r"(?:/job:localhost)?/(?:device:)?(?:CPU|GPU):0", re.IGNORECASE)
QUEUES = in_v1("train.start_queue_runners", "train.Coordinator", "train.QueueRunner")
_OWN_QUEUES = in_v1("train.QueueRunner", "train.add_queue_runner")
# What fills queues, and where it may be told for how many epochs; else it does so without end.
_PRODUCERS = {
    canonical: place
    for name, place in {
        "string_input_producer": 1,
        "slice_input_producer": 1,
        "range_input_producer": 1,
        "input_producer": 2,
        "limit_epochs": 1,
    }.items()
    for canonical in in_v1(f"train.{name}")
}
_DEVICE = "nobody can tell which device this is; each worker sees one GPU, its own"
_TOWER = "this puts a tower on each of several GPUs; each worker sees one, its own"
HIDES = "optimize_loss"  # of tf.contrib.layers
_HIDDEN = "`optimize_loss` makes its optimizer where nobody sees it: its gradients are not averaged"
_SEEN = "write `tf.train.AdamOptimizer(rate).minimize(loss, global_step)`, with the class it names"
_FIRST = 'write `"/gpu:0"`, or leave the device out'
_QUEUE = "queues may end after another number of steps on each worker"
_DATASET = "read the files by `tf.data`"
_RESUMED = "each worker would go on where the files that it sees say"
_FIXED = "begin this loop at a number that the program names, the same on all workers"
_FINAL = "a graph that is finalised takes no operation that broadcasts"
_LATER = "leave `finalize()` out"


def of_places(facts: Facts) -> Iterator[Problem]:
    """Devices, queues, loops that go on, and finished graphs."""
    for call in other_devices(facts):
        is_tower = any(isinstance(each, ast.For) for each in facts.parents(call))
        yield Problem(call, _TOWER if is_tower else _DEVICE, _FIRST)
    for call in facts.calls(HIDES):
        yield Problem(call, _HIDDEN, _SEEN)
    for call in _ending_queues(facts):
        yield Problem(call, _QUEUE, _DATASET)
    told = (
        rounds for rounds, numbers in told_counts(facts).items() if not _are_told(facts, numbers)
    )
    for rounds in dict.fromkeys((*told, *untold_counts(facts))):
        yield Problem(rounds, _RESUMED, _FIXED)
    for call in facts.calls("finalize"):
        yield Problem(call, _FINAL, _LATER)


def other_devices(facts: Facts) -> Iterator[ast.Call]:
    """The calls of `tf.device` that name no first device."""
    for call in facts.calls_of(*in_v1("device")):
        name = facts.argument(call, "device_name_or_function", 0)
        is_text = isinstance(name, ast.Constant)
        if not is_text or not _DEVICES.fullmatch(str(name.value)):  # type: ignore[union-attr]
            yield call


def _ending_queues(facts: Facts) -> Iterator[ast.Call]:
    """What may end queues that are started: a number of epochs, or what fills them out of sight."""
    started = [*facts.calls_of(*QUEUES - _OWN_QUEUES)]
    by_itself = any(True for _ in facts.calls_of(*MONITORED, *SUPERVISORS))
    yield from facts.calls_of(*_OWN_QUEUES)
    if not started and not by_itself:
        return
    makers = [*facts.calls_of(*_PRODUCERS)]
    for call in makers:
        epochs = facts.argument(call, "num_epochs", _PRODUCERS[facts.name(call.func) or ""])
        is_endless = epochs is None and not facts.has_hidden_arguments(call)
        if not is_endless and not (isinstance(epochs, ast.Constant) and epochs.value is None):
            yield call
    if not makers:
        yield from started


def _are_told(facts: Facts, numbers: tuple[ast.expr, ...]) -> bool:
    return all(is_told(facts, number) for number in numbers)


# -- unsupported ---------------------------------------------------------------------------------
# What of a program with sessions can't be followed, so that the rules would leave it half done.

_MEMBERS = frozenset(
    {"run", "close", "graph", "graph_def", "as_default", "sess_str", "should_stop"}
)
_OF_SUPERVISORS = {"summary_computed", "start_queue_runners", "start_standard_services"}
_TAKERS = _OF_SUPERVISORS | TAKE_SESSION
_KNOWN_USES = (
    QUEUES
    | {BROADCAST_OBJECT}
    | in_v1("train.global_step", "graph_util.convert_variables_to_constants")
)
_HERE = "make the session by `with tf.Session() as sess:` in this file"
_GRAPH = "use the default graph, or `with tf.Session(graph=graph) as sess:` around all of it"

_NO_STEP = "nobody can tell what this session trains"
_MAKE_STEP = "run what `minimize` of an optimizer of this file gives"
_NO_START = "nobody can tell where the variables of this session are initialised"
_START = "run `tf.global_variables_initializer()` in this file before"
_OTHER_GRAPH = "nobody can tell in which graph the variables are when these get their values"
_NO_PLACE = "no statement can be put behind this one to broadcast the variables"
_ALONE = "make it a statement of its own"
_UNSEEN = "nobody can tell whether this run takes a training step"
_NAME_IT = "keep what `minimize` gives under a name, and run that"
_GOES_ROUND = "what a step gives is fed to the next one, so that the order of the data matters"
_ALONE_ONLY = "train it on one worker, or give each of them sequences of its own by hand"
_UNKNOWN_SESSION = "nobody can tell which session this is"
_WRITER = "every worker would write these summaries"
_ASSIGN = "make the writer in a statement of its own: `writer = tf.summary.FileWriter(folder)`"
_ASKED = "only worker 0 has this writer: the others can't ask it"
_KNOWN = "keep what it knows under a name before"
_OWN_SESSION = "this makes its session out of sight: nobody could broadcast to its variables"
_MONITORED = (
    "run the step in `with tf.train.MonitoredTrainingSession(checkpoint_dir={}{}) as sess:`, "
    "`while not sess.should_stop():`"
)
_USED = "nobody can tell what is done with this session"


def unsupported(facts: Facts) -> Iterator[Problem]:
    """Everything that is in the way, by the kind of thing."""
    yield from _of_own_sessions(facts)
    yield from configs(facts).problems
    yield from unaveraged_steps(facts)
    yield from _of_runs(facts)
    yield from (unmonitored(facts) if is_monitored(facts) else _of_starts(facts))
    yield from of_supervisors(facts)
    yield from puts_between(facts)
    yield from _of_uses(facts)
    yield from _of_writers(facts)
    yield from of_places(facts)


def _of_own_sessions(facts: Facts) -> Iterator[Problem]:
    """Sessions that a library makes where nobody can broadcast to their variables."""
    for call in facts.calls_of(*OWN_SESSIONS):
        yield Problem(call, _OWN_SESSION, _MONITORED.format(*_monitored(facts, call)))


def _monitored(facts: Facts, call: ast.Call) -> tuple[str, str]:
    """The folder of a monitored session that does the same, and the hook that stops it."""
    folder = facts.argument(call, "logdir", 1)
    steps = facts.argument(call, "number_of_steps")
    hooks = "" if steps is None else f", hooks=[tf.train.StopAtStepHook({spelled(steps)})]"
    return "folder" if folder is None else spelled(folder), hooks


def _of_runs(facts: Facts) -> Iterator[Problem]:
    known = {run.call for run in session_runs(facts)}
    hiding = set(facts.calls(HIDES))
    for run in session_runs(facts):
        unseen = unseen_fetch(facts, run)
        if unseen is not None and unseen not in hiding:  # which is told by itself
            yield Problem(run.call, _UNSEEN, _NAME_IT, cause_of(facts, run.fetches))
        if feeds_back_state(facts, run):
            yield Problem(run.call, _GOES_ROUND, _ALONE_ONLY)
    is_hidden = any(True for _ in facts.calls_of(*OWN_SESSIONS))  # which is told by itself
    for call in facts.calls("run") if not is_hidden else ():
        is_own = facts.callee(call) is not None or facts.name(call.func) is not None
        if call not in known and not is_own and any(leads_to_step(facts, a) for a in call.args):
            yield Problem(call, _UNKNOWN_SESSION, _HERE)
    if not training_runs(facts) and not is_hidden and not hiding:
        yield Problem(training_of(facts).places[0][0], _NO_STEP, _MAKE_STEP)


def _of_starts(facts: Facts) -> Iterator[Problem]:
    found = starts(facts)
    for run in training_runs(facts).values():
        is_started = any(_is_of(facts, start, run.session) for start in found)
        if not is_started and not is_managed(facts, run.session):
            yield Problem(run.call, _NO_START, _START)
    for managed in supervised(facts).found.values():
        is_named = own_graph(facts, managed.supervisor) is not None
        if not is_named and not _is_in_graph(facts, managed.supervisor):
            yield Problem(managed.supervisor, _OTHER_GRAPH, _GRAPH)
    for start in broadcasts(facts):
        if isinstance(start.behind, ast.Return):
            yield Problem(start.call, _NO_PLACE, _ALONE)
        elif manager_of(facts, start.session) is None and not _is_in_graph(facts, start.call):
            yield Problem(start.call, _OTHER_GRAPH, _GRAPH)


def _is_of(facts: Facts, start: Start, session: ast.expr | None) -> bool:
    """Whether a start may be one of this session; the default session is any."""
    if start.session is None or session is None:
        return True
    made = set(facts.origins(start.session).nodes)
    return not made.isdisjoint(facts.origins(session).nodes)


def _is_in_graph(facts: Facts, call: ast.Call) -> bool:
    """Whether the default graph is that of the session; with a single graph it always is."""
    has_others = any(True for _ in facts.calls_of(*in_v1("Graph")))
    return not has_others or _is_inside(facts, call, ())


def _is_inside(facts: Facts, node: ast.AST, seen: tuple[ast.AST, ...]) -> bool:
    """Whether a `with` enters the graph around a place, or around every call that leads there."""
    around = (p for p in facts.parents(node) if isinstance(p, ast.With))
    if any(_enters_graph(facts, item.context_expr) for p in around for item in p.items):
        return True
    function = facts.function(node)
    if function is None or function in seen or facts.escapes(function):
        return False
    sites = facts.call_sites(function)
    return bool(sites) and all(_is_inside(facts, each, (*seen, function)) for each in sites)


def _enters_graph(facts: Facts, expr: ast.expr) -> bool:
    if not isinstance(expr, ast.Call):
        return False
    is_default = isinstance(expr.func, ast.Attribute) and expr.func.attr == "as_default"
    has_graph = facts.argument(expr, "graph", 1) is not None
    return is_default or (facts.made_by(expr) is Role.SESSION and has_graph)


def _of_uses(facts: Facts) -> Iterator[Problem]:
    """Sessions that are asked for something else, or handed out of the file."""
    for node in facts.index.nodes(ast.Attribute):
        if node.attr not in _MEMBERS and facts.role(node.value) is Role.SESSION:
            yield Problem(node, _USED, _HERE)
    for call in facts.index.calls:
        if facts.callee(call) is None and facts.classes.local(call.func) is None:
            is_known = _takes_session(facts, call) or facts.name(call.func) in _KNOWN_USES
            if not is_known and any(_is_session(facts, v) for v in _values(call)):
                yield Problem(call, _USED, _HERE)


def _of_writers(facts: Facts) -> Iterator[Problem]:
    """Writers of summaries that every worker would open, or that the others lack."""
    for call in facts.creations(Role.EVENT_WRITER):
        if not is_left_to_rank_zero(facts, call):
            yield Problem(call, _WRITER, _ASSIGN)
    for node in facts.index.nodes(ast.Attribute):
        if node.attr not in OF_EVENT_WRITERS and facts.role(node.value) is Role.EVENT_WRITER:
            yield Problem(node, _ASKED, _KNOWN)


def _values(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_session(facts: Facts, value: ast.expr) -> bool:
    return Role.SESSION in facts.roles(value)


def _takes_session(facts: Facts, call: ast.Call) -> bool:
    is_method = isinstance(call.func, ast.Attribute) and facts.name(call.func) is None
    return is_method and call.func.attr in _TAKERS  # type: ignore[attr-defined]
