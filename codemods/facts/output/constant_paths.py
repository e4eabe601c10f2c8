"""Paths of files, as far as the program spells them out."""

from __future__ import annotations

import ast
import re

from ...library.files import PLAIN_OPENERS
from ...library.words import words
from ..facts import Facts
from .path_endings import told_where

# What is saved comes first: `pickle.dump(value, file)`, `save_model(model, path)`.
_SECOND = words("dump save_model CheckpointManager")
_WILD = re.compile(r"[*?]")
_NAMES = re.compile(r"file(?!_format)|path|dir|pattern|src|uri|^fp?$|fname")


def path(facts: Facts, call: ast.Call) -> object:
    """The path as a constant: of the argument that names it, or of the file opened by one."""
    given = path_argument(facts, call)
    nodes = () if given is None else facts.origins(given).nodes
    found = {constant(facts, node) for node in nodes}
    text = next(iter(found), None)
    return text if len(found) == 1 and isinstance(text, str) else None


def path_argument(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The argument that names the path; no text beside it does: `open(path, "w")`."""
    name = facts.name(call.func) or ""
    if not name and isinstance(call.func, ast.Attribute) and call.func.attr == "write_text":
        return call.func.value
    told = told_where(facts, call)
    if told is not None:
        return told
    is_second = name.rpartition(".")[2] in _SECOND or name == "tensorflow.saved_model.save"
    at = int(is_second or _is_of_saver(facts, call.func))
    if len(call.args) > at:
        return call.args[at]
    named = (k.value for k in call.keywords if k.arg and _NAMES.search(k.arg))
    return next(named, None)


def _is_of_saver(facts: Facts, func: ast.expr) -> bool:
    """Whether it is a method of one of TensorFlow 1, which is given the session first."""
    nodes = facts.origins(func.value).nodes if isinstance(func, ast.Attribute) else ()
    made = (facts.name(each.func) for each in nodes if isinstance(each, ast.Call))
    return any(name is not None and name.endswith(".Saver") for name in made)


def constant(facts: Facts, node: ast.AST) -> object:
    """The text that an expression stands for, or the path of a file that is opened there."""
    if isinstance(node, ast.Call) and facts.name(node.func) in PLAIN_OPENERS:
        return path(facts, node)
    return node.value if isinstance(node, ast.Constant) else None


def may_be_same(written: object, read: object, is_folder: bool = False) -> bool:
    """Whether two paths can mean one file, or a file and the folder that it is in."""
    if not isinstance(written, str) or not isinstance(read, str):
        return True
    return written.startswith(_WILD.split(read)[0]) if is_folder else written == read
