"""What a run may use up: of output, of the records' folder, of time; a program may be endless.

Past a bound the run is ended, and the verdict says which it was. What a program writes into the
folder of the records is read within bounds, too: files of any size and kind may lie there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path

import psutil

from ...files.reader import NotRead, read

OUTPUT = 1 << 30  # bytes that a run prints
RECORDS = 2 << 30  # bytes of the folder, without the arrays of variables
# Bytes that horovodrun holds, which waits for the end of each line (`prefix_connection` of 0.28.1).
LAUNCHER = 2 << 30
DAY = 86_400.0  # seconds of a whole run
SMALL = 8 << 20  # bytes of a stack; everything else that is read at once is shorter
OF_WORKER = 256 << 20  # characters of one worker's records
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)


def exceeded(folder: Path, printed: int, seconds: float, most: float) -> str:
    """What a run has done too much of, in words that follow "the job"; empty if nothing."""
    if printed > OUTPUT:
        return f"printed more than {OUTPUT >> 30} GB"
    if _size(folder) > RECORDS:
        return f"wrote more than {RECORDS >> 30} GB into the folder of distify's records"
    if most and seconds > most:
        return f"ran for more than {most:.0f} s (--limit-time)"
    return ""


def held(launcher: int) -> str:
    """The same of the process that takes in what the workers print, and hands it on by lines."""
    with suppress(psutil.Error, OSError):
        if psutil.Process(launcher).memory_info().rss > LAUNCHER:
            return f"printed {LAUNCHER >> 30} GB without the end of a line"
    return ""


def _size(folder: Path) -> int:
    total = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.endswith(".npz"):
                with suppress(OSError):
                    total += entry.stat(follow_symlinks=False).st_size
    return total


def text(path: Path, most: int = SMALL) -> str:
    """A small file of the folder; empty where there is none, or something else in its place."""
    try:
        return read(str(path), most).decode("utf-8", "replace")
    except (OSError, NotRead):
        return ""


def lines(path: Path, longest: int, most: int = OF_WORKER) -> Iterator[str]:
    """The lines of a regular file up to a bound. Raises OSError where there is none."""
    handle = os.open(path, _OPEN)
    with open(handle, encoding="utf-8", errors="replace", newline="\n") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"{path} is no file")
        yield from _lines_within(file, longest, most)


def _lines_within(file: TextIOWrapper, longest: int, most: int) -> Iterator[str]:
    for line in iter(partial(file.readline, longest), ""):
        most -= len(line)
        if most < 0:
            yield "…"  # which is no record: that there was more is told
            return
        yield line
