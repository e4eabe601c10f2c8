"""A folder that looks like the user's, for runs that must change nothing there.

What a program writes, changes or removes in it is not the user's: small files are copied, folders
are made anew. Only what is large or too much is linked.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

SMALL = 1 << 20  # bytes; larger files are linked
MOST = 256 << 20  # bytes that are copied, of all files together
MANY = 2_000  # entries that are laid out, in all folders together
SKIPPED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules"})


def lay_out(source: Path, target: Path) -> None:
    """Lays out a copy of `source` as a new folder, which must not be there yet.

    A folder with more entries than may still be laid out is linked as a whole.
    """
    left, room = MANY, [MOST]
    target.mkdir(parents=True)
    waiting = [(source, target)]
    while waiting:
        folder, into = waiting.pop(0)
        entries = _entries(folder, into)
        if len(entries) > left and folder != source:
            into.symlink_to(os.path.realpath(folder))
            continue
        into.mkdir(exist_ok=True)
        waiting += _lay_out(entries, into, room)
        left -= len(entries)


def _entries(folder: Path, into: Path) -> list[os.DirEntry[str]]:
    """What is to be laid out: not what holds the copy itself, as records in the current folder."""
    try:
        with os.scandir(folder) as entries:
            return sorted((each for each in entries if not _holds(each, into)), key=_name)
    except OSError:
        return []


def _lay_out(
    entries: list[os.DirEntry[str]], into: Path, room: list[int]
) -> list[tuple[Path, Path]]:
    """Files, copied or linked; gives the folders, which are to follow, with their copies."""
    folders = []
    for entry in entries:
        if _is_folder(entry):
            folders.append((Path(entry.path), into / entry.name))
        else:
            _lay(entry, into / entry.name, room)
    return folders


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder to be copied; a link to one, and what tools keep, is linked."""
    return entry.is_dir(follow_symlinks=False) and entry.name not in SKIPPED


def _holds(entry: os.DirEntry[str], into: Path) -> bool:
    """Whether the copy lies within, as records in the current folder do."""
    return Path(entry.path).resolve() in into.resolve().parents


def _lay(entry: os.DirEntry[str], target: Path, room: list[int]) -> None:
    """`room`: how many bytes may still be copied."""
    try:
        size = entry.stat().st_size if entry.is_file() else 0
        if entry.is_file() and size <= min(SMALL, room[0]):
            shutil.copy2(entry.path, target)
            room[0] -= size
        elif entry.is_file() or entry.is_dir():
            target.symlink_to(os.path.realpath(entry.path))
    except OSError:
        return  # unreadable for the program, too
