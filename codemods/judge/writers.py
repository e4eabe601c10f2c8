"""**writers**: every path is written by one worker or is a worker's own, and its readers wait for
it.

Nobody removes what another one still reads. Each call that does something to a file, by a table, is
followed to the workers that may come to it. Folders that are written to are shared by all machines;
what only one worker of each machine does, it does in a folder of the machine.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library import file_effects as table
from ..library import file_rows as effects
from ..program.node_fields import within
from .case import Case, proved
from .files import Access, Files, is_lenient
from .known import wrapped
from .meetings import Meetings
from .paths import overlap, text
from .phases import Item, Phases
from .proof import Proof
from .turns import Turns
from .workers import SIZES

NAME = "writers"
HOW = "what is written is written by one worker, or is a worker's own, and all wait for it"
NOTHING = "nothing that a table knows is written"
ASSUMED = (
    "folders that are written to are shared by all machines; what one worker of each machine "
    "writes is for that machine, or the same from all of them",
    "what libraries download, or commands install, is there already, or one worker is first",
    "paths that the program computes apart from each other are different files",
    "code outside of the project writes no file that another worker uses, unless a table says so",
)
FIX = "let one worker do it, under `if hvd.rank() == 0:`, and all wait behind it"
BY_COMMAND = (
    "run it before the training, in a script of its own, or under `if hvd.local_rank() == 0:` with "
    "`hvd.broadcast(0, root_rank=0)` behind it"
)
WAIT = "let all wait between the two: `hvd.broadcast(0, root_rank=0)`"
_EARLY = {
    True: "what line {} changes, another worker may read here before it is done, or half of it: "
    "`{}`",
    False: "another worker may still use what is changed here, as line {} does: `{}`",
}
ELSEWHERE = "each machine has such a folder of its own, and line {} writes on one of them alone"
LOCALLY = "write under `if hvd.local_rank() == 0:`, or to a folder that all machines share"
UNDONE = (
    "the first worker of a machine takes away here what the others find in their turn: they all "
    "get it again, at once"
)
UNDONE_FIX = "let one worker do all of it, and take it away when all are through"
DECIDED = (
    "another worker may have made this folder just before, and then finds another answer here than "
    "the first one: what hangs on it differs"
)
ASK_ONE = (
    "let worker 0 ask and tell it to all: `there = hvd.broadcast_object(os.path.exists(path), "
    "root_rank=0)`"
)
_LEAVING = (ast.Raise, ast.Return, ast.Break, ast.Continue)
_DOES = {
    effects.WRITE: "every worker writes this file at once: it ends up with parts of each",
    effects.FETCH: "every worker puts files there at once: one may find what another has half done",
    effects.REMOVE: "every worker takes this away, and all but the first find nothing",
    effects.MAKE: "every worker makes this folder, and all but the first fail: it is there already",
    effects.COMMAND: "every worker runs this command line at once: nobody can tell what it changes",
}


def prove(case: Case) -> Iterator[Proof]:
    """What is written by many at once, and what today's checks find."""
    search = _Search(case)
    found = list(dict.fromkeys([*wrapped(case, NAME), *search.answers()]))
    yield from found or [proved(NAME, HOW, *ASSUMED) if search.has_any else proved(NAME, NOTHING)]


class _Search:
    """The accesses of one program that meet."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._trees = [source.module for source in case.after.values()]
        self._meetings = Meetings(case.program, self._trees)
        self._files = Files(case.program, self._meetings.nodes, case.parents)
        self._turns = Turns(case.program, self._files.reach, case.parents)
        self._changing = [a for a in self._files.accesses if a.effect not in effects.KEEPING]

    @property
    def has_any(self) -> bool:
        """Whether anything is written, by a library or the program itself."""
        return any(
            access.effect not in (effects.READ, effects.ENSURE) for access in self._files.accesses
        )

    def answers(self) -> Iterator[Proof]:
        """What isn't proved: what many write, and what meets."""
        many = [access for access in self._changing if self._is_by_many(access)]
        yield from map(self._told, many)
        yield from self._decided()
        if self._changing:
            yield from self._meeting(frozenset(many))
            yield from self._elsewhere()

    # -- two accesses ---------------------------------------------------------------------------

    def _meeting(self, told: frozenset[Access]) -> Iterator[Proof]:
        """What one worker changes while another one may use it."""
        accesses = [a for a in self._files.accesses if a not in told]
        workers = [self._files.workers(access) for access in accesses]
        items: dict[ast.Call, list[Item]] = {}
        for number, (access, who) in enumerate(zip(accesses, workers)):
            items.setdefault(access.call, []).append(Item(number, who))
        there = frozenset(n for n, a in enumerate(accesses) if self._is_there_later(a, accesses))
        phases = Phases(self._meetings, self._turns, items, self._case.parents, there)
        phases.run(self._trees)
        seen: set[ast.AST] = set()
        for access in self._undone([[accesses[i.number] for i in g] for g in phases.in_turns]):
            seen.add(access.call)
            yield self._case.violated(NAME, access.call, UNDONE, UNDONE_FIX)
        for one, other in phases.pairs:
            first, second = accesses[one.number], accesses[other.number]
            if self._is_race(one, first, other, second) and not seen & {first.call, second.call}:
                seen.update((first.call, second.call))
                yield self._told_of_two(first, second)

    def _is_there_later(self, access: Access, others: list[Access]) -> bool:
        """Whether what a test in a turn asks for is put there behind it, so that who comes later
        does nothing any more.
        """
        return any(
            self._puts(condition, question, others)
            for condition in self._turns.asked(access)
            if self._turns.is_of_missing(condition, access.call)
            for question in self._turns.questions(condition.test)
        )

    def _puts(self, condition: ast.If, question: ast.Call, others: list[Access]) -> bool:
        asked = question.args[0] if question.args else getattr(question.func, "value", None)
        inside = set(within(condition))
        path = None if asked is None else self._files.paths.of(asked)
        return path is not None and any(
            overlap(path, place)
            for other in others
            if other.call in inside and other.effect not in (*effects.KEEPING, effects.REMOVE)
            for place in self._files.places(other)
        )

    def _elsewhere(self) -> Iterator[Proof]:
        """What is read on a machine whose own folder holds nothing of what another one's does."""
        readers = [a for a in self._files.accesses if a.effect == effects.READ]
        for access in self._changing:
            machines = self._machines(access)
            if not machines or not self._is_of_machine(access):
                continue
            for reader in readers:
                if self._machines(reader) - machines and self._is_one_path(access, reader):
                    line = self._case.place(access.call).line
                    yield self._case.not_proved(NAME, reader.call, ELSEWHERE.format(line), LOCALLY)

    def _machines(self, access: Access) -> frozenset[object]:
        return frozenset(SIZES["cross_rank"][w] for w in self._files.workers(access))

    def _is_of_machine(self, access: Access) -> bool:
        known = map(text, self._files.places(access))
        return any(map(table.is_of_machine, known)) and not self._files.is_own(access)

    def _is_race(self, one: Item, first: Access, other: Item, second: Access) -> bool:
        """Whether two workers may come to one file at once, and that does harm."""
        both = {first.effect, second.effect}
        is_apart = first.effect in effects.KEEPING and (one.is_perhaps or other.is_perhaps)
        if both <= effects.KEEPING or is_apart or not _do_meet(one.workers, other.workers):
            return False
        if effects.ENSURE in both and effects.REMOVE not in both:
            return False
        if second.effect == effects.ENSURE and one.workers <= other.workers:
            return False  # whoever takes it away makes it again
        return not self._is_beside(first, second) and self._is_one_path(first, second)

    def _is_beside(self, first: Access, second: Access) -> bool:
        """Whether a worker's own path is no matter of the other one, which makes no folder."""
        own = [self._files.is_own(each) for each in (first, second)]
        others = (a for a, is_own in zip((first, second), own) if not is_own)
        return any(own) and not any(a.effect in (effects.MAKE, effects.REMOVE) for a in others)

    def _is_one_path(self, first: Access, second: Access) -> bool:
        others = self._files.places(second)
        return any(overlap(a, b) for a in self._files.places(first) for b in others)

    def _told_of_two(self, first: Access, second: Access) -> Proof:
        is_read = second.effect in effects.KEEPING
        line = self._case.place(first.call).line
        why = _EARLY[is_read].format(line, ast.unparse(second.path or second.call))
        return self._case.not_proved(NAME, second.call, why, WAIT)

    def _undone(self, turns: list[list[Access]]) -> Iterator[Access]:
        """What the first workers take away in a turn, so that the others fetch it again."""
        for group in turns:
            fetched = [a for a in group if a.effect in (effects.FETCH, effects.KEPT)]
            removed = (a for a in group if a.effect == effects.REMOVE)
            yield from (a for a in removed if any(self._is_one_path(a, f) for f in fetched))

    def _decided(self) -> Iterator[Proof]:
        """What hangs on whether a folder is there, which another worker may just have made."""
        for access in self._files.accesses:
            is_made = access.effect in (effects.MAKE, effects.ENSURE)
            if is_made and len(self._files.workers(access)) > 1 and not self._files.is_own(access):
                condition = self._turns.nearest(access.call)
                if condition is not None and self._decides(condition):
                    yield self._case.not_proved(NAME, condition, DECIDED, ASK_ONE)

    def _decides(self, condition: ast.If) -> bool:
        """Whether more than what is there, or is shown, is another one behind an `if`."""
        statements = [*condition.body, *condition.orelse]
        targets = [t for each in statements for t in getattr(each, "targets", [])]
        names = {each.id for each in targets if isinstance(each, ast.Name)}
        inside = set(within(condition))
        outside = (n for tree in self._trees for n in within(tree) if n not in inside)
        read = (n for n in outside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        is_read = any(each.id in names for each in read)
        is_kept = any(isinstance(each, ast.Attribute) for each in targets)
        return is_read or is_kept or any(isinstance(each, _LEAVING) for each in statements)

    # -- one access of many workers -------------------------------------------------------------

    def _is_by_many(self, access: Access) -> bool:
        """Whether more than one worker of a machine may do it at once, at one path."""
        workers = self._files.workers(access)
        machines = [SIZES["cross_rank"][worker] for worker in workers]
        if len(machines) == len(set(machines)) or self._files.is_own(access):
            return False
        return not (self._turns.is_in_turn(access) or self._is_foreseen(access))

    def _is_foreseen(self, access: Access) -> bool:
        """Whether who comes too late meets no error, or one that the program takes."""
        if access.effect not in (effects.MAKE, effects.REMOVE):
            return False
        return is_lenient(access.call) or self._turns.is_tried(access)

    def _told(self, access: Access) -> Proof:
        is_command = access.effect == effects.COMMAND
        tell = self._case.not_proved if is_command else self._case.violated
        fix = BY_COMMAND if is_command else FIX
        return tell(NAME, access.call, _DOES[access.effect], fix)


def _do_meet(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether two workers of a machine meet; or of two, unless each machine has its own files."""
    machine = SIZES["cross_rank"]
    pairs = [(a, b) for a in one for b in other if a != b]
    if any(machine[a] == machine[b] for a, b in pairs):
        return True
    each = {machine[a] for a in one} == {machine[b] for b in other} == set(machine)
    return bool(pairs) and not each
