"""Files that rank 0 writes and every worker reads again: the others have to wait for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.file_rows import ANY
from ...library.sessions import PLAIN_MAKERS
from ...program.node_fields import within
from ..agreement.control import runs_alike
from ..by_rank import is_decided
from ..facts import Facts, recorded
from ..horovod import calls_of
from ..precedence import LOOPS, lifted, may_precede
from ..scopes import FunctionNode
from .computed_paths import read_by_parts
from .constant_paths import may_be_same
from .file_accesses import Access, in_text, reads, writes
from .guards import is_left_to_rank_zero
from .other_accesses import copies, unknown_reads
from .unshared_paths import unshared


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
    leading = {scope for access in written for scope, _ in lifted(facts, access.call)}
    if not sites or home is None or home in (*leading, *inside) or facts.values.escapes(home):
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
    return is_same and may_precede(facts, written.call, read.call)


def _outermost(facts: Facts, call: ast.Call, written: list[Access]) -> ast.stmt:
    """The statement to wait before, out of conditions: one worker may see a file, another not."""
    statement = facts.statement(call)
    leading = {node for access in written for _, node in lifted(facts, access.call)}
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
    runs = (node for access in written for _, node in lifted(facts, access.call))
    return between.isdisjoint(runs)  # also not in a function that is called there
