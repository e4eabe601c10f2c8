"""What is said of a program of several files, as it is said of the entry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model import NOTE, Evidence, Finding, Migration, Suppressed, TakenOn
from .joined import Joined
from .refused import CODE, LEFT, NAMED

_LINES = re.compile(r"\b(lines?) (\d+(?:(?:, | and | to )\d+)*)\b")
_NUMBER = re.compile(r"\d+")
_HERE = re.compile(r"\b(in|of) this file\b")
_UNUSED = "S01"  # about comments of other files, which a look at these tells


class Report:
    """Turns lines and names of a joined program into those of its files."""

    def __init__(self, joined: Joined) -> None:
        self._joined = joined
        new = {name: target.name for target, name in joined.names.items()}
        pattern = "|".join(map(re.escape, sorted(new, key=len, reverse=True)))
        self._new, self._renamed = new, re.compile(rf"\b(?:{pattern})\b") if new else None

    def told(self, seen: Migration) -> Migration:
        """The migration with findings and evidence at lines of the entry."""
        notes = [n for n in seen.notes if n.code != _UNUSED or self._is_own(n.line)]
        left = self._left() if seen.blocked else ()
        lines = [*(e.line for e in seen.evidence), *(f.line for f in seen.blocked)]
        return seen._replace(
            before=self._joined.texts[self._joined.entry.path],
            evidence=tuple(map(self._evidence, seen.evidence)),
            blocked=tuple(map(self.finding, seen.blocked)),
            notes=tuple(sorted([*map(self.finding, notes), *left])),
            suppressed=tuple(map(self._suppressed, seen.suppressed)),
            taken_on=tuple(map(self._taken_on, seen.taken_on)),
            modules=self._joined.reached,
            trains_in=tuple(sorted({self._joined.piece(line).path for line in lines})),
        )

    def _left(self) -> Iterator[Finding]:
        """The modules of whose values nothing is known: something in the way may come of that."""
        for path, (line, why) in self._joined.left.items():
            yield Finding(line, 0, CODE, LEFT.format(path, why), NAMED, NOTE, stands=True)

    def finding(self, found: Finding) -> Finding:
        """The finding at its line; at the import that leads to another file, which is named."""
        line, column, where = self._place(found.line, found.column)
        message = self._told(found.message, where) + (f" ({where})" if where else "")
        reaches = self._place(found.reaches, 0)[0] if found.reaches and not where else 0
        found = found._replace(line=line, column=column, reaches=reaches, message=message)
        fix, cause = (self._told(words, where) for words in (found.fix, found.cause))
        return found._replace(fix=fix, cause=cause)

    def _told(self, text: str, where: str) -> str:
        """The words of a finding, which names the file that it means where that is another one."""
        path = where.rpartition(":")[0]
        return self._words(_HERE.sub(rf"\1 {path}", text) if path else text)

    def _suppressed(self, found: Suppressed) -> Suppressed:
        line = self._place(found.line, 0)[0] if found.line else 0
        return found._replace(finding=self.finding(found.finding), line=line)

    def _taken_on(self, found: TakenOn) -> TakenOn:
        line = self._place(found.line, 0)[0] if found.line else 0
        return found._replace(finding=self.finding(found.finding), line=line)

    def _evidence(self, found: Evidence) -> Evidence:
        line, column, where = self._place(found.line, found.column)
        what = self._words(found.what) + (f" in {where}" if where else "")
        return Evidence(line, column, found.pattern, what)

    def _is_own(self, line: int) -> bool:
        return self._joined.piece(line).path == self._joined.entry.path

    def _place(self, line: int, column: int) -> tuple[int, int, str]:
        """Line and column in the entry, and where it really is if that is another file."""
        piece = self._joined.piece(line)
        if self._is_own(line):
            return min(line - piece.shift, self._joined.last_line), column, ""
        return self._joined.line_of_import(piece.path), 0, f"{piece.path}:{line - piece.shift}"

    def _words(self, text: str) -> str:
        text = _LINES.sub(self._lines, text)
        return self._renamed.sub(lambda found: self._new[found[0]], text) if self._renamed else text

    def _lines(self, found: re.Match[str]) -> str:
        """Lines of the program as those of their files; of several files each is told apart."""
        numbers = list(map(int, _NUMBER.findall(found[2])))
        files = {self._joined.piece(number).path for number in numbers}
        if len(files) > 1:
            return _NUMBER.sub(lambda each: self._line("line", each[0]), found[2])
        return self._line(*found.groups())

    def _line(self, word: str, numbers: str) -> str:
        """The same for lines of one file."""
        of = ""

        def number(each: re.Match[str]) -> str:
            nonlocal of
            line, _, where = self._place(int(each[0]), 0)
            path, _, there = where.rpartition(":")
            of = f" of {path}" if where else ""
            return there if where else str(line)

        return f"{word} {_NUMBER.sub(number, numbers)}{of}"
