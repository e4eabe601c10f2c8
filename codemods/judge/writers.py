"""**writers**: every path is written by one worker or is a worker's own, and its readers wait for
it.

Nobody removes what another one still reads. Each call that does something to a file, by a table, is
followed to the workers that may come to it. Folders that are written to are shared by all machines;
what only one worker of each machine does, it does in a folder of the machine.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library import files as table
from .case import Case, proved
from .files import Access, Files
from .known import wrapped
from .proof import Proof
from .turns import Turns
from .workers import SIZES

NAME = "writers"
HOW = "what is written is written by one worker, or is a worker's own, and all wait for it"
NOTHING = "nothing that a table knows is written"
ASSUMED = (
    "folders that are written to are shared by all machines; what one worker of each machine writes "
    "is for that machine, or the same from all of them",
    "paths that the program computes apart from each other are different files",
    "code outside of the project writes no file that another worker uses, unless a table says so",
)
FIX = "let one worker do it, under `if hvd.rank() == 0:`, and all wait behind it"
BY_COMMAND = (
    "run it before the training, in a script of its own, or under `if hvd.local_rank() == 0:` with "
    "`hvd.broadcast(0, root_rank=0)` behind it"
)
_DOES = {
    table.WRITE: "every worker writes this file at once: it ends up with parts of each",
    table.FETCH: "every worker puts files there at once, and one may read what another has half done",
    table.REMOVE: "every worker takes this away, and all but the first find nothing",
    table.MAKE: "every worker makes this folder, and all but the first fail: it is there already",
    table.COMMAND: "every worker runs this command line at once, and nobody can tell what it changes",
}


def prove(case: Case) -> Iterator[Proof]:
    """What is written by many at once, and what today's checks find."""
    search = _Search(case)
    found = list(dict.fromkeys([*wrapped(case, NAME), *search.answers()]))
    yield from found or [proved(NAME, HOW, *ASSUMED) if search.has_any else proved(NAME, NOTHING)]


class _Search:
    """The accesses of one program that meet."""

    def __init__(self, case: Case) -> None:
        from ..program.node_fields import within

        self._case = case
        trees = [source.module for source in case.after.values()]
        nodes = [node for tree in trees for node in within(tree)]
        self._files = Files(case.program, nodes, case.parents)
        self._turns = Turns(case.program, self._files.reach, case.parents)
        self._changing = [a for a in self._files.accesses if a.effect != table.READ]

    @property
    def has_any(self) -> bool:
        """Whether anything is written."""
        return bool(self._changing)

    def answers(self) -> Iterator[Proof]:
        """What isn't proved."""
        for access in self._changing:
            if self._is_by_many(access):
                yield self._told(access)

    def _is_by_many(self, access: Access) -> bool:
        """Whether more than one worker of a machine may do it at once, at one path."""
        workers = self._files.workers(access)
        machines = [SIZES["cross_rank"][worker] for worker in workers]
        if len(machines) == len(set(machines)) or self._files.is_own(access):
            return False
        return not (self._turns.is_in_turn(access) or self._is_foreseen(access))

    def _is_foreseen(self, access: Access) -> bool:
        """Whether who comes too late meets no error, or one that the program takes."""
        if access.effect not in (table.MAKE, table.REMOVE):
            return False
        given = {k.arg: k.value for k in access.call.keywords}
        told = [given.get(n) for n in ("exist_ok", "ignore_errors", "missing_ok")]
        if access.effect == table.MAKE and len(access.call.args) > 2:
            told.append(access.call.args[2])
        if any(t is not None and not (isinstance(t, ast.Constant) and not t.value) for t in told):
            return True
        return self._turns.is_tried(access)

    def _told(self, access: Access) -> Proof:
        is_command = access.effect == table.COMMAND
        tell = self._case.not_proved if is_command else self._case.violated
        fix = BY_COMMAND if is_command else FIX
        return tell(NAME, access.call, _DOES[access.effect], fix)
