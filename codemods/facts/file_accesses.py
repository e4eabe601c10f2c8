"""Calls that write or read a file: of which family they are, and of which path."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .folders import is_private
from .guards import is_left_to_rank_zero
from .opened_files import OPENERS, is_plain_open
from .outputs import role
from .pattern import Pattern
from .purity import table
from .roles import Role

if TYPE_CHECKING:
    from .facts import Facts

ANY = "any"  # asks for files of any family
# What is written by one call of a family is read by another call of the same family.
_WRITERS = {
    "model": table("""
tensorflow.keras.models: save_model
tensorflow.keras.saving: save_model
tensorflow.saved_model: save
"""),
    "array": table("numpy: save savez savez_compressed savetxt"),
    "object": table("pickle: dump\njoblib: dump\njson: dump\ncloudpickle: dump\ndill: dump"),
    "text": table("tensorflow.io: write_file"),
}
_READERS = {
    "model": table("""
tensorflow.keras.models: load_model
tensorflow.keras.saving: load_model
tensorflow.saved_model: load
"""),
    "checkpoint": table("tensorflow.train: load_checkpoint"),
    "array": table("numpy: load loadtxt genfromtxt"),
    "object": table("pickle: load\njoblib: load\njson: load\ncloudpickle: load\ndill: load"),
    "text": table("""
tensorflow.io: read_file
tensorflow.data: TextLineDataset
tensorflow.data.experimental: make_csv_dataset CsvDataset
pandas: read_csv
"""),
    ANY: table("""
os: listdir scandir stat
os.path: getsize getmtime
glob: glob iglob
tensorflow.train: latest_checkpoint
"""),
}
_WRITING_METHODS = {
    Role.MODEL: ("model", frozenset({"save", "save_weights", "export"})),
    Role.CHECKPOINT: ("checkpoint", frozenset({"save", "write"})),
    Role.MANAGER: ("checkpoint", frozenset({"save"})),
}
_READING_METHODS = {
    Role.MODEL: ("model", frozenset({"load_weights"})),
    Role.CHECKPOINT: ("checkpoint", frozenset({"restore", "read"})),
    Role.MANAGER: ("checkpoint", frozenset({"restore_or_initialize"})),
}
SAVES_MODEL = _WRITERS["model"]
MODEL_CHECKPOINT = "tensorflow.keras.callbacks.ModelCheckpoint"


class Access(NamedTuple):
    """One call that writes or reads a file of a family; `path` if it is written out."""

    family: str
    call: ast.Call
    path: object = None


def writes(facts: Facts) -> Iterator[Access]:
    """What is written and could be read again."""
    for call in facts.index.calls:
        family = _family(facts, call, _WRITERS, _WRITING_METHODS)
        if is_private(facts, call):
            continue
        if family is not None:
            yield Access(family, call, path(facts, call))
        elif is_plain_open(facts, call):
            yield Access("object", call, path(facts, call))
            yield Access("text", call, path(facts, call))
        elif facts.kind(call) == MODEL_CHECKPOINT:
            for fit, pattern in facts.training.places:
                if pattern is Pattern.KERAS:
                    yield Access("model", fit, path(facts, call))


def reads(facts: Facts) -> Iterator[Access]:
    """What every worker reads, in the order of the text."""
    for call in sorted(facts.index.calls, key=_position):
        family = _family(facts, call, _READERS, _READING_METHODS)
        if family is not None and not is_left_to_rank_zero(facts, call):
            yield Access(family, call, path(facts, call))


def _position(call: ast.Call) -> tuple[int, int]:
    return call.lineno, call.col_offset


def _family(
    facts: Facts,
    call: ast.Call,
    names: dict[str, frozenset[str]],
    methods: dict[Role, tuple[str, frozenset[str]]],
) -> str | None:
    name = facts.name(call.func)
    if name is not None:
        return next((family for family, known in names.items() if name in known), None)
    if not isinstance(call.func, ast.Attribute) or facts.callee(call) is not None:
        return None
    if methods is _WRITING_METHODS and call.func.attr in ("to_csv", "write_text"):
        return "text"
    if call.func.attr in ("save_weights", "load_weights"):
        return "model" if call.func.attr in methods[Role.MODEL][1] else None
    found = role(facts, call.func.value)
    family, known = methods.get(found, ("", frozenset())) if found else ("", frozenset())
    return family if call.func.attr in known else None


def saves_whole_model(facts: Facts, call: ast.Call) -> bool:
    """Whether a model's own `save` is called."""
    func = call.func
    is_save = isinstance(func, ast.Attribute) and func.attr == "save"
    return is_save and role(facts, func.value) is Role.MODEL  # type: ignore[attr-defined]


def path(facts: Facts, call: ast.Call) -> object:
    """The path as a constant: the first argument that is one, or a file that is opened by one."""
    for argument in [*call.args, *(k.value for k in call.keywords)]:
        found = {_constant(facts, node) for node in facts.origins(argument).nodes}
        if len(found) == 1 and isinstance(next(iter(found)), str):
            return found.pop()
        if any(isinstance(text, str) for text in found):
            return None
    return None


def _constant(facts: Facts, node: ast.AST) -> object:
    if isinstance(node, ast.Call) and facts.name(node.func) in OPENERS:
        return path(facts, node)
    return node.value if isinstance(node, ast.Constant) else None


def may_be_same(written: object, read: object, is_folder: bool = False) -> bool:
    """Whether two paths can mean one file, or a file and the folder that it is in."""
    if not isinstance(written, str) or not isinstance(read, str):
        return True
    return written.startswith(read.rstrip("*")) if is_folder else written == read
