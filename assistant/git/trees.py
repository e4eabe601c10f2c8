"""Blobs and trees made beside the work tree; only folders on the way to a changed file are read.

Nothing here grows with the number of files in the repository.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from .attributes import Attributes
from .command import Refused
from .refusals import Entry, uncommitted
from .repository import Repository

PLAIN, EXECUTABLE = "100644", "100755"
Listing = dict[str, tuple[str, str, str]]  # name: mode, type, object


class Blobs:
    """Stores contents as git would add them: line ends, encodings and clean filters included."""

    def __init__(self, repository: Repository, attributes: Attributes) -> None:
        self.repository, self.attributes = repository, attributes
        self._has_modes = repository.ask("config", "--type=bool", "core.fileMode") != "false"
        self._raw: set[str] = set()
        self._stored: dict[tuple[str, bytes], str] = {}

    def check(self, path: str, data: bytes, entry: Entry) -> None:
        """Raises Refused where the file on disk is not what HEAD holds: text, kind or x bit.

        Git leaves CRLF alone that was committed as such, whatever `text=auto` says; only its
        index command knows that, so here the committed blob tells.
        """
        if entry[0] not in self._modes(path):
            raise Refused(uncommitted(path))
        if self._hash(path, data) == entry[1]:
            return
        if self._hash(path, data, "--no-filters") != entry[1]:
            raise Refused(uncommitted(path))
        self._raw.add(path)

    def _modes(self, path: str) -> tuple[str, ...]:
        """Those that git could have checked the file out with; a file system may have none."""
        if not self._has_modes:
            return PLAIN, EXECUTABLE
        place = os.path.join(self.repository.top, path)
        return (EXECUTABLE if os.stat(place).st_mode & stat.S_IXUSR else PLAIN,)

    def store(self, path: str, data: bytes) -> str:
        """The object that holds these contents of a file that was checked."""
        how = ["--no-filters"] if path in self._raw else []
        if (path, data) not in self._stored:
            self._stored[path, data] = self._hash(path, data, "-w", *how)
        return self._stored[path, data]

    def smudged(self, path: str, oid: str) -> bytes:
        """A blob as git checks it out at this path."""
        how = self.attributes.settings(path)
        return self.repository.run(*how, "cat-file", "--filters", f"--path={path}", oid)

    def _hash(self, path: str, data: bytes, *options: str) -> str:
        command: tuple[str, ...] = ("hash-object", "--stdin", *options)
        if "--no-filters" not in options:
            command = (*self.attributes.settings(path), *command, f"--path={path}")
        return self.repository.line(*command, data=data)


class Trees:
    """A tree that takes new blobs, and is written folder by folder."""

    def __init__(self, repository: Repository, tree: str) -> None:
        self.repository = repository
        self.tree = tree
        self._listings: dict[str, Listing] = {}

    def put(self, files: Mapping[str, Entry]) -> str:
        """The tree with these files in it: what came before stays."""
        folders: set[str] = set()
        for path, (mode, oid) in files.items():
            folder, name = os.path.split(path)
            self._listing(folder)[name] = (mode, "blob", oid)
            folders |= {folder, *_above(folder)}
        for folder in sorted(folders, key=len, reverse=True):
            written = self._write(folder)
            if folder:
                above, name = os.path.split(folder)
                self._listing(above)[name] = ("040000", "tree", written)
            else:
                self.tree = written
        return self.tree

    def _listing(self, folder: str) -> Listing:
        if folder not in self._listings:
            above, name = os.path.split(folder)
            tree = self._listing(above)[name][2] if folder else self.tree
            self._listings[folder] = dict(self._read(tree))
        return self._listings[folder]

    def _read(self, tree: str) -> Listing:
        found: Listing = {}
        for record in os.fsdecode(self.repository.run("ls-tree", "-z", tree)).split("\0"):
            if record:
                entry, _, name = record.partition("\t")
                mode, kind, oid = entry.split(" ")
                found[name] = (mode, kind, oid)
        return found

    def _write(self, folder: str) -> str:
        entries = (
            f"{mode} {kind} {oid}\t{name}\0"
            for name, (mode, kind, oid) in self._listings[folder].items()
        )
        # What is missing in a partial clone stays missing.
        data = os.fsencode("".join(entries))
        return self.repository.line("mktree", "-z", "--missing", data=data)


def _above(folder: str) -> set[str]:
    found = set()
    while folder:
        folder = os.path.dirname(folder)
        found.add(folder)
    return found
