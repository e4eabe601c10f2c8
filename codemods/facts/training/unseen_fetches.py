"""What a run of a session fetches that nobody sees: it may be a training step."""

from __future__ import annotations

import ast

from ...library.names import in_v1
from ...library.sessions import COLLECTIONS
from ..facts import Facts
from .session_runs import Run, last_name, leads_to_step

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


def unseen_fetch(facts: Facts, run: Run) -> ast.AST | None:
    """What keeps it from being known whether a run trains: an operation that a graph hands out."""
    if leads_to_step(facts, run.fetches):
        return None
    for element in getattr(run.fetches, "elts", [run.fetches]):
        made = facts.origins(element).nodes
        if any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in made):
            return run.fetches  # an operation by its name
    for node in facts.program.ingredients(run.fetches):
        if (
            _is_handed_out(facts, node)
            or _is_passed_from_elsewhere(facts, node)
            or _is_imported(facts, node)
        ):
            return node
    return None


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
