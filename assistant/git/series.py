"""Builds the commits of a series on top of HEAD, beside the work tree; nothing moves yet."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Callable

from .attributes import Attributes
from .checkout import checkout
from .command import GitFailed, Refused
from .hooks import has_hooks, signs
from .message import message, sealed
from .plan import Change
from .refusals import Entry, Head, nothing_staged, uncommitted, unsigned
from .repository import Repository
from .session import Session
from .transition import File
from .trees import Blobs, Trees

Make = Callable[[Mapping[str, bytes], str], str]  # files and message; the commit's name


@dataclass(frozen=True)
class Commit:
    """A commit that was made."""

    id: str
    subject: str


@dataclass(frozen=True)
class Built:
    """The commits, oldest first, and what their sum makes of files and index entries."""

    commits: Sequence[Commit]
    files: Sequence[File]
    index: Mapping[str, tuple[Entry, Entry]]


def build(
    session: Session,
    head: Head,
    before: Mapping[str, bytes],
    series: Sequence[Change],
    summaries: Mapping[str, str],
    verify: bool,
    prefix: str = "",
    target: str = "",
    seal: bool = False,
) -> Built:
    """`before` has the files of the work tree that change. Raises Refused; moves nothing.

    `prefix` comes before the subject of each commit; `target` is the branch that hooks see; `seal`
    tells later whether somebody changed a commit.
    """
    repository = session.repository
    entries = nothing_staged(repository, head.commit, list(before))
    blobs = Blobs(repository, Attributes(repository, session.folder, before))
    for path, data in before.items():
        blobs.check(path, data, entries[path])
    texts = [message(change, summaries.get(change.code, ""), prefix) for change in series]
    if has_hooks(repository, verify):
        session.tell("checking out all files for your hooks")
        with checkout(session, head, target, verify) as place:
            make = place.commit_sealed if seal else place.commit
            ids = list(_with_hooks(session, make, series, texts))
            texts = [place.text(made) for made in ids]
    else:
        ids = list(_by_hand(repository, head, blobs, entries, list(zip(series, texts)), seal))
    commits = [Commit(made, text.partition("\n")[0]) for made, text in zip(ids, texts)]
    index = _difference(repository, head.commit, ids[-1])
    return Built(commits, list(_files(blobs, head, before, series, index)), index)


def _with_hooks(
    session: Session, make: Make, series: Sequence[Change], texts: Sequence[str]
) -> Iterator[str]:
    for number, (change, text) in enumerate(zip(series, texts), 1):
        subject = text.partition("\n")[0]
        session.tell(f"commit {number} of {len(series)}, with your hooks: {subject}")
        yield make(change.files, text)


def _by_hand(
    repository: Repository,
    head: Head,
    blobs: Blobs,
    entries: Mapping[str, Entry],
    series: Sequence[tuple[Change, str]],
    seal: bool,
) -> Iterator[str]:
    """Blobs, trees and commits, one by one: what `git commit` does where there are no hooks."""
    options = ("-S",) if signs(repository) else ()
    trees = Trees(repository, repository.line("rev-parse", f"{head.commit}^{{tree}}"))
    parent = head.commit
    for change, text in series:
        made = {p: (entries[p][0], blobs.store(p, data)) for p, data in change.files.items()}
        tree = trees.put(made)
        encoding = ("-c", "i18n.commitEncoding=UTF-8")
        command = (*encoding, "commit-tree", *options, "-p", parent, "-F", "-", tree)
        text = sealed(text, tree) if seal else text
        try:
            parent = repository.line(*command, data=text.encode())
        except GitFailed as error:
            raise (Refused(unsigned(error.words)) if options else error) from None
        yield parent


def _difference(repository: Repository, base: str, tip: str) -> dict[str, tuple[Entry, Entry]]:
    """The entries that differ, before and after. Raises Refused where files came or went."""
    raw = repository.run("diff-tree", "-r", "-z", "--no-renames", "--raw", base, tip)
    fields = [os.fsdecode(field) for field in raw.split(b"\0")][:-1]
    found = {}
    for facts, path in zip(fields[::2], fields[1::2]):
        old_mode, new_mode, old, new, _ = facts.lstrip(":").split(" ")
        if old_mode != new_mode:
            raise Refused(f"a hook added, removed or changed the kind of {path}: try --no-verify")
        found[path] = ((old_mode, old), (new_mode, new))
    return found


def _files(
    blobs: Blobs,
    head: Head,
    before: Mapping[str, bytes],
    series: Sequence[Change],
    index: Mapping[str, tuple[Entry, Entry]],
) -> Iterator[File]:
    """What the work tree gets: our own bytes, or what a hook made of them."""
    last = {path: data for change in series for path, data in change.files.items()}
    repository = blobs.repository
    for path, (old, new) in index.items():
        data = before.get(path)
        if data is None:  # a hook changed it, too
            nothing_staged(repository, head.commit, [path])
            data = _on_disk(repository, path)
            blobs.check(path, data, old)
        if path in last and blobs.store(path, last[path]) == new[1]:
            yield File(path, data, last[path])
        else:
            yield File(path, data, blobs.smudged(path, new[1]))


def _on_disk(repository: Repository, path: str) -> bytes:
    try:
        with open(os.path.join(repository.top, path), "rb") as file:
            return file.read()
    except OSError:
        raise Refused(uncommitted(path)) from None
