"""What is known of the path of a file: how it ends, and which two may be the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import IntEnum

from ...library.file_effects import JOINS, PLAIN_OPENERS, SAME_PATH
from ...library.file_rows import may_write, says_where
from ...library.tensorflow_names import SAVED_MODEL
from ...library.words import words
from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ..facts import Facts

# -- path domain ---------------------------------------------------------------------------------
# The domain of paths: whether a value is one of `pathlib`, as `Path(a) / b` and `.parent` are.

_CLASSES = words("Path PosixPath WindowsPath PurePath")
_METHODS = words("joinpath resolve absolute expanduser with_suffix with_name cwd home")


class PathKind(IntEnum):
    """Whether a value is a path; the larger one wins where values meet."""

    NOTHING = 0
    PATH = 1
    OTHER = 2


def _join(a: PathKind, b: PathKind) -> PathKind:
    return max(a, b)


def _create(origin: Origin, operands: Operands[PathKind]) -> PathKind:
    if origin.kind is Kind.COMPUTED and isinstance(origin.node, ast.BinOp):
        return operands.of(origin)[0] or PathKind.OTHER
    if isinstance(origin.node, ast.Call):
        return _call(origin, origin.node, operands)
    if origin.name == (".", "parent"):
        return next(iter(operands.of(origin, "of")), PathKind.OTHER)
    return PathKind.OTHER


def _call(origin: Origin, call: ast.Call, operands: Operands[PathKind]) -> PathKind:
    """What a class of `pathlib` makes, or a method of one of its paths."""
    module, _, name = str(origin.name or "").partition(".")
    if module == "pathlib":
        first, _, method = name.partition(".")
        return PathKind.PATH if first in _CLASSES and _gives(method) else PathKind.OTHER
    if isinstance(call.func, ast.Attribute) and _gives(call.func.attr):
        return next(iter(operands.of(origin, "receiver")), PathKind.OTHER)
    return PathKind.OTHER


def _gives(method: str) -> bool:
    return not method or method in _METHODS


_PATH = Domain(PathKind.NOTHING, PathKind.OTHER, _join, _create, suppose=_create)


def is_path(facts: Facts, expr: ast.expr) -> bool:
    """Whether the value is a `pathlib` path, wherever it comes from."""
    return facts.program.value(_PATH, expr) is PathKind.PATH


# -- path endings --------------------------------------------------------------------------------
# How a path ends, as far as the text shows: `join(folder, "final.h5")`, `f"{folder}/best.h5"`.
#
# The rest of it may be unknown: its ending alone says in which format a model is saved.

_ENDS_LIKE_LAST = SAME_PATH | JOINS
_RENAMING = words("joinpath with_name with_suffix")
_LAST_FIELD = r"(?:\{[^{}]*\}|%(?:\(\w*\))?[-+ #0-9.*]*[a-zA-Z])$"


def says_it_writes(facts: Facts, call: ast.Call) -> bool:
    """Whether outside code says by its name that it writes, and is told where by a text."""
    return told_where(facts, call) is not None


def told_where(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The text by which it is told."""
    name = facts.name(call.func) or ""
    word = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
    given = (*call.args, *(k.value for k in call.keywords)) if may_write(word) else ()
    told = (each for each in given if any(says_where(word, t) for t in _texts(facts, each)))
    return next(told, None)


def _texts(facts: Facts, expr: ast.expr) -> Iterator[str]:
    """How a value ends, if it is a text."""
    for node in facts.origins(expr).nodes:
        is_made = isinstance(node, (ast.JoinedStr, ast.BinOp, ast.Call))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif is_made:
            yield from (end for end in endings(facts, node) if end)


def endings(facts: Facts, path: ast.AST) -> Iterator[str | None]:
    """The last literal of everything that the path can be; None where it shows no suffix."""
    seen: set[ast.AST] = set()
    queue = [path]
    while queue:
        origins = facts.origins(queue.pop())
        if not origins.complete:
            yield None
        for item in origins.items:
            if item.node in seen:
                continue
            seen.add(item.node)
            last = None if item.path else _last(facts, item.node)
            if isinstance(last, ast.expr):
                queue.append(last)
            else:
                yield last if last and "." in last else None


def _last(facts: Facts, node: ast.AST) -> ast.expr | str | None:
    """The text at the end of what the node makes, or the expression that stands there."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        last = node.values[-1] if node.values else None
        return last if isinstance(last, ast.Constant) else None
    if isinstance(node, ast.BinOp):
        is_joined = isinstance(node.op, (ast.Add, ast.Div))
        return node.right if is_joined else _filled_in(node.left)
    return _last_of_call(facts, node) if isinstance(node, ast.Call) else None


def _last_of_call(facts: Facts, call: ast.Call) -> ast.expr | str | None:
    func = call.func
    is_method = isinstance(func, ast.Attribute)
    if is_method and func.attr == "format":  # type: ignore[attr-defined]
        return _filled_in(func.value)  # type: ignore[attr-defined]
    known = facts.name(func) in _ENDS_LIKE_LAST or (is_method and func.attr in _RENAMING)  # type: ignore[attr-defined]
    last = call.args[-1] if call.args else None
    is_listed = isinstance(last, (ast.List, ast.Tuple)) and bool(last.elts)
    if is_listed and is_method and func.attr == "join":  # type: ignore[attr-defined]
        known, last = True, last.elts[-1]  # type: ignore[union-attr]
    return last if known and not isinstance(last, ast.Starred) else None


def _filled_in(template: ast.expr) -> str | None:
    """The end of `"%s.h5" % name` and `"{}.h5".format(name)`, unless a name comes last."""
    text = template.value if isinstance(template, ast.Constant) else None
    return None if not isinstance(text, str) or re.search(_LAST_FIELD, text) else text


# -- constant paths ------------------------------------------------------------------------------
# Paths of files, as far as the program spells them out.

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
    is_second = name.rpartition(".")[2] in _SECOND or name == SAVED_MODEL
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
