"""What became of a file when it was looked at last, for as long as nothing is different.

An answer stands on the file, the options, the modules that were read beside it or were not there,
and distify and Python themselves. All of that is compared, by content; what is not the same is
looked at anew.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from . import module_texts, projects
from .cache_folder import Folder
from .cache_keys import digest, itself

if TYPE_CHECKING:
    from distify.codemods.model import Migration, Options

Asked = Mapping[str, "str | None"]  # what the paths of modules held that were asked for


class Question(NamedTuple):
    """What is asked about a file: by its path, its name, its text and the options for it."""

    path: str
    name: str
    text: str
    options: Options


@functools.cache
def folder_of(folder: str) -> Folder | None:
    """The cache for the files of a folder; None outside of a project."""
    root = projects.root(folder)
    is_project = any(os.path.exists(os.path.join(root, mark)) for mark in projects.MARKS)
    return Folder(root) if is_project else None


class Memory:
    """Recalls answers, and keeps them, in a project's cache."""

    def __init__(self, folder: Folder) -> None:
        from .sketches import Sketches

        self._folder, self.sketches = folder, Sketches(folder)

    def recall(self, question: Question) -> Migration | None:
        """The answer of an earlier run, if everything is as it was then."""
        try:
            data = self._folder.read(_name(question))
        except OSError:
            return None
        import json

        from .cache_shape import BadShape, unpacked

        try:
            answer = json.loads(data)
            stamp, key, present, absent, found = answer
            if stamp != self._folder.stamp() or key != _key(question):
                return None
            texts = _same(question.path, present, absent)
            return None if texts is None else _whole(unpacked(found, question.text), texts)
        except (OSError, BadShape, ValueError, TypeError, KeyError, RecursionError):
            return None

    def keep(self, question: Question, asked: Asked, seen: Migration) -> None:
        """Keep the answer, which stands on what modules held, for the next run."""
        from .cache_shape import packed

        found = packed(seen)
        if found is None or not self._folder.begin():
            return
        import json

        top = projects.root(os.path.dirname(question.path))
        texts = {projects.below(top, path): text for path, text in asked.items()}
        present = {path: digest(text) for path, text in texts.items() if text is not None}
        absent = [path for path, text in texts.items() if text is None]
        answer = [self._folder.stamp(), _key(question), present, absent, found]
        data = json.dumps(answer, separators=(",", ":")).encode("ascii")
        self._folder.write(_name(question), data)


def _same(path: str, present: object, absent: object) -> dict[str, str] | None:
    """The texts of the modules that the answer stands on; None if any is different."""
    if not isinstance(present, dict) or not isinstance(absent, list):
        return None
    if not all(type(name) is str for name in absent):
        return None
    texts, top = dict[str, str](), projects.root(os.path.dirname(path))
    for name, known in present.items():
        text = module_texts.text_below(top, name)
        if text is None or digest(text) != known:
            return None
        texts[name] = text
    return None if any(_is_there(top, name) for name in absent) else texts


def _is_there(top: str, name: str) -> bool:
    """Whether there is a module, or a folder."""
    if name.endswith("/"):
        return module_texts.is_folder(top, name[:-1])
    return module_texts.text_below(top, name) is not None


def _whole(seen: Migration, texts: Mapping[str, str]) -> Migration:
    """The answer with the texts of the other files that it is about. Raises KeyError."""
    others = (
        other._replace(
            migration=other.migration._replace(
                before=texts[other.path], skipped=other.migration.skipped or None
            )
        )
        for other in seen.others
    )
    return seen._replace(others=tuple(others))


def _name(question: Question) -> str:
    """One answer to a file and kind of look: a new one takes the old one's place."""
    return f"{digest(f'{question.path} {question.options.only_look}')}.json"


def _key(question: Question) -> str:
    options = [sorted(o) if isinstance(o, frozenset) else o for o in question.options]
    root = projects.root(os.path.dirname(question.path))
    asked = [root, question.path, question.name, options, projects.started(question.path)]
    return digest(repr([itself(), asked, digest(question.text)]))
