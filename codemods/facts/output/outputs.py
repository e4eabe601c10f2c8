"""Which calls write: for a person, into a file that stays open, to a logger, or to a shared place.

Only one worker should make them (seed 001, 2.2).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...library.displays import SHOWING
from ...library.experiments import is_plain_run, logs, makes_run, reads_run, silenced
from ...library.file_effects import (
    COPYING,
    MOVED_PATHS,
    PARTS_OF_FILES,
    PLAIN_OPENERS,
    ROW_WRITERS,
    WRITES_OF_FILES,
    WRITING_METHODS,
    WRITING_MODES,
    opener,
    writes_by_role,
    writes_out,
    writes_out_by,
)
from ...library.file_rows import SENDING
from ..by_rank import is_decided
from ..facts import Facts, recorded
from ..names import KERAS
from ..roles import Role, role_of_name, word_of
from ..taken_methods import taken_methods
from ..training.pattern import training_of
from .file_paths import endings, is_path, says_it_writes
from .output_folders import filled, is_exclusive, is_private, is_staged, makes_folder

# -- experiments ---------------------------------------------------------------------------------
# Runs of experiment loggers: one for the program, not one for each worker.


def is_logged(facts: Facts, call: ast.Call) -> bool:
    """Whether it is a statement that begins a run, writes to it or ends it, and nothing more."""
    if not isinstance(facts.parent(call), ast.Expr):
        return False
    name = facts.name(call.func)
    if name is None:
        return isinstance(call.func, ast.Attribute) and is_run(facts, call.func.value)
    return logs(name) or (is_plain_run(name) and not reads_runs(facts))


def is_stored(facts: Facts, target: ast.AST) -> bool:
    """`run["rate"] = 0.1` writes to a run."""
    return isinstance(target, ast.Subscript) and is_run(facts, target.value)


def is_run(facts: Facts, expr: ast.expr) -> bool:
    """Whether the value is a run that nothing silences, and nothing else."""
    if not (isinstance(expr, ast.Name) and _makes_runs(facts)):
        return False
    origins = facts.origins(expr)
    made = [node for node in origins.nodes if isinstance(node, ast.Call)]
    is_sure = origins.complete and len(made) == len(origins.nodes) > 0
    return is_sure and all(makes_run(facts.name(call.func) or "") for call in made)


@recorded
def _makes_runs(facts: Facts) -> bool:
    return any(makes_run(facts.name(call.func) or "") for call in facts.index.calls)


@recorded
def reads_runs(facts: Facts) -> bool:
    """Whether the program asks for its run, which the other workers don't have then."""
    return any(reads_run(facts.name(call.func) or "") for call in facts.index.calls)


def own_runs(facts: Facts) -> Iterator[ast.Call]:
    """The calls by which each worker would make a run of its own."""
    for call in facts.index.calls:
        name = facts.name(call.func) or ""
        is_made = makes_run(name) and not is_logged(facts, call)
        is_hidden = silenced(name) is not None and any(k.arg is None for k in call.keywords)
        if (is_made or is_hidden) and not is_decided(facts, call):
            yield call


# -- images --------------------------------------------------------------------------------------
# Pictures of Pillow, and whatever else is saved under the name of a picture.
#
# https://pillow.readthedocs.io/en/stable/reference/Image.html (Image.save)

_MAKES_IMAGE = frozenset(
    f"{module}.array_to_img" for module in (KERAS + ".utils", KERAS + ".preprocessing.image")
)
_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp")


def is_saved(facts: Facts, call: ast.Call, receiver: ast.expr) -> bool:
    """Whether `receiver.save(…)` writes a picture: one of Pillow's, or by the name of its file."""
    if is_image(facts, receiver):
        return True
    path = facts.argument(call, "fp", 0)
    found = [*endings(facts, path)] if path is not None else []
    return bool(found) and all(end and end.lower().endswith(_SUFFIXES) for end in found)


def is_image(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value may come from Pillow, perhaps through methods (`image.resize(size)`).

    One origin is enough: `image = array_to_img(image)` was an array before, which has no `save`.
    """
    seen: set[ast.AST] = set()
    queue: list[ast.AST] = [expr]
    while queue:
        node = queue.pop()
        if node in seen:
            continue
        seen.add(node)
        name = facts.name(node.func) if isinstance(node, ast.Call) else None
        if name is not None and (name.startswith("PIL.") or name in _MAKES_IMAGE):
            return True
        if not isinstance(node, ast.Call) or facts.callee(node) is not None:
            queue += facts.origins(node).nodes
        elif name is None and isinstance(node.func, ast.Attribute):
            queue.append(node.func.value)
    return False


# -- opened files --------------------------------------------------------------------------------
# Files that a program holds open to write: what opens one, and what writes to it.

# What is logged goes to their file; those that begin a new one now and then would move the device.
_LOGS = frozenset({"logging.FileHandler", "logging.basicConfig"})
_Opened = Callable[["Facts", ast.AST], bool]


def opened_to_write(facts: Facts, call: ast.AST) -> bool:
    """Whether the call opens a file for writing: a mode that is written out says so."""
    return isinstance(call, ast.Call) and _opens(facts, call) and not is_private(facts, call)


def _opens(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name is None:
        is_path = isinstance(call.func, ast.Attribute) and call.func.attr == "open"
        return is_path and bool(_mode(facts, call, 0) & WRITING_MODES)
    known = opener(name)
    if known is None or not known.is_stream:
        return False
    return known.at is None or bool(_mode(facts, call, known.at) & WRITING_MODES)


def _mode(facts: Facts, call: ast.Call, at: int) -> set[str]:
    """The letters of the mode of a file that is opened, none where it isn't written out."""
    mode = facts.argument(call, "mode", at)
    text = mode.value if isinstance(mode, ast.Constant) else None
    return set(text) if isinstance(text, str) else set()


def opens(facts: Facts, call: ast.Call) -> bool:
    """Whether the call opens a file."""
    return facts.name(call.func) in PLAIN_OPENERS


def is_plain_open(facts: Facts, call: ast.AST) -> bool:
    """Whether the null device can stand for the file: not one that is updated or must be new."""
    if not isinstance(call, ast.Call) or not opened_to_write(facts, call):
        return False
    known = opener(facts.name(call.func) or "")
    if known is None or not known.is_plain:
        return False
    mode = set() if known.at is None else _mode(facts, call, known.at)
    return known.at is None or (bool(mode) and not mode & set("x+"))


def is_log(facts: Facts, call: ast.Call) -> bool:
    """Whether the call opens a file that the program logs to."""
    given = facts.argument(call, "filename", 0) if facts.name(call.func) in _LOGS else None
    return given is not None and not (isinstance(given, ast.Constant) and given.value is None)


def writes_bytes(facts: Facts, opened: ast.Call) -> bool:
    """Whether bytes are written to the file as they are: `f.write(requests.get(url).content)`."""
    mode = facts.argument(opened, "mode", 1)
    if not (isinstance(mode, ast.Constant) and "b" in str(mode.value)):
        return False
    files = (c.func.value for c in facts.calls("write") if isinstance(c.func, ast.Attribute))
    return any(opened in facts.origins(file).nodes for file in files)


def is_file_write(facts: Facts, func: ast.expr) -> bool:
    """Whether the method writes to a file that the program opened for writing."""
    is_method = isinstance(func, ast.Attribute) and func.attr in WRITES_OF_FILES
    return is_method and is_written_file(facts, func.value)  # type: ignore[attr-defined]


def is_written_file(facts: Facts, expr: ast.expr, opened: _Opened = opened_to_write) -> bool:
    """Whether the value is a file that the program opened for writing, or a csv writer on one."""
    if isinstance(expr, ast.Attribute) and expr.attr == "attrs":
        return is_written_file(facts, expr.value, opened)
    nodes = facts.origins(expr).nodes
    return bool(nodes) and all(
        opened(facts, n) or _writes_rows(facts, n, opened) or _is_group(facts, n, opened)
        for n in nodes
    )


def _is_group(facts: Facts, node: ast.AST, opened: _Opened) -> bool:
    """A group, or an array, of a file of h5py."""
    func = node.func if isinstance(node, ast.Call) else None
    is_part = isinstance(func, ast.Attribute) and func.attr in PARTS_OF_FILES
    return is_part and is_written_file(facts, func.value, opened)  # type: ignore[union-attr]


def _writes_rows(facts: Facts, node: ast.AST, opened: _Opened) -> bool:
    if not isinstance(node, ast.Call) or facts.name(node.func) not in ROW_WRITERS or not node.args:
        return False
    return is_written_file(facts, node.args[0], opened)


# -- writing methods -----------------------------------------------------------------------------
# Methods that write a file by the role of what has them, however they are spelled.


def writes_by(owner: Role | None, method: str) -> bool:
    """Whether a method of what has that role writes."""
    return owner is not None and writes_by_role(word_of(owner), method)


@recorded
def taken_writes(facts: Facts) -> frozenset[ast.expr]:
    """`save = model.save`: where a method that writes is taken as a value."""
    found = (t for t in taken_methods(facts, WRITING_METHODS) if t.owner is not None)
    return frozenset(
        use for use, method, owner in found if owner and writes_by(role(facts, owner), method)
    )


def is_taken(facts: Facts, func: ast.expr) -> bool:
    """Whether what is called is such a method, under another name."""
    taken = taken_writes(facts)
    found = facts.origins(func) if taken else None
    return found is not None and found.complete and taken.issuperset(i.node for i in found.items)


def role(facts: Facts, receiver: ast.expr) -> Role | None:
    """The role of a receiver; `self` in a model and `self.model` in a callback are models."""
    found = facts.role(receiver)
    if found is not None:
        return found
    if training_of(facts).is_model(receiver) or _is_layer(facts, receiver):
        return Role.MODEL
    owner = (
        facts.classes.self_class(receiver.value) if isinstance(receiver, ast.Attribute) else None
    )
    if owner is not None and isinstance(receiver, ast.Attribute) and receiver.attr == "model":
        return Role.MODEL if facts.role_of_class(owner) is Role.CALLBACK else None
    return None


def _is_layer(facts: Facts, receiver: ast.expr) -> bool:
    """`model.get_layer("decoder")`: of the layers of a model, only models can be saved."""
    made = facts.origins(receiver).nodes
    gets = [n.func for n in made if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    return 0 < len(gets) == len(made) and all(
        func.attr == "get_layer" and role(facts, func.value) is Role.MODEL for func in gets
    )


# -- outputs -------------------------------------------------------------------------------------
# Calls that write for a person or to a shared place: only one worker should (seed 001, 2.2).
#
# A receiver counts by its role or origin; by the method's name alone only where no two libraries
# mean different things by it.

_YAML = ("yaml.dump", "yaml.safe_dump")
_FOLDERS = ("os.makedirs", "os.mkdir")
# What they return is used: the path of the checkpoint.
_GIVES_A_PATH = frozenset({Role.CHECKPOINT, Role.MANAGER, Role.ESTIMATOR})


def is_output(facts: Facts, call: ast.Call) -> bool:
    """Whether only rank 0 should make this call."""
    if is_private(facts, call):
        return False
    name = facts.name(call.func)
    if makes_folder(facts, call) and call in _filled(facts):
        return True
    if name is not None:
        if name in _FOLDERS:
            return is_exclusive(facts, call)
        if name in COPYING:
            return not is_staged(facts, call)
        owner, _, method = name.rpartition(".")
        if writes_by(role_of_name(owner), method):
            return True
        is_known = name in SHOWING or writes_out(name) or (name in _YAML and _has_stream(call))
        return is_known or is_logged(facts, call) or says_it_writes(facts, call)
    func = call.func
    if facts.callee(call) is not None:
        return False
    if not isinstance(func, ast.Attribute):
        return is_taken(facts, func)
    if writes_by(role(facts, func.value), func.attr):
        return True
    return _is_method_output(facts, call, func) or is_logged(facts, call)


@recorded
def _filled(facts: Facts) -> frozenset[ast.Call]:
    return filled(facts, lambda call: _writes(facts, call))


def _writes(facts: Facts, call: ast.Call) -> bool:
    """Whether it writes a file."""
    if makes_folder(facts, call) or is_shown(facts, call):
        return False
    return opened_to_write(facts, call) or is_output(facts, call)


def is_shown(facts: Facts, call: ast.Call) -> bool:
    """Whether it writes to the terminal or a window, and `print(…, file=f)` to a file."""
    name = facts.name(call.func)
    if name is None:
        return isinstance(call.func, ast.Attribute) and call.func.attr == "summary"
    streams = ("sys.stdout", "sys.stderr")
    given = [k.value for k in call.keywords if k.arg in ("file", "output_stream", "stream")]
    return name in SHOWING and all(facts.name(value) in streams for value in given)


def gives_a_path(facts: Facts, call: ast.Call) -> bool:
    """Whether the call saves a checkpoint, whose path later code may use."""
    return isinstance(call.func, ast.Attribute) and role(facts, call.func.value) in _GIVES_A_PATH


def _is_method_output(facts: Facts, call: ast.Call, func: ast.Attribute) -> bool:
    if writes_out_by(func.attr) or func.attr in SENDING or says_it_writes(facts, call):
        return not _is_defined_here(facts, func.attr)
    if func.attr in MOVED_PATHS:
        return is_path(facts, func.value)
    if makes_folder(facts, call):
        return is_exclusive(facts, call)
    return func.attr == "save" and is_saved(facts, call, func.value)


def _is_defined_here(facts: Facts, method: str) -> bool:
    """Whether a class of this module has a method of that name: its own body is rewritten."""
    return any(
        isinstance(node, ast.ClassDef) and facts.classes.method(node, method) is not None
        for node in facts.index.definitions
    )


def _has_stream(call: ast.Call) -> bool:
    return len(call.args) > 1 or any(k.arg == "stream" for k in call.keywords)
