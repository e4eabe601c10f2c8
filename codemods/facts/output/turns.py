"""What the first worker of each machine downloads before the others do, or alone."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.file_rows import FOLDER
from ...program.records import NamedTuple
from ..by_rank import asks_for_rank
from ..facts import Facts, recorded
from ..horovod import WAITS, member
from ..precedence import may_precede
from ..training.graph_patterns import runs_graph
from .constant_paths import constant
from .downloads import downloads, is_command, is_fetching, is_plain_command
from .effects import Effects
from .evaluation import arguments_of
from .file_accesses import writes
from .filled_folders import makes_folder
from .folders import is_checked_before
from .guards import is_left_to_rank_zero
from .reloads import waits
from .turn_places import AROUND, TurnPlaces

_DEFINING = (ast.FunctionDef, ast.ClassDef)  # D302 writes its callbacks between


class Turn(NamedTuple):
    """The others wait before `first`, and go on behind `last`."""

    first: ast.stmt
    last: ast.stmt
    calls: tuple[ast.Call, ...]


class Fetch(NamedTuple):
    """A statement for the first worker alone, and the one behind which all wait for it."""

    statement: ast.stmt
    waiting: ast.stmt


class Plan(NamedTuple):
    """All that is done about the downloads of a module, and those that nothing is done about."""

    turns: list[Turn]
    fetches: list[Fetch]
    left: list[ast.Call]


@recorded
def plan(facts: Facts) -> Plan:
    """What becomes of every download."""
    if runs_graph(facts):
        return Plan([], [], _downloading(facts, downloads(facts)))
    return _Planner(facts).plan() if downloads(facts) else Plan([], [], [])


def is_for_one(facts: Facts, call: ast.Call) -> bool:
    """Whether one worker of all does it: it changes shared files, or fills a folder of rank 0's."""
    if is_plain_command(facts, call) or sends(facts, call):
        return True
    calls = facts.index.calls
    made = (
        c for c in calls if c.args and makes_folder(facts, c) and is_left_to_rank_zero(facts, c)
    )
    folders = [folder.args[0] for folder in made]
    return any(_lies_in(facts, path, folder) for path in arguments_of(call) for folder in folders)


def sends(facts: Facts, call: ast.Call) -> bool:
    """Whether a command line is told of a file that rank 0 alone has written."""
    if not is_command(facts, call):
        return False
    made = (a for a in writes(facts) if a.family != FOLDER and may_precede(facts, a.call, call))
    written = {a.path for a in made if is_left_to_rank_zero(facts, a.call)}
    found = (constant(facts, n) for p in arguments_of(call) for n in facts.program.ingredients(p))
    words = (word for text in found if isinstance(text, str) for word in text.split())
    return any(word.strip("'\"") in written for word in words)


def _lies_in(facts: Facts, path: ast.expr, folder: ast.expr) -> bool:
    """Whether a path, or a word of a command line, is made of that of a folder."""
    nodes = facts.origins(folder).nodes
    texts = [constant(facts, node) for node in nodes]
    known = [text.rstrip("/") for text in texts if isinstance(text, str)]
    for each in facts.program.ingredients(path):
        text = constant(facts, each)
        if isinstance(text, str):
            words = (word.strip("'\"") for word in text.split())
            if any(w == name or w.startswith(f"{name}/") for w in words for name in known):
                return True
        elif each in nodes:
            return True
    return False


def _downloading(facts: Facts, calls: Iterable[ast.Call]) -> list[ast.Call]:
    """Those that download or unpack."""
    return [call for call in calls if is_fetching(facts, call)]


class _Planner:
    def __init__(self, facts: Facts) -> None:
        self._facts, self._effects = facts, Effects(facts)
        self._waits = set(waits(facts))
        self._places = TurnPlaces(facts, downloads(facts), self._waits)

    def plan(self) -> Plan:
        found = Plan([], [], [])
        turns: dict[ast.stmt, list[ast.Call]] = {}
        for call, is_kept in downloads(self._facts).items():
            place = self._places.of(call)
            if place is None:
                found.left.append(call)
            elif is_kept or self._is_asked_for(call, place):
                turns.setdefault(place, []).append(call)
            elif self._is_alone(call):
                found.fetches.append(Fetch(self._facts.statement(call), place))
            else:
                found.left.append(call)
        found.turns.extend(t for t in self._joined(turns) if not self._is_taken(t.first))
        return found._replace(left=_downloading(self._facts, found.left))

    def _is_taken(self, first: ast.stmt) -> bool:
        """Whether the program itself lets the others wait above: `if hvd.local_rank(): …`."""
        block, number = self._facts.block(first)
        above = next((s for s in reversed(block[:number]) if not isinstance(s, _DEFINING)), first)
        if not (isinstance(above, ast.If) and asks_for_rank(self._facts, above.test)):
            return False
        return any(member(self._facts, getattr(n, "func", n)) in WAITS for n in ast.walk(above))

    def _is_asked_for(self, call: ast.Call, place: ast.stmt) -> bool:
        """Whether those that come later see that the file is there: a condition decides."""
        return isinstance(place, AROUND) and is_checked_before(self._facts, call)

    def _is_alone(self, call: ast.Call) -> bool:
        """Whether nobody needs what the call gives, or what its arguments do."""
        is_whole = isinstance(self._facts.parent(call), ast.Expr)
        return is_whole and self._effects.skippable_arguments(call)

    def _joined(self, turns: dict[ast.stmt, list[ast.Call]]) -> Iterator[Turn]:
        """Neighbours share a turn, with what only computes between them."""
        current: Turn | None = None
        for place in sorted(turns, key=lambda place: place.lineno):
            if current is not None and self._is_near(current.last, place):
                current = Turn(current.first, place, (*current.calls, *turns[place]))
                continue
            if current is not None:
                yield current
            current = Turn(place, place, tuple(turns[place]))
        if current is not None:
            yield current

    def _is_near(self, last: ast.stmt, place: ast.stmt) -> bool:
        block, number = self._facts.block(place)
        if last not in block[:number]:
            return False
        between = block[block.index(last) + 1 : number]
        return all(map(self._effects.statement, between)) and not any(
            node in self._waits for each in between for node in ast.walk(each)
        )
