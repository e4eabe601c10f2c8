"""Calls that write for a person or to a shared place: only one worker should (seed 001, 2.2).

A receiver counts by its role or origin; by the method's name alone only where no two libraries mean
different things by it.
"""

from __future__ import annotations

import ast

from ...library.file_rows import SENDING
from ...library.files import COPYING, MOVED_PATHS, writes_out, writes_out_by
from ...library.shown import SHOWING
from ..facts import Facts, recorded
from ..roles import Role, role_of_name
from .experiments import is_logged
from .filled_folders import filled, makes_folder
from .folders import is_exclusive, is_private, is_staged
from .images import is_saved
from .opened_files import opened_to_write
from .path_domain import is_path
from .path_endings import says_it_writes
from .writing_methods import is_taken, role, writes_by

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
        for node in facts.index.scopes
    )


def _has_stream(call: ast.Call) -> bool:
    return len(call.args) > 1 or any(k.arg == "stream" for k in call.keywords)
