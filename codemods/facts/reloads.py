"""Files that rank 0 writes and every worker reads again: the others have to wait for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .control import runs_alike
from .folders import is_private
from .guards import is_left_to_rank_zero
from .opened_files import OPENERS, is_plain_open
from .outputs import role
from .pattern import Pattern
from .purity import table
from .roles import Role
from .scopes import FunctionNode

if TYPE_CHECKING:
    from .facts import Facts

_ANY = "any"  # asks for files of any family
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
    _ANY: table("""
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
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class Access:
    """One call that writes or reads a file of a family; `path` if it is written out."""

    family: str
    call: ast.Call
    path: object = None


def waits(facts: Facts) -> dict[ast.AST, str]:
    """Where every worker waits for rank 0: by the place, the code that makes it wait."""
    written = list(_writes(facts))
    found: dict[ast.AST, str] = {}
    waited: list[ast.stmt] = []
    for access in _reads(facts):
        before = [w for w in written if _may_be_read(facts, w, access)]
        if not before:
            continue
        place = _outermost(facts, access.call, before)
        places = [place] if runs_alike(facts, place) else list(_behind(facts, before))
        for place in places:
            if not any(_is_waited_for(facts, one, place, before) for one in waited):
                waited.append(place)
                inside = access.call in ast.walk(place) and not hasattr(place, "body")
                key = access.call if inside else place
                found[key] = f"{facts.hvd}.broadcast(0, root_rank=0)  # wait for rank 0's file\n"
    return found


def _behind(facts: Facts, written: list[Access]) -> Iterator[ast.stmt]:
    """Behind what is written, where it is read in threads of a dataset: no place to wait in."""
    for access in written:
        statement = facts.statement(access.call)
        for parent in facts.parents(statement):
            if isinstance(parent, (*FunctionNode, ast.ClassDef, ast.Module)):
                break
            statement = parent if isinstance(parent, ast.stmt) else statement
        block, number = facts.block(statement)
        if number + 1 < len(block) and runs_alike(facts, block[number + 1]):
            yield block[number + 1]


def _writes(facts: Facts) -> Iterator[Access]:
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


def _reads(facts: Facts) -> Iterator[Access]:
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


def _may_be_read(facts: Facts, written: Access, read: Access) -> bool:
    """Whether it can be the file, and can be written before it is read."""
    if read.family not in (written.family, _ANY) or written.call is read.call:
        return False
    is_same = may_be_same(written.path, read.path, read.family == _ANY)
    return is_same and _may_precede(facts, written.call, read.call)


def may_be_same(written: object, read: object, is_folder: bool = False) -> bool:
    """Whether two paths can mean one file, or a file and the folder that it is in."""
    if not isinstance(written, str) or not isinstance(read, str):
        return True
    return written.startswith(read.rstrip("*")) if is_folder else written == read


def _may_precede(facts: Facts, first: ast.AST, second: ast.AST) -> bool:
    """Whether `first` can run before `second`: compared in the functions that call both."""
    early, late = list(_lifted(facts, first)), list(_lifted(facts, second))
    common = [(a, b) for scope, a in early for other, b in late if scope is other]
    return not common or any(_is_before(facts, a, b) for a, b in common)


def _lifted(facts: Facts, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The node in its function, and the calls of that function in theirs, up to the module."""
    seen: set[ast.AST] = set()
    queue = [node]
    while queue:
        current = queue.pop()
        if current in seen:
            continue
        seen.add(current)
        scope = facts.function(current) or facts.module
        yield scope, current
        if isinstance(scope, FunctionNode):
            queue.extend(facts.call_sites(scope))


def _is_before(facts: Facts, first: ast.AST, second: ast.AST) -> bool:
    if facts.place(first) < facts.place(second):  # type: ignore[arg-type]
        return True
    around = {parent for parent in facts.parents(first) if isinstance(parent, _LOOPS)}
    return any(parent in around for parent in facts.parents(second))


def _outermost(facts: Facts, call: ast.Call, written: list[Access]) -> ast.stmt:
    """The statement to wait before, out of conditions: one worker may see a file, another not."""
    statement = facts.statement(call)
    leading = {node for access in written for _, node in _lifted(facts, access.call)}
    for parent in facts.parents(statement):
        if isinstance(parent, ast.ExceptHandler) or _is_elif(facts, parent):
            continue
        if not isinstance(parent, (ast.If, ast.Try, ast.With, *_LOOPS)):
            break
        if not leading.isdisjoint(ast.walk(parent)):
            break
        statement = parent
    return statement


def _is_elif(facts: Facts, node: ast.AST) -> bool:
    parent = facts.parent(node)
    return isinstance(parent, ast.If) and parent.orelse == [node]


def _is_waited_for(facts: Facts, waited: ast.stmt, place: ast.stmt, written: list[Access]) -> bool:
    """Whether nothing is written between a place where they wait already and this one."""
    if waited is place:
        return True
    block, number = facts.block(waited)
    if place not in block or block.index(place) < number:
        return False
    between = {node for s in block[number : block.index(place)] for node in ast.walk(s)}
    return not any(access.call in between for access in written)
