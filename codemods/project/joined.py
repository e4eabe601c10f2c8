"""An entry and the modules that it imports, as one program with one text.

The others stand behind the entry's imports, where Python runs them; names that meet are told apart.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property

from ..program.node_fields import within
from ..program.records import NamedTuple
from ..syntax import Source
from ..syntax.line_ends import LINE_END
from .circles import Circles, Part
from .fetches import MODULE
from .files import File, Lent, Opened, ended, shifted
from .import_order import Left, Reach
from .moves import behind_imports, drop_imports
from .needed import Needed
from .references import References
from .renaming import CannotJoin, new_names, rename
from .texts import Project
from .unseen import made_at_run_time

_NONE: Mapping[str, Left] = {}
AT_RUN_TIME = "it has `{}`, by which modules are made at run time"
MOST_TRIES = 4  # each leaves modules outside that somebody may change


class Piece(NamedTuple):
    """Lines of a file that stand together in the program, `shift` lines further down."""

    first: int
    path: str
    shift: int


class Joined:
    """The program of one entry; `body` are the statements of the entry's own.

    `taken` are names that new code can't bind in any file.
    """

    def __init__(
        self, reach: Reach, references: References, left: Mapping[str, Left] = _NONE
    ) -> None:
        self.left = {**left, **reach.left}
        self.entry, self.files, self.project = reach.entry, reach.files, reach.project
        self.texts, self.reached = self.project.texts, tuple(reach.reached)
        self.calls = frozenset(self._calls())
        self._imports = {path: node.lineno for path, node in reach.imported_by.items()}
        others, circles = list(reach.files.values()), Circles(reach)
        needed = Needed(reach, references)
        self.taken = frozenset(_taken([self.entry, *others]))
        self.names = new_names(self.entry, others, references)
        for file in (*others, self.entry):
            rename(file, references, self.names)
            drop_imports(file, references)
        self.body = list(self.entry.tree.body)
        foreign = frozenset(node for file in others for node in file.imports)
        given = frozenset(references.given(self.entry)) - frozenset(self.names.values())
        self.elsewhere = foreign, frozenset(self.names.values()), given
        self.pieces: list[Piece] = []
        self.source = self._build(circles.parts(), needed)

    def _build(self, parts: Iterable[Part], needed: Needed) -> Source:
        text, tree = self.entry.text, self.entry.tree
        split = behind_imports(tree)
        line = 1 if split == 0 else (tree.body[split - 1].end_lineno or 0) + 1
        starts = [0, *(found.end() for found in LINE_END.finditer(text)), len(text)]
        head = ended(text[: starts[line - 1]])
        self.pieces.append(Piece(1, self.entry.path, 0))
        texts, body, shift = [head], tree.body[:split], line - 1
        for part in parts:
            above = part.line - 1
            self.pieces.append(Piece(shift + 1, part.file.path, shift - above))
            body += part.file.shift([s for s in part.body if s in needed.statements], shift - above)
            texts.append(part.text)
            shift += len(LINE_END.findall(part.text))
        added = shift - (line - 1)
        self.pieces.append(Piece(shift + 1, self.entry.path, added))
        body += shifted(tree.body[split:], added)
        texts.append(text[starts[line - 1] :])
        tree.body = body
        return Source("".join(texts), tree)

    @property
    def last_line(self) -> int:
        """The last line of the entry: what starts it stands behind that."""
        return max(1, len(ended(self.texts[self.entry.path]).splitlines()))

    def _calls(self) -> Iterator[ast.AST]:
        """The nodes of the entry that stand in none of its lines."""
        for statement in self.entry.tree.body:
            if statement.lineno > self.last_line:
                yield from within(statement)

    def file(self, path: str) -> File:
        """The file of a path."""
        return self.entry if path == self.entry.path else self.files[path]

    def line_of_import(self, path: str) -> int:
        """The line of the entry's import that leads to another file."""
        return self._imports[path]

    def piece(self, line: int) -> Piece:
        """The piece in which a line of the program stands."""
        return self.pieces[bisect_right(self._starts, line) - 1]

    def home(self, node: ast.AST) -> str:
        """The path of the file in which a node stands."""
        return self.piece(node.lineno).path  # type: ignore[attr-defined]

    def line(self, path: str, line: int) -> int:
        """The line of the program at which a line of a file stands."""
        *_, last = (p for p in self.pieces if p.path == path and p.first - p.shift <= max(line, 1))
        return line + last.shift

    @cached_property
    def _starts(self) -> list[int]:
        return [each.first for each in self.pieces]


def join(project: Project, until_then: ExitStack | None = None) -> Joined | None:
    """The program of an entry; None where it imports nothing of its project.

    Where it is forgotten `until_then`, other programs get its files. Raises CannotJoin where it
    imports something, and has to be looked at alone.
    """
    word = made_at_run_time(project.text)
    if word is not None:
        raise CannotJoin(AT_RUN_TIME.format(word))
    left: dict[str, Left] = {}
    opened = Opened() if until_then is None else Lent(until_then)
    for _ in range(MOST_TRIES):
        reach = Reach(project, frozenset(left), spares=True, opened=opened)
        if not reach.reached and not project.started and not reach.entry.fetches:
            break
        references = References(reach)
        fetch = references.lost.get(reach.entry.path)
        if fetch is not None:
            _refuse(left, reach)
            raise CannotJoin(AT_RUN_TIME.format(MODULE), fetch.call.lineno)
        changed = references.changed.keys() & reach.files.keys()
        if not changed:
            return Joined(reach, references, left)
        left.update(_changed(reach, references, changed))
    _refuse(left, reach)
    return None


def _refuse(left: Mapping[str, Left], reach: Reach) -> None:
    """Raises CannotJoin for the first file that is not followed, if there is one."""
    for path, first in {**left, **reach.left}.items():
        raise CannotJoin(f"`{path}` is not followed: {first.why}", first.line)


def _changed(
    reach: Reach, references: References, paths: Collection[str]
) -> Iterator[tuple[str, Left]]:
    for path in sorted(paths):
        why = f"`{references.changed[path]}` may change what is in it"
        if path in references.lost:
            why = f"it has `{MODULE}`"
        yield path, Left(reach.imported_by[path].lineno, why)


def _taken(files: Collection[File]) -> Iterator[str]:
    """The names that a variable of a file has, also where the program has another one for it."""
    for file in files:
        yield from file.names
        yield from (name for _, name in file.aliases)
