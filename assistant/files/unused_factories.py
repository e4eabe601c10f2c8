"""Factories that the settings name and no file has a word of: a name that is misspelled, or old."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator

from . import projects
from .config import FACTORIES, Settings, settings
from .discovery import Target
from .reader import Problem
from .unused_ignores import looked_through

MESSAGE = "[tool.distify] {} names {!r:.60}, of which no file here has a word"
_KEYS = {role: key for key, role in FACTORIES.items()}


def unused_factories(paths: Iterable[str], targets: Collection[Target]) -> Iterator[Problem]:
    """One for each name, of settings whose whole folder was looked through."""
    for own in looked_through(paths, (each.path for each in targets)):
        if own.factories:
            yield from _of_settings(own, targets)


def _of_settings(own: Settings, targets: Iterable[Target]) -> Iterator[Problem]:
    mine = (each.path for each in targets if settings(os.path.dirname(each.path)) == own)
    texts = [projects.text_of(path) or "" for path in mine]
    for name, role in own.factories:
        word = name.rpartition(".")[2]
        if not any(word in text for text in texts):
            yield Problem(own.path, MESSAGE.format(_KEYS[role], name))
