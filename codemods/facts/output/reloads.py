"""What rank 0 writes, or takes away, and every worker reads: who waits, and what must be told."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.callbacks import CHECKPOINT
from ...library.file_effects import file_calls, is_of_machine, only_names_paths, saves_model
from ...library.file_rows import ANY, REMOVE
from ...library.optimizers import OPTIMIZERS
from ...library.sessions import PLAIN_MAKERS
from ...library.tensorflow_names import LOADERS
from ...program.node_fields import within
from ...program.parts import LOOPS, FunctionNode
from ...program.records import NamedTuple
from ..agreement.control import runs_alike
from ..by_rank import is_decided
from ..facts import Facts, recorded
from ..horovod import calls_of
from ..optimizers.compiles import named_in_compile
from ..optimizers.wrapped_optimizers import optimizers_to_wrap, optimizers_wrapped_already
from ..training.pattern import Pattern, training_of
from .file_accesses import (
    Access,
    constants,
    copies,
    in_text,
    is_reader,
    read_by_parts,
    reads,
    saves_whole_model,
    unknown_reads,
    unshared,
    writes,
)
from .file_paths import endings, may_be_same, path
from .output_folders import is_private
from .rank_zero_guards import is_left_to_rank_zero

# -- waits ---------------------------------------------------------------------------------------
# Files that rank 0 writes and every worker reads again: the others have to wait for them.


def waits(facts: Facts) -> dict[ast.AST, ast.expr | None]:
    """The places before which every worker waits for rank 0, and the path that it tells there."""
    found: dict[ast.AST, ast.expr | None] = {}
    waited = list(waits_already(facts))
    for access, before in read_again(facts):
        path = unshared(facts, access)
        for place in _places(facts, access, before, path is not None):
            if path is None and any(_is_waited_for(facts, w, place, before) for w in waited):
                continue
            waited.append(place)
            inside = access.call in within(place) and not hasattr(place, "body")
            found[access.call if inside else place] = path
    return found


def session_waits(facts: Facts) -> Iterator[ast.stmt]:
    """The same in programs of sessions: where one is the default, by which the others wait."""
    waited = list(waits_already(facts))
    for access, before in read_again(facts):
        place = facts.statement(access.call)
        if any(_is_waited_for(facts, w, place, before) for w in waited):
            continue
        if _is_in_session(facts, place) and runs_alike(facts, place):
            waited.append(place)
            yield place


def _is_in_session(facts: Facts, place: ast.stmt) -> bool:
    """Whether it stands in the `with` of a plain session; the graph of others is complete."""
    for parent in facts.parents(place):
        if isinstance(parent, (*FunctionNode, ast.ClassDef)):
            return False
        for item in parent.items if isinstance(parent, ast.With) else ():
            made = facts.name(getattr(item.context_expr, "func", item.context_expr)) or ""
            if made.startswith("tensorflow.") and made.rpartition(".")[2] in PLAIN_MAKERS:
                return True
    return False


def _places(facts: Facts, access: Access, before: list[Access], is_told: bool) -> list[ast.stmt]:
    """Where every worker passes, before the read or behind what was written.

    `is_told`: rank 0 tells the path there, which has no name elsewhere.
    """
    place = _outermost(facts, access.call, before)
    if not runs_alike(facts, place):
        return list(_behind(facts, before))
    return [place] if is_told else list(_above(facts, place, before, []))


def _above(
    facts: Facts, place: ast.stmt, written: list[Access], inside: list[ast.AST]
) -> Iterator[ast.stmt]:
    """Before the calls of a function that only reads: a wait is no matter of a helper."""
    home = facts.function(place)
    sites = facts.call_sites(home) if isinstance(home, FunctionNode) else []
    leading = {scope for access in written for scope, _ in facts.lifted(access.call)}
    if not sites or home is None or home in (*leading, *inside) or facts.escapes(home):
        yield place
        return
    above = [_outermost(facts, site, written) for site in sites]
    if not all(runs_alike(facts, each) for each in above):
        yield place
        return
    for each in above:
        yield from _above(facts, each, written, [*inside, home])


def waits_already(facts: Facts) -> Iterator[ast.stmt]:
    """Where the program itself lets its workers wait for each other."""
    for call in (
        calls_of(facts, "barrier", "broadcast", "broadcast_object") if facts.has_horovod else ()
    ):
        if not is_decided(facts, call):
            yield facts.statement(call)


@recorded
def read_again(facts: Facts) -> list[tuple[Access, list[Access]]]:
    """What every worker reads, with what may have been written there before."""
    written = [*writes(facts), *copies(facts)]
    unknown = [*unknown_reads(facts, written), *read_by_parts(facts, written)]
    # What is waited for first is waited for once.
    read = sorted((*reads(facts), *unknown), key=lambda r: in_text(r.call)) if written else []
    pairs = [(r, [w for w in written if _may_be_read(facts, w, r)]) for r in read]
    pairs = [(r, w) for r, w in pairs if w and not is_decided(facts, r.call)]
    # Where the guards go is the dearest question of all: it is the last.
    return [(r, w) for r, w in pairs if not is_left_to_rank_zero(facts, r.call)]


def _behind(facts: Facts, written: list[Access]) -> Iterator[ast.stmt]:
    """Behind what is written, where it is read in threads of a dataset: no place to wait in."""
    for access in written:
        statement = facts.statement(access.call)
        for parent in facts.parents(statement):
            if isinstance(parent, (*FunctionNode, ast.ClassDef, ast.Module)):
                break
            statement = parent if isinstance(parent, ast.stmt) else statement
        block, number = facts.block(statement)
        behind = (s for s in block[number + 1 :] if not is_left_to_rank_zero(facts, s))
        place = next(behind, None)
        if place is not None and runs_alike(facts, place):
            yield place


def _may_be_read(facts: Facts, written: Access, read: Access) -> bool:
    """Whether it can be the file, and can be written before it is read."""
    if read.family not in (written.family, ANY) or written.call is read.call:
        return False
    is_same = may_be_same(written.path, read.path, read.family == ANY)
    if read.family == "checkpoint":  # `save` numbers them: c-1, c-2
        is_same = may_be_same(read.path, written.path, is_folder=True)
    return is_same and facts.may_precede(written.call, read.call)


def _outermost(facts: Facts, call: ast.Call, written: list[Access]) -> ast.stmt:
    """The statement to wait before, out of conditions: one worker may see a file, another not."""
    statement = facts.statement(call)
    leading = {node for access in written for _, node in facts.lifted(access.call)}
    for parent in facts.parents(statement):
        if isinstance(parent, ast.ExceptHandler) or _is_elif(facts, parent):
            continue
        if not isinstance(parent, (ast.If, ast.Try, ast.With, *LOOPS)):
            break
        if not leading.isdisjoint(within(parent)):
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
    between = {node for s in block[number : block.index(place)] for node in within(s)}
    runs = (node for access in written for _, node in facts.lifted(access.call))
    return between.isdisjoint(runs)  # also not in a function that is called there


# -- taken away ----------------------------------------------------------------------------------
# Files that rank 0 takes away though every worker has read them: it waits until all have.


def all_have_read(facts: Facts) -> Iterator[ast.AST]:
    """The statements, or calls in them, behind which all wait, before what they read is gone."""
    waited = {*waits_already(facts)}
    for call in facts.index.calls:
        path = _removed(facts, call)
        if path is None or is_private(facts, call) or not _is_for_one(facts, call):
            continue
        found = {place: read for read in _reading(facts, path, call)
                 if (place := _before(facts, read, call)) is not None}  # fmt: skip
        last = max(found, key=lambda place: place.lineno, default=None)
        if last is not None and waited.isdisjoint(_between(facts, last, call)):
            yield last if hasattr(last, "body") else found[last]


def _removed(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The path of what a call takes away."""
    rows = file_calls(facts.name(call.func) or "")
    row = next((row for row in rows if row.effect == REMOVE), None)
    found = [] if row is None else [facts.argument(call, name, row.at) for name in row.names]
    return next((each for each in found if each is not None), None)


def _is_for_one(facts: Facts, call: ast.Call) -> bool:
    return is_decided(facts, call) or is_left_to_rank_zero(facts, call)


def _reading(facts: Facts, path: ast.expr, removing: ast.Call) -> Iterator[ast.Call]:
    """The calls of all workers that are given the path, or one that lies in it."""
    texts, nodes = constants(facts, path), {*facts.origins(path).nodes}
    for call in facts.index.calls:
        if call is removing or not _may_read(facts, call):
            continue
        given = (*call.args, *(k.value for k in call.keywords))
        if any(_is_in(facts, each, texts, nodes) for each in given):
            if not _is_for_one(facts, call):
                yield call


def _may_read(facts: Facts, call: ast.Call) -> bool:
    """Whether a call that is given a path opens the file, as far as a name says."""
    name = facts.name(call.func)
    if name is None:
        return is_reader(facts, call)
    return name == "builtins.open" or not only_names_paths(name)


def _is_in(facts: Facts, given: ast.expr, texts: set[str], nodes: set[ast.AST]) -> bool:
    if texts:
        known = constants(facts, given)
        return any(a == b or a.startswith(f"{b.rstrip('/')}/") for a in known for b in texts)
    return not nodes.isdisjoint(facts.origins(given).nodes)


def _before(facts: Facts, reading: ast.Call, removing: ast.Call) -> ast.stmt | None:
    """The statement of a block that reads, where one behind it in that block takes away."""
    for place in facts.parents(reading):
        if not isinstance(place, ast.stmt) or removing in within(place):
            continue
        if _between(facts, place, removing):
            return place if runs_alike(facts, place) else None
    return None


def _between(facts: Facts, place: ast.stmt, removing: ast.Call) -> list[ast.stmt]:
    """The statements behind one, in its block, up to that which takes away; none if none does."""
    block, number = facts.block(place)
    behind = block[number + 1 :]
    last = next((n for n, other in enumerate(behind) if removing in within(other)), -1)
    return behind[: last + 1]


# -- machine folders -----------------------------------------------------------------------------
# Files that are written below folders which each machine has for itself, and read again by all.


def writes_for_machine(facts: Facts, statements: Iterable[ast.stmt]) -> bool:
    """Whether one worker of each machine has to write there: the others would find nothing."""
    calls = _calls(facts)
    return bool(calls) and any(not calls.isdisjoint(within(each)) for each in statements)


@recorded
def _calls(facts: Facts) -> set[ast.AST]:
    """The calls that write such a file."""
    written = (access for _, before in read_again(facts) for access in before)
    return {a.call for a in written if isinstance(a.path, str) and is_of_machine(a.path)}


# -- saved models --------------------------------------------------------------------------------
# Whole models in Keras' own format, which remember the class of their optimizer.
#
# `hvd.DistributedOptimizer(Adam())` is of a class `horovod._keras.Adam` that nobody can import
# again: `load_model` needs to be told what stands behind it (run on Keras 2.15; `.h5`, SavedModel
# don't).


class StoredClass(NamedTuple):
    """A class that a file names: `canonical` is empty for one of the module."""

    name: str
    canonical: str = ""


def loads_to_tell(facts: Facts) -> dict[ast.AST, tuple[StoredClass, ...]]:
    """Calls of `load_model` that may read such a file, with the classes of its optimizers."""
    classes = _classes(facts) if training_of(facts).pattern is Pattern.KERAS else ()
    if not classes:
        return {}
    files = [path(facts, call) for call in saves(facts)]
    calls = [c for c in facts.calls_of(*LOADERS) if not _is_told(facts, c) and _may_be(facts, c)]
    return {c: classes for c in calls if any(may_be_same(p, path(facts, c)) for p in files)}


def saves(facts: Facts) -> Iterator[ast.Call]:
    """Calls that write whole models in Keras' own format, as far as the path tells."""
    for call in facts.index.calls:
        name = facts.name(call.func)
        is_callback = facts.kind(call) == CHECKPOINT and not _only_weights(facts, call)
        if not (is_callback or saves_model(name or "") or saves_whole_model(facts, call)):
            continue
        if _may_be(facts, call):
            yield call


def _may_be(facts: Facts, call: ast.Call) -> bool:
    """Whether the path of the call can be that of a file in Keras' own format."""
    given = facts.argument(call, "save_format")
    if isinstance(given, ast.Constant) and given.value is not None:
        return given.value == "keras"  # else a SavedModel, or .h5
    where = path(facts, call)
    if isinstance(where, str):
        return where.endswith(".keras")
    given = facts.argument(call, "filepath", int(saves_model(facts.name(call.func) or "")))
    found = () if given is None else tuple(endings(facts, given))
    return not found or any(last is None or last.endswith(".keras") for last in found)


def _only_weights(facts: Facts, call: ast.Call) -> bool:
    only = facts.argument(call, "save_weights_only", 4)
    return isinstance(only, ast.Constant) and only.value is True


def _is_told(facts: Facts, call: ast.Call) -> bool:
    is_given = any(
        facts.argument(call, name, n + 1) for n, name in enumerate(("custom_objects", "compile"))
    )
    return bool(is_given) or facts.has_hidden_arguments(call)


def _classes(facts: Facts) -> tuple[StoredClass, ...]:
    """The classes of all optimizers that get distributed, each name once."""
    found = (*_wrapped_classes(facts), *_named_classes(facts))
    return tuple({each.name: each for each in found}.values())


def _wrapped_classes(facts: Facts) -> Iterator[StoredClass]:
    for call in (*optimizers_to_wrap(facts), *optimizers_wrapped_already(facts)):
        cls = facts.classes.local(call.func)
        if cls is not None:
            yield StoredClass(cls.name)
        else:
            yield from _of_library(facts.kind(call))


def _named_classes(facts: Facts) -> Iterator[StoredClass]:
    for named in named_in_compile(facts):
        given = named.compiled.optimizer
        if named.wrap and named.cls is not None:
            yield from _of_library(f"{OPTIMIZERS}.{named.cls}")
        elif named.wrap and isinstance(given, ast.Call):
            yield from _of_library(facts.kind(given))


def _of_library(kind: str | None) -> Iterator[StoredClass]:
    if kind:
        yield StoredClass(kind.rpartition(".")[2], kind)
