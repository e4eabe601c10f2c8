"""Which calls read or write a file, of which family they are, and of which path."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.callbacks import CHECKPOINT as CHECKPOINT_CALLBACK
from ...library.file_effects import (
    COPYING,
    MOVES,
    PLAIN_OPENERS,
    RECORDS,
    kind_by_role,
    kinds_by,
    kinds_read,
    kinds_written,
    only_names_paths,
)
from ...library.file_rows import ANY, ARRAY, IMAGE, MODEL, OBJECT, READ, RECORD, TEXT, WRITE
from ...program.records import NamedTuple
from ..facts import Facts
from ..roles import Role, word_of
from ..training.pattern import Pattern, training_of
from .file_paths import constant, path, path_argument, says_it_writes
from .output_folders import is_private, is_staged
from .outputs import (
    gives_a_path,
    is_output,
    is_plain_open,
    is_saved,
    opened_to_write,
    role,
    writes_bytes,
)
from .rank_zero_guards import is_left_to_rank_zero

# -- reading and writing -------------------------------------------------------------------------
# Calls that write or read a file: of which family they are, and of which path.

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


# -- other accesses ------------------------------------------------------------------------------
# Files that are copied, and calls of which no more is known than that they are given a path.

_FAMILIES = ("array", "checkpoint", "image", "model", "object", "record", "text")
_TEXTS = (ast.JoinedStr, ast.BinOp, ast.Call)


def copies(facts: Facts) -> Iterator[Access]:
    """What rank 0 alone copies or moves: a file of any family may be at its new place."""
    for call in facts.index.calls:
        target = facts.argument(call, "dst", 1)
        is_copy = facts.name(call.func) in COPYING | MOVES
        if is_copy and target is not None and not is_staged(facts, call):
            found = constants(facts, target)
            path = next(iter(found)) if len(found) == 1 else None
            yield from (Access(family, call, path) for family in _FAMILIES)


def unknown_reads(facts: Facts, written: list[Access]) -> Iterator[Access]:
    """Calls of other libraries, and `open`, that are given a path which is written."""
    paths = {access.path for access in written if isinstance(access.path, str)}
    made = {node for access in written for node in _made(facts, access)}
    writing = {access.call for access in written}
    for call in facts.index.calls if paths or made else ():
        if call in writing or not may_read(facts, call):
            continue
        for given in [*call.args, *(k.value for k in call.keywords)]:
            nodes = facts.origins(given).nodes
            if not writing.isdisjoint(nodes):
                continue  # a file that is open for writing: `csv.writer(log)`
            for spelled in sorted(paths & constants(facts, given)):
                yield Access(ANY, call, spelled)
            if not made.isdisjoint(nodes):
                yield Access(ANY, call)


def _made(facts: Facts, access: Access) -> Iterator[ast.AST]:
    """What puts a path together by which is written, where one expression does."""
    given = path_argument(facts, access.call) if access.path is None else None
    nodes = facts.origins(given).nodes if given is not None else ()
    yield from (node for node in nodes if len(nodes) == 1 and isinstance(node, _TEXTS))


def may_read(facts: Facts, call: ast.Call) -> bool:
    """Whether nothing is known of a call but its name, and every worker makes it."""
    name = facts.name(call.func)
    if name in PLAIN_OPENERS and not opened_to_write(facts, call):
        reader = facts.parent(call)  # `json.load(open(path))` is judged by its family
        is_known = isinstance(reader, ast.Call) and is_reader(facts, reader)
        return not is_known and not is_left_to_rank_zero(facts, call)
    is_foreign = name is not None and not only_names_paths(name)
    if not is_foreign or is_reader(facts, call) or facts.made_by(call) is not None:
        return False
    if is_output(facts, call):
        return False
    return not is_left_to_rank_zero(facts, call)


def constants(facts: Facts, expr: ast.expr) -> set[str]:
    """The texts that an argument may be."""
    found = {constant(facts, node) for node in facts.origins(expr).nodes}
    return {text for text in found if isinstance(text, str)}


# -- computed paths ------------------------------------------------------------------------------
# Files that are opened again by a path that is put together: `os.path.join(folder, "a.txt")`.

_READ = ("read_bytes", "read_text")


def read_by_parts(facts: Facts, written: list[Access]) -> Iterator[Access]:
    """Texts that every worker reads, where all parts of the path are those of a written one."""
    paths = [path_argument(facts, a.call) for a in written if a.family == "text" and a.path is None]
    known = [_parts(facts, path) for path in paths if path is not None]
    for call in facts.index.calls if known else ():
        path = _read(facts, call)
        parts = frozenset[str]() if path is None else _parts(facts, path)
        if parts and any(parts <= each for each in known):
            yield Access(ANY, call)


def _read(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The path of a file that is opened to read."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _READ:
        return call.func.value
    is_opened = facts.name(call.func) in PLAIN_OPENERS and may_read(facts, call)
    return path_argument(facts, call) if is_opened else None


def _parts(facts: Facts, path: ast.expr) -> frozenset[str]:
    """The names of folders and files that are written out in a path."""
    found = (n.value for n in facts.program.ingredients(path) if isinstance(n, ast.Constant))
    texts = (text for text in found if isinstance(text, str))
    return frozenset(part for text in texts for part in text.split("/") if part.strip("."))


# -- unshared paths ------------------------------------------------------------------------------
# Paths of checkpoints that only rank 0 gets to know, as it alone saves them.


def unshared(facts: Facts, access: Access) -> ast.expr | None:
    """The argument of a call that reads which may be the path that a save of rank 0 gave."""
    for given in [*access.call.args, *(k.value for k in access.call.keywords)]:
        made = facts.origins(given).nodes
        if any(_is_given_to_one(facts, node) for node in made):
            return given
    return None


def _is_given_to_one(facts: Facts, node: ast.AST) -> bool:
    is_path = isinstance(node, ast.Call) and gives_a_path(facts, node)
    return is_path and is_left_to_rank_zero(facts, node)


def can_be_shared(facts: Facts, path: ast.expr) -> bool:
    """Whether it has a name, and the Horovod of the program can broadcast it."""
    is_named = isinstance(path, ast.Name) or (
        isinstance(path, ast.Attribute) and isinstance(path.value, ast.Name)
    )
    return is_named and training_of(facts).pattern is not Pattern.KERAS
