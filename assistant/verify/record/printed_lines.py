"""What a run prints, read while it grows: lines by rank, exit codes, and Horovod's own warnings.

horovodrun puts `[0]<stdout>:` before each line (Gloo), mpirun `[1,0]<stdout>:` (Open MPI)
or `[0] ` (MPICH).
"""

from __future__ import annotations

import os
import re
from collections import deque
from pathlib import Path
from typing import BinaryIO

from .evidence import Stall

LAUNCHER = -1
KEPT = 60  # lines of each worker
PIECE = 1 << 20  # bytes that are looked at at a time, however much was printed
LONGEST = 1 << 14  # bytes of a line; the rest of it is a line of its own
MOST = 10_000  # ranks, and collectives that wait; a worker may print what it likes
BEHIND = 64 << 20  # bytes that wait to be looked at: who prints more at once is looked at in part
KEPT_BYTES = 16 << 20  # of the file, at either end
LEFT_OUT = "\n… distify left out {:,} bytes here …\n"
_TAG = re.compile(r"\[(?:\d{1,9},)?(\d{1,9})\](?:<std(?:out|err)>:| )")
_EXIT = re.compile(r"Process (\d{1,9}) exit with status code (\d{1,9})\.")
_MPI_EXIT = re.compile(r"Process name: \[\[\d+,\d+\],(\d{1,9})\]")
_MPI_CODE = re.compile(r"Exit code:\s+(\d{1,9})\b")
_WARNING = "/horovod/common/"  # the place that starts a line of Horovod's log
_MISSING = re.compile(r"(\d{1,9})!?: \[(.+)\]$")


class Output:
    """The file into which a run prints; `workers` is the number of ranks that there are.

    It is held open from the start: the program may put something else in its place.
    """

    def __init__(self, path: Path, workers: int = MOST) -> None:
        self.path, self.workers = path, min(workers, MOST)
        self._file: BinaryIO | None = None
        self._is_over = False
        self.lines: dict[int, deque[str]] = {}
        self.exits: dict[int, int] = {}  # codes that are not 0
        self.first: int | None = None  # the rank that failed before the others were ended
        self.stalled: dict[str, set[int]] = {}  # collectives, and the ranks that they wait for
        self._position, self._rest = 0, b""
        self._missing = False  # inside Horovod's list of missing ranks
        self._named: int | None = None  # rank that mpirun is about to tell the code of

    def read(self) -> bool:
        """Takes in what was printed since the last time; whether the program printed anything.

        What is printed meanwhile is for the next time: it may be printed faster than it is read.
        """
        if self._is_over:
            return False
        file, said = self._open_file(), False
        size = self.size()
        self._position = min(self._position, size)  # it may have been cut
        if size - self._position > BEHIND:
            self._position, self._rest, said = size - BEHIND // 2, b"", True
        file.seek(self._position)
        while piece := file.read(min(PIECE, size - self._position)):
            self._position += len(piece)
            said |= self._take_piece(piece)
        return said

    def size(self) -> int:
        """How many bytes were printed so far."""
        return self._position if self._is_over else os.fstat(self._open_file().fileno()).st_size

    def end(self) -> None:
        """Takes in the rest when nobody prints any more, and keeps both ends of a long file."""
        try:
            self.read()
            self._shorten()
        finally:
            self._open_file().close()
            self._is_over = True

    def _open_file(self) -> BinaryIO:
        if self._file is None:
            self._file = self.path.open("r+b", buffering=0)
        return self._file

    def _shorten(self) -> None:
        file, size = self._open_file(), self.size()
        if size <= BEHIND:
            return
        file.seek(size - KEPT_BYTES)
        tail = file.read(KEPT_BYTES)
        file.seek(KEPT_BYTES)
        file.write(LEFT_OUT.format(size - 2 * KEPT_BYTES).encode() + tail)
        file.truncate()

    def _take_piece(self, piece: bytes) -> bool:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        whole = len(self._rest) // LONGEST * LONGEST
        if whole:  # there may be no end of it
            lines.append(self._rest[:whole])
            self._rest = self._rest[whole:]
        parts = [
            line[at : at + LONGEST] for line in lines for at in range(0, len(line) or 1, LONGEST)
        ]
        said = [self._take(part.decode("utf-8", "replace").rstrip("\r")) for part in parts]
        return any(said)

    def tails(self) -> dict[int, str]:
        """The last lines of each worker; under -1 those of the launcher."""
        return {rank: "\n".join(lines) for rank, lines in sorted(self.lines.items())}

    def stalls(self, workers: int) -> tuple[Stall, ...]:
        """Horovod's warnings, with the ranks that were there."""
        everyone = set(range(workers))
        return tuple(
            Stall(name, tuple(sorted(everyone - missing)), tuple(sorted(missing)))
            for name, missing in self.stalled.items()
        )

    def _take(self, line: str) -> bool:
        tag = _TAG.match(line)
        if tag and int(tag[1]) >= self.workers:
            tag = None
        rank, text = (int(tag[1]), line[tag.end() :]) if tag else (LAUNCHER, line)
        text = text.rpartition("\r")[2]  # a progress bar: what is left to be seen
        self.lines.setdefault(rank, deque(maxlen=KEPT)).append(text)
        if tag is None:
            self._exit(text)
        return not self._stall(text)

    def _stall(self, text: str) -> bool:
        """Whether a line is Horovod's: it repeats its warnings as long as nothing moves."""
        if _WARNING in text:
            return True
        if text.endswith("Missing ranks:"):
            self._missing = True
            return True
        found = _MISSING.match(text) if self._missing else None
        self._missing = found is not None
        if found and int(found[1]) < MOST and len(self.stalled) < MOST:
            for name in found[2].removesuffix(" ...").split(", "):
                self.stalled.setdefault(name, set()).add(int(found[1]))
        return self._missing

    def _exit(self, text: str) -> None:
        found, named, code = _EXIT.match(text), _MPI_EXIT.search(text), _MPI_CODE.search(text)
        if found:
            self._note_end(int(found[1]), int(found[2]))
        elif named:
            self._named = int(named[1])
        elif code and self._named is not None:
            self._note_end(self._named, int(code[1]))

    def _note_end(self, rank: int, code: int) -> None:
        if rank < MOST:
            self.exits.setdefault(rank, code)
        if self.first is None:
            self.first = rank
