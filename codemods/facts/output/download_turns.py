"""What every worker of a machine would download at once: which of them goes first, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library import downloads as library
from ...library.file_rows import FOLDER
from ...library.shell import HOLE, NOTEBOOK, only_looks, runs_line
from ...program.parts import LOOPS, FunctionNode
from ...program.records import NamedTuple
from ..agreement.control import runs_alike
from ..by_rank import asks_for_rank, depends_on_rank, is_decided
from ..facts import Facts, recorded
from ..horovod import WAITS, member
from ..setup.import_places import is_main, runs_before_init
from ..training.call_graph import call_graph
from ..training.pattern import runs_graph
from ..training.training_loops import trains
from .evaluation import arguments_of
from .file_accesses import writes
from .file_paths import constant
from .output_folders import is_checked_before, is_temporary, makes_folder
from .rank_zero_guards import is_left_to_rank_zero
from .reloads import waits
from .side_effects import Effects

# -- downloads -----------------------------------------------------------------------------------
# Downloads, and archives that are unpacked, which every worker of a machine would do at once.


@recorded
def downloads(facts: Facts) -> dict[ast.Call, bool]:
    """The calls, and whether one finds what another has downloaded."""
    found = {call: kind for call in facts.index.calls if (kind := _kind(facts, call)) is not None}
    return {
        call: kind in (library.KEPT, library.WEIGHTS)
        for call, kind in found.items()
        if not (is_decided(facts, call) or _is_own(facts, call))
        and not is_left_to_rank_zero(facts, call)
    }


def extracts(facts: Facts, call: ast.Call) -> bool:
    """Whether a call may write what it has downloaded to files, each time anew."""
    name, argument, position = library.EXTRACTS
    if facts.name(call.func) != name:
        return False
    told = facts.argument(call, argument, position)
    is_told_not_to = isinstance(told, ast.Constant) and not told.value
    return not is_told_not_to if told is not None else facts.has_hidden_arguments(call)


def unpacks(facts: Facts, call: ast.Call) -> bool:
    """Whether such a call unpacks what is there, and downloads nothing."""
    name = facts.name(call.func)
    if name is None:
        if is_command(facts, call):
            return _only_unpacks(call)
        is_all = isinstance(call.func, ast.Attribute) and call.func.attr == library.UNPACKS
        return is_all or _unpacks_one(facts, call)
    if library.download(name) == library.COMMAND:
        return _only_unpacks(call)
    return name == library.UNPACK_ARCHIVE


def _kind(facts: Facts, call: ast.Call) -> str | None:
    """How a call downloads; a model with weights of its own, or none, does not."""
    name = facts.name(call.func)
    if name is None:
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        kinds = {library.BUILDS: library.KEPT, library.UNPACKS: library.ANEW}
        if facts.callee(call) is not None:
            return None
        if is_notebook_command(facts, call):
            return None if only_looks(_command(facts, call)) else library.COMMAND
        return library.ANEW if _unpacks_one(facts, call) else kinds.get(method)
    kind = library.download(name)
    if kind == library.WEIGHTS and not _fetches_weights(facts, call, name):
        return None
    if kind == library.COMMAND and only_looks(_command(facts, call)):
        return None
    return None if kind is not None and _is_told_not_to(facts, call, name) else kind


def _only_unpacks(call: ast.Call) -> bool:
    text = ast.unparse(call)
    return library.is_unpacking_command(text) and not library.is_download_command(text)


def _unpacks_one(facts: Facts, call: ast.Call) -> bool:
    """`archive.extract(name, folder)`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != library.UNPACKS_ONE:
        return False
    made = (n for n in facts.origins(call.func.value).nodes if isinstance(n, ast.Call))
    return any(facts.name(each.func) in library.ARCHIVES for each in made)


def is_command(facts: Facts, call: ast.Call) -> bool:
    """Whether it runs a command line."""
    name = facts.name(call.func)
    if name is None:
        return is_notebook_command(facts, call)
    return library.download(name) == library.COMMAND


def is_notebook_command(facts: Facts, call: ast.Call) -> bool:
    """Whether it stands for a line of a notebook that a shell runs."""
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    name = made.func if isinstance(made, ast.Call) else None
    if not (isinstance(name, ast.Name) and name.id == NOTEBOOK):
        return False
    return runs_line(call.func.attr)  # type: ignore[attr-defined]


def is_plain_command(facts: Facts, call: ast.Call) -> bool:
    """Whether a command line gets nothing that each machine has to have for itself."""
    return is_command(facts, call) and not library.is_for_machine(ast.unparse(call))


def is_fetching(facts: Facts, call: ast.Call) -> bool:
    """Whether it downloads or unpacks: of what else command lines do, the judge speaks."""
    text = ast.unparse(call)
    is_known = library.is_download_command(text) or library.is_unpacking_command(text)
    return is_known or not is_command(facts, call)


def _command(facts: Facts, call: ast.Call) -> str:
    """The text of a command line, with a mark for what isn't spelled out."""
    given = next((facts.argument(call, n, 0) for n in ("args", "command", "cmd")), None)
    parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]
    texts = [_text(facts, part) for part in parts if part is not None]
    return " ".join(texts) or HOLE


def _text(facts: Facts, expr: ast.expr) -> str:
    found = facts.origins(expr).nodes
    made = found[0] if len(found) == 1 else expr
    pieces = made.values if isinstance(made, ast.JoinedStr) else [made]
    texts = [p.value if isinstance(p, ast.Constant) else HOLE for p in pieces]
    return "".join(map(str, texts))


def _fetches_weights(facts: Facts, call: ast.Call, name: str) -> bool:
    """Whether `weights` are left out, or may name those that Keras offers."""
    given = facts.argument(call, "weights", library.weights_at(name))
    return given is None or not (isinstance(given, ast.Constant) and given.value != "imagenet")


def _is_told_not_to(facts: Facts, call: ast.Call, name: str) -> bool:
    """`tfds.load(…, download=False)`, and what gets a temporary file for want of a name."""
    told = facts.argument(call, "download", None)
    if isinstance(told, ast.Constant) and told.value is False:
        return True
    target = library.TARGETS.get(name.rpartition(".")[2])
    return target is not None and facts.argument(call, *target) is None


def _is_own(facts: Facts, call: ast.Call) -> bool:
    """Whether the worker's number, or a temporary folder, makes the place its own."""
    return any(
        depends_on_rank(facts, given) or is_temporary(facts, given) for given in _given(call)
    )


def _given(call: ast.Call) -> Iterator[ast.expr]:
    yield from arguments_of(call)
    if isinstance(call.func, ast.Attribute):
        yield call.func.value


# -- turn places ---------------------------------------------------------------------------------
# Which statement workers can take turns in: the others wait before it, the first one behind it.
#
# So nobody may leave the statement on another way, and no other collective may be called in it.

_TRY = (ast.Try, getattr(ast, "TryStar", ast.Try))
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
_LAZY = (ast.Lambda, ast.GeneratorExp)
_COUNTS = ("init", "rank", "size", "local_rank", "local_size", "cross_rank", "cross_size")
AROUND = (ast.If, *_TRY, *LOOPS)


class TurnPlaces:
    """Answers for one module, in which `calls` would take turns and all wait before `waits`."""

    def __init__(self, facts: Facts, calls: Iterable[ast.AST], waits: set[ast.AST]) -> None:
        self._facts, self._waits, self._graph = facts, waits, call_graph(facts)
        there = [call for call in facts.index.calls if self._is_collective(call)]
        self._homes = {facts.function(node) for node in (*calls, *waits, *there)} - {None}

    def of(self, call: ast.Call) -> ast.stmt | None:
        """The statement of a call, or what stands around it and can take turns as a whole."""
        statement = place = self._facts.statement(call)
        if self._is_lazy(call) or isinstance(statement, (*FunctionNode, ast.ClassDef)):
            return None
        for parent in self._facts.parents(statement):
            if isinstance(parent, ast.ExceptHandler) or _is_elif(self._facts, parent):
                continue
            if isinstance(parent, (ast.With, ast.AsyncWith)):
                continue
            if not isinstance(parent, AROUND) or is_main(parent):
                break
            if not self._may_enter(parent):
                if isinstance(parent, _TRY):
                    return None  # who raises and goes on would leave the others waiting
                break
            place = parent
        return place if self._is_free(place) else None

    def _is_lazy(self, call: ast.Call) -> bool:
        """Whether its statement only says what will be done later."""
        around = self._facts.parents(call)
        return any(isinstance(p, _LAZY) for p in _until_statement(around))

    def _is_free(self, place: ast.stmt) -> bool:
        """Whether all workers come to it, Horovod is started, and its turn can be written."""
        if isinstance(place, ast.If) and _is_elif(self._facts, place):
            return False
        if runs_before_init(self._facts, place) or not runs_alike(self._facts, place):
            return False
        return self._may_enter(place)

    def _may_enter(self, place: ast.stmt) -> bool:
        """Whether workers can take turns in it."""
        if trains(self._facts, place):
            return False
        for node in ast.walk(place):
            leaves = isinstance(node, _LEAVING) and node is not place
            if leaves and not _ends_within(self._facts, node, place):
                return False
            if isinstance(node, ast.Call) and self._meets(node):
                return False
        return self._waits.isdisjoint(ast.walk(place))

    def _meets(self, call: ast.Call) -> bool:
        """Whether workers wait for each other in a call, or would."""
        if self._is_collective(call):
            return True
        called = self._graph.called(call)
        return any(home in self._homes for each in called for home in self._graph.running(each))

    def _is_collective(self, call: ast.Call) -> bool:
        """Whether the program itself calls something of Horovod's there that workers wait in."""
        name = member(self._facts, call.func) if self._facts.has_horovod else None
        return name is not None and name not in _COUNTS


def _until_statement(around: Iterator[ast.AST]) -> Iterator[ast.AST]:
    for parent in around:
        if isinstance(parent, ast.stmt):
            return
        yield parent


def _is_elif(facts: Facts, node: ast.AST) -> bool:
    parent = facts.parent(node)
    return isinstance(parent, ast.If) and parent.orelse == [node]


def _ends_within(facts: Facts, leaving: ast.AST, place: ast.stmt) -> bool:
    """Whether a jump stays inside: that of a loop, or in a function that is only defined there."""
    for parent in facts.parents(leaving):
        if isinstance(parent, (*FunctionNode, ast.Lambda)):
            return True
        if isinstance(parent, LOOPS) and isinstance(leaving, (ast.Break, ast.Continue)):
            return True
        if parent is place:
            return False
    return False


# -- turns ---------------------------------------------------------------------------------------
# What the first worker of each machine downloads before the others do, or alone.


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
    made = (a for a in writes(facts) if a.family != FOLDER and facts.may_precede(a.call, call))
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
        """Whether the program itself lets the others wait above: `if hvd.local_rank(): …`.

        A turn of its own has two of them, one at each end.
        """
        block, number = self._facts.block(first)
        return len([each for each in block[:number] if self._is_end(each)]) % 2 == 1

    def _is_end(self, statement: ast.stmt) -> bool:
        if not (isinstance(statement, ast.If) and asks_for_rank(self._facts, statement.test)):
            return False
        nodes = ast.walk(statement)
        return any(member(self._facts, getattr(n, "func", n)) in WAITS for n in nodes)

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
