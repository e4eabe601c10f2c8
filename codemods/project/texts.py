"""What a project is read from: texts by their paths, as its entry sees them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..program.records import NamedTuple
from .files import ended
from .search_path import NOTHING, Added
from .sketch import Sketch, sketch

_MAIN = re.compile(r"^if .*__name__", re.MULTILINE)  # which starts the same


class Project(NamedTuple):
    """The texts of a project's files by their paths, as seen from one of them.

    `started` are the entry's functions that a command of the project's own calls; `sketches` are
    known of some texts; `added` are folders that the program adds to Python's search path.
    """

    entry: str
    texts: Mapping[str, str]
    started: tuple[str, ...] = ()
    sketches: Mapping[str, Sketch] = {}
    added: Added = NOTHING

    def sketch(self, path: str) -> Sketch:
        """The sketch of a file."""
        return self.sketches.get(path) or sketch(self.texts[path])

    def changed(self, texts: Mapping[str, str]) -> Project:
        """The project with other texts of some files: what is known of the rest stays known."""
        new = {path for path, text in texts.items() if text != self.texts.get(path)}
        known = {path: each for path, each in self.sketches.items() if path not in new}
        return self._replace(texts={**self.texts, **texts}, sketches=known)

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls that the project's commands add: a main part of the entry starts the same."""
        return () if _MAIN.search(self.texts[self.entry]) else self.started

    @property
    def text(self) -> str:
        """What runs when the program is started: the entry's text, and those calls behind it."""
        text = self.texts[self.entry]
        calls = "".join(f"{name}()\n" for name in self.calls)
        return ended(text) + calls if calls else text
