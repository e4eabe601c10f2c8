"""Answers as TOML: recorded one by one, played back by content where the same change comes again.

version = 1
batch = "global"  # whose a batch is, as it was answered first

[[answers]]
file = "train.py"
rule = "D105"
apply = true
change = "2f6b9a61c5d0e713"  # of the lines that change; leave it out to answer any change
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..files.config import BATCHES
from ..files.reader import NotRead
from ..files.saved import NotSaved, save
from ..files.toml import load
from .dialogue import NO, YES, Edited, Question
from .recorded import Recorded

VERSION = 1
LEFT = "left; what was answered is kept: the same command with --resume goes on"
LOST = "left; the answers could not be kept: "
BATCH = "batch"
_TYPES = {"file": str, "rule": str, "apply": bool, "change": str, "text": str, "part": bool}


class Given(NamedTuple):
    """An answer; `change` is the fingerprint that a question calls `content`."""

    file: str
    rule: str
    apply: bool
    change: str = ""  # empty: whatever changes
    text: str = ""  # that a person made of the file with the rule
    part: bool = False  # the text has some of the rule's hunks, and the rest was left out


class Answers(Recorded):
    """The answers in one file, written anew with each one that is given. Raises NotRead."""

    def __init__(self, path: str, *, is_new: bool = False) -> None:
        self.path, self.folder = path, os.path.dirname(os.path.abspath(path))
        self._given: list[Given] = []
        self.batch = ""  # whose a batch is; empty: nobody was asked
        if not is_new:
            with contextlib.suppress(FileNotFoundError):
                self.batch, self._given = _read(path)

    def answer(self, question: Question) -> str | Edited | None:
        for given in reversed(self._given):
            if self._is_about(given, question) and given.change in ("", question.content):
                if given.text:
                    return Edited(given.text, given.part)
                return YES if given.apply else NO
        return None

    def record(self, question: Question, answer: str | Edited) -> None:
        self._given = [each for each in self._given if not self._is_about(each, question)]
        text, is_part = answer if isinstance(answer, Edited) else ("", False)
        name, change = self._name(question), question.content
        self._given.append(Given(name, question.code, answer != NO, change, text, is_part))
        self.save()

    def forget(self, question: Question) -> None:
        self._given = [each for each in self._given if not self._is_about(each, question)]
        self.save()

    def save(self) -> None:
        """Writes the file as a whole, or leaves it as it was. Raises NotSaved."""
        head = f"version = {VERSION}\n"
        head += f"{BATCH} = {_string(self.batch)}\n" if self.batch else ""
        text = "\n".join([head, *map(_table, self._given)])
        save(self.path, text.encode("utf-8", "backslashreplace"), makes_folder=True)

    def choose(self, batch: str) -> None:
        """Keeps whose a batch is."""
        self.batch = batch
        self.save()

    def _name(self, question: Question) -> str:
        return Path(os.path.relpath(question.outcome.target.path, self.base)).as_posix()

    @property
    def base(self) -> str:
        """The folder that names of files are relative to."""
        return self.folder

    def _is_about(self, given: Given, question: Question) -> bool:
        return (given.file, given.rule) == (self._name(question), question.code)


class Session(Answers):
    """The answers of a walk that may be left and gone on with; none of them lies in a project.

    A walk goes on where they can't be kept (on a full disk, say): `problem` is why.
    """

    def __init__(self, *, is_new: bool) -> None:
        import hashlib

        import click

        self.problem = ""
        here = hashlib.sha256(os.fsencode(os.getcwd())).hexdigest()[:16]
        super().__init__(
            os.path.join(click.get_app_dir("distify"), "walks", f"{here}.toml"), is_new=is_new
        )

    @property
    def base(self) -> str:
        return os.getcwd()

    def save(self) -> None:
        try:
            super().save()
        except NotSaved as error:
            self.problem = str(error)

    @property
    def farewell(self) -> str:
        """What a person is told who leaves before the end."""
        return LOST + self.problem if self.problem else LEFT

    def end(self) -> None:
        """Forgets a walk that came to its end."""
        with contextlib.suppress(OSError):
            os.unlink(self.path)


def _read(path: str) -> tuple[str, list[Given]]:
    content = load(path)
    if content.get("version") != VERSION:
        raise NotRead(f"is no file of answers: `version = {VERSION}` is missing")
    tables = content.get("answers", [])
    if not isinstance(tables, list):
        raise NotRead("`answers` must be tables: [[answers]]")
    batch = content.get(BATCH, "")
    if batch not in ("", *BATCHES):
        raise NotRead(f"`{BATCH}` must be one of {', '.join(BATCHES)}")
    return batch, [_given(number, table) for number, table in enumerate(tables, 1)]


def _given(number: int, table: Any) -> Given:
    keys: Mapping[str, Any] = table if isinstance(table, Mapping) else {}
    wrong = [key for key in keys if not isinstance(keys[key], _TYPES.get(key, ()))]
    missing = [key for key in ("file", "rule", "apply") if key not in keys]
    if wrong or missing:
        raise NotRead(f"answer {number}: {', '.join(wrong or missing)} is wrong or missing")
    return Given(**keys)


def _table(given: Given) -> str:
    lines = [f"file = {_string(given.file)}", f"rule = {_string(given.rule)}"]
    lines.append(f"apply = {str(given.apply).lower()}")
    lines += [f"change = {_string(given.change)}"] if given.change else []
    lines += [f"text = {_string(given.text)}"] if given.text else []
    lines += ["part = true"] if given.part else []
    return "\n".join(["[[answers]]", *lines, ""])


def _string(text: str) -> str:
    """A string of TOML, which JSON's are but for one sign."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
