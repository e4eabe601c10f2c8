"""What repairs make of a program of several files: each changes all in which it finds something."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Callable

from ..applying.places_to_edit import Found, find
from ..facts import Facts
from ..gate.repairing import Program
from ..model import Migration, Options
from ..repairs import Repair
from .clusters import WITHOUT_STRATEGY, is_asked
from .file_steps import Changes
from .first import First, Known
from .joined import join
from .refused import Refused
from .renaming import CannotJoin
from .texts import Project

LookAtAll = Callable[[Project, Options, str], Migration]


class Whole(Program):
    """An entry with the modules that it imports.

    `first`: what a look has made of it already.
    """

    def __init__(
        self,
        project: Project,
        options: Options,
        name: str,
        look: LookAtAll,
        first: First | None = None,
    ) -> None:
        def look_at(text: str, options: Options, name: str) -> Migration:
            return look(project, options, name)

        super().__init__(project.texts[project.entry], options, name, look_at)
        self._project, self._look_at_all, self._first = project, look, first
        self._known_places: dict[str, list[Found]] = {}

    def made(self, repair: Repair) -> Iterator[Migration]:
        """What a repair makes of all files, or else of the entry by itself.

        Where all files together are in the way of it, the entry by itself knows less of that.
        """
        if repair.code == WITHOUT_STRATEGY and self._is_in_the_way(repair):
            return
        made = self._made_of_all(repair)
        if made is None:
            yield from super().made(repair)
        else:
            yield made

    def behind(self, made: Migration) -> Program:
        """The project as that leaves it."""
        changed = {other.path: other.migration.after for other in made.others}
        changed[self._project.entry] = made.after
        return Whole(self._project.changed(changed), self.options, self.name, self._look_at_all)

    @property
    def facts(self) -> Facts:
        """What is known of all its files."""
        return super().facts if self._joined is None else self._joined[1]

    def place(self, line: int) -> str:
        """The same, with the file."""
        if self._joined is None:
            return super().place(line)
        piece = self._joined[0].piece(line)
        return f"{piece.path}:{line - piece.shift}"

    def _is_in_the_way(self, repair: Repair) -> bool:
        """Whether A00 has nothing to do, or a module asks for the cluster that nobody follows."""
        followed = {self._project.entry}
        if self._joined is not None:
            joined, facts = self._joined
            followed |= joined.files.keys()
            if not self._found(facts, repair):
                return True
        return is_asked(self._project, followed)

    def _made_of_all(self, repair: Repair) -> Migration | None:
        if self._joined is None:
            return None
        joined, facts = self._joined
        found = self._found(facts, repair)
        if not found:
            return None
        try:
            return Changes(joined, facts, self.name).made(Migration(self.text, ""), found)
        except Refused:
            return None

    def _found(self, facts: Facts, repair: Repair) -> list[Found]:
        """Where a repair has something to do; that is asked more than once."""
        if repair.code not in self._known_places:
            self._known_places[repair.code] = find(facts, [repair.rule])
        return self._known_places[repair.code]

    @cached_property
    def _joined(self) -> Known:
        if self._first is not None and self._first.is_known:
            return self._first.asked_next()
        try:
            joined = join(self._project)
        except CannotJoin:
            return None
        return None if joined is None else (joined, Facts(joined.source, self.options, joined))
