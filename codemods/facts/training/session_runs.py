"""What sessions of TensorFlow 1 run: which runs take a training step, what they fetch and put."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Callable

from ...library.hooks import OF_RUNS
from ...library.names import in_v1
from ...library.sessions import COLLECTIONS, OWN_SESSIONS, TRAIN_OPS, is_hook
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..idle_sessions import is_graph_run
from ..roles import Role
from . import optimizer_calls

# -- graph puts ----------------------------------------------------------------------------------
# Operations of TensorFlow 1 that put a value into a variable.

PUTS = ("assign", "assign_add", "assign_sub")
_PUT_BY = in_v1(*PUTS)
_ZEROS = in_v1("zeros", "zeros_like")


def puts(facts: Facts) -> Iterator[ast.Call]:
    """The operations that put a value into a variable."""
    methods = (call for call in facts.calls(*PUTS) if facts.name(call.func) is None)
    yield from (call for call in (*methods, *facts.calls_of(*_PUT_BY)))


def put_value(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What such an operation puts there."""
    is_method = facts.name(call.func) is None
    return facts.argument(call, "value", 0 if is_method else 1)


def is_zero(facts: Facts, value: ast.expr | None) -> bool:
    """Whether all workers put zeros there: sums that begin anew."""
    made = None if value is None else facts.program.origins(value).only
    if isinstance(made, ast.Constant):
        return made.value == 0
    return isinstance(made, ast.Call) and facts.name(made.func) in _ZEROS


# -- session runs --------------------------------------------------------------------------------
# What sessions of TensorFlow 1 run: which of these runs take a training step.
#
# `session.run(fetches)`, and `operation.run()` in the default session. A run trains if what it
# fetches is computed from `minimize(…)` or `apply_gradients(…)`, or made after one of them, or
# adds gradients up in variables.

APPLICATIONS = ("minimize", "apply_gradients")
COMPUTATIONS = ("compute_gradients",)
_AFTER = "control_dependencies"


class Run(NamedTuple):
    """One run: what it fetches, and of which session; None stands for the default session."""

    call: ast.Call
    fetches: ast.expr
    session: ast.expr | None


def fed(facts: Facts, run: Run) -> ast.expr | None:
    """`feed_dict`: `session.run(fetches, feed_dict)`, `operation.run(feed_dict)`."""
    is_own = run.fetches is getattr(run.call.func, "value", None)  # `operation.run(…, session)`
    return facts.argument(run.call, "feed_dict", 0 if is_own else 1)


@recorded
def session_runs(facts: Facts) -> tuple[Run, ...]:
    """Every call that runs a part of a graph, in the order of the text."""
    return tuple(_runs(facts))


def _runs(facts: Facts) -> Iterator[Run]:
    for call in facts.calls("run", "eval"):
        assert isinstance(call.func, ast.Attribute)
        if facts.name(call.func) is not None or facts.callee(call) is not None:
            continue
        receiver = call.func.value
        if facts.role(receiver) is Role.SESSION:
            fetches = facts.argument(call, "fetches", 0)
            yield Run(call, receiver if fetches is None else fetches, receiver)
        elif call.func.attr == "eval" or leads_to_step(facts, receiver) or not call.args:
            yield Run(call, receiver, facts.argument(call, "session", 1))


@recorded
def training_runs(facts: Facts) -> dict[ast.Call, Run]:
    """The runs that take a training step."""
    if not _steps(facts):  # then no run does, whatever it fetches
        return {}
    found = (run for run in session_runs(facts) if leads_to_step(facts, run.fetches))
    return {run.call: run for run in found}


@recorded
def _steps(facts: Facts) -> frozenset[ast.AST]:
    """The operations that take a step, and the calls that are made to run after one of them."""
    steps: set[ast.AST] = {call for call in facts.calls(*APPLICATIONS) if applies(facts, call)}
    steps.update(facts.calls_of(*TRAIN_OPS))
    taken = _computed(facts)  # most programs have none, and many puts
    given = puts(facts) if taken else ()
    is_computed = facts.program.sought(taken.__contains__)
    steps.update(call for call in given if _is_gradient(facts, put_value(facts, call), is_computed))
    steps.update(_behind_steps(facts, steps))
    return frozenset(steps)


def _behind_steps(facts: Facts, steps: set[ast.AST]) -> set[ast.AST]:
    """The calls that are made to run behind a step, or behind one of themselves."""
    behind: dict[ast.AST, list[ast.Call]] = {}
    for block in facts.index.nodes(ast.With) if steps else ():
        orders = [order for order in map(_order, block.items) if order is not None]
        for node in (node for s in block.body for node in within(s)) if orders else ():
            if isinstance(node, ast.Call):
                behind.setdefault(node, []).extend(orders)
    is_behind = facts.program.sought(steps.__contains__, behind=behind)
    return {call for call, orders in behind.items() if any(map(is_behind, orders))}


def _computed(facts: Facts) -> frozenset[ast.AST]:
    """The calls by which optimizers compute gradients."""
    named = (call for call in facts.index.calls if last_name(call.func) in COMPUTATIONS)
    return frozenset(call for call in named if applies(facts, call))


def _is_gradient(
    facts: Facts, value: ast.expr | None, is_computed: Callable[[ast.AST], bool]
) -> bool:
    """Whether a value is of an optimizer's gradients: to run that averages them, as a step does."""
    found = value is not None and is_computed(value)
    return found and not is_zero(facts, value)  # which is a long search: most aren't asked


def given_optimizers(facts: Facts) -> Iterator[ast.expr]:
    """What `create_train_op(loss, optimizer)` computes and applies gradients by."""
    for call in facts.calls_of(*TRAIN_OPS):
        optimizer = facts.argument(call, "optimizer", 1)
        yield from [] if optimizer is None else [optimizer]


@recorded
def ingredients_of_steps(facts: Facts) -> frozenset[ast.AST]:
    """Everything that the losses of training steps are computed from, their data included."""
    calls = [call for call in facts.calls(*APPLICATIONS, *COMPUTATIONS) if applies(facts, call)]
    calls += facts.calls_of(*TRAIN_OPS)
    return frozenset(facts.program.ingredients_of(calls))


def applies(facts: Facts, call: ast.Call) -> bool:
    """Whether a method of that name is an optimizer's, also of a class of the module."""
    if facts.name(call.func) is not None:
        return False
    return optimizer_calls.applies(facts, call) and not optimizer_calls.calls_super_apply(
        facts, call
    )


def _order(item: ast.withitem) -> ast.Call | None:
    """`control_dependencies(…)`: what is made in the block runs behind that."""
    call = item.context_expr
    return call if isinstance(call, ast.Call) and last_name(call.func) == _AFTER else None


def waits_for_step(facts: Facts, call: ast.Call) -> bool:
    """Whether an operation is made to run behind a training step."""
    return call in _steps(facts)


def leads_to_step(facts: Facts, expr: ast.expr) -> bool:
    """Whether a value is computed from an operation that takes a training step."""
    return bool(_steps(facts)) and _led_to_step(facts)(expr)


@recorded
def _led_to_step(facts: Facts) -> Callable[[ast.AST], bool]:
    return facts.program.sought(_steps(facts).__contains__, _ends(facts).__contains__)


@recorded
def _ends(facts: Facts) -> frozenset[ast.AST]:
    """Behind which no operation comes: what puts zeros, and runs, which give numbers."""
    runs = (call for call in facts.calls("run") if isinstance(call.func, ast.Attribute))
    asked = {call for call in runs if facts.role(call.func.value) is Role.SESSION}  # type: ignore[attr-defined]
    return _zeros(facts) | asked


@recorded
def _zeros(facts: Facts) -> frozenset[ast.AST]:
    """The operations that put zeros into variables, whatever was added up there."""
    return frozenset(call for call in puts(facts) if is_zero(facts, put_value(facts, call)))


def feeds_back_state(facts: Facts, run: Run) -> bool:
    """Whether a training run is fed what it gave itself: the state of a recurrent network."""
    if run.call not in training_runs(facts):
        return False
    fed = [*run.call.args, *(keyword.value for keyword in run.call.keywords)]
    others = (value for value in fed if value is not run.fetches)
    return any(run.call in facts.program.ingredients(value) for value in others)


def last_name(func: ast.expr) -> str:
    """The name of a function or method as it is called."""
    return str(getattr(func, "attr", None) or getattr(func, "id", ""))


# -- unseen fetches ------------------------------------------------------------------------------
# What a run of a session fetches that nobody sees: it may be a training step.

# A graph hands these out by name or kind: nobody sees what they are.
_HANDED_OUT = (
    "get_collection",
    "get_collection_ref",
    "get_operation_by_name",
    "get_tensor_by_name",
    "get_operations",
    "create_train_op",
    "optimize_loss",
)
_ADD = in_v1("add_to_collection", "add_to_collections")
_STEPS = ("train_op", "trainop", "train")  # the first is GraphKeys.TRAIN_OP
_READ_GRAPH = in_v1("train.import_meta_graph", "import_graph_def", "saved_model.load")
_SEEN = (
    *("tensorflow.", "numpy.", "builtins.", "math.", "os.", "sys.", "time.", "argparse.", "absl."),
    *("collections.", "datetime.", "functools.", "itertools.", "json.", "logging.", "pickle."),
    *("random.", "re.", "string.", "scipy.", "pandas.", "sklearn.", "cv2.", "PIL.", "gym."),
    *("bz2.", "codecs.", "copy.", "csv.", "glob.", "gzip.", "io.", "pathlib.", "shutil."),
    *("struct.", "tarfile.", "typing.", "urllib.", "urllib2.", "zipfile.", "operator.", "heapq."),
    *("gensim.", "h5py.", "imageio.", "matplotlib.", "nltk.", "six.", "skimage.", "tqdm.", "yaml."),
)
# What a program has that trains: optimizers, gradients, and what changes a variable.
_TRAINS = re.compile(
    r"minimize|optimi[sz]|(apply|compute)_gradients|gradients?$|assign|scatter|train_op|ScipyOpt|"
    r"run_train|managed_session|partial_run|make_callable|enqueue|Supervisor|Trainer|Estimator|"
    r"^fit$|fit_generator|train_on_batch|GradientTape|train_and_evaluate|import_meta_graph|^loader$",
    re.IGNORECASE,
)
_TENSOR = re.compile(r"(?!.*(train|optim|minim|assign|update|apply|grad|init))[\w/.-]+:\d+$", re.I)
TAKE_SESSION = frozenset({"save", "restore", "run", "eval"})  # methods that are given one


@recorded
def runs_no_step(facts: Facts) -> bool:
    """Whether the sessions of a module run what is no training step, as all that they run is seen.

    Nothing in it computes a gradient or changes a variable: it predicts, converts, or counts.
    """
    if any(map(_TRAINS.search, _names(facts))) or any(facts.calls_of(*OWN_SESSIONS, *TRAIN_OPS)):
        return False
    runs = {run.call: run for run in session_runs(facts)}
    known = all(c in runs or not is_graph_run(facts, c) for c in facts.calls("run", "eval"))
    if not known or not all(_is_seen(facts, run) for run in runs.values()):
        return False
    return not any(_is_handed_session(facts, call) for call in facts.index.calls)


def _is_seen(facts: Facts, run: Run) -> bool:
    """Whether everything that a run fetches is made in sight; a name that nothing binds is not."""
    names = (n for n in facts.program.ingredients(run.fetches) if isinstance(n, ast.Name))
    is_bound = all(facts.bindings(n) or facts.name(n) is not None for n in names)
    return is_bound and all(_is_tensor(facts, node) for node in _unseen(facts, run))


def _is_tensor(facts: Facts, node: ast.AST) -> bool:
    """Whether it is named as what a graph computes: `get_tensor_by_name("scores:0")`."""
    by_name = isinstance(node, ast.Call) and last_name(node.func) == "get_tensor_by_name"
    name = facts.argument(node, "name", 0) if by_name else node  # type: ignore[arg-type]
    made = () if name is None else facts.origins(name).nodes
    names = [n.value for n in made if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return 0 < len(names) == len(made) and all(map(_TENSOR.match, names))


def _is_handed_session(facts: Facts, call: ast.Call) -> bool:
    """Whether code out of sight gets a session, and may run what it likes."""
    if facts.callee(call) is not None or facts.classes.local(call.func) is not None:
        return False
    if (facts.name(call.func) or "").startswith("tensorflow."):
        return False
    is_method = isinstance(call.func, ast.Attribute) and facts.name(call.func) is None
    if is_method and last_name(call.func) in TAKE_SESSION:
        return False
    given = (*call.args, *(keyword.value for keyword in call.keywords))
    return any(Role.SESSION in facts.roles(value) for value in given)


def _names(facts: Facts) -> Iterator[str]:
    """Every name that the module asks something by."""
    yield from (node.attr for node in facts.index.nodes(ast.Attribute))
    yield from (facts.name(node) or node.id for node in facts.index.nodes(ast.Name))


def unseen_fetch(facts: Facts, run: Run) -> ast.AST | None:
    """What keeps it from being known whether a run trains: an operation that a graph hands out."""
    return None if leads_to_step(facts, run.fetches) else next(_unseen(facts, run), None)


def _unseen(facts: Facts, run: Run) -> Iterator[ast.AST]:
    for element in getattr(run.fetches, "elts", [run.fetches]):
        made = facts.origins(element).nodes
        if any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in made):
            yield element  # an operation by its name
        for node in _made_of(facts, element):
            if (
                _is_handed_out(facts, node)
                or _is_passed_from_elsewhere(facts, node)
                or _is_imported(facts, node)
            ):
                yield node


def _made_of(facts: Facts, element: ast.expr) -> Iterator[ast.AST]:
    """What an operation is made of; where all that it may be is seen, without what holds it."""
    made = facts.origins(element)
    is_seen = made.complete and bool(made.nodes)
    values = made.nodes if is_seen else [element]
    return facts.program.ingredients_of(values, _ends(facts).__contains__)


def _is_handed_out(facts: Facts, node: ast.AST) -> bool:
    """Whether nobody sees what it is; variables are no steps, where no step is put among them."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in _HANDED_OUT:
        return False
    key = facts.argument(node, "key", 0) if last_name(node.func).startswith("get_coll") else None
    is_known = key is not None and (facts.name(key) in COLLECTIONS or _is_own(facts, key))
    calls = facts.calls_of(*_ADD)
    added = [each for c in calls for each in (*c.args, *(k.value for k in c.keywords))]
    return not is_known or any(leads_to_step(facts, value) for value in added)


def _is_own(facts: Facts, key: ast.expr) -> bool:
    """Whether a collection holds what the program puts into it: `get_collection("losses")`.

    A graph that is read from a file brings collections along, and "train_op" is TensorFlow's own.
    """
    made = facts.origins(key).nodes
    names = [n.value for n in made if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    is_name = 0 < len(names) == len(made) and not set(names) & set(_STEPS)
    return is_name and not any(True for _ in facts.calls_of(*_READ_GRAPH))


def _is_passed_from_elsewhere(facts: Facts, node: ast.AST) -> bool:
    """Whether it is a parameter of a function that only other files call.

    What a library passes, as `Dataset.map` does, is made of data.
    """
    function = facts.parent(facts.parent(node) or node) if isinstance(node, ast.arg) else None
    if not isinstance(function, ast.FunctionDef):
        return False
    is_method = facts.classes.method_of(function) is not None
    is_self = is_method and function.args.args[:1] == [node]
    return not is_self and not facts.call_sites(function) and not facts.escapes(function)


def _is_imported(facts: Facts, node: ast.AST) -> bool:
    """Whether a name is that of a module out of sight, which may make steps, too."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    kinds = {binding.kind for binding in facts.bindings(node)}
    name = facts.name(node) or ""
    return "import" in kinds and not f"{name}.".startswith(_SEEN)


# -- own hooks -----------------------------------------------------------------------------------
# Hooks of monitored sessions and Estimators that a program defines itself.


def is_own_hook(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether a class of the module is a hook."""
    return any(is_hook(facts.name(base) or "") or _is_local_hook(facts, base) for base in cls.bases)


def _is_local_hook(facts: Facts, base: ast.expr) -> bool:
    local = facts.classes.local(base)
    return local is not None and is_own_hook(facts, local)


def hook_around(facts: Facts, node: ast.AST) -> ast.ClassDef | None:
    """The hook of the program's own that something stands in."""
    around = next((p for p in facts.parents(node) if isinstance(p, ast.ClassDef)), None)
    return around if around is not None and is_own_hook(facts, around) else None


def is_session_of_hook(facts: Facts, expr: ast.expr) -> bool:
    """`run_context.session`, which TensorFlow hands to a hook behind each of its runs."""
    method = facts.function(expr)
    if not isinstance(method, FunctionNode) or method.name != OF_RUNS[1]:
        return False
    given = method.args.args[1:2]
    is_member = isinstance(expr, ast.Attribute) and expr.attr == "session"
    context = expr.value if is_member else None  # type: ignore[attr-defined]
    is_context = isinstance(context, ast.Name) and [a.arg for a in given] == [context.id]
    return is_context and hook_around(facts, method) is not None


# -- fetched steps -------------------------------------------------------------------------------
# Numbers that a session says of its global step: it is a variable, which all workers take over.
#
# The broadcast gives all of them that of worker 0, and each step of all adds one to it. What is
# fetched along with a step may be the number before or behind it: see TensorFlow's
# `StopAtStepHook`.

_STEP_GETTERS = in_v1(
    "train.get_or_create_global_step", "train.get_global_step", "train.create_global_step"
)
_SAID = in_v1("train.global_step")  # of a session, as a number
_GIVEN = {"minimize": 1, "apply_gradients": 1}


def is_global_step(facts: Facts, expr: ast.expr) -> bool:
    """Whether a value is the step that a session counts, fetched while it takes none."""
    return _is_said_by(facts, expr) and not fetched_along(facts, expr)


def is_step_of_session(facts: Facts, expr: ast.expr) -> bool:
    """Whether a value is that step, whenever it was fetched, or one more."""
    while isinstance(expr, ast.BinOp) and isinstance(expr.op, (ast.Add, ast.Sub)):
        expr = expr.left
    return _is_said_by(facts, expr)


def fetched_along(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is that step, fetched along with one: nobody knows on which side of it."""
    runs = training_runs(facts)
    return _is_said_by(facts, expr) and any(i.node in runs for i in facts.origins(expr).items)


def asked_alone(facts: Facts, name: ast.Name) -> tuple[ast.expr, ast.expr] | None:
    """The session that a step fetched along can be asked of, and what to fetch; None: unknown."""
    along = [i for i in facts.origins(name).items if i.node in training_runs(facts)]
    node, path = along[0]
    session = training_runs(facts)[node].session  # type: ignore[index]
    fetched = _part(_fetches(facts).get(node), path)
    is_here = facts.function(name) is facts.function(node)
    if len(along) > 1 or session is None or fetched is None or not is_here:
        return None
    return session, fetched


def _is_said_by(facts: Facts, expr: ast.expr) -> bool:
    found = facts.origins(expr)
    items = [item for item in found.items if not _is_number(item.node)]
    return found.complete and bool(items) and all(_is_said(facts, *item) for item in items)


def _is_number(node: ast.AST) -> bool:
    """`step = 0` before the loop."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _is_said(facts: Facts, node: ast.AST, path: tuple[object, ...]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if not path and facts.name(node.func) in _SAID:
        return True
    fetched = _part(_fetches(facts).get(node), path)
    made = () if fetched is None else facts.origins(fetched).nodes
    return bool(made) and all(node in step_variables(facts) for node in made)


def _part(fetched: ast.expr | None, path: tuple[object, ...]) -> ast.expr | None:
    """What of a list that is fetched has a place."""
    if not path or fetched is None:
        return fetched
    is_part = isinstance(fetched, (ast.List, ast.Tuple)) and len(path) == 1
    number = path[0] if is_part and isinstance(path[0], int) else -1
    return fetched.elts[number] if 0 <= number < len(fetched.elts) else None  # type: ignore[attr-defined]


@recorded
def _fetches(facts: Facts) -> dict[ast.AST, ast.expr]:
    found: dict[ast.AST, ast.expr] = {run.call: run.fetches for run in session_runs(facts)}
    for call in facts.calls("run"):
        if is_session_of_hook(facts, call.func.value):  # type: ignore[attr-defined]
            fetched = facts.argument(call, "fetches", 0)
            found.update({} if fetched is None else {call: fetched})
    return found


@recorded
def step_variables(facts: Facts) -> frozenset[ast.AST]:
    """The calls that make or get it, and what optimizers are given to count their steps by."""
    found: set[ast.AST] = set(facts.calls_of(*_STEP_GETTERS))
    found.update(n for n in facts.index.nodes(ast.Attribute) if _is_supervisors(facts, n))
    for call in facts.calls(*APPLICATIONS):
        name = call.func.attr  # type: ignore[attr-defined]
        given = facts.argument(call, "global_step", _GIVEN[name])
        if given is not None and given not in call.args[:1] and applies(facts, call):
            found.update(facts.origins(given).nodes)
    return frozenset(found)


def _is_supervisors(facts: Facts, node: ast.Attribute) -> bool:
    """`sv.global_step`."""
    return node.attr == "global_step" and facts.role(node.value) is Role.SUPERVISOR
