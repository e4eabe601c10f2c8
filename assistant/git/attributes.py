"""The attributes of files, for commands of git that convert a text without reading the index.

A `.gitattributes` that is not in the work tree (outside of a sparse checkout, or deleted) counts as
the index has it. `hash-object` and `cat-file` don't look there, so they are told.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from .repository import Repository

CONVERTING = ("text", "crlf", "eol", "ident", "filter", "working-tree-encoding")
FORMS = {"set": "{0}", "unset": "-{0}", "unspecified": "!{0}"}


class Attributes:
    """What is asked once, kept in a folder as files that a setting can name."""

    def __init__(self, repository: Repository, folder: str, paths: Iterable[str]) -> None:
        self.repository, self.folder = repository, folder
        self._words: dict[str, list[str]] = {}
        self._files: dict[str, str] = {}
        self._ask(paths)

    def settings(self, path: str) -> tuple[str, str]:
        """For a command about this path alone."""
        if path not in self._words:
            self._ask([path])
        text = f"* {' '.join(self._words[path])}\n"
        if text not in self._files:
            self._files[text] = os.path.join(self.folder, f"attributes-{len(self._files)}")
            with open(self._files[text], "wb") as file:
                file.write(os.fsencode(text))
        return "-c", f"core.attributesFile={self._files[text]}"

    def _ask(self, paths: Iterable[str]) -> None:
        data = os.fsencode("\0".join(paths))
        answer = self.repository.run("check-attr", "-z", "--stdin", *CONVERTING, data=data)
        fields = [os.fsdecode(field) for field in answer.split(b"\0")]
        for path, name, value in zip(fields[::3], fields[1::3], fields[2::3]):
            word = FORMS.get(value, "{0}={1}").format(name, value)
            self._words.setdefault(path, []).append(word)
