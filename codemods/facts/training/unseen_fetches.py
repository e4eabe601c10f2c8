"""What a run of a session fetches that nobody sees: it may be a training step."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...library.names import in_v1
from ...library.sessions import COLLECTIONS, OWN_SESSIONS, TRAIN_OPS
from ..facts import Facts, recorded
from ..idle_sessions import is_graph_run
from ..roles import Role
from .session_runs import Run, last_name, leads_to_step, session_runs

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
    is_bound = all(facts.names.bindings(n) or facts.name(n) is not None for n in names)
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
    for node in facts.program.ingredients(run.fetches):
        if (
            _is_handed_out(facts, node)
            or _is_passed_from_elsewhere(facts, node)
            or _is_imported(facts, node)
        ):
            yield node


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
    return not is_self and not facts.call_sites(function) and not facts.values.escapes(function)


def _is_imported(facts: Facts, node: ast.AST) -> bool:
    """Whether a name is that of a module out of sight, which may make steps, too."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    kinds = {binding.kind for binding in facts.names.bindings(node)}
    name = facts.name(node) or ""
    return "import" in kinds and not f"{name}.".startswith(_SEEN)
