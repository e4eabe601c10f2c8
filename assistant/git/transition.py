"""From one state of a repository to another: what its files, index and branch are to hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .refusals import Entry, Head


@dataclass(frozen=True)
class File:
    """A file of the work tree: what it holds, and what it is to hold."""

    path: str
    before: bytes
    after: bytes


@dataclass(frozen=True)
class Plan:
    """From one state of a repository to another; every commit is there already.

    `index` has the entries before and after of every file. `create` and `delete` are a branch and
    where it points to; `record` is a file and its bytes, `forget` a file.
    """

    files: Sequence[File]
    index: Mapping[str, tuple[Entry, Entry]]
    before: Head
    after: Head
    reason: str
    create: tuple[str, str] | None = None
    delete: tuple[str, str] | None = None
    record: tuple[str, bytes] | None = None
    forget: str = ""
