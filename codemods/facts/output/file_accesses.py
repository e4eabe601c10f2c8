"""Calls that write or read a file: of which family they are, and of which path."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.callbacks import CHECKPOINT as CHECKPOINT_CALLBACK
from ...library.file_rows import ARRAY, IMAGE, MODEL, OBJECT, READ, RECORD, TEXT, WRITE
from ...library.files import RECORDS, kind_by_role, kinds_by, kinds_read, kinds_written
from ...program.records import NamedTuple
from ..facts import Facts
from ..roles import Role, word_of
from ..training.pattern import Pattern, training_of
from .constant_paths import path
from .folders import is_private
from .images import is_saved
from .opened_files import is_plain_open, opened_to_write, writes_bytes
from .path_endings import says_it_writes
from .writing_methods import role

_WITH_BYTES = (OBJECT, TEXT, ARRAY, IMAGE, MODEL)  # whatever was downloaded


class Access(NamedTuple):
    """One call that writes or reads a file of a family; `path` if it is written out."""

    family: str
    call: ast.Call
    path: object = None


def writes(facts: Facts) -> Iterator[Access]:
    """What is written and could be read again."""
    for call in facts.index.calls:
        if is_private(facts, call):
            continue
        families = _families(facts, call, WRITE) or _of_opened(facts, call)
        families = families or (_WITH_BYTES if says_it_writes(facts, call) else ())
        yield from (Access(family, call, path(facts, call)) for family in families)
        if not families and facts.kind(call) == CHECKPOINT_CALLBACK:
            for fit, pattern in training_of(facts).places:
                if pattern is Pattern.KERAS:
                    yield Access(MODEL, fit, path(facts, call))


def _of_opened(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """What may be put into a file that is opened here."""
    if facts.name(call.func) == RECORDS:
        return (RECORD,)
    if not is_plain_open(facts, call):
        return _WITH_BYTES if opened_to_write(facts, call) else ()
    return _WITH_BYTES if writes_bytes(facts, call) else (OBJECT, TEXT)


def reads(facts: Facts) -> Iterator[Access]:
    """What is read, in the order of the text."""
    for call in sorted(facts.index.calls, key=in_text):
        yield from (Access(each, call, path(facts, call)) for each in _families(facts, call, READ))


def in_text(call: ast.Call) -> tuple[int, int]:
    """Where a call stands in the text."""
    return call.lineno, call.col_offset


def _families(facts: Facts, call: ast.Call, effect: str) -> tuple[str, ...]:
    """The families of a call: numbers in a text file are an array, too."""
    name = facts.name(call.func)
    if name is not None:
        return kinds_written(name) if effect == WRITE else kinds_read(name)
    if not isinstance(call.func, ast.Attribute) or facts.callee(call) is not None:
        return ()
    return _of_method(facts, call, call.func, effect)


def _of_method(facts: Facts, call: ast.Call, func: ast.Attribute, effect: str) -> tuple[str, ...]:
    by_name = kinds_by(effect, func.attr)
    if by_name:
        return by_name
    owner = role(facts, func.value)
    family = None if owner is None else kind_by_role(effect, word_of(owner), func.attr)
    if family is not None:
        return (family,)
    is_save = effect == WRITE and func.attr == "save"
    return (IMAGE,) if is_save and is_saved(facts, call, func.value) else ()


def saves_whole_model(facts: Facts, call: ast.Call) -> bool:
    """Whether a model's own `save` is called."""
    func = call.func
    is_save = isinstance(func, ast.Attribute) and func.attr == "save"
    return is_save and role(facts, func.value) is Role.MODEL  # type: ignore[attr-defined]


def is_reader(facts: Facts, call: ast.Call) -> bool:
    """Whether it is known what kind of files the call reads."""
    return bool(_families(facts, call, READ))
