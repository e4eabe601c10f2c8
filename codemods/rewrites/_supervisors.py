"""How a broadcast is written for a session, also for one whose graph a supervisor finishes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, Enter, Insert
from ..facts.sessions.session_starts import broadcasts
from ..facts.sessions.supervisor_sessions import Managed, own_graph, supervised
from ._new_code import code, fresh, hvd

if TYPE_CHECKING:
    from ..facts import Facts

BROADCAST = "{hvd}.broadcast_global_variables(0)"
KEPT = "broadcast"


def of_supervisors(facts: Facts) -> Iterator[At]:
    """In front of what finishes the graph, and where the session has restored the variables."""
    found = supervised(facts).found.values()
    for supervisor, managed in {each.supervisor: each for each in found}.items():
        line = f"{managed.made}{fresh(facts, KEPT)} = {BROADCAST.format(hvd=hvd(facts))}\n"
        graph = own_graph(facts, supervisor)
        if graph is not None:
            line = f"with {code(facts, graph)}.as_default():\n    {line}"
        statement = facts.statement(supervisor)
        yield At(statement, Insert(_above(facts, statement, line)))
    restored = {start.behind for start in broadcasts(facts)}
    for managed in found:
        line = f"{managed.name}.run({broadcast(facts, managed)})\n"
        first = managed.place.body[0] if isinstance(managed.place, ast.With) else None
        if first is None:
            yield At(managed.place, Insert(after=line))
        elif first not in restored:  # behind which one stands already
            yield At(managed.place, Enter(_above(facts, first, line)))


def _above(facts: Facts, statement: ast.stmt, line: str) -> str:
    """The line as a paragraph of its own where a comment leads the statement, which it parted."""
    number = facts.place(statement)[0]
    is_led = facts.source.lines[max(number - 2, 0)].lstrip().startswith("#")
    return f"{line}\n" if is_led else line


def broadcast(facts: Facts, managed: Managed | None) -> str:
    """What broadcasts: made where it is run, unless the graph is finished by then."""
    if managed is None:
        return BROADCAST.format(hvd=hvd(facts))
    return f"{managed.asked}{fresh(facts, KEPT)}"
