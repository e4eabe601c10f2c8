"""What becomes of a text that an editor holds: looked at once for each content."""

from __future__ import annotations

import os
from collections import OrderedDict

from .. import codemods
from ..files import config, projects, requirements
from ..files.choice import Choice
from ..files.config import ConfigProblem
from ..files.discovery import Target
from ..files.examine import examine_bytes
from ..files.outcome import Outcome

MOST = 64  # contents that are remembered


class Looks:
    """Looks at texts as `distify check` looks at files; what they import is read from disk."""

    def __init__(self) -> None:
        self._choice = Choice((), ())
        self._known: OrderedDict[tuple[str, str], Outcome | None] = OrderedDict()

    def at(self, path: str, text: str) -> Outcome | None:
        """The outcome for the text of a file; None where nothing in it may train.

        Settings that can't be read are those of nobody: `distify check` says what is wrong there.
        """
        key = path, text
        if key not in self._known:
            self._known[key] = self._looked_at(path, text)
        self._known.move_to_end(key)
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return self._known[key]

    def forget(self) -> None:
        """Some file was saved: settings, requirements and modules may be other ones now."""
        self._known.clear()
        projects.forget()
        for read_once in (config.settings, config.table, config.tools, requirements.tensorflow):
            read_once.cache_clear()
        self._choice = Choice((), ())

    def _looked_at(self, path: str, text: str) -> Outcome | None:
        data = text.encode("utf-8", "replace")
        if not codemods.may_concern(data):
            return None
        try:
            options = self._choice.options_for(os.path.dirname(path))
        except (ConfigProblem, codemods.BadChoice):
            return None
        return examine_bytes(Target(os.path.basename(path), path, named=True), data, options)
